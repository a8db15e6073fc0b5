"""Links and notices of the pages of a hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.entry.forms import ReportForm
from league.access import Access
from league.lib.wall_time import moment
from league.models import Table, Tournament


@dataclass(frozen=True)
class Link:
    label: str
    url: str
    is_main: bool = False


@dataclass(frozen=True)
class Notice:
    """A notice for components/note.html: `title`, `text` and `lines`, one below the other.

    `undo` is the address of the undo button, for this `version` of the table.
    """

    text: str = ""
    kind: str = ""
    title: str = ""
    lines: tuple[str, ...] = ()
    link: Link | None = None
    icon: str = ""
    role: str = ""
    css: str = ""
    undo: str = ""
    version: int | None = None


def notice_of_errors(form: ReportForm | None, title: str, *, in_dock: bool = False) -> Sequence[Notice]:
    """Return a notice of the form's errors. With `in_dock` the dock shows them, next to the pad."""
    if form is None or not form.is_bound or not form.errors:
        return ()
    css = "in-dock" if in_dock else ""
    return (Notice(title=title, lines=tuple(form.sentences()), kind="bad", css=css, role="alert"),)


def notice_of_final(tournament: Tournament) -> Notice:
    """Return the notice for a visitor who can reopen the tournament."""
    text = _("The standings are final. Reopen the tournament to change a hand.")
    return Notice(text, "warn", link=Link(_("Open the tournament"), reverse("tournament", args=[tournament.slug])))


def hand_line(table: Table, number: int) -> str:
    """Return for example “Round 1, hand 2 of 4”."""
    words = {"round_number": table.round.number, "number": number, "of": table.hands_wanted}
    if table.hands_wanted:
        return _("Round %(round_number)s, hand %(number)s of %(of)s") % words
    return _("Round %(round_number)s, hand %(number)s") % words


def own_table(access: Access) -> str:
    """Return the address of a player's own page."""
    assert access.entry is not None
    return f"{reverse('my_table', args=[access.tournament.slug])}?player={access.entry.public_id}"


def back_of(access: Access) -> Link | None:
    """Return the back link: a player's own table, or the overview for visitors without a link."""
    if access.entry:
        return Link(_("My table"), own_table(access))
    return None if access.link else Link(_("Now"), reverse("tournament", args=[access.tournament.slug]))


def confirms_at_in_words(at: datetime | None, zone: tzinfo) -> SafeString | str:
    """Return a sentence with the time of the automatic confirmation; empty without one."""
    if at is None:
        return ""
    sentence = _("Counts automatically at %(at)s unless a player objects.")
    return format_html(sentence.replace("%(at)s", "{}"), moment(at, zone))
