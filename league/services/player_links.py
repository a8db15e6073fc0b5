"""A player's own link: sent by mail, ended. It is signed and not stored (league/links.py): there is nothing to make."""

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from league import letters
from league.errors import Conflict, Refused
from league.models import Entry, SignUp, User
from league.services.locks import lock_tournament
from league.services.log import note


@transaction.atomic
def mail_player_link(*, entry: Entry, site: str, by: User | None) -> None:
    """Put a letter with the link on its way. Raises `Refused("no-address")`. `site`: https://league.example.org"""
    entry = _locked(entry)
    if letters.write(kind="own-link", entry=entry, site=site) is None:
        raise Refused("no-address", _("There is no address to write to. Let them scan the code."))
    note(tournament=entry.tournament, by=by, action="mail-player-link", new=about(entry))


@transaction.atomic
def end_player_link(*, entry: Entry, by: User | None) -> None:
    """The player's own link opens nothing from now on, also on phones that have used it; the next one is there.

    So does the link of their sign-up, whose page shows the next one.
    """
    entry = _locked(entry)
    Entry.objects.filter(pk=entry.pk).update(link_generation=F("link_generation") + 1)
    SignUp.objects.filter(entry=entry).update(link_generation=F("link_generation") + 1)
    note(tournament=entry.tournament, by=by, action="end-player-link", old=about(entry))


def _locked(entry: Entry) -> Entry:
    """The entry, its tournament locked: whoever takes a player off the list locks that first, too."""
    tournament = lock_tournament(entry.tournament_id)
    found = tournament.entries.select_related("tournament", "player").filter(pk=entry.pk).first()
    if found is None:
        raise Conflict("gone", _("Somebody has taken this player off the list."))
    return found


def about(entry: Entry) -> dict[str, object]:
    """A player as the log names them."""
    return {"player_id": entry.public_id, "player": entry.player.name}
