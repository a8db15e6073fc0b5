"""Build a page of the rule book: words, cards, chapters, and search results."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, zip_longest

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rules import EDITIONS, MAX_PLAYERS, MIN_PLAYERS, Edition
from league.lib.search import matches
from league.lib.translate import names
from league.rulebook.book import Block, Book, Chapter, Rule
from league.rulebook.editions import (
    Difference,
    Kind,
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

FROM_DATA = "editions"  # the page builds this chapter from the engine's data
DECIDED = "decided"


@dataclass(frozen=True)
class Tab:
    label: str
    url: str
    is_current: bool


@dataclass(frozen=True)
class Tile:
    """An edition to choose; its special cards appear before a card that every deck has."""

    name: str
    url: str
    pictures: Sequence[Picture]
    text: str


@dataclass(frozen=True)
class KindOfCard:
    """A kind of card, its rules, and the editions that have it if the page has others."""

    kind: Kind
    says: Sequence[Rule]
    where: str

    def matches(self, query: str) -> bool:
        return matches(query, " ".join((self.kind.name, *(f"{rule.id} {rule.first_sentence}" for rule in self.says))))


@dataclass(frozen=True)
class Entry:
    """A rule on a page. where: editions that have it; "" if all on the page do."""

    rule: Rule
    pictures: Sequence[Picture]
    where: str

    def matches(self, query: str) -> bool:
        notes = (note.text for note in self.rule.notes)
        return matches(query, " ".join((self.rule.id, self.rule.title, self.rule.text, *notes)))


@dataclass(frozen=True)
class Part:
    """A block of a chapter, with `entries` in place of its rules."""

    block: Block
    entries: Sequence[Entry] = ()

    def matches(self, query: str) -> bool:
        cells = chain.from_iterable(self.block.table.rows) if self.block.table else ()
        return matches(query, " ".join((self.block.text, *self.block.items, *cells)))


@dataclass(frozen=True)
class Section:
    """A chapter. is_open: unfolded."""

    title: str
    slug: str
    parts: Sequence[Part]
    is_open: bool = False

    @property
    def entries(self) -> list[Entry]:
        return [entry for part in self.parts for entry in part.entries]


@dataclass(frozen=True)
class RulesPage:
    """The book of all editions, or of one. addresses: of each rule, by id.

    found: search results in words; "" without a search. A search leaves out contents, decks, comparison and the list
    of decisions.
    """

    title: str
    description: str
    heading: str
    lead: str
    fan: Sequence[Picture]
    tabs: Sequence[Tab]
    is_translation: bool
    written_in: str
    kinds: Sequence[KindOfCard]
    chapters: Sequence[Section]
    about: Sequence[Section]
    decided_title: str
    decided: Sequence[Rule]
    addresses: Mapping[str, str]
    editions: Sequence[Edition]
    differences: Sequence[Difference]
    tiles: Sequence[Tile] = ()
    suits: Sequence[tuple[str, Sequence[Picture]]] = ()
    edition: Edition | None = None
    query: str = ""
    found: str = ""

    @property
    def contents(self) -> list[tuple[str, str]]:
        """Return (anchor, title) of everything below the cards, in order."""
        chapters = [(section.slug, section.title) for section in self.chapters]
        about = [(section.slug, section.title) for section in self.about]
        return [(FROM_DATA, _("Editions compared")), *chapters, (DECIDED, self.decided_title), *about]


def rules_page(book: Book, edition: Edition | None, query: str = "") -> RulesPage:
    """edition: None for the whole book."""
    editions = [edition] if edition else list(EDITIONS.values())
    chapters = [_section(chapter, editions) for chapter in book.chapters if chapter.rules]
    visible = {entry.rule.id: entry.rule for section in chapters for entry in section.entries}
    about = [] if edition else [one for one in book.chapters if not one.rules and one.slug != FROM_DATA]
    title, description, heading, lead = _words_of(edition) if edition else _words_of_all()
    page = RulesPage(
        title=title,
        description=description,
        heading=heading,
        lead=lead,
        fan=_fan(editions),
        tabs=_tabs(edition),
        is_translation=book.is_translation,
        written_in=book.language,
        kinds=_kinds_of(edition, book) if edition else _all_kinds(book),
        chapters=chapters,
        about=[_section(chapter, []) for chapter in about],
        decided_title=_("Not covered by the printed rules"),
        decided=[rule for rule in visible.values() if rule.is_decided_here],
        addresses={rule: f"#{rule}" if rule in visible else f"{reverse('rules')}#{rule}" for rule in book.rules},
        editions=list(EDITIONS.values()),
        differences=differences(),
        tiles=[] if edition else _tiles(),
        suits=suits(edition) if edition else [],
        edition=edition,
    )
    return _searched(page, query) if query else page


def _words_of(edition: Edition) -> tuple[str, str, str, str]:
    """Return title, description for search engines, heading and lead."""
    name = _(edition.name)
    lead = _("%(count)s cards, %(least)s to %(most)s players.")
    words = {"name": name, "count": len(edition.deck), "least": MIN_PLAYERS, "most": MAX_PLAYERS}
    description = _("All cards and rules of %(name)s, in our own words.")
    return _("Rules: %(name)s") % words, description % words, name, lead % words


def _words_of_all() -> tuple[str, str, str, str]:
    lead = _("All cards, rules and scoring of %(count)s editions, in our own words.")
    lead = lead % {"count": len(EDITIONS)}
    return _("Rules"), lead, _("The rules"), lead


def _tabs(chosen: Edition | None) -> list[Tab]:
    tabs = [Tab(_(one.name), reverse("rules_of", args=[one.key]), one is chosen) for one in EDITIONS.values()]
    return [Tab(_("All editions"), reverse("rules"), chosen is None), *tabs]


def _kinds_of(edition: Edition, book: Book) -> list[KindOfCard]:
    return [_kind_of_card(kind, book, "") for kind in kinds(edition)]


def _all_kinds(book: Book) -> list[KindOfCard]:
    editions = list(EDITIONS.values())
    return [_kind_of_card(kind, book, _where_in_words(having, editions)) for kind, having in all_kinds()]


def _kind_of_card(kind: Kind, book: Book, where: str) -> KindOfCard:
    return KindOfCard(kind, [book.rules[rule] for rule in kind.rules], where)


def _section(chapter: Chapter, editions: list[Edition]) -> Section:
    parts = [Part(block, list(_entries(block.rules, editions))) for block in chapter.blocks]
    return Section(chapter.title, chapter.slug, [part for part in parts if part.entries or not part.block.rules])


def _entries(block_rules: Iterable[Rule], editions: list[Edition]) -> Iterator[Entry]:
    for rule in block_rules:
        having = [edition for edition in editions if concerns(rule.id, edition)]
        if having:
            yield Entry(rule, pictures(rule.id, having), _where_in_words(having, editions))


def _where_in_words(having: list[Edition], editions: list[Edition]) -> str:
    """Return the editions that have something, in the fewest words; "" if all have it."""
    lacking = [edition for edition in editions if edition not in having]
    if not lacking:
        return ""
    if len(lacking) < len(having):
        return _("Not in %(editions)s") % {"editions": names(_(edition.name) for edition in lacking)}
    return _("Only in %(editions)s") % {"editions": names(_(edition.name) for edition in having)}


def _tiles() -> list[Tile]:
    tiles = []
    for edition, card in zip(EDITIONS.values(), cycle(("R1", "B4", "G6", "YD", "R9")), strict=False):
        drawn = [picture(front_card, edition) for front_card in (card, *(edition.specials or ("WD", "W")))]
        text = _("%(count)s cards") % {"count": len(edition.deck)}
        if edition.specials:
            text = f"{text}. {specials_in_words(edition)}"
        tiles.append(Tile(_(edition.name), reverse("rules_of", args=[edition.key]), drawn, text))
    return tiles


def _fan(editions: list[Edition]) -> list[Picture]:
    """Return the cards at the top of the page: wilds, special ones first, alternating with coloured cards."""
    colored = ["R7", "YS", "GD", "BR"]
    wilds = list(dict.fromkeys(card for edition in editions for card in edition.specials))
    wilds = [*wilds, "W", "WD"][: max(3, len(wilds))]
    first, second = (wilds, colored[: len(wilds) - 1]) if len(wilds) >= len(colored) else (colored, wilds)
    turns = chain.from_iterable(zip_longest(first, second))
    by_card = {card: edition for edition in editions for card in edition.deck}
    return [picture(card, by_card[card]) for card in turns if card]


# ---- search


def _searched(page: RulesPage, query: str) -> RulesPage:
    """Return only content with every word of the query: cards, rules, and whole texts and tables. A matching chapter
    title includes the whole chapter.
    """
    kinds = [kind for kind in page.kinds if kind.matches(query)]
    chapters, about = _matching(page.chapters, query), _matching(page.about, query)
    return replace(
        page,
        kinds=kinds,
        chapters=chapters,
        about=about,
        query=query,
        found=_found_in_words(len(kinds), sum(len(section.entries) for section in chapters), bool(about), query),
    )


def _matching(sections: Sequence[Section], query: str) -> list[Section]:
    matching = []
    for section in sections:
        parts = section.parts if matches(query, section.title) else list(_matching_parts(section.parts, query))
        if parts:
            matching.append(replace(section, parts=parts, is_open=True))
    return matching


def _matching_parts(parts: Sequence[Part], query: str) -> Iterator[Part]:
    for part in parts:
        entries = [entry for entry in part.entries if entry.matches(query)]
        if entries or part.matches(query):
            yield replace(part, entries=entries)


def _found_in_words(cards: int, rules: int, has_texts: bool, query: str) -> str:
    if not cards and not rules and not has_texts:
        return _("No rule contains “%(query)s”. Try another word.") % {"query": query}
    kinds_found = ngettext("%(count)s card", "%(count)s cards", cards) % {"count": cards}
    rules_found = ngettext("%(count)s rule", "%(count)s rules", rules) % {"count": rules}
    return _("Found: %(cards)s, %(rules)s.") % {"cards": kinds_found, "rules": rules_found}
