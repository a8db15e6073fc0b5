"""The card before the first deal of a table: what is played, what ends the game, and how close each player is to it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.online.page.game_line import Game
from games.online.page.page import Page
from games.online.page.people import Other
from games.online.page.table_rules import Point, goals
from league.models import Table, Tournament

WIDE = 100  # of a lane's drawing


@dataclass(frozen=True)
class Lane:
    """A player before the deal. `filled`: per cent of the target; `points`: None if partners share them."""

    who: Other
    name: str
    where: str
    mine: bool
    filled: int
    points: int | None


@dataclass(frozen=True)
class StartCard:
    """`goal`: the words at the end of the lanes; empty without a target, when there are only names.

    `danger`: whether the end of the lanes is marked, where a player is in danger. `terms`: words explained.
    """

    title: str
    lead: str
    text: str
    lanes: tuple[Lane, ...]
    goal: str
    danger: bool
    terms: tuple[Point, ...]
    note: str

    @property
    def css(self) -> str:
        return "ladder ladder-two" if len(self.lanes) > 5 else "ladder"


def start_card(table: Table, page: Page) -> StartCard | None:
    """Return the card for a table that waits for its first deal."""
    game = page.game
    if game is None:
        return None
    casual = table.round.tournament.kind == Tournament.Kind.CASUAL
    scoring, ending = goals(game)
    people = [*filter(None, [page.people.me]), *page.people.others]
    return StartCard(
        title=_(table.round.stage.plays.name),
        lead=f"{scoring.title}. {ending.title}.",
        text=ending.text,
        lanes=tuple(_lane(person, page, game) for person in people),
        goal=_goal(game),
        danger=game.eliminates,
        terms=_terms(game),
        note=_("You can leave: a bot keeps your seat.") if casual else "",
    )


def _lane(who: Other, page: Page, game: Game) -> Lane:
    points = None if game.partners else page.points.get(who.at, 0)
    mine = who.seat is None
    return Lane(
        who=who,
        name=_("You") if mine else who.name,
        where=who.seat.where if who.seat and game.partners else "",
        mine=mine,
        filled=max(0, min(WIDE, WIDE * (points or 0) // game.target)) if game.target else 0,
        points=points,
    )


def _goal(game: Game) -> str:
    words = {"target": game.target}
    if not game.target or game.partners:
        return ""
    if game.eliminates:
        return _("%(target)d: eliminated") % words
    return (_("%(target)d: the game ends") if game.points_are_bad else _("%(target)d: wins")) % words


def _terms(game: Game) -> tuple[Point, ...]:
    if not game.eliminates:
        return ()
    return (
        Point(_("Goes out"), _("No cards left: wins the hand and gets no points.")),
        Point(
            _("Eliminated"), _("%(target)d points or more: the game is over for this player.") % {"target": game.target}
        ),
    )
