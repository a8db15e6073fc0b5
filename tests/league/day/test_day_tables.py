"""The day, for tables: seats swapped, tables moved, closed, opened again and drawn again.

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
from league.rounds.clock import start_clock
from league.rounds.reseat import fresh_tables, reseat_not_started
from league.rounds.steps import advance, start
from league.rounds.tables import close_table, move_table, open_table_again, swap_seats
from league.rounds.time_left import clock_of
from league.standings import read as ledger
from tests import cast
from tests.games.pages import said
from tests.league.day.sheets import entry_of, preview, sheet_of, sheet_of_table, tap

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


def test_a_swap_from_the_table_shows_who_partners_whom_and_from_which_hand_on(olga, pairs):
    first, second = cast.table(pairs, 1, 1), cast.table(pairs, 1, 2)
    here, there = sitting(first), sitting(second)
    picks = olga.get(f"{sheet_of_table(pairs, 1, 1)}?do=swap").context["step"].draft.picks
    assert [pick.name for pick in picks] == here
    one, other = entry_of(pairs, here[0]), entry_of(pairs, there[0])
    assert picks[0].url == f"{sheet_of(one)}?do=swap&round=1"
    step = olga.get(f"{picks[0].url}&other={other.public_id}").context["step"]
    assert list(step.outcome.sentences) == [
        f"Table 1 from hand 3 on: {there[0]} and {here[2]} against {here[1]} and {here[3]}.",
        f"Table 2 from hand 1 on: {here[0]} and {there[2]} against {there[1]} and {there[3]}.",
        "Recorded hands don’t change.",
    ]
    tap(olga, one, "swap", round=1, other=other.public_id, reason="Seated by mistake")
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


def test_partners_change_within_a_table_too(pairs):
    table = cast.table(pairs, 1, 2)
    here = sitting(table)
    swap(pairs, here[0], here[1])
    assert sitting(table) == [here[1], here[0], *here[2:]]


def test_a_hand_that_was_played_in_other_seats_is_corrected_and_not_taken_back(pairs):
    table = cast.table(pairs, 1, 1)
    swap(pairs, sitting(table)[0], sitting(cast.table(pairs, 1, 2))[0])
    hand = Hand.objects.get(table=table, number=2)
    with pytest.raises(Conflict, match="Seats changed after this hand"):
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
    with pytest.raises(Refused, match="Table 1 is finished"):
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
    with pytest.raises(Refused, match="no longer plays"):
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


def test_what_changed_since_the_preview_is_shown_once_more(olga, pairs):
    first, second = sitting(cast.table(pairs, 1, 1)), sitting(cast.table(pairs, 1, 2))
    one, other = entry_of(pairs, first[0]), entry_of(pairs, second[0])
    sent = preview(olga, one, "swap", other=other.public_id)
    swap(pairs, first[0], second[1])
    answer = olga.post(f"{sheet_of(one)}?do=swap", sent)
    assert answer.status_code == 409
    assert "Something has changed since." in said(answer)
    assert LogEntry.objects.filter(action="swap-seats").count() == 1


def test_a_seat_that_cannot_be_swapped_any_more_is_said_on_the_sheet(olga, pairs):
    one, other = (entry_of(pairs, name) for name in sitting(cast.table(pairs, 1, 1))[:2])
    sent = preview(olga, one, "swap", other=other.public_id)
    for number in (1, 2):
        close_table(tournament=pairs, round_number=1, number=number, reason="Late", by=pairs.owner)
    answer = olga.post(f"{sheet_of(one)}?do=swap", sent)
    assert answer.status_code in (200, 409, 422)
    assert not LogEntry.objects.filter(action="swap-seats").exists()


# A table moved, closed, opened again.


def test_a_moved_table_changes_numbers_with_the_one_that_has_it(olga, pairs):
    first, second = cast.table(pairs, 1, 1), cast.table(pairs, 1, 2)
    tap(olga, sheet_of_table(pairs, 1, 1), "number", to=2, reason="The lamp is broken")
    first.refresh_from_db(), second.refresh_from_db()
    assert (first.number, second.number) == (2, 1)
    assert in_words(LogEntry.objects.get(action="move-table")) == "Round 1, table 2: was table 1"
    assert olga.post(f"/t/{pairs.slug}/r/1/tables/2/number/1/").status_code == 302
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
    [(1, 1, "already has this number"), (1, 0, "1 to 999"), (1, 1000, "1 to 999"), (9, 3, "no such table")],
)
def test_numbers_that_make_no_sense_are_refused(number, to, sentence, pairs):
    with pytest.raises(Refused, match=sentence):
        move_table(tournament=pairs, round_number=1, number=number, to=to, reason="x", by=pairs.owner)


def test_a_closed_table_keeps_its_hands_takes_no_more_and_can_be_opened_again(olga, pairs):
    table = cast.table(pairs, 1, 1)
    sheet = sheet_of_table(pairs, 1, 1)
    assert "2 hands count." in said(olga.get(f"{sheet}?do=close"))
    tap(olga, sheet, "close", reason="They had to leave")
    with pytest.raises(Refused, match="Table 1 was closed before hand 3"):
        cast.record(table, 3)
    table.refresh_from_db()
    assert table.state == Table.State.CONFIRMED
    assert in_words(LogEntry.objects.get(action="close-table")) == "Round 1, table 1: closed after 2 hands"
    tap(olga, sheet, "open")
    cast.record(table, 3)


def test_a_round_can_be_closed_without_waiting_for_a_closed_table(pairs):
    close_table(tournament=pairs, round_number=1, number=2, reason="Nobody came", by=pairs.owner)
    for hand in (3, 4):
        cast.record(cast.table(pairs, 1, 1), hand)
    advance(tournament=pairs, token="close-1", by=pairs.owner)
    assert pairs.rounds.get(number=1).state == Round.State.CLOSED


@pytest.mark.parametrize(
    ("do_first", "sentence"),
    [("play", "Table 1 is finished"), ("gap", "Enter hand 1 first"), ("none", "no such table")],
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
    assert in_words(row) == "Round 1: tables 2, 3 drawn again"


def test_the_preview_shows_the_draw_that_comes(olga, challenge):
    cast.record(cast.table(challenge, 1, 1), 1)
    preview = said(do(olga, challenge, "redraw", reason="Two came late"))
    will = re.findall(r"1 ([\w ]+?) (?:Table \d+) Table (\d+)", preview.partition("Changed seats")[2])
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
    assert "Table 3 is no longer used" in said(page)


def test_with_every_table_started_there_is_nothing_to_draw(challenge):
    for number in (1, 2, 3):
        cast.record(cast.table(challenge, 1, number), 1)
    with pytest.raises(Refused, match="Every table of round 1 has started"):
        redraw(challenge)


def test_pairs_are_not_drawn_anew(pairs):
    with pytest.raises(Refused, match="Swap two seats instead"):
        redraw(pairs)


# The sheet of a table.


def test_the_sheet_of_a_table_says_who_sits_there_how_many_hands_are_in_and_what_can_be_done(olga, pairs):
    page = said(olga.get(sheet_of_table(pairs, 1, 1)))
    one, two, three, four = sitting(cast.table(pairs, 1, 1))
    assert f"{one} and {three} against {two} and {four}" in page
    assert "Enter or correct scores 2 of 4 recorded" in page
    assert "Close the table" in page and "Reopen the table" not in page and "Extra time" not in page
    assert f"/t/{pairs.slug}/log/?table=1.1" in olga.get(sheet_of_table(pairs, 1, 1)).content.decode()


def test_a_closed_table_is_opened_again_from_the_message(olga, pairs):
    done = tap(olga, sheet_of_table(pairs, 1, 2), "close")
    page = olga.get(done["Location"])
    assert "Reopen the table" in said(page)
    undo = f"/t/{pairs.slug}/r/1/tables/2/open/"
    assert undo in page.content.decode()
    assert olga.post(undo).status_code == 302
    assert "Close the table" in said(olga.get(sheet_of_table(pairs, 1, 2)))


def test_a_table_has_minutes_of_its_own_once_the_clock_runs(olga, pairs):
    played = pairs.rounds.get(number=1)
    start_clock(tournament=pairs, minutes=40, shown=clock_of(played).shown, by=pairs.owner)
    sheet = sheet_of_table(pairs, 1, 2)
    assert "Extra time None so far" in said(olga.get(sheet))
    tap(olga, sheet, "time", minutes=7)
    assert cast.table(pairs, 1, 2).extra_minutes == 7
    assert "Extra time 7 minutes more" in said(olga.get(sheet))


def test_a_number_that_is_no_table_has_no_sheet(olga, pairs):
    for at in ("r/1/tables/9", "r/9/tables/1"):
        assert olga.get(f"/t/{pairs.slug}/{at}/sheet/").status_code == 404


def test_a_refused_number_keeps_what_was_typed(olga, pairs):
    sheet = sheet_of_table(pairs, 1, 1)
    answer = olga.post(f"{sheet}?do=number", {"do": "number", "to": "1", "reason": "A slip of paper"})
    assert answer.status_code == 422
    assert "already has this number" in said(answer)
    assert 'value="A slip of paper"' in answer.content.decode()
