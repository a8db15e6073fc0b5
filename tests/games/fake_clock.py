"""A time that tests move on, and the sweeper that is called in it as in a service that runs."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone

from games.models import Deal
from games.online.play import pulse
from games.online.play.sweep import Sweeper

BEGINNING = datetime(2026, 11, 24, 20, 0, tzinfo=UTC)


class FakeClock:
    """`web`: whether a web process says that it lives, as one does every second."""

    def __init__(self, monkeypatch) -> None:
        self.now = BEGINNING
        self.web = True
        self.sweeper = Sweeper()
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def pass_by(self, seconds: float) -> None:
        """Time in which nothing runs."""
        self.now += timedelta(seconds=seconds)

    def sweep(self) -> int:
        if self.web:
            pulse.alive(self.now)
        return self.sweeper.sweep(self.now)

    def run(self, seconds: float) -> int:
        """Time in which the service runs: a sweep every two seconds. Returns at how many tables something happened."""
        done = self.sweep()
        until = self.now + timedelta(seconds=seconds)
        while self.now < until:
            self.now = min(self.now + timedelta(seconds=2), until)
            done += self.sweep()
        return done

    def left(self, deal: Deal) -> float | None:
        """Seconds that whoever the hand waits for has left."""
        deal.refresh_from_db()
        return (deal.due_at - self.now).total_seconds() if deal.due_at else None
