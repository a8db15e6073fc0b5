"""Who sits at an online table, as its viewer sees them."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from engine.scoring import partner
from engine.state import OVER
from games.online.page.clocks import in_minutes, moment, to_ms
from games.online.play.places import ABSENT, LEFT

IN_A_ROW = 3  # others, who sit left, opposite and right; more of them sit around the piles
MOST_BACKS = 7  # cards that are drawn; a figure says how many there are


@dataclass(frozen=True)
class Lost:
    """Somebody's page is silent `since_ms`. `text` says for how long, `pattern` the same for the page's script."""

    since_ms: int
    text: str
    pattern: str


@dataclass(frozen=True)
class Seat:
    """What all see of somebody else, as long as it stays so. `where` is their place beside the viewer, in words.

    `is_here`: their page is there; `is_silent`: it is not, although they play. Before the deal, whether they are
    `ready`; then the `count` of their cards. `figures`: only a figure tells them, since there is no room to draw them.
    """

    name: str
    where: str
    is_here: bool
    is_silent: bool
    ready: bool = False
    count: int | None = None
    alert: bool = False  # one card, and UNO was not called
    figures: bool = False

    @property
    def backs(self) -> range:
        return range(min(self.count or 0, MOST_BACKS))


@dataclass(frozen=True)
class Other:
    """Somebody at the table, as the viewer sees them: on a seat, unless they are the viewer.

    `away`: why they don't play, in words; `lost` if only their page is silent.
    """

    at: str
    name: str
    css: str
    seat: Seat | None = None
    away: str = ""
    left: bool = False  # they are away because they left the table themselves
    ready: bool = False
    turn: bool = False
    dealer: bool = False
    lost: Lost | None = None

    @property
    def is_there(self) -> bool:
        """Whether the next hand can begin, as far as they are concerned."""
        return self.ready and not self.away


@dataclass(frozen=True)
class People:
    """The others in the order of play, `around` the piles or in a row above them, and the viewer, if they play."""

    others: tuple[Other, ...] = ()
    me: Other | None = None
    around: bool = False
    label: str = ""

    @property
    def css(self) -> str:
        """The class of the others."""
        if not self.around:
            return f"foes foes-{len(self.others)}"
        return f"around seats-{len(self.others)} {'seats-me' if self.me else ''}"

    @property
    def dealer(self) -> str:
        """Who deals, if it is not the viewer."""
        return next((person.name for person in self.others if person.dealer), "")


def people_of(seen: dict[str, Any]) -> People:
    """The viewer and the others in the order of play, beginning at the viewer's left; a spectator sits nowhere."""
    count, me = len(seen["places"]), seen["you"]
    first, around = (0 if me is None else me), _sits_around(seen)
    return People(
        others=tuple(_other(seen, (first + step) % count) for step in range(1, count + (me is None))),
        me=None if me is None else _other(seen, me),
        around=around,
        label=_("Other players"),
    )


def _sits_around(seen: dict[str, Any]) -> bool:
    """Whether the others sit around the piles: more of them than fit in a row, or the viewer watches."""
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
    """hand: the one in play, None before the deal."""
    place = seen["places"][at]
    where = position(at, seen["you"], len(seen["places"]), teams=seen["teams"])
    if seen["you"] is None and seen["teams"]:
        where = _("with %(name)s") % {"name": seen["places"][partner(at)]["name"]}
    return Seat(
        name=place["name"],
        where=where,
        is_here=bool(place["connected"]),
        is_silent=place["connected"] is False and not away,
        ready=place["ready"],
        count=hand["counts"][at] if hand is not None else None,
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
    """Where somebody sits as seen from `me`, at a table of two to four; at larger ones the page draws it."""
    if me is None or at == me or count > IN_A_ROW + 1:
        return ""
    steps = (at - me) % count
    if 2 * steps == count:
        return _("your partner") if teams else _("opposite you")
    return _("on your left") if steps == 1 else _("on your right")
