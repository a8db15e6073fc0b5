"""The parts that the pages of a hand are made of, ready to show: links and notices."""

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
    """Something to read and do, as components/note.html shows it: `title`, `text` and `lines` below one another.

    `undo`: the address of a button that takes back what is said, at this `version` of the table.
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
    """What is wrong with the form that was sent. in_dock: next to the pad, the dock says it."""
    if form is None or not form.is_bound or not form.errors:
        return ()
    css = "in-dock" if in_dock else ""
    return (Notice(title=title, lines=tuple(form.sentences()), kind="bad", css=css, role="alert"),)


def notice_of_final(tournament: Tournament) -> Notice:
    """For whoever could reopen the tournament."""
    text = _("The standings are final. To change a hand, reopen the tournament under Now first.")
    return Notice(text, "warn", link=Link(_("To Now"), reverse("tournament", args=[tournament.slug])))


def hand_line(table: Table, number: int) -> str:
    """“Round 1, hand 2 of 4”."""
    words = {"round_number": table.round.number, "number": number, "of": table.hands_wanted}
    if table.hands_wanted:
        return _("Round %(round_number)s, hand %(number)s of %(of)s") % words
    return _("Round %(round_number)s, hand %(number)s") % words


def own_table(access: Access) -> str:
    """The address of a player's own page."""
    assert access.entry is not None
    return f"{reverse('my_table', args=[access.tournament.slug])}?player={access.entry.public_id}"


def back_of(access: Access) -> Link | None:
    """The way back: to the player's own table, or to the overview for whoever has no link."""
    if access.entry:
        return Link(_("My table"), own_table(access))
    return None if access.link else Link(_("Now"), reverse("tournament", args=[access.tournament.slug]))


def by_itself_in_words(at: datetime | None, zone: tzinfo) -> SafeString | str:
    """When a table is confirmed if nobody objects; empty if it is not."""
    if at is None:
        return ""
    sentence = _("Counts automatically at %(at)s unless a player objects.")
    return format_html(sentence.replace("%(at)s", "{}"), moment(at, zone))
