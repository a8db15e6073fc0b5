"""The time left in a round. The row has the end, or the time left of a paused clock."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.utils import timezone

from league.formats.estimate import in_fives, minutes_a_hand
from league.models import LogEntry, Round, Stage, Table, Tournament

FEWEST_MINUTES = 40  # proposal for a first round: four hands of about ten minutes


@dataclass(frozen=True)
class RoundClock:
    """The clock of an open round at the moment `now`, or of one table with `extra` minutes.

    `ends_at` and `standing` (seconds left while paused) are the round's, without the extra time.
    """

    round_number: int
    now: datetime
    ends_at: datetime | None = None
    standing: int | None = None
    extra: int = 0

    @property
    def state(self) -> str:
        """Return off (not started), runs, stands (paused) or up (time is over)."""
        if self.standing is not None:
            return "stands"
        if self.ends_at is None:
            return "off"
        return "runs" if self.seconds else "up"

    @property
    def seconds(self) -> int:
        """Return the seconds left, rounded up, so that 0 means the end."""
        if self.standing is not None:
            return self.standing + 60 * self.extra
        return max(0, ceil((self.ends - self.now).total_seconds())) if self.ends else 0

    @property
    def ends(self) -> datetime | None:
        return self.ends_at + timedelta(minutes=self.extra) if self.ends_at else None

    @property
    def left(self) -> str:
        """Return for example “14:32” or “1:14:32”."""
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

    @property
    def shown(self) -> str:
        """Return a name for this state; forms send it, so that a repeated press does nothing."""
        moment = self.ends_at.isoformat() if self.ends_at else ""
        return f"{self.round_number} {moment} {'' if self.standing is None else self.standing}"

    # For clock.js: times in milliseconds.
    @property
    def now_ms(self) -> int:
        return int(self.now.timestamp() * 1000)

    @property
    def ends_ms(self) -> int:
        return int(self.ends.timestamp() * 1000) if self.ends else 0


def clock_of(played: Round | None, table: Table | None = None, now: datetime | None = None) -> RoundClock | None:
    """Return the clock of a round or of one of its tables; None unless the round is open."""
    if played is None or not played.is_open:
        return None
    extra = table.extra_minutes if table else 0
    return RoundClock(played.number, now or timezone.now(), played.ends_at, played.seconds_left, extra)


def usual_minutes(tournament: Tournament, stage: Stage) -> int:
    """Return the minutes of the last clock as a proposal; before, the estimated time of a round plus a quarter."""
    rows = LogEntry.objects.filter(tournament=tournament, action="start-clock").order_by("-number")
    if last := rows.values_list("new__minutes", flat=True).first():
        return int(last)
    return max(FEWEST_MINUTES, in_fives(1.25 * (stage.hands_per_round or 0) * minutes_a_hand(stage.table_size)))
