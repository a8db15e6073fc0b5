"""What everybody may know of an online hand afterwards: its log, how it ended, and how it stood after each move.

It tells this only of a hand that was played to its end here. Of all others it tells only the seal: the deck of a hand
in play is a secret, and a hand that was broken off may be finished with real cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.log import as_object, lines
from engine.replay import replay as as_it_stood
from engine.rules import WINNER_TAKES, Edition
from engine.scoring import counts_for_nobody, partner
from engine.state import ANSWER, COLOR, DRAWN, OVER, Hand
from games.models import Deal
from games.online.page.log_in_words import Line, Story, color_in_words, in_words, story_of
from games.online.page.page import COLOR_CLASSES
from games.online.play.places import names_of, places_of
from games.online.play.replay import replay
from league.models import Table
from league.rulebook.editions import Picture, picture

# Where people sit around the piles, from seat 0 on: play goes from the bottom up the left side.
AROUND = {2: "sn", 3: "swe", 4: "swne"}


def played_deal(table: Table, hand: int) -> Deal | None:
    """The online hand that fills this slot of the table, if it was played here."""
    of_hand = Deal.objects.filter(table=table, number=hand, state=Deal.State.OVER)
    return of_hand.filter(hand__voided_at=None).order_by("-id").first()


def is_revealed(deal: Deal) -> bool:
    return deal.state == Deal.State.OVER


def revealed_hand(deal: Deal) -> Hand:
    """The whole hand, with everybody's cards and the seed. Raises ValueError for a hand not played to its end here."""
    if not is_revealed(deal):
        raise ValueError("Nothing is told of a hand before it is over.")
    return replay(deal, names_of(places_of(deal))).hand


def log_file(deal: Deal) -> str:
    """The log, as `python3 -m engine verify` reads it."""
    return "".join(f"{line}\n" for line in lines(revealed_hand(deal).log, deal.number))


def file_name(deal: Deal) -> str:
    """`slug_r2_table3_hand4.jsonl`."""
    table = deal.table
    return f"{table.round.tournament.slug}_r{table.round.number}_table{table.number}_hand{deal.number}.jsonl"


# How it ended


@dataclass(frozen=True)
class Left:
    """What somebody was left with. `for_nobody`: their points do not count."""

    name: str
    mate: str
    out: bool
    cards: list[Picture]
    points: int
    score: int
    for_nobody: bool


@dataclass(frozen=True)
class Ending:
    """`winners` share the `score`; there is none in a blocked hand, and under scorings of one's own cards."""

    winner: str
    winners: list[str]
    score: int | None
    lefts: list[Left]
    moves: int
    entropy: list[tuple[str, str | None]]  # name, and what the shuffle got from them, hexadecimal


def ending(hand: Hand) -> Ending:
    winner, points, scores = hand.log[-1][1:4]
    rules, names = hand.rules, hand.public.names
    lefts = [
        Left(
            name=names[at],
            mate=names[partner(at)] if rules.teams else "",
            out=at == winner,
            cards=_faces(hand.cards[at], rules.edition),
            points=points[at],
            score=scores[at],
            for_nobody=counts_for_nobody(at, scoring=rules.scoring, went_out=winner, teams=rules.teams),
        )
        for at in range(len(names))
    ]
    shared = winner is not None and rules.scoring == WINNER_TAKES
    return Ending(
        winner=names[winner] if winner is not None else "",
        winners=[names[at] for at in (winner, *([partner(winner)] if rules.teams else []))] if shared else [],
        score=scores[winner] if shared else None,
        lefts=lefts,
        moves=len(steps_of(hand)) - 1,
        entropy=[
            (name, extra.hex() if extra is not None else None) for name, extra in zip(names, hand.entropy, strict=True)
        ],
    )


def _faces(cards: Sequence[str], edition: Edition) -> list[Picture]:
    """By colour, as people sort them; wild cards last."""
    return [picture(card, edition) for card in sorted(cards, key=edition.deck.index)]


# Move by move


@dataclass(frozen=True)
class Step:
    """One move. `number` 0 is the deal; one that a director took back stays, `undone`."""

    number: int
    words: str
    last: int  # its last line in the log
    undone: bool


def steps_of(hand: Hand) -> list[Step]:
    """The moves in words, the first card that is turned up as the first of them."""
    story = story_of([as_object(event) for event in hand.log], hand.public.names)
    first = next((n for n, line in enumerate(story.lines) if line.number), len(story.lines))
    moves = [story.lines[first - 1], *story.lines[first:]]  # cards that went back (OPEN-6) belong to the deal
    number_of = {line.number: number for number, line in enumerate(moves)}
    return [Step(n, _step_words(line, story, number_of), line.last, line.undone) for n, line in enumerate(moves)]


def _step_words(line: Line, story: Story, number_of: dict[int, int]) -> str:
    fact = line.facts[0]
    if fact.kind == "undo":  # here the undo itself is a move, so the move that it goes back to has another number
        fact.count = number_of.get(fact.count, 0)
    words = in_words(line, story)
    return words[:1].upper() + words[1:]


@dataclass(frozen=True)
class Holder:
    """Somebody at the table with their cards. `place` is where they sit around the piles: s, w, n, e or empty."""

    name: str
    mate: str
    place: str
    cards: list[Picture]
    turn: bool
    dealt: bool


@dataclass(frozen=True)
class Scene:
    """The table after a move: everybody's cards open."""

    holders: list[Holder]
    top: Picture
    color: str  # R, Y, G or B; empty before one is named
    color_class: str
    color_name: str
    pile: int
    to_the_left: bool
    waits: str  # what the hand waits for, in words

    @property
    def to_the_right(self) -> bool:
        return not self.to_the_left

    @property
    def has_many(self) -> bool:
        """Whether more sit there than have a place of their own around the piles."""
        return not self.holders[0].place


def scene(hand: Hand, log_line: int) -> Scene:
    """The scene after a line of the log of `hand`, which is over."""
    then = as_it_stood(hand.log[: log_line + 1], hand.seed)
    public, edition = then.public, then.rules.edition
    around = AROUND.get(public.players, "")
    holders = [
        Holder(
            name=name,
            mate=public.names[partner(at)] if then.rules.teams else "",
            place=around[at] if around else "",
            cards=_faces(then.cards[at], edition),
            turn=at == public.turn,
            dealt=at == public.dealer,
        )
        for at, name in enumerate(public.names)
    ]
    return Scene(
        holders=holders,
        top=picture(public.discard[-1], edition),
        color=public.color,
        color_class=COLOR_CLASSES.get(public.color, ""),
        color_name=color_in_words(public.color).capitalize() if public.color else "",
        pile=public.pile,
        to_the_left=public.direction == 1,
        waits=waits_for(then),
    )


def waits_for(hand: Hand) -> str:
    public = hand.public
    if public.step == OVER:
        return ""
    name = {"name": public.names[public.turn]}
    if public.step == COLOR:
        return _("%(name)s chooses the colour") % name
    if public.step == ANSWER:
        challenged = public.aimed == "WD"
        return (_("%(name)s may challenge") if challenged else _("%(name)s must answer")) % name
    if public.step == DRAWN:
        return _("%(name)s plays or keeps the drawn card") % name
    return _("%(name)s’s turn") % name
