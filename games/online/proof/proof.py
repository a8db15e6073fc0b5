"""The public record of a finished online hand: its log, its result, and the position after each move.

Only hands finished here are revealed. Of all others only the commitment is public: a deck in play is secret, and a
stopped hand may continue with real cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.log import as_object, lines
from engine.replay import replay as as_it_stood
from engine.rules import WINNER_TAKES, Edition
from engine.scoring import does_not_count, partner
from engine.state import ANSWER, COLOR, DRAWN, OVER, Hand
from games.models import Deal
from games.online.page.colors import COLOR_CLASSES
from games.online.page.log_in_words import Line, Story, color_in_words, in_words, story_of
from games.online.play.places import names_of, places_of
from games.online.play.replay import replay
from league.models import Table
from league.rulebook.editions import Picture, picture

# Places around the piles, from seat 0 on: play goes from the bottom up the left side.
AROUND = {2: "sn", 3: "swe", 4: "swne"}


def played_deal(table: Table, hand: int) -> Deal | None:
    """Return the online hand in this slot of the table, if it was played here."""
    of_hand = Deal.objects.filter(table=table, number=hand, state=Deal.State.OVER)
    return of_hand.filter(hand__voided_at=None).order_by("-id").first()


def is_revealed(deal: Deal) -> bool:
    return deal.state == Deal.State.OVER


def revealed_hand(deal: Deal) -> Hand:
    """Return the whole hand, with all cards and the seed. Raises ValueError for a hand not finished here."""
    if not is_revealed(deal):
        raise ValueError("A hand is revealed only after it is over.")
    return replay(deal, names_of(places_of(deal))).hand


def log_file(deal: Deal) -> str:
    """Return the log in the format of `python3 -m engine verify`."""
    return "".join(f"{line}\n" for line in lines(revealed_hand(deal).log, deal.number))


def file_name(deal: Deal) -> str:
    """Return `slug_r2_table3_hand4.jsonl`."""
    table = deal.table
    return f"{table.round.tournament.slug}_r{table.round.number}_table{table.number}_hand{deal.number}.jsonl"


# How it ended


@dataclass(frozen=True)
class PlayerResult:
    """The result of one player. `for_nobody`: their points don't count."""

    name: str
    mate: str
    out: bool
    cards: list[Picture]
    points: int
    score: int
    for_nobody: bool


@dataclass(frozen=True)
class Ending:
    """`winners` share the `score`; None in a blocked hand, and if players count their own cards."""

    winner: str
    winners: list[str]
    score: int | None
    results: list[PlayerResult]
    moves: int
    entropy: list[tuple[str, str | None]]  # name, and their share of the shuffle, hexadecimal


def ending(hand: Hand) -> Ending:
    winner, points, scores = hand.log[-1][1:4]
    rules, names = hand.rules, hand.public.names
    results = [
        PlayerResult(
            name=names[at],
            mate=names[partner(at)] if rules.teams else "",
            out=at == winner,
            cards=_faces(hand.cards[at], rules.edition),
            points=points[at],
            score=scores[at],
            for_nobody=does_not_count(at, scoring=rules.scoring, went_out=winner, teams=rules.teams),
        )
        for at in range(len(names))
    ]
    shared = winner is not None and rules.scoring == WINNER_TAKES
    return Ending(
        winner=names[winner] if winner is not None else "",
        winners=[names[at] for at in (winner, *([partner(winner)] if rules.teams else []))] if shared else [],
        score=scores[winner] if shared else None,
        results=results,
        moves=len(steps_of(hand)) - 1,
        entropy=[
            (name, extra.hex() if extra is not None else None) for name, extra in zip(names, hand.entropy, strict=True)
        ],
    )


def _faces(cards: Sequence[str], edition: Edition) -> list[Picture]:
    """Return the cards by colour; wild cards last."""
    return [picture(card, edition) for card in sorted(cards, key=edition.deck.index)]


# Move by move


@dataclass(frozen=True)
class Step:
    """One move. 0 is the deal; a move that a director undid stays, marked `undone`."""

    number: int
    words: str
    last: int  # its last line in the log
    undone: bool


def steps_of(hand: Hand) -> list[Step]:
    """Return the moves in words, starting with the turned-up card."""
    story = story_of([as_object(event) for event in hand.log], hand.public.names)
    first = next((n for n, line in enumerate(story.lines) if line.number), len(story.lines))
    moves = [story.lines[first - 1], *story.lines[first:]]  # returned cards (OPEN-6) belong to the deal
    number_of = {line.number: number for number, line in enumerate(moves)}
    return [Step(n, _step_words(line, story, number_of), line.last, line.undone) for n, line in enumerate(moves)]


def _step_words(line: Line, story: Story, number_of: dict[int, int]) -> str:
    fact = line.facts[0]
    if fact.kind == "undo":  # renumber the target, since here the undo is a move itself
        fact.count = number_of.get(fact.count, 0)
    words = in_words(line, story)
    return words[:1].upper() + words[1:]


@dataclass(frozen=True)
class Holder:
    """A player with their cards. `place`: position around the piles: s, w, n, e or empty."""

    name: str
    mate: str
    place: str
    cards: list[Picture]
    turn: bool
    dealt: bool


@dataclass(frozen=True)
class Scene:
    """The table after a move, with all cards open."""

    holders: list[Holder]
    top: Picture
    color: str  # R, Y, G or B; empty before one is named
    color_class: str
    color_name: str
    pile: int
    to_the_left: bool
    waits: str  # the awaited action, in words

    @property
    def to_the_right(self) -> bool:
        return not self.to_the_left

    @property
    def has_many(self) -> bool:
        """Return whether there are too many players for fixed places around the piles."""
        return not self.holders[0].place


def scene(hand: Hand, log_line: int) -> Scene:
    """Return the scene after a line of the log of `hand`, which is over."""
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
        return _("%(name)s must answer") % name
    if public.step == DRAWN:
        return _("%(name)s plays or keeps the drawn card") % name
    return _("%(name)s’s turn") % name
