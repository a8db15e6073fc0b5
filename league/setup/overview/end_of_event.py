"""The end of an event on *Now*: winners, results to share, and the next event."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.calendar.next_event import NextEvent, next_event_after
from league.lib.translate import figure
from league.models import Tournament
from league.setup.overview.facts import NowFacts
from league.standings.ranking import Standing, on_podium
from league.standings.result_in_words import result_in_words

WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Step:
    """A place on the podium. result: points, or how the entrant finished."""

    rank: int
    name: str
    result: str


@dataclass(frozen=True)
class EndOfEvent:
    """podium: the first three places with all who share them; empty with groups, or with fewer than two ranked.
    address: full URL of the standings. again: label of the copy button; empty in a series and without the right to
    copy. series_url: empty without the right to repeat."""

    podium: Sequence[Step]
    address: str
    print_url: str
    again: str = ""
    series_url: str = ""
    series_text: str = ""
    next_event: NextEvent | None = None


def end_of_event(facts: NowFacts, address: str, *, organises: bool) -> EndOfEvent | None:
    """Return None until the event is final. address: full URL of the standings."""
    tournament = facts.tournament
    if not tournament.is_final or not facts.standings:
        return None
    ranked = on_podium(line for line in facts.standings if not line.group)
    steps = [_step(line.rank or 0, line) for line in ranked]
    return EndOfEvent(
        podium=steps if len(steps) > 1 else [],
        address=address,
        print_url=reverse("print_standings", args=[tournament.slug]),
        again=again_in_words(tournament) if organises and not tournament.series_id else "",
        series_url=reverse("series", args=[tournament.slug]) if organises else "",
        series_text=_("See and change the dates") if tournament.series_id else _("Create a series"),
        next_event=next_event_after(tournament),
    )


def _step(rank: int, line: Standing) -> Step:
    return Step(rank, line.entrant.name, result_in_words(line) if line.ending else figure(line.total))


def again_in_words(tournament: Tournament) -> str:
    return _("Repeat on %(day)s") % {"day": date_format(tournament.starts_on + WEEK, _("l j F"))}
