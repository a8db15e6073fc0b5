"""The page of a series as a value: its plan, the events that exist, and future days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Series, Tournament
from league.setup.overview.end_of_event import again_in_words
from league.setup.series.forms import SeriesForm, weekday_name
from league.setup.series.repeat import WEEK, Plan, days_to_come, latest_of, plan_of, today_of

USUAL = timedelta(weeks=12)  # default length of a new series


@dataclass(frozen=True)
class SeriesDay:
    """A day of a series. url: of its event, if it exists. iso: to skip or reinstate it; otherwise empty."""

    title: str
    text: str
    url: str = ""
    iso: str = ""
    is_skipped: bool = False


@dataclass(frozen=True)
class SeriesPage:
    """rule: "Every Saturday at 19:00 until 20 March"; empty while the form has errors. ends: it can be ended.

    again: label of the button that copies the event once.
    """

    form: SeriesForm
    rule: str
    count: str
    days: Sequence[SeriesDay]
    button: str
    again: str
    ends: bool


def usual_plan(tournament: Tournament) -> Plan:
    """Return the default plan of a new series: the same weekday for twelve weeks."""
    last_day = max(tournament.starts_on, today_of(tournament)) + USUAL
    return Plan(tournament.starts_on.weekday(), tournament.starts_at, last_day, takes_sign_ups=True)


def series_page_of(tournament: Tournament, form: SeriesForm, plan: Plan | None = None) -> SeriesPage:
    """plan: of the form, or None if it has errors."""
    series = tournament.series
    days = _events(series, tournament) if series or plan else []
    if plan is not None:
        days += _days(series, plan, tournament)
    playing = sum(not day.is_skipped for day in days)
    return SeriesPage(
        form=form,
        rule=rule_in_words(plan) if plan else "",
        count=ngettext("%(count)d tournament", "%(count)d tournaments", playing) % {"count": playing} if days else "",
        days=days,
        button=_("Save the series") if series else _("Schedule the series"),
        again=again_in_words(tournament),
        ends=series is not None and series.next_at is not None,
    )


def rule_in_words(plan: Plan) -> str:
    words = {"weekday": weekday_name(plan.weekday), "last_day": date_format(plan.last_day, _("j F Y"))}
    if plan.starts_at is None:
        return _("Every %(weekday)s until %(last_day)s") % words
    words["time"] = time_format(plan.starts_at, "H:i")
    return _("Every %(weekday)s at %(time)s until %(last_day)s") % words


def _events(series: Series | None, tournament: Tournament) -> list[SeriesDay]:
    """Return the events of the series that aren't closed."""
    events = series.events.all() if series else Tournament.objects.filter(pk=tournament.pk)
    events = events.exclude(state=Tournament.State.CLOSED).order_by("starts_on", "pk")
    return [
        SeriesDay(
            title=date_format(event.starts_on, _("l j F")),
            text=_("Cancelled") if event.is_called_off else _("This tournament") if event == tournament else event.name,
            url=event.get_absolute_url(),
        )
        for event in events
    ]


def _days(series: Series | None, plan: Plan, tournament: Tournament) -> list[SeriesDay]:
    latest = latest_of(series) if series else tournament
    today = today_of(tournament)
    if latest is None:
        return []
    if series is not None and plan == plan_of(series):
        return [
            _day(day, plan, today, set(series.skipped), may_skip=True) for day in days_to_come(series, latest, today)
        ]
    after = max(latest.starts_on, today)
    return [_day(day, plan, today, set(), may_skip=False) for day in plan.days_after(after)]


def _day(day: date, plan: Plan, today: date, skipped: set[str], *, may_skip: bool) -> SeriesDay:
    is_skipped = day.isoformat() in skipped
    return SeriesDay(
        title=date_format(day, _("l j F")),
        text=_("Skipped") if is_skipped else _("Created now") if day - WEEK <= today else "",
        iso=day.isoformat() if may_skip else "",
        is_skipped=is_skipped,
    )
