"""An evening of a points race: from the list of players to the final, with games to a target and what goes wrong."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.paper import SeatReport
from engine.rules import EDITIONS
from games.hands.correct import correct_hand, void_hand
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.service.bots_play import fill_table
from games.service.bots_play import play as bots_play
from league.access import signed_links
from league.access.viewer import Attribution
from league.day.entrants import come_back, drop_out, enter_late
from league.day.undo import undo_event
from league.day.wishes import keep_apart, set_fixed_table
from league.ledger.progress import COMPLETE, ENDED, PLAYING, dealt_in, table_now
from league.lib.errors import Conflict, Refused
from league.models import Deadline, Entry, HandScore, Round, Seat, Table, Tournament
from league.prints import documents
from league.public import snapshots
from league.public.tables import EXPORTS, Wanted
from league.rounds.adjustments import adjust, void_adjustment
from league.rounds.draw import draw_rounds
from league.rounds.redraw import seating_of
from league.rounds.reseat import reseat_not_started
from league.rounds.steps import advance, next_step, start
from league.rounds.tables import close_table, open_table_again, swap_seats
from league.rounds.undo import round_to_undo, take_back_round
from league.setup.amend import amend_rules
from league.standings import read as ledger
from tests import cast, pdf_text
from tests.api import Program
from tests.games import phones
from tests.games.pages import said
from tests.test_stories import CREATE, press

pytestmark = pytest.mark.django_db

PAGES = ("tournament", "seating", "race", "standings", "bracket", "hands", "players", "fairness")
ORGANISERS = ("rounds", "prints", "hall_screen", "settings", "manage", "day_late", "log")
WRONG = re.compile(
    r"individual pairs|challenge uno|(?<!the player or the )partner|\bpair\b|none hands|of none\b|lowest total first",
    re.IGNORECASE,
)


def club(players=8, **settings):
    """A points race whose first round is published."""
    made = cast.tournament(players, **({"format": "points", "name": "Club evening"} | settings))
    start(tournament=made, by=made.owner)
    return made


def by(made):
    return {"tournament": made, "by": made.owner}


def close(made, **more):
    advance(tournament=made, token=next_step(made).token, by=made.owner, **more)


def play_round(made):
    """Every table of the open round, to its end, by seat 0 going out."""
    played = made.rounds.filter(closed_at=None).earliest("number")
    for table in played.tables.select_related("round__stage").order_by("number"):
        hand = 1
        while table_now(table).state == PLAYING:
            first, *others = [seat.number for seat in dealt_in(table, hand)]
            reports = [report(seat, 10 * at) for at, seat in enumerate(others, 1)]
            record_hand(table_id=table.pk, hand=HandInput(hand, first, reports), by=Attribution(made.owner))
            hand += 1
    return played


def report(seat, points):
    return SeatReport(seat, points_left=points)


def totals(made, as_of_round=None):
    return {line.entrant.name: line.total for line in ledger.read(made).standings(as_of_round)}


@pytest.fixture
def olga():
    client = Client()
    client.force_login(cast.organiser())
    return client


@pytest.fixture
def table():
    """One table of four, games to 100."""
    return cast.table(club(4, target=100, rounds=2), 1, 1)


# The evening


def test_two_clicks_make_a_club_evening_and_it_is_run_to_its_final_standings(olga):
    typed = CREATE | {"format": "points", "name": "", "players": "\n".join(cast.CAST)}
    assert olga.post("/new/", typed).status_code == 302
    made = Tournament.objects.get()
    assert made.name == "Points race, 24 November"
    stage = made.stages.get()
    assert stage.settings == {"hands_per_round": 4, "target": None, "rounds": 3, "table_size": 4}
    assert [press(olga, made) for _step in range(2)] == ["draw", "publish-1"]
    for number in (1, 2, 3):
        assert Table.objects.filter(round__in=made.rounds.living(), round__number=number).count() == 2
        play_round(made)
        page = said(olga.get(f"/t/{made.slug}/"))
        assert f"Round {number} is complete" in page
        assert ("publish round" in page) == (number < 3)
        assert press(olga, made) == f"close-{number}"
    assert press(olga, made) == "finish"
    assert sum(totals(made).values()) == 2 * 3 * 4 * 60
    assert "Points race, 8 players, 3 rounds of 4 hands" in said(olga.get(f"/t/{made.slug}/standings/"))


def test_every_page_and_print_is_right_before_in_the_middle_of_a_game_and_at_the_end(olga):
    made = cast.tournament(5, format="points", name="Club evening", rounds=2, table_size=3, target=60)

    def walk(prints):
        for client, names in ((Client(), PAGES), (olga, PAGES + ORGANISERS)):
            for name in names:
                page = client.get(reverse(name, args=[made.slug]))
                assert page.status_code == 200, name
                main = re.sub("<[^>]+>", " ", page.content.decode().partition("<main")[2].partition("</main>")[0])
                assert name in ("settings", "manage", "log") or not WRONG.search(main), (
                    name,
                    WRONG.search(main),
                )
        entry = made.entries.first()
        assert not WRONG.search(said(Client().get(reverse("scorecard", args=[made.slug, entry.public_id]))))
        assert Client().get(reverse("screen", args=[signed_links.screen_token(made)])).status_code == 200
        for key in documents.KINDS if prints else ():
            printed = olga.get(reverse(f"print_{key}", args=[made.slug]))
            if printed.status_code == 200:
                assert not WRONG.search(pdf_text.text(printed.content)), key

    press(olga, made)
    walk(prints=False)
    press(olga, made)
    first = made.rounds.get(number=1).tables.earliest("number")
    cast.record(first, 1, 0, (0, 10, 20, 0, 0))
    walk(prints=True)
    bots_play(made, seed=1, by=made.owner, tell=lambda line: None)
    press(olga, made)
    press(olga, made)
    made.refresh_from_db()
    assert next_step(made).kind == "done"
    walk(prints=False)


def test_at_one_table_the_rounds_are_games_in_a_row_and_totals_are_summed():
    made = club(3, target=50, rounds=2)
    for _game in range(2):
        play_round(made)
        close(made)
    assert next_step(made).kind == "finish"
    lines = ledger.read(made).standings()
    assert [line.rounds_played for line in lines] == [2, 2, 2]
    assert sum(line.total for line in lines) == 2 * 60  # two hands of 30 a game


def test_with_the_lowest_total_one_wins_and_a_penalty_adds_points(olga):
    made = club(4, hands_per_round=1, rounds=1, scoring="lowest-total")
    played = play_round(made)
    lines = ledger.read(made).standings()
    assert [(line.rank, line.total) for line in lines] == [(1, 0), (2, 10), (3, 20), (4, 30)]
    assert "Ranked by fewest points" in said(olga.get(f"/t/{made.slug}/standings/"))
    winner = lines[0].entrant
    assert "A penalty adds points" in said(olga.get(f"/t/{made.slug}/people/{winner.id}/?do=adjust"))
    adjust(**by(made), entry=Entry.objects.get(public_id=winner.id), points=15, reason="x", round_number=1)
    assert [line.total for line in ledger.read(made).standings()] == [10, 15, 20, 30]
    assert f"{winner.name} went out" in said(olga.get(played.tables.get().get_absolute_url()))


def test_who_comes_late_has_the_highest_total_where_the_lowest_wins(olga):
    made = club(4, hands_per_round=1, rounds=2, scoring="lowest-total")
    play_round(made)
    last = ledger.read(made).standings()[-1]
    drop_out(**by(made), entry=Entry.objects.get(public_id=last.entrant.id))
    assert 'name="total" value="20"' in olga.get(f"/t/{made.slug}/day/late/").content.decode()
    enter_late(**by(made), name="Yuki")
    enter_late(**by(made), name="Olu", total=0)
    assert (totals(made)["Yuki"], totals(made)["Olu"]) == (20, 0)


def test_standings_are_as_of_a_round_and_frozen_when_it_is_closed():
    made = club(4, hands_per_round=1, rounds=2)
    play_round(made)
    close(made)
    before = totals(made)
    frozen = snapshots.freeze(made.rounds.get(number=1))
    assert [row["total"] for row in snapshots.rows_of(frozen)] == list(before.values())
    play_round(made)
    assert totals(made, 1) == before != totals(made)
    rows = list(EXPORTS["rounds"].rows(made, Wanted()))
    assert len(rows) == 8
    assert sum(row["total"] for row in rows) == sum(totals(made).values())


# Games to a target


def test_a_game_is_over_with_the_hand_that_reaches_the_target_and_takes_no_other(table, olga):
    cast.record(table, 1, 0, (0, 10, 20, 30))
    page = said(olga.get(table.get_absolute_url()))
    assert "This game Ends at 100" in page
    assert "60, 40 to go" in olga.get(table.get_absolute_url()).content.decode()
    with pytest.raises(Refused, match="Enter hand 2 first"):
        cast.record(table, 3, 0)
    cast.record(table, 2, 0, (0, 0, 20, 20))
    assert table_now(table).state == COMPLETE
    who = table.seats.get(number=0).entry.player.name
    with pytest.raises(Conflict, match=rf"Game over: {who} reached 100 in hand 2\.") as over:
        cast.record(table, 3, 0)
    assert over.value.code == "over"
    assert f"Game over: {who} reached 100 in hand 2." in said(olga.get(table.get_absolute_url()))
    table.refresh_from_db()
    assert table.state == Table.State.CONFIRMED
    assert next_step(table.round.tournament).missing == ()


def test_a_correction_that_takes_the_target_back_lets_the_game_go_on(table, olga):
    made = table.round.tournament
    hand = cast.record(table, 1, 0, (0, 40, 40, 40)).hand
    assert table_now(table).state == COMPLETE
    as_typed = {"went_out": "0", "points_1": "10", "points_2": "10", "points_3": "10"}
    page = olga.get(f"/hands/{hand.pk}/correct/")
    version = re.search(r'name="version" value="(\d+)"', page.content.decode())[1]
    done = olga.post(f"/hands/{hand.pk}/correct/", as_typed | {"version": version, "reason": "Counted wrong"})
    assert done.status_code == 303
    now = table_now(table)
    assert (now.state, now.played) == (PLAYING, 1)
    table.refresh_from_db()
    assert table.state == Table.State.PLAYING
    cast.record(table, 2, 0, (0, 30, 30, 30))
    assert sorted(totals(made).values()) == [0, 0, 0, 120]


def test_a_correction_that_reaches_it_earlier_keeps_the_later_hands_and_counts_them_for_nobody(table, olga):
    made = table.round.tournament
    first = cast.record(table, 1, 0, (0, 10, 10, 10)).hand
    cast.record(table, 2, 1, (30, 0, 30, 30))
    reports = [report(seat, 40) for seat in (1, 2, 3)]
    correct_hand(
        hand_id=first.pk, version=None, hand=HandInput(first.number, 0, reports), reason="x", by=Attribution(made.owner)
    )
    assert sorted(totals(made).values()) == [0, 0, 0, 120]
    assert table_now(table).state == COMPLETE
    assert HandScore.objects.living().filter(table=table).values("hand").distinct().count() == 2
    assert "doesn’t count" in said(olga.get(f"/t/{made.slug}/hands/"))
    assert "It counts for no one" in said(olga.get(table.get_absolute_url()))
    player = table.seats.get(number=1).entry
    assert "count: played after" in said(olga.get(reverse("scorecard", args=[made.slug, player.public_id])))
    line = next(one for one in ledger.read(made).standings() if one.entrant.id == player.public_id)
    assert (line.hands_played, line.hands_won, line.total) == (1, 0, 0)


def test_only_the_last_hand_of_a_game_is_taken_back(table):
    first = cast.record(table, 1, 0, (0, 10, 10, 10)).hand
    last = cast.record(table, 2, 0, (0, 30, 30, 30)).hand
    taking = {"version": None, "reason": "x", "by": Attribution(table.round.tournament.owner)}
    with pytest.raises(Conflict, match="Undo the last one first"):
        void_hand(hand_id=first.pk, **taking)
    void_hand(hand_id=last.pk, **taking)
    assert table_now(table).state == PLAYING


def test_where_a_round_is_so_many_hands_they_come_in_any_order():
    table = cast.table(club(4, hands_per_round=2), 1, 1)
    cast.record(table, 2, 0)
    cast.record(table, 1, 0)
    assert table_now(table).state == COMPLETE


def test_a_blocked_hand_scores_nothing_for_the_winner_of_all_and_everything_for_the_lowest_total():
    for scoring, state in (("winner-takes", PLAYING), ("lowest-total", COMPLETE)):
        table = cast.table(club(2, target=20, scoring=scoring, name=scoring), 1, 1)
        deck = list(EDITIONS["classic"].deck)[1:]
        held = [SeatReport(0, tuple(deck[:90])), SeatReport(1, tuple(deck[90:]))]
        record_hand(table_id=table.pk, hand=HandInput(1, None, held), by=Attribution(cast.organiser()))
        assert table_now(table).state == state


def test_in_a_game_of_lowest_totals_whoever_reaches_the_target_ends_it_and_several_are_named(olga):
    table = cast.table(club(4, target=40, scoring="lowest-total"), 1, 1)
    cast.record(table, 1, 0, (0, 45, 50, 10))
    people = [table.seats.get(number=seat).entry.player.name for seat in (1, 2)]
    page = said(olga.get(table.get_absolute_url()))
    assert f"{people[0]} and {people[1]} reached 40 in hand 1" in page


def test_penalties_are_no_part_of_a_game(table):
    made = table.round.tournament
    entry = table.seats.get(number=2).entry
    adjust(**by(made), entry=entry, points=500, reason="x", round_number=1)
    assert table_now(table).state == PLAYING
    assert totals(made)[entry.player.name] == 500


def test_a_closed_table_stops_a_game_where_it_is_and_can_be_opened_again(table):
    made = table.round.tournament
    cast.record(table, 1, 0, (0, 10, 10, 10))
    where = {**by(made), "round_number": 1, "number": 1}
    close_table(**where, reason="The hall closes")
    assert table_now(Table.objects.get(pk=table.pk)).state == COMPLETE
    open_table_again(**where)
    assert table_now(Table.objects.get(pk=table.pk)).state == PLAYING


# Who plays


def test_the_table_of_who_drops_plays_on_and_they_are_not_drawn_any_more(olga):
    made = club(5, hands_per_round=2, rounds=3)
    table = cast.table(made, 1, 1)
    leaving = table.seats.get(number=1).entry
    drop_out(**by(made), entry=leaving)
    assert [seat.number for seat in dealt_in(table, 1)] == [0, 2, 3, 4]
    assert not Entry.objects.filter(tournament=made, status=Entry.Status.STANDIN).exists()
    play_round(made)
    close(made)
    assert not Seat.objects.filter(round__number=2, entry=leaving).exists()
    last = ledger.read(made).standings()[-1]
    assert (last.entrant.name, last.entrant.status) == (leaving.player.name, "dropped")
    come_back(**by(made), entry=leaving)
    play_round(made)
    close(made)
    assert Seat.objects.filter(round__number=3, entry=leaving).exists()


def test_a_table_with_one_player_left_has_ended_and_with_one_in_the_event_so_has_that():
    made = club(4, hands_per_round=2, table_size=2, rounds=3)
    [one, other] = cast.table(made, 1, 1).seats.order_by("number")
    event = drop_out(**by(made), entry=one.entry)
    assert table_now(cast.table(made, 1, 1)).state == ENDED
    with pytest.raises(Conflict, match="Fewer than two players are left at this table"):
        cast.record(cast.table(made, 1, 1), 1, other.number, (0, 10))
    undo_event(**by(made), event=event)
    assert table_now(cast.table(made, 1, 1)).state == PLAYING
    for seat in (one, *cast.table(made, 1, 2).seats.all()):
        drop_out(**by(made), entry=seat.entry)
    close(made)
    assert next_step(made).kind == "finish"


def test_a_late_entry_sits_from_the_next_round_with_the_stated_points_or_none(olga):
    made = club(4, hands_per_round=1, rounds=2)
    enter_late(**by(made), name="Hana", total=25)
    late = enter_late(**by(made), name="Ivo")
    assert (totals(made)["Hana"], totals(made)["Ivo"]) == (25, 0)
    play_round(made)
    close(made)
    assert Seat.objects.filter(round__number=2).count() == 6
    with pytest.raises(Conflict, match="let them leave instead"):
        play_round(made)
        undo_event(**by(made), event=late)
    close(made)
    with pytest.raises(Refused, match="All rounds have been played"):
        enter_late(**by(made), name="Too late")


def test_tables_that_have_not_started_are_seated_anew_with_who_came(olga):
    made = club(4, hands_per_round=1, rounds=1)
    for name in ("Hana", "Ivo"):
        enter_late(**by(made), name=name)
    reseat_not_started(**by(made), reason="Two came")
    tables = Table.objects.filter(round__tournament=made).exclude(state=Table.State.VOID)
    assert [table.seats.count() for table in tables] == [3, 3]


def test_fixed_tables_and_who_must_not_meet_are_kept_in_rounds_to_come():
    made = club(8, hands_per_round=1, rounds=2)
    ana, chidi = cast.entry(made, "Ana Lucía"), cast.entry(made, "Chidi")
    set_fixed_table(**by(made), entry=ana, number=2)
    keep_apart(**by(made), entry=ana, other=chidi)
    play_round(made)
    close(made)
    at = dict(Seat.objects.filter(round__number=2).values_list("entry", "table__number"))
    assert (at[ana.pk], at[chidi.pk]) == (2, 1)
    with pytest.raises(Refused):
        set_fixed_table(**by(made), entry=chidi, number=3)


def test_an_undone_round_is_drawn_from_where_the_event_stands():
    made = club(4, hands_per_round=1, rounds=2)
    play_round(made)
    close(made)
    drop_out(**by(made), entry=cast.entry(made, "Chidi"))
    played = round_to_undo(made, 2)
    draft = take_back_round(tournament=made, played=played, hands=0, reason="x", by=made.owner)
    assert (draft.number, draft.seats.count()) == (2, 3)
    assert next_step(made).token == "publish-2"


# Rules that change


def test_a_target_and_rounds_that_change_after_the_start_hold_for_rounds_to_come(table, olga):
    made = table.round.tournament
    page = olga.get(f"/t/{made.slug}/settings/")
    assert "Cards and scoring are fixed." in said(page)
    amend = {"hands_per_round": None, "target": 50, "rounds": 3, "reason": "We have to leave by eleven"}
    assert set(amend_rules(**by(made), **amend)) == {"target", "rounds"}
    cast.record(table, 1, 0, (0, 20, 20, 20))
    assert table_now(table).state == PLAYING  # this game was begun to 100
    cast.record(table, 2, 0, (0, 20, 20, 20))
    close(made)
    cast.record(cast.table(made, 2, 1), 1, 0, (0, 20, 20, 20))
    assert table_now(cast.table(made, 2, 1)).state == COMPLETE
    close(made)
    assert next_step(made).token == "close-3"
    with pytest.raises(Refused, match="Rounds already published: 3"):
        amend_rules(**by(made), hands_per_round=None, target=50, rounds=2, reason="x")
    assert sum(totals(made).values()) == 180
    assert "target 50 instead of 100" in said(olga.get(f"/t/{made.slug}/standings/"))


def test_a_round_in_draft_stays_as_it_was_seated_while_nobody_comes_or_leaves():
    made = club(8, hands_per_round=1, rounds=3)
    draw_rounds(made, made.stages.get(), made.owner)
    [drawn] = made.rounds.filter(state=Round.State.DRAFT)
    one, other = (cast.table(made, 2, number).seats.get(number=0).entry for number in (1, 2))
    swap_seats(**by(made), round_number=2, one=one, other=other, reason="x")
    swapped = seating_of([drawn])
    due = timezone.now() + timedelta(hours=1)
    time = Deadline.objects.create(tournament=made, round=drawn, kind=Deadline.Kind.PUBLISH, due_at=due)
    amend_rules(**by(made), hands_per_round=1, tie_breaks=["hands-won"], reason="x")
    given = adjust(**by(made), entry=one, points=-5, reason="x", round_number=1)
    void_adjustment(**by(made), adjustment_id=given.pk)
    assert seating_of([drawn]) == swapped
    time.refresh_from_db()
    assert (time.state, time.round) == (Deadline.State.PENDING, drawn)
    drop_out(**by(made), entry=other)
    assert seating_of([drawn]) != swapped


def test_games_may_become_hands_for_rounds_to_come(table):
    made = table.round.tournament
    amend_rules(**by(made), hands_per_round=2, target=None, reason="x")
    cast.record(table, 1, 0, (0, 40, 40, 40))
    assert table_now(table).state == COMPLETE
    close(made)
    second = cast.table(made, 2, 1)
    assert second.hands_wanted == 2
    cast.record(second, 1, 0, (0, 40, 40, 40))
    assert table_now(second).state == PLAYING


def test_the_form_of_the_settings_takes_hands_or_a_target(olga):
    made = cast.tournament(4, format="points", target=100)
    typed = {"form": "rules", "edition": "classic", "rounds": "2", "table_size": "4", "scoring": "lowest-total"}
    olga.post(f"/t/{made.slug}/settings/", typed | {"until": "hands", "hands_per_round": "3", "target": "nonsense"})
    stage = made.stages.get()
    assert (stage.settings["hands_per_round"], stage.settings["target"], stage.scoring) == (3, None, "lowest-total")
    olga.post(f"/t/{made.slug}/settings/", typed | {"until": "target", "hands_per_round": "", "target": "150"})
    stage.refresh_from_db()
    assert (stage.hands_per_round, stage.settings["target"], stage.settings["rounds"]) == (None, 150, 2)
    wrong = olga.post(f"/t/{made.slug}/settings/", typed | {"until": "target", "target": "20000"})
    assert "Points of a game: choose 1 to 10000, not 20000." in said(wrong)


# Phones, programs, online


def test_my_table_says_how_many_points_are_needed_and_a_side_of_its_own_confirms(table):
    made = table.round.tournament
    phone, other = phones.at(table, 0), phones.at(table, 1)
    phones.report(phone, table, {"went_out": "0", "points_1": "20", "points_2": "20", "points_3": "23"})
    assert "You need 37 points to reach 100." in said(phone.get(f"/t/{made.slug}/me/"))
    assert "Next: hand 2." in said(phone.get(f"/t/{made.slug}/me/"))
    phones.report(phone, table, {"went_out": "0", "points_1": "20", "points_2": "20", "points_3": "23"})
    table.refresh_from_db()
    assert table.state == Table.State.REPORTED
    assert "Then round 2" in said(phone.get(f"/t/{made.slug}/me/"))
    assert other.post(f"/tables/{table.pk}/agree/", {"version": table.version}).status_code in (302, 303)
    table.refresh_from_db()
    assert table.state == Table.State.CONFIRMED


def test_a_phone_without_a_network_knows_when_the_game_is_over(table, olga):
    cast.record(table, 1, 0, (0, 10, 20, 30))
    page = olga.get(table.get_absolute_url())
    facts = json.loads(page.context["facts"])
    assert (facts["target"], facts["game"], facts["totals"]) == (100, "winner-takes", {"0": 60, "1": 0, "2": 0, "3": 0})
    assert facts["empty"][:3] == [2, 3, 4]


def test_the_preview_says_what_the_hand_does_to_the_game(table, olga):
    typed = {"hand": "1", "went_out": "0", "points_1": "40", "points_2": "40", "points_3": "40"}
    seen = said(olga.post(f"/tables/{table.pk}/preview/", typed))
    assert "total 120, the game is over" in seen
    assert "This hand ends the game" in seen
    exactly = olga.post(f"/tables/{table.pk}/preview/", typed | {"points_3": "20"})
    assert "total 100, the game is over" in said(exactly)


def test_a_program_makes_one_and_is_told_what_was_made():
    program = Program(cast.organiser())
    body = {"name": "Club", "format": "points", "players": [{"name": name} for name in cast.CAST], "rounds": 2}
    made = program.post("/api/v1/tournaments/", body | {"target": 200, "scoring": "lowest-total"}, status=201)
    expected = {"rounds": 2, "hands": None, "target": 200, "scoring": "lowest-total", "table_size": 4}
    assert expected.items() <= made.items()
    hands = program.post("/api/v1/tournaments/", body | {"table_size": 2, "hands": 3}, status=201)
    assert {
        "rounds": 2,
        "hands": 3,
        "target": None,
        "scoring": "winner-takes",
        "table_size": 2,
    }.items() <= hands.items()


def test_online_tables_play_a_game_to_its_target():
    made = club(3, target=30, rounds=1, online="all")
    table = cast.table(made, 1, 1)
    assert Client().get(reverse("play", args=[table.pk])).status_code == 200
    assert fill_table(table, 4, made.owner) >= 1
    page = said(Client().get(reverse("play", args=[table.pk])))
    assert re.search(r"Game over: .+ reached 30 in hand \d+\.", page)
    assert table_now(table).state == COMPLETE
    assert set(HandScore.objects.filter(table=table).values_list("source", flat=True)) == {"engine"}
    assert max(totals(made).values()) >= 30


def test_an_evening_is_copied_with_its_settings(olga):
    made = club(4, target=100, scoring="lowest-total", rounds=2)
    olga.post(f"/t/{made.slug}/again/")
    copy = Tournament.objects.exclude(pk=made.pk).get().stages.get()
    assert (copy.settings, copy.scoring) == (made.stages.get().settings, "lowest-total")
    assert Round.objects.filter(tournament=copy.tournament).count() == 0
