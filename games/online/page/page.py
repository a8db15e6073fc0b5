"""The page of an online table, made of the picture that its viewer may see (games/online/page/picture.py) and of what
the ledger shows all.

`page_of` is read by templates/games/online/play/_play.html; forms and scripts add nothing to what is in the picture.
"""

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from engine.cards import is_wild
from engine.rules import EDITIONS
from engine.scoring import partner
from engine.state import OVER
from games.entry.table_page import totals_of
from games.hands.first_deal import FirstDeal, draws_of
from games.hands.seats import seats_of
from games.models import Deal
from games.online.page.choices import Doing, Held, cards_just_shown, doing, top_in_words
from games.online.page.log_in_words import Story, color_in_words, in_words, story_so_far
from games.online.page.viewer import Half
from games.online.play.places import ABSENT
from league.access.table_rows import read_once
from league.ledger.dealer import FirstDealer
from league.ledger.progress import race_of
from league.models import Entry, HandScore, Table, Tournament
from league.rulebook.editions import symbol

IN_A_ROW = 3  # others, who sit left, opposite and right; more of them sit around the piles
MOST_BACKS = 7  # cards that are drawn; a figure says how many there are
LINES = 3
COLOR_CLASSES = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}


@dataclass(frozen=True)
class Other:
    """Somebody at the table, as the viewer sees them. `where` is their place beside the viewer, in words.

    `connected`: whether their page is there, None if nobody knows; `lost`: for how long it is not, as of `now_ms`.
    """

    at: int
    name: str
    where: str = ""
    away: str = ""
    bot: bool = False
    ready: bool = False
    count: int | None = None
    turn: bool = False
    alert: bool = False  # one card, and UNO was not called
    dealer: bool = False
    total: int | None = None
    connected: bool | None = None
    lost: str = ""
    lost_ms: int = 0

    @property
    def backs(self) -> range:
        return range(min(self.count or 0, MOST_BACKS))


@dataclass(frozen=True)
class Clock:
    """The time that somebody has: from `from_ms` until `move_ms`, then from the bank until `due_ms`."""

    time_left: str
    bank: str
    percent: int
    from_ms: int
    move_ms: int
    due_ms: int

    @property
    def is_late(self) -> bool:
        """Whether the time for the move is used up."""
        return self.percent == 0


@dataclass(frozen=True)
class LogLine:
    number: int
    text: str
    key: str


@dataclass(frozen=True)
class Piles:
    """What lies in the middle, around which the others sit or not. `count`: of the draw pile, from which `draws` says
    whether the viewer can draw. `color`: its class (blue), empty before it is chosen. `turns_left`: until the hand is
    blocked, once that is near."""

    top: Held
    color: str
    color_name: str
    count: int
    draws: bool
    to_the_right: bool
    around: bool
    turns_left: int | None


@dataclass(frozen=True)
class Top:
    """What stands above the table, and in its menu. `tournament`: its slug. `player`: whose page it is. `halves`: the
    team's others, as `viewer.halves`. `bank`: whether the clock has one. `here`: the address of the page."""

    number: int
    title: str
    score: tuple[str, str] | None
    commitment: str
    totals: tuple[tuple[str, int], ...]
    tournament: str
    casual: bool
    edition: str
    player: str
    halves: tuple[Half, ...]
    bank: bool
    here: str


@dataclass(frozen=True)
class Page:
    """`state`: none, waiting, playing, over. `others` sit `around` the piles, or in a row above them.

    `figures`: only figures tell their cards, since there is no room to draw them.
    """

    state: str
    title: str
    others: tuple[Other, ...] = ()
    around: bool = False
    figures: bool = False
    me: Other | None = None
    clock: Clock | None = None
    score: tuple[str, str] | None = None  # a label for screen readers, and the figures
    lines: tuple[LogLine, ...] = ()
    doing: Doing | None = None
    cards_shown: Any = None  # for people who only watch
    piles: Piles | None = None
    opens: bool = False  # the viewer's browser is to open what it promised
    again: bool = False  # it has opened before, for a deck that was not dealt, and promises anew
    waits_for: tuple[str, ...] = ()  # whose browsers have not opened what they promised
    first_deal: FirstDeal | None = None  # how it was decided, before the first hand
    turn_name: str = ""
    paused: bool = False
    called_off: bool = False
    pause_reason: str = ""
    late: int = 0  # by how many moves later than the players
    commitment: str = ""
    totals: tuple[tuple[str, int], ...] = ()
    key: uuid.UUID = field(default_factory=uuid.uuid4)
    now_ms: int = field(default_factory=lambda: to_ms(timezone.now()))

    @property
    def dealer(self) -> str:
        """Who deals, if it is not the viewer."""
        return next((person.name for person in self.others if person.dealer), "")


def page_of(table: Table, seen: dict[str, Any] | None, *, chosen: str = "", late: int = 0) -> Page:
    """The page for a viewer of `seen`, None if nothing was ever dealt; spectators see `late` moves later."""
    if seen is None:
        return Page("none", "")
    scores = _scores(table, seen)
    parts: dict[str, Any] = {
        "state": seen["state"],
        "title": hand_title(table, seen["number"]),
        "paused": seen["paused"],
        "called_off": table.round.tournament.is_called_off,
        "pause_reason": seen["pause_reason"],
        "commitment": seen["commitment"],
        "totals": scores.totals,
        "score": scores.head,
    }
    if seen["state"] == Deal.State.WAITING:
        parts["clock"] = _waiting_clock(seen["clock"]["due_at"])
        parts["first_deal"] = _first_deal(table, seen)
        parts |= _promises(seen)
    elif "hand" in seen and seen["hand"]["step"] != OVER:
        parts |= _in_play(seen, chosen) | {"late": late if seen["you"] is None else 0}
    return Page(**parts, **_people(seen, scores.by_place))


def top_of(table: Table, page: Page, me: Entry | None, halves: tuple[Half, ...], *, title: str, here: str) -> Top:
    tournament = table.round.tournament
    return Top(
        number=table.number,
        title=title or page.title,
        score=page.score,
        commitment=page.commitment if page.state != Deal.State.OVER else "",
        totals=page.totals,
        tournament=tournament.slug,
        casual=tournament.kind == Tournament.Kind.CASUAL,
        edition=table.round.stage.edition,
        player=me.public_id if me else "",
        halves=halves,
        bank=bool(page.clock and page.clock.bank),
        here=here,
    )


def hand_title(table: Table, number: int) -> str:
    """“hand 3 of 4”; “hand 3” if it is not known how many there will be."""
    if table.hands_wanted is None:
        return _("hand %(number)d") % {"number": number}
    return _("hand %(number)d of %(of)d") % {"number": number, "of": table.hands_wanted}


def _in_play(seen: dict[str, Any], chosen: str) -> dict[str, Any]:
    of = seen["deal"], seen["commitment"], seen["you"]
    with story_so_far(of, seen["hand"]["events"], [place["name"] for place in seen["places"]]) as story:
        return _as_told(seen, story, chosen)


def _as_told(seen: dict[str, Any], story: Story, chosen: str) -> dict[str, Any]:
    hand, me = seen["hand"], seen["you"]
    edition = EDITIONS[hand["edition"]]
    acts = doing(seen, story, chosen) if me is not None else None
    top = hand["discard"][-1]
    choosing = acts is not None and acts.ask is not None and acts.ask.kind == "wild" and is_wild(top)
    return {
        "lines": tuple(
            LogLine(line.number, in_words(line, story, me), f"{line.first}") for line in reversed(story.lines[-LINES:])
        ),
        "doing": acts,
        "cards_shown": cards_just_shown(hand, story, me),
        "piles": Piles(
            top=Held(f"{len(story.lines)}", top, symbol(top, edition), top_in_words(hand, edition)),
            color=COLOR_CLASSES.get(hand["color"], ""),
            color_name=color_in_words(hand["color"]).capitalize() if hand["color"] and not choosing else "",
            count=hand["pile"],
            draws=acts is not None and acts.draw == "draw" and not seen["paused"],
            to_the_right=hand["direction"] < 0,
            around=_sits_around(seen),
            turns_left=hand["turns_left"],
        ),
        "turn_name": story.names[hand["turn"]],
        "clock": _move_clock(seen.get("clock")),
    }


def _promises(seen: dict[str, Any]) -> dict[str, Any]:
    late = [place for place in seen["places"] if place["promised"] and not place["opened"]] if seen["opening"] else []
    me = seen["places"][seen["you"]] if seen["you"] is not None else None
    return {
        "opens": me in late,
        "again": me is not None and me["again"],
        "waits_for": tuple(place["name"] for place in late),
    }


def _first_deal(table: Table, seen: dict[str, Any]) -> FirstDeal | None:
    if "first_deal" not in seen:
        return None
    names = {place["seat"]: place["name"] for place in seen["places"]}
    dealer = seen["places"][seen["dealer"]]
    first = FirstDealer(dealer["seat"], **seen["first_deal"])
    return FirstDeal(dealer["name"], first.by, draws_of(table, first, names), [])


# People


def _people(seen: dict[str, Any], totals: dict[int, int]) -> dict[str, Any]:
    """The viewer and the others in the order of play, beginning at the viewer's left; a spectator sits nowhere."""
    count, me = len(seen["places"]), seen["you"]
    everyone = [_other(seen, at, totals.get(at)) for at in range(count)]
    first = 0 if me is None else me
    others = tuple(everyone[(first + step) % count] for step in range(1, count + (me is None)))
    figures = count > IN_A_ROW + 1
    return {
        "others": others,
        "around": _sits_around(seen),
        "figures": figures,
        "me": None if me is None else everyone[me],
    }


def _sits_around(seen: dict[str, Any]) -> bool:
    """Whether the others sit around the piles: more of them than fit in a row, or the viewer watches."""
    return seen["you"] is None or len(seen["places"]) > IN_A_ROW + 1


def _other(seen: dict[str, Any], at: int, total: int | None) -> Other:
    place, hand = seen["places"][at], seen.get("hand")
    playing = hand is not None and hand["step"] != OVER
    where = position(at, seen["you"], len(seen["places"]), teams=seen["teams"])
    if seen["you"] is None and seen["teams"]:
        where = _("with %(name)s") % {"name": seen["places"][partner(at)]["name"]}
    away = ""
    if place["bot"] and not place["is_bot"]:
        away = _("away") if place["bot"] == ABSENT else _("away, a bot plays")
    lost = moment(place["lost_at"])
    return Other(
        at=at,
        name=place["name"],
        where=where,
        away=away,
        bot=place["is_bot"],
        ready=place["ready"],
        count=hand["counts"][at] if hand and playing else None,
        turn=bool(hand and playing and hand["turn"] == at),
        alert=bool(hand and playing and at in hand["uno"]),
        dealer=seen["dealer"] == at,
        total=total,
        connected=place["connected"],
        lost=in_minutes(int((timezone.now() - lost).total_seconds())) if lost else "",
        lost_ms=to_ms(lost) if lost else 0,
    )


def position(at: int, me: int | None, count: int, *, teams: bool) -> str:
    """Where somebody sits as seen from `me`, at a table of two to four; at larger ones the page draws it."""
    if me is None or at == me or count > IN_A_ROW + 1:
        return ""
    steps = (at - me) % count
    if 2 * steps == count:
        return _("your partner") if teams else _("opposite you")
    return _("on your left") if steps == 1 else _("on your right")


# Clocks


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def to_ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def _waiting_clock(due: str | None) -> Clock | None:
    due_at, now = moment(due), timezone.now()
    if due_at is None:
        return None
    return Clock(in_minutes(seconds_until(due_at, now)), "", 100, to_ms(now), to_ms(due_at), to_ms(due_at))


def _move_clock(clock: dict[str, Any] | None) -> Clock | None:
    """The time for a move, and then the bank. None if no time runs: a bot plays, or the viewer sees the hand later."""
    asked_at, due_at = (moment(clock[name]) if clock else None for name in ("asked_at", "due_at"))
    if clock is None or asked_at is None or due_at is None:
        return None
    now = moment(clock["now"]) or timezone.now()
    seconds = clock["move_seconds"]
    used = (now - asked_at).total_seconds()
    bank = min((due_at - asked_at).total_seconds() - seconds, (due_at - now).total_seconds())
    seconds_left = max(0.0, seconds - used)
    return Clock(
        time_left=in_minutes(int(seconds_left + 0.999)),
        bank=in_minutes(max(0, int(bank + 0.999))),
        percent=round(100 * seconds_left / max(1, seconds)),
        from_ms=to_ms(asked_at),
        move_ms=to_ms(asked_at) + 1000 * seconds,
        due_ms=to_ms(due_at),
    )


def seconds_until(due: datetime, now: datetime) -> int:
    return max(0, int((due - now).total_seconds() + 0.999))


def in_minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


# Scores


@dataclass(frozen=True)
class Scores:
    """`head` stands at the top of the page; `by_place` has the totals of single players, `totals` all by name."""

    head: tuple[str, str] | None = None
    totals: tuple[tuple[str, int], ...] = ()
    by_place: dict[int, int] = field(default_factory=dict)


def _scores(table: Table, seen: dict[str, Any]) -> Scores:
    """The scores of both pairs in this round; else everybody's totals, the best first."""
    if table.round.stage.has_partners:
        return _scores_of_sides(table, seen)
    # In a race the hands of later rounds count at the tables of those before too.
    goes_on = table.round.stage.eliminates and not table.round.is_open
    totals = read_once(
        table.round.tournament,
        f"totals of {table.pk} in {get_language()}",
        (table.version, table.round.tournament.log_head.number if goes_on else None),
        lambda: totals_of(table, seats_of(table), race_of(table.round)),
    )
    by_seat = {total.seat: total.points for total in totals}
    by_place = {at: by_seat.get(place["seat"], 0) for at, place in enumerate(seen["places"])}
    head = None
    if seen["you"] is not None:
        points = by_place[seen["you"]]
        head = ("", ngettext("%(count)d point", "%(count)d points", points) % {"count": points})
    highest_first = not table.round.stage.lowest_wins
    by_total = sorted(((total.name, total.points) for total in totals), key=lambda pair: pair[1], reverse=highest_first)
    return Scores(head, tuple(by_total), by_place)


def _scores_of_sides(table: Table, seen: dict[str, Any]) -> Scores:
    sides = read_once(table.round.tournament, f"sides of {table.pk}", table.version, lambda: _sides(table))
    names = [place["name"] for place in seen["places"]]
    totals = tuple(
        (_("%(first)s and %(last)s") % {"first": names[at], "last": names[at + 2]}, sides[at]) for at in (0, 1)
    )
    if seen["you"] is None:
        return Scores((totals[0][0], _score_in_words(*sides)), totals)
    mine = seen["places"][seen["you"]]["seat"] % 2
    return Scores((_("Your side, their side"), _score_in_words(sides[mine], sides[1 - mine])), totals)


def _sides(table: Table) -> tuple[int, int]:
    """Both partners have each hand's score, so one seat of each side is enough."""
    sides = [0, 0]
    rows = HandScore.objects.living().filter(table=table, seat__in=(0, 1))
    for seat, score in rows.values_list("seat", "score"):
        sides[seat] += score
    return sides[0], sides[1]


def _score_in_words(first: int, second: int) -> str:
    return _("%(first)d to %(second)d") % {"first": first, "second": second}
