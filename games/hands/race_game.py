"""A table of a Challenge UNO: totals, the effect of a hand, and why the table is over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.hands.seats import person
from league.formats import race
from league.ledger.progress import ENDED, STOPPED, TableNow
from league.ledger.race import RaceLedger, moment_of
from league.lib.translate import names
from league.models import Seat, Table
from league.standings.race_in_words import is_in_danger


@dataclass(frozen=True)
class Total:
    """A player's total. `gone` tells when the player left, empty while playing."""

    seat: int
    name: str
    points: int
    spare: int
    in_danger: bool
    gone: str

    @property
    def short(self) -> str:
        """Return for example “412, in danger” or “512, eliminated in hand 2”."""
        if self.gone or self.in_danger:
            state = self.gone or _("in danger")
            return f"{self.points}, {state}"
        return ngettext("%(count)d point", "%(count)d points", self.points) % {"count": self.points}


@dataclass(frozen=True)
class Catch:
    """The effect of a hand on a player who was dealt in.

    `total` includes the hand, None if it doesn't count for this player. `stays`: the player reached the target, but has
    the lowest total of all. `was` are the points before a correction.
    """

    name: str
    points: int
    won: bool
    total: int | None
    out: bool
    stays: bool
    in_danger: bool
    was: int | None = None


@dataclass(frozen=True)
class Effect:
    """The effect of an unsaved hand. `after` tells what ends with it."""

    catches: tuple[Catch, ...]
    after: str = ""


def totals(table: Table, seats: Sequence[Seat], ledger: RaceLedger) -> list[Total]:
    """Return the totals of all players at the table, eliminated or not, by seat."""
    target = ledger.settings.target
    rows = []
    for seat in seats:
        line = ledger.state.lines.get(seat.entry.public_id)
        points = line.total if line else 0
        departure = line.departure if line else None
        rows.append(
            Total(
                seat=seat.number or 0,
                name=person(seat),
                points=points,
                spare=max(0, target - points),
                in_danger=departure is None and is_in_danger(points, target),
                gone=_gone_in_words(table, line) if line and departure else "",
            )
        )
    return rows


def _gone_in_words(table: Table, line: race.Line) -> str:
    departure = line.departure or race.Departure(0, None, 0)
    words = {"round": departure.round, "hand": departure.hand}
    if line.status == race.DROPPED:
        return _("withdrew in round %(round)d") % words if departure.round else _("withdrawn")
    if departure.hand and departure.round == table.round.number:
        return _("eliminated in hand %(hand)d") % words
    if departure.hand:
        return _("eliminated in round %(round)d, hand %(hand)d") % words
    return _("eliminated in round %(round)d") % words if departure.round else pgettext("of the event", "eliminated")


def catches(
    table: Table,
    number: int,
    seats: Sequence[Seat],
    scores: Sequence[int],
    went_out: int | None,
    ledger: RaceLedger,
    was: Sequence[int] | None = None,
) -> tuple[Catch, ...]:
    """Return the effect of a hand of the ledger, by seat. `scores` and `was` belong to the `seats`."""
    target = ledger.settings.target
    slot = table.round.number, table.number, number
    steps = {step.entry: step for step in ledger.state.race if (step.round, step.table, step.hand) == slot}
    rows = []
    for at, seat in enumerate(seats):
        step = steps.get(seat.entry.public_id)
        rows.append(
            Catch(
                name=person(seat),
                points=scores[at],
                won=seat.number == went_out,
                total=step.total if step else None,
                out=step.out if step else False,
                stays=step is not None and not step.out and step.total >= target,
                in_danger=step is not None and not step.out and is_in_danger(step.total, target),
                was=was[at] if was else None,
            )
        )
    return tuple(rows)


def with_hand(
    table: Table, number: int, seats: Sequence[Seat], scores: Sequence[int], ledger: RaceLedger
) -> RaceLedger:
    """Return the ledger with this hand added, in place of one in the same slot."""
    slot = table.round.number, table.number, number
    standing = next((hand for hand in ledger.hands if (hand.round, hand.table, hand.number) == slot), None)
    points = {seat.entry.public_id: score for seat, score in zip(seats, scores, strict=True)}
    moment = standing.moment if standing else moment_of(timezone.now())
    new_hand = race.Hand(*slot, moment, points)
    return replace(ledger, hands=(*(hand for hand in ledger.hands if hand is not standing), new_hand))


def effect(
    table: Table,
    number: int,
    seats: Sequence[Seat],
    scores: Sequence[int],
    went_out: int | None,
    ledger: RaceLedger,
    was: Sequence[int] | None = None,
) -> Effect:
    """Return the effect of a typed hand on the recorded state. Read-only."""
    then = with_hand(table, number, seats, scores, ledger)
    caught = catches(table, number, seats, scores, went_out, then, was)
    is_new = len(then.hands) > len(ledger.hands)
    return Effect(caught, _after(table, number, seats, ledger.state, then.state) if is_new else "")


def _after(table: Table, number: int, seats: Sequence[Seat], before: race.State, then: race.State) -> str:
    if (table.round.number, table.number, number) in then.for_nobody:
        return _("It counts for no one: the table is over.")
    people = {seat.entry.public_id: person(seat) for seat in seats}
    if then.winner in people:
        return _("This hand wins the tournament for %(name)s.") % {"name": people[then.winner]}
    if then.winner is not None:
        return _("This hand leaves one player, at another table.")
    if len(then.still_in) == race.HEAD_TO_HEAD < len(before.still_in):
        return _("This hand leaves two players. They meet head to head.")
    here = [people[entry] for entry in then.still_in if entry in people]
    if len(here) == 1:
        return _("This hand leaves only %(name)s at this table.") % {"name": here[0]}
    return _("This hand leaves no one at this table.") if not here else ""


def in_a_sentence(caught: Sequence[Catch]) -> str:
    """Return for example “Ana gets 34 points, Benoît 12. Ana is eliminated with 512”."""
    losers = [catch for catch in caught if not catch.won]
    parts = [f"{catch.name} {catch.points}" for catch in losers]
    for catch in losers[:1]:
        first = ngettext("%(name)s gets %(points)d point", "%(name)s gets %(points)d points", catch.points)
        parts[0] = first % {"name": catch.name, "points": catch.points}
    sentences = [", ".join(parts)]
    if all(catch.total is None for catch in caught):
        return ". ".join([*sentences, _("It counts for no one")])
    if uncounted := [catch.name for catch in losers if catch.total is None]:
        sentences.append(_("It doesn’t count for %(names)s: eliminated before") % {"names": names(uncounted)})
    if out := [catch for catch in caught if catch.out]:
        message = ngettext("%(names)s is eliminated with %(total)d", "%(names)s are eliminated", len(out))
        sentences.append(message % {"names": names(catch.name for catch in out), "total": out[0].total})
    return ". ".join(sentences)


def why_over(now: TableNow, seats: Sequence[Seat], ledger: RaceLedger) -> str:
    """Return why a table has no next hand before its round is complete; otherwise an empty string."""
    state = ledger.state
    people = {seat.entry.public_id: person(seat) for seat in seats}
    if now.state == STOPPED:
        return _("Two players are left in the tournament. They meet head to head.")
    if now.state != ENDED:
        return ""
    here = [people[entry] for entry in state.still_in if entry in people]
    if state.winner in people:
        return _("%(name)s has won the tournament.") % {"name": people[state.winner]}
    if here:
        return _("Only %(name)s is left at this table.") % {"name": here[0]}
    return _("No one is left at this table.")
