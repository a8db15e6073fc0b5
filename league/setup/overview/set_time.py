"""The form that schedules the publishing of a drawn round."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.background import deadlines
from league.models import Deadline, Round, Tournament


@dataclass(frozen=True)
class SetTime:
    """The form, and the time that is set.

    number: of the drawn round. waiting: a sentence on the set time, or empty. failure: why publishing failed. value: of
    the field. is_open: the form was refused. asks_which: the time exists twice.
    """

    number: int
    summary: str
    label: str
    button: str
    value: str = ""
    waiting: str = ""
    cancel_url: str = ""
    failure: str = ""
    is_open: bool = False
    asks_which: bool = False


@dataclass(frozen=True)
class RefusedTime:
    """A refused input. is_twice: a clock change repeats the time."""

    typed: str
    is_twice: bool = False


def read_set_time(tournament: Tournament, drawn: Round | None, refused: RefusedTime | None) -> SetTime | None:
    """Return None while no round is drawn."""
    if drawn is None:
        return None
    return set_time_of(tournament, drawn.number, deadlines.upcoming(tournament, drawn), refused)


def set_time_of(
    tournament: Tournament, number: int, deadline: Deadline | None, refused: RefusedTime | None = None
) -> SetTime:
    """deadline: the one that is set or that failed."""
    typed = refused.typed if refused else ""
    words: dict[str, object] = {"number": number, "before": number - 1, "zone": tournament.time_zone}
    waits = deadline is not None and deadline.state == Deadline.State.PENDING
    failed = deadline is not None and deadline.state == Deadline.State.FAILED
    summary, waiting, failure, value = _("Schedule round %(number)s") % words, "", "", typed
    if deadline is not None:
        words["why"] = _(deadline.reason) if deadline.reason else ""
    if deadline is not None and waits:
        at = deadline.due_at.astimezone(tournament.zone).replace(tzinfo=None)
        summary, value = _("Change the time"), typed or f"{at:%Y-%m-%dT%H:%M}"
        if not deadline.reason:
            waiting = _("Round %(number)s is published on %(at)s (%(zone)s).")
            words["at"] = date_format(at, _("l j F, H:i"))
        elif deadline.attempts:
            waiting = _("Round %(number)s isn’t published yet. Next try: %(at)s. %(why)s")
            words["at"] = f"{at:%H:%M:%S}"
        else:
            waiting = _("Round %(before)s isn’t closed yet. Then round %(number)s is published.")
    elif failed:
        failure = _("Round %(number)s couldn’t be published. %(why)s Publish it here, or set another time.")
    return SetTime(
        number=number,
        summary=summary,
        label=_("Day and time in %(zone)s") % words,
        button=_("Publish round %(number)s at this time") % words,
        value=value,
        waiting=waiting % words,
        cancel_url=reverse("cancel_time", args=[tournament.slug, deadline.pk]) if deadline and waits else "",
        failure=failure % words,
        is_open=refused is not None,
        asks_which=refused is not None and refused.is_twice,
    )
