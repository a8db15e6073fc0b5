"""Inbox items of players who aren't checked in before round 1."""

from collections.abc import Sequence
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import Access
from league.entries.places import page_of
from league.models import Entry, Round, Seat, SignUpPage, Tournament
from league.pages.inbox import InboxItem
from league.pages.links import Button, Link

SINGLE = 3  # up to this number, absent players get an item each


def items(tournament: Tournament, viewer: Access) -> list[InboxItem]:
    if not viewer.checks_in or tournament.has_begun:
        return []
    entries = list(tournament.entries.select_related("player").order_by("number"))
    absent = [entry for entry in entries if entry.checked_in_at is None]
    if not absent:
        return []
    page, now = page_of(tournament), timezone.now()
    since = _since(entries, page, now)
    if since is None:
        return []
    closes = page.check_in_closes_at if page else None
    if len(absent) > SINGLE or (closes is not None and closes > now):
        return [_together(tournament, len(absent), since)]
    return _each(tournament, absent, since)


def _since(entries: Sequence[Entry], page: SignUpPage | None, now: datetime) -> datetime | None:
    """Return when check-in closed or began; None if it isn't used or hasn't begun."""
    times = [page.check_in_closes_at, page.check_in_opens_at] if page else []
    arrivals = sorted(entry.checked_in_at for entry in entries if entry.checked_in_at is not None)
    return next((at for at in [*times, *arrivals] if at is not None and at <= now), None)


def _together(tournament: Tournament, count: int, since: datetime) -> InboxItem:
    title = ngettext("%(count)s player hasn’t checked in", "%(count)s players haven’t checked in", count)
    return InboxItem(
        key="check-in",
        icon="i-people",
        title=title % {"count": count},
        line=_("Round 1 isn’t published yet."),
        since=since,
        actions=(Link(_("Open check-in"), reverse("check_in", args=[tournament.slug])),),
    )


def _each(tournament: Tournament, absent: Sequence[Entry], since: datetime) -> list[InboxItem]:
    now_url = reverse("tournament", args=[tournament.slug])
    drawn = Seat.objects.filter(round__tournament=tournament, round__state=Round.State.DRAFT, round__number=1)
    seats = drawn.filter(entry__in=absent, table__isnull=False).values_list("entry", "table__number")
    table_of = dict(seats.order_by("-number"))
    sits, unpublished = _("Sits at table %(number)s in round 1."), _("Round 1 isn’t published yet.")
    return [
        InboxItem(
            key=f"check-in-{entry.public_id}",
            icon="i-people",
            title=_("%(name)s hasn’t checked in") % {"name": entry.name},
            line=sits % {"number": table_of[entry.pk]} if entry.pk in table_of else unpublished,
            since=since,
            actions=(
                Button(
                    _("Mark here"),
                    reverse("here", args=[tournament.slug, entry.public_id]),
                    "here",
                    "yes",
                    hidden=(("next", now_url),),
                ),
                Link(_("Replace"), reverse("replace", args=[tournament.slug, entry.public_id])),
            ),
        )
        for entry in absent
    ]
