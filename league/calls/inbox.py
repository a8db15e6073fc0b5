"""Inbox items of waiting calls."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.access import Access
from league.calls.answer import COMING, DONE
from league.calls.call import is_late
from league.calls.read import CallNow, calls_of
from league.lib.translate import label_text, with_markup
from league.models import CallTap, Tournament
from league.pages.inbox import InboxItem
from league.pages.links import Button, Link


def items(tournament: Tournament, viewer: Access) -> list[InboxItem]:
    if not viewer.corrects or tournament.state != Tournament.State.RUNNING:
        return []
    return [item_of(now, tournament.slug) for now in calls_of(tournament)]


def item_of(now: CallNow, slug: str) -> InboxItem:
    call = now.call
    answer = reverse("answer_call", args=[slug, call.pk])
    done = Button(_("Done"), answer, "do", DONE)
    if call.coming is None:
        actions: tuple[Button | Link, ...] = (Button(_("I’m coming"), answer, "do", COMING, is_main=True), done)
    else:
        actions = (done, Link(_("Details"), reverse("calls", args=[slug])))
    words = {"number": call.table.number}
    title = label_text(_("Table %(number)d") % words, now.reason) if now.reason else _("Table %(number)d calls") % words
    return InboxItem(
        key=f"call-{call.pk}",
        icon="i-bell",
        title=title,
        line=_line(now),
        since=call.opened_at,
        actions=actions,
        is_call=True,
    )


def _line(now: CallNow) -> SafeString:
    """Return who is coming, and who called with their texts."""
    people = format_html_join("; ", "{}", ((in_words(tap, known=now.reason),) for tap in now.callers))
    more = list(remarks(now))
    return format_html("{} {}", " ".join(more), people) if more else people


def remarks(now: CallNow) -> Iterator[str]:
    """Yield sentences on the state of a call."""
    if now.call.coming is not None:
        yield _("%(name)s is coming.") % {"name": now.call.coming}
    if any(map(is_late, now.taps)):
        yield _("Sent late, the phone was offline.")


def in_words(tap: CallTap, *, known: str = "") -> SafeString:
    """Return a caller with their text, or with their reason if it isn't `known`."""
    reason = str(CallTap.Reason(tap.reason).label) if tap.reason else ""
    parts: list[str] = [reason] if reason != known else []
    if tap.text:
        parts.append(format_html("<q>{}</q>", tap.text))
    what = format_html_join(", ", "{}", ((part,) for part in parts if part))
    return with_markup(_("%(label)s: %(what)s"), label=str(tap), what=what) if what else format_html("{}", tap)
