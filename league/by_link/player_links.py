"""Show, e-mail or replace a player's personal link.

Links are signed, not stored (league/access/signed_links.py), so they need no creation. The log and the player's page
record every showing.
"""

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
from league.models import ClubLogEntry, Entry, LogEntry, SignUp, Tournament, User

SHOW, LIST, MAIL = "show-player-link", "list-player-links", "mail-player-link"
PRINT_CARDS = "print-cards"  # in the club's log
AGAIN = timedelta(minutes=10)  # reloads within this time are not logged again


@transaction.atomic
def show_player_link(*, entry: Entry, by: User) -> None:
    """Log that a user saw a player's link, unless logged within the last minutes.

    Call it before sending the link. A replaced link counts separately.
    """
    entry = _lock_entry(entry)
    _note_once(entry.tournament, by, SHOW, _link(entry))


@transaction.atomic
def list_player_links(*, tournament: Tournament, by: User) -> None:
    """Like `show_player_link`, for all links of a tournament: one row lists them."""
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
    """Return the log rows about showing or e-mailing a player's link, latest first."""
    of_player = Q(action__in=(SHOW, MAIL), new__player_id=entry.public_id)
    rows = LogEntry.objects.select_related("by").filter(of_player | Q(action=LIST), tournament=entry.tournament_id)
    return [row for row in rows if row.action != LIST or entry.public_id in _players_listed(row)]


def card_prints_of(entry: Entry) -> list[ClubLogEntry]:
    """Return the club's log rows about printing the player's current member card, latest first."""
    player, club = entry.player, entry.tournament.club_id
    if not player.card_generation or player.club_id != club:
        return []
    rows = ClubLogEntry.objects.select_related("by").filter(club=club, action=PRINT_CARDS)
    printed = (player.public_id, player.card_generation)
    return [row for row in rows if printed in {(card.get("player_id"), card.get("card")) for card in row.new or ()}]


def _players_listed(row: LogEntry) -> Collection[str]:
    """Return the ids of the players in a row about a list."""
    return {link.get("player_id", "") for link in row.new or ()}


@transaction.atomic
def mail_player_link(*, entry: Entry, site: str, by: User | None) -> None:
    """Queue an e-mail with the link. site: https://league.example.org. Raises `Refused` if no mail may be sent."""
    entry = _lock_entry(entry)
    if not entry.player.email:
        raise Refused("no-address", _("No e-mail address is known. Let them scan the code."))
    limits.check_sender(by)
    if letters.write(kind="own-link", entry=entry, site=site) is None:
        raise Refused("not-verified", _("The owner of this tournament must verify their e-mail address first."))
    limits.count_sender(by)
    note(tournament=entry.tournament, by=by, action=MAIL, new=_link(entry))


@transaction.atomic
def mail_player_links(*, tournament: Tournament, site: str, by: User | None) -> int:
    """E-mail everyone who has an address. Return the number. Raises `Refused` if no mail may be sent."""
    tournament = lock_tournament(tournament.pk)
    if tournament.is_called_off:
        raise Conflict("called-off", _("This tournament is cancelled."))
    entries = [entry for entry in entries_to_send(tournament) if entry.player.email]
    if not entries:
        raise Refused("no-address", _("No e-mail addresses are known. Copy the links, or let them scan the code."))
    limits.check_sender(by, mails=len(entries))
    written = [entry for entry in entries if letters.write(kind="own-link", entry=entry, site=site) is not None]
    if not written:
        raise Refused("not-verified", _("The owner of this tournament must verify their e-mail address first."))
    limits.count_sender(by, mails=len(written))
    for entry in written:
        note(tournament=tournament, by=by, action=MAIL, new=_link(entry))
    return len(written)


@transaction.atomic
def end_player_link(*, entry: Entry, by: User | None) -> None:
    """Replace a player's link: the old one stops working, even on phones that used it.

    Their sign-up link is replaced too, since its page shows the player's link.
    """
    entry = _lock_entry(entry)
    Entry.objects.filter(pk=entry.pk).update(link_generation=F("link_generation") + 1)
    SignUp.objects.filter(entry=entry).update(link_generation=F("link_generation") + 1)
    note(tournament=entry.tournament, by=by, action="end-player-link", old=player_in_log(entry))


def _lock_entry(entry: Entry) -> Entry:
    """Lock the tournament and return the current entry, as removing a player does."""
    tournament = lock_tournament(entry.tournament_id)
    current = tournament.entries.select_related("tournament", "player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    return current
