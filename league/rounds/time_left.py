"""How much time a round has left. Nothing ticks: the row has the end, or the time left on a clock that stands."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.utils import timezone

from league.formats.estimate import in_fives, minutes_a_hand
from league.models import LogEntry, Round, Stage, Table, Tournament

FEWEST_MINUTES = 40  # proposed for a tournament's first round: four hands of some ten minutes


@dataclass(frozen=True)
class RoundClock:
    """The clock of an open round at the moment `now`, or of one of its tables, with `extra` minutes.

    `ends_at` and `standing` (seconds) are the round's own, without the extra.
    """

    round_number: int
    now: datetime
    ends_at: datetime | None = None
    standing: int | None = None
    extra: int = 0

    @property
    def state(self) -> str:
        """off: not started; runs; stands; up: the time is over."""
        if self.standing is not None:
            return "stands"
        if self.ends_at is None:
            return "off"
        return "runs" if self.seconds else "up"

    @property
    def seconds(self) -> int:
        """The seconds left, rounded up, so that it is 0 at the end and not before."""
        if self.standing is not None:
            return self.standing + 60 * self.extra
        return max(0, ceil((self.ends - self.now).total_seconds())) if self.ends else 0

    @property
    def ends(self) -> datetime | None:
        return self.ends_at + timedelta(minutes=self.extra) if self.ends_at else None

    @property
    def left(self) -> str:
        """“14:32”, “1:14:32”."""
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

    @property
    def shown(self) -> str:
        """Names this state of the clock: a form sends the state that it showed, so that a second press does nothing."""
        moment = self.ends_at.isoformat() if self.ends_at else ""
        return f"{self.round_number} {moment} {'' if self.standing is None else self.standing}"

    # For the browser's clock.js: moments in milliseconds, as in JavaScript.
    @property
    def now_ms(self) -> int:
        return int(self.now.timestamp() * 1000)

    @property
    def ends_ms(self) -> int:
        return int(self.ends.timestamp() * 1000) if self.ends else 0


def clock_of(played: Round | None, table: Table | None = None, now: datetime | None = None) -> RoundClock | None:
    """The clock of a round, or of one of its tables. A round that is not open has none, since closing it ended it."""
    if played is None or not played.is_open:
        return None
    extra = table.extra_minutes if table else 0
    return RoundClock(played.number, now or timezone.now(), played.ends_at, played.seconds_left, extra)


def usual_minutes(tournament: Tournament, stage: Stage) -> int:
    """The minutes with which the last clock was started, as a proposal; before, what the hands of a round take at the
    largest tables and a quarter more."""
    rows = LogEntry.objects.filter(tournament=tournament, action="start-clock").order_by("-number")
    if last := rows.values_list("new__minutes", flat=True).first():
        return int(last)
    return max(FEWEST_MINUTES, in_fives(1.25 * (stage.hands_per_round or 0) * minutes_a_hand(stage.table_size)))
