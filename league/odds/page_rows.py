"""Build a forecast for pages, CSV and API: odds with their error, and what players need."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.lib.translate import translate
from league.log.anchors import log_hash_of
from league.models import Forecast, Tournament
from league.odds.compute import CHUNKS, request_forecast
from league.odds.position import Outlook, outlook_at, outlook_of
from league.odds.simulate import STEP, Position, Tally
from league.standings.ranking import Standing

Z = 1.959964  # 95 % confidence


class OddsRow(TypedDict):
    player_id: str
    player: str
    total: int
    hands_left: Annotated[int | None, "null if it depends on results"]
    won: Annotated[int | None, "Of the simulations; null before the first"]
    simulations: int
    chance: Annotated[float | None, "Of 1"]
    low: Annotated[float | None, "The chance lies between low and high, 19 times in 20"]
    high: float | None
    enough: Annotated[
        int | None, "Further points that won half of the simulations; at most, if low totals win. Never below 0"
    ]
    spare: Annotated[int | None, "Challenge UNO: further points that eliminate the player"]


COLUMNS = tuple(OddsRow.__annotations__)


@dataclass(frozen=True)
class Line:
    """A player who can still win. hands_left: None if unknown. won: None before the first simulations.

    low, high: 95 % confidence interval of the chance. enough: points in the remaining hands that would have won at
    least half of the simulations (if the lowest total wins, at most this many). spare: in a Challenge UNO, further
    points that eliminate the player. needs: sentences.
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
        """Return “23 %”, never 0 or 100, because the odds are estimates."""
        if self.won is None:
            return "–"
        percent = round(100 * self.chance)
        if percent == 0:
            return _("under 1 %%") % {}
        return _("over 99 %%") % {} if percent == 100 else _("%(percent)d %%") % {"percent": percent}

    @property
    def bar(self) -> str:
        """Return the length of the bar, of 1000."""
        return str(round(1000 * self.chance))

    @property
    def error(self) -> tuple[str, str]:
        """Return start and width of the error bar, of 1000."""
        return str(round(1000 * self.low)), str(round(1000 * (self.high - self.low)))

    @property
    def between(self) -> tuple[float, float]:
        """Return the error in per cent, for screen readers."""
        return 100 * self.low, 100 * self.high


@dataclass(frozen=True)
class Odds:
    """lines: likeliest winner first. why_not: a reason if there are no odds. out: number of players who can't win.

    simulations, chunks: counted so far. is_current: based on the latest results; else newer simulations are running.
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
        """Return the largest error in per cent, at 95 % confidence."""
        return max((50 * (line.high - line.low) for line in self.lines), default=0.0)

    @property
    def out(self) -> int:
        return sum(line.rank is not None for line in self.outlook.lines) - len(self.lines)


def odds_of(tournament: Tournament) -> Odds:
    """Return the odds counted so far. The first viewer requests them."""
    log_hash = log_hash_of(tournament)
    outlook = outlook_at(tournament, log_hash) or outlook_of(tournament)
    if outlook.position is None:
        return Odds(outlook, [], translate(outlook.why_not) if outlook.why_not else "")
    request_forecast(tournament=tournament, log_hash=log_hash, current=outlook.current)
    finished = list(tournament.forecasts.exclude(finished_at=None).order_by("-pk"))
    of_now = [chunk for chunk in finished if chunk.log_hash == log_hash]
    if len(of_now) == CHUNKS and not any(chunk.simulations for chunk in of_now):
        sentence = _("Too many hands are left to work out the chances. The next result starts a new attempt.")
        return Odds(outlook, [], sentence)
    chunks = of_now or [chunk for chunk in finished if chunk.log_hash == finished[0].log_hash]
    simulations = sum(chunk.simulations for chunk in chunks)
    tallies = _add_up(chunks)
    lines = _lines(outlook, outlook.position, tallies, simulations, is_current=bool(of_now))
    return Odds(outlook, lines, "", simulations, len(chunks), bool(of_now))


def _add_up(chunks: Sequence[Forecast]) -> dict[str, Tally]:
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
    standing_of = {line.entrant.id: line for line in outlook.lines}
    names = {entry: line.entrant.name for entry, line in standing_of.items()}
    hands_left = position.hands_left
    best_of_all: Counter[int] = Counter()
    for tally in tallies.values():
        best_of_all += tally.best
    lines = []
    for place, entry in enumerate(position.entries[: position.hopefuls]):
        if _ahead_for_good(position, place) is not None:
            continue
        tally = tallies.get(entry, Tally())
        total, own = position.totals[place], hands_left[entry] if hands_left is not None else None
        # The best totals of the rivals: of all or, if this entry won, the next best.
        rivals = best_of_all - tally.best + tally.next
        enough = _enough_points(position, total, rivals) if is_current and own != 0 else None
        low, high = interval(tally.won, simulations)
        lines.append(
            Line(
                standing=standing_of[entry],
                hands_left=own,
                won=tally.won if simulations else None,
                chance=tally.won / simulations if simulations else 0.0,
                low=low,
                high=high,
                enough=enough,
                spare=position.out_at - total if position.out_at is not None else None,
                needs=tuple(_needs(position, place, names, enough)),
            )
        )
    order = {entry: at for at, entry in enumerate(standing_of)}
    return sorted(lines, key=lambda line: (-(line.won or 0), order[line.standing.entrant.id]))


def interval(won: int, simulations: int) -> tuple[float, float]:
    """Return Wilson's interval, which also holds for very likely and unlikely events; (0, 1) without simulations."""
    if not simulations:
        return 0.0, 1.0
    share = won / simulations
    middle = share + Z * Z / (2 * simulations)
    off = Z * math.sqrt(share * (1 - share) / simulations + Z * Z / (4 * simulations * simulations))
    whole = 1 + Z * Z / simulations
    return max(0.0, (middle - off) / whole), min(1.0, (middle + off) / whole)


def _enough_points(position: Position, total: int, rivals: Counter[int]) -> int | None:
    """Return how many more points would have beaten all rivals in at least half of the simulations."""
    if position.out_at is not None or not rivals:
        return None
    counted, half = 0, sum(rivals.values()) / 2
    for points in sorted(rivals, reverse=position.lowest_wins):
        counted += rivals[points]
        if counted >= half:
            if not position.lowest_wins:
                return max(0, points + STEP - total)
            return points - 1 - total if points > total else None  # no total is low enough
    return None


def _needs(position: Position, place: int, names: dict[str, str], enough: int | None) -> Iterator[str]:
    """Yield certain facts first, then estimates."""
    total = position.totals[place]
    if position.out_at is not None:
        if total < position.out_at:
            yield _("Eliminated with more than %(points)d penalty points.") % {"points": position.out_at - total - 1}
        return
    hands_left = position.hands_left
    if hands_left is None:
        yield from _enough_in_games(position, enough)
        return
    own = hands_left[position.entries[place]]
    if own and (sentence := _against_finished(position, place, hands_left, names)):
        yield sentence
    if not own:
        yield _("No hands left; other players play on.")
    elif enough is not None and enough > 0 and not position.lowest_wins:
        yield _("%(points)s in %(hands)s: an even chance to win.") % _amounts(enough, own)
    elif enough is not None and position.lowest_wins:
        yield _("Up to %(points)s in %(hands)s: an even chance to win.") % _amounts(enough, own)


def _amounts(points: int, hands: int) -> dict[str, str]:
    """Return “37 points”, “the last 4 hands”."""
    return {
        "points": ngettext("%(count)d point", "%(count)d points", points) % {"count": points},
        "hands": ngettext("the last hand", "the %(count)d hands left", hands) % {"count": hands},
    }


def _enough_in_games(position: Position, enough: int | None) -> Iterator[str]:
    if enough is None:
        return
    if position.lowest_wins:
        yield _("Up to %(points)d more points: an even chance to win.") % {"points": enough}
    elif enough:
        yield _("%(points)d more points: an even chance to win.") % {"points": enough}


def _ahead_for_good(position: Position, place: int) -> int | None:
    """Return the index of an entry that makes it impossible for a player to win, or None.

    A hand never takes points away. If most points win, a rival ahead of a player without hands stays ahead. If fewest
    win, a rival without hands stays ahead of all behind.
    """
    hands_left = position.hands_left if position.out_at is None else None
    if hands_left is None or (hands_left[position.entries[place]] and not position.lowest_wins):
        return None
    rivals = [at for at in range(position.hopefuls) if at != place]
    if position.lowest_wins:
        rivals = [at for at in rivals if not hands_left[position.entries[at]]]
    sign = 1 if position.lowest_wins else -1
    best = min(rivals, key=lambda at: sign * position.totals[at], default=None)
    if best is None or sign * position.totals[best] >= sign * position.totals[place]:
        return None
    return best


def _against_finished(position: Position, place: int, hands_left: dict[str, int], names: dict[str, str]) -> str:
    """Return what a player with hands left needs against the best finished player, or ""."""
    total, own = position.totals[place], hands_left[position.entries[place]]
    done = [at for at in range(position.hopefuls) if at != place and not hands_left[position.entries[at]]]
    if not done:
        return ""
    pick = min if position.lowest_wins else max
    best = pick(done, key=lambda at: position.totals[at])
    name, behind = names[position.entries[best]], position.totals[best] - total
    if not position.lowest_wins and behind >= 0:
        words = _("Needs at least %(points)s in %(hands)s to pass %(name)s, who has no hands left.")
        return words % {**_amounts(behind + 1, own), "name": name}
    if position.lowest_wins and behind > 0:
        words = _("Stays ahead of %(name)s, who has no hands left, with less than %(points)s in %(hands)s.")
        return words % {**_amounts(behind, own), "name": name}
    return ""


def odds_rows(odds: Odds) -> Iterator[OddsRow]:
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
