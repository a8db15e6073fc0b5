"""The two lines at the top of an online table: what is played, and where the viewer stands.

“Classic, first to 500 wins, points are good” / “Table 4, hand 3. You have 180. Must play”.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from engine.rules import DEFAULT_TARGET, EDITIONS
from engine.sentences import mark
from league.ledger.progress import target_of_round
from league.models import Table, Tournament
from league.standings.race_in_words import is_in_danger

# Short names of the house rules (engine.rules.OPTIONS).
HOUSE_RULES = {
    "penalise_wrong_card": mark("wrong-card penalty"),
    "stacking": mark("stacking"),
    "draw_until_playable": mark("draw until you can play"),
    "no_bluff": mark("no bluffing"),
    "must_play": mark("must play"),
}


@dataclass(frozen=True)
class Game:
    """What is played at a table. `target`: the points that end the game; `hands`: the number of hands, if that ends it.

    `eliminates`: the target eliminates players, else it ends the game. `points_are_bad`, `partners`: as
    `Stage.lowest_wins` and `Stage.has_partners`.
    """

    edition: str
    target: int | None
    hands: int | None
    eliminates: bool
    points_are_bad: bool
    partners: bool
    options: tuple[str, ...]


@dataclass(frozen=True)
class GameLine:
    game: str
    standing: str


def game_of(table: Table) -> Game:
    stage = table.round.stage
    target = stage.values["target"] or DEFAULT_TARGET if stage.eliminates else target_of_round(table.round)
    return Game(
        edition=stage.edition,
        target=target,
        hands=None if target else table.hands_wanted,
        eliminates=stage.eliminates,
        points_are_bad=stage.lowest_wins,
        partners=stage.has_partners,
        options=tuple(stage.options),
    )


def game_line(table: Table, game: Game, number: int, *, points: str) -> GameLine:
    """Return both lines. `number`: of the hand, 0 before the first. `points`: where the viewer stands."""
    casual = table.round.tournament.kind == Tournament.Kind.CASUAL
    language = get_language()
    place = _place(0 if casual else table.number, number)
    return GameLine(
        game_in_words(game, language), " ".join(filter(None, (place, points, _house_rules(game, language))))
    )


def points_in_words(game: Game, points: int) -> str:
    """Return where a player stands who scores alone."""
    if game.eliminates and game.target and is_in_danger(points, game.target):
        return _("You have %(points)d, in danger.") % {"points": points}
    return _("You have %(points)d.") % {"points": points}


@lru_cache(256)
def game_in_words(game: Game, _language: str | None) -> str:
    words = {"edition": _(EDITIONS[game.edition].name), "target": game.target, "count": game.hands}
    if game.target and game.eliminates:
        return _("%(edition)s: points are bad, %(target)d eliminates you") % words
    if game.target:
        if game.points_are_bad:
            return _("%(edition)s: points are bad, the game ends at %(target)d") % words
        return _("%(edition)s, first to %(target)d wins, points are good") % words
    if game.hands:
        if game.points_are_bad:
            text = ngettext(
                "%(edition)s, %(count)d hand, points are bad",
                "%(edition)s, %(count)d hands, points are bad",
                game.hands,
            )
        else:
            text = ngettext(
                "%(edition)s, %(count)d hand, points are good",
                "%(edition)s, %(count)d hands, points are good",
                game.hands,
            )
        return text % words
    return (_("%(edition)s, points are bad") if game.points_are_bad else _("%(edition)s, points are good")) % words


@lru_cache(256)
def _house_rules(game: Game, _language: str | None) -> str:
    return house_rules(game.options)


def house_rules(options: Collection[str]) -> str:
    """Return the short names of the active house rules: “Stacking, must play”."""
    return capfirst(", ".join(_(name) for key, name in HOUSE_RULES.items() if key in options))


def _place(table: int, hand: int) -> str:
    words = {"number": table, "hand": hand}
    if not table:
        return _("Hand %(hand)d.") % words if hand else ""
    return _("Table %(number)d, hand %(hand)d.") % words if hand else _("Table %(number)d.") % words
