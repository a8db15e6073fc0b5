"""A player's own link: shown, sent by mail, ended. It is signed and not stored (league/access/signed_links.py): there
is nothing to make. Who was shown whose, and when, is in the log, and on each player's own page."""

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league import letters
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import note, who
from league.models import Entry, LogEntry, SignUp, Tournament, User

SHOW, LIST, MAIL = "show-player-link", "list-player-links", "mail-player-link"
AGAIN = timedelta(minutes=10)  # a page that is loaded again within them is no other showing


@transaction.atomic
def show_player_link(*, entry: Entry, by: User) -> None:
    """Note that somebody was shown a player's own link: a row, unless there is one from a moment ago.

    Call it before the link leaves. After it was ended the next one is another link.
    """
    entry = _locked(entry)
    _note_once(entry.tournament, by, SHOW, _link(entry))


@transaction.atomic
def list_player_links(*, tournament: Tournament, by: User) -> None:
    """As `show_player_link`, of a list with the links of everybody in a tournament: one row that names all of them."""
    tournament = lock_tournament(tournament.pk)
    entries = tournament.entries.select_related("player")
    _note_once(tournament, by, LIST, [_link(entry) for entry in entries])


def _note_once(tournament: Tournament, by: User, action: str, new: object) -> None:
    rows = LogEntry.objects.filter(tournament=tournament, by=by, action=action, at__gt=timezone.now() - AGAIN)
    if not any(row.new == new for row in rows):
        note(tournament=tournament, by=by, action=action, new=new)


def _link(entry: Entry) -> dict[str, object]:
    return {**who(entry), "link": entry.link_generation}


def showings_of(entry: Entry) -> list[LogEntry]:
    """The rows that tell who was shown a player's own link or sent it, the latest first."""
    of_one = Q(action__in=(SHOW, MAIL), new__player_id=entry.public_id)
    rows = LogEntry.objects.select_related("by").filter(of_one | Q(action=LIST), tournament=entry.tournament_id)
    return [row for row in rows if row.action != LIST or entry.public_id in _named(row)]


def _named(row: LogEntry) -> Collection[str]:
    """The players on a list."""
    return {one.get("player_id", "") for one in row.new or ()}


@transaction.atomic
def mail_player_link(*, entry: Entry, site: str, by: User | None) -> None:
    """Put a letter with the link on its way. Raises `Refused("no-address")`. `site`: https://league.example.org"""
    entry = _locked(entry)
    if letters.write(kind="own-link", entry=entry, site=site) is None:
        raise Refused("no-address", _("There is no address to write to. Let them scan the code."))
    note(tournament=entry.tournament, by=by, action=MAIL, new=_link(entry))


@transaction.atomic
def end_player_link(*, entry: Entry, by: User | None) -> None:
    """The player's own link opens nothing from now on, also on phones that have used it; the next one is there.

    So does the link of their sign-up, whose page shows the next one.
    """
    entry = _locked(entry)
    Entry.objects.filter(pk=entry.pk).update(link_generation=F("link_generation") + 1)
    SignUp.objects.filter(entry=entry).update(link_generation=F("link_generation") + 1)
    note(tournament=entry.tournament, by=by, action="end-player-link", old=who(entry))


def _locked(entry: Entry) -> Entry:
    """The entry, its tournament locked: whoever takes a player off the list locks that first, too."""
    tournament = lock_tournament(entry.tournament_id)
    found = tournament.entries.select_related("tournament", "player").filter(pk=entry.pk).first()
    if found is None:
        raise Conflict("gone", _("Somebody has taken this player off the list."))
    return found
