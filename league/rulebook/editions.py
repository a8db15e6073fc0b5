"""Describe the editions for pages: cards by kind, differences, and the rules of each.

All of it follows from the engine's data, so a new edition appears automatically.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine import cards
from engine.rules import EDITIONS, Edition
from league.lib.translate import card_name, translate


def usual_first() -> list[tuple[str, str]]:
    """Return (key, name) of each edition, the default first."""
    ordered = sorted(EDITIONS.values(), key=lambda edition: edition.key != "classic")
    return [(edition.key, _(edition.name)) for edition in ordered]


# Whether an edition has a rule, by the rule's id or the part before the number.
_NEEDS: dict[str, Callable[[Edition], bool]] = {
    "DEAL-2": lambda edition: edition.dealer_birthday is not None,
    "HAT-1": lambda edition: edition.hat_target == "any",
    "HAT-2": lambda edition: edition.hat_target == "next",
    "HAT": lambda edition: edition.hat_target is not None,
    "CRP": lambda edition: "WC" in edition.deck,
    "HOW": lambda edition: "WL" in edition.deck,
    "INV": lambda edition: edition.invisibility,
    "UNO-5": lambda edition: edition.uno_window == "turn-played",
}

# Rules about each card, by face, in page order. Numbers have no effect.
_KINDS: dict[str, tuple[str, ...]] = {
    "D": ("ACT-1",),
    "R": ("ACT-2",),
    "S": ("ACT-3",),
    "W": ("ACT-4",),
    "WD": ("WD4-1",),
    "WH": ("HAT-1", "HAT-2"),
    "WC": ("CRP-1", "CRP-3"),
    "WL": ("HOW-1",),
    "WI": ("INV-1",),
}

# Cards shown next to a rule.
_PICTURES: dict[str, tuple[str, ...]] = {
    "OPEN-1": ("G5",),
    "OPEN-2": ("YD",),
    "OPEN-3": ("RR",),
    "OPEN-4": ("BS",),
    "OPEN-5": ("W", "WH", "WC"),
    "OPEN-6": ("WD", "WL", "WI"),
    "PLAY-5": ("YD", "RR", "BS"),
    "ACT-1": ("YD",),
    "ACT-2": ("RR",),
    "ACT-3": ("BS",),
    "ACT-4": ("W",),
    "WD4-1": ("WD",),
    "HAT-1": ("WH",),
    "HAT-2": ("WH",),
    "HAT-3": ("R1", "Y2", "G3", "B4"),
    "CRP-1": ("WC",),
    "HOW-1": ("WL",),
    "INV-1": ("WI",),
    "TWO-1": ("GR",),
    "TWO-2": ("RS",),
}


@dataclass(frozen=True)
class Picture:
    card: str
    symbol: str  # in the sprite of cards
    name: str


@dataclass(frozen=True)
class Kind:
    """Cards of one kind, for example the Skips of all colours, with their number and worth."""

    face: str  # the code without its colour; empty for numbers
    name: str
    pictures: tuple[Picture, ...]
    total: int
    copies: str
    worth: str
    rules: tuple[str, ...]


def concerns(rule_id: str, edition: Edition) -> bool:
    """Return whether a rule can matter in an edition."""
    needs = _NEEDS.get(rule_id) or _NEEDS.get(rule_id.partition("-")[0])
    return needs is None or needs(edition)


def symbol(card: str, edition: Edition) -> str:
    """Return the id of the card's picture in the sprite; the draw card has one for two and one for three."""
    is_draw_card = not cards.is_wild(card) and card[1] == "D"
    return f"{card}{edition.draw_size}" if is_draw_card and edition.draw_size != 2 else card


def picture(card: str, edition: Edition) -> Picture:
    return Picture(card, symbol(card, edition), card_name(card, edition))


def pictures(rule_id: str, editions: Iterable[Edition]) -> list[Picture]:
    """Return the cards next to a rule, of all these editions, each picture once."""
    drawn = (
        picture(card, edition) for card in _PICTURES.get(rule_id, ()) for edition in editions if card in edition.deck
    )
    return list({drawing.symbol: drawing for drawing in drawn}.values())


def suits(edition: Edition) -> list[tuple[str, list[Picture]]]:
    """Return (colour, one of each of its cards) in the order of a sorted deck."""
    different = dict.fromkeys(edition.deck)
    return [
        (
            pgettext(cards.COLOR_NAMES, name),
            [picture(card, edition) for card in different if card[0] == color and not cards.is_wild(card)],
        )
        for color, name in cards.COLORS.items()
    ]


def kinds(edition: Edition) -> list[Kind]:
    """Return the kinds of the edition's cards: numbers, symbols, wilds, special cards."""
    count = Counter(edition.deck)
    numbers = [card for card in count if not cards.is_wild(card) and card[1].isdigit()]
    number_cards = [
        Kind(
            face="",
            name=_("Number cards"),
            pictures=tuple(picture(card, edition) for card in ("R1", "Y4", "G7", "B9")),
            total=sum(count[card] for card in numbers),
            copies=_number_copies(count),
            worth=_("Worth their number"),
            rules=(),
        )
    ]
    return number_cards + [_kind(face, edition, count) for face in _KINDS if face in count or f"R{face}" in count]


def _number_copies(count: Counter[str]) -> str:
    """Return how often the deck has each number, in runs: “1 × 0, 2 × 1–9 in each colour”."""
    runs: list[list[int]] = []
    for number in range(10):
        if runs and count[f"R{number}"] == count[f"R{runs[-1][0]}"]:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [
        f"{count[f'R{run[0]}']}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{run[0]}" + (f"–{run[-1]}" if len(run) > 1 else "")
        for run in runs
    ]
    return _("in each colour %(runs)s") % {"runs": ", ".join(words)}


def _kind(face: str, edition: Edition, count: Counter[str]) -> Kind:
    wild = cards.is_wild(face)
    each = count[face] if wild else count[f"R{face}"]
    points = cards.points(face if wild else f"R{face}")
    return Kind(
        face=face,
        name=card_name(face, edition) if wild else _colorless(face, edition),
        pictures=tuple(
            picture(card, edition) for card in (each * [face] if wild else [f"{color}{face}" for color in "RYGB"])
        ),
        total=each if wild else sum(count[f"{color}{face}"] for color in cards.COLORS),
        copies="" if wild else _("%(count)d in each colour") % {"count": each},
        worth=ngettext("%(points)d point", "%(points)d points", points) % {"points": points},
        rules=tuple(rule for rule in _KINDS[face] if concerns(rule, edition)),
    )


def _colorless(face: str, edition: Edition) -> str:
    return translate(cards.symbol_in_words(face, edition.draw_size))


def all_kinds() -> list[tuple[Kind, list[Edition]]]:
    """Return each kind of card with the editions that have it."""
    by_name: dict[tuple[str, int], tuple[Kind, list[Edition]]] = {}
    for edition in EDITIONS.values():
        for kind in kinds(edition):
            first, having = by_name.get((kind.name, kind.total), (kind, []))
            rules = tuple(dict.fromkeys((*first.rules, *kind.rules)))
            by_name[kind.name, kind.total] = (replace(first, rules=rules), [*having, edition])
    order = ["", *_KINDS]
    return sorted(by_name.values(), key=lambda pair: order.index(pair[0].face))


@dataclass(frozen=True)
class Difference:
    subject: str
    rules: tuple[str, ...]
    by_edition: dict[str, str]  # by the edition's key


def differences() -> list[Difference]:
    """Return a row for each difference between the editions."""
    rows: list[tuple[str, tuple[str, ...], Callable[[Edition], str]]] = [
        (_("Cards in the deck"), (), lambda edition: str(len(edition.deck))),
        (_("Special cards"), (), specials_in_words),
        (_("Draw card"), ("ACT-1",), lambda edition: _colorless("D", edition)),
        (_("First dealer"), ("DEAL-1", "DEAL-2"), _dealer),
        (_("Who draws for the hat"), ("HAT-1", "HAT-2"), _hat_target),
        (_("Gryffindor cards"), ("HAT-3",), lambda edition: ", ".join(map(str, sorted(edition.gryffindor))) or "–"),
        (
            _("Drawing a Creeper"),
            ("CRP-1",),
            lambda edition: _("Show it, draw 3 more") if "WC" in edition.deck else "–",
        ),
        (_("Action cards can be cancelled"), ("INV-1", "INV-4"), _cancelling),
        (_("A missed UNO is safe"), ("UNO-3", "UNO-5"), _uno_window),
    ]
    return [
        Difference(subject, rules, {key: cell(edition) for key, edition in EDITIONS.items()})
        for subject, rules, cell in rows
    ]


def specials_in_words(edition: Edition) -> str:
    """Return “1 Howler, 1 Invisibility”."""
    words = [f"{edition.deck.count(card)} {card_name(card, edition)}" for card in edition.specials]
    return ", ".join(words) or pgettext("special cards", "none")


def _dealer(edition: Edition) -> str:
    if edition.dealer_birthday is None:
        return _("Who draws the highest card")
    # Translators: a day and a month as Django's date filter writes them; in Spanish j \d\e F
    form = pgettext("day and month", "j F")
    day = date_format(date(2000, *edition.dealer_birthday), form)
    return _("Whose birthday is nearest to %(day)s") % {"day": day}


def _hat_target(edition: Edition) -> str:
    words = {None: "–", "any": _("Any other player, by choice"), "next": _("The next player")}
    return words[edition.hat_target]


def _cancelling(edition: Edition) -> str:
    return _("With Invisibility; every target is asked") if edition.invisibility else _("No")


def _uno_window(edition: Edition) -> str:
    if edition.uno_window == "turn-played":
        return _("Once the next turn is played")
    return _("Once the next turn begins")
