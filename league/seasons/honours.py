"""First three of each division of a club's ended seasons, frozen at the season's end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from league.access import ClubAccess
from league.models import Division, Player, Season
from league.seasons.table import stands_for
from league.seasons.visibility import Seen

LAST_RANK = 3


@dataclass(frozen=True)
class Honour:
    """A player with rank and total. url: profile, if the viewer may see it."""

    rank: int
    tied: bool
    name: str
    url: str
    total: int


@dataclass(frozen=True)
class DivisionHonours:
    """division: name; empty in a season without divisions."""

    division: str
    places: Sequence[Honour]


@dataclass(frozen=True)
class SeasonHonours:
    season: str
    url: str
    divisions: Sequence[DivisionHonours]


@dataclass(frozen=True)
class _Known:
    """evenings: keys visible to the viewer. people: by public id. divisions: names by key."""

    access: ClubAccess
    evenings: frozenset[int]
    people: Mapping[str, Player]
    divisions: Mapping[int, str]


def honours_of(access: ClubAccess, seasons: Sequence[Season]) -> list[SeasonHonours]:
    """Return the honours of the ended seasons, in the given order. Three queries for any number."""
    ended = [season for season in seasons if season.final is not None]
    known = _read(access, ended)
    listed = (
        SeasonHonours(season.name, reverse("season", args=[access.club.slug, season.slug]), list(_of(season, known)))
        for season in ended
    )
    return [season for season in listed if season.divisions]


def _read(access: ClubAccess, seasons: Sequence[Season]) -> _Known:
    lines = [line for season in seasons for part in _parts(season) for line in part["lines"]]
    ids = {line["player_id"] for line in lines if _is_first(line)}
    people = Player.objects.select_related("merged_into__merged_into").filter(public_id__in=ids)
    evenings = {key for season in seasons for key in (season.final or {})["evenings"]}
    return _Known(
        access,
        frozenset(access.tournaments().filter(pk__in=evenings).values_list("pk", flat=True)),
        {player.public_id: stands_for(player) for player in people},
        dict(Division.objects.filter(season__in=[season.pk for season in seasons]).values_list("pk", "name")),
    )


def _parts(season: Season) -> Sequence[Mapping[str, Any]]:
    """Return the divisions of frozen standings, without players outside all divisions."""
    parts: Sequence[Mapping[str, Any]] = (season.final or {"divisions": []})["divisions"]
    return [part for part in parts if part["division"] is not None] or parts


def _is_first(line: Mapping[str, Any]) -> bool:
    return line["rank"] is not None and line["rank"] <= LAST_RANK


def _of(season: Season, known: _Known) -> Iterator[DivisionHonours]:
    for part in _parts(season):
        lines = [line for line in part["lines"] if _is_first(line) and line["player_id"] in known.people]
        if lines:
            name = known.divisions.get(part["division"], "") if part["division"] is not None else ""
            yield DivisionHonours(name, [_honour(season, line, known) for line in lines])


def _honour(season: Season, line: Mapping[str, Any], known: _Known) -> Honour:
    player, access = known.people[line["player_id"]], known.access
    seen = Seen(access, known.evenings, _unnamed(season, line, known))
    is_open = seen.id_of(player) is not None and player.club_id == access.club.pk and access.sees_profile(player)
    url = reverse("profile", args=[access.club.slug, player.public_id]) if is_open and not player.erased_at else ""
    return Honour(line["rank"], line["tied"], seen.name_of(player), url, line["total"])


def _unnamed(season: Season, line: Mapping[str, Any], known: _Known) -> frozenset[int]:
    """Return the player's key if they played only in tournaments hidden from the viewer."""
    evenings = (season.final or {})["evenings"]
    played = {key for key, result in zip(evenings, line["results"], strict=True) if result is not None}
    is_known = known.access.inside or not played or bool(played & known.evenings)
    return frozenset() if is_known else frozenset({known.people[line["player_id"]].pk})
