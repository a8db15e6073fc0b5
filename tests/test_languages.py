"""Nothing that people read is without its French and its Spanish: the catalogues hold every message of the code."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from babel.messages.catalog import Message
from django.utils import translation

from engine.cards import COLORS
from engine.rules import EDITIONS
from engine.sentences import Sentence, counted, listed, sentence
from league.lib.translate import card_name, label_text, translate
from league.management.commands import messages
from league.models import Round, Tournament

LANGUAGES = pytest.mark.parametrize("language", messages.LANGUAGES)


@pytest.fixture(scope="module")
def found() -> list[Message]:
    """Read anew from all of the code, which takes seconds. Who only wants to know what is said asks `in_catalogue`."""
    return messages.messages_of_code()


def in_catalogue() -> list[Message]:
    """The messages of the code, as a catalogue has them that is in step with it (a test of its own)."""
    return [message for message in messages.catalogue_of("fr") if message.id]


def named(some: list[Message]) -> str:
    return "\n".join(f"  {message.id!r} in {', '.join(file for file, _line in message.locations)}" for message in some)


@LANGUAGES
def test_every_message_is_translated(language: str, found: list[Message]) -> None:
    catalog = messages.merge(language, found, messages.catalogue_of(language))
    lacking = [message for message in catalog if message.id and messages.is_missing(message)]
    assert not lacking, f"{len(lacking)} messages are not translated:\n{named(lacking)}"


@LANGUAGES
def test_the_catalogue_is_in_step_with_the_code(language: str, found: list[Message]) -> None:
    """`python3 dev.py messages` brings it there; it also takes out what the code has no more."""
    catalog = messages.merge(language, found, messages.catalogue_of(language))
    file = messages.po_file(language)
    assert file.read_bytes() == messages.as_po(catalog), "run python3 dev.py messages"
    assert file.with_suffix(".mo").read_bytes() == messages.as_mo(catalog), "run python3 dev.py messages"


def test_no_message_is_translated_inside_an_f_string() -> None:
    """Python 3.11 reads an f-string as one token, so a message inside it would be in no catalogue."""
    inside = [
        f"  {path}:{call.lineno}: {ast.unparse(call)}"
        for path, tree in messages.modules()
        for text in ast.walk(tree)
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and messages.translates(call)
    ]
    assert not inside, "assign these to a variable first:\n" + "\n".join(inside)


def test_the_forms_of_a_plural_are_written_where_one_is_chosen() -> None:
    """The catalogue is made from what stands in the call: forms that come in variables would be in none."""
    elsewhere = [
        f"  {path}:{call.lineno}: {ast.unparse(call)}"
        for path, tree in messages.modules()
        if path.as_posix() != "league/lib/translate.py"  # it translates sentences that others have marked
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("ngettext", "ngettext_lazy")
        if not all(isinstance(form, ast.Constant) for form in call.args[:2])
    ]
    assert not elsewhere, "write both forms into the call:\n" + "\n".join(elsewhere)


@LANGUAGES
def test_no_translation_has_a_fault(language: str) -> None:
    wrong = [
        f"  {message.id!r}: {'; '.join(faults)}\n    {message.string!r}"
        for message in messages.catalogue_of(language)
        if message.id and not messages.is_missing(message)
        if (faults := messages.faults(message.id, message.string))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("english", "other", "fault"),
    [
        ("Round %(number)d", "Ronde %(numero)d", "parameters"),
        ("Round %(number)d", "Ronde %(number)s", "parameters"),
        ("Round %(number)d", "Ronde", "parameters"),
        ("100 %% of %(count)d", "100 % de %(count)d", "%"),
        ("Go <b>on</b>", "Continuez", "markup"),
        ("Write `a,b`", "Écrivez « a,b »", "markup"),
        ("Done.", "Terminé", "end"),
        ("Done", "Terminé.", "end"),
        ("Done", "Terminé !", "exclamation"),
        (" and", "et", "space"),
        (("%(count)d hand", "%(count)d hands"), "%(count)d manche", "forms"),
        (("%(count)d hand", "%(count)d hands"), ("%(count)d manche", "manches"), "parameters"),
    ],
)
def test_a_faulty_translation_is_found(
    english: str | tuple[str, str], other: str | tuple[str, str], fault: str
) -> None:
    assert fault in " ".join(messages.faults(english, other))


@pytest.mark.parametrize(
    ("english", "other"),
    [
        ("Round %(number)d: %(what)s.", "%(what)s, ronde %(number)d."),
        (("One hand", "%(count)d hands"), ("Une manche", "%(count)d manches")),
        (("One hand", "%(count)d hands"), ("%(count)d manche", "%(count)d manches")),
        ("Are you sure?", "¿Seguro?"),
    ],
)
def test_a_good_translation_has_no_fault(english: str | tuple[str, str], other: str | tuple[str, str]) -> None:
    assert messages.faults(english, other) == []


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language in which what was translated can be told from what was not."""
    monkeypatch.setattr("league.lib.translate.gettext", lambda text: f"<{text}>")
    monkeypatch.setattr("league.lib.translate.pgettext", lambda context, text: f"<{context}: {text}>")
    monkeypatch.setattr("league.lib.translate.ngettext", lambda one, many, count: f"<{one if count == 1 else many}>")


@pytest.mark.usefixtures("made_up")
def test_a_sentence_of_the_engine_is_translated_with_the_words_in_it() -> None:
    deck = EDITIONS["classic"]
    said = sentence("You do not hold %(card)s of %(name)s.", card=deck.card_in_words("RS"), name="Zoë")
    assert str(said) == "You do not hold Red Skip of Zoë."
    assert translate(said) == "<You do not hold <card: Red Skip> of Zoë.>"
    assert translate(counted("%(count)d card", "%(count)d cards", 1)) == "<1 card>"
    assert translate(counted("%(count)d card", "%(count)d cards", 2)) == "<2 cards>"
    assert translate(listed([Sentence("Wild", context="card"), 7])) == "<<card: Wild>, 7>"


@LANGUAGES
def test_a_card_has_a_name_of_its_own_in_every_edition(language: str) -> None:
    with translation.override(language):
        for edition in EDITIONS.values():
            cards = set(edition.deck)
            assert len({card_name(card, edition) for card in cards}) == len(cards)


@pytest.mark.parametrize(
    ("language", "edition", "cards"),
    [
        ("fr", "harry-potter-fr", {"RD": "Prendre 3 rouge", "GR": "Sens inverse vert", "WL": "Beuglante"}),
        ("fr", "classic", {"B7": "7 bleu", "YS": "Passer un tour jaune", "W": "Joker", "WD": "Joker Prendre 4"}),
        ("fr", "harry-potter-fr", {"W": "Blanche (Joker)", "WD": "Blanche (Joker) Prendre 4"}),
        ("es", "harry-potter-2018", {"RD": "Toma 2 roja", "GR": "Reversa verde", "WH": "Sombrero Seleccionador"}),
        ("es", "classic", {"B7": "7 azul", "YS": "Salta amarilla", "W": "Comodín", "WD": "Comodín Toma 4"}),
        ("en", "minecraft-2017", {"WC": "Creeper", "RD": "Red Draw Two"}),
    ],
)
def test_cards_are_called_as_their_leaflets_call_them(language: str, edition: str, cards: dict[str, str]) -> None:
    with translation.override(language):
        assert {card: card_name(card, EDITIONS[edition]) for card in cards} == cards


# What is written in a template stands in {% translate %} or {% blocktranslate %}.

SAME_EVERYWHERE = {"Wild League", "UNO", "PDF", "CSV", "API", "JSON", "H:i"}
READ_OUT = ("aria-label", "title", "placeholder", "alt", "aria-description", "content")
_TRANSLATED = re.compile(r"{%-? *blocktranslate.*?{% *endblocktranslate *%}", re.DOTALL)
_COMMENT = re.compile(r"{#.*?#}|{% *comment.*?{% *endcomment *%}", re.DOTALL)
_TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
# In a fragment or a block that stands within a tag.
_ATTRIBUTE = re.compile(r'(?<=\s)(?:(?P<name>[\w-]+)="(?P<value>[^"<>]*)"|data-[\w-]+)')
_SENTENCE = re.compile(r"^[A-Z]|[^\W\d_] [^\W\d_]")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_OWN_TAG = re.compile(r"{% *(?P<name>\w+) (?P<rest>.*?)%}", re.DOTALL)
_LITERAL = re.compile(r"""(?<!_\()(?<![\w=])"([^"]*)"|'([^']*)'""")
# Tags of Django's and ours whose texts are names, not words.
_NO_WORDS = {
    *("translate", "url", "static", "include", "extends", "load", "icon", "if", "elif", "moment", "block", "for"),
    *("rule_link", "get_current_language", "regroup", "cycle", "ifchanged", "classes"),
}


class _Texts(HTMLParser):
    """What a browser would show or read out of a page without its template tags."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in ("script", "style", "code")
        read = [name for name in READ_OUT if name != "content" or ("name", "description") in attrs]
        self.texts += [value for name, value in attrs if value and name in read]
        # What a script shows is told to it in data-*; its settings are single words.
        self.texts += [
            value for name, value in attrs if name not in _CODES and name.startswith("data-") and _says(value)
        ]

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in ("script", "style", "code")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.texts.append(data)


_CODES = ("class", "data-of")  # the keys of formats for which a part of a form is


def untranslated(template: str) -> Iterator[str]:
    text = _TRANSLATED.sub("", _COMMENT.sub("", template))
    for tag in _OWN_TAG.finditer(text):
        if tag["name"] not in _NO_WORDS:
            for literal in _LITERAL.finditer(tag["rest"]):
                words = literal[1] or literal[2] or ""
                if " " in words.strip() or words[:1].isupper():
                    yield words
    page = _Texts()
    page.feed(_TAG.sub("\N{NO-BREAK SPACE}", text))
    page.close()
    for shown in page.texts:
        yield from (
            one["value"] for one in _ATTRIBUTE.finditer(shown) if one["name"] not in _CODES and _says(one["value"])
        )
        yield _ATTRIBUTE.sub("", shown)


def _says(value: str | None) -> bool:
    return bool(value and _SENTENCE.search(value))


def test_no_template_has_text_outside_the_tags_that_translate() -> None:
    outside = {}
    for path in messages.templates():
        left = [" ".join(one.split()) for one in untranslated(path.read_text(encoding="utf-8"))]
        bare = [one for one in left if _LETTERS.search(_without_names(one))]
        if bare:
            outside[str(path.relative_to(messages.ROOT))] = bare
    assert not outside, "\n".join(f"  {file}: {bare}" for file, bare in outside.items())


# What a translator could not reach: punctuation between two messages, and days in the order of English.

_COLON = re.compile(r":(?=\s|$)")
_DAY = re.compile(r"""{%\s*moment\s[^%"]*(?<!_\()"[^"]*j[^"]*"|date:"[^"]*j[^"]* [^"]*\"""")


def out_of_reach(template: str) -> list[str]:
    text = " ".join(one for one in untranslated(template) if _COLON.search(one))
    return _COLON.findall(text) + _DAY.findall(template)


def test_no_template_sets_a_colon_or_the_order_of_a_day_by_itself() -> None:
    """In French a space stands before a colon: {% colon %} knows. A day with its month is a message."""
    faults = {
        str(path.relative_to(messages.ROOT)): out_of_reach(path.read_text("utf-8")) for path in messages.templates()
    }
    assert not {file: found for file, found in faults.items() if found}


@pytest.mark.parametrize(
    ("template", "count"),
    [
        ("<p>{{ table }}: {{ names }}</p>", 1),
        ("<span>{% translate 'Hand' %}:</span> {{ number }}", 1),
        ("<p>{{ table }}{% colon %}{{ names }}</p>", 0),
        ("{% blocktranslate %}Round {{ number }}: drawn{% endblocktranslate %}", 0),
        ('{% moment at zone "j M, H:i" %}', 1),
        ('{{ at|date:"j M Y" }}', 1),
        ('{% moment at zone _("j M, H:i") %} {{ at|date:_("j F Y") }} {% moment at %} {{ at|date:"j" }}', 0),
    ],
)
def test_what_a_translator_cannot_reach_is_found(template: str, count: int) -> None:
    assert len(out_of_reach(template)) == count


@pytest.mark.parametrize(
    ("language", "colon", "tournament", "round_"),
    [
        ("en", "Table 3: Zoë", "Closed", "Closed"),
        ("fr", "Table 3\u00a0: Zoë", "Terminé", "Terminée"),
        ("es", "Table 3: Zoë", "Cerrado", "Cerrada"),
    ],
)
def test_a_colon_and_a_state_are_written_as_the_language_does(
    language: str, colon: str, tournament: str, round_: str
) -> None:
    with translation.override(language):
        assert label_text("Table 3", "Zoë") == colon
        assert Tournament.State.CLOSED.label == tournament
        assert Round.State.CLOSED.label == round_


def _without_names(text: str) -> str:
    return re.sub("|".join(sorted(SAME_EVERYWHERE, key=len, reverse=True)), "", text)


@pytest.mark.parametrize(
    "template",
    [
        "<p>Hello</p>",
        '<p aria-label="Hello">{{ name }}</p>',
        '{% way "home" "i-prev" "Go on" %}',
        "{% translate 'One' %} two",
        '{% if one %} data-word="Go on"{% endif %}',
    ],
)
def test_text_that_is_not_translated_is_found(template: str) -> None:
    assert any(_LETTERS.search(one) for one in untranslated(template))


@pytest.mark.parametrize(
    "template",
    [
        "<p>{% translate 'Hello' %}</p>",
        "{% blocktranslate with a=b %}Hello {{ a }}{% endblocktranslate %}",
        '{% way "home" "i-prev" _("Go on") %}',
        "{# Nobody sees this #}",
        '{% block main_class %} class="page rulebook"{% endblock %}',
    ],
)
def test_text_that_is_translated_is_no_fault(template: str) -> None:
    assert not any(_LETTERS.search(one) for one in untranslated(template))


def test_every_colour_is_among_the_messages() -> None:
    ids = {(message.context, message.id) for message in in_catalogue()}
    assert {("color", name) for name in COLORS.values()} <= ids


_COMMENTS_OF_SCRIPTS = re.compile(r"(?<![:\"'])//.*")
_SENTENCE_IN_A_SCRIPT = re.compile(r"""["'`][A-Z][a-z]+ [a-z]+[^"'`]*["'`]""")


def test_scripts_say_nothing_of_their_own() -> None:
    """Their words stand in the page, in data-* attributes, where they are translated."""
    scripts = [path for folder in ("league", "games", "templates") for path in (messages.ROOT / folder).rglob("*.js")]
    assert scripts
    said = {
        path.name: found
        for path in scripts
        if (found := _SENTENCE_IN_A_SCRIPT.findall(_COMMENTS_OF_SCRIPTS.sub("", path.read_text(encoding="utf-8"))))
    }
    assert not said


ELIMINATED = re.compile(
    r"(?i)\b(?:is|are|was|were|been) out\b|\bout(?: |, )(?:at|in round|in hand|before|if|of the race)\b"
    r"|^out\b(?! of)|, out\b"
)
LINKS = re.compile(r"(?i)(?:phones|who) (?:that )?used")  # whom a link lets in no more


def test_who_goes_out_has_won_a_hand_and_who_is_eliminated_is_never_said_to_be_out() -> None:
    """Of a Challenge UNO both are told of one hand, so one word would say two things (docs/terms.md)."""
    said = [
        text for message in in_catalogue() for text in ([message.id] if isinstance(message.id, str) else message.id)
    ]
    assert said
    wrong = [one for one in said if ELIMINATED.search(one) and not LINKS.search(one)]
    assert [one for one in wrong if not re.search(r"(?i)went out|goes? out|gone out|drop|sits? |signed", one)] == []
