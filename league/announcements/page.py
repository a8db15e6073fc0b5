"""The page *Announce*, and an announcement on other pages, as values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import Access
from league.access.rights import Can
from league.announcements.announce import MINUTES, Until, open_round, visible_announcement
from league.models import Announcement, Round, Tournament
from league.pages.links import Choice, Link

BREAK = timedelta(minutes=15)
QUARTER = 15  # minutes


@dataclass(frozen=True)
class Strip:
    """An announcement as every page shows it. remove_url: for directors; stamp: of the announcement meant."""

    text: str
    announced_at: datetime
    remove_url: str = ""
    stamp: str = ""


@dataclass(frozen=True)
class AnnouncePage:
    """templates: texts to start from, as links. ends: how it can end. most: characters.

    replaces: a sentence if one is visible. refusal: why the text was refused.
    """

    text: str
    most: int
    templates: Sequence[Link]
    ends: Sequence[Choice]
    replaces: str
    button: str
    refusal: str


def strip_of(tournament: Tournament, access: Access | None = None) -> Strip | None:
    """Return the visible announcement; for directors with a button that removes it."""
    announcement = visible_announcement(tournament)
    if announcement is None:
        return None
    if access is None or not access.may(Can.CORRECT):
        return Strip(announcement.text, announcement.announced_at)
    url = reverse("remove_announcement", args=[tournament.slug])
    return Strip(announcement.text, announcement.announced_at, url, announcement.stamp)


def page_of(tournament: Tournament, *, text: str = "", until: str = Until.MINUTES, refusal: str = "") -> AnnouncePage:
    """Return the page. text, until: typed before. refusal: why a form was refused."""
    now, played = timezone.now(), open_round(tournament)
    visible = visible_announcement(tournament, now)
    return AnnouncePage(
        text=text,
        most=Announcement.MOST,
        templates=_templates(tournament, now),
        ends=tuple(Choice(end, words, end == until) for end, words in _ends(played)),
        replaces=_("A new announcement replaces the one above.") if visible else "",
        button=_("Announce"),
        refusal=refusal,
    )


def done_in_words(announcement: Announcement) -> str:
    """Return the message after announcing."""
    if announcement.until == Until.MINUTES:
        return ngettext("Announced for %(count)d minute.", "Announced for %(count)d minutes.", MINUTES) % {
            "count": MINUTES
        }
    if announcement.round is not None:
        return _("Announced until round %(number)d is closed.") % {"number": announcement.round.number}
    return _("Announced until you remove it.")


def _ends(played: Round | None) -> list[tuple[str, str]]:
    minutes = ngettext("%(count)d minute", "%(count)d minutes", MINUTES) % {"count": MINUTES}
    ends = [(str(Until.MINUTES), minutes)]
    if played is not None:
        ends.append((str(Until.ROUND), _("during round %(number)d") % {"number": played.number}))
    return [*ends, (str(Until.REMOVED), _("until removed"))]


def _templates(tournament: Tournament, now: datetime) -> tuple[Link, ...]:
    """Return the last announcement, if it is over, and usual texts."""
    last: Announcement | None = getattr(tournament, "announcement", None)
    again = [last.text] if last is not None and not last.is_visible(now) else []
    starts = _("Round %(number)d starts in %(minutes)d minutes") % {"number": _next_round(tournament), "minutes": 5}
    until = _quarter(now + BREAK).astimezone(tournament.zone)
    pause = _("Break until %(time)s") % {"time": f"{until:%H:%M}"}
    texts = dict.fromkeys([*again, starts, pause, _("Please report your results")])
    address = reverse("announce", args=[tournament.slug])
    return tuple(Link(text, f"{address}?{urlencode({'text': text})}") for text in texts)


def _next_round(tournament: Tournament) -> int:
    """Return the number of the round after the last published one."""
    last = tournament.rounds.shown().order_by("-number").values_list("number", flat=True).first()
    return (last or 0) + 1


def _quarter(moment: datetime) -> datetime:
    """Round up to a quarter of an hour."""
    whole = moment.replace(second=0, microsecond=0)
    return whole + timedelta(minutes=-whole.minute % QUARTER)
