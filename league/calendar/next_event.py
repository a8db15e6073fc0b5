"""The event that follows a finished one, for *Now* and the hall screen."""

from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import Tournament


@dataclass(frozen=True)
class NextEvent:
    """Next event of the series or season. text: its day."""

    heading: str
    title: str
    text: str
    url: str


def next_event_after(tournament: Tournament) -> NextEvent | None:
    """Return the next public event of its series, else of its season."""
    later = Tournament.objects.listed().not_cancelled()
    later = later.filter(starts_on__gt=tournament.starts_on, state=Tournament.State.PLANNED)
    if tournament.series_id and (found := later.filter(series=tournament.series_id).last()):
        heading = _("Next tournament")
    elif tournament.season and (found := later.filter(season=tournament.season_id).last()):
        heading = tournament.season.name
    else:
        return None
    day = date_format(found.starts_on, _("l j F"))
    return NextEvent(heading, found.name, day, found.get_absolute_url())
