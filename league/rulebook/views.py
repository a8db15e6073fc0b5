"""The rule book: one page for all editions, and a page for each edition with only its own cards and rules."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, cycle, zip_longest

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.rules import EDITIONS, MAX_PLAYERS, MIN_PLAYERS, Edition
from league.lib.translate import names
from league.rulebook.book import Block, Chapter, Rule, book
from league.rulebook.editions import (
    Picture,
    all_kinds,
    concerns,
    differences,
    kinds,
    picture,
    pictures,
    specials_in_words,
    suits,
)

FROM_DATA = "editions"  # the page makes this chapter itself, from the engine's data


@dataclass(frozen=True)
class Entry:
    """A rule on a page."""

    rule: Rule
    pictures: list[Picture]
    where: str  # the editions that have it, in words; empty when all on the page do


@dataclass(frozen=True)
class Part:
    """A block of a chapter, with `entries` instead of its rules."""

    block: Block
    entries: list[Entry]


@dataclass(frozen=True)
class Section:
    title: str
    slug: str
    parts: list[Part]


@dataclass(frozen=True)
class Tile:
    """An edition to choose, with its special cards in front of a card that every deck has."""

    edition: Edition
    pictures: list[Picture]
    specials: str


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    chapters = book(get_language()).chapters
    about = [_section(chapter, []) for chapter in chapters if not chapter.rules and chapter.slug != FROM_DATA]
    editions = list(EDITIONS.values())
    rows = [(kind, _where_in_words(having, editions)) for kind, having in all_kinds()]
    return _page(request, editions, kinds=rows, about=about, tiles=_tiles())


@require_safe
def rules_of(request: HttpRequest, edition: str) -> HttpResponse:
    if edition not in EDITIONS:
        raise Http404
    chosen = EDITIONS[edition]
    return _page(request, [chosen], kinds=[(kind, "") for kind in kinds(chosen)], edition=chosen, suits=suits(chosen))


def _page(request: HttpRequest, editions: list[Edition], **context: object) -> HttpResponse:
    rulebook = book(get_language())
    chapters = [_section(chapter, editions) for chapter in rulebook.chapters if chapter.rules]
    visible_rules = [entry.rule for section in chapters for part in section.parts for entry in part.entries]
    context |= {
        "editions": EDITIONS.values(),
        "fan": _fan(editions),
        "chapters": chapters,
        "rulebook": rulebook.rules,
        "written_in": rulebook.language,
        "is_translation": rulebook.is_translation,
        "on_page": {rule.id for rule in visible_rules},
        "decided": [rule for rule in visible_rules if rule.is_decided_here],
        "differences": differences(),
        "least": MIN_PLAYERS,
        "most": MAX_PLAYERS,
    }
    return render(request, "league/rulebook/rules.html", context)


def _section(chapter: Chapter, editions: list[Edition]) -> Section:
    parts = [Part(block, list(_entries(block.rules, editions))) for block in chapter.blocks]
    return Section(chapter.title, chapter.slug, [part for part in parts if part.entries or not part.block.rules])


def _entries(block_rules: Iterable[Rule], editions: list[Edition]) -> Iterator[Entry]:
    for rule in block_rules:
        having = [edition for edition in editions if concerns(rule.id, edition)]
        if having:
            yield Entry(rule, pictures(rule.id, having), _where_in_words(having, editions))


def _where_in_words(having: list[Edition], editions: list[Edition]) -> str:
    """The editions that have something, in the fewest words; empty when all have it."""
    lacking = [edition for edition in editions if edition not in having]
    if not lacking:
        return ""
    if len(lacking) < len(having):
        return _("Not in %(editions)s") % {"editions": names(_(edition.name) for edition in lacking)}
    return _("Only in %(editions)s") % {"editions": names(_(edition.name) for edition in having)}


def _tiles() -> list[Tile]:
    tiles = []
    for edition, card in zip(EDITIONS.values(), cycle(("R1", "B4", "G6", "YD", "R9")), strict=False):
        front = edition.specials or ("WD", "W")
        drawn = [picture(front_card, edition) for front_card in (card, *front)]
        tiles.append(Tile(edition, drawn, specials_in_words(edition)))
    return tiles


def _fan(editions: list[Edition]) -> list[Picture]:
    """The cards at the top of the page: wilds, special ones first, and coloured cards in turn."""
    colored = ["R7", "YS", "GD", "BR"]
    wilds = list(dict.fromkeys(card for edition in editions for card in edition.specials))
    wilds = [*wilds, "W", "WD"][: max(3, len(wilds))]
    first, second = (wilds, colored[: len(wilds) - 1]) if len(wilds) >= len(colored) else (colored, wilds)
    turns = chain.from_iterable(zip_longest(first, second))
    by_card = {card: edition for edition in editions for card in edition.deck}
    return [picture(card, by_card[card]) for card in turns if card]
