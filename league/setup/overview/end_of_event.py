"""What *Now* shows when an event is over: who won, the results to share, and the next time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.lib.translate import figure
from league.models import Tournament
from league.setup.overview.facts import NowFacts
from league.standings.ranking import Standing
from league.standings.result_in_words import result_in_words

WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Step:
    """A place on the podium. result: points, or what the entrant came to."""

    rank: int
    name: str
    result: str


@dataclass(frozen=True)
class EndOfEvent:
    """podium: the first three, best first; empty in groups and where fewer than two are ranked. address: of the
    standings, whole, to send. again: the button that copies the event; empty for those who may not.
    """

    podium: Sequence[Step]
    address: str
    print_url: str
    again: str = ""


def end_of_event(facts: NowFacts, address: str, *, organises: bool) -> EndOfEvent | None:
    """None while the event goes on. address: of the standings, whole."""
    tournament = facts.tournament
    if not tournament.is_final or not facts.standings:
        return None
    steps = [_step(line.rank, line) for line in facts.standings[:3] if line.rank is not None and not line.group]
    return EndOfEvent(
        podium=steps if len(steps) > 1 else [],
        address=address,
        print_url=reverse("print_standings", args=[tournament.slug]),
        again=_again(tournament) if organises else "",
    )


def _step(rank: int, line: Standing) -> Step:
    return Step(rank, line.entrant.name, result_in_words(line) if line.ending else figure(line.total))


def _again(tournament: Tournament) -> str:
    return _("Again on %(day)s") % {"day": date_format(tournament.starts_on + WEEK, _("l j F"))}
