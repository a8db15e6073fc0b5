"""What the modules that know no Django say and call things (engine.sentences), in the language of who reads it."""

from collections.abc import Iterable
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, npgettext, pgettext

from engine.rules import Edition
from engine.sentences import Sentence


def translated(what: Sentence) -> str:
    params = {name: translated(part) if isinstance(part, Sentence) else part for name, part in what.params.items()}
    template = _template(what)
    return template % params if params else template


def _template(what: Sentence) -> str:
    if not what.many:
        return pgettext(what.context, what.template) if what.context else gettext(what.template)
    if what.context:
        return npgettext(what.context, what.template, what.many, what.count)
    return ngettext(what.template, what.many, what.count)


def labelled(label: str, what: str) -> str:
    """“Table 3: Ana and Zoë”, with the colon as the language sets it."""
    return gettext("%(label)s: %(what)s") % {"label": label, "what": what}


def card_name(card: str, edition: Edition) -> str:
    """The card as the leaflet in the reader's language calls it. Raises `engine.cards.UnknownCard`."""
    return translated(edition.card_in_words(card))


FEWEST_IN_GROUPS = 10_000  # French and Spanish write 1000 in one piece, and so do tables in English
_BETWEEN_GROUPS = {"en": ","}


def figure(number: int) -> str:
    """A large number with its thousands apart, as the language sets them: “20,000”, “20 000”. The space is the narrow
    one that breaks no line."""
    if abs(number) < FEWEST_IN_GROUPS:
        return str(number)
    between = _BETWEEN_GROUPS.get((get_language() or "en").split("-")[0], "\N{NARROW NO-BREAK SPACE}")
    return f"{number:,}".replace(",", between)


def rank_in_words(rank: int | None, *, tied: bool = False) -> str:
    """“3”; “3=” where several share it; “–” for nobody's. On pages the tag `rank` says it aloud, too."""
    return "–" if rank is None else f"{rank}=" if tied else str(rank)


def shared(rank: int, word: str) -> SafeString:
    """A rank that several have, as pages write it. `word` says it to a screen reader."""
    return format_html('{}<span aria-hidden="true">=</span><span class="sr"> {}</span>', rank, word)


def round_title(number: int, in_all: int | None) -> str:
    """“Round 3 of 7”; “Round 3” where nobody knows how many there will be."""
    if in_all is None:
        return gettext("Round %(number)d") % {"number": number}
    return gettext("Round %(number)d of %(of)d") % {"number": number, "of": in_all}


def names(people: Iterable[Any]) -> str:
    """“Ana and Zoë”, “Ana, Zoë and Chidi”."""
    words = [str(one) for one in people]
    if len(words) < 2:
        return "".join(words)
    return gettext("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}
