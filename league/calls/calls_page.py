"""The page *Calls* of directors, as a value: waiting calls with their callers, and muted callers."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.calls.inbox import in_words, item_of, remarks
from league.calls.read import CallNow, calls_of
from league.models import MutedCaller, Tournament
from league.pages.inbox import InboxItem
from league.pages.links import Button


@dataclass(frozen=True)
class CallerLine:
    """A caller of a waiting call. mute: refuses their further calls; None if they are muted."""

    text: SafeString
    mute: Button | None


@dataclass(frozen=True)
class WaitingCall:
    """A waiting call. text: its age and state."""

    item: InboxItem
    text: str
    callers: tuple[CallerLine, ...]


@dataclass(frozen=True)
class MutedLine:
    name: str
    unmute: Button


@dataclass(frozen=True)
class CallsPage:
    calls: tuple[WaitingCall, ...]
    muted: tuple[MutedLine, ...]


def calls_page(tournament: Tournament) -> CallsPage:
    muted = list(tournament.muted_callers.select_related("entry__player", "scorer_link", "user"))
    names = {caller.caller for caller in muted}
    slug = tournament.slug
    return CallsPage(
        calls=tuple(_waiting(now, slug, names) for now in calls_of(tournament)),
        muted=tuple(_muted(caller, slug) for caller in muted),
    )


def _waiting(now: CallNow, slug: str, muted: Iterable[str]) -> WaitingCall:
    minutes = max(0, int((timezone.now() - now.call.opened_at).total_seconds()) // 60)
    age = ngettext("Open for %(count)d minute.", "Open for %(count)d minutes.", minutes) % {"count": minutes}
    lines = []
    for tap in now.callers:
        mute = Button(_("Mute"), reverse("mute_caller", args=[slug, now.call.pk]), "tap", str(tap.pk))
        lines.append(CallerLine(in_words(tap), None if tap.caller in muted else mute))
    return WaitingCall(item_of(now, slug), " ".join([age, *remarks(now)]), tuple(lines))


def _muted(caller: MutedCaller, slug: str) -> MutedLine:
    return MutedLine(str(caller), Button(_("Unmute"), reverse("unmute_caller", args=[slug, caller.pk])))
