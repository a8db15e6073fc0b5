"""Read the calls that wait for a director."""

from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from league.models import Call, CallTap, Table, Tournament


@dataclass(frozen=True)
class CallNow:
    """A waiting call. taps: those not withdrawn, oldest first; a caller may have several."""

    call: Call
    taps: tuple[CallTap, ...]

    def has(self, caller: str) -> bool:
        """Return whether this caller called, such as “entry-12”."""
        return any(tap.caller == caller for tap in self.taps)

    @property
    def callers(self) -> tuple[CallTap, ...]:
        """Return the first tap of each caller."""
        first: dict[str, CallTap] = {}
        for tap in self.taps:
            first.setdefault(tap.caller, tap)
        return tuple(first.values())

    @property
    def reason(self) -> str:
        """Return the first stated reason in words, or ""."""
        return next((str(CallTap.Reason(tap.reason).label) for tap in self.taps if tap.reason), "")


def call_at(table: Table) -> CallNow | None:
    """Return the waiting call of a table."""
    call = _waiting().filter(table=table).first()
    return None if call is None else _now(call)


def calls_of(tournament: Tournament) -> list[CallNow]:
    """Return the waiting calls of a tournament, oldest first."""
    return [_now(call) for call in _waiting().filter(table__round__tournament=tournament)]


def _waiting() -> QuerySet[Call]:
    taps = CallTap.objects.filter(withdrawn_at=None).select_related("entry__player", "scorer_link", "user")
    calls = Call.objects.waiting().select_related("coming", "table__round")
    return calls.prefetch_related(Prefetch("taps", taps, to_attr="living_taps"))


def _now(call: Call) -> CallNow:
    return CallNow(call, tuple(call.living_taps))  # type: ignore[attr-defined]
