"""The players at an online table, as its viewer sees them."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from engine.scoring import partner
from engine.state import OVER
from games.online.page.clocks import in_minutes, moment, to_ms
from games.online.play.places import ABSENT, LEFT

IN_A_ROW = 3  # other players left, opposite and right; more sit around the piles
MOST_BACKS = 7  # card backs shown; a number gives the count


@dataclass(frozen=True)
class Lost:
    """An offline player, `since_ms`. `text` gives the duration, `pattern` its form for the page's script."""

    since_ms: int
    text: str
    pattern: str


@dataclass(frozen=True)
class Seat:
    """A seat as all viewers see it. `where`: its position relative to the viewer, in words.

    `is_here`: connected. `is_silent`: offline while playing. `count`: of cards; 0 before the deal.
    `figures`: show only the number, for lack of room.
    """

    name: str
    where: str
    is_here: bool
    is_silent: bool
    count: int = 0
    alert: bool = False  # one card, and UNO was not called
    figures: bool = False

    @property
    def backs(self) -> range:
        return range(min(self.count, MOST_BACKS))


@dataclass(frozen=True)
class Other:
    """A player at the table; `seat` is None for the viewer.

    `away`: why they don't play, in words; `lost` if they are only offline.
    """

    at: str
    name: str
    css: str
    seat: Seat | None = None
    away: str = ""
    left: bool = False  # away because they left the table
    ready: bool = False
    turn: bool = False
    dealer: bool = False
    lost: Lost | None = None

    @property
    def is_there(self) -> bool:
        """Return whether the next hand can start for this player."""
        return self.ready and not self.away


@dataclass(frozen=True)
class People:
    """The other players in order of play, `around` the piles or in a row above them, and the viewer, if they play."""

    others: tuple[Other, ...] = ()
    me: Other | None = None
    around: bool = False
    label: str = ""

    @property
    def css(self) -> str:
        """Return the class of the other players' section."""
        if not self.around:
            return f"foes foes-{len(self.others)}"
        return f"around seats-{len(self.others)} {'seats-me' if self.me else ''}"

    @property
    def dealer(self) -> str:
        """Return the dealer's name, unless it is the viewer."""
        return next((person.name for person in self.others if person.dealer), "")


def people_of(seen: dict[str, Any]) -> People:
    """Return the players in order of play from the viewer's left; spectators have no seat."""
    count, me = len(seen["places"]), seen["you"]
    first, around = (0 if me is None else me), _sits_around(seen)
    return People(
        others=tuple(_other(seen, (first + step) % count) for step in range(1, count + (me is None))),
        me=None if me is None else _other(seen, me),
        around=around,
        label=_("Other players"),
    )


def _sits_around(seen: dict[str, Any]) -> bool:
    """Return whether players sit around the piles: too many for a row, or the viewer watches."""
    return seen["you"] is None or len(seen["places"]) > IN_A_ROW + 1


def _other(seen: dict[str, Any], at: int) -> Other:
    place, hand = seen["places"][at], seen.get("hand")
    if hand is not None and hand["step"] == OVER:
        hand = None
    away = ""
    if place["bot"] and not place["is_bot"]:
        away = {ABSENT: _("away"), LEFT: _("left, a bot plays")}.get(place["bot"], _("away, a bot plays"))
    turn = hand is not None and hand["turn"] == at
    alert = hand is not None and at in hand["uno"]
    return Other(
        at=f"{at}",
        name=place["name"],
        css=f"foe{' foe-turn' if turn else ''}{' foe-alert' if alert else ''}",
        seat=None if at == seen["you"] else _seat(seen, at, hand, away=away, alert=alert),
        away=away,
        left=place["bot"] == LEFT,
        ready=place["ready"],
        turn=turn,
        dealer=seen["dealer"] == at,
        lost=None if away else _lost(place["lost_at"]),
    )


def _seat(seen: dict[str, Any], at: int, hand: dict[str, Any] | None, *, away: str, alert: bool) -> Seat:
    """hand: the hand in play, None before the deal."""
    place = seen["places"][at]
    where = position(at, seen["you"], len(seen["places"]), teams=seen["teams"])
    if seen["you"] is None and seen["teams"]:
        where = _("with %(name)s") % {"name": seen["places"][partner(at)]["name"]}
    return Seat(
        name=place["name"],
        where=where,
        is_here=bool(place["connected"]),
        is_silent=place["connected"] is False and not away,
        count=hand["counts"][at] if hand is not None else 0,
        alert=alert,
        figures=len(seen["places"]) > IN_A_ROW + 1,
    )


def _lost(since: str | None) -> Lost | None:
    at = moment(since)
    if at is None:
        return None
    pattern = _("offline for %(time)s")
    passed = in_minutes(int((timezone.now() - at).total_seconds()))
    return Lost(to_ms(at), pattern % {"time": passed}, pattern % {"time": "{time}"})


def position(at: int, me: int | None, count: int, *, teams: bool) -> str:
    """Return a seat's position relative to `me`, for two to four players; larger tables draw it."""
    if me is None or at == me or count > IN_A_ROW + 1:
        return ""
    steps = (at - me) % count
    if 2 * steps == count:
        return _("your partner") if teams else _("opposite you")
    return _("on your left") if steps == 1 else _("on your right")
