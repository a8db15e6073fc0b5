"""Two changes on the day, in both orders: the same people play, and no stand-in plays while a player has a bye.

Not among the fields: one short of a full table (7 pairs). There a late entry opens a table, and a player who leaves
after that needs a stand-in; in the other order the table is never opened.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_hand
from league.access.viewer import Attribution
from league.day.entrants import come_back, drop_out, enter_late
from league.day.undo import undo_event
from league.ledger.entered import members_in
from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import Adjustment, Entry, EntryEvent, Round, Seat, Tournament
from league.rounds.steps import next_step, start
from league.setup.stages.stage_plan import PlannedStage
from tests import cast
from tests.league.day.sheets import entry_of, preview, sheet_of, tap
from tests.league.the_day import by, seats_of, whole_seating

pytestmark = pytest.mark.django_db

Change = Callable[[Tournament], EntryEvent]
CHANGES: dict[str, Change] = {
    "Gül comes late": lambda made: enter_late(**by(made), name="Gül"),
    "Inês comes late": lambda made: enter_late(**by(made), name="Inês"),
    "Farah drops out": lambda made: drop_out(**by(made), entry=cast.entry(made, "Farah")),
    "Zoë drops out": lambda made: drop_out(**by(made), entry=cast.entry(made, "Zoë")),
    "Chidi returns": lambda made: come_back(**by(made), entry=cast.entry(made, "Chidi")),
}


def who_plays(made: Tournament) -> list[tuple[Any, ...]]:
    """For each round to come: its tables, stand-ins and byes; and the players at tables if no one has a bye."""
    found: list[tuple[Any, ...]] = []
    for played in made.rounds.living().exclude(state=Round.State.CLOSED).order_by("number"):
        seats = list(played.seats.select_related("entry__player"))
        if played.is_open:  # byes that were published stay, also of players who left since
            seats = [seat for seat in seats if seat.table_id]
        players = [seat for seat in seats if seat.entry.status == Entry.Status.ACTIVE]
        stand_ins = [seat for seat in seats if seat.entry.status == Entry.Status.STANDIN]
        at_tables = {seat.entry.player.name for seat in players if seat.table_id}
        active = made.entries.filter(status=Entry.Status.ACTIVE).count()
        byes = active - len(at_tables)
        assert not (stand_ins and byes), f"round {played.number}: a stand-in plays while {byes} have a bye"
        assert len(players) + len(stand_ins) == len(seats), "a player who left has a seat"
        if played.state == Round.State.DRAFT:
            assert len(players) == active, "each player has one place in a round that is drawn"
        found.append((played.number, played.tables.count(), len(stand_ins), byes, () if byes else sorted(at_tables)))
    return found


def after(made: Tournament, *changes: Change) -> list[tuple[Any, ...]]:
    """Who plays after these changes, which are then taken back."""
    with transaction.atomic():
        for change in changes:
            change(made)
        found = who_plays(made)
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize(
    ("players", "settings"),
    [
        (8, {"rounds": 4}),
        (9, {"rounds": 4}),
        (10, {"rounds": 4}),
        (12, {"rounds": 4}),
        (8, {"format": "round_robin", "table_size": 2, "rounds": 4}),
        (10, {"format": "round_robin", "table_size": 2, "rounds": 4}),
    ],
)
def test_the_order_of_two_changes_does_not_change_who_plays(players: int, settings: dict[str, Any]) -> None:
    made = cast.tournament(players, hands_per_round=1, **settings)
    cast.play(made, rounds=1)
    drop_out(**by(made), entry=cast.entry(made, "Chidi"))
    for (one, first), (other, second) in combinations(CHANGES.items(), 2):
        assert after(made, first, second) == after(made, second, first), f"{one}, {other}"


def test_eight_players_play_without_a_stand_in_when_one_comes_late_and_another_leaves() -> None:
    made = cast.tournament()
    cast.play(made, rounds=1)
    cast.play_hand(cast.table(made, 2, 1), 1)
    olga = Client()
    olga.force_login(made.owner)

    def post(path: str, **fields: str) -> None:
        shown = olga.post(f"/t/{made.slug}/day/{path}", fields)
        sent = {**dict(shown.context["sent"]), "shown": shown.context["moves"].digest}
        assert olga.post(f"/t/{made.slug}/day/{path}", sent).status_code == 302

    post("late/", name="Gül")
    tap(olga, entry_of(made, "Farah"), "leave")
    cast.play(made)

    assert next_step(made).kind == "finish"
    assert not Seat.objects.filter(round__tournament=made, entry__status=Entry.Status.STANDIN).exists()
    for played in made.rounds.filter(number__gt=1):
        assert played.seats.exclude(table=None).count() == played.seats.count() == 8
    assert set(seats_of(made, "Gül")) == {2, 3, 4, 5, 6, 7}


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


def nine() -> Tournament:
    """Pairs of nine in five rounds: round 1 closed, round 2 published, 3 to 5 drafts."""
    return cast.play(cast.tournament(9, rounds=5, bye_points=10), rounds=1)


def test_a_player_with_a_bye_takes_the_seat_of_one_who_leaves_and_loses_the_points_for_the_bye() -> None:
    made = nine()
    before = whole_seating(made)
    waits = Seat.objects.get(round__tournament=made, round__number=2, table=None).entry
    leaver = Seat.objects.filter(round__tournament=made, round__number=2).exclude(table=None).earliest("pk").entry
    at = seats_of(made, str(leaver))[2]

    event = drop_out(**by(made), entry=leaver)

    assert seats_of(made, str(waits))[2] == at
    assert not made.entries.filter(status=Entry.Status.STANDIN).exists()
    assert not Adjustment.objects.filter(round__number=2, kind="bye", voided_at=None).exists()
    assert f"{leaver} dropped out; seats to {waits}" in last_words_of(made, "drop-out")
    assert {number for number, _tables, stand_ins, byes, _names in who_plays(made) if not byes} == {2, 3, 4, 5}

    undo_event(**by(made), event=event)

    assert whole_seating(made) == before
    [bye] = Adjustment.objects.filter(round__number=2, kind="bye", voided_at=None)
    assert (bye.entry, bye.points) == (waits, 10)


def last_words_of(made: Tournament, action: str) -> str:
    return in_words(made.log.filter(action=action).order_by("-number")[0])


def test_a_player_who_returns_has_the_old_seats_in_rounds_that_no_one_has_seen() -> None:
    made = nine()
    drafts = [row for row in whole_seating(made) if row[0] > 2]
    drop_out(**by(made), entry=cast.entry(made, "Farah"))
    event = come_back(**by(made), entry=cast.entry(made, "Farah"))
    assert [row for row in whole_seating(made) if row[0] > 2] == drafts
    undo_event(**by(made), event=event)
    assert set(seats_of(made, "Farah")) <= {1, 2}


def test_a_drop_out_is_not_undone_once_the_player_who_took_the_seat_has_played() -> None:
    made = nine()
    event = drop_out(**by(made), entry=cast.entry(made, "Farah"))
    cast.play(made, rounds=2)
    with pytest.raises(Conflict, match="Let them return instead"):
        undo_event(**by(made), event=event)


def test_the_organiser_may_choose_a_stand_in_or_that_the_drafts_are_drawn_again(olga: Client) -> None:
    made = nine()
    before = whole_seating(made)
    leaver = entry_of(made, "Farah")

    [question] = olga.get(f"{sheet_of(leaver)}?do=leave").context["step"].draft.questions

    cards = {card.value: card for card in question.options}
    assert list(cards) == ["byes", "redraw", "stand-in"] and question.answer == "byes"
    assert question.legend == "What happens in rounds 2 to 5?"
    assert cards["redraw"].label == "Redraw rounds 3 to 5 for 8 players, no byes"
    assert cards["redraw"].hint.startswith("All seats in these rounds change. ")
    assert cards["byes"].hint.startswith("Only these seats change. ")
    assert "The stand-in’s points count for no one. In " in cards["stand-in"].hint

    for chosen in ("stand-in", "redraw"):
        sent = preview(olga, leaver, "leave", plan=chosen)
        assert sent["plan"] == chosen
        assert whole_seating(made) == before
        assert olga.post(f"{sheet_of(leaver)}?do=leave", sent).status_code == 302
        stand_ins = Seat.objects.filter(round__tournament=made, entry__status=Entry.Status.STANDIN)
        assert stand_ins.exists() == (chosen == "stand-in")
        if chosen == "redraw":
            assert all(byes == 0 for _number, _tables, _stand_ins, byes, _names in who_plays(made))
        undo_event(**by(made), event=EntryEvent.objects.living().get(entry=leaver))
        assert whole_seating(made) == before


def test_of_eight_players_one_who_leaves_needs_a_stand_in_and_the_page_offers_no_choice(olga: Client) -> None:
    made = cast.play(cast.tournament(rounds=4), rounds=1)
    draft = olga.get(f"{sheet_of(entry_of(made, 'Farah'))}?do=leave").context["step"].draft
    assert not draft.questions
    assert draft.outcome.sentences[0].startswith("The stand-in takes this player’s seats, and no one else moves.")


def test_a_redraw_plan_is_refused_where_no_round_is_a_draft() -> None:
    made = cast.play(cast.tournament(9, rounds=2), rounds=1)
    with pytest.raises(Refused, match="Every round is published, so none can be drawn again"):
        drop_out(**by(made), entry=cast.entry(made, "Farah"), plan="redraw")
    with pytest.raises(Refused, match="Choose what happens to the seats"):
        drop_out(**by(made), entry=cast.entry(made, "Farah"), plan="nonsense")


def test_groups_fill_seats_from_their_own_byes_only() -> None:
    made = cast.tournament(18, rounds=3, groups=2, then=(PlannedStage("knockout", takes=4),))
    start(tournament=made, by=made.owner)
    group = members_in(made.stage)
    leaver = Seat.objects.filter(round__tournament=made, round__number=1).exclude(table=None).earliest("pk").entry
    at = seats_of(made, str(leaver))

    drop_out(**by(made), entry=leaver)

    for number, place in at.items():
        if place != "bye":
            table, seat = place  # type: ignore[misc]
            taker = Seat.objects.get(round__tournament=made, round__number=number, table__number=table, number=seat)
            assert group[taker.entry.public_id].group == group[leaver.public_id].group


# --- rounds drawn one by one -----------------------------------------------------------------------------------------


def swiss(players: int = 9) -> Tournament:
    made = cast.tournament(players, format="swiss", table_size=2, rounds=4, hands_per_round=1, bye_points=20)
    start(tournament=made, by=made.owner)
    return made


def test_a_swiss_preview_says_that_the_table_ends_and_offers_the_seat_to_the_player_with_the_bye(olga: Client) -> None:
    made = swiss()
    before = whole_seating(made)
    waits = Seat.objects.get(round__tournament=made, table=None).entry
    seat = Seat.objects.filter(round__tournament=made, table__number=1).earliest("number")
    stays = Seat.objects.filter(table=seat.table).exclude(pk=seat.pk).get().entry
    leaver = entry_of(made, seat.entry.player.name)

    draft = olga.get(f"{sheet_of(leaver)}?do=leave").context["step"].draft

    [question] = draft.questions
    assert f"Table 1 ends in round 1: only {stays} is left there." in draft.outcome.sentences
    assert [card.value for card in question.options] == ["fewer", "byes"] and question.answer == "fewer"
    assert f"Without a seat in round 1: {waits}." in question.options[1].hint
    tap(olga, leaver, "leave", plan="byes")
    assert seats_of(made, str(waits)) == {1: (1, seat.number)}
    assert not Adjustment.objects.filter(kind="bye", voided_at=None).exists()

    undo_event(**by(made), event=EntryEvent.objects.get())
    assert whole_seating(made) == before
    assert Adjustment.objects.get(kind="bye", voided_at=None).points == 20


def test_a_challenge_preview_says_with_how_many_the_table_continues(olga: Client) -> None:
    made = cast.challenge(8, target=5000)
    start(tournament=made, by=made.owner)
    draft = olga.get(f"{sheet_of(entry_of(made, 'Farah'))}?do=leave").context["step"].draft
    table, _seat = seats_of(made, "Farah")[1]  # type: ignore[misc]
    assert f"Table {table} continues with 3 players in round 1." in draft.outcome.sentences
    assert not draft.questions  # every player has a seat


@pytest.mark.parametrize("format", ["challenge", "swiss", "points"])
def test_a_late_entry_can_take_a_free_seat_at_a_table_that_has_not_started(olga: Client, format: str) -> None:
    made = cast.tournament(
        8, format=format, table_size=4, hands_per_round=1, **({} if format == "challenge" else {"rounds": 4})
    )
    start(tournament=made, by=made.owner)
    table, seat = seats_of(made, "Farah")[1]  # type: ignore[misc]
    drop_out(**by(made), entry=cast.entry(made, "Farah"))
    url = f"/t/{made.slug}/day/late/"

    shown = olga.post(url, {"name": "Gül"})

    assert [plan.value for plan in shown.context["decision"].plans] == ["next", f"table-{table}"]
    assert shown.context["decision"].plans[1].cost == "Takes the seat of Farah, who left. The table has not started."
    again = olga.post(url, dict(shown.context["sent"]) | {"choose": f"table-{table}"})
    sent = dict(again.context["sent"]) | {"shown": again.context["moves"].digest}
    assert olga.post(url, sent).status_code == 302
    assert seats_of(made, "Gül") == {1: (table, seat)}
    cast.record(cast.table(made, 1, table), 1)
    assert cast.entry(made, "Gül").scores.filter(voided_at=None).count() == 1


def test_a_free_seat_that_a_late_entry_took_is_empty_again_when_that_is_undone(olga: Client) -> None:
    made = cast.challenge(8, target=5000)
    start(tournament=made, by=made.owner)
    table, seat = seats_of(made, "Farah")[1]  # type: ignore[misc]
    drop_out(**by(made), entry=cast.entry(made, "Farah"))
    event = enter_late(**by(made), name="Gül", table=table)
    undo_event(**by(made), event=event)
    assert seats_of(made, "Farah") == {1: (table, seat)}
    goes_out = next(at for at in range(4) if at != seat)
    reports = [SeatReport(at, points_left=10) for at in range(4) if at not in (seat, goes_out)]
    record_hand(
        table_id=cast.table(made, 1, table).pk, hand=HandInput(1, goes_out, reports), by=Attribution(made.owner)
    )
    with pytest.raises(Refused, match=f"Table {table} has no free seat or has started"):
        enter_late(**by(made), name="Gül", table=table)
