"""Lists of tournaments: a line for each, with its day, its name and where it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from django.db.models import Case, Count, Q, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.entries import sign_up as sign_ups
from league.formats.protocol import TEAMS
from league.ledger.in_words import stage_title, teams_in_words
from league.lib.translate import round_title
from league.models import Round, Tournament
from league.standings.cache import standings_of
from league.standings.ranking import Standing

LISTED = 20


@dataclass(frozen=True)
class Line:
    """A tournament in a list. sign_up: how many places are left, in words; empty if nobody can sign up."""

    tournament: Tournament
    about: str
    sign_up: str = ""

    @property
    def is_on(self) -> bool:
        return self.tournament.state == Tournament.State.RUNNING and not self.tournament.is_called_off


@dataclass(frozen=True)
class Shelves:
    """A list by what is looked for: what is on or to come, what is over by its month, and apart from both the demo."""

    going: list[Line]
    over: list[tuple[date, list[Line]]]
    demo: list[Line]

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "Shelves":
        real = [line for line in lines if not line.tournament.is_demo]
        over = [line for line in real if line.tournament.is_final]
        months = groupby(over, key=lambda line: line.tournament.starts_on.replace(day=1))
        return cls(
            [line for line in real if not line.tournament.is_final],
            [(month, list(of_month)) for month, of_month in months],
            [line for line in lines if line.tournament.is_demo],
        )

    def __bool__(self) -> bool:
        return bool(self.going or self.over or self.demo)


def lines_of(tournaments: QuerySet[Tournament], most: int = LISTED) -> list[Line]:
    """Return tournaments, each with where it stands in words. In this order: those on now, those to come with the next
    one first, those whose day went by, those called off, the latest that are over.
    """
    planned = Q(state=Tournament.State.PLANNED)
    yesterday = timezone.localdate() - timedelta(days=1)  # somewhere it is still the day before
    part = Case(
        When(is_called_off=True, then=3),
        When(state=Tournament.State.RUNNING, then=0),
        When(planned & Q(starts_on__gte=yesterday), then=1),
        When(planned, then=2),
        default=4,
    )
    counted = list(
        tournaments.annotate(
            players=Count("entries", distinct=True),
            rounds_drawn=Count("rounds", filter=~Q(rounds__state=Round.State.VOID), distinct=True),
            rounds_shown=Count(
                "rounds", filter=~Q(rounds__state__in=(Round.State.DRAFT, Round.State.VOID)), distinct=True
            ),
        )
        .select_related("sign_up_page")
        .prefetch_related("stages")
        .alias(part=part)
        .order_by("part", Case(When(part=1, then="starts_on")), "-starts_on", "-id")[:most]
    )
    standings = standings_of(tournament for tournament in counted if tournament.state == Tournament.State.CLOSED)
    return [
        Line(tournament, _about(tournament, standings.get(tournament.pk, ())), _sign_up(tournament))
        for tournament in counted
    ]


def _sign_up(tournament: Any) -> str:
    """“3 places left”, or empty if nobody can sign up now. tournament: with the counts that `lines_of` annotates."""
    page = getattr(tournament, "sign_up_page", None)
    if page is None or tournament.state != Tournament.State.PLANNED:
        return ""
    state = sign_ups.state_of(page, has_started=False, now=timezone.now())
    free = max(page.capacity - tournament.players, 0)
    return sign_ups.Line(page, state, free, waiting=0).words if state == sign_ups.Now.OPEN else ""


def _about(tournament: Any, standings: Sequence[Standing]) -> str:
    """Say where a tournament stands. tournament: with the counts that `lines_of` annotates."""
    parts = [tournament.place] if tournament.place else []
    count = tournament.players
    players = (
        ngettext("%(count)d player", "%(count)d players", count) % {"count": count} if count else _("No players yet")
    )
    stage = tournament.stage_shown if tournament.has_begun else tournament.stage
    if stage.plays.enters == TEAMS:
        players = teams_in_words(count) if count else _("No teams yet")
    if tournament.state == Tournament.State.RUNNING:
        in_all = tournament.rounds_drawn if stage.plays.drawn_ahead else stage.plays.rounds(stage.values, count)
        if len(tournament.stages.all()) > 1:
            parts.append(stage_title(stage))
            in_all = None
        parts.append(f"{round_title(tournament.rounds_shown, in_all)}, {players}")
    elif tournament.state == Tournament.State.CLOSED:
        first = [line for line in standings if line.rank == 1]
        winners = ", ".join(line.entrant.name for line in first)
        if winners:
            parts.append(
                _("Won by %(winners)s with %(points)d points") % {"winners": winners, "points": first[0].total}
            )
    else:
        parts.append(f"{tournament.starts_at:%H:%M}, {players}" if tournament.starts_at else players)
    return ". ".join(parts)
