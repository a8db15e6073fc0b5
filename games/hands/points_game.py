"""A game to a target at a table of a points race, as its page shows it: who has how much, what a hand does."""

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
    """What somebody at the table has in this round. `spare`: points left to the target; None when the game is over.

    `gone` says that they have dropped out.
    """

    seat: int
    name: str
    points: int
    spare: int | None
    gone: str

    @property
    def short(self) -> str:
        """For the plan of the table: “463, 37 to go”."""
        if self.gone:
            return f"{self.points}, {self.gone}"
        if self.spare:
            return _("%(points)d, %(spare)d to go") % {"points": self.points, "spare": self.spare}
        return ngettext("%(count)d point", "%(count)d points", self.points) % {"count": self.points}


def totals(table: Table, seats: Sequence[Seat]) -> list[Total]:
    """The totals of everybody who sits there, by seat; empty in other formats."""
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
    """The hand with which the game of the table ended; None while it goes on, or without a game."""
    game = game_at(table)
    return game.over_in if game else None


def is_level(table: Table) -> bool:
    """Whether all hands of a duel are in and nothing parts the two, so that they play on."""
    if not table.round.stage.plays.in_tree:
        return False
    game = game_at(table)
    return game is not None and game.is_level


def why_over(table: Table, hands: Hands | None = None) -> str:
    """“This game is over: Ana reached 500 in hand 7.”; empty while it goes on, and without a target.

    `hands`: those that are in, if they are read already.
    """
    game, target = game_at(table, hands), target_of_round(table.round)
    if game is None or target is None or game.over_in is None:
        return ""
    return over_in_words(game, target, _people(table))


def over_in_words(game: Game, target: int, people: dict[str, str]) -> str:
    finishers = [people.get(player, "") for player, own in game.totals.items() if own >= target]
    words = {"names": names(finishers), "target": target, "hand": game.over_in}
    return _("This game is over: %(names)s reached %(target)d in hand %(hand)d.") % words


def _people(table: Table) -> dict[str, str]:
    """{player_id: name} of everybody who played there."""
    rows = HandScore.objects.living().filter(table=table)
    return dict(rows.order_by("seat").values_list("entry__public_id", entry_name("entry__")))


@dataclass(frozen=True)
class Catch:
    """What a hand does to a player who was dealt in: `total` with it in this round, `reaches` if that ends the game.

    `was` is their score before a correction.
    """

    name: str
    points: int
    won: bool
    total: int
    reaches: bool
    was: int | None = None


@dataclass(frozen=True)
class Effect:
    """What a hand that is not saved yet would do. `after` says that the game is over with it, or was before it."""

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
    """What a typed hand would do at a table where points add up; None elsewhere. Changes nothing."""
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
        return _("This hand counts for nobody: the game was over with hand %(hand)d.") % {"hand": upto.over_in}
    if upto.over_in == number and not any(catch.reaches for catch in catches):
        return _("With this hand it is decided who goes on.")
    if upto.over_in == number:
        finishers = names(catch.name for catch in catches if catch.reaches)
        return _("With this hand the game is over: %(names)s reaches the target.") % {"names": finishers}
    if game.over_in is not None:
        return _("The game is over with hand %(hand)d.") % {"hand": game.over_in}
    return ""
