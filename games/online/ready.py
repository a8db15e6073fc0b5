"""The players' readiness for the next deal, and the texts of a waiting table."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.online.end import Between
from games.online.page.page import Page
from games.online.page.people import Other
from league.lib.translate import names


@dataclass(frozen=True)
class Note:
    text: str
    css: str = "small"


@dataclass(frozen=True)
class Ready:
    """`others` are listed where their seats are not drawn. `waiting`: text for a ready player. `button`: for the
    others. `opens`, `again`: as in `page.Waiting`."""

    title: str
    stopped: str
    others: tuple[Other, ...]
    notes: tuple[Note, ...]
    waiting: str = ""
    button: str = ""
    opens: bool = False
    again: bool = False


def ready_of(page: Page, ends: Between, *, two_left: bool) -> Ready | None:
    """Return the content of a table that waits for its players; None for other tables.

    ends: how the last hand ended. two_left: the game continues with the last two players.
    """
    waiting, people = page.waiting, page.people
    if waiting is None:
        return None
    me, stopped = people.me, ends.stopped
    notes = [*_of_game(two_left=two_left, is_out=ends.is_out), *_of_pause(page)]
    if me is None or (not ends.ending and not me.ready):
        text = _("The cards are dealt when everyone is ready.")
        notes.append(Note(text, "small muted"))
    if me is not None and me.away:
        notes.append(Note(_("A bot plays for you")))
    is_there = me is not None and me.is_there
    return Ready(
        title=_title(page),
        stopped=_("The last hand was stopped: %(stopped)s") % {"stopped": stopped} if stopped else "",
        others=people.others if ends.ending else (),
        notes=tuple(notes),
        waiting=_waiting(waiting.waits_for) if is_there else "",
        button=_button(me) if me is not None and not is_there else "",
        opens=waiting.opens and is_there,
        again=waiting.again,
    )


def _title(page: Page) -> str:
    if page.people.me is not None and page.people.me.dealer:
        return _("Hand %(number)s, you deal") % {"number": page.number}
    return _("Hand %(number)s, %(dealer)s deals") % {"number": page.number, "dealer": page.people.dealer}


def _of_game(*, two_left: bool, is_out: bool) -> list[Note]:
    notes = []
    if two_left:
        text = _("Two players are left. They play on head to head and keep their points.")
        notes.append(Note(text, "small strong"))
    if is_out:
        notes.append(Note(_("You are eliminated. You can stay and watch.")))
    return notes


def _of_pause(page: Page) -> list[Note]:
    reason = {"reason": page.pause_reason}
    if page.called_off:
        return [Note(_("Cancelled: %(reason)s") % reason)]
    if not page.paused:
        return []
    return [Note(_("Paused: %(reason)s") % reason if page.pause_reason else _("Paused"))]


def _waiting(waits_for: tuple[str, ...]) -> str:
    if waits_for:
        return _("Everyone is ready. The shuffle waits for: %(names)s") % {"names": names(waits_for)}
    return _("You are ready. Waiting for the other players.")


def _button(me: Other) -> str:
    return _("Come back") if me.away else _("Ready")
