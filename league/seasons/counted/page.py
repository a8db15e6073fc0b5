"""Events of a club that can count in a season, as a list to tick, latest first."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.lib.errors import Conflict, Refused
from league.models import Division, Season, Tournament, User
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
from league.seasons.seasons import lock_season, set_evenings

COUNT, NOT = "count", "not"


def events_to_choose(season: Season) -> list[Tournament]:
    """Return the club's events of this season or of none."""
    events = season.club.tournaments.events().filter(Q(season=None) | Q(season=season))
    return list(events.select_related("division"))


def actions_of(divisions: Sequence[Division]) -> dict[str, int | None]:
    """Return {value of a button: number of the division, None for all}."""
    return {COUNT: None, NOT: None, **{f"for-{division.number}": division.number for division in divisions}}


def events_list(season: Season, filters: ListFilters) -> PeopleList:
    divisions = list(season.divisions.order_by("number"))
    at = [season.club.slug, season.slug]
    counts = [BulkAction(f"for-{one.number}", _("For %(division)s") % {"division": one.name}) for one in divisions]
    actions = (BulkAction(COUNT, _("Count"), is_main=True), BulkAction(NOT, _("Leave out")), *counts)
    of = ListOf(
        url=reverse("season_evenings", args=at),
        find=_("Find a tournament"),
        id_of=lambda event: event.slug,
        name_of=lambda event: event.name,
        row=lambda event: _row(event, season),
        views=(
            ViewOf("all", _("All"), order=_latest),
            ViewOf("in", _("Counting"), lambda event: event.season_id == season.pk, _latest),
            ViewOf("out", _("Not counting"), lambda event: event.season_id != season.pk, _latest),
        ),
        columns=(_("Date"), _("Counts")),
        bulk=Bulk(reverse("season_evenings_ticked", args=at), actions) if season.closed_at is None else None,
        nothing=_("No tournament here."),
    )
    return people_list(events_to_choose(season), of, filters)


def _latest(event: Tournament) -> tuple[int, int]:
    return (-event.starts_on.toordinal(), -event.pk)


def _row(event: Tournament, season: Season) -> PersonRow:
    day = date_format(event.starts_on, _("j F Y"))
    counts = _("no")
    if event.season_id == season.pk:
        counts = _("for %(division)s") % {"division": event.division.name} if event.division else _("yes")
    return PersonRow(
        id=event.slug,
        name=event.name,
        line=_("%(day)s, counts: %(counts)s") % {"day": day, "counts": counts},
        cells=(day, counts),
        url=event.get_absolute_url(),
    )


@dataclass(frozen=True)
class Counted:
    """changed, before, elsewhere: names of events changed now, already so, or in another season."""

    changed: tuple[str, ...]
    before: tuple[str, ...]
    elsewhere: tuple[str, ...]


@transaction.atomic
def count_events(*, season: Season, slugs: Sequence[str], do: str, by: User | None) -> Counted:
    """Make events count for all, for a division, or not. Skips events of other seasons.

    Raises `Refused` for events outside the club, and `Conflict` for a deleted division.
    """
    season = lock_season(season)
    number = actions_of(list(season.divisions.all())).get(do)
    division = season.divisions.filter(number=number).first() if number is not None else None
    if do.startswith("for-") and division is None:
        raise Conflict("no-division", _("This division was deleted. Reload the page."))
    offered = {event.slug: event for event in events_to_choose(season)}
    others = season.club.tournaments.events().exclude(season=None).exclude(season=season).filter(slug__in=slugs)
    elsewhere = tuple(event.name for event in others)
    chosen = [offered[slug] for slug in slugs if slug in offered]
    if len(chosen) + len(elsewhere) < len(slugs):
        raise Refused("unknown", _("This page is outdated. Nothing changed; reload it."))
    wanted = {event.pk: (event, event.division) for event in offered.values() if event.season_id == season.pk}
    was = {key: place[1] for key, place in wanted.items()}
    changed: list[str] = []
    before: list[str] = []
    for event in chosen:
        is_so = event.pk not in was if do == NOT else event.pk in was and was[event.pk] == division
        (before if is_so else changed).append(event.name)
        if do == NOT:
            wanted.pop(event.pk, None)
        else:
            wanted[event.pk] = (event, division)
    if changed:
        set_evenings(season=season, evenings=wanted.values(), by=by)
    return Counted(tuple(changed), tuple(before), elsewhere)


def counted_in_words(done: Counted, do: str) -> str:
    count, sentences = len(done.changed), []
    if count:
        more = ngettext("%(names)s counts now.", "%(count)d tournaments count now: %(names)s.", count)
        fewer = ngettext("%(names)s no longer counts.", "%(count)d tournaments no longer count: %(names)s.", count)
        sentences.append((fewer if do == NOT else more) % {"count": count, "names": in_names(done.changed)})
    if done.before:
        words = ngettext("Unchanged: %(names)s.", "Unchanged: %(names)s.", len(done.before))
        sentences.append(words % {"names": in_names(done.before)})
    if done.elsewhere:
        words = ngettext(
            "%(names)s counts in another season.", "%(names)s count in another season.", len(done.elsewhere)
        )
        sentences.append(words % {"names": in_names(done.elsewhere)})
    return " ".join(sentences)
