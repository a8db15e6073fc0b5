"""A season of guests with messy names equals the same season of members; joining, undoing and splitting follow."""

from datetime import timedelta

import pytest

from league.clubs.entry_person import split_entry
from league.clubs.members import add_members
from league.clubs.same_people import join_pairs, probable_pairs, undo_form
from league.entries.list_order import rename_entry
from league.entries.roster.parse import parse
from league.lib.names import name_key
from league.models import Player
from league.seasons.seasons import create_season, put_in_season
from league.seasons.table import season_table
from tests import cast
from tests.league.seasons.test_season_from_exports import DAY, RULES, by_hand, told

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NAMES = ("Ann Schmidt", "Chloé Martin", "Đorđe Petrović", "Jan Dvořák", "Eva Lund")
SPELLINGS = (
    str,
    str.upper,
    lambda name: name.replace(" ", "  "),
    lambda name: ", ".join(reversed(name.split())),
    lambda name: name.translate(str.maketrans("éĐđćřá", "eDdcra")).lower(),
)


def season_of_ten(club, spelled):
    season = create_season(club=club, by=club.owner, name="Season", **RULES)
    for number in range(10):
        names = [spelled(name, number + at) for at, name in enumerate(NAMES)]
        rows = parse("name\n" + "\n".join(f'"{name}"' for name in names[number % 2 :])).rows
        made = cast.tournament(
            rows, club=club, name=f"Event {number}", starts_on=DAY + timedelta(weeks=number),
            format="points", table_size=5, rounds=1, hands_per_round=2,
        )  # fmt: skip
        put_in_season(tournament=made, season=season, by=club.owner)
        cast.play(made)
    return season


def points(season):
    """{name without its spelling: (rank, total, what each event gave)}"""
    [table] = season_table(season).divisions
    return {
        name_key(line.player.name): (line.rank, line.total, tuple(one and one.gives for one in line.results))
        for line in table.lines
    }


def test_a_season_of_guests_equals_that_of_members_and_follows_joining_undoing_and_splitting():
    with_members = cast.club(name="Members", members=0)
    add_members(club=with_members, players=parse("\n".join(NAMES)).rows, by=with_members.owner)
    expected = season_of_ten(with_members, lambda name, _at: name)
    club = cast.club(name="Guests")
    season = season_of_ten(club, lambda name, at: SPELLINGS[at % len(SPELLINGS)](name))
    apart = told(season)
    assert len(apart[None]) > len(NAMES)  # “Last, First” is never taken without a look
    assert apart == by_hand(season)
    pairs = probable_pairs(club)
    assert all(pair.is_probable for pair in pairs)
    join_pairs(club=club, pairs=[pair.public_ids for pair in pairs], by=club.owner, form_key="0" * 16)
    assert len(points(season)) == len(NAMES) and points(season) == points(expected)
    assert told(season) == by_hand(season)
    assert [line[2] for line in told(expected)[None]] == [line[2] for line in by_hand(expected)[None]]
    undo_form(club=club, form_key="0" * 16, by=club.owner)
    assert told(season) == by_hand(season) == apart
    join_pairs(club=club, pairs=[pair.public_ids for pair in pairs], by=club.owner, form_key="1" * 16)
    before = points(season)
    # One entry becomes a new person, who gets another name since the second computation goes by names.
    made = season.tournaments.get(name="Event 4")
    entry = next(one for one in made.entries.all() if name_key(one.player.name) == name_key("Eva Lund"))
    new = split_entry(entry=entry, by=club.owner)
    entry.refresh_from_db()
    rename_entry(entry=entry, name="Eva Berg", club="", by=club.owner)
    assert told(season) == by_hand(season)
    assert points(season)[name_key("Eva Berg")][2][4] == before[name_key("Eva Lund")][2][4]
    eva = next(one for one in Player.objects.filter(merged_into=None, entries__tournament__club=club).distinct()
               if name_key(one.name) == name_key("Eva Lund"))  # fmt: skip
    join_pairs(club=club, pairs=[(eva.public_id, new.public_id)], by=club.owner)
    assert points(season) == before and told(season) == by_hand(season)
