"""What is shown of a forecast: everybody's odds with their error, and what they need. Pages, CSV and API share it."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.lib.translate import translated
from league.log.anchors import log_hash_of
from league.models import Forecast, Tournament
from league.odds.compute import CHUNKS, ask_for_forecast
from league.odds.position import Outlook, outlook_at, outlook_of
from league.odds.simulate import STEP, Position, Tally
from league.standings.ranking import Standing

COLUMNS = (
    "player_id", "player", "total", "hands_left", "won", "simulations", "chance", "low", "high", "enough", "spare",
)  # fmt: skip
Z = 1.959964  # nineteen times in twenty


@dataclass(frozen=True)
class Line:
    """Somebody who can still win. hands_left: None where nobody knows. won: None before anything is counted.

    low, high: between which the chance lies nineteen times in twenty, as far as the number of simulations goes. enough:
    points that would have won at least half of them, in the hands left (where the lowest total wins, at most so many).
    spare: in a Challenge UNO, with so many points more one is out. needs: sentences.
    """

    standing: Standing
    hands_left: int | None
    won: int | None
    chance: float
    low: float
    high: float
    enough: int | None
    spare: int | None
    needs: tuple[str, ...]

    @property
    def in_words(self) -> str:
        """“23 %”, and never 0 or 100 of what is only counted."""
        if self.won is None:
            return "–"
        percent = round(100 * self.chance)
        if percent == 0:
            return _("under 1 %%") % {}
        return _("over 99 %%") % {} if percent == 100 else _("%(percent)d %%") % {"percent": percent}

    @property
    def bar(self) -> str:
        """How far the bar reaches, of 1000."""
        return str(round(1000 * self.chance))

    @property
    def error(self) -> tuple[str, str]:
        """Where its error begins, and how wide it is."""
        return str(round(1000 * self.low)), str(round(1000 * (self.high - self.low)))

    @property
    def between(self) -> tuple[float, float]:
        """Per cent, for whom the bar is read to."""
        return 100 * self.low, 100 * self.high


@dataclass(frozen=True)
class Odds:
    """lines: the likeliest winner first. why_not: a sentence where nothing can be said. out: who cannot win any more.

    simulations: counted so far. chunks: how many of all are. is_current: whether they were made from the results as
    they are now; else newer ones are being counted.
    """

    outlook: Outlook
    lines: list[Line]
    why_not: str = ""
    simulations: int = 0
    chunks: int = 0
    is_current: bool = True

    @property
    def is_complete(self) -> bool:
        return bool(self.why_not) or (self.is_current and self.chunks == CHUNKS)

    @property
    def within(self) -> float:
        """Points of a hundred by which the least certain of the figures may be off, nineteen times in twenty."""
        return max((50 * (line.high - line.low) for line in self.lines), default=0.0)

    @property
    def out(self) -> int:
        return sum(line.rank is not None for line in self.outlook.lines) - len(self.lines)


def odds_of(tournament: Tournament) -> Odds:
    """The odds as far as they are counted. Whoever looks asks for them: if nobody has yet, they are counted now."""
    log_hash = log_hash_of(tournament)
    outlook = outlook_at(tournament, log_hash) or outlook_of(tournament)
    if outlook.position is None:
        return Odds(outlook, [], translated(outlook.why_not) if outlook.why_not else "")
    ask_for_forecast(tournament=tournament, log_hash=log_hash, current=outlook.current)
    finished = list(tournament.forecasts.exclude(finished_at=None).order_by("-pk"))
    of_now = [chunk for chunk in finished if chunk.log_hash == log_hash]
    if len(of_now) == CHUNKS and not any(chunk.simulations for chunk in of_now):
        sentence = _("Too much is left to play to count the odds. They are tried again after the next result.")
        return Odds(outlook, [], sentence)
    shown = of_now or [chunk for chunk in finished if chunk.log_hash == finished[0].log_hash]
    simulations = sum(chunk.simulations for chunk in shown)
    tallies = _added(shown)
    lines = _lines(outlook, outlook.position, tallies, simulations, is_current=bool(of_now))
    return Odds(outlook, lines, "", simulations, len(shown), bool(of_now))


def _added(chunks: Sequence[Forecast]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for chunk in chunks:
        for entry, counts in chunk.counts.items():
            tally = tallies.setdefault(entry, Tally())
            tally.won += counts["won"]
            tally.best.update({int(points): times for points, times in counts["best"].items()})
            tally.next.update({int(points): times for points, times in counts["next"].items()})
    return tallies


def _lines(
    outlook: Outlook, position: Position, tallies: dict[str, Tally], simulations: int, *, is_current: bool
) -> list[Line]:
    of = {line.entrant.id: line for line in outlook.lines}
    names = {entry: line.entrant.name for entry, line in of.items()}
    hands_left = position.hands_left
    best_of_all: Counter[int] = Counter()
    for tally in tallies.values():
        best_of_all += tally.best
    made = []
    for place, entry in enumerate(position.entries[: position.hopefuls]):
        tally = tallies.get(entry, Tally())
        total, left = position.totals[place], hands_left[entry] if hands_left is not None else None
        # The best total of the others: that of all, but for the endings that this one won.
        others = best_of_all - tally.best + tally.next
        enough = _enough(position, total, others) if is_current and left != 0 else None
        low, high = interval(tally.won, simulations)
        made.append(
            Line(
                standing=of[entry],
                hands_left=left,
                won=tally.won if simulations else None,
                chance=tally.won / simulations if simulations else 0.0,
                low=low,
                high=high,
                enough=enough,
                spare=position.out_at - total if position.out_at is not None else None,
                needs=tuple(_needs(position, place, names, enough)),
            )
        )
    order = {entry: at for at, entry in enumerate(of)}
    return sorted(made, key=lambda line: (-(line.won or 0), order[line.standing.entrant.id]))


def interval(won: int, simulations: int) -> tuple[float, float]:
    """Wilson's, which is right for the very likely and the very unlikely too. (0, 1) where nothing was counted."""
    if not simulations:
        return 0.0, 1.0
    share = won / simulations
    middle = share + Z * Z / (2 * simulations)
    off = Z * math.sqrt(share * (1 - share) / simulations + Z * Z / (4 * simulations * simulations))
    whole = 1 + Z * Z / simulations
    return max(0.0, (middle - off) / whole), min(1.0, (middle + off) / whole)


def _enough(position: Position, total: int, others: Counter[int]) -> int | None:
    """With how many points from here on one would have been ahead of all others in at least half of the endings."""
    if position.out_at is not None or not others:
        return None
    counted, half = 0, sum(others.values()) / 2
    for points in sorted(others, reverse=position.lowest_wins):
        counted += others[points]
        if counted >= half:
            return points - 1 - total if position.lowest_wins else points + STEP - total
    return None


def _needs(position: Position, place: int, names: dict[str, str], enough: int | None) -> Iterator[str]:
    """What is known for certain first, then what the simulations say."""
    total = position.totals[place]
    if position.out_at is not None:
        if total < position.out_at:
            yield _("Eliminated if caught with more than %(points)d.") % {"points": position.out_at - total - 1}
        return
    left = position.hands_left
    if left is None:
        yield from _enough_in_games(position, enough)
        return
    own = left[position.entries[place]]
    if said := _against_who_is_done(position, place, left, names):
        yield said
        if not own:
            return
    if not own:
        yield _("No hand left: the others play on.")
    elif enough is not None and enough > 0 and not position.lowest_wins:
        yield _("In half of the endings %(points)s in %(hands)s were enough.") % _counted(enough, own)
    elif enough is not None and enough >= 0 and position.lowest_wins:
        yield _("In half of the endings up to %(points)s in %(hands)s were few enough.") % _counted(enough, own)


def _counted(points: int, hands: int) -> dict[str, str]:
    """“37 points”, “the last 4 hands”."""
    return {
        "points": ngettext("%(count)d point", "%(count)d points", points) % {"count": points},
        "hands": ngettext("the last hand", "the last %(count)d hands", hands) % {"count": hands},
    }


def _enough_in_games(position: Position, enough: int | None) -> Iterator[str]:
    if enough is None or enough < 0:
        return
    if position.lowest_wins:
        yield _("In half of the endings up to %(points)d more points were few enough.") % {"points": enough}
    elif enough:
        yield _("In half of the endings %(points)d more points were enough.") % {"points": enough}


def _against_who_is_done(position: Position, place: int, left: dict[str, int], names: dict[str, str]) -> str:
    """What follows from those who have no hand left, by arithmetic alone; empty where nothing does.

    Points are never taken away by a hand, so where the most win nobody falls behind who is ahead, and where the fewest
    win nobody who is behind comes back.
    """
    total, own = position.totals[place], left[position.entries[place]]
    rivals = [at for at in range(position.hopefuls) if at != place]
    done = [at for at in rivals if not left[position.entries[at]]]
    if not own and not position.lowest_wins:
        done = rivals
    if not done:
        return ""
    pick = min if position.lowest_wins else max
    best = pick(done, key=lambda at: position.totals[at])
    ahead = total - position.totals[best] if position.lowest_wins else position.totals[best] - total
    name = names[position.entries[best]]
    if ahead > 0 and (position.lowest_wins or not own):
        return _("Cannot win any more: %(name)s is ahead for good.") % {"name": name}
    if ahead >= 0 and own and not position.lowest_wins:
        words = _("Needs at least %(points)s in %(hands)s to pass %(name)s, who has none left.")
        return words % {**_counted(ahead + 1, own), "name": name}
    if ahead < 0 and own and position.lowest_wins:
        words = _("Stays ahead of %(name)s, who has no hand left, with less than %(points)s in %(hands)s.")
        return words % {**_counted(-ahead, own), "name": name}
    return ""


def odds_rows(odds: Odds) -> Iterator[dict[str, Any]]:
    for line in odds.lines:
        counted = line.won is not None
        yield {
            "player_id": line.standing.entrant.id,
            "player": line.standing.entrant.name,
            "total": line.standing.total,
            "hands_left": line.hands_left,
            "won": line.won,
            "simulations": odds.simulations,
            "chance": round(line.chance, 4) if counted else None,
            "low": round(line.low, 4) if counted else None,
            "high": round(line.high, 4) if counted else None,
            "enough": line.enough,
            "spare": line.spare,
        }
