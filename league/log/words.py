"""What the journals share: a tournament's, a club's, an account's. Each is a table, `WORDS[action]`."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l


class Row(Protocol):
    """A row of a log: what was there before, and what is there since."""

    @property
    def action(self) -> str: ...
    @property
    def old(self) -> Any: ...
    @property
    def new(self) -> Any: ...


Say = Callable[[Any], str]  # from a row
Words = Mapping[str, Promise | Say]  # of each action its sentence, or what finds it


def say(row: Row, words: Words, places: Callable[[Any], Mapping[str, Any]]) -> str:
    """`places`: what a sentence may take of the row. An action without words of its own shows its name."""
    said = words.get(row.action, row.action)
    if callable(said):
        return said(row)
    sentence = str(said)
    return sentence % places(row) if "%(" in sentence else sentence


def capital(what: str) -> str:
    return what[:1].upper() + what[1:]


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def old_of(row: Row) -> dict[str, Any]:
    return mapping(row.old)


def new_of(row: Row) -> dict[str, Any]:
    return mapping(row.new)


def about(row: Row) -> dict[str, Any]:
    return new_of(row) or old_of(row)


def name_of(value: Any) -> str:
    """A player as a row names them: with their id, or, in rows from before the chain, by name alone."""
    return str(value.get("player", "")) if isinstance(value, dict) else str(value or "")


def names(people: Any, most: int | None = None) -> str:
    """“Ana Lucía, Benoît …”: of so many at most, where that is said."""
    cut = most is not None and len(people) > most
    return ", ".join(name_of(one) for one in people[:most]) + (" …" if cut else "")


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


def invited(role: Callable[[dict[str, Any]], str]) -> dict[str, Say]:
    """Words of how somebody gets a role and loses it. `role`: how what a row says of it is called."""

    def saying(row: Row) -> str:
        of = about(row)
        who = of.get("user") or of.get("email")
        sentence = _INVITED[row.action] if who else _LINKS.get(row.action, row.action)
        return str(sentence) % {"role": role(of), "who": who}

    return dict.fromkeys(_INVITED, saying)
