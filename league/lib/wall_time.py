"""Convert wall times of a tournament's zone to moments.

When the clocks go forward an hour has no moments; when they go back an hour has two. Both are reported, never guessed.
"""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.lib.errors import Refused
from league.models import Tournament

FURTHEST = timedelta(days=2 * 365)


def moments(wall: datetime, zone: ZoneInfo) -> list[datetime]:
    """Return the UTC moments at which the zone's clocks show `wall` (naive): none, one or two, the earlier first."""
    both = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return sorted({moment for moment in both if moment.astimezone(zone).replace(tzinfo=None) == wall})


def gap(wall: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return (when the clocks jump, where to), both as wall times, for a `wall` that they skip."""
    # In a gap fold=1 uses the offset after the jump, and so falls before it; fold=0 is the reverse.
    before, after = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (1, 0))
    old = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) / 2
        if middle.astimezone(zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    jump = after.replace(microsecond=0)
    return (jump + (old or timedelta())).replace(tzinfo=None), jump.astimezone(zone).replace(tzinfo=None)


def moment_of(wall: datetime, zone: ZoneInfo, now: datetime, fold: int | None = None) -> datetime:
    """Return the UTC moment of a future wall time. `fold` 0 or 1 chooses between two.

    Raises `Refused`: "past", "too-far", "no-such-time" (with the times around the gap), "twice".
    """
    here = now.astimezone(zone).replace(tzinfo=None)
    if wall > here + FURTHEST:
        raise _refusal("too-far", _("Choose a time within the next two years."))
    if wall < here - FURTHEST:
        raise _past_refusal(here, zone)
    candidates = moments(wall, zone)
    if not candidates:
        raise _refusal("no-such-time", _no_such_time(wall, zone))
    if len(candidates) == 2 and fold is None:
        sentence = _("Clocks go back on %(day)s in %(zone)s, so %(time)s comes twice. Choose which one.")
        raise _refusal("twice", sentence % _time_words(wall, zone))
    moment = candidates[-1 if fold == 1 else 0]
    if moment <= now:
        raise _past_refusal(here, zone)
    return moment


def check_once(wall: datetime, zone: ZoneInfo, field: str) -> None:
    """Raise `Refused` at the field for a wall time with no moment or with two."""
    candidates = moments(wall, zone)
    if not candidates:
        raise _refusal("no-such-time", _no_such_time(wall, zone), field)
    if len(candidates) == 2:
        sentence = _("Clocks go back on %(day)s in %(zone)s, so %(time)s comes twice. Choose another time.")
        raise _refusal("twice", sentence % _time_words(wall, zone), field)


def _no_such_time(wall: datetime, zone: ZoneInfo) -> str:
    last, first = gap(wall, zone)
    return _(
        "Clocks go forward on %(day)s in %(zone)s, so %(time)s doesn’t exist. Choose a time before "
        "%(last)s or from %(first)s."
    ) % (_time_words(wall, zone) | {"last": f"{last:%H:%M}", "first": f"{first:%H:%M}"})


def _time_words(wall: datetime, zone: ZoneInfo) -> dict[str, str]:
    return {"time": f"{wall:%H:%M}", "day": date_format(wall, _("j F Y")), "zone": zone.key}


def _past_refusal(here: datetime, zone: ZoneInfo) -> Refused:
    now = f"{here:%H:%M}"
    return _refusal(
        "past",
        _("This time has passed: it is %(now)s on %(day)s in %(zone)s. Choose a later time.")
        % {"now": now, "day": date_format(here, _("j F Y")), "zone": zone.key},
    )


def _refusal(code: str, sentence: str, field: str = "at") -> Refused:
    return Refused(code, sentence, fields={field: [sentence]})


def in_log(moment: datetime, time_zone: str) -> str:
    """Format a moment for the log, in any language: “2026-11-24 20:15 Europe/Paris”."""
    return f"{moment.astimezone(ZoneInfo(time_zone)):%Y-%m-%d %H:%M} {time_zone}"


def when(tournament: Tournament) -> str:
    """Return the day in words, and the time of day if known."""
    day = date_format(tournament.starts_on, _("l j F Y"))
    return f"{day}, {tournament.starts_at:%H:%M}" if tournament.starts_at else day


def moment(at: datetime | None, zone: tzinfo | None = None, form: str = "H:i") -> SafeString | str:
    """Render a moment in the given zone; the page's script rewrites it in the viewer's zone. With a day, `form` is a
    message: `_("j M, H:i")`.
    """
    if at is None:
        return ""
    local = at.astimezone(zone) if zone else at
    parts = " ".join(word for letter, word in (("j", "day"), ("Y", "year"), ("H", "time")) if letter in str(form))
    return format_html(
        '<time class="num" datetime="{}" data-local="{}">{}</time>',
        at.isoformat(timespec="seconds"),
        parts,
        date_format(local, str(form), use_l10n=False),
    )
