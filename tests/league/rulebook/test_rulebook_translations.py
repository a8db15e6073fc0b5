"""The rule book in French and in Spanish: the same chapters, rules, names and figures as in English, in other words."""

import html
import re
from collections import Counter

import pytest
from django.utils import translation
from django.utils.translation import gettext, pgettext

from engine import cards, rules
from engine.rules import EDITIONS
from league.lib.translate import card_name, translate
from league.rulebook import editions
from league.rulebook.book import ID, SOURCE, book, path

pytestmark = pytest.mark.django_db

TRANSLATIONS = ("fr", "es")
DRAW_CARDS = {
    "en": {"2": "Draw Two", "3": "Draw Three", "4": "Wild Draw Fours?"},
    "fr": {"2": "Prendre 2", "3": "Prendre 3", "4": r"Blanche (?:\(Joker\) )?Prendre 4"},
    "es": {"2": "Toma 2", "3": "Toma 3", "4": "Comodín Toma 4"},
}


def texts(of):
    """(where, text) of every heading, paragraph, cell, item, title, rule and note, in the order of the book."""
    for chapter in of.chapters:
        yield chapter.slug, chapter.title
        for block in chapter.blocks:
            rows = (block.table.head, *block.table.rows) if block.table else ()
            cells = [cell for row in rows for cell in row]
            yield from ((chapter.slug, text) for text in (block.heading, block.text, *cells, *block.items) if text)
            for rule in block.rules:
                yield from ((rule.id, text) for text in (rule.title, rule.text, *(note.text for note in rule.notes)))


def shape(of):
    """What is alike in all languages: blocks by kind, rows and columns of tables, ids, sources and kinds of notes."""
    return [
        (
            chapter.slug,
            bool(block.heading),
            bool(block.text),
            len(block.items),
            block.table and [len(row) for row in (block.table.head, *block.table.rows)],
            [(rule.id, rule.sources, [note.kind for note in rule.notes]) for rule in block.rules],
        )
        for chapter in of.chapters
        for block in chapter.blocks
    ]


def facts(text, language):
    """What a translation cannot change: draw cards by name, code, rules cited, figures, and how much is stressed."""
    named = Counter()
    for size, name in sorted(DRAW_CARDS[language].items(), reverse=True):  # Draw Four before Draw Two is found in it
        text, named[size] = re.subn(name, "", text)
    code = Counter(re.findall(r"`[^`]*`", text))
    text = re.sub(r"`[^`]*`", "", text)
    return +named, code, Counter(ID.findall(text)), Counter(re.findall(r"[0-9]+", ID.sub("", text))), text.count("*")


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_the_chapters_rules_tables_and_notes_of_the_source(language):
    assert book(language).language == language
    assert shape(book(language)) == shape(book(SOURCE))


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_names_the_same_cards_codes_rules_and_figures_in_every_text(language):
    differing = [
        (where, ours, theirs)
        for (where, ours), (_, theirs) in zip(texts(book(SOURCE)), texts(book(language)), strict=True)
        if facts(ours, SOURCE) != facts(theirs, language)
    ]
    assert differing == []


@pytest.mark.parametrize(
    ("source", "translated"),
    [
        ("draws 4 cards", "pioche 6 cartes"),
        ("as in HAT-1", "comme HAT-2"),
        ("the option `stacking`", "l'option `must_play`"),
        ("a Draw Two", "un Prendre 3"),
        ("a Wild Draw Four", "un Prendre 4"),
        ("a *played* card", "une carte jouée"),
    ],
)
def test_a_slip_in_a_translation_is_found(source, translated):
    assert facts(source, "en") != facts(translated, "fr")


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_sentence_is_left_in_english(language):
    same = {
        ours
        for (_, ours), (_, theirs) in zip(texts(book(SOURCE)), texts(book(language)), strict=True)
        if ours == theirs and len(re.findall(r"[a-z]{2,}", re.sub(r"`[^`]*`", "", ours))) > 2
    }
    assert same == set()


@pytest.mark.parametrize("language", ("en", *TRANSLATIONS))
def test_a_card_has_one_name_throughout_the_book(language):
    of = book(language)
    [codes] = [
        block.table
        for chapter in of.chapters
        if chapter.slug == "card-codes"
        for block in chapter.blocks
        if block.table
    ]
    names = {row[0].strip("`"): row[1] for row in codes.rows}
    titles = {rule: of.rules[rule].title for rule in ("ACT-4", "WD4-1", "HAT-1", "HAT-2", "CRP-1", "HOW-1", "INV-1")}
    assert list(titles.values()) == [names[code] for code in ("W", "WD", "WH", "WH", "WC", "WL", "WI")]
    assert of.rules["OPEN-5"].title == ", ".join(names[code] for code in ("W", "WH", "WC"))
    assert of.rules["OPEN-6"].title == ", ".join(names[code] for code in ("WD", "WL", "WI"))
    assert (of.rules["OPEN-3"].title, of.rules["OPEN-4"].title) == (of.rules["ACT-2"].title, of.rules["ACT-3"].title)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_book_calls_cards_and_options_what_the_other_pages_call_them(language):
    tables = {
        chapter.slug: block.table for chapter in book(language).chapters for block in chapter.blocks if block.table
    }
    with translation.override(language):
        leaflet = EDITIONS["harry-potter-fr"]  # the names of both books, where a language has two
        named = {code: pgettext(cards.NAMES, name) for code, name in cards.WILDS.items()}
        named |= {code: card_name(code, leaflet) for code in ("W", "WD")}
        names = {f"`{code}`": name for code, name in named.items()}
        assert dict(tables["card-codes"].rows) == names
        options = {f"`{key}`": gettext(words) for key, words in rules.OPTIONS.items()}
        assert {row[0]: row[1] for row in tables["penalties-and-options"].rows} == options
        for row in tables["editions"].rows:
            edition = EDITIONS[row[0].strip("`")]
            assert row[3] == editions.specials_in_words(edition)
            assert row[4] == translate(cards.symbol_in_words("D", edition.draw_size))
        for rule, face in {"ACT-2": "R", "ACT-3": "S"}.items():
            assert book(language).rules[rule].title == translate(cards.symbol_in_words(face))


def test_french_signs_do_not_begin_a_line():
    loose = [
        line
        for line in path("fr").read_text(encoding="utf-8").splitlines()
        if re.search(r"[^|-] [:;?!»](?!-)|« ", re.sub(r"`[^`]*`", "", line))
    ]
    assert loose == []


def test_a_reader_of_another_language_gets_the_english_book():
    assert book("de") is book("en")
    assert book("fr-ca") is book("fr")
    assert book(None) is book("en")


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("address", ["/rules/", *(f"/rules/{key}/" for key in EDITIONS)])
def test_the_pages_are_in_the_language_of_the_reader(client, language, address):
    answer = client.get(address, headers={"accept-language": language})
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert re.search(r"<html[^>]* lang=\"([^\"]+)\"", shown)[1] == language
    assert set(re.findall(r"<details[^>]* lang=\"([^\"]+)\"", shown)) == {language}
    for chapter in book(language).chapters:
        if chapter.rules:
            assert f'<h2 id="{chapter.slug}">{html.escape(chapter.title)}</h2>' in shown
    anchors = set(re.findall(r' id="([^"]+)"', shown))
    assert set(re.findall(r'href="#([^"]+)"', shown)) <= anchors


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_anchors_are_the_same_in_every_language(client, language):
    def anchors(accepted):
        shown = client.get("/rules/", headers={"accept-language": accepted}).content.decode()
        return re.findall(r' id="([^"]+)"', shown)

    assert anchors(language) == anchors("en")


def test_only_a_translation_says_which_text_holds(client):
    def says(language):
        return (
            'class="muted small of-which-text"'
            in client.get("/rules/", headers={"accept-language": language}).content.decode()
        )

    assert (says("en"), says("fr"), says("es")) == (False, True, True)


def test_the_image_has_the_book_in_every_language(settings):
    files = sorted(f"docs/{file.name}" for file in (settings.BASE_DIR / "docs").glob("rules*.md"))
    assert files == sorted(f"docs/{path(language).name}" for language in (SOURCE, *TRANSLATIONS))
    copied = (settings.BASE_DIR / "docker" / "Dockerfile").read_text().split()
    let_in = (settings.BASE_DIR / "docker" / "Dockerfile.dockerignore").read_text().splitlines()
    assert [name for name in files if name not in copied or f"!{name}" not in let_in] == []
