"""The countdown of an online table: for a move and then the reserve, or until the next deal."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone


@dataclass(frozen=True)
class Clock:
    """A player's time: from `from_ms` to `move_ms`, then their reserve until `due_ms`."""

    time_left: str
    bank: str
    percent: int
    from_ms: int
    move_ms: int
    due_ms: int

    @property
    def is_late(self) -> bool:
        return self.percent == 0


def waiting_clock(due: str | None) -> Clock | None:
    due_at, now = moment(due), timezone.now()
    if due_at is None:
        return None
    return Clock(in_minutes(seconds_until(due_at, now)), "", 100, to_ms(now), to_ms(due_at), to_ms(due_at))


def move_clock(clock: dict[str, Any] | None) -> Clock | None:
    """Return the clock of a move; None if no time runs, for a bot or a delayed viewer."""
    asked_at, due_at = (moment(clock[name]) if clock else None for name in ("asked_at", "due_at"))
    if clock is None or asked_at is None or due_at is None:
        return None
    now = moment(clock["now"]) or timezone.now()
    seconds = clock["move_seconds"]
    used = (now - asked_at).total_seconds()
    bank = min((due_at - asked_at).total_seconds() - seconds, (due_at - now).total_seconds())
    seconds_left = max(0.0, seconds - used)
    return Clock(
        time_left=in_minutes(int(seconds_left + 0.999)),
        bank=in_minutes(max(0, int(bank + 0.999))),
        percent=round(100 * seconds_left / max(1, seconds)),
        from_ms=to_ms(asked_at),
        move_ms=to_ms(asked_at) + 1000 * seconds,
        due_ms=to_ms(due_at),
    )


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def to_ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def seconds_until(due: datetime, now: datetime) -> int:
    return max(0, int((due - now).total_seconds() + 0.999))


def in_minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"
