"""The day, for tables: seats swapped, tables moved, closed, opened again and seated anew.

Each through its services and over HTTP: a preview, then what it showed.
"""

import re
from itertools import chain

import pytest

from games.hands.correct import void_hand
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.ledger.progress import dealt_in
from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import Adjustment, LogEntry, Round, Seat, Table
from league.rounds.reseat import fresh_tables, reseat_not_started
from league.rounds.steps import advance, start
from league.rounds.tables import close_table, move_table, open_table_again, swap_seats
from league.standings import read as ledger
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def pairs_once(module_world):
    """Round 1 of eight is running: table 1 has two hands, table 2 none."""
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    for hand in (1, 2):
        cast.record(cast.table(made, 1, 1), hand)
    made.refresh_from_db()
    return made


@pytest.fixture
def pairs(pairs_once):
    return cast.again(pairs_once)


@pytest.fixture(scope="module", autouse=True)
def challenge_once(module_world):
    """Twelve at three tables of four, four hands each; round 1 is published."""
    made = cast.challenge(players=12)
    start(tournament=made, by=made.owner)
    made.refresh_from_db()
    return made


@pytest.fixture
def challenge(challenge_once):
    return cast.again(challenge_once)


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def post(client, tournament, what, **fields):
    return client.post(f"/t/{tournament.slug}/day/{what}/", fields)


def shown(answer):
    """The preview's fields, to be posted as its button does."""
    text = answer.content.decode()
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text))


def do(client, tournament, what, **fields):
    """A preview, and then what it shows."""
    preview = post(client, tournament, what, **fields)
    assert preview.status_code == 200, said(preview)
    sent = shown(preview)
    sent.pop("csrfmiddlewaretoken", None)
    done = post(client, tournament, what, **sent)
    assert done.status_code == 302, said(done)
    return preview


def sitting(table):
    return [seat.entry.player.name for seat in table.seats.order_by("number")]


def swap(tournament, one, other, number=1, reason="They asked"):
    swap_seats(
        tournament=tournament,
        round_number=number,
        one=cast.entry(tournament, one),
        other=cast.entry(tournament, other),
        reason=reason,
        by=tournament.owner,
    )


def totals(tournament):
    return {line.entrant.name: line.total for line in ledger.read(tournament).standings()}


# Two seats swapped.


def test_a_swap_over_http_shows_who_partners_whom_and_from_which_hand_on(olga, pairs):
    first, second = cast.table(pairs, 1, 1), cast.table(pairs, 1, 2)
    here, there = sitting(first), sitting(second)
    one, other = cast.entry(pairs, here[0]), cast.entry(pairs, there[0])
    preview = said(
        do(olga, pairs, "swap", round=1, one=one.public_id, other=other.public_id, reason="Seated by mistake")
    )
    assert f"Table 1 from hand 3 on: {there[0]} and {here[2]} against {here[1]} and {here[3]}." in preview
    assert f"Table 2 from hand 1 on: {here[0]} and {there[2]} against {there[1]} and {there[3]}." in preview
    assert sitting(first) == [there[0], *here[1:]]
    assert sitting(second) == [here[0], *there[1:]]
    row = LogEntry.objects.get(action="swap-seats")
    assert in_words(row) == f"Round 1: {here[0]} and {there[0]} changed places"
    assert row.reason == "Seated by mistake"


def test_hands_that_are_in_stay_with_who_played_them(pairs):
    table = cast.table(pairs, 1, 1)
    here, before = sitting(table), totals(pairs)
    swap(pairs, here[0], sitting(cast.table(pairs, 1, 2))[1])
    assert [seat.entry.player.name for seat in dealt_in(table, 1)] == here
    assert [seat.entry.player.name for seat in dealt_in(table, 3)] == sitting(table) != here
    assert totals(pairs) == before


def test_the_log_names_who_played_a_hand_and_not_who_sits_there_since(olga, pairs):
    table = cast.table(pairs, 1, 1)
    played, comes = sitting(table)[0], sitting(cast.table(pairs, 1, 2))[0]
    swap(pairs, played, comes)
    log = said(olga.get(f"/t/{pairs.slug}/log/"))
    assert log.count(f"{played} went out") == 2
    assert f"{comes} went out" not in log


def test_a_page_that_was_typed_for_the_old_seats_is_refused(pairs):
    first, second = cast.table(pairs, 1, 1), cast.table(pairs, 1, 2)
    old = first.seating_version
    swap(pairs, sitting(first)[0], sitting(second)[0])
    with pytest.raises(Conflict) as refused:
        record_hand(table_id=first.pk, hand=HandInput(3), by=Attribution(pairs.owner), seating_version=old)
    assert refused.value.code == "seating-changed"
    second.refresh_from_db()
    assert second.seating_version == 2


def test_swapping_back_is_the_undo(pairs):
    first, second = sitting(cast.table(pairs, 1, 1)), sitting(cast.table(pairs, 1, 2))
    swap(pairs, first[0], second[0])
    swap(pairs, first[0], second[0])
    assert (sitting(cast.table(pairs, 1, 1)), sitting(cast.table(pairs, 1, 2))) == (first, second)


def test_the_page_offers_to_swap_back(olga, pairs):
    first, second = sitting(cast.table(pairs, 1, 1)), sitting(cast.table(pairs, 1, 2))
    swap(pairs, first[0], second[0])
    page = said(olga.get(f"/t/{pairs.slug}/day/"))
    assert "Swap back" in page
    assert f"{first[0]} and {second[0]} changed places" in page


def test_partners_change_within_a_table_too(pairs):
    table = cast.table(pairs, 1, 2)
    here = sitting(table)
    swap(pairs, here[0], here[1])
    assert sitting(table) == [here[1], here[0], *here[2:]]


def test_a_hand_that_was_played_in_other_seats_is_corrected_and_not_taken_back(pairs):
    table = cast.table(pairs, 1, 1)
    swap(pairs, sitting(table)[0], sitting(cast.table(pairs, 1, 2))[0])
    hand = Hand.objects.get(table=table, number=2)
    with pytest.raises(Conflict, match="Seats were changed after this hand"):
        void_hand(hand_id=hand.pk, version=None, reason="", by=Attribution(pairs.owner))


def test_who_sits_out_can_take_a_seat_and_the_worth_of_the_bye_goes_along():
    made = cast.tournament(players=9, bye_points=20)
    start(tournament=made, by=made.owner)
    out = Seat.objects.get(round__tournament=made, round__number=1, table=None).entry.player.name
    plays = sitting(cast.table(made, 1, 1))[0]
    assert totals(made)[out] == 20
    swap(made, out, plays)
    assert totals(made)[plays] == 20 and totals(made)[out] == 0
    assert Seat.objects.get(round__number=1, table=None).entry.player.name == plays
    assert Adjustment.objects.filter(round__number=1, voided_at=None).count() == 1


def test_a_missing_hand_before_a_later_one_has_to_be_entered_first(pairs):
    table = cast.table(pairs, 1, 2)
    cast.record(table, 3)
    with pytest.raises(Refused, match=r"Enter hand 1 first\."):
        swap(pairs, sitting(table)[0], sitting(cast.table(pairs, 1, 1))[0])


def test_seats_of_a_table_that_has_all_its_hands_stay(pairs):
    table = cast.table(pairs, 1, 1)
    for hand in (3, 4):
        cast.record(table, hand)
    with pytest.raises(Refused, match="No more hands are played at table 1"):
        swap(pairs, sitting(table)[0], sitting(table)[1])


def test_who_sat_where_in_a_closed_round_stays():
    made = cast.play(cast.tournament(), rounds=1)
    here = sitting(cast.table(made, 1, 1))
    with pytest.raises(Conflict, match="Round 1 is closed"):
        swap(made, here[0], here[1])


def test_who_is_out_cannot_be_swapped():
    made = cast.play_challenge(cast.challenge(players=4, target=60), rounds=1)
    state = {line.entrant.name: line.entrant.status for line in ledger.read(made).standings()}
    out = next(name for name, status in state.items() if status == "out")
    still = next(name for name, status in state.items() if status == "active")
    with pytest.raises(Refused, match="is not in any more"):
        swap(made, out, still)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"other": "Ana Lucía"}, "Choose two players."),
        ({"number": 9}, "There is no round 9."),
    ],
)
def test_a_swap_says_what_it_lacks(fields, sentence, pairs):
    wanted = {"one": "Ana Lucía", "other": "Zoë", "reason": "x", "number": 1} | fields
    with pytest.raises(Refused, match=re.escape(sentence)):
        swap(pairs, **wanted)


def test_an_unknown_player_in_the_form_is_refused_on_the_page(olga, pairs):
    answer = post(olga, pairs, "swap", round=1, one="nobody", other="' OR 1=1", reason="x")
    assert answer.status_code == 422
    assert "There is no such player in this tournament." in said(answer)


def test_a_refused_swap_keeps_what_was_typed(olga, pairs):
    one = cast.entry(pairs, "Zoë").public_id
    answer = post(olga, pairs, "swap", round=1, one=one, other=one, reason="A slip of paper")
    assert answer.status_code == 422
    assert 'value="A slip of paper"' in answer.content.decode()


def test_what_changed_since_the_preview_is_shown_once_more(olga, pairs):
    first, second = sitting(cast.table(pairs, 1, 1)), sitting(cast.table(pairs, 1, 2))
    fields = {name: cast.entry(pairs, who).public_id for name, who in (("one", first[0]), ("other", second[0]))}
    sent = shown(post(olga, pairs, "swap", round=1, reason="x", **fields))
    swap(pairs, first[0], second[1])
    answer = post(olga, pairs, "swap", **sent)
    assert answer.status_code == 409
    assert "Something changed since you looked." in said(answer)
    assert LogEntry.objects.filter(action="swap-seats").count() == 1


# A table moved, closed, opened again.


def test_a_moved_table_changes_numbers_with_the_one_that_has_it(olga, pairs):
    first, second = cast.table(pairs, 1, 1), cast.table(pairs, 1, 2)
    do(olga, pairs, "move-table", round=1, table=1, to=2, reason="The lamp is broken")
    first.refresh_from_db(), second.refresh_from_db()
    assert (first.number, second.number) == (2, 1)
    assert in_words(LogEntry.objects.get(action="move-table")) == "Round 1, table 2: it was table 1 before"
    do(olga, pairs, "move-table", round=1, table=2, to=1, reason="Moved back")
    first.refresh_from_db()
    assert first.number == 1


def test_a_free_number_can_be_taken_and_scores_stay(pairs):
    before = totals(pairs)
    move_table(tournament=pairs, round_number=1, number=1, to=17, reason="Draught", by=pairs.owner)
    assert sorted(pairs.rounds.get(number=1).tables.values_list("number", flat=True)) == [2, 17]
    assert totals(pairs) == before
    cast.record(cast.table(pairs, 1, 17), 3)


@pytest.mark.parametrize(
    ("number", "to", "sentence"),
    [(1, 1, "has this number already"), (1, 0, "1 to 999"), (1, 1000, "1 to 999"), (9, 3, "no such table")],
)
def test_numbers_that_make_no_sense_are_refused(number, to, sentence, pairs):
    with pytest.raises(Refused, match=sentence):
        move_table(tournament=pairs, round_number=1, number=number, to=to, reason="x", by=pairs.owner)


def test_a_closed_table_keeps_its_hands_takes_no_more_and_can_be_opened_again(olga, pairs):
    table = cast.table(pairs, 1, 1)
    preview = do(olga, pairs, "close-table", round=1, table=1, reason="They had to leave")
    assert "2 hands are in there and count." in said(preview)
    with pytest.raises(Refused, match="Table 1 was closed, so hand 3 is not played there"):
        cast.record(table, 3)
    table.refresh_from_db()
    assert table.state == Table.State.CONFIRMED
    assert in_words(LogEntry.objects.get(action="close-table")) == "Round 1, table 1: closed after 2 hands"
    do(olga, pairs, "open-table", round=1, table=1)
    cast.record(table, 3)


def test_a_round_can_be_closed_without_waiting_for_a_closed_table(pairs):
    close_table(tournament=pairs, round_number=1, number=2, reason="Nobody came", by=pairs.owner)
    for hand in (3, 4):
        cast.record(cast.table(pairs, 1, 1), hand)
    advance(tournament=pairs, token="close-1", by=pairs.owner)
    assert pairs.rounds.get(number=1).state == Round.State.CLOSED


@pytest.mark.parametrize(
    ("do_first", "sentence"),
    [("play", "No more hands are played at table 1"), ("gap", "Enter hand 1 first"), ("none", "no such table")],
)
def test_a_table_that_cannot_be_closed_says_why(do_first, sentence, pairs):
    number = {"play": 1, "gap": 2, "none": 3}[do_first]
    if do_first == "play":
        for hand in (3, 4):
            cast.record(cast.table(pairs, 1, 1), hand)
    if do_first == "gap":
        cast.record(cast.table(pairs, 1, 2), 2)
    with pytest.raises(Refused, match=sentence):
        close_table(tournament=pairs, round_number=1, number=number, reason="x", by=pairs.owner)


def test_a_table_that_is_open_is_not_opened(pairs):
    with pytest.raises(Conflict, match="Table 2 is not closed"):
        open_table_again(tournament=pairs, round_number=1, number=2, by=pairs.owner)


# Tables that have not started, seated anew.


def redraw(tournament, reason="Two came late"):
    return reseat_not_started(tournament=tournament, reason=reason, by=tournament.owner)


def test_only_tables_without_a_hand_are_drawn_anew(challenge):
    started = cast.table(challenge, 1, 1)
    cast.record(started, 1)
    before, kept = [sitting(cast.table(challenge, 1, number)) for number in (2, 3)], sitting(started)
    redraw(challenge)
    after = [sitting(cast.table(challenge, 1, number)) for number in (2, 3)]
    assert sitting(started) == kept
    assert after != before
    assert sorted(chain(*after)) == sorted(chain(*before))
    row = LogEntry.objects.get(action="redraw-tables")
    assert in_words(row) == "Round 1: tables 2, 3 seated anew"


def test_the_preview_shows_the_draw_that_comes(olga, challenge):
    cast.record(cast.table(challenge, 1, 1), 1)
    preview = said(do(olga, challenge, "redraw", reason="Two came late"))
    will = re.findall(r"1 ([\w ]+?) (?:Table \d+) Table (\d+)", preview.partition("Who sits elsewhere")[2])
    assert will
    for name, number in will:
        assert Seat.objects.get(round__tournament=challenge, entry__player__name=name).table.number == int(number)


def test_each_redraw_is_another_draw_from_the_same_seed(challenge):
    seen = []
    for _ in range(3):
        redraw(challenge)
        seen.append([sitting(table) for table in challenge.rounds.get().tables.order_by("number")])
    assert seen[0] != seen[1] != seen[2]
    seeds = [row.new["seed"] for row in LogEntry.objects.filter(action="redraw-tables").order_by("number")]
    assert seeds == ["cast/again 1", "cast/again 2", "cast/again 3"]


def test_who_has_no_seat_joins_and_a_table_is_added_where_they_do_not_fit(challenge):
    cast.record(cast.table(challenge, 1, 1), 1)
    Seat.objects.filter(table__in=challenge.rounds.get().tables.filter(number=3)).delete()
    assert len(fresh_tables(challenge).players) == 8
    redraw(challenge)
    sizes = [table.seats.count() for table in challenge.rounds.get().tables.order_by("number")]
    assert sizes == [4, 4, 4]
    seats = Seat.objects.filter(round__tournament=challenge)
    assert seats.values("entry").distinct().count() == seats.count() == 12


def test_a_table_that_is_not_needed_any_more_is_void_and_says_so(olga, challenge):
    cast.record(cast.table(challenge, 1, 1), 1)
    gone = list(Seat.objects.filter(table=cast.table(challenge, 1, 3)).values_list("entry", flat=True))
    for entry in challenge.entries.filter(pk__in=gone):
        entry.events.create(kind="drop", round=challenge.rounds.get(), by=challenge.owner)
    redraw(challenge)
    unused = challenge.rounds.get().tables.get(number=3)
    assert unused.state == Table.State.VOID
    assert cast.table(challenge, 1, 2).seats.count() == 4
    page = olga.get(f"/tables/{unused.pk}/")
    assert page.status_code == 409
    assert "Table 3 is not used any more" in said(page)


def test_with_every_table_started_there_is_nothing_to_draw(challenge):
    for number in (1, 2, 3):
        cast.record(cast.table(challenge, 1, number), 1)
    with pytest.raises(Refused, match="Every table of round 1 has started"):
        redraw(challenge)


def test_pairs_are_not_drawn_anew(pairs):
    with pytest.raises(Refused, match="Swap two seats instead"):
        redraw(pairs)
