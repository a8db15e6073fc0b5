"""Page that places players in divisions, as a value."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubAccess
from league.lib.translate import figure, label_text
from league.models import Division, Player, Season
from league.pages.links import Button
from league.pages.people_list import (
    Bulk,
    BulkAction,
    ListFilters,
    ListOf,
    PeopleList,
    PersonRow,
    ViewOf,
    in_names,
    people_list,
)
from league.ratings.results import latest_ratings
from league.seasons.divisions.placing import Placed, badge_of, people_to_place

NONE = "none"  # form value for no division


@dataclass(frozen=True)
class PlacingPage:
    """counts: such as “A 20, B 20, 3 in no division”. split: button that splits by rating; None without ratings.

    takes_list: whether a list can be sent.
    """

    people: PeopleList
    counts: str
    split: Button | None
    has_divisions: bool
    refusal: str = ""
    takes_list: bool = False


@dataclass(frozen=True)
class Place:
    """A person with their division and rating, if any."""

    player: Player
    division: Division | None
    rating: int | None
    is_guest: bool


def division_actions(divisions: Sequence[Division]) -> dict[str, int | None]:
    """Return {value of a button: number of the division, None for none}."""
    return {**{f"to-{division.number}": division.number for division in divisions}, f"to-{NONE}": None}


def placing_page(access: ClubAccess, season: Season, filters: ListFilters, refusal: str = "") -> PlacingPage:
    divisions = list(season.divisions.order_by("number"))
    places = _places(access, season, divisions)
    people = people_list(places, _list_of(access, season, divisions, places), filters)
    return PlacingPage(
        people=people,
        counts=_counts(divisions, places),
        split=_split(season, divisions, places),
        has_divisions=bool(divisions),
        refusal=refusal,
        takes_list=season.closed_at is None,
    )


def division_rows(access: ClubAccess, season: Season) -> Iterator[dict[str, str]]:
    """Yield a row a person with their division; empty for none. The page accepts them as a list."""
    for place in _places(access, season, list(season.divisions.order_by("number"))):
        division = place.division.name if place.division else ""
        yield {"name": place.player.name, "player_id": place.player.public_id, "division": division}


def _places(access: ClubAccess, season: Season, divisions: Sequence[Division]) -> list[Place]:
    people = people_to_place(season)
    of_player = dict(season.placed.values_list("player", "division"))
    by_key = {division.pk: division for division in divisions}
    ratings = latest_ratings(access.club, [player.pk for player in people])
    return [
        Place(
            player=player,
            division=by_key.get(of_player.get(player.pk, 0)),
            rating=ratings[player.pk].figure if player.pk in ratings else None,
            is_guest=player.club_id != access.club.pk,
        )
        for player in people
    ]


def _list_of(
    access: ClubAccess, season: Season, divisions: Sequence[Division], places: Sequence[Place]
) -> ListOf[Place]:
    by_name = ViewOf[Place]("name", _("By name"), is_counted=False)
    by_division = ViewOf[Place]("division", _("By division"), order=_division_order, is_counted=False)
    by_rating = ViewOf[Place]("rating", _("By rating"), order=lambda place: (-(place.rating or 0),), is_counted=False)
    rated = any(place.rating for place in places)
    at = [access.club.slug, season.slug]
    return ListOf(
        url=reverse("season_players", args=at),
        find=_("Find a name"),
        id_of=lambda place: place.player.public_id,
        name_of=lambda place: place.player.name,
        row=lambda place: _row(access, place, rated),
        views=(by_name, *((by_rating,) if rated else ()), by_division),
        columns=(_("Division"), _("Rating")) if rated else (_("Division"),),
        bulk=_bulk(season, divisions) if season.closed_at is None else None,
    )


def _division_order(place: Place) -> tuple[int]:
    return (place.division.number if place.division else 99,)


def _bulk(season: Season, divisions: Sequence[Division]) -> Bulk:
    to_division = [
        BulkAction(f"to-{division.number}", _("To %(division)s") % {"division": badge_of(division)})
        for division in divisions
    ]
    actions = (*to_division, BulkAction(f"to-{NONE}", _("No division")))
    return Bulk(reverse("season_players_ticked", args=[season.club.slug, season.slug]), actions)


def _row(access: ClubAccess, place: Place, rated: bool) -> PersonRow:
    division = place.division.name if place.division else _("No division")
    rating = figure(place.rating) if place.rating else ""
    about = [_("rating %(figure)s") % {"figure": rating}] if rating else []
    return PersonRow(
        id=place.player.public_id,
        name=place.player.name,
        line=", ".join([division, *about]),
        cells=(division, rating or "–") if rated else (division,),
        url="" if place.is_guest else reverse("profile", args=[access.club.slug, place.player.public_id]),
        mark=_("guest") if place.is_guest else "",
        badge=badge_of(place.division) if place.division else "–",
        badge_label=label_text(_("Division"), division),
    )


def _counts(divisions: Sequence[Division], places: Sequence[Place]) -> str:
    counts = Counter(place.division.number if place.division else 0 for place in places)
    words = [f"{badge_of(division)} {counts[division.number]}" for division in divisions]
    if counts[0]:
        words.append(ngettext("%(count)d in no division", "%(count)d in no division", counts[0]) % {"count": counts[0]})
    return ", ".join(words)


def _split(season: Season, divisions: Sequence[Division], places: Sequence[Place]) -> Button | None:
    if season.closed_at or len(divisions) < 2 or not any(place.rating for place in places):
        return None
    words = {2: _("Split into halves by rating"), 3: _("Split into thirds by rating")}
    label = words.get(len(divisions)) or _("Split evenly by rating")
    return Button(label, reverse("split_by_rating", args=[season.club.slug, season.slug]))


def placed_in_words(done: Placed, to: str) -> str:
    """Such as “2 people are now in Division A: Ana and Bo. Chidi was there already.” to: empty for no division."""
    count, sentences = len(done.people), []
    about = {"division": to, "names": in_names(done.people), "count": count}
    in_division = ngettext(
        "%(names)s is now in %(division)s.", "%(count)d people are now in %(division)s: %(names)s.", count
    )
    in_none = ngettext("%(names)s has no division now.", "%(count)d people have no division now: %(names)s.", count)
    if done.people:
        sentences.append((in_division if to else in_none) % about)
    if done.before:
        words = ngettext("%(names)s was there already.", "%(names)s were there already.", len(done.before))
        sentences.append(words % {"names": in_names(done.before)})
    if done.gone:
        words = ngettext("%(names)s has left the club.", "%(names)s have left the club.", len(done.gone))
        sentences.append(words % {"names": in_names(done.gone)})
    return " ".join(sentences)


def split_in_words(done: Placed, counts: str) -> str:
    """counts: from the page."""
    sentences = [_("Split by rating: %(counts)s.") % {"counts": counts}]
    if done.unrated:
        words = ngettext(
            "%(names)s has no rating and stays.", "%(count)d have no rating and stay: %(names)s.", len(done.unrated)
        )
        sentences.append(words % {"count": len(done.unrated), "names": in_names(done.unrated)})
    return " ".join(sentences)


def listed_in_words(done: Placed, counts: str) -> str:
    """counts: from the page."""
    count = len(done.people)
    if not count:
        return _("No changes: everyone was already placed like this.")
    words = ngettext("%(count)d person was placed: %(names)s.", "%(count)d people were placed: %(names)s.", count)
    about = {"count": count, "names": in_names(done.people)}
    return " ".join((words % about, _("Divisions: %(counts)s.") % {"counts": counts}))


def back_in_words(done: Placed) -> str:
    words = ngettext("%(names)s is back.", "%(count)d people moved back: %(names)s.", len(done.people))
    return words % {"count": len(done.people), "names": in_names(done.people)}
