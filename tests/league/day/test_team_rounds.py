"""Teams where rounds are drawn one by one: knockouts and Swiss, with who leaves, comes late and plays for whom."""

import re

import pytest
from django.test import Client

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.repair_preview import diff_of
from games.hands.repairs import KEEP, Correction, undo_round
from games.models import Hand
from league.access.signed_links import player_token
from league.access.viewer import Attribution
from league.day.entrants import come_back, drop_out, enter_late
from league.day.people import leaving_a_duel
from league.day.substitutes import substitute
from league.day.wishes import keep_apart
from league.entries.check_in import replace_no_show
from league.entries.teams import keep_team
from league.ledger.entered import members_in
from league.ledger.lineups import members_of
from league.ledger.progress import COMPLETE, ENDED, PLAYING, game_at, table_now
from league.lib.errors import Refused
from league.log.audit import verify
from league.models import Round, SignUp, Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.steps import next_step, start
from league.rounds.tables import swap_seats
from league.setup.stages.stage_plan import PlannedStage
from league.standings import read as ledger
from tests import cast, pdf_text
from tests.games.online_table import everybody_ready, play_out, put_online
from tests.games.pages import form, said

pytestmark = pytest.mark.django_db

LEVEL = (0, 0, 0, 0)


@pytest.fixture
def cup() -> Tournament:
    """Five teams: the first three have a free round, the Bees meet Team 5."""
    made = cast.teams(5, format="team_knockout", name="Cup", hands_per_round=1)
    start(tournament=made, by=made.owner)
    return cast.again(made)


@pytest.fixture
def swiss() -> Tournament:
    made = cast.teams(6, format="team_swiss", name="Swiss", hands_per_round=1, rounds=4)
    start(tournament=made, by=made.owner)
    return cast.again(made)


def seats(made: Tournament, number: int) -> dict[int | None, list[str]]:
    """{table: who sits there by seat}, and under None the teams that sit out."""
    found: dict[int | None, list[str]] = {}
    played = made.rounds.living().get(number=number)
    for seat in played.seats.select_related("table", "entry__player", "substitute").order_by("number", "pk"):
        at = seat.table and seat.table.number
        found.setdefault(at, []).append(str(seat.substitute if at else seat.entry))
    return found


def play(made: Tournament, number: int) -> None:
    """The first seat, of the better seed, goes out in every duel."""
    for table in made.rounds.living().get(number=number).tables.all():
        cast.record(table, 1, 0, (0, 10, 5, 10))
    cast.go_on(made)


def places(made: Tournament) -> dict[str, int | None]:
    return {line.entrant.name: line.rank for line in ledger.read(made).standings()}


def look(made: Tournament, page: str = "") -> str:
    client = Client()
    client.force_login(made.owner)
    return said(client.get(f"/t/{made.slug}/{page}"))


def test_partners_sit_opposite_each_other_to_the_final_and_a_hand_counts_once_for_a_team(cup: Tournament) -> None:
    assert seats(cup, 1) == {
        None: ["Blue Foxes", "Red Owls", "Green Newts"],
        1: ["Xiaoming", "Player 9", "Zoë", "Player 10"],
    }
    play(cup, 1)
    cast.go_on(cup)
    assert seats(cup, 2) == {1: ["Ana Lucía", "Xiaoming", "Benoît", "Zoë"], 2: ["Chidi", "Émilie", "Đorđe", "Farah"]}
    play(cup, 2)
    cast.go_on(cup)
    play(cup, 3)
    assert next_step(cup).kind == "finish"
    assert places(cup) == {"Blue Foxes": 1, "Red Owls": 2, "Green Newts": 3, "Yellow Bees": 4, "Team 5": 5}
    assert {line.total for line in ledger.read(cup).standings()} == {20, 0}
    assert verify(cup).faults == []


def test_a_level_duel_of_teams_is_played_on(cup: Tournament) -> None:
    table = cast.table(cup, 1, 1)
    cast.record(table, 1, 0, LEVEL)
    assert table_now(table).state == PLAYING
    cast.record(table, 2, 3, (10, 0, 10, 5))
    [winner] = [entry for entry, points in game_at(table).totals.items() if points]
    assert winner == cast.entry(cup, "Team 5").public_id
    cast.go_on(cup)
    assert "Player 10" in seats(cup, 2)[1]


def test_a_duel_of_teams_is_played_online(cup: Tournament) -> None:
    table = cast.table(cup, 1, 1)
    deal = play_out(everybody_ready(put_online(table)))
    assert [place["member"] for place in deal.places] == [0, 0, 1, 1]
    points = game_at(table).totals
    assert table_now(table).state == (PLAYING if len(set(points.values())) == 1 else COMPLETE)
    assert set(points) == {cast.entry(cup, name).public_id for name in ("Yellow Bees", "Team 5")}


def test_the_other_team_goes_on_when_one_leaves_during_the_duel(cup: Tournament) -> None:
    bees = cast.entry(cup, "Yellow Bees")
    assert leaving_a_duel(bees) == ["Yellow Bees loses the duel at table 1; Team 5 advances."]
    drop_out(tournament=cup, entry=bees, by=cup.owner)
    assert table_now(cast.table(cup, 1, 1)).state == ENDED
    cast.go_on(cup)
    assert seats(cup, 2)[1] == ["Ana Lucía", "Player 9", "Benoît", "Player 10"]


def test_a_draft_is_seated_again_with_both_of_a_team(cup: Tournament) -> None:
    play(cup, 1)
    drop_out(tournament=cup, entry=cast.entry(cup, "Red Owls"), by=cup.owner)
    assert seats(cup, 2) == {1: ["Ana Lucía", "Xiaoming", "Benoît", "Zoë"], None: ["Green Newts"]}


def test_a_correction_says_which_teams_would_go_on(cup: Tournament) -> None:
    play(cup, 1)
    cast.go_on(cup)
    hand = Hand.objects.living().select_related("table__round__stage").get(table=cast.table(cup, 1, 1))
    reports = [SeatReport(seat, points_left=10) for seat in (0, 2, 3)]
    correction = Correction(hand.pk, None, HandInput(hand.number, 1, reports), "Score slip", Attribution(cup.owner))
    diff = diff_of(cup, hand.table, correction)
    assert [(person.player, person.was, person.will) for person in diff.elsewhere] == [
        ("Team 5", None, 1),
        ("Yellow Bees", 1, None),
    ]
    correction.save(KEEP)
    assert "Xiaoming" in seats(cup, 2)[1]


def test_the_pages_speak_of_teams(cup: Tournament) -> None:
    table = cast.table(cup, 1, 1)
    cast.record(table, 1, 0, LEVEL)
    assert "Knockout of teams, 5 teams, 1 hand a duel" in look(cup) and "Round 1 of 3" in look(cup)
    bracket = look(cup, "bracket/")
    assert "5 teams, 3 byes by seed" in bracket and "are partners" not in bracket
    fairness = look(cup, "fairness/")
    assert "Seeds and results decide the meetings." in fairness and "deals first" not in fairness
    assert "deals first" not in look(cup, "seating/")  # nobody has drawn for it yet
    client = Client()
    client.force_login(cup.owner)
    page = said(client.get(f"/tables/{table.pk}/"))
    assert "Team Points Yellow Bees 0 Team 5 0 Tied" in page


def test_teams_with_like_points_meet_and_nobody_meets_again(swiss: Tournament) -> None:
    met: list[frozenset[str]] = []
    for number in range(1, 5):
        at = seats(swiss, number)
        assert None not in at and all(len(names) == 4 for names in at.values())
        living = swiss.rounds.living().get(number=number)
        teams = living.seats.filter(member=0).order_by("table__number", "number")
        names = list(teams.values_list("entry__player__name", flat=True))
        met += [frozenset(pair) for pair in zip(names[::2], names[1::2], strict=True)]
        before = {line.entrant.name: line.total for line in ledger.read(swiss).standings()}
        assert number != 2 or [before[name] for name in names[:2]] == [20, 20]
        play(swiss, number)
    assert len(set(met)) == 12
    totals = {line.entrant.name: line.total for line in ledger.read(swiss).standings()}
    assert sum(totals.values()) == 12 * 20  # the two of a team share a hand
    assert "no earlier meetings" in look(swiss, "seating/")
    bracket = look(swiss, "bracket/").partition("Show as a list")[2]
    assert bracket.count("Blue Foxes") == 4 and "are partners" not in bracket


def test_teams_come_late_leave_come_back_and_have_a_substitute(swiss: Tournament) -> None:
    blue = cast.entry(swiss, "Blue Foxes")
    substitute(tournament=swiss, entry=blue, name="Ingrid", member=1, by=swiss.owner)
    enter_late(tournament=swiss, name="Late Ones", members=("Uma", "Vic"), by=swiss.owner)
    red = cast.entry(swiss, "Red Owls")
    drop_out(tournament=swiss, entry=red, by=swiss.owner)
    assert any("Ingrid" in names and "Ana Lucía" in names for names in seats(swiss, 1).values())
    cast.play_challenge(swiss, rounds=1)
    cast.go_on(swiss)
    second = seats(swiss, 2)
    everybody = {name for names in second.values() for name in names}
    assert {"Uma", "Vic", "Ana Lucía", "Benoît"} < everybody and not {"Chidi", "Đorđe", "Ingrid"} & everybody
    bees = cast.entry(swiss, "Yellow Bees")
    if any({"Ana Lucía", "Xiaoming"} <= set(names) for names in second.values()):
        bees = cast.entry(swiss, "Green Newts")
    swap_seats(tournament=swiss, round_number=2, one=blue, other=bees, reason="Stairs", by=swiss.owner)
    swapped = seats(swiss, 2)
    assert all(len(names) == 4 for names in swapped.values()) and swapped != second
    undo_round(tournament=swiss, round_number=2, reason="Wrong hall", by=swiss.owner)
    come_back(tournament=swiss, entry=red, by=swiss.owner)
    again = seats(swiss, 2)
    assert len(again[None]) == 1 and sum(len(names) for table, names in again.items() if table) == 12
    cast.play_challenge(swiss)
    cast.go_on(swiss)
    assert next_step(swiss).kind == "finish" and verify(swiss).faults == []


def test_groups_of_teams_lead_into_a_cup_of_teams_and_not_of_players() -> None:
    cup = PlannedStage("team_knockout", takes=4, settings={"hands_per_round": 1})
    made = cast.teams(8, hands_per_round=1, groups=2, then=(cup,))
    cast.play_challenge(made)
    semi_finals = made.rounds.living().get(number=4)
    assert semi_finals.stage.format == "team_knockout" and semi_finals.state == Round.State.CLOSED
    of_group = {entry: member.group for entry, member in members_in(made.stages.get(number=1)).items()}
    for table in semi_finals.tables.all():
        first, second, *_partners = table.seats.order_by("number").values_list("entry__public_id", flat=True)
        assert of_group[first] != of_group[second]
    with pytest.raises(Refused, match="for teams"):
        cast.teams(8, groups=2, then=(PlannedStage("knockout", takes=4),))


def client_of(made: Tournament, team: str) -> Client:
    """Somebody who holds the link of a team."""
    client = Client()
    client.post(f"/me/{player_token(cast.entry(made, team))}/")
    return client


def paper(made: Tournament, name: str) -> str:
    client = Client()
    client.force_login(made.owner)
    answer = client.get(f"/t/{made.slug}/prints/{name}.pdf")
    assert answer.status_code == 200
    return pdf_text.text(answer.content)


def test_a_team_that_takes_the_place_of_one_that_did_not_come_has_its_seed(cup: Tournament) -> None:
    new = SignUp.objects.create(tournament=cup, name="Night Herons", state=SignUp.State.WAITING)
    keep_team(new, ["Nina", "Nora"])
    replace_no_show(entry=cast.entry(cup, "Yellow Bees"), by=cup.owner)
    assert seats(cup, 1)[1] == ["Nina", "Player 9", "Nora", "Player 10"]
    assert "Night Herons" in look(cup, "bracket/")
    play(cup, 1)
    assert seats(cup, 2)[1] == ["Ana Lucía", "Nina", "Benoît", "Nora"]


def test_my_table_says_what_comes_next_as_it_says_to_people_who_play_alone(cup: Tournament) -> None:
    mine = said(client_of(cup, "Yellow Bees").get(f"/t/{cup.slug}/me/"))
    assert "Then round 2, if you qualify Not published yet" in mine and "last round" not in mine
    card = look(cup, f"players/{cast.entry(cup, 'Yellow Bees').public_id}/")
    assert "Next: hand 1." in card and "All hands of this round are recorded" not in card
    cast.record(cast.table(cup, 1, 1), 1, 0, (0, 10, 5, 10))
    assert "All hands of this round are recorded" in look(cup, f"players/{cast.entry(cup, 'Yellow Bees').public_id}/")
    cast.go_on(cup)
    beaten = look(cup, f"players/{cast.entry(cup, 'Team 5').public_id}/")
    assert re.search(r"Lost in the quarter-final [0-9]+-[0-9]+ against Yellow Bees", beaten)


def test_hands_after_the_end_of_a_game_count_for_nobody_in_any_table() -> None:
    made = cast.teams(4, format="team_swiss", name="Games", target=30, rounds=2)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    for hand, out, left in ((1, 0, (0, 10, 5, 10)), (2, 1, (5, 0, 5, 5)), (3, 0, (0, 10, 5, 10))):
        cast.record(table, hand, out, left)
    first = Hand.objects.living().get(table=table, number=1)
    reports = [SeatReport(seat, points_left=20) for seat in (1, 2, 3)]
    Correction(first.pk, None, HandInput(first.number, 0, reports), "Score slip", Attribution(made.owner)).save(
        KEEP
    )  # so the game was over with it
    winner = table.seats.get(number=0).entry
    [standing] = [line for line in ledger.read(made).standings() if line.entrant.id == winner.public_id]
    rows = {name: list(EXPORTS[name].rows(made, Wanted(player_id=winner.public_id))) for name in ("rounds", "members")}
    assert (standing.total, standing.hands_played) == (40, 1)
    assert [(row["total"], row["hands_played"]) for row in rows["rounds"]] == [(40, 1)]
    mine = [row for row in rows["members"] if row["player_id"] == winner.public_id]
    assert {(row["points_for"], row["hands_played"]) for row in mine} == {(40, 1)}


def test_a_team_that_left_meanwhile_is_said_and_no_fault(cup: Tournament) -> None:
    client = Client()
    client.force_login(cup.owner)
    table = cast.table(cup, 1, 1)
    typed = form(client, table, went_out="0", points_1="10", points_2="5", points_3="10")
    shown = said(client.post(f"/tables/{table.pk}/preview/", typed))
    assert "Yellow Bees" in shown and "Xiaoming" not in shown  # a hand counts once for a team
    drop_out(tournament=cup, entry=cast.entry(cup, "Team 5"), by=cup.owner)
    assert client.post(f"/tables/{table.pk}/preview/", typed).status_code == 200
    answer = client.post(f"/tables/{table.pk}/", typed)
    assert answer.status_code == 409 and "Only one team is left at this table" in said(answer)


def test_slips_of_teams_have_four_lines_and_say_that_the_deal_is_drawn(cup: Tournament) -> None:
    slip = paper(cup, "slips")
    assert all(name in slip for name in ("Xiaoming", "Zoë", "Player 9", "Player 10")) and "deals hand" not in slip
    blank, singles = paper(cup, "empty-slips"), cast.tournament(4, format="knockout", name="Duels", hands_per_round=1)
    lines = "cards\npoints"
    assert blank.count(lines) == 2 * paper(singles, "empty-slips").count(lines)


def test_third_place_in_a_draft_has_each_team_once(cup: Tournament) -> None:
    play(cup, 1)
    cast.go_on(cup)
    play(cup, 2)
    third = look(cup, "bracket/").partition("Third place, table 2")[2]
    assert third.partition("Show as a list")[0].count("Green Newts") == 2  # as it is shown, and as it is read


def test_teams_can_be_kept_apart_where_rounds_are_drawn_one_by_one(swiss: Tournament) -> None:
    blue, red = cast.entry(swiss, "Blue Foxes"), cast.entry(swiss, "Red Owls")
    keep_apart(tournament=swiss, entry=blue, other=red, by=swiss.owner)
    for number in range(1, 5):
        play(swiss, number)
    assert not any({"Ana Lucía", "Chidi"} <= set(names) for n in range(2, 5) for names in seats(swiss, n).values())


def test_who_plays_for_another_team_does_not_sit_twice_in_a_round_that_is_drawn_again() -> None:
    made = cast.teams(5, format="team_swiss", hands_per_round=1, rounds=3)
    start(tournament=made, by=made.owner)
    undo_round(tournament=made, round_number=1, reason="Wrong hall", by=made.owner)
    [out] = [names[0] for table, names in seats(made, 1).items() if table is None]
    theirs = members_of([cast.entry(made, out)])
    captain = next(iter(theirs.values()))[0].player.name
    others = [name for name in (*cast.TEAMS, "Team 5") if name != out]
    substitute(tournament=made, entry=cast.entry(made, others[0]), name=captain, by=made.owner)
    drop_out(tournament=made, entry=cast.entry(made, others[1]), by=made.owner)
    sitting = [name for table, names in seats(made, 1).items() if table for name in names]
    assert len(sitting) == len(set(sitting)) == 8
