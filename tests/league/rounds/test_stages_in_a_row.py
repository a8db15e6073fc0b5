"""Three stages and more, what happens between them, and what nobody may see before it is published."""

import pytest
from django.test import Client

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.hands.repairs import KEEP, repair_hand, undo_round
from games.models import Hand
from league.access.viewer import Attribution
from league.day.entrants import come_back, drop_out, enter_late
from league.day.undo import undo_event
from league.ledger.progress import PLAYING, dealt_in, hands_in, tables_now
from league.lib.errors import Conflict, Refused
from league.log.audit import verify
from league.models import Adjustment, Entry, Round, Seat, Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.adjustments import adjust
from league.rounds.cut import cut_now, is_as_made
from league.rounds.reseat import reseat_not_started
from league.rounds.steps import advance, close_tournament, end_early, next_step
from league.rounds.tables import swap_seats
from league.setup.amend import amend_rules
from league.setup.stages.stage_plan import PlannedStage, set_stages, to_come
from league.standings import read as ledger
from league.standings.read_many import read_many
from tests import cast, pdf_text
from tests.league.rounds.test_cut import made, play_to, press

pytestmark = pytest.mark.django_db

SHORT = {"rounds": 1, "hands_per_round": 1}


def points(takes: int | None = None, **more: object) -> PlannedStage:
    return PlannedStage("points", takes, **{"settings": SHORT} | more)


def members(tournament: Tournament, number: int) -> set[str]:
    return set(tournament.stages.get(number=number).members.values_list("entry__public_id", flat=True))


def seated(tournament: Tournament, number: int) -> set[str]:
    seats = Seat.objects.filter(round__in=tournament.rounds.living(), round__number=number)
    return set(seats.values_list("entry__public_id", flat=True))


def play_hands(played: Round) -> None:
    """The hands that are missing, with whoever is dealt in."""
    while tables := [now.table for now in tables_now(played) if now.state == PLAYING]:
        for table in tables:
            number = len(hands_in([table])[table.pk]) + 1
            seats = [seat.number for seat in dealt_in(table, number)]
            out = seats[table.number % len(seats)]
            reports = [SeatReport(seat, points_left=5 + seat + table.number) for seat in seats if seat != out]
            record_hand(table_id=table.pk, hand=HandInput(number, out, reports), by=Attribution(None))


def test_nobody_who_was_eliminated_at_one_cut_comes_in_again_at_the_next() -> None:
    tournament = cast.tournament(16, groups=2, then=[points(8), points(4)], **SHORT)
    play_to(tournament, "cut")
    press(tournament)
    play_to(tournament, "cut")
    page = owner(tournament).get(f"/t/{tournament.slug}/")
    assert page.status_code == 200 and len(page.context["now"].cut.groups) == 1
    press(tournament)
    assert members(tournament, 3) < members(tournament, 2)
    assert is_as_made(tournament, tournament.stage)
    play_to(tournament, "finish")
    rows = list(EXPORTS["standings"].rows(tournament, Wanted()))
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows) and len(rows) == 16
    assert [row["stage"] for row in rows] == [3] * 4 + [2] * 4 + [1] * 8
    close_tournament(tournament=tournament, by=tournament.owner)
    groups = list(EXPORTS["standings"].rows(tournament, Wanted(stage=1)))
    assert {row["group"] for row in groups if row["rank"] == 1} == {"A", "B"}  # each group has its own


def test_who_leaves_after_a_cut_stays_before_those_who_never_came_so_far() -> None:
    tournament = cast.tournament(16, then=[points(8), points(4)], **SHORT)
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)
    gone = tournament.stage.members.first().entry
    play_hands(tournament.rounds.get(number=2))
    drop_out(tournament=tournament, entry=gone, by=None)
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)
    rows = list(EXPORTS["standings"].rows(tournament, Wanted()))
    assert [row["stage"] for row in rows] == [3] * 4 + [2] * 4 + [1] * 8
    assert (rows[7]["player_id"], rows[7]["status"]) == (gone.public_id, "dropped")


def owner(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(tournament.owner)
    return client


def test_everybody_who_went_on_goes_on_where_everybody_does() -> None:
    tournament = cast.tournament(12, then=[points(6), points()], **SHORT)
    play_to(tournament, "cut")
    press(tournament)
    play_to(tournament, "draw")
    press(tournament)
    assert seated(tournament, 3) == members(tournament, 2) == members(tournament, 3)
    play_to(tournament, "finish")
    assert [line.stage for line in ledger.read(tournament).standings()] == [0] * 6 + [1] * 6


def test_undoing_the_last_round_before_a_cut_takes_the_cut_back() -> None:
    tournament = made(others_play=False)
    play_to(tournament, "cut")
    press(tournament)
    undo_round(tournament=tournament, round_number=2, reason="Too early", by=tournament.owner)
    tournament.refresh_from_db()
    assert next_step(tournament).token == "publish-2" and not members(tournament, 2)
    play_to(tournament, "cut")
    press(tournament)
    assert is_as_made(tournament, tournament.stage) and verify(tournament).faults == []


def test_nobody_reads_who_goes_on_or_the_groups_before_they_are_published() -> None:
    tournament, stranger = made(others_play=False), Client()
    press(tournament)
    assert "group,stage\r\n" in (text := stranger.get(f"/t/{tournament.slug}/standings.csv").content.decode())
    assert ",A," not in text and ",B," not in text
    play_to(tournament, "cut")
    press(tournament)
    assert stranger.get(f"/t/{tournament.slug}/standings.csv?stage=2").status_code == 400
    assert stranger.get(f"/api/v1/tournaments/{tournament.slug}/standings/?stage=2").status_code == 400
    assert stranger.get(f"/t/{tournament.slug}/standings/?stage=2").status_code == 404
    page = stranger.get(f"/t/{tournament.slug}/").content.decode()
    assert "Individual pairs, 16 players" in page and "Heats" not in page
    assert stranger.get(f"/t/{tournament.slug}/fairness/").context["fairness"].seats.lines
    press(tournament)
    assert stranger.get(f"/t/{tournament.slug}/standings/?stage=2").status_code == 200


@pytest.mark.parametrize("after", ["heats", "challenge", "points", "pairs", "swiss", "round_robin"])
def test_every_page_and_print_is_there_at_every_moment(after: str) -> None:
    settings = {"hands_per_round": 1} | ({"rounds": 1} if after not in ("heats", "challenge") else {})
    stage = PlannedStage(
        after, 7, after == "heats", settings=settings | ({"target": 60} if after == "challenge" else {})
    )
    tournament = cast.tournament(16, groups=2, then=[stage], **SHORT)
    client, seen = owner(tournament), set()
    for _step in range(30):
        step = next_step(tournament)
        now = step.kind, tournament.stage.number
        shows = now[0] == "cut" or now[1] == 2 or after == "heats"  # of what is to come nothing shows before the cut
        if shows and now not in seen:
            seen.add(now)
            for page in (
                "", "seating/", "hands/", "bracket/", "bracket.svg", "players/", "fairness/", "rounds/", "prints/",
                "standings/", "standings/?stage=1", "stages/", "settings/", "manage/", "more/", "log/", "standings.pdf",
                "bracket.pdf", "crosstable.pdf", "rounds.csv",
            ):  # fmt: skip
                answer = client.get(f"/t/{tournament.slug}/{page}")
                assert answer.status_code in (200, 404), (page, step)
            for entry in (tournament.entries.first(), tournament.entries.last()):
                assert client.get(f"/t/{tournament.slug}/players/{entry.public_id}/").status_code == 200
        if step.kind == "finish":
            break
        if step.kind == "close":
            play_hands(step.round)
        press(tournament)
    assert step.kind == "finish"
    if after == "challenge":
        assert client.get(f"/t/{tournament.slug}/race/").status_code == 200
    assert verify(tournament).faults == []


def test_the_way_can_change_after_the_first_round_behind_a_cut_was_undone() -> None:
    tournament = cast.tournament(8, then=[points(4, carries=100)], **SHORT)
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)
    play_hands(tournament.rounds.get(number=2))
    undo_round(tournament=tournament, round_number=2, reason="Too many", by=tournament.owner)
    tournament.refresh_from_db()
    set_stages(tournament=tournament, then=[points(3, carries=100)], by=tournament.owner)
    with pytest.raises(Conflict, match="already has hands"):
        set_stages(tournament=tournament, then=[], by=tournament.owner)
    press(tournament)
    assert len(members(tournament, 2)) == 3
    press(tournament)
    assert Adjustment.objects.filter(voided_at=None).count() == 3
    assert verify(tournament).faults == []


def test_changing_the_way_draws_no_lots_again() -> None:
    tournament = cast.tournament(8, then=[points(4)], **SHORT)
    seeds = set()
    for way in ([points(5)], [], [points(4)], [points(3)]):
        set_stages(tournament=tournament, then=way, by=tournament.owner)
        seeds |= set(tournament.stages.filter(number=2).values_list("lot_seed", flat=True))
    assert len(seeds) == 1


def test_who_comes_back_takes_no_seats_in_another_group() -> None:
    tournament = cast.tournament(16, groups=2, rounds=3, hands_per_round=1, then=[points(4)])
    play_to(tournament, "publish")
    press(tournament)
    play_hands(tournament.rounds.get(number=1))
    press(tournament)
    of = {group: tournament.stage.members.filter(group=group).first().entry for group in (1, 2)}
    for entry in of.values():
        drop_out(tournament=tournament, entry=entry, by=None)
    late = enter_late(tournament=tournament, name="Ingrid", by=None).entry
    taken = late.stages.get().group
    back = Entry.objects.get(pk=of[taken].pk)
    come_back(tournament=tournament, entry=back, by=None)
    assert back.stages.get().group == taken
    group = set(tournament.stage.members.filter(group=taken).values_list("entry", flat=True))
    for table in tournament.rounds.get(number=3).tables.all():
        together = set(table.seats.values_list("entry", flat=True))
        assert together <= group or together.isdisjoint(group)


def test_what_happened_in_an_earlier_stage_is_not_undone_in_a_later_one() -> None:
    tournament = cast.tournament(12, format="points", then=[PlannedStage("pairs", 4, settings=SHORT)], **SHORT)
    play_to(tournament, "close")
    event = drop_out(tournament=tournament, entry=cast.entry(tournament, "Zoë"), by=None)
    play_hands(tournament.rounds.get(number=1))
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)
    with pytest.raises(Conflict, match="That stage has ended"):
        undo_event(tournament=tournament, event=event, by=None)


def test_where_too_few_are_left_after_a_cut_it_is_made_again() -> None:
    tournament = cast.tournament(8, format="points", then=[points(2)], **SHORT)
    play_to(tournament, "cut")
    press(tournament)
    drop_out(tournament=tournament, entry=tournament.stage.members.first().entry, by=None)
    assert next_step(tournament).token == "cut-2"
    assert press(tournament).token == "publish-2" and len(members(tournament, 2)) == 2


def test_ending_early_between_stages_leaves_one_list_of_places_and_no_unseen_cut() -> None:
    tournament = made(others_play=False)
    play_to(tournament, "cut")
    press(tournament)
    end_early(tournament=tournament, reason="The hall closes", by=tournament.owner)
    tournament = Tournament.objects.get(pk=tournament.pk)
    assert not tournament.rounds.living().filter(state="draft").exists()
    lines = ledger.read(tournament).standings()
    assert [line.rank for line in lines].count(1) == 1 and [line.rank for line in lines][1] == 2
    [(book, _people)] = read_many([tournament])
    assert [line.rank for line in book.standings()] == [line.rank for line in lines]


def test_more_rounds_come_to_the_smaller_groups_too() -> None:
    tournament = cast.tournament(17, hands_per_round=1, groups=2, then=[points(6)])
    press(tournament)
    press(tournament)
    assert tournament.rounds.count() == 9
    amend_rules(tournament=tournament, rounds=10, reason="It goes well", by=tournament.owner)
    for group in (1, 2):
        entry = tournament.stage.members.filter(group=group).first().entry
        assert entry.seats.values("round").distinct().count() == 10


def test_a_stand_in_who_comes_again_by_an_undo_sits_in_the_group() -> None:
    tournament = cast.tournament(16, groups=2, rounds=3, hands_per_round=1, then=[points(4)])
    press(tournament)
    press(tournament)
    drop_out(tournament=tournament, entry=tournament.stage.members.filter(group=2).first().entry, by=None)
    event = enter_late(tournament=tournament, name="Ingrid", by=None)
    undo_event(tournament=tournament, event=event, by=None)
    assert tournament.entries.get(status="standin").stages.get().group == 2


def test_points_from_the_start_are_those_of_the_stage_that_is_played() -> None:
    tournament = cast.tournament(8, then=[points(4)], **SHORT)
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)
    entry = tournament.stage.members.first().entry
    before = {
        line.entrant.id: line.total for line in ledger.read(tournament, stage=tournament.stages.first()).standings()
    }
    adjust(tournament=tournament, entry=entry, points=-20, reason="Late", round_number=None, by=None)
    after = {
        line.entrant.id: line.total for line in ledger.read(tournament, stage=tournament.stages.first()).standings()
    }
    assert before == after
    assert {line.entrant.id: line.total for line in ledger.read(tournament).standings()}[entry.public_id] == -20
    assert verify(tournament).faults == []


def test_groups_in_which_one_is_left_play_no_empty_rounds() -> None:
    settings = {"format": "points", "rounds": 3, "hands_per_round": 1}
    tournament = cast.tournament(8, groups=4, then=[points(2)], **settings)
    play_to(tournament, "close")
    for group in range(1, 5):
        drop_out(tournament=tournament, entry=tournament.stage.members.filter(group=group).first().entry, by=None)
    step = next_step(tournament)
    advance(
        tournament=tournament, token=step.token, by=None, reason="They left",
        without=[table.pk for table, _hands in step.missing],
    )  # fmt: skip
    assert next_step(tournament).token == "cut-2"


def test_carried_points_are_for_those_who_play_on() -> None:
    tournament = cast.tournament(8, rounds=2, hands_per_round=1, then=[points(carries=100)])
    play_to(tournament, "close")
    drop_out(tournament=tournament, entry=cast.entry(tournament, "Zoë"), by=None)
    play_to(tournament, "draw")
    press(tournament)
    press(tournament)
    carried = Adjustment.objects.filter(kind="carried-on").values_list("entry__status", flat=True)
    assert "standin" not in carried
    assert "standin" not in [line.entrant.status for line in ledger.read(tournament).standings()]


def test_the_form_of_a_stage_keeps_what_it_does_not_ask_for() -> None:
    way = [points(16, groups=2, tie_breaks=("lot",)), points(4)]
    tournament = cast.tournament(20, then=way, **SHORT)
    typed = {"takes": "12", "carries": "0", "hands_per_round": "1", "rounds": "1", "until": "hands", "table_size": "4"}
    assert owner(tournament).post(f"/t/{tournament.slug}/stages/2/", typed).status_code == 302
    stage = to_come(tournament)[0]
    assert (stage.takes, stage.groups, stage.tie_breaks) == (12, 2, ["lot"])


def test_the_cut_of_a_challenge_and_of_heats_takes_the_best_places() -> None:
    for format, settings in (("challenge", {"target": 60, "hands_per_round": 1}), ("heats", {"hands_per_round": 1})):
        tournament = cast.tournament(8, format=format, name=f"Cup of {format}", then=[points(3)], **settings)
        for _step in range(40):
            step = next_step(tournament)
            if step.kind == "cut":
                break
            if step.kind == "close":
                play_hands(step.round)
            press(tournament)
        rank_of = {line.entrant.id: line.rank or 0 for line in ledger.read(tournament).standings()}
        goes_on = [one.entry for one in cut_now(tournament, tournament.stages.get(number=2)).cut.advancing]
        # A shared place is in lot order here and in seating order in the standings: compare places, not names.
        assert [rank_of[entry] for entry in goes_on] == sorted(rank_of.values())[:3]
        press(tournament)
        press(tournament)
        assert members(tournament, 2) == set(goes_on)


def test_a_player_sees_the_hands_of_every_stage_and_who_stayed_those_they_played() -> None:
    tournament = cast.tournament(8, format="points", groups=2, then=[points(4)], **SHORT)
    play_to(tournament, "cut")
    press(tournament)
    play_to(tournament, "close")
    assert tournament.rounds.get(number=2).is_open
    goes_on = tournament.stages.get(number=2).members.first().entry
    stayed = tournament.entries.exclude(stages__stage__number=2).first()

    page = Client().get(f"/t/{tournament.slug}/players/{goes_on.public_id}/")
    card = page.context["card"]
    [earlier] = card.earlier
    assert (earlier.title, len(earlier.single_lines), len(card.hands.single_lines)) == ("Groups", 1, 1)
    assert len(earlier.single_lines[0].catches) == 1, "the hand of the groups is there"
    assert "No hand was played" not in page.content.decode()

    page = Client().get(f"/t/{tournament.slug}/players/{stayed.public_id}/")
    card = page.context["card"]
    assert (card.earlier, card.hands.title) == ((), "Groups")
    assert len(card.hands.single_lines[0].catches) == 1
    assert "Seats appear here" not in page.content.decode()


def test_one_of_several_stages_is_listed_once_and_named() -> None:
    tournament = cast.tournament(8, groups=2, then=[points(4)], **SHORT)
    play_to(tournament, "close")
    assert (
        "Closing the round first shows you who advances"
        in owner(tournament).get(f"/t/{tournament.slug}/").content.decode()
    )
    home = Client().get("/").content.decode()
    assert home.count(f'href="/t/{tournament.slug}/"') == 1 and "Groups · Round 1 · 8 players" in home
    play_to(tournament, "cut")
    press(tournament)
    play_to(tournament, "close")
    assert "Points race · Round 2 · 8 players" in Client().get("/").content.decode()
    tabs = Client().get(f"/t/{tournament.slug}/standings/").context["stages"]
    assert [title for _stage, title, _is_shown in tabs] == ["Groups", "Points race"]


def heats(takes: int | None = None, **more: object) -> PlannedStage:
    return PlannedStage("heats", takes, **{"settings": {"hands_per_round": 1}} | more)


def test_nobody_changes_the_ladder_by_a_swap_or_by_seating_anew() -> None:
    tournament = cast.tournament(16, format="points", then=[heats(8, others_play=True)], **SHORT)
    play_to(tournament, "cut")
    press(tournament)
    play_to(tournament, "close")
    first, second = (cast.table(tournament, 2, number).seats.first().entry for number in (1, 3))
    by = {"reason": "Chairs", "by": tournament.owner}
    with pytest.raises(Refused, match="Choose two of one ladder"):
        swap_seats(tournament=tournament, round_number=2, one=first, other=second, **by)
    with pytest.raises(Refused, match="The second ladder has its own draw"):
        reseat_not_started(tournament=tournament, **by)


def test_undoing_a_round_takes_back_the_stage_that_everybody_goes_on_to() -> None:
    """Of three rounds the third is played too when two were undone after the next stage was drawn."""
    tournament = cast.tournament(8, format="points", rounds=3, hands_per_round=1, then=[heats()])
    play_to(tournament, "draw")
    press(tournament)
    while next_step(tournament).token != "publish-4":
        play_to(tournament, "draw")
        press(tournament)
    for number in (3, 2):
        undo_round(tournament=tournament, round_number=number, reason="x", by=tournament.owner)
    assert tournament.stage.number == 1
    play_to(tournament, "finish")
    assert [stage.rounds.shown().count() for stage in tournament.stages.all()] == [3, 2]


def test_a_correction_that_lets_a_race_go_on_takes_back_the_cut_after_it() -> None:
    tournament = cast.tournament(
        8, format="challenge", target=60, table_size=4, hands_per_round=2, then=[points(4, settings=SHORT)]
    )
    while next_step(tournament).kind != "cut":
        step = next_step(tournament)
        if step.kind == "close":
            play_hands(step.round)
        press(tournament)
    press(tournament)
    assert tournament.stage.number == 2
    last = tournament.rounds.filter(state=Round.State.CLOSED).order_by("number").last()
    hand = Hand.objects.living().filter(table__round=last).order_by("number").last()
    seats = [seat.number for seat in dealt_in(hand.table, hand.number)]
    reports = [SeatReport(seat, points_left=1) for seat in seats if seat != hand.went_out]
    report = HandInput(hand.number, hand.went_out, reports)
    repair_hand(
        hand_id=hand.pk, version=None, hand=report, reason="Score slip", repair=KEEP, by=Attribution(tournament.owner)
    )
    tournament.refresh_from_db()
    assert tournament.stage.number == 1 and next_step(tournament).kind == "draw"
    assert not tournament.stages.get(number=2).members.exists()


def test_a_stage_that_nobody_has_seen_is_not_told_of_nor_played_into() -> None:
    """A points race with the winner taking, then one in which the fewest win: drawn, and not published."""
    after = points(scoring="lowest-total", settings=SHORT | {"rounds": 2})
    tournament = cast.tournament(8, format="points", then=[after], **SHORT)
    watcher, place = Client(), f"/t/{tournament.slug}/"
    play_to(tournament, "draw")
    press(tournament)
    while next_step(tournament).token != "publish-2":
        play_to(tournament, "draw")
        press(tournament)
    assert "A later stage decides the winner" in watcher.get(f"{place}odds/").content.decode()
    print_ = " ".join(pdf_text.text(watcher.get(f"{place}prints/standings.pdf").content).split())
    assert "Ranked by points, hands won" in print_
    assert "1 round of 1 hand" in watcher.get(f"{place}players/").content.decode()
    with pytest.raises(Refused, match="starts the next stage with 0 points"):
        enter_late(tournament=tournament, name="Late", total=40, by=tournament.owner)
    enter_late(tournament=tournament, name="Late", by=tournament.owner)
    assert not Adjustment.objects.exists()


def test_points_from_the_start_are_given_in_the_stage_that_everybody_sees() -> None:
    tournament = cast.tournament(8, format="points", then=[heats(6)], **SHORT)
    play_to(tournament, "cut")
    press(tournament)
    first = tournament.entries.first()
    adjust(tournament=tournament, entry=first, points=-10, reason="Late", round_number=None, by=tournament.owner)
    lines = ledger.read(tournament, stage=tournament.stages.get(number=1)).standings()
    assert next(line for line in lines if line.entrant.id == first.public_id).adjustments == -10
