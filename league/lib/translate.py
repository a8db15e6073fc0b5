"""Translate sentences and names of modules without Django (engine.sentences) into the reader's language."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext, npgettext, pgettext

from engine.rules import EDITIONS, Edition
from engine.sentences import Sentence
from league.lib.names import fold


def translate(sentence: Sentence) -> str:
    params = {name: translate(part) if isinstance(part, Sentence) else part for name, part in sentence.params.items()}
    template = _template(sentence)
    return template % params if params else template


def _template(sentence: Sentence) -> str:
    if not sentence.many:
        return pgettext(sentence.context, sentence.template) if sentence.context else gettext(sentence.template)
    if sentence.context:
        return npgettext(sentence.context, sentence.template, sentence.many, sentence.count)
    return ngettext(sentence.template, sentence.many, sentence.count)


def label_text(label: str, text: str) -> str:
    """Return “Table 3: Ana and Zoë”, with the language's colon."""
    return gettext("%(label)s: %(what)s") % {"label": label, "what": text}


def with_markup(text: str, **parts: str) -> SafeString:
    """Fill the placeholders of a translated text, which is escaped. Parts may be markup."""
    return mark_safe(escape(text) % {name: conditional_escape(part) for name, part in parts.items()})


def card_name(card: str, edition: Edition) -> str:
    """Return the card's name in the leaflet of the reader's language. Raises `engine.cards.UnknownCard`."""
    return _card_name(edition.key, card, get_language())


@lru_cache(1000)  # all cards of five editions in three languages
def _card_name(edition: str, card: str, language: str | None) -> str:
    return translate(EDITIONS[edition].card_in_words(card))


FEWEST_IN_GROUPS = 10_000  # French and Spanish don't separate 1000, nor do English tables
_BETWEEN_GROUPS = {"en": ","}


def figure(number: int) -> str:
    """Return a large number with the language's separators: “20,000”, “20 000”, using the narrow no-break space."""
    if abs(number) < FEWEST_IN_GROUPS:
        return str(number)
    between = _BETWEEN_GROUPS.get((get_language() or "en").split("-")[0], "\N{NARROW NO-BREAK SPACE}")
    return f"{number:,}".replace(",", between)


def signed_figure(number: int) -> str:
    """Return “+20” or “−1 000”."""
    return ("+" if number > 0 else "−" if number < 0 else "") + figure(abs(number))


def rank_in_words(rank: int | None, *, tied: bool = False) -> str:
    """Return “3”, “3=” if shared, or “–” without a rank. The tag `rank` adds text for screen readers."""
    return "–" if rank is None else f"{rank}=" if tied else str(rank)


def shared_rank(rank: int, word: str) -> SafeString:
    """Return a shared rank for pages. Screen readers read `word` for the sign."""
    return format_html('{}<span aria-hidden="true">=</span><span class="sr"> {}</span>', rank, word)


def round_title(number: int, in_all: int | None) -> str:
    """Return “Round 3 of 7”, or “Round 3” if the number of rounds is unknown."""
    if in_all is None:
        return gettext("Round %(number)d") % {"number": number}
    return gettext("Round %(number)d of %(of)d") % {"number": number, "of": in_all}


def name_order(name: str) -> str:
    """Return a sort key in the reader's language: `fold`, with “ñ” after “n” in Spanish."""
    if (get_language() or "").startswith("es"):
        name = unicodedata.normalize("NFC", name).replace("ñ", "n~").replace("Ñ", "n~")
    return fold(name)


def names(people: Iterable[Any]) -> str:
    """Return “Ana and Zoë” or “Ana, Zoë and Chidi”."""
    words = [str(person) for person in people]
    if len(words) < 2:
        return "".join(words)
    return gettext("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}
