"""The table of a season: what an evening gives, which evenings count, who is ahead of whom, who changes division."""

from datetime import date, timedelta
from hashlib import sha256
from json import dumps

import pytest
from django.utils import timezone

from league.clubs.clubs import put_in_club
from league.clubs.members import remove_member
from league.clubs.merge import merge
from league.erasure.erase import erase_player
from league.lib.errors import Conflict, Refused
from league.models import ClubLogEntry, Division, Player, Season, Stage, Tournament
from league.seasons import table as season_table
from league.seasons.evenings import Result
from league.seasons.next_season import next_name, preview_roll_over, roll_over
from league.seasons.seasons import (
    DivisionWanted,
    change_season,
    close_season,
    create_season,
    place_players,
    put_in_season,
    reopen_season,
    set_divisions,
    set_evenings,
)
from tests import cast

pytestmark = pytest.mark.django_db

DAY = date(2026, 1, 10)
ANA, BEN, CHI, DOR, EMI, FAR, XIA, ZOE = cast.CAST


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    return cast.club(members=8)


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


@pytest.fixture
def came_to(monkeypatch):
    """{name of an evening: {player: (place, points)}}: what evenings came to, without playing them."""
    told = {}

    def evenings(tournaments):
        people = {player.name: player.pk for player in Player.objects.filter(merged_into=None)}
        return {
            one.pk: tuple(Result(people[name], *result) for name, result in told.get(one.name, {}).items())
            for one in tournaments
        }

    monkeypatch.setattr(season_table, "evenings", evenings)
    return told


def season_of(club, *, name="League 2026", **rules):
    wanted = {"place_points": [10, 6, 3, 1]} | rules
    return create_season(club=club, by=club.owner, name=name, **wanted)


def evening(season, number, division=None, **fields):
    """A tournament without a hand, which counts in the season."""
    day = DAY + timedelta(weeks=number)
    wanted = {"slug": f"evening-{season.pk}-{number}", "name": str(number), "state": "closed"}
    made = Tournament.objects.create(**(wanted | fields), club=season.club, owner=season.club.owner, starts_on=day)
    Stage.objects.create(tournament=made)
    return put_in_season(tournament=made, season=season, division=division, by=season.club.owner)


def table_of(season):
    season.refresh_from_db()
    return season_table.season_table(season)


def reopened(season):
    """As it would be read if it had not ended."""
    season = Season.objects.select_related("club").get(pk=season.pk)
    season.final = None
    return season


def lines(table, division=0):
    return [(line.rank, line.player.name, line.total) for line in table.divisions[division].lines]


def places(*names):
    """Of whom came in so, 100 points for the first, 90 for the second ..."""
    return {name: (place, 110 - 10 * place) for place, name in enumerate(names, 1)}


# What an evening gives.


def test_a_place_gives_its_points_equal_places_give_the_same_and_who_is_behind_the_last_gets_as_much(club, came_to):
    season = season_of(club)
    evening(season, 1)
    came_to["1"] = {ANA: (1, 80), BEN: (2, 70), CHI: (2, 70), DOR: (4, 50), EMI: (5, 40), FAR: (6, 30)}
    assert [(name, total) for _rank, name, total in lines(table_of(season))] == [
        (ANA, 10), *sorted([(BEN, 6), (CHI, 6)], key=lambda one: lot(season, one[0])),
        *sorted([(DOR, 1), (EMI, 1), (FAR, 1)], key=lambda one: [DOR, EMI, FAR].index(one[0])),
    ]  # fmt: skip


def lot(season, name):
    """As docs/formats.md says how it is drawn."""
    return sha256(f"{season.slug}/{cast.member(season.club, name).public_id}".encode()).hexdigest()


def test_a_season_can_add_up_the_points_of_its_evenings(club, came_to):
    season = season_of(club, counts="points", place_points=[])
    evening(season, 1)
    evening(season, 2)
    came_to["1"], came_to["2"] = places(ANA, BEN), {BEN: (1, 40), ANA: (2, -25)}
    assert lines(table_of(season)) == [(1, BEN, 130), (2, ANA, 75)]


def test_points_that_count_against_who_has_them_are_not_added_to_those_that_count_for_them(club, came_to):
    season = season_of(club, counts="points", place_points=[])
    evening(season, 1)
    Stage.objects.filter(tournament=evening(season, 2)).update(format="challenge", scoring="challenge")
    came_to["1"], came_to["2"] = places(ANA, BEN), {BEN: (1, 40), ANA: (2, 900)}
    table = table_of(season)
    assert lines(table) == [(1, ANA, 100), (2, BEN, 90)]
    assert [one.gives_nothing for one in table.evenings] == [False, True]
    assert [line.evenings_played for line in table.divisions[0].lines] == [2, 2]


def test_who_played_for_two_teams_gets_what_the_better_one_gives(club, monkeypatch):
    season = season_of(club)
    played = evening(season, 1)
    ana, ben = cast.member(club, ANA).pk, cast.member(club, BEN).pk
    results = Result(ana, 1, 80), Result(ben, 1, 80), Result(ana, 2, 70)
    monkeypatch.setattr(season_table, "evenings", lambda tournaments: {played.pk: results})
    assert {(name, total) for _rank, name, total in lines(table_of(season))} == {(ANA, 10), (BEN, 10)}


# Which evenings count.


def test_the_best_evenings_count_and_of_equal_ones_the_earlier(club, came_to):
    season = season_of(club, best_of=2)
    for number in (1, 2, 3):
        evening(season, number)
    came_to["1"] = came_to["3"] = places(ANA, BEN, CHI)
    came_to["2"] = places(BEN, CHI, ANA)
    table = table_of(season)
    assert lines(table) == [(1, ANA, 20), (2, BEN, 16), (3, CHI, 9)]
    counted = {line.player.name: [one.counts for one in line.results] for line in table.divisions[0].lines}
    assert counted == {ANA: [True, False, True], BEN: [True, True, False], CHI: [True, True, False]}


def test_with_too_few_evenings_one_is_listed_and_has_no_place(club, came_to):
    season = season_of(club, min_evenings=2)
    evening(season, 1)
    evening(season, 2)
    came_to["1"], came_to["2"] = places(ANA, BEN, CHI), places(CHI, DOR)
    assert lines(table_of(season)) == [
        (1, CHI, 13),
        (None, ANA, 10),
        *((None, one, 6) for one in drawn(season, BEN, DOR)),
    ]


def drawn(season, *names):
    return sorted(names, key=lambda name: lot(season, name))


def test_the_totals_after_each_evening_are_those_of_the_best_until_then(club, came_to):
    season = season_of(club, best_of=2)
    for number in (1, 2, 3, 4):
        evening(season, number)
    came_to["1"], came_to["2"], came_to["3"] = places(ANA, BEN), places(BEN), places(BEN, ANA)
    table = table_of(season)
    assert season_table.progress(table) == (((6, 16, 20), (10, 10, 16)),)
    assert lines(table) == [(1, BEN, 20), (2, ANA, 16)]


# Who is ahead of whom.


def test_of_equal_totals_more_first_places_are_better_then_more_second_places(club, came_to):
    season = season_of(club, place_points=[4, 3, 2, 1])
    for number in (1, 2, 3):
        evening(season, number)
    came_to["1"] = {ANA: (1, 9), BEN: (2, 8), CHI: (3, 7)}
    came_to["2"] = {ANA: (3, 5), BEN: (2, 6), CHI: (1, 9)}
    came_to["3"] = {CHI: (9, 1), DOR: (2, 8), EMI: (3, 7), FAR: (4, 6)}
    # Ana and Ben have 6, Ana with a first place; Chidi 2 + 4 + 1.
    assert lines(table_of(season)) == [(1, CHI, 7), (2, ANA, 6), (3, BEN, 6), (4, DOR, 3), (5, EMI, 2), (6, FAR, 1)]


def test_of_equal_totals_it_is_better_to_have_one_more_place_however_far_behind(club, came_to):
    season = season_of(club, counts="points", place_points=[])
    evening(season, 1)
    evening(season, 2)
    came_to["1"], came_to["2"] = {ANA: (1, 90), BEN: (2, 70), CHI: (3, 20)}, {CHI: (1, 70)}
    assert lines(table_of(season)) == [(1, CHI, 90), (2, ANA, 90), (3, BEN, 70)]


def test_who_is_equal_in_everything_shares_a_place_and_is_listed_by_a_lot_that_can_be_drawn_again(club, came_to):
    season = season_of(club)
    evening(season, 1)
    evening(season, 2)
    came_to["1"], came_to["2"] = places(ANA, BEN, CHI), places(BEN, ANA, CHI)
    table = table_of(season)
    assert lines(table) == [*((1, name, 16) for name in drawn(season, ANA, BEN)), (3, CHI, 6)]
    assert [line.tied for line in table.divisions[0].lines] == [True, True, False]


# Divisions.


def divided(club, *wanted, **rules):
    season = season_of(club, divisions=[DivisionWanted(*one) for one in wanted], **rules)
    return season, list(season.divisions.order_by("number"))


def put(season, division, *names):
    place_players(
        season=season, places={cast.member(season.club, name): division for name in names}, by=season.club.owner
    )


def test_each_division_has_a_table_with_its_own_evenings_and_those_of_all(club, came_to):
    season, (gold, silver) = divided(club, ("Gold",), ("Silver",))
    put(season, gold, ANA, BEN)
    put(season, silver, CHI, DOR)
    evening(season, 1, gold)
    evening(season, 2, silver)
    evening(season, 3)
    came_to["1"] = places(BEN, CHI, ANA)  # Chidi steps in, which counts for nobody
    came_to["2"] = places(CHI, DOR, EMI)  # Émilie is in none
    came_to["3"] = places(DOR, BEN, CHI)
    table = table_of(season)
    assert lines(table) == [(1, BEN, 16), (2, ANA, 3)]
    assert lines(table, 1) == [(1, DOR, 16), (2, CHI, 13)]
    assert table.divisions[2].division is None
    assert lines(table, 2) == [(1, EMI, 3)]


def test_the_first_go_up_and_the_last_go_down_of_those_who_have_a_place(club, came_to):
    season, (gold, silver) = divided(club, ("Gold", 0, 1), ("Silver", 1, 0), min_evenings=1)
    put(season, gold, ANA, BEN, CHI)
    put(season, silver, DOR, EMI, FAR)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN, DOR, EMI, FAR)  # Chidi was never there
    table = table_of(season)
    moves = {line.player.name: line.moves for one in table.divisions for line in one.lines}
    assert moves == {ANA: "", BEN: "down", CHI: "", DOR: "up", EMI: "", FAR: ""}
    assert lines(table)[-1] == (None, CHI, 0)


def test_in_a_division_with_few_players_going_up_comes_before_going_down(club, came_to):
    season, (_gold, silver, _bronze) = divided(club, ("Gold",), ("Silver", 2, 2), ("Bronze",))
    put(season, silver, ANA, BEN, CHI)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN, CHI)
    assert [line.moves for line in table_of(season).divisions[1].lines] == ["up", "up", "down"]


# The end of a season, and the next one.


def test_an_ended_season_keeps_its_table_and_says_when_its_evenings_say_otherwise(club, came_to):
    season = season_of(club)
    played = evening(season, 1)
    came_to["1"] = places(ANA, BEN)
    close_season(season=season, by=club.owner)
    table = table_of(season)
    assert (table.decided, table.differs, lines(table)) == (True, False, [(1, ANA, 10), (2, BEN, 6)])
    came_to["1"] = places(BEN, ANA)
    table = table_of(season)
    assert (table.decided, table.differs, lines(table)) == (True, True, [(1, ANA, 10), (2, BEN, 6)])
    assert lines(season_table.season_table(reopened(season))) == [(1, BEN, 10), (2, ANA, 6)]
    for change in (
        lambda: change_season(season=season, by=club.owner, best_of=1),
        lambda: set_divisions(season=season, divisions=[DivisionWanted("Gold")], by=club.owner),
        lambda: put_in_season(tournament=played, season=None, by=club.owner),
        lambda: put_in_club(tournament=played, club=None, by=club.owner),
        lambda: put(season, None, ANA),
    ):
        with pytest.raises(Conflict) as refused:
            change()
        assert refused.value.code == "season-ended"
    reopen_season(season=season, reason="A hand was wrong", by=club.owner)
    assert lines(table_of(season)) == [(1, BEN, 10), (2, ANA, 6)]


def test_a_season_ends_only_when_all_of_its_evenings_are_final(club, came_to):
    season = season_of(club)
    with pytest.raises(Conflict, match="no tournaments yet"):
        close_season(season=season, by=club.owner)
    evening(season, 1)
    evening(season, 2, state="running", name="Long Night")
    with pytest.raises(Conflict, match="Long Night"):
        close_season(season=season, by=club.owner)
    with pytest.raises(Conflict, match="End the season first"):
        preview_roll_over(season=season, by=club.owner)


def test_an_evening_that_is_called_off_is_left_out_and_holds_up_nothing(club, came_to):
    season = season_of(club)
    evening(season, 1)
    evening(season, 2, state="planned", paused_at=timezone.now(), is_called_off=True)
    came_to["1"] = places(ANA, BEN)
    assert [one.tournament.name for one in table_of(season).evenings] == ["1"]
    assert close_season(season=season, by=club.owner).closed_at is not None


def promoted(club, came_to):
    """An ended season of three divisions of uneven size: two, three and two players, and Xiaoming and Zoë in none."""
    season, (gold, silver, bronze) = divided(club, ("Gold", 0, 1), ("Silver", 1, 2), ("Bronze", 1, 0))
    put(season, gold, ANA, BEN)
    put(season, silver, CHI, DOR, EMI)
    put(season, bronze, FAR, XIA)  # Xiaoming never comes
    evening(season, 1)
    came_to["1"] = places(BEN, ANA, DOR, CHI, EMI, FAR, ZOE)
    return close_season(season=season, by=club.owner)


def who_is_where(season):
    placed = season.placed.order_by("division__number", "player__name")
    return [(one.division.name, one.player.name) for one in placed.select_related("division", "player")]


AFTER = [
    ("Gold", BEN), ("Gold", DOR), ("Silver", ANA), ("Silver", FAR), ("Bronze", CHI), ("Bronze", XIA), ("Bronze", ZOE),
    ("Bronze", EMI),
]  # fmt: skip


def test_the_next_season_has_the_rules_and_everybody_where_the_table_sends_them(club, came_to):
    season = promoted(club, came_to)
    done = roll_over(season=season, by=club.owner)
    following = done.season
    assert (following.name, following.slug, following.before) == ("League 2027", "league-2027", season)
    assert [(one.name, one.up, one.down) for one in following.divisions.order_by("number")] == [
        ("Gold", 0, 1), ("Silver", 1, 2), ("Bronze", 1, 0)
    ]  # fmt: skip
    assert sorted(who_is_where(following)) == sorted(AFTER)
    assert [(one.player.name, one.before.name, one.division.name) for one in (*done.up, *done.down)] == [
        (DOR, "Silver", "Gold"), (FAR, "Bronze", "Silver"), (ANA, "Gold", "Silver"), (CHI, "Silver", "Bronze"),
        (EMI, "Silver", "Bronze"),
    ]  # fmt: skip
    assert [one.player.name for one in done.stays] == [BEN, XIA]
    assert [(one.player.name, one.before, one.division.name) for one in done.joins] == [(ZOE, None, "Bronze")]


def everything(club):
    return [
        list(rows.order_by("pk").values())
        for rows in (
            club.seasons.all(),
            Division.objects.filter(season__club=club),
            *(one.placed.all() for one in club.seasons.order_by("pk")),
            ClubLogEntry.objects.filter(club=club),
        )
    ]


def test_a_preview_says_what_the_roll_over_does_and_changes_nothing_and_twice_is_as_once(club, came_to):
    season = promoted(club, came_to)
    before = everything(club)
    preview = preview_roll_over(season=season, by=club.owner)
    assert everything(club) == before
    done = roll_over(season=season, by=club.owner)

    def told(one):
        lists = (one.up, one.down, one.stays, one.joins)
        return [[(to.player, to.before, str(to.division)) for to in changes] for changes in lists]

    assert told(preview) == told(done)
    after = everything(club)
    assert after != before
    for name in ("Another name", ""):
        again = roll_over(season=season, by=club.owner, name=name)
        assert again.season == done.season
        assert told(again) == told(done)
    assert everything(club) == after
    with pytest.raises(Conflict, match="League 2027"):
        reopen_season(season=season, reason="x", by=club.owner)


def test_who_was_made_one_person_since_is_in_the_next_season_once(club, came_to):
    season = promoted(club, came_to)
    kept, gone = cast.member(club, BEN), cast.member(club, XIA)
    merge(target=kept, source=gone, by=club.owner)
    table = table_of(season)
    assert table.divisions[2].lines[-1].player == kept
    done = roll_over(season=season, by=club.owner)
    assert sorted(who_is_where(done.season)) == sorted(one for one in AFTER if one[1] != XIA)


def test_who_was_erased_stays_in_the_table_without_a_name_and_out_of_the_next_season(club, came_to):
    season = promoted(club, came_to)
    erase_player(player=cast.member(club, FAR), by=club.owner)
    came_to.clear()
    names = [line.player.name for one in table_of(season).divisions for line in one.lines]
    assert len(names) == 8
    assert FAR not in names
    done = roll_over(season=season, by=club.owner)
    assert sorted(who_is_where(done.season)) == sorted(one for one in AFTER if one[1] != FAR)
    erase_player(player=cast.member(club, XIA), by=club.owner)
    assert len([line for one in table_of(done.season).divisions for line in one.lines]) == 6  # who has played nothing


def test_who_never_played_and_leaves_the_club_stays_in_the_divisions_of_its_seasons(club, came_to):
    season, (gold,) = divided(club, ("Gold",))
    put(season, gold, ANA, BEN, ZOE)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN)
    close_season(season=season, by=club.owner)
    before = lines(table_of(season))
    remove_member(player=cast.member(club, ZOE), by=club.owner)
    assert lines(table_of(season)) == before and before[-1][1] == ZOE
    Player.objects.get(name=ZOE).delete()  # as long as it could be
    table = table_of(season)
    assert [name for _rank, name, _total in lines(table)] == [ANA, BEN] and not table.differs


def test_erasing_somebody_called_like_one_of_our_words_leaves_the_table_as_it_is(club, came_to):
    season = promoted(club, came_to)
    up = cast.member(club, FAR)
    Player.objects.filter(pk=up.pk).update(name="Up")
    season.refresh_from_db()
    before = season.final
    assert '"up"' in dumps(before)
    erase_player(player=up, by=club.owner)
    season.refresh_from_db()
    assert season.final == before


def test_who_was_only_placed_in_a_division_and_left_is_erased_from_the_club_s_log(club):
    season, (gold,) = divided(club, ("Gold",))
    put(season, gold, ZOE)
    zoe = cast.member(club, ZOE)
    remove_member(player=zoe, by=club.owner)
    erase_player(player=Player.objects.get(pk=zoe.pk), by=club.owner)
    assert ZOE not in str([*ClubLogEntry.objects.filter(action="place-players").values_list("old", "new")])


def test_whoever_is_gone_by_now_is_placed_nowhere_and_nobody_in_a_division_that_is(club):
    season, (gold, silver) = divided(club, ("Gold",), ("Silver",))
    ana, ben, chi = (cast.member(club, name) for name in (ANA, BEN, CHI))
    merge(target=ana, source=ben, by=club.owner)
    place_players(season=season, places={ana: gold, ben: gold}, by=club.owner)
    assert [one.player for one in season.placed.all()] == [ana]
    set_divisions(season=season, divisions=[DivisionWanted("Gold")], by=club.owner)
    with pytest.raises(Refused, match="division"):
        place_players(season=season, places={chi: silver}, by=club.owner)
    with pytest.raises(Refused, match="division"):
        evening(season, 1, silver)


def test_a_season_without_divisions_is_followed_by_one_with_its_rules(club, came_to):
    season = season_of(club, name="Winter", best_of=3)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN)
    close_season(season=season, by=club.owner)
    done = roll_over(season=season, by=club.owner, name="Spring")
    assert (done.season.name, done.season.best_of, done.season.place_points) == ("Spring", 3, [10, 6, 3, 1])
    assert not (done.up or done.down or done.stays or done.joins)


def test_the_next_name_counts_on():
    assert [next_name(one) for one in ("League 2026", "Winter", "S09", "Autumn 2026/27", "2098/99", "League 9")] == [
        "League 2027", "Winter 2", "S10", "Autumn 2027/28", "2099/00", "League 10"
    ]  # fmt: skip


def test_the_next_season_gets_a_name_of_its_own_and_its_rules_can_be_changed(club, came_to):
    season = season_of(club, name="Été")
    evening(season, 1)
    came_to["1"] = places(ANA, BEN)
    season_of(club, name="été 2")
    close_season(season=season, by=club.owner)
    with pytest.raises(Refused) as refused:
        roll_over(season=season, by=club.owner, name="ÉTÉ 2")
    assert list(refused.value.fields) == ["name"]
    made = roll_over(season=season, by=club.owner).season
    assert made.name == "Été 3"
    Season.objects.filter(pk=made.pk).update(name="Été 2")  # as it could be before each had to have its own
    made = change_season(season=made, by=club.owner, best_of=2)
    assert (made.name, made.best_of) == ("Été 2", 2)


# What a season's rules may be.


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ({"name": "  "}, "name"),
        ({"place_points": []}, "place_points"),
        ({"place_points": [3, 5]}, "place_points"),
        ({"place_points": [1001]}, "place_points"),
        ({"best_of": 0}, "best_of"),
        ({"min_evenings": 0}, "min_evenings"),
        ({"counts": "medals"}, "counts"),
    ],
)
def test_rules_that_make_no_table_are_refused_with_the_field_at_fault(club, rules, field):
    with pytest.raises(Refused) as refused:
        season_of(club, **rules)
    assert list(refused.value.fields) == [field]
    assert not club.seasons.exists()


def test_two_seasons_whose_names_read_alike_have_two_addresses(club):
    assert [season_of(club, name=name).slug for name in ("Winter", "Winter!", "New", "冬")] == [
        "winter", "winter-2", "new-2", "season"
    ]  # fmt: skip


def test_only_an_evening_of_the_club_counts_and_in_one_season_alone(club):
    first, second = season_of(club), season_of(club, name="Cup")
    alone = Tournament.objects.create(slug="x", name="Elsewhere", owner=club.owner, starts_on=DAY)
    with pytest.raises(Refused, match="Elsewhere"):
        put_in_season(tournament=alone, season=first, by=club.owner)
    played = evening(first, 1)
    set_evenings(season=second, evenings=[(played, None)], by=club.owner)
    assert not first.tournaments.exists()
    assert list(second.tournaments.all()) == [played]
    set_evenings(season=second, evenings=[], by=club.owner)
    assert not second.tournaments.exists()
    actions = ClubLogEntry.objects.filter(club=club).order_by("pk").values_list("action", flat=True)
    assert list(actions)[-3:] == ["put-in-season", "put-in-season", "leave-season"]
