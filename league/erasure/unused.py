"""Deletes records of people and teams that nothing refers to any more."""

from django.db import transaction
from django.db.models.deletion import ProtectedError

from league.models import Player, SignUp, Team


def team_of_sign_up(sign_up: SignUp) -> Player | None:
    """The team that signed up. With a place or without, its record has the sign-up's own public id."""
    return Player.objects.filter(public_id=sign_up.public_id, team__isnull=False).first()


def forget_person_of(sign_up: SignUp) -> None:
    """Let go whom a sign-up without a place was for; it has been saved or deleted without them."""
    for player in (team_of_sign_up(sign_up), sign_up.person):
        if player is not None:
            forget_if_unused(player)


def forget_if_unused(person: Player) -> None:
    """Delete a person whom no club, tournament, team, division or hand refers to; with a team, its members too."""
    team = Team.objects.filter(player=person).first()
    used = person.club_id is not None or person.entries.exists() or person.teams.exists() or person.divisions.exists()
    used = used or person.waits_as.exists()
    if used or (team is not None and team.club_id is not None):
        return
    members = [team_member.player for team_member in team.members.select_related("player")] if team else []
    try:
        with transaction.atomic():
            person.delete()
    except ProtectedError:  # somebody who substituted somewhere
        return
    for member in members:
        forget_if_unused(member)
