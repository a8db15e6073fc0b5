"""A player's own link: show it, mail it, end it. It is signed and not stored (league/access/signed_links.py), so it
need not be created. The log, and each player's own page, have who was shown whose link, and when."""

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league import letters
from league.by_link.links_to_send import entries_to_send
from league.ledger.locks import lock_tournament
from league.letters import limits
from league.lib.errors import Conflict, Refused
from league.log.write import note, player_in_log
from league.models import Entry, LogEntry, SignUp, Tournament, User

SHOW, LIST, MAIL = "show-player-link", "list-player-links", "mail-player-link"
AGAIN = timedelta(minutes=10)  # a page that is loaded again within this time is not noted again


@transaction.atomic
def show_player_link(*, entry: Entry, by: User) -> None:
    """Log that somebody was shown a player's own link, unless there is a row from the last minutes.

    Call it before the link is sent. After a link was ended, the next one counts as another.
    """
    entry = _lock_entry(entry)
    _note_once(entry.tournament, by, SHOW, _link(entry))


@transaction.atomic
def list_player_links(*, tournament: Tournament, by: User) -> None:
    """Like `show_player_link`, for a list of everybody's links in a tournament: one row names them all."""
    tournament = lock_tournament(tournament.pk)
    entries = tournament.entries.select_related("player")
    _note_once(tournament, by, LIST, [_link(entry) for entry in entries])


def _note_once(tournament: Tournament, by: User, action: str, new: object) -> None:
    rows = LogEntry.objects.filter(tournament=tournament, by=by, action=action, at__gt=timezone.now() - AGAIN)
    if not any(row.new == new for row in rows):
        note(tournament=tournament, by=by, action=action, new=new)


def _link(entry: Entry) -> dict[str, object]:
    return {**player_in_log(entry), "link": entry.link_generation}


def showings_of(entry: Entry) -> list[LogEntry]:
    """The log's rows about showing or mailing a player's own link, the latest first."""
    of_player = Q(action__in=(SHOW, MAIL), new__player_id=entry.public_id)
    rows = LogEntry.objects.select_related("by").filter(of_player | Q(action=LIST), tournament=entry.tournament_id)
    return [row for row in rows if row.action != LIST or entry.public_id in _players_listed(row)]


def _players_listed(row: LogEntry) -> Collection[str]:
    """The ids of the players in a row about a list."""
    return {link.get("player_id", "") for link in row.new or ()}


@transaction.atomic
def mail_player_link(*, entry: Entry, site: str, by: User | None) -> None:
    """Write a letter with the link. site: https://league.example.org. Raises `Refused` if no mail may go there."""
    entry = _lock_entry(entry)
    if not entry.player.email:
        raise Refused("no-address", _("There is no address to write to. Let them scan the code."))
    limits.check_sender(by)
    if letters.write(kind="own-link", entry=entry, site=site) is None:
        raise Refused("not-verified", _("The owner of this event must verify their e-mail address first."))
    limits.count_sender(by)
    note(tournament=entry.tournament, by=by, action=MAIL, new=_link(entry))


@transaction.atomic
def mail_player_links(*, tournament: Tournament, site: str, by: User | None) -> int:
    """Like `mail_player_link`, to everyone who has an address. Return how many. Raises `Refused` if no mail may go."""
    tournament = lock_tournament(tournament.pk)
    if tournament.is_called_off:
        raise Conflict("called-off", _("This event is cancelled, so there is nothing to send."))
    entries = [entry for entry in entries_to_send(tournament) if entry.player.email]
    if not entries:
        raise Refused("no-address", _("No one has an address to write to. Copy the links, or let them scan the code."))
    limits.check_sender(by, mails=len(entries))
    written = [entry for entry in entries if letters.write(kind="own-link", entry=entry, site=site) is not None]
    if not written:
        raise Refused("not-verified", _("The owner of this event must verify their e-mail address first."))
    limits.count_sender(by, mails=len(written))
    for entry in written:
        note(tournament=tournament, by=by, action=MAIL, new=_link(entry))
    return len(written)


@transaction.atomic
def end_player_link(*, entry: Entry, by: User | None) -> None:
    """End the player's own link: it opens nothing from now on, even on phones that have used it; the next one is valid.

    The link of their sign-up ends too, since its page would show the next one.
    """
    entry = _lock_entry(entry)
    Entry.objects.filter(pk=entry.pk).update(link_generation=F("link_generation") + 1)
    SignUp.objects.filter(entry=entry).update(link_generation=F("link_generation") + 1)
    note(tournament=entry.tournament, by=by, action="end-player-link", old=player_in_log(entry))


def _lock_entry(entry: Entry) -> Entry:
    """The entry as it is now, with its tournament locked, as it is when a player is taken off the list."""
    tournament = lock_tournament(entry.tournament_id)
    current = tournament.entries.select_related("tournament", "player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    return current
