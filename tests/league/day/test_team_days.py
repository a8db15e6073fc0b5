"""Teams from the draw to the day: who sits where, who comes, who leaves, who plays for whom."""

import pytest

from games.hands.repairs import undo_round
from league.access.members import unlisted_teams
from league.day.entrants import come_back, drop_out, enter_late
from league.day.substitutes import end_substitute, substitute
from league.day.undo import undo_event
from league.day.wishes import set_fixed_table
from league.entries.list_order import add_entries, remove_entry
from league.entries.roster.rows import RosterRow
from league.entries.team_members import Line, change_team
from league.entries.teams import check_again
from league.erasure.erase import erase_player
from league.ledger.lineups import lineups_of
from league.lib.errors import Conflict, Refused
from league.models import Adjustment, Entry, Player, Round, Seat, Table, Team, Tournament
from league.rounds.draw import draw, undo_draw
from league.rounds.redraw import drafts_of, seating_of
from league.rounds.steps import advance, next_step, start
from league.rounds.tables import swap_seats
from league.setup.create import change_rules, clone_tournament
from tests import cast
from tests.league.the_day import whole_seating

pytestmark = pytest.mark.django_db


def seats(tournament, number):
    """{table: who sits there by seat}, and under None the teams that sit out."""
    found = {}
    living = tournament.rounds.living().get(number=number)
    for seat in living.seats.select_related("table", "entry__player", "substitute").order_by("number", "pk"):
        if seat.table is None:
            found.setdefault(None, []).append(seat.entry.player.name)
        else:
            found.setdefault(seat.table.number, []).append(seat.substitute.name)
    return found


def matches(tournament, number):
    living = tournament.rounds.living().get(number=number)
    at = {}
    for seat in living.seats.exclude(table=None).order_by("number"):
        at.setdefault(seat.table_id, []).append(seat.entry.player.name)
    assert all(len(names) == 4 and names[0] == names[2] != names[1] == names[3] for names in at.values())
    return {frozenset(names) for names in at.values()}


def sitting_out(tournament, number):
    living = tournament.rounds.living().get(number=number)
    return sorted(living.seats.filter(table=None).values_list("entry__player__name", flat=True))


def fill(played):
    cast.play_round(played)
    advance(tournament=played.tournament, token=f"close-{played.number}", by=played.tournament.owner)


def test_a_roster_makes_teams_with_their_captain_first_and_substitutes_last():
    tournament = cast.teams()
    blue = Team.objects.get(player__name="Blue Foxes")
    assert [(one.player.name, one.number, one.is_substitute) for one in blue.members.all()] == [
        ("Ana Lucía", 1, False), ("Benoît", 2, False), ("Ingrid", 3, True),
    ]  # fmt: skip
    assert [entry.player.name for entry in tournament.entries.all()] == list(cast.TEAMS)


def test_all_rounds_are_drawn_ahead_and_the_two_of_a_team_sit_opposite_each_other():
    tournament = cast.teams()
    draw(tournament=tournament, by=None)
    assert tournament.rounds.count() == 3
    met = [match for number in (1, 2, 3) for match in matches(tournament, number)]
    assert len(set(met)) == len(met) == 6
    first = seats(tournament, 1)
    assert {frozenset(table[0::2]) for table in first.values()} | {
        frozenset(table[1::2]) for table in first.values()
    } == {frozenset(cast.CAST[at : at + 2]) for at in range(0, 8, 2)}
    assert "Ingrid" not in str([seats(tournament, number) for number in (1, 2, 3)])
    undo_draw(tournament=tournament, by=None)
    assert not tournament.rounds.exists()


def test_with_an_odd_number_a_team_sits_out_in_one_seat_and_gets_what_that_is_worth():
    tournament = cast.teams(5, bye_points=50)
    start(tournament=tournament, by=None)
    [bye] = Seat.objects.filter(round__number=1, table=None)
    given = Adjustment.objects.get(kind="bye")
    assert (given.entry, given.points, bye.substitute) == (bye.entry, 50, None)


def test_legs_and_rounds_are_settings_like_others():
    tournament = cast.teams(4, cycles=2)
    draw(tournament=tournament, by=None)
    assert tournament.rounds.count() == 6
    change_rules(
        tournament=tournament, edition="classic", hands_per_round=4, cycles=2, rounds=5, tie_breaks=(), by=None
    )
    draw(tournament=tournament, by=None)
    assert tournament.rounds.count() == 5
    with pytest.raises(Refused, match="4 teams have 1 to 3 rounds, not 4"):
        cast.teams(4, rounds=4)


def test_who_is_in_another_team_already_or_alone_is_refused():
    tournament = cast.teams()
    row = RosterRow(1, "Late Larks", members=(RosterRow(1, "Zoë"), RosterRow(1, "Yuki")))
    with pytest.raises(Refused, match="“Zoë” already plays for “Yellow Bees”"):
        add_entries(tournament=tournament, players=[row], by=None)
    with pytest.raises(Refused, match=r"A team has 2 to 10 players\. “Late Larks” has 0"):
        add_entries(tournament=tournament, players=[RosterRow(1, "Late Larks")], by=None)


def test_a_team_that_is_taken_off_the_list_leaves_nobody_behind():
    tournament = cast.teams()
    before = Player.objects.count()
    remove_entry(tournament=tournament, entry=cast.entry(tournament, "Blue Foxes"), by=None)
    assert Player.objects.count() == before - 4
    assert not Team.objects.filter(player__name="Blue Foxes").exists()


def test_a_copy_has_the_same_teams():
    tournament = cast.teams()
    copy = clone_tournament(tournament=tournament, by=tournament.owner)
    draw(tournament=copy, by=None)
    assert seats(copy, 1) and copy.entries.first().player == tournament.entries.first().player


def test_an_erased_member_of_a_team_is_seated_no_more():
    tournament = cast.teams()
    for name in ("Ana Lucía", "Zoë"):
        erase_player(player=Player.objects.get(name=name), by=tournament.owner)
    copy = clone_tournament(tournament=tournament, by=tournament.owner)
    # Ingrid sits down for Ana; the Yellow Bees have one player left.
    assert [str(entry) for entry in copy.entries.order_by("number")] == ["Blue Foxes", "Red Owls", "Green Newts"]
    assert [player.name for player in lineups_of(copy.entries.all())[copy.entries.get(number=1).pk]] == [
        "Benoît",
        "Ingrid",
    ]


def test_a_team_of_the_club_with_one_member_left_is_not_offered_again():
    club = cast.club()
    first, second = cast.teams(club=club), cast.tournament([], format="teams", club=club)
    assert unlisted_teams(second).count() == 4
    erase_player(player=Player.objects.get(name="Zoë"), by=club.owner)
    assert "Yellow Bees" not in {team.name for team in unlisted_teams(second)}
    bees = cast.entry(first, "Yellow Bees").player
    with pytest.raises(Refused, match=r"“Yellow Bees” has 1"):
        check_again(second, [bees])


def test_members_change_at_any_time_but_nobody_leaves_who_has_hands_to_come():
    tournament = cast.teams()
    blue = cast.entry(tournament, "Blue Foxes")
    ana, _benoit, ingrid = (one.player for one in blue.player.team.members.all())
    draw(tournament=tournament, by=None)
    named = {"entry": blue, "name": "Blue Foxes", "club": "Café Ludo", "by": tournament.owner}
    change_team(**named, members=[Line(ana.pk, "Ana"), Line(ingrid.pk, "Ingrid"), Line(None, "Yuki")])
    assert not tournament.rounds.exists()  # who plays changed, so it is drawn anew
    assert [one.player.name for one in blue.player.team.members.all()] == ["Ana", "Ingrid", "Yuki"]
    assert not Player.objects.filter(name="Benoît").exists()
    assert [row.action for row in tournament.log.order_by("number")][-2:] == ["rename-player", "team-members"]
    start(tournament=tournament, by=None)
    assert {"Ana", "Ingrid"} <= {name for table in seats(tournament, 1).values() for name in table}
    with pytest.raises(Refused, match="Ingrid still has hands to play"):
        change_team(**named, members=[Line(ana.pk, "Ana"), Line(None, "Yuki")])
    with pytest.raises(Refused, match="“Zoë” already plays for “Yellow Bees”"):
        change_team(**named, members=[Line(ana.pk, "Ana"), Line(ingrid.pk, "I"), Line(None, "Zoë")])


def test_a_substitute_of_the_team_plays_from_the_next_hand_on_and_the_hands_say_who_played():
    tournament = cast.teams()
    start(tournament=tournament, by=None)
    blue = cast.entry(tournament, "Blue Foxes")
    table = blue.seats.get(round__number=1, member=0).table
    cast.record(table, 1)
    changed = substitute(tournament=tournament, entry=blue, name="ingrid", member=1, by=None)
    assert len(changed) == 3
    cast.record(table, 2)
    played = {hand: {row.played_by.name for row in table.scores.filter(hand=hand, entry=blue)} for hand in (1, 2)}
    assert played == {1: {"Ana Lucía", "Benoît"}, 2: {"Ana Lucía", "Ingrid"}}
    with pytest.raises(Refused, match="Ingrid already plays for “Blue Foxes” in round 1"):
        substitute(tournament=tournament, entry=blue, name="Ingrid", member=0, by=None)
    with pytest.raises(Refused, match="Zoë already plays for “Yellow Bees” in round 1"):
        substitute(tournament=tournament, entry=blue, name="Zoë", member=0, by=None)
    substitute(tournament=tournament, entry=blue, name="Yuki", member=0, table=table, by=None)
    assert {"Yuki", "Ingrid"} <= {name for seated in seats(tournament, 1).values() for name in seated or ()}
    end_substitute(tournament=tournament, entry=blue, by=None)
    assert {"Ana Lucía", "Benoît"} <= {name for seated in seats(tournament, 1).values() for name in seated}
    assert not {"Yuki", "Ingrid"} & {name for seated in seats(tournament, 1).values() for name in seated}


def test_two_teams_change_places_also_with_the_one_that_sits_out():
    tournament = cast.teams(5)
    start(tournament=tournament, by=None)
    [idle] = sitting_out(tournament, 1)
    playing = next(iter(sorted(matches(tournament, 1), key=sorted)))
    one = sorted(playing)[0]
    swap = {"tournament": tournament, "round_number": 1, "reason": "mixed up", "by": None}
    was = seats(tournament, 1)
    swap_seats(one=cast.entry(tournament, one), other=cast.entry(tournament, idle), **swap)
    assert sitting_out(tournament, 1) == [one]
    assert (playing - {one}) | {idle} in matches(tournament, 1)
    swap_seats(one=cast.entry(tournament, idle), other=cast.entry(tournament, one), **swap)
    assert seats(tournament, 1) == was
    other = next(iter(playing - {one}))
    swap_seats(one=cast.entry(tournament, one), other=cast.entry(tournament, other), **swap)
    assert matches(tournament, 1) == matches(tournament, 1) and seats(tournament, 1) != was


def test_who_would_have_met_a_team_that_leaves_sits_out_and_all_of_it_can_be_undone():
    tournament = cast.teams(4, bye_points=30)
    start(tournament=tournament, by=None)
    fill(tournament.rounds.get(number=1))
    before = [(seats(tournament, number), matches(tournament, number)) for number in (2, 3)]
    red = cast.entry(tournament, "Red Owls")
    event = drop_out(tournament=tournament, entry=red, by=None)
    assert red.seats.filter(round__number__gt=1).count() == 0
    for number in (2, 3):
        assert len(matches(tournament, number)) == 1 and len(sitting_out(tournament, number)) == 1
    [alone] = sitting_out(tournament, 2)
    assert Adjustment.objects.get(voided_at=None).entry.player.name == alone
    undo_event(tournament=tournament, event=event, by=None)
    assert [(seats(tournament, number), matches(tournament, number)) for number in (2, 3)] == before
    assert not Adjustment.objects.filter(voided_at=None).exists()
    cast.record(red.seats.get(round__number=2, member=0).table, 1)


def test_leaving_and_returning_in_the_last_round_can_be_undone_too():
    tournament = cast.teams()
    start(tournament=tournament, by=None)
    for number in (1, 2):
        fill(tournament.rounds.get(number=number))
        start(tournament=tournament, by=None)
    before, red = seats(tournament, 3), cast.entry(tournament, "Red Owls")
    event = drop_out(tournament=tournament, entry=red, by=None)
    back = come_back(tournament=tournament, entry=red, by=None)
    undo_event(tournament=tournament, event=back, by=None)
    assert len(sitting_out(tournament, 3)) == 1
    undo_event(tournament=tournament, event=event, by=None)
    assert seats(tournament, 3) == before


def test_at_a_table_that_has_begun_hands_that_are_in_count_and_none_are_played_any_more():
    tournament = cast.teams()
    start(tournament=tournament, by=None)
    red = cast.entry(tournament, "Red Owls")
    table = red.seats.get(round__number=1, member=0).table
    cast.record(table, 1)
    event = drop_out(tournament=tournament, entry=red, by=None)
    table.refresh_from_db()
    assert (table.hands_wanted, table.state) == (1, Table.State.CONFIRMED)
    undo_event(tournament=tournament, event=event, by=None)
    table.refresh_from_db()
    assert (table.hands_wanted, table.state) == (4, Table.State.PLAYING)


def names_at_tables(tournament, number):
    return sorted(name for table, names in seats(tournament, number).items() if table for name in names)


def test_nobody_sits_twice_when_a_team_comes_back_whose_player_plays_for_another():
    tournament = cast.teams(6)
    start(tournament=tournament, by=None)
    blue = cast.entry(tournament, "Blue Foxes")
    [foes] = [pair - {"Blue Foxes"} for pair in matches(tournament, 1) if "Blue Foxes" in pair]
    third = cast.entry(tournament, sorted(set(cast.TEAMS) - {"Blue Foxes"} - foes)[0])
    at = third.seats.get(round__number=1, member=0).table
    substitute(tournament=tournament, entry=blue, name="Ingrid", member=0, by=None)
    left = drop_out(tournament=tournament, entry=blue, by=None)
    substitute(tournament=tournament, entry=third, name="Ingrid", table=at, by=None)
    with pytest.raises(Conflict, match="changed since"):
        undo_event(tournament=tournament, event=left, by=None)
    assert names_at_tables(tournament, 1).count("Ingrid") == 1
    substitute(tournament=tournament, entry=third, name="Benoît", table=at, by=None)
    come_back(tournament=tournament, entry=blue, by=None)
    names = names_at_tables(tournament, 1)
    assert len(names) == len(set(names)) == 8 and sitting_out(tournament, 1) == sorted(foes)
    assert blue.seats.filter(round__number=2).exclude(table=None).exists()


def test_a_team_whose_player_plays_for_another_is_met_by_nobody_who_comes():
    tournament = cast.teams(5)
    start(tournament=tournament, by=None)
    [idle] = sitting_out(tournament, 1)
    captain = Team.objects.get(player__name=idle).members.first().player.name
    other = cast.entry(tournament, sorted(next(iter(matches(tournament, 1))))[0])
    at = other.seats.get(round__number=1, member=0).table
    substitute(tournament=tournament, entry=other, name=captain, table=at, by=None)
    with pytest.raises(Refused, match=f"{captain} already plays for “{other}” in round 1"):
        swap_seats(
            tournament=tournament, round_number=1, one=cast.entry(tournament, idle),
            other=cast.entry(tournament, sorted(set(cast.TEAMS) - {idle, other.player.name})[0]), reason="x", by=None,
        )  # fmt: skip
    enter_late(tournament=tournament, name="Late", members=("Ada", "Bo"), by=None)
    assert sitting_out(tournament, 1) == [idle]
    assert names_at_tables(tournament, 1).count(captain) == 1


def test_a_team_has_its_usual_two_again_only_where_they_play_for_nobody_else():
    tournament = cast.teams(6)
    start(tournament=tournament, by=None)
    blue, red = cast.entry(tournament, "Blue Foxes"), cast.entry(tournament, "Red Owls")
    substitute(tournament=tournament, entry=blue, name="Sven", member=0, by=None)
    substitute(tournament=tournament, entry=red, name="Ana Lucía", member=1, by=None)
    assert "Ana Lucía" in names_at_tables(tournament, 1)
    with pytest.raises(Refused, match="Ana Lucía already plays for “Red Owls” in round 1"):
        end_substitute(tournament=tournament, entry=blue, by=None)
    end_substitute(tournament=tournament, entry=red, by=None)
    end_substitute(tournament=tournament, entry=blue, by=None)
    for number in (1, 2, 3):
        names = names_at_tables(tournament, number)
        assert len(names) == len(set(names)) == 12 and "Sven" not in names


def test_a_round_that_is_undone_comes_without_a_team_that_left_it():
    tournament = cast.teams(6)
    start(tournament=tournament, by=None)
    red, green = cast.entry(tournament, "Red Owls"), cast.entry(tournament, "Green Newts")
    assert matches(tournament, 1) >= {frozenset({"Red Owls", "Team 5"}), frozenset({"Green Newts", "Yellow Bees"})}
    cast.record(red.seats.get(round__number=1, member=0).table, 1)
    drop_out(tournament=tournament, entry=red, by=None)
    drop_out(tournament=tournament, entry=green, by=None)  # whose table had not begun, and is used no more
    undo_round(tournament=tournament, round_number=1, reason="x", by=None)
    assert matches(tournament, 1) == {frozenset({"Blue Foxes", "Team 6"})}
    assert sitting_out(tournament, 1) == ["Team 5", "Yellow Bees"]
    advance(tournament=tournament, token=next_step(tournament).token, by=None)
    [table] = tournament.rounds.living().get(number=1).tables.all()
    assert table.seats.count() == 4


def test_a_team_that_returns_meets_who_sits_out():
    tournament = cast.teams()
    start(tournament=tournament, by=None)
    fill(tournament.rounds.get(number=1))
    red = cast.entry(tournament, "Red Owls")
    drop_out(tournament=tournament, entry=red, came=True, by=None)
    back = come_back(tournament=tournament, entry=red, by=None)
    assert sitting_out(tournament, 2) == sitting_out(tournament, 3) == []
    met = [match for number in (1, 2, 3) for match in matches(tournament, number)]
    assert len(set(met)) == 6
    undo_event(tournament=tournament, event=back, by=None)
    assert len(sitting_out(tournament, 2)) == len(sitting_out(tournament, 3)) == 1


def test_a_team_that_has_left_meets_nobody_who_comes():
    tournament = cast.teams(5)
    start(tournament=tournament, by=None)
    [idle] = sitting_out(tournament, 1)
    drop_out(tournament=tournament, entry=cast.entry(tournament, idle), by=None)
    enter_late(tournament=tournament, name="Late Larks", members=["Yuki", "Olu"], by=None)
    assert sitting_out(tournament, 1) == [idle]
    assert idle not in {name for number in range(1, 6) for match in matches(tournament, number) for name in match}


def test_a_late_team_meets_those_who_sit_out_else_the_rounds_that_nobody_saw_are_drawn_again():
    odd = cast.teams(5)
    start(tournament=odd, by=None)
    event = enter_late(tournament=odd, name="Late Larks", members=["Yuki", "Olu"], by=None)
    for number in range(1, 6):
        assert sitting_out(odd, number) == []
    opponents = [next(m - {"Late Larks"} for m in matches(odd, n) if "Late Larks" in m) for n in range(1, 6)]
    assert len({next(iter(one)) for one in opponents}) == 5
    undo_event(tournament=odd, event=event, by=None)
    assert all(len(sitting_out(odd, number)) == 1 for number in range(1, 6))
    assert not Player.objects.filter(name__in=("Late Larks", "Yuki")).exists()

    even = cast.teams(6)
    start(tournament=even, by=None)
    fill(even.rounds.get(number=1))
    was = seating_of(drafts_of(even))
    event = enter_late(tournament=even, name="Late Larks", members=["Yuki", "Olu"], by=None)
    assert matches(even, 2) and sitting_out(even, 2) == []  # published already
    met = [match for number in range(1, 6) for match in matches(even, number)]
    assert len(met) == len(set(met)) or len(met) - len(set(met)) <= 1
    assert all(len(sitting_out(even, number)) == 1 for number in (3, 4, 5))
    undo_event(tournament=even, event=event, by=None)
    assert seating_of(drafts_of(even)) == was
    with pytest.raises(Refused, match="A team has 2 to 10 players"):
        enter_late(tournament=even, name="Late Larks", members=["Yuki"], by=None)


def test_a_fixed_table_and_a_round_that_is_undone_keep_who_plays():
    tournament = cast.teams()
    draw(tournament=tournament, by=None)
    start(tournament=tournament, by=None)
    blue = cast.entry(tournament, "Blue Foxes")
    substitute(tournament=tournament, entry=blue, name="Ingrid", member=0, by=None)
    set_fixed_table(tournament=tournament, entry=blue, number=2, by=None)
    assert all("Ingrid" in seats(tournament, number)[2] for number in (2, 3))
    was = seats(tournament, 1)
    undo_round(tournament=tournament, round_number=1, reason="too early", by=None)
    assert tournament.rounds.living().get(number=1).state == Round.State.DRAFT
    assert seats(tournament, 1) == was


def test_an_evening_of_teams_is_played_to_its_final_standings():
    tournament = cast.play(cast.teams(3))
    step = next_step(tournament)
    assert step.kind == "finish"
    advance(tournament=tournament, token=step.token, by=tournament.owner)
    assert Tournament.objects.get(pk=tournament.pk).is_final
    assert Entry.objects.filter(tournament=tournament).count() == 3


def test_whoever_leaves_twice_is_told():
    tournament = cast.teams()
    start(tournament=tournament, by=None)
    red = cast.entry(tournament, "Red Owls")
    drop_out(tournament=tournament, entry=red, came=False, by=None)
    with pytest.raises(Conflict, match="Red Owls has dropped out already"):
        drop_out(tournament=tournament, entry=red, by=None)


def test_the_order_in_which_a_team_comes_and_another_leaves_does_not_change_who_plays():
    tournament = cast.teams(8, hands_per_round=1)
    start(tournament=tournament, by=None)
    before = whole_seating(tournament)

    def come():
        return enter_late(tournament=tournament, name="Orange Cats", members=["Kim", "Lea"], by=None)

    def go():
        return drop_out(tournament=tournament, entry=cast.entry(tournament, "Blue Foxes"), by=None)

    for changes in ((go, come), (come, go)):
        events = [change() for change in changes]
        for played in tournament.rounds.living():
            assert not sitting_out(tournament, played.number), played.number
            assert len(matches(tournament, played.number)) == 4
        for event in reversed(events):
            undo_event(tournament=tournament, event=event, by=None)
        assert whole_seating(tournament) == before


def test_the_opponent_of_a_team_that_leaves_meets_the_team_with_a_bye():
    tournament = cast.teams(9, hands_per_round=1, bye_points=10)
    start(tournament=tournament, by=None)
    before = whole_seating(tournament)
    [idle] = sitting_out(tournament, 1)
    leaver = cast.entry(tournament, sorted(next(iter(matches(tournament, 1))))[0])

    event = drop_out(tournament=tournament, entry=leaver, by=None)

    assert all(not sitting_out(tournament, played.number) for played in tournament.rounds.living())
    assert not Adjustment.objects.filter(kind="bye", voided_at=None).exists()
    undo_event(tournament=tournament, event=event, by=None)
    assert whole_seating(tournament) == before
    assert sitting_out(tournament, 1) == [idle]
    assert Adjustment.objects.get(kind="bye", voided_at=None).points == 10
