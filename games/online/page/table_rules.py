"""The rules of one table: what is played, the house rules, and what each card does."""

from dataclasses import dataclass

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from engine.rules import EDITIONS, OPTIONS
from games.online.page.card_help import CardHelp, Deck, card_helps
from games.online.page.game_line import Game, game_in_words


@dataclass(frozen=True)
class Point:
    title: str
    text: str


@dataclass(frozen=True)
class TableRules:
    """`hints`: what a person reads at their first turns."""

    edition: str
    line: str
    points: tuple[Point, ...]
    house: tuple[str, ...]
    cards: tuple[CardHelp, ...]
    hints: tuple[str, ...]
    book: str


def table_rules(game: Game, *, players: int) -> TableRules:
    """players: those who are dealt in."""
    deck = deck_of(game, players)
    return TableRules(
        edition=game.edition,
        line=game_in_words(game, get_language()),
        points=(*goals(game), _uno()),
        house=tuple(_(name) for key, name in OPTIONS.items() if key in game.options),
        cards=card_helps(deck),
        hints=(
            _("Raised cards can be played. If you have none, draw."),
            _("Hold a card, or point at it, to read what it does."),
            _("Tap the last move for the whole hand, and the name of the game for its rules."),
        ),
        book=_("All rules of %(edition)s") % {"edition": _(EDITIONS[game.edition].name)},
    )


def goals(game: Game) -> tuple[Point, Point]:
    """Return what points mean, and what ends the game."""
    return _scoring(game), _ending(game)


def deck_of(game: Game, players: int) -> Deck:
    return Deck(game.edition, frozenset(game.options), players == 2)


def _scoring(game: Game) -> Point:
    if game.points_are_bad:
        text = _("A player who goes out gets none. The others get the points left in their hands.")
        return Point(_("Points are bad"), text)
    if game.partners:
        text = _("The side that goes out gets the points left in its opponents’ hands.")
    else:
        text = _("The player who goes out gets the points left in the other hands.")
    return Point(_("Points are good"), text)


def _ending(game: Game) -> Point:
    words = {"target": game.target, "count": game.hands}
    if game.target and game.eliminates:
        return Point(_("%(target)d points eliminate you") % words, _("The last player in wins."))
    if game.target and game.points_are_bad:
        return Point(_("The game ends at %(target)d points") % words, _("Then the lowest total wins."))
    if game.target:
        return Point(_("The first to reach %(target)d wins") % words, _("The game ends with that hand."))
    text = _("The lowest total wins.") if game.points_are_bad else _("The highest total wins.")
    if game.hands:
        return Point(ngettext("%(count)d hand", "%(count)d hands", game.hands) % words, text)
    return Point(_("The organiser ends the round"), text)


def _uno() -> Point:
    return Point(
        _("Call UNO"), _("Call it with the card that leaves you one. If you are caught without it, you draw 2.")
    )
