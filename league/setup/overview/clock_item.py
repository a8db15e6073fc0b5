"""Inbox item of a clock that ran out while tables still play."""

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import Access
from league.ledger.progress import missing_tables
from league.lib.translate import names
from league.models import Round, Tournament
from league.pages.inbox import InboxItem
from league.pages.links import Button
from league.rounds.time_left import clock_of

ADDED = 5  # minutes that the button adds


def items(tournament: Tournament, viewer: Access) -> list[InboxItem]:
    if not viewer.corrects or tournament.state != Tournament.State.RUNNING:
        return []
    now = timezone.now()
    open_rounds = tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    played = open_rounds.select_related("stage").filter(ends_at__lte=now).first()
    if played is None:
        return []
    late = {table.number: clock_of(played, table, now) for table, _hands in missing_tables(played)}
    clocks = {number: clock for number, clock in late.items() if clock is not None and clock.state == "up"}
    if not clocks:
        return []
    since = min(clock.ends for clock in clocks.values() if clock.ends)
    playing = ngettext("Table %(numbers)s is still playing.", "Tables %(numbers)s are still playing.", len(clocks))
    state = ("shown", next(iter(clocks.values())).shown)
    url = reverse("clock", args=[tournament.slug])
    return [
        InboxItem(
            key=f"clock-{played.number}",
            icon="i-clock",
            title=_("Time was up at %(time)s") % {"time": date_format(since.astimezone(tournament.zone), "H:i")},
            line=playing % {"numbers": names(str(number) for number in sorted(clocks))},
            since=since,
            actions=(
                Button(
                    _("+%(minutes)s min") % {"minutes": ADDED},
                    url,
                    "do",
                    "add",
                    hidden=(state, ("minutes", str(ADDED))),
                ),
                Button(_("Remove the clock"), url, "do", "stop", hidden=(state,)),
            ),
        )
    ]
