"""The rule book: docs/rules.md is read whole, agrees with the engine's data, and is shown with every card and rule."""

import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from engine import cards, rules
from engine.rules import EDITIONS
from league.rulebook import editions, views
from league.rulebook import page as pages
from league.rulebook.book import ID, Unreadable, book, parse
from tests import cast

pytestmark = pytest.mark.django_db

ROOT = settings.BASE_DIR
SPRITE = ROOT / "league/static/league/cards.svg"
NOT_RULES = re.compile(r"(UTF|SHA|ISO|RFC|LGPL)-[0-9]+")  # names of the same form
ANCHOR = re.compile(r' id="([^"]+)"')


def page(client, *of):
    return client.get(reverse("rules_of" if of else "rules", args=of)).content.decode()


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def files_that_cite():
    here = Path(__file__)
    for folder in ("engine", "league", "games", "tests"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in (".py", ".txt", ".jsonl", ".html") and path != here:
                yield path


def test_every_rule_that_is_cited_stands_in_the_rule_book():
    known = set(book().rules)
    unknown = {
        f"{path.relative_to(ROOT)}: {cited}"
        for path in files_that_cite()
        for cited in ID.findall(path.read_text(encoding="utf-8"))
        if cited not in known and not NOT_RULES.fullmatch(cited)
    }
    assert unknown == set()


def test_rules_refer_to_rules_that_exist():
    text = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    cited = {one for one in ID.findall(text) if not NOT_RULES.fullmatch(one)}
    assert cited == set(book().rules)


def test_every_rule_has_an_anchor_on_the_page_and_every_link_its_target(client):
    shown = page(client)
    anchors = ANCHOR.findall(shown)
    assert [one for one, times in Counter(anchors).items() if times > 1] == []
    assert set(book().rules) <= set(anchors)
    assert set(re.findall(r'href="#([^"]+)"', shown)) <= set(anchors)
    assert set(re.findall(r'href="/rules/#([^"]+)"', shown)) <= set(anchors)


@pytest.mark.parametrize("key", EDITIONS)
def test_a_page_of_an_edition_has_its_rules_and_links_to_the_book_for_the_others(key, client):
    shown = page(client, key)
    anchors = set(ANCHOR.findall(shown))
    rules_here = {one for one in book().rules if editions.concerns(one, EDITIONS[key])}
    assert anchors & set(book().rules) == rules_here
    assert set(re.findall(r'href="#([^"]+)"', shown)) <= anchors
    assert set(re.findall(r'href="/rules/#([^"]+)"', shown)) <= set(ANCHOR.findall(page(client)))


@pytest.mark.parametrize(
    ("rule", "keys"),
    [
        ("DEAL-1", set(EDITIONS)),
        ("DEAL-2", {"harry-potter-fr"}),
        ("HAT-1", {"harry-potter-2018"}),
        ("HAT-2", {"harry-potter-unorules"}),
        ("HAT-3", {"harry-potter-2018", "harry-potter-unorules"}),
        ("CRP-2", {"minecraft-2017"}),
        ("HOW-1", {"harry-potter-fr"}),
        ("INV-5", {"harry-potter-fr"}),
        ("UNO-5", {"harry-potter-unorules"}),
        ("UNO-3", set(EDITIONS)),
    ],
)
def test_a_rule_belongs_to_the_editions_that_have_what_it_is_about(rule, keys):
    assert {key for key, edition in EDITIONS.items() if editions.concerns(rule, edition)} == keys


@pytest.mark.parametrize("key", EDITIONS)
def test_the_kinds_of_cards_make_up_the_deck_and_are_worth_what_the_engine_says(key):
    edition = EDITIONS[key]
    kinds = editions.kinds(edition)
    assert sum(kind.total for kind in kinds) == len(edition.deck)
    for kind in kinds[1:]:
        assert {cards.points(one.card) for one in kind.pictures} == {int(kind.worth.split()[0])}
        assert kind.total == sum(edition.deck.count(one.card) for one in set(kind.pictures))
        assert all(kind.name in one.name for one in kind.pictures)


def test_the_figures_on_the_page_are_those_of_the_edition(client):
    text = text_of(page(client, "harry-potter-fr"))
    assert "110 cards, 2 to 10 players" in text
    assert "Draw Three 8 in the deck, 2 in each colour 20 points" in text
    assert "Invisibility 1 in the deck 50 points" in text
    assert "76 in the deck, in each colour 1 × 0, 2 × 1–9 Worth their number" in text
    assert "Draw Two 8 in the deck" not in text


def test_every_different_card_is_drawn_and_its_picture_exists(client):
    symbols = set(re.findall(r'<symbol id="([^"]+)"', SPRITE.read_text(encoding="utf-8")))
    for key, edition in EDITIONS.items():
        drawn = set(re.findall(r"cards\.svg[^#]*#([^\"]+)\"", page(client, key)))
        assert {editions.symbol(card, edition) for card in edition.deck} <= drawn <= symbols
    assert set(re.findall(r"cards\.svg[^#]*#([^\"]+)\"", page(client))) <= symbols


def test_the_comparison_tells_the_editions_apart():
    rows = {row.rules or row.subject: row.by_edition for row in editions.differences()}
    assert rows["Cards in the deck"] == {key: str(len(edition.deck)) for key, edition in EDITIONS.items()}
    assert rows["ACT-1",]["harry-potter-fr"] == "Draw Three"
    assert rows["DEAL-1", "DEAL-2"]["harry-potter-fr"] == "Whose birthday is nearest to 31 July"
    by_edition = {key: tuple(row[key] for row in rows.values()) for key in EDITIONS}
    assert len(set(by_edition.values())) == len(EDITIONS), "two editions would look the same"


def test_the_table_of_editions_in_the_file_agrees_with_the_engine():
    chapter = next(one for one in book().chapters if one.slug == "editions")
    table = next(block.table for block in chapter.blocks if block.table)
    assert [row[0].strip("`") for row in table.rows] == list(EDITIONS)
    for row in table.rows:
        edition = EDITIONS[row[0].strip("`")]
        assert row[2] == str(len(edition.deck))
        assert row[3] == editions.specials_in_words(edition)
        assert row[4] == edition.card_name("RD").removeprefix("Red ")


def test_points_codes_and_options_in_the_file_agree_with_the_engine():
    text = book().rules["SCORE-1"].text
    assert re.findall(r"\d+", text) == [str(cards.points("RS")), str(cards.points("W"))]
    tables = {one.slug: block.table for one in book().chapters for block in one.blocks if block.table}
    codes = tables["card-codes"]
    assert {row[0].strip("`"): row[1] for row in codes.rows} == cards.WILDS
    options = tables["penalties-and-options"]
    assert {row[0].strip("`"): row[1] for row in options.rows} == dict(rules.OPTIONS)
    for scoring in rules.SCORINGS:
        assert any(f"`{scoring}`" in rule.text for rule in book().rules.values())


def test_sources_that_a_rule_names_are_listed():
    chapter = next(one for one in book().chapters if one.slug == "sources")
    listed = {row[0] for row in chapter.blocks[0].table.rows}
    assert {source for rule in book().rules.values() for source in rule.sources} == listed


def test_a_decision_is_told_with_its_reason(client):
    rule = book().rules["DEAL-1"]
    assert rule.is_decided_here
    shown = page(client)
    rest = shown[shown.index('id="DEAL-1"') : shown.index('id="DEAL-2"')]
    assert "Decided here:" in rest and "favours nobody" in rest
    assert 'href="#DEAL-1"' in shown[shown.index('id="decided"') :]


def test_the_page_of_an_edition_lists_what_its_leaflet_does_not_contain(client):
    for edition in EDITIONS:
        section = page(client, edition)
        section = text_of(section[section.index('id="decided"') :])
        assert (
            section.startswith("Not covered by the printed rules") or "Not covered by the printed rules" in section[:80]
        )
        for rule_id, words in (("DEAL-1", "tie"), ("TOUR-2", "time is up"), ("PLAY-7", "hold a whole deck")):
            assert rule_id in section and words in section, (edition, rule_id)
    classic = page(client, "classic")
    assert "INV-5" not in classic[classic.index('id="decided"') :]


def test_the_page_says_whose_names_these_are(client):
    for of in ((), ("classic",)):
        assert "trademarks of their owners" in text_of(page(client, *of))


def test_an_edition_that_does_not_exist_has_no_page(client):
    assert client.get("/rules/no-such-deck/").status_code == 404


def test_the_rules_are_linked_from_home_and_from_a_tournament(client):
    made = cast.tournament()
    assert f'href="{reverse("rules")}"' in client.get("/").content.decode()
    edition = made.stages.get().edition
    assert f'href="{reverse("rules_of", args=[edition])}"' in client.get(f"/t/{made.slug}/").content.decode()


CHAPTER = "## Setup\n\n- **DEAL-1** (FR, HP) *Who deals.* The eldest\n  deals. Always.\n  - *Decided here:* by lot.\n"


def test_a_rule_is_read_with_its_sources_title_text_and_notes():
    [rule] = parse(CHAPTER).rules.values()
    assert (rule.id, rule.sources, rule.title) == ("DEAL-1", ("FR", "HP"), "Who deals")
    assert (rule.text, rule.first_sentence) == ("The eldest deals. Always.", "The eldest deals.")
    assert [(note.is_decision, note.text) for note in rule.notes] == [(True, "by lot.")]


@pytest.mark.parametrize(
    "text",
    [
        CHAPTER + "\n" + CHAPTER,
        "## Setup\n\n- **DEAL-1** The eldest deals.\n",
        "## Setup\n\n- **DEAL-1** *Who deals.* The eldest.\n  - Perhaps.\n",
        "## Setup\nThe eldest deals.\n",
        "## Setup\n\n1. The eldest deals.\n",
        "## Setup\n\n> The eldest deals.\n",
        "## Setup\n\n| a | b |\n|---|---|\n| c |\n",
        "## Setup\n\n| a | b |\n| c | d |\n",
    ],
)
def test_a_form_that_the_page_cannot_show_is_refused(text):
    with pytest.raises(Unreadable):
        parse(text)


def titles(found):
    return [entry.rule.title for section in found.chapters for entry in section.entries]


def test_a_search_finds_cards_rules_and_texts_and_opens_their_chapters():
    found = pages.rules_page(book(), EDITIONS["classic"], "draw TWO")
    assert [card.kind.name for card in found.kinds] == ["Draw Two"]
    assert "Draw Two, Draw Three" in titles(found) and book().rules["ACT-3"].title not in titles(found)
    assert all(section.is_open for section in found.chapters)
    assert found.found == f"Found: 1 card, {len(titles(found))} rules."
    assert titles(pages.rules_page(book(), None, "inv-5")) == [book().rules["INV-5"].title]
    assert [section.slug for section in pages.rules_page(book(), None, "Gryffindor").chapters]
    assert "card-codes" in [section.slug for section in pages.rules_page(book(), None, "card codes").about]
    nothing = pages.rules_page(book(), EDITIONS["classic"], "Quidditch")
    assert (nothing.kinds, nothing.chapters) == ([], [])
    assert nothing.found == "No rule contains “Quidditch”. Try another word."


def test_a_search_ignores_accents_and_the_order_of_words():
    french = book("fr")
    assert titles(pages.rules_page(french, None, "DEFI")) == titles(pages.rules_page(french, None, "défi")) != []
    assert titles(pages.rules_page(book(), None, "two draw")) == titles(pages.rules_page(book(), None, "draw two"))


def test_a_search_on_the_page_keeps_what_was_typed_and_leads_to_the_whole_book(client):
    shown = client.get("/rules/classic/?q=%3Cb%3E howler").content.decode()
    assert 'value="&lt;b&gt; howler"' in shown and "“&lt;b&gt; howler”" in shown
    assert 'href="/rules/?q=%3Cb%3E%20howler"' in shown
    assert client.get("/rules/?q=" + "x" * 5000).status_code == 200


def test_markup_in_the_book_is_shown_as_text(client, monkeypatch):
    wrong = parse("## A turn\n\n- **PLAY-1** *Play.* Say `<b>` or *<i>* & **draw**, see PLAY-1.\n")
    monkeypatch.setattr(views, "book", lambda _language: wrong)
    monkeypatch.setattr(pages, "all_kinds", list)
    shown = page(client)
    assert "Say <code>&lt;b&gt;</code> or <em>&lt;i&gt;</em> &amp; <strong>draw</strong>" in shown
    assert '<a class="rule-id" href="#PLAY-1">PLAY-1</a>.' in shown
