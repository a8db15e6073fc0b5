"""Place players in divisions: ticked, all by rating; undo."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league.access.members import members_of
from league.lib.errors import Conflict, Refused
from league.lib.translate import name_order
from league.models import ClubLogEntry, Division, Player, Season, User
from league.ratings.results import latest_ratings
from league.seasons.seasons import PLACED, lock_season, place_players
from league.seasons.table import season_table


@dataclass(frozen=True)
class Placed:
    """people: moved, by name. before: already there. gone: no longer available. unrated: unmoved, without a rating.

    row: key of the log row, None if nothing changed.
    """

    people: tuple[str, ...]
    before: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unrated: tuple[str, ...] = ()
    row: int | None = None


def badge_of(division: Division) -> str:
    """Return a short name of a division: “A” for “Division A”, else its number."""
    word = division.name.split()[-1]
    return word if len(word) <= 2 else str(division.number)


def people_to_place(season: Season) -> list[Player]:
    """Return the members and everyone who played or is placed in the season, by name."""
    people = {player.pk: player for player in members_of(season.club)}
    for division in season_table(season).divisions:
        people |= {line.player.pk: line.player for line in division.lines if line.player.erased_at is None}
    return sorted(people.values(), key=lambda player: (name_order(player.name), player.pk))


@transaction.atomic
def place_ticked(*, season: Season, ids: Sequence[str], to: int | None, by: User | None) -> Placed:
    """Place people in division number `to`, or in none. Reports people who are no longer available.

    Raises `Refused` for an unknown id, and `Conflict` for a deleted division or an ended season.
    """
    season = lock_season(season)
    division = season.divisions.filter(number=to).first() if to is not None else None
    if to is not None and division is None:
        raise Conflict("no-division", _("This division was deleted. Reload the page."))
    people = {player.public_id: player for player in people_to_place(season)}
    gone = [_name_of(season, public_id) for public_id in ids if public_id not in people]
    if not all(gone):
        raise Refused("unknown", _("This page is outdated. Nothing changed; reload it."))
    wanted = [player for public_id, player in people.items() if public_id in ids]
    return place_all(season=season, places=dict.fromkeys(wanted, division), by=by, gone=tuple(gone))


def _name_of(season: Season, public_id: str) -> str:
    """Return the name of a person who is no longer available; empty for an unknown id."""
    if not public_id.isalnum() or len(public_id) > 12:
        return ""
    left = Player.objects.filter(public_id=public_id, club=season.club).first()
    if left is not None:
        return left.name
    row = ClubLogEntry.objects.filter(club=season.club, old__player_id=public_id).order_by("-pk").first()
    return str(row.old.get("player", "")) if row and row.old else ""


@transaction.atomic
def split_by_rating(*, season: Season, by: User | None) -> Placed:
    """Split all rated people evenly over the divisions, strongest first; others stay.

    Raises `Refused` without ratings, and `Conflict` if the season has ended.
    """
    season = lock_season(season)
    divisions = list(season.divisions.order_by("number"))
    people = people_to_place(season)
    ratings = latest_ratings(season.club, [player.pk for player in people])
    rated = [player for player in people if player.pk in ratings]
    if not rated or not divisions:
        raise Refused("no-ratings", _("No one has a rating yet. Tick players to place them."))
    rated.sort(key=lambda player: -ratings[player.pk].mu)
    places = {player: divisions[at * len(divisions) // len(rated)] for at, player in enumerate(rated)}
    unrated = tuple(player.name for player in people if player.pk not in ratings)
    return place_all(season=season, places=places, by=by, unrated=unrated)


def place_all(
    *,
    season: Season,
    places: dict[Player, Division] | dict[Player, Division | None],
    by: User | None,
    gone: tuple[str, ...] = (),
    unrated: tuple[str, ...] = (),
) -> Placed:
    """Place each of these people. The caller has locked the season."""
    row = place_players(season=season, places=places, by=by)
    moved = {about["player_id"] for about in (row.new or [])} if row else set()
    return Placed(
        people=tuple(player.name for player in places if player.public_id in moved),
        before=tuple(player.name for player in places if player.public_id not in moved),
        gone=gone,
        unrated=unrated,
        row=row.pk if row else None,
    )


@transaction.atomic
def undo_placing(*, season: Season, row: int, by: User | None) -> Placed:
    """Undo a placement (key of its log row) for people who weren't moved since.

    Raises `Conflict` if nothing is left to undo.
    """
    season = lock_season(season)
    entry = ClubLogEntry.objects.filter(club=season.club, action=PLACED, pk=row).first()
    rows = (entry.new or []) if entry else []
    moved = {about["player_id"]: about for about in rows if about.get("season") == season.name}
    divisions = {division.name: division for division in season.divisions.all()}
    now = {place.player_id: place.division.name for place in season.placed.select_related("division")}
    back: dict[Player, Division | None] = {}
    for player in Player.objects.filter(public_id__in=moved):
        about = moved[player.public_id]
        if now.get(player.pk, "") == about["division"] and about["was"] in ("", *divisions):
            back[player] = divisions.get(about["was"])
    done = place_all(season=season, places=back, by=by)
    if not done.people:
        raise Conflict("no-way-back", _("Can’t undo: the divisions have changed since."))
    return done
