"""Messages that carry each player's personal link."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import keeps_members
from league.access.viewer import Viewer
from league.lib.csv import Row
from league.lib.wall_time import when
from league.models import Entry, Tournament

COLUMNS = ("name", "email", "link")


@dataclass(frozen=True)
class PersonLink:
    """message: event, day, place and link, to copy. email: empty if hidden from the viewer.

    url: page with the code. mail_url: form that e-mails the link; empty without e-mail.
    """

    name: str
    email: str
    link: str
    message: str
    url: str
    mail_url: str


@dataclass(frozen=True)
class LinksToSend:
    """nothing: text instead of the list. mail_all: label of the button for everyone; empty without e-mail."""

    people: Sequence[PersonLink]
    nothing: str
    mail_all: str


def entries_to_send(tournament: Tournament) -> QuerySet[Entry]:
    """Return the entries with a personal page, in list order."""
    people = tournament.entries.select_related("player__club", "tournament").exclude(status=Entry.Status.STANDIN)
    return people.filter(bot="", player__erased_at=None).order_by("number", "id")


def links_to_send(viewer: Viewer, tournament: Tournament, address_of: Callable[[Entry], str]) -> LinksToSend:
    """Return the list for an organiser. address_of: returns an entry's link."""
    if tournament.is_called_off:
        return LinksToSend((), _("This tournament is cancelled."), "")
    entries = list(entries_to_send(tournament))
    keeps = {club for club in {entry.player.club for entry in entries} if club and keeps_members(viewer, club)}
    people = [_person(entry, address_of(entry), knows=entry.player.club in {None, *keeps}) for entry in entries]
    count = sum(bool(person.mail_url) for person in people)
    words = ngettext("E-mail %(count)d person", "E-mail %(count)d people", count)
    return LinksToSend(
        people=people,
        nothing="" if people else _("No players yet."),
        mail_all=words % {"count": count} if count else "",
    )


def _person(entry: Entry, link: str, *, knows: bool) -> PersonLink:
    """knows: whether the viewer may see the e-mail address."""
    at = [entry.tournament.slug, entry.public_id]
    mails = settings.MAIL_GOES_OUT and bool(entry.player.email)
    return PersonLink(
        name=entry.name,
        email=entry.player.email if knows else "",
        link=link,
        message=_message(entry, link),
        url=reverse("player_link", args=at),
        mail_url=reverse("mail_player_link", args=at) if mails else "",
    )


def _message(entry: Entry, link: str) -> str:
    tournament = entry.tournament
    event = ", ".join(filter(None, [tournament.name, when(tournament), tournament.place]))
    about = _("Only for %(name)s: your seat, hands and rank.") % {"name": entry.name}
    return f"{event}\n{about}\n{link}"


def link_rows(links: LinksToSend) -> Iterator[Row]:
    for person in links.people:
        yield {"name": person.name, "email": person.email, "link": person.link}
