"""Lists of tournaments, each with day, name and progress."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from django.db.models import Case, Count, Q, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext as _

from league.entries import sign_up as sign_ups
from league.entries.places import Now, state_of
from league.ledger.in_words import entries_in_words, stage_title
from league.ledger.state_marks import StateMark, state_mark
from league.lib.translate import round_title
from league.models import Entry, Round, Tournament
from league.standings.ranking import Standing
from league.standings.read_many import standings_of
from league.standings.result_in_words import winners_in_words

LISTED = 20


@dataclass(frozen=True)
class Line:
    """A tournament in a list. sign_up: places left, in words; empty if sign-up is closed."""

    tournament: Tournament
    about: str
    sign_up: str = ""

    @property
    def is_on(self) -> bool:
        return self.tournament.state == Tournament.State.RUNNING and not self.tournament.is_called_off

    @property
    def mark(self) -> StateMark:
        """Return its state; before the start its visibility, unless public."""
        if self.is_on:
            return StateMark("i-play", _("On now"), "live")
        if self.tournament.is_final and not self.tournament.is_called_off:
            return StateMark("i-check", _("Finished"))
        if self.tournament.visibility != Tournament.Visibility.PUBLIC and not self.tournament.is_called_off:
            return StateMark("i-clock", self.tournament.get_visibility_display())
        return state_mark(self.tournament)


@dataclass(frozen=True)
class Shelves:
    """A list split into open tournaments, past ones by month, and demo ones."""

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
    """Return tournaments with their progress in words.

    Order: running, upcoming with the next first, planned with a past day, cancelled, finished with the latest first.
    """
    planned, running = Q(state=Tournament.State.PLANNED), Q(state=Tournament.State.RUNNING)
    stands_in, dropped = Q(entries__status=Entry.Status.STANDIN), Q(entries__status=Entry.Status.DROPPED)
    yesterday = timezone.localdate() - timedelta(days=1)  # in some time zone it is still yesterday
    part = Case(
        When(is_called_off=True, then=3),
        When(running, then=0),
        When(planned & Q(starts_on__gte=yesterday), then=1),
        When(planned, then=2),
        default=4,
    )
    counted = list(
        tournaments.annotate(
            players=Count("entries", filter=~stands_in & ~(dropped & running), distinct=True),
            entrants=Count("entries", filter=~stands_in, distinct=True),
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
    """Such as “3 places left”; empty if sign-up is closed. tournament: annotated by `lines_of`."""
    page = getattr(tournament, "sign_up_page", None)
    if page is None or tournament.state != Tournament.State.PLANNED:
        return ""
    state = state_of(page, has_started=False, now=timezone.now())
    free = max(page.capacity - tournament.players, 0)
    return sign_ups.Line(page, state, free, waiting=0).words if state == Now.OPEN else ""


def _about(tournament: Any, standings: Sequence[Standing]) -> str:
    """Return the progress of a tournament in words. tournament: annotated by `lines_of`."""
    parts = [tournament.place] if tournament.place else []
    count = tournament.players
    stage = tournament.stage_shown if tournament.has_begun else tournament.stage
    no_one = _("No teams yet") if stage.has_teams else _("No players yet")
    players = entries_in_words(stage, count) if count else no_one
    if tournament.state == Tournament.State.RUNNING:
        if len(tournament.stages.all()) > 1:
            parts.append(stage_title(stage))
            in_all = None
        elif stage.plays.drawn_ahead:
            in_all = tournament.rounds_drawn
        else:
            in_all = stage.plays.rounds(stage.values, tournament.entrants)
        parts.append(f"{round_title(tournament.rounds_shown, in_all)} · {players}")
    elif tournament.state == Tournament.State.CLOSED:
        if winners := winners_in_words(standings):
            parts.append(winners)
    else:
        parts.append(f"{tournament.starts_at:%H:%M} · {players}" if tournament.starts_at else players)
    return " · ".join(parts)
