"""The page of an online table, from the picture of its viewer (games/online/page/picture.py) and public scores.

templates/games/online/play.html, play_waiting.html and play_over.html render `page_of`, one for each state; forms and
scripts add nothing to the picture.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.cards import is_wild
from engine.rules import EDITIONS
from engine.state import OVER
from games.entry.table_state import totals_of
from games.hands.first_deal import FirstDeal, draws_of
from games.hands.seats import seats_of
from games.models import Deal
from games.online.page.choices import CardView, Controls, RevealedCards, cards_just_shown, controls, top_in_words
from games.online.page.clocks import Clock, move_clock, to_ms, waiting_clock
from games.online.page.colors import COLOR_CLASSES
from games.online.page.game_line import Game, GameLine, game_line, game_of, points_in_words
from games.online.page.log_in_words import Story, color_in_words, story_so_far
from games.online.page.people import People, people_of
from games.online.page.story import StoryLine, newest
from games.online.page.time_up import time_notice
from games.online.page.turn import Turn, turn_of
from games.online.page.viewer import Half
from league.access.table_rows import read_once
from league.announcements.announce import visible_announcement
from league.calls.page import CallBox
from league.ledger.dealer import FirstDealer
from league.ledger.progress import race_of
from league.lib.translate import label_text
from league.models import Entry, HandScore, Table, Tournament
from league.rulebook.editions import symbol


@dataclass(frozen=True)
class Piles:
    """The middle of the table. `around`: whether players sit around it. `count`: cards in the draw pile; `draws`:
    whether the viewer can draw. `color`: its class (blue); `color_name` may be “choosing…”. `turns_left`: turns until
    the hand is blocked, once that is near."""

    top: CardView
    color: str
    color_name: str
    count: int
    draws: bool
    to_the_right: bool
    around: bool
    turns_left: int | None

    @property
    def color_css(self) -> str:
        return f"inplay in-{self.color}" if self.color else "inplay"


@dataclass(frozen=True)
class Top:
    """The head of the table, and its menu. `head_title`: the window's title. `tournament`: its slug. `player`: the
    viewer's entry. `halves`: as `viewer.halves`. `bank`: whether the clock has a reserve. `here`: the page's address;
    `stream`: its script's source of changes."""

    table: int
    line: GameLine
    head_title: str
    commitment: str
    totals: tuple[tuple[str, int], ...]
    tournament: str
    casual: bool
    player: str
    halves: tuple[Half, ...]
    bank: bool
    here: str
    stream: str
    words: "ScriptWords"
    announcement: str
    call: CallBox | None


@dataclass(frozen=True)
class ScriptWords:
    """Texts of the page's script for network failures."""

    lost: str
    gone: str
    unsent: str


@dataclass(frozen=True)
class Waiting:
    """Before the deal. `opens`: the viewer's browser must reveal its share. `again`: it revealed one for an undealt
    deck, and commits again. `waits_for`: players whose share is missing. `first_deal`: how the first dealer was drawn,
    before hand 1."""

    opens: bool
    again: bool
    waits_for: tuple[str, ...]
    first_deal: FirstDeal | None


@dataclass(frozen=True)
class InPlay:
    """A hand in play. `decision`: the move that the viewer's move answers. `controls` is None for watchers."""

    decision: int
    lines: tuple[StoryLine, ...]
    controls: Controls | None
    revealed_cards: RevealedCards | None
    piles: Piles
    turn: Turn


@dataclass(frozen=True)
class Page:
    """`state`: none, waiting, playing or over. `deal`: the key of the current hand, and its `number`."""

    state: str
    title: str
    people: People = field(default_factory=People)
    deal: str = ""
    number: int = 0
    clock: Clock | None = None
    game: Game | None = None
    standing: str = ""  # where the viewer stands
    points: Mapping[str, int] = field(default_factory=dict)  # of players who score alone, by `Other.at`
    totals: tuple[tuple[str, int], ...] = ()
    commitment: str = ""
    paused: bool = False
    called_off: bool = False
    pause_reason: str = ""
    waiting: Waiting | None = None
    hand: InPlay | None = None
    key: uuid.UUID = field(default_factory=uuid.uuid4)
    now_ms: int = field(default_factory=lambda: to_ms(timezone.now()))

    @property
    def mine(self) -> bool:
        return self.hand is not None and self.hand.controls is not None and self.hand.controls.mine


def page_of(table: Table, seen: dict[str, Any] | None, *, chosen: str = "", late: int = 0) -> Page:
    """Return the page for a viewer of `seen`, None before the first deal; spectators see `late` moves later."""
    if seen is None:
        return Page("none", "")
    game, people = game_of(table), people_of(seen)
    scores = _scores(table, seen, game)
    clock, waiting, hand, called_off = None, None, None, table.round.tournament.is_called_off
    if seen["state"] == Deal.State.WAITING:
        clock, waiting = waiting_clock(seen["clock"]["due_at"]), _waiting(table, seen)
    elif "hand" in seen and seen["hand"]["step"] != OVER:
        clock = move_clock(seen.get("clock"))
        hand = _in_play(seen, people, chosen, late=late, called_off=called_off)
    return Page(
        state=seen["state"],
        title=hand_title(table, seen["number"]),
        people=people,
        deal=f"{seen['deal']}",
        number=seen["number"],
        clock=clock,
        game=game,
        standing=scores.standing,
        points=scores.by_place,
        totals=scores.totals,
        commitment=seen["commitment"],
        paused=seen["paused"],
        called_off=called_off,
        pause_reason=seen["pause_reason"],
        waiting=waiting,
        hand=hand,
    )


def top_of(
    table: Table,
    page: Page,
    me: Entry | None,
    halves: tuple[Half, ...],
    *,
    before: Deal | None,
    here: str,
    call: CallBox | None,
) -> Top:
    """before: the last hand, if the page shows its result."""
    tournament = table.round.tournament
    title = hand_title(before.table, before.number) if before else page.title
    number = _("Table %(number)s") % {"number": table.number}
    announcement = None if tournament.is_casual else visible_announcement(tournament)
    return Top(
        table=table.pk,
        line=game_line(
            table, page.game or game_of(table), before.number if before else page.number, points=page.standing
        ),
        head_title=f"{', '.join((number, title) if title else (number,))} · {tournament.name} · Wild League",
        commitment=page.commitment if page.state != Deal.State.OVER else "",
        totals=page.totals,
        tournament=tournament.slug,
        casual=tournament.kind == Tournament.Kind.CASUAL,
        player=me.public_id if me else "",
        halves=halves,
        bank=bool(page.clock and page.clock.bank),
        here=here,
        words=_script_words(get_language()),
        announcement=announcement.text if announcement else "",
        call=call,
        stream=f"{_live(tournament.slug)}?table={table.pk}&show=page{f'&as={me.plays_as}' if me else ''}",
    )


@lru_cache(16)
def _script_words(_language: str) -> ScriptWords:
    return ScriptWords(
        lost=_("No connection. Trying again every few seconds."),
        gone=_("You can no longer see this page."),
        unsent=_("Not sent. Try again."),
    )


@lru_cache(1000)
def _live(tournament: str) -> str:
    return reverse("live", args=[tournament])


def hand_title(table: Table, number: int) -> str:
    """Return “hand 3 of 4”, or “hand 3” if the number of hands is open."""
    if table.hands_wanted is None:
        return _("hand %(number)d") % {"number": number}
    return _("hand %(number)d of %(of)d") % {"number": number, "of": table.hands_wanted}


def _in_play(seen: dict[str, Any], people: People, chosen: str, *, late: int, called_off: bool) -> InPlay:
    hand, me = seen["hand"], seen["you"]
    of = seen["deal"], seen["commitment"], me
    with story_so_far(of, hand["events"], [place["name"] for place in seen["places"]]) as story:
        acts = controls(seen, story, chosen) if me is not None else None
        turn = turn_of(
            seen,
            people.me,
            acts,
            name=story.names[hand["turn"]],
            time_notice=time_notice(seen, story),
            called_off=called_off,
            late=late,
        )
        return InPlay(
            decision=seen["decision"],
            lines=newest(seen, story),
            controls=acts,
            revealed_cards=cards_just_shown(hand, story, me),
            piles=_piles(seen, story, acts, around=people.around),
            turn=turn,
        )


def _piles(seen: dict[str, Any], story: Story, acts: Controls | None, *, around: bool) -> Piles:
    hand = seen["hand"]
    edition, top = EDITIONS[hand["edition"]], hand["discard"][-1]
    choosing = acts is not None and acts.question is not None and acts.question.kind == "wild" and is_wild(top)
    is_chosen = hand["color"] and not choosing
    return Piles(
        top=CardView(f"{len(story.lines)}", top, symbol(top, edition), top_in_words(hand, edition)),
        color=COLOR_CLASSES[hand["color"]] if is_chosen else "",
        color_name=color_in_words(hand["color"]).capitalize() if is_chosen else _("choosing…"),
        count=hand["pile"],
        draws=acts is not None and acts.draw == "draw" and not seen["paused"],
        to_the_right=hand["direction"] < 0,
        around=around,
        turns_left=hand["turns_left"],
    )


def _waiting(table: Table, seen: dict[str, Any]) -> Waiting:
    late = [place for place in seen["places"] if place["promised"] and not place["opened"]] if seen["opening"] else []
    me = seen["places"][seen["you"]] if seen["you"] is not None else None
    return Waiting(
        opens=me in late,
        again=me is not None and me["again"],
        waits_for=tuple(place["name"] for place in late),
        first_deal=_first_deal(table, seen),
    )


def _first_deal(table: Table, seen: dict[str, Any]) -> FirstDeal | None:
    if "first_deal" not in seen:
        return None
    names = {place["seat"]: place["name"] for place in seen["places"]}
    dealer = seen["places"][seen["dealer"]]
    first = FirstDealer(dealer["seat"], **seen["first_deal"])
    return FirstDeal(dealer["name"], first.by, draws_of(table, first, names), [])


# Scores


@dataclass(frozen=True)
class Scores:
    """`standing`: where the viewer stands. `by_place` has single players' totals, `totals` all by name."""

    standing: str = ""
    totals: tuple[tuple[str, int], ...] = ()
    by_place: dict[str, int] = field(default_factory=dict)


def _scores(table: Table, seen: dict[str, Any], game: Game) -> Scores:
    """Return the scores of both pairs in this round, or all players' totals, best first."""
    if table.round.stage.has_partners:
        return _scores_of_sides(table, seen)
    # In a race, totals at earlier tables include hands of later rounds.
    goes_on = table.round.stage.eliminates and not table.round.is_open
    totals = read_once(
        table.round.tournament,
        f"totals of {table.pk} in {get_language()}",
        (table.version, table.round.tournament.log_head.number if goes_on else None),
        lambda: totals_of(table, seats_of(table), race_of(table.round)),
    )
    by_seat = {total.seat: total.points for total in totals}
    by_place = {f"{at}": by_seat.get(place["seat"], 0) for at, place in enumerate(seen["places"])}
    standing = "" if seen["you"] is None else points_in_words(game, by_place[f"{seen['you']}"])
    highest_first = not table.round.stage.lowest_wins
    by_total = sorted(((total.name, total.points) for total in totals), key=lambda pair: pair[1], reverse=highest_first)
    return Scores(standing, tuple(by_total), by_place)


def _scores_of_sides(table: Table, seen: dict[str, Any]) -> Scores:
    sides = read_once(table.round.tournament, f"sides of {table.pk}", table.version, lambda: _sides(table))
    names = [place["name"] for place in seen["places"]]
    totals = tuple(
        (_("%(first)s and %(last)s") % {"first": names[at], "last": names[at + 2]}, sides[at]) for at in (0, 1)
    )
    if seen["you"] is None:
        both = ", ".join(label_text(names, f"{points}") for names, points in totals)
        return Scores(f"{both}.", totals)
    mine = seen["places"][seen["you"]]["seat"] % 2
    words = {"own": sides[mine], "other": sides[1 - mine]}
    return Scores(_("Your side has %(own)d, the other %(other)d.") % words, totals)


def _sides(table: Table) -> tuple[int, int]:
    """Return the totals of both sides. Partners share each hand's score, so one seat a side is enough."""
    sides = [0, 0]
    rows = HandScore.objects.living().filter(table=table, seat__in=(0, 1))
    for seat, score in rows.values_list("seat", "score"):
        sides[seat] += score
    return sides[0], sides[1]
