"""What the modules that know no Django say and call things (engine.sentences), in the language of who reads it."""

from django.utils.translation import gettext, ngettext, npgettext, pgettext

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


def round_title(number: int, in_all: int | None) -> str:
    """“Round 3 of 7”; “Round 3” where nobody knows how many there will be."""
    if in_all is None:
        return gettext("Round %(number)d") % {"number": number}
    return gettext("Round %(number)d of %(of)d") % {"number": number, "of": in_all}
