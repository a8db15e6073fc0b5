"""Create the next season: promotions, relegations, copied rules."""

import re
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict
from league.log.write import member, note_in_club
from league.models import Division, DivisionPlayer, Player, Season, Tournament, User
from league.seasons.seasons import (
    check_name,
    close_season,
    free_slug,
    in_log,
    lock_season,
    names_of_seasons,
    put_in_season,
)
from league.seasons.table import DOWN, STAYS, UP, season_table

JOINS = "joins"
STEP = {UP: -1, DOWN: 1, STAYS: 0}


@dataclass(frozen=True)
class Change:
    """A player's division before and after. before None: they had none."""

    player: Player
    before: Division | None
    division: Division


@dataclass(frozen=True)
class RollOver:
    """season: the new one; in a preview rolled back, so it has no address.

    joins: players without a division, who enter the lowest. Lists start with the highest division, in order of the
    standings.
    """

    season: Season
    up: tuple[Change, ...]
    down: tuple[Change, ...]
    stays: tuple[Change, ...]
    joins: tuple[Change, ...]


class _TakenBackError(Exception):
    """Roll back the transaction of a preview."""


def preview_roll_over(*, season: Season, by: User | None, name: str = "") -> RollOver:
    """Return the result of `roll_over` without saving it. Raises the same errors."""
    outcome: list[RollOver] = []
    try:
        with transaction.atomic():
            outcome.append(roll_over(season=season, by=by, name=name))
            raise _TakenBackError
    except _TakenBackError:
        return outcome[0]


@transaction.atomic
def roll_over(*, season: Season, by: User | None, name: str = "") -> RollOver:
    """Create the next season from an ended one: same rules and divisions, players placed by its standings.

    name: empty for `next_name`, or the next free one after it. Repeating it changes nothing and returns the same
    result. Raises `Conflict` while the season is open, and `Refused` for a name already used in the club.
    """
    season = lock_season(season)
    if season.closed_at is None:
        raise Conflict("season-open", _("End the season first. Its standings decide the divisions."))
    following = Season.objects.filter(before=season).first()
    if following is not None:
        return _changes(season, following)
    following = _make_season(season, name.strip() or free_next_name(season))
    done = _changes(season, following)
    DivisionPlayer.objects.bulk_create(
        DivisionPlayer(season=following, division=change.division, player=change.player)
        for change in (*done.up, *done.down, *done.stays, *done.joins)
    )
    moved = [
        member(change.player) | {"was": str(change.before or ""), "division": str(change.division)}
        for change in (*done.up, *done.down, *done.joins)
    ]
    new = in_log(following) | {"moved": moved}
    note_in_club(club=season.club, by=by, action="roll-over", old=in_log(season), new=new)
    return done


@transaction.atomic
def end_and_move_on(*, season: Season, by: User | None) -> RollOver:
    """End a season, create the next one, and move tournaments that haven't started into it.

    They keep their division, by its number. Raises the errors of `close_season` and `roll_over`.
    """
    # Lock all of them like close_season: tournaments are locked before their club.
    tournaments = [lock_tournament(pk) for pk in sorted(season.tournaments.values_list("pk", flat=True))]
    planned = [tournament for tournament in tournaments if tournament.state == Tournament.State.PLANNED]
    moving = [one for one in planned if one.season_id == season.pk and not one.is_called_off]
    numbers = {one.pk: one.division.number if one.division else None for one in moving}
    for tournament in moving:
        put_in_season(tournament=tournament, season=None, by=by)
    season = close_season(season=season, by=by)
    done = roll_over(season=season, by=by)
    divisions = {division.number: division for division in done.season.divisions.all()}
    for tournament in moving:
        division = divisions.get(numbers[tournament.pk] or 0)
        put_in_season(tournament=tournament, season=done.season, division=division, by=by)
    return done


def free_next_name(season: Season) -> str:
    """Return `next_name`, or the first free name after it."""
    taken, name = names_of_seasons(season.club), next_name(season.name)
    for _taken in taken:
        name = next_name(name) if name.casefold() in taken else name
    return name


def next_name(name: str) -> str:
    """Such as “League 2027” after “League 2026”, “2027/28” after “2026/27”, “Winter 2” after “Winter”."""
    years = re.fullmatch(r"(.*?)([0-9]{4})([/–-])([0-9]{2}|[0-9]{4})", name)
    if years is not None:
        return f"{years[1]}{_next(years[2])}{years[3]}{_next(years[4])[-len(years[4]) :]}"
    counted = re.fullmatch(r"(.*?)([0-9]{1,6})", name)
    return f"{counted[1]}{_next(counted[2])}"[:80] if counted else f"{name[:78]} 2"


def _next(number: str) -> str:
    return f"{int(number) + 1:0{len(number)}}"


def _make_season(season: Season, name: str) -> Season:
    following = Season(
        club=season.club,
        slug=free_slug(season.club, name),
        name=name[:80],
        counts=season.counts,
        place_points=season.place_points,
        best_of=season.best_of,
        min_evenings=season.min_evenings,
        before=season,
    )
    check_name(following)
    following.save()
    Division.objects.bulk_create(
        Division(season=following, number=division.number, name=division.name, up=division.up, down=division.down)
        for division in season.divisions.order_by("number")
    )
    return following


def _changes(season: Season, following: Season) -> RollOver:
    """Return the new division of each living player in the frozen standings, each once: records may be merged."""
    divisions = list(following.divisions.order_by("number"))
    lists: dict[str, list[Change]] = {UP: [], DOWN: [], STAYS: [], JOINS: []}
    seen: set[int] = set()
    for table in season_table(season).divisions if divisions else ():
        for line in table.lines:
            if line.player.pk in seen or line.player.erased_at is not None:
                continue
            seen.add(line.player.pk)
            number = table.division.number + STEP[line.moves] if table.division else len(divisions)
            to = divisions[min(max(number, 1), len(divisions)) - 1]
            lists[line.moves if table.division else JOINS].append(Change(line.player, table.division, to))
    return RollOver(following, *map(tuple, lists.values()))
