"""Delete a tournament without published rounds, with all its data.

Kept: club members, a log row of the owner's account and of the club, and an e-mail to everyone who signed up.
"""

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league import letters
from league.clubs.clubs import want_ratings
from league.erasure.unused import forget_if_unused
from league.ledger.locks import lock_club, lock_tournament
from league.ledger.progress import counts_a_hand
from league.lib.errors import Conflict, Refused
from league.log.write import note_in_club
from league.models import AccountLogEntry, Adjustment, EntryEvent, LogHead, Player, Round, SignUp, Tournament, User


@transaction.atomic
def delete_tournament(*, tournament: Tournament, name: str, by: User) -> None:
    """Delete a tournament permanently. name: its name, typed again as a confirmation.

    Raises `Conflict` if a round was published, and `Refused("name")`.
    """
    tournament = lock_tournament(tournament.pk)
    if why_not := why_it_stays(tournament):
        raise why_not
    if _plain_name(name) != _plain_name(tournament.name):
        sentence = _("Nothing was deleted. Type the exact name: %(name)s.") % {"name": tournament.name}
        raise Refused("name", sentence, fields={"name": [sentence]})
    if tournament.club_id is not None:
        tournament.club = lock_club(tournament.club_id)
    _notify(tournament)
    letters.keep_wishes(tournament)
    _note(tournament, by)
    here = Q(entries__tournament=tournament) | Q(waits_as__tournament=tournament)
    people = list(Player.objects.filter(here).distinct())
    _delete(tournament)
    for person in people:
        forget_if_unused(person)


def why_it_stays(tournament: Tournament) -> Conflict | None:
    """Return why the tournament can't be deleted, with an alternative; None if it can."""
    if tournament.kind == Tournament.Kind.PRACTICE:
        return Conflict("practice", _("Delete a practice tournament on its Now page."))
    if tournament.kind != Tournament.Kind.EVENT:
        return Conflict("casual", _("A casual table closes when everyone has left."))
    if not tournament.rounds.exclude(state=Round.State.DRAFT).exists():
        return None
    if tournament.is_final:
        sentence = _("The standings are final, so it can’t be deleted. You can remove it from ratings and its season.")
    elif counts_a_hand(tournament):
        sentence = _("Hands are recorded, so it can’t be deleted. End it early instead.")
    elif tournament.is_called_off:
        sentence = _("A round was published, so it can’t be deleted. It’s listed as cancelled.")
    else:
        sentence = _("A round was published, so it can’t be deleted. Cancel it instead.")
    return Conflict("published", sentence)


def _plain_name(name: str) -> str:
    """Return a name without differences in spaces and capitals."""
    return " ".join(name.split()).casefold()


def _notify(tournament: Tournament) -> None:
    """E-mail everyone on the list or the waiting list who doesn't know yet that the event is cancelled."""
    listed = tournament.sign_ups.filter(state__in=(SignUp.State.PLACED, SignUp.State.WAITING)).order_by("pk")
    for sign_up in listed.select_related("tournament"):
        if not (tournament.is_called_off and letters.knows_it_is_off(sign_up)):
            letters.write_last(sign_up)


def _note(tournament: Tournament, by: User) -> None:
    """Log the deletion for the owner's account, and for the account that deleted it.

    The tournament's own log is deleted. The row stores the end of that log, to compare it with an earlier backup.
    """
    head = LogHead.objects.filter(tournament=tournament).first()
    about: dict[str, Any] = {"slug": tournament.slug, "tournament": tournament.name}
    more = {
        "public_id": tournament.public_id,
        "starts_on": tournament.starts_on.isoformat(),
        "players": tournament.entries.count(),
        "sign_ups": tournament.sign_ups.filter(state__in=(SignUp.State.PLACED, SignUp.State.WAITING)).count(),
        "log": {"number": head.number, "hash": head.hash} if head else None,
    }
    for user in {tournament.owner, by}:
        AccountLogEntry.objects.create(user=user, by=by, action=AccountLogEntry.DELETE_TOURNAMENT, old=about | more)
    if tournament.club is not None:
        note_in_club(club=tournament.club, by=by, action=AccountLogEntry.DELETE_TOURNAMENT, old=about)
        want_ratings([tournament.club.pk])  # the ratings' version counts log rows, which are fewer now


def _delete(tournament: Tournament) -> None:
    """Delete the rows first that protect others: carried points, entry events, seats."""
    Adjustment.objects.filter(entry__tournament=tournament).delete()
    EntryEvent.objects.filter(entry__tournament=tournament).delete()
    tournament.rounds.all().delete()
    tournament.delete()
