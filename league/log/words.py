"""What the logs of tournaments, clubs and accounts share. Each has its words in a table, `WORDS[action]`."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l


class Row(Protocol):
    """A row of a log, with the old and the new values."""

    @property
    def action(self) -> str: ...
    @property
    def old(self) -> Any: ...
    @property
    def new(self) -> Any: ...


Say = Callable[[Any], str]  # from a row
Words = Mapping[str, Promise | Say]  # by action, its sentence or the function that makes it


def say(row: Row, words: Words, places: Callable[[Any], Mapping[str, Any]]) -> str:
    """The sentence of a row. `places`: what it may take from the row. An action without words shows its code."""
    phrase = words.get(row.action, row.action)
    if callable(phrase):
        return phrase(row)
    sentence = str(phrase)
    return sentence % places(row) if "%(" in sentence else sentence


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def old_of(row: Row) -> dict[str, Any]:
    return mapping(row.old)


def new_of(row: Row) -> dict[str, Any]:
    return mapping(row.new)


def about(row: Row) -> dict[str, Any]:
    return new_of(row) or old_of(row)


def name_of(value: Any) -> str:
    """The name of a player in a row: a mapping with their id, or, in rows from before the chain, the name alone."""
    return str(value.get("player", "")) if isinstance(value, dict) else str(value or "")


def names(people: Any, most: int | None = None) -> str:
    """“Ana Lucía, Benoît …”: the names of at most `most`, if that is given."""
    cut = most is not None and len(people) > most
    return ", ".join(name_of(person) for person in people[:most]) + (" …" if cut else "")


_INVITED = {
    "invite": _l("invited %(who)s: %(role)s"),
    "accept": _l("invitation accepted by %(who)s: %(role)s"),
    "revoke-invitation": _l("invitation of %(who)s revoked: %(role)s"),
    "take-back-role": _l("role taken back from %(who)s: %(role)s"),
}
_LINKS = {
    "invite": _l("made a link for the role: %(role)s"),
    "revoke-invitation": _l("revoked a link for the role: %(role)s"),
}


def invitation_words(role: Callable[[dict[str, Any]], str]) -> dict[str, Say]:
    """The words for rows about getting and losing a role. `role`: makes the role's name from the row's values."""

    def saying(row: Row) -> str:
        of = about(row)
        person = of.get("user") or of.get("email")
        sentence = _INVITED[row.action] if person else _LINKS.get(row.action, row.action)
        return str(sentence) % {"role": role(of), "who": person}

    return dict.fromkeys(_INVITED, saying)
