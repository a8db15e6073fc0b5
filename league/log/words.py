"""Functions shared by the logs of tournaments, clubs and accounts. Each log has its table `WORDS[action]`."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l


class Row(Protocol):
    """A log row with old and new values."""

    @property
    def action(self) -> str: ...
    @property
    def old(self) -> Any: ...
    @property
    def new(self) -> Any: ...


Say = Callable[[Any], str]  # from a row
Words = Mapping[str, Promise | Say]  # {action: its sentence, or a function that returns it}


def say(row: Row, words: Words, places: Callable[[Any], Mapping[str, Any]]) -> str:
    """Return the sentence of a row. `places` returns the row's values. An action without words shows its code."""
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
    """Return a player's name in a row: a mapping with an id, or in older rows only the name."""
    return str(value.get("player", "")) if isinstance(value, dict) else str(value or "")


def names(people: Any, most: int | None = None) -> str:
    """Return “Ana Lucía, Benoît …”: at most `most` names."""
    cut = most is not None and len(people) > most
    return ", ".join(name_of(person) for person in people[:most]) + (" …" if cut else "")


_INVITED = {
    "invite": _l("invited %(who)s: %(role)s"),
    "accept": _l("invitation accepted by %(who)s: %(role)s"),
    "revoke-invitation": _l("invitation of %(who)s revoked: %(role)s"),
    "take-back-role": _l("role removed from %(who)s: %(role)s"),
}
_LINKS = {
    "invite": _l("link created for the role: %(role)s"),
    "revoke-invitation": _l("link revoked for the role: %(role)s"),
}


def invitation_words(role: Callable[[dict[str, Any]], str]) -> dict[str, Say]:
    """Return the words for rows about roles. `role` returns the role's name from the row's values."""

    def saying(row: Row) -> str:
        of = about(row)
        person = of.get("user") or of.get("email")
        sentence = _INVITED[row.action] if person else _LINKS.get(row.action, row.action)
        return str(sentence) % {"role": role(of), "who": person}

    return dict.fromkeys(_INVITED, saying)
