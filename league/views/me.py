"""A player's own page, behind their own link.

Looking at a link changes nothing; a POST puts who it is, and which generation of the link it was, into the visitor's
session. Every later request asks whether that link still holds (league/access.py).
"""

from django.http import HttpRequest

from league.access import HeldPlayer
from league.models import Entry

SESSION = "players"  # [[public id, generation of the link], …], the latest first
MOST_HELD = 12


def players_in(request: HttpRequest) -> list[HeldPlayer]:
    """The players whose own links this visitor has exchanged. league.access asks whether they still hold."""
    held = request.session.get(SESSION, [])
    return [(str(public_id), int(generation)) for public_id, generation in held]


def hold(request: HttpRequest, entry: Entry) -> None:
    """From now on this browser is this player too."""
    others = [list(one) for one in players_in(request) if one[0] != entry.public_id]
    request.session[SESSION] = [[entry.public_id, entry.link_generation], *others][:MOST_HELD]
