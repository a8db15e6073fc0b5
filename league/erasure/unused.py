"""Delete unused records of people and teams."""

from django.db import transaction
from django.db.models.deletion import ProtectedError

from league.models import Player, SignUp, Team


def team_of_sign_up(sign_up: SignUp) -> Player | None:
    """Return the team of a sign-up. Its record has the sign-up's public id, with or without a place."""
    return Player.objects.filter(public_id=sign_up.public_id, team__isnull=False).first()


def forget_person_of(sign_up: SignUp) -> None:
    """Delete the unused person of a sign-up without a place, after it was saved or deleted without them."""
    for player in (team_of_sign_up(sign_up), sign_up.person):
        if player is not None:
            forget_if_unused(player)


def forget_if_unused(person: Player) -> None:
    """Delete a person without club, tournament, team, division or hands; with a team, also its members."""
    team = Team.objects.filter(player=person).first()
    used = person.club_id is not None or person.entries.exists() or person.teams.exists() or person.divisions.exists()
    used = used or person.waits_as.exists()
    if used or (team is not None and team.club_id is not None):
        return
    members = [team_member.player for team_member in team.members.select_related("player")] if team else []
    try:
        with transaction.atomic():
            person.delete()
    except ProtectedError:  # they substituted somewhere
        return
    for member in members:
        forget_if_unused(member)
