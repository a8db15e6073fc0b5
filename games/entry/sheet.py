"""Hands as pages show them: cards left, scores of each side, and changes by a correction."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine import cards as card_codes
from engine.rules import EDITIONS, Edition
from games.hands import points_game, race_game
from games.hands.judge import Judged, as_json
from games.hands.seats import person, who_sat
from games.models import Hand
from league.ledger.progress import dealt_in
from league.ledger.race import RaceLedger
from league.lib.translate import card_name, names
from league.models import HandScore, Seat, Table, Tournament
from league.rulebook.editions import symbol
from league.standings import read as ledger
from league.standings.ranking import Score


@dataclass(frozen=True)
class Face:
    """A card's picture. `symbol` is its id in the sprite; `extra` marks a card missing from the other version."""

    code: str
    symbol: str
    name: str
    extra: bool = False


@dataclass(frozen=True)
class Key(Face):
    """A key of the pad that adds this card. The deck has `copies` of it; `color` is empty for wild cards."""

    color: str = ""
    points: int = 0
    copies: int = 0


@dataclass(frozen=True)
class Line:
    """The cards left at one seat. `cards` is None if only their number or points are known."""

    seat: int
    name: str
    out: bool
    cards: tuple[Face, ...] | None
    count: int | None
    points: int | None
    differs: bool = False

    @property
    def is_short(self) -> bool:
        """Return whether the line needs no space for cards or marks."""
        return not self.cards and not self.differs


@dataclass(frozen=True)
class Side:
    """Players who score together, and their score in this hand. `was` is the score before a correction."""

    names: tuple[str, ...]
    score: int
    won: bool
    was: int | None = None


@dataclass(frozen=True)
class Move:
    """A change of rank or points by a correction."""

    name: str
    rank_was: int | None
    tied_was: bool
    rank: int | None
    tied: bool
    total_was: int
    total: int


def edition_of(table: Table) -> Edition:
    return EDITIONS[table.round.stage.edition]


def face(edition: Edition, code: str) -> Face:
    return Face(code, symbol(code, edition), card_name(code, edition))


def pad(edition: Edition) -> list[Key]:
    """Return every card of the edition once: numbers and action cards of each colour, then the wild cards."""
    copies = Counter(edition.deck)
    codes = [color + rest for color in card_codes.COLORS for rest in "1234567890SRD"] + ["W", "WD", *edition.specials]
    keys = []
    for code in codes:
        drawn = face(edition, code)
        color = "" if card_codes.is_wild(code) else code[0]
        keys.append(Key(code, drawn.symbol, drawn.name, False, color, card_codes.points(code), copies[code]))
    return keys


def lines(table: Table, seats: Sequence[Seat], went_out: int | None, reported: Iterable[dict[str, Any]]) -> list[Line]:
    """Return a hand seat by seat. `reported` has the shape of `Hand.seats`."""
    edition = edition_of(table)
    people = {seat.number: person(seat) for seat in seats}
    return [
        Line(
            seat=row["seat"],
            name=people[row["seat"]],
            out=row["seat"] == went_out,
            cards=None if row["cards"] is None else tuple(face(edition, code) for code in row["cards"]),
            count=row["cards_left"],
            points=row["points_left"],
        )
        for row in reported
    ]


def compare(first: Sequence[Line], second: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Return two versions of a hand with their differences marked, down to single cards."""
    pairs = [
        (_mark_differences(line, other), _mark_differences(other, line))
        for line, other in zip(first, second, strict=True)
    ]
    return [line for line, _other in pairs], [other for _line, other in pairs]


def _mark_differences(mine: Line, other: Line) -> Line:
    cards = mine.cards
    if cards is not None and other.cards is not None:
        theirs = Counter(card.code for card in other.cards)
        marked = []
        for card in cards:
            marked.append(replace(card, extra=not theirs[card.code]))
            theirs[card.code] -= bool(theirs[card.code])
        cards = tuple(marked)
    same_cards = mine.cards is None or other.cards is None or mine.cards == other.cards
    same = (mine.out, mine.count, mine.points) == (other.out, other.count, other.points) and same_cards
    return replace(mine, cards=cards, differs=not same)


def sides(
    table: Table, seats: Sequence[Seat], scores: Sequence[int], went_out: int | None, was: Sequence[int] | None = None
) -> list[Side]:
    """Return the sides of a table with their scores, the winning side first.

    `scores` and `was` belong to the `seats`, which are dealt in.
    """
    together = [(0, 2), (1, 3)] if table.round.stage.has_partners else [(at,) for at in range(len(seats))]
    table_sides = [
        Side(
            names=_names_of([seats[at] for at in group]),
            score=scores[group[0]],
            won=went_out in {seats[at].number for at in group},
            was=was[group[0]] if was else None,
        )
        for group in together
    ]
    return sorted(table_sides, key=lambda side: not side.won)


def _names_of(side: Sequence[Seat]) -> tuple[str, ...]:
    """Return the names of a side; a team has one name."""
    if side[0].round.stage.has_teams:
        return (str(side[0].entry),)
    return tuple(person(seat) for seat in side)


def in_a_sentence(of: Sequence[Side]) -> str:
    """Return the scores of a hand: “Ana Lucía and Émilie score 83”."""
    scored = [side for side in of if side.score] or [side for side in of if side.won]
    if not scored:
        return _("no one scores")
    return ", ".join(
        ngettext("%(names)s scores %(points)d", "%(names)s score %(points)d", len(side.names))
        % {"names": names(side.names), "points": side.score}
        for side in scored
    )


def against_in_a_sentence(of: Sequence[Side]) -> str:
    """Return the scores if points count against players: “Benoît gets 12 points, Chidi 40”."""
    losers = [side for side in of if not side.won]
    parts = [f"{names(side.names)} {side.score}" for side in losers]
    for side in losers[:1]:
        first = ngettext("%(name)s gets %(points)d point", "%(name)s gets %(points)d points", side.score)
        parts[0] = first % {"name": names(side.names), "points": side.score}
    return ", ".join(parts)


def rows_by_hand(table: Table) -> dict[int, list[HandScore]]:
    """Return {hand: ledger rows of the seats dealt in} for the living hands of a table."""
    by_hand: dict[int, list[HandScore]] = {}
    rows = HandScore.objects.living().filter(table=table).select_related("entry__player", "played_by")
    for row in rows.order_by("hand", "seat"):
        by_hand.setdefault(row.hand, []).append(row)
    return by_hand


def scores_of(table: Table, hand: Hand) -> list[int]:
    """Return the ledger's scores of a living hand, by seat of the players dealt in."""
    rows = HandScore.objects.living().filter(table=table, hand=hand.number).order_by("seat")
    return list(rows.values_list("score", flat=True))


@dataclass(frozen=True)
class ShownHand:
    """A recorded hand in the list below the form. `result` follows `went_out`; `sentence` is complete."""

    hand: Hand
    went_out: str
    result: str
    sentence: str


def hand_lines(table: Table, hands: Iterable[Hand], race: RaceLedger | None = None) -> list[ShownHand]:
    """Return the living hands among `hands`; one being voided concurrently may be missing.

    `race` is the ledger of a Challenge UNO.
    """
    rows = rows_by_hand(table)
    over_in = points_game.over_in(table)
    return [
        _hand_line(
            table, hand, rows.get(hand.number, ()), race, for_nobody=over_in is not None and hand.number > over_in
        )
        for hand in hands
        if hand.number in rows or not hand.counts
    ]


def _hand_line(
    table: Table, hand: Hand, rows: Sequence[HandScore], race: RaceLedger | None, *, for_nobody: bool
) -> ShownHand:
    if not hand.counts:
        sentence = _("time was up, so it doesn’t count")
        return ShownHand(hand, "", _("no one scores"), sentence)
    seats, scores = who_sat(table, rows), [row.score for row in rows]
    out = next((person(seat) for seat in seats if seat.number == hand.went_out), "")
    if race is None:
        hand_sides = sides(table, seats, scores, hand.went_out)
        lowest = table.round.stage.lowest_wins
        result = against_in_a_sentence(hand_sides) if lowest else in_a_sentence(hand_sides)
        if for_nobody:
            result = ". ".join([result, _("It counts for no one")])
        return ShownHand(hand, out, result, f"{_went_out_in_words(out)}; {result}" if lowest or not out else result)
    caught = race_game.catches(table, hand.number, seats, scores, hand.went_out, race)
    result = race_game.in_a_sentence(caught)
    return ShownHand(hand, out, result, f"{_went_out_in_words(out)}; {result}")


def _went_out_in_words(name: str) -> str:
    return _("%(name)s went out") % {"name": name} if name else _("no one went out")


def judged_lines(table: Table, seats: Sequence[Seat], judged: Judged) -> list[Line]:
    return lines(table, seats, judged.went_out, as_json(judged))


def moves(tournament: Tournament, table: Table, hand: int, judged: Judged) -> list[Move]:
    """Return the changes of rank or points if this hand had ended as `judged`. Read-only."""
    book = ledger.read(tournament)
    after = replace(book, rows=tuple(_as_judged(row, table, hand, judged) for row in book.scores))
    if book.race is not None:
        then = race_game.with_hand(table, hand, dealt_in(table, hand), judged.scores.scores, book.race)
        after = replace(after, race=then)
    before = {line.entrant.id: line for line in book.standings()}
    pairs = [(before[line.entrant.id], line) for line in after.standings()]
    return [
        Move(line.entrant.name, was.rank, was.tied, line.rank, line.tied, was.total, line.total)
        for was, line in pairs
        if (was.rank, was.total) != (line.rank, line.total)
    ]


def _as_judged(row: Score, table: Table, hand: int, judged: Judged) -> Score:
    if (row.table, row.hand) != (table.pk, hand):
        return row
    at = judged.numbers.index(row.seat)
    return row._replace(
        went_out=row.seat == judged.went_out,
        points_left=judged.checked.points_left[at],
        points_for=judged.scores.points_for[at],
        points_against=judged.scores.points_against[at],
        score=judged.scores.scores[at],
    )
