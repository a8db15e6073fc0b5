"""Choose the paper for prints: from the address, else from this browser's session, else from the club."""

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import Http404, HttpRequest
from django.utils.translation import gettext_lazy as _l

from league.access import club_for
from league.access.rights import InClub
from league.ledger.locks import lock_club
from league.lib.errors import Refused
from league.log.write import note_in_club
from league.models import Club, Tournament, User
from league.prints.pdf.sheet import PAPERS, Paper

NAMES = {"a4": _l("A4"), "letter": _l("US Letter")}
SESSION = "paper"


def paper_for(request: HttpRequest, club: Club | None) -> Paper:
    """Return the paper of a print of a club, or of a tournament without one."""
    wanted = [request.GET.get("paper", ""), request.session.get(SESSION, {}).get(_key(club), "")]
    if club is not None:
        wanted.append(club.paper)
    return next(filter(None, map(paper_in, wanted)), "a4")


def keep_in_session(request: HttpRequest, tournament: Tournament, paper: Paper | None) -> None:
    """Save this browser's choice for events of the same club; None removes it."""
    choices = {**request.session.get(SESSION, {}), _key(tournament.club): paper or ""}
    request.session[SESSION] = {key: chosen for key, chosen in choices.items() if chosen}


def _key(club: Club | None) -> str:
    return str(club.pk) if club is not None else ""


def paper_in(text: str) -> Paper | None:
    return next((paper for paper in PAPERS if paper == text), None)


def may_choose_for_club(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Return whether the viewer's choice applies to all prints of the club."""
    if tournament.club is None:
        return False
    try:
        club_for(user, tournament.club.slug, InClub.SETTINGS)
    except Http404:
        return False
    return True


@transaction.atomic
def choose_paper(*, club: Club, paper: Paper, by: User | None) -> None:
    """Store the paper for all prints of a club's events."""
    if paper not in PAPERS:
        raise Refused("paper", str(_l("Choose A4 or US Letter.")))
    club = lock_club(club.pk)
    if club.paper == paper:
        return
    old, club.paper = club.paper, paper
    club.save(update_fields=["paper"])
    note_in_club(club=club, by=by, action="club-settings", old={"paper": old}, new={"paper": paper})
