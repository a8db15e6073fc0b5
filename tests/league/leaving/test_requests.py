"""Players ask to leave or come late; the director answers; the departure is the director's own."""

import pytest

from league.access.viewer import Attribution, Visitor
from league.day.entrants import come_back, drop_out
from league.day.undo import undo_event
from league.entries.sign_up import set_sign_up, sign_up
from league.leaving import departures
from league.leaving.answers import accept, refuse, undo_answer
from league.leaving.before_start import give_up_place
from league.leaving.requests import Kind, State, ask, is_over, withdraw
from league.leaving.team import name_substitute, swaps_of
from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import Entry, LeaveRequest, Seat, SignUp, Tournament
from league.rounds.steps import start
from tests import cast
from tests.league.the_day import seats_of

pytestmark = pytest.mark.django_db

POINTS = {"format": "points", "name": "Points", "table_size": 4, "rounds": 3, "hands_per_round": 2}


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """Eight players at two tables; rounds are drawn one by one, and round 1 is open."""
    made = cast.tournament(**POINTS)
    start(tournament=made, by=made.owner)
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


def farah_asks(made: Tournament, kind: str = Kind.NOW, text: str = "", number: int = 1) -> LeaveRequest:
    farah = cast.entry(made, "Farah")
    return ask(entry=farah, kind=kind, round_number=number, text=text, by=Attribution(player=farah))


def status(made: Tournament, name: str = "Farah") -> str:
    return cast.entry(made, name).status


def words(made: Tournament) -> list[str]:
    return [in_words(row) for row in made.log.order_by("number")]


def test_a_departure_waits_for_the_director_then_counts_at_once_and_can_be_undone(made):
    request = farah_asks(made)
    assert farah_asks(made) == request  # a repeat is the same request
    assert (request.state, status(made)) == (State.WAITING, Entry.Status.ACTIVE)
    accepted = accept(request=request, by=made.owner)
    assert accept(request=request, by=made.owner).event == accepted.event  # in a second tab
    assert status(made) == Entry.Status.DROPPED
    assert words(made)[-3:] == [
        "Round 1: Farah asks to leave now",
        "Round 1: accepted that Farah leaves now",
        "Round 1: Farah dropped out",
    ]
    again = undo_answer(request=request, by=made.owner)
    assert (again.state, again.event, status(made)) == (State.WAITING, None, Entry.Status.ACTIVE)
    assert not is_over(again)


def test_after_the_round_the_player_finishes_it_and_has_no_seat_in_the_next(made):
    accept(request=farah_asks(made, Kind.AFTER), by=made.owner)
    assert status(made) == Entry.Status.ACTIVE
    cast.play(made, rounds=1)
    assert status(made) == Entry.Status.DROPPED
    assert list(seats_of(made, "Farah")) == [1]
    assert Seat.objects.filter(round__number=2, round__tournament=made).count() == 7


def test_where_all_rounds_are_drawn_someone_else_has_the_seats_after_the_round():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    accept(request=farah_asks(made, Kind.AFTER), by=made.owner)
    cast.play(made, rounds=1)
    assert list(seats_of(made, "Farah")) == [1]
    assert made.entries.filter(status=Entry.Status.STANDIN, seats__round__number=2).exists()


def test_a_departure_that_fails_when_the_round_closes_waits_for_the_director_again(made, monkeypatch):
    request = accept(request=farah_asks(made, Kind.AFTER), by=made.owner)

    def refuse_to_drop(**_about: object) -> None:
        raise Refused("seating", "A fixed table can’t be met.")

    monkeypatch.setattr(departures, "drop_out", refuse_to_drop)
    cast.play(made, rounds=1)
    request.refresh_from_db()
    assert (request.state, request.answered_by, status(made)) == (State.WAITING, None, Entry.Status.ACTIVE)
    row = made.log.get(action="failed-leave")
    assert (in_words(row), row.reason) == ("Farah could not leave automatically", "A fixed table can’t be met.")
    assert made.rounds.filter(number=2, published_at__isnull=False).exists()


def test_in_the_last_round_there_is_no_after_and_once_it_is_played_nothing_to_leave(made):
    for number in (1, 2):
        cast.play(made, rounds=number)
    with pytest.raises(Conflict, match="moved on"):
        farah_asks(made, Kind.AFTER, number=3)
    assert farah_asks(made, number=3).state == State.WAITING
    cast.play_round(made.rounds.get(number=3))
    with pytest.raises(Conflict, match="You play no more rounds"):
        farah_asks(made, number=3)


def test_players_who_may_leave_without_asking_leave_at_once_and_change_their_mind_until_the_round_ends(made):
    Tournament.objects.filter(pk=made.pk).update(players_leave=True)
    after = farah_asks(made, Kind.AFTER)
    assert (after.state, after.answered_by) == (State.ACCEPTED, None)
    assert farah_asks(made, Kind.AFTER) == after
    assert withdraw(request=after, by=Attribution()).state == State.WITHDRAWN
    now = farah_asks(made)
    assert now.event is not None and status(made) == Entry.Status.DROPPED
    row = made.log.get(action="drop-out")
    assert (row.by, row.player) == (None, cast.entry(made, "Farah").public_id)
    undo_event(tournament=made, event=now.event, by=made.owner)
    assert status(made) == Entry.Status.ACTIVE and is_over(now)


def test_a_request_that_waited_counts_at_once_when_players_no_longer_need_an_answer(made):
    request = farah_asks(made)
    Tournament.objects.filter(pk=made.pk).update(players_leave=True)
    assert farah_asks(made) == request
    assert status(made) == Entry.Status.DROPPED


def test_a_request_in_a_cancelled_tournament_takes_no_answer_and_no_player_leaves(made):
    request = farah_asks(made)
    Tournament.objects.filter(pk=made.pk).update(is_called_off=True)
    with pytest.raises(Conflict, match="is over"):
        accept(request=request, by=made.owner)
    assert status(made) == Entry.Status.ACTIVE


def test_an_answer_without_a_director_names_the_organiser(made):
    Tournament.objects.filter(pk=made.pk).update(players_leave=True)
    after = farah_asks(made, Kind.AFTER)
    with pytest.raises(Conflict, match="The organiser has accepted this already"):
        refuse(request=after, by=made.owner)


def test_who_is_second_reads_what_the_first_did(made):
    request = farah_asks(made)
    withdraw(request=request, by=Attribution())
    with pytest.raises(Conflict, match="Farah has withdrawn the request"):
        accept(request=request, by=made.owner)
    request = farah_asks(made, Kind.AFTER)
    accept(request=request, by=made.owner)
    with pytest.raises(Conflict, match="Olga has accepted"):
        withdraw(request=request, by=Attribution())
    with pytest.raises(Conflict, match="Olga has accepted this already"):
        refuse(request=request, by=made.owner)
    undo_answer(request=request, by=made.owner)
    refuse(request=request, by=made.owner)
    with pytest.raises(Conflict, match="Olga has refused this already"):
        accept(request=request, by=made.owner)
    assert status(made) == Entry.Status.ACTIVE


def test_another_request_replaces_the_one_that_waits(made):
    first = farah_asks(made, Kind.LATE, "20 minutes")
    second = farah_asks(made)
    first.refresh_from_db()
    assert (first.state, second.state) == (State.WITHDRAWN, State.WAITING)


def test_a_request_ends_when_the_player_left_otherwise_even_if_they_return(made):
    request = farah_asks(made)
    drop_out(tournament=made, entry=request.entry, by=made.owner)
    with pytest.raises(Conflict, match="The request of Farah is over"):
        accept(request=request, by=made.owner)
    come_back(tournament=made, entry=request.entry, by=made.owner)
    with pytest.raises(Conflict, match="The request of Farah is over"):
        accept(request=request, by=made.owner)


def test_a_late_player_is_only_noted_and_no_longer_once_the_round_is_over(made):
    late = farah_asks(made, Kind.LATE, "20 minutes")
    with pytest.raises(Conflict, match="asks for nothing"):
        refuse(request=late, by=made.owner)
    accept(request=late, by=made.owner)
    assert (status(made), is_over(late)) == (Entry.Status.ACTIVE, False)
    cast.play(made, rounds=1)
    late = LeaveRequest.objects.select_related("entry").get(pk=late.pk)
    assert is_over(late)


def test_an_unanswered_departure_waits_on_after_its_round_and_then_counts_at_once(made):
    request = farah_asks(made, Kind.AFTER)
    cast.play(made, rounds=1)
    accept(request=request, by=made.owner)
    assert status(made) == Entry.Status.DROPPED and 2 in seats_of(made, "Farah")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"entry": {"status": Entry.Status.DROPPED}}, "You have left already"),
        ({"entry": {"status": Entry.Status.STANDIN}}, "A stand-in holds this seat"),
        ({"made": {"state": Tournament.State.CLOSED}}, "The tournament is over or cancelled"),
        ({"made": {"is_called_off": True}}, "The tournament is over or cancelled"),
        ({"made": {"state": Tournament.State.PLANNED}}, "Give up your place instead"),
    ],
    ids=["left", "stand-in", "final", "cancelled", "not begun"],
)
def test_who_cannot_leave_reads_why_and_nothing_changes(made, change, sentence):
    made.entries.filter(player__name="Farah").update(**change.get("entry", {"number": 6}))
    Tournament.objects.filter(pk=made.pk).update(**change.get("made", {"name": "Points"}))
    before = made.log.count()
    with pytest.raises(Conflict, match=sentence):
        farah_asks(made)
    assert not LeaveRequest.objects.exists() and made.log.count() == before


def test_a_form_of_an_earlier_round_and_too_many_changes_are_refused(made):
    with pytest.raises(Conflict, match="The round has moved on"):
        farah_asks(made, number=2)
    for minutes in range(10):
        farah_asks(made, Kind.LATE, f"{minutes} minutes")
    with pytest.raises(Refused, match="Too many changes in an hour"):
        farah_asks(made)
    assert LeaveRequest.objects.filter(state=State.WAITING).get().text == "9 minutes"


def test_before_the_start_the_first_who_waits_has_the_place():
    made = cast.tournament(4)
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    nora, _new = sign_up(tournament=made, name="Nora", email="", site="")
    gone = give_up_place(entry=cast.entry(made, "Chidi"))
    nora.refresh_from_db()
    assert (gone.state, nora.state) == (SignUp.State.WITHDRAWN, SignUp.State.PLACED)
    assert words(made)[-2:] == ["Chidi withdrew", "Nora moved up from the waiting list"]
    start(tournament=made, by=made.owner)
    with pytest.raises(Conflict, match="Ask to leave instead"):
        give_up_place(entry=cast.entry(made, "Benoît"))


def test_a_captain_names_a_substitute_and_other_members_do_not():
    made = cast.teams()
    start(tournament=made, by=made.owner)
    foxes = cast.entry(made, "Blue Foxes")
    [first, _second] = swaps_of(foxes)
    assert first[1] == "Ingrid for Ana Lucía"
    ana, ingrid = (foxes.player.team.members.get(player__name=name).player for name in ("Ana Lucía", "Ingrid"))
    ana.user, ingrid.user = cast.organiser("ana@example.org", "Ana"), cast.someone_else()
    ana.save()
    ingrid.save()
    member = {"entry": foxes, "visitor": Visitor(ingrid.user), "by": Attribution(ingrid.user, player=foxes)}
    with pytest.raises(Refused, match="Only the captain, Ana Lucía, can name a substitute"):
        name_substitute(swap=first[0], **member)
    captain = {"entry": foxes, "visitor": Visitor(ana.user), "by": Attribution(ana.user, player=foxes)}
    assert name_substitute(swap=first[0], **captain)
    with pytest.raises(Conflict, match="The line-up has changed since"):
        name_substitute(swap=first[0], **captain)
    seats = Seat.objects.filter(entry=foxes, member=0).exclude(table=None)
    assert {seat.substitute.name for seat in seats} == {"Ingrid"}
    assert words(made)[-1] == "Ingrid plays for Blue Foxes"
