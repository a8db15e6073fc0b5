"""A game at a table of a points race: totals, and the effect of a hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.hands.seats import one_a_side, scorer
from league.formats.points import Game
from league.formats.protocol import Hands
from league.ledger.progress import game_at, game_with, target_of_round
from league.lib.translate import names
from league.models import Entry, HandScore, Seat, Table, entry_name


@dataclass(frozen=True)
class Total:
    """A player's total in this round. `spare` is the number of points to the target, None once the game is over.

    `gone` is set for a player who dropped out.
    """

    seat: int
    name: str
    points: int
    spare: int | None
    gone: str

    @property
    def short(self) -> str:
        """Return for example “463, 37 to go”."""
        if self.gone:
            return f"{self.points}, {self.gone}"
        if self.spare:
            return _("%(points)d, %(spare)d to go") % {"points": self.points, "spare": self.spare}
        return ngettext("%(count)d point", "%(count)d points", self.points) % {"count": self.points}


def totals(table: Table, seats: Sequence[Seat]) -> list[Total]:
    """Return the totals of all players at the table, by seat; empty in other formats."""
    game, target = game_at(table), target_of_round(table.round)
    if game is None:
        return []
    rows = []
    for seat in seats:
        own = game.totals.get(seat.entry.public_id, 0)
        gone = _("withdrawn") if seat.entry.status == Entry.Status.DROPPED else ""
        spare = None if target is None or game.over_in is not None else target - own
        rows.append(Total(seat.number or 0, scorer(seat), own, spare, gone))
    return rows


def over_in(table: Table) -> int | None:
    """Return the hand that ended the table's game; None without an ended game."""
    game = game_at(table)
    return game.over_in if game else None


def is_level(table: Table) -> bool:
    """Return whether a complete duel is tied, so that another hand is needed."""
    if not table.round.stage.plays.in_tree:
        return False
    game = game_at(table)
    return game is not None and game.is_level


def why_over(table: Table, hands: Hands | None = None) -> str:
    """Return for example “Game over: Ana reached 500 in hand 7.”; empty without a target or an ended game.

    `hands` are the recorded hands, if the caller has read them.
    """
    game, target = game_at(table, hands), target_of_round(table.round)
    if game is None or target is None or game.over_in is None:
        return ""
    return over_in_words(game, target, _people(table))


def over_in_words(game: Game, target: int, people: dict[str, str]) -> str:
    finishers = [people.get(player, "") for player, own in game.totals.items() if own >= target]
    words = {"names": names(finishers), "target": target, "hand": game.over_in}
    return _("Game over: %(names)s reached %(target)d in hand %(hand)d.") % words


def _people(table: Table) -> dict[str, str]:
    """Return {player_id: name} of all who played at the table."""
    rows = HandScore.objects.living().filter(table=table)
    return dict(rows.order_by("seat").values_list("entry__public_id", entry_name("entry__")))


@dataclass(frozen=True)
class Catch:
    """The effect of a hand on a player: `total` in this round, and `reaches` if it ends the game.

    `was` is the score before a correction.
    """

    name: str
    points: int
    won: bool
    total: int
    reaches: bool
    was: int | None = None


@dataclass(frozen=True)
class Effect:
    """The effect of an unsaved hand. `after` tells that the game ends or has ended."""

    catches: tuple[Catch, ...]
    after: str = ""


def effect(
    table: Table,
    number: int,
    seats: Sequence[Seat],
    scores: Sequence[int],
    went_out: int | None,
    was: Sequence[int] | None = None,
) -> Effect | None:
    """Return the effect of a typed hand if points add up; otherwise None. Read-only."""
    if not table.round.stage.plays.adds_up:
        return None
    target = target_of_round(table.round)
    hands: dict[int, dict[str, int]] = {}
    rows = HandScore.objects.living().filter(table=table).exclude(hand=number)
    for hand, player, score in rows.values_list("hand", "entry__public_id", "score"):
        hands.setdefault(hand, {})[player] = score
    hands[number] = {seat.entry.public_id: score for seat, score in zip(seats, scores, strict=True)}
    upto = game_with(table.round, {hand: by_player for hand, by_player in hands.items() if hand <= number})
    game = game_with(table.round, hands)
    out = next((seat.entry_id for seat in seats if seat.number == went_out), None)
    catches = tuple(
        Catch(
            name=scorer(seat),
            points=scores[at],
            won=seat.entry_id == out,
            total=upto.totals.get(seat.entry.public_id, 0),
            reaches=target is not None
            and upto.over_in == number
            and upto.totals.get(seat.entry.public_id, 0) >= target,
            was=was[at] if was else None,
        )
        for at, seat in enumerate(one_a_side(seats))  # a hand counts once for a team
    )
    return Effect(catches, _after(number, game, upto, catches))


def _after(number: int, game: Game, upto: Game, catches: Sequence[Catch]) -> str:
    if upto.over_in is not None and upto.over_in < number:
        return _("It counts for no one: the game ended with hand %(hand)d.") % {"hand": upto.over_in}
    if upto.over_in == number and not any(catch.reaches for catch in catches):
        return _("This hand decides who advances.")
    if upto.over_in == number:
        finishers = names(catch.name for catch in catches if catch.reaches)
        return _("This hand ends the game: %(names)s reaches the target.") % {"names": finishers}
    if game.over_in is not None:
        return _("The game ends with hand %(hand)d.") % {"hand": game.over_in}
    return ""
