"""Icon, word and tint for the state of a tournament, round or table."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from league.models import Round, Table, Tournament


class StateMark(NamedTuple):
    """A mark. `icon` is its id in the sprite. `tint`: live, ok, warn, bad or empty."""

    icon: str
    word: str
    tint: str = ""


STATES: dict[str, tuple[str, str]] = {
    Tournament.State.PLANNED: ("i-clock", ""),
    Table.State.SCHEDULED: ("i-clock", ""),
    Table.State.PLAYING: ("i-play", "live"),
    Table.State.REPORTED: ("i-wait", "warn"),
    Table.State.DISPUTED: ("i-warn", "bad"),
    Table.State.CONFIRMED: ("i-check", "ok"),
    Table.State.VOID: ("i-cross", ""),
    Round.State.DRAFT: ("i-wait", ""),
    Round.State.PUBLISHED: ("i-check", "ok"),
    Round.State.RUNNING: ("i-play", "live"),
    Round.State.CLOSED: ("i-check", ""),
}


def state_mark(subject: Tournament | Round | Table) -> StateMark:
    if isinstance(subject, Tournament) and subject.is_called_off:
        return StateMark("i-cross", _("Cancelled"), "warn")
    icon, tint = STATES[subject.state]
    return StateMark(icon, subject.get_state_display(), tint)
