"""Create, change and delete the teams of a club."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from django.db import transaction
from django.utils.translation import gettext as _

from league.access import ClubAccess
from league.access.members import members_of
from league.clubs.members import add_members
from league.entries.list_order import rename_person
from league.entries.persons import NewPlayer
from league.entries.roster.teams import FEWEST_MEMBERS, MOST_MEMBERS
from league.entries.teams import refusal_at, set_members, wrong_size
from league.erasure.unused import forget_if_unused
from league.ledger.locks import lock_club, lock_tournaments_of
from league.lib.errors import Conflict
from league.lib.names import fold, name_key
from league.log.write import member, note_in_club
from league.models import Club, Player, Team, TeamMember, Tournament, User


class TeamOut(TypedDict):
    team_id: Annotated[str, "Stable across tournaments, like a member_id"]
    name: str
    plays: Annotated[list[str], "Captain first"]
    substitutes: list[str]


def teams_of(club: Club) -> list[Team]:
    """Return the teams by name with their members, without teams whose members are all erased."""
    with_members = TeamMember.objects.filter(player__erased_at=None).values("team")
    teams = Team.objects.filter(club=club, player__erased_at=None, pk__in=with_members).select_related("player")
    return sorted(teams.prefetch_related("members__player"), key=lambda team: fold(team.player.name))


def team_line(access: ClubAccess, team: Team) -> TeamOut:
    """Describe a team for pages and API, by the names the viewer may see; captain first."""
    members = [membership for membership in team.members.all() if membership.player.erased_at is None]
    return {
        "team_id": team.player.public_id,
        "name": team.player.name,
        "plays": [access.name_of(membership.player) for membership in members if not membership.is_substitute],
        "substitutes": [access.name_of(membership.player) for membership in members if membership.is_substitute],
    }


@transaction.atomic
def put_together(*, club: Club, rows: Sequence[NewPlayer], by: User | None) -> list[Team]:
    """Create or change the teams of a list, captains first. Raises `Refused`.

    An existing team gets these players; its other members become substitutes. All players become members of the club.
    """
    club = lock_club(club.pk)
    add_members(club=club, players=[person for row in rows for person in row.members], by=by)
    known = {team.player.name.casefold(): team for team in teams_of(club)}
    teams = []
    for row in rows:
        team = known.get(row.name.casefold())
        if team is None:
            player = Player.objects.create(name=row.name, club_name=row.club, email=row.email)
            team = Team.objects.create(player=player, club=club)
        before = _in_log(team)
        players = _members_called(club, [person.name for person in row.members])
        besides = [membership.player for membership in team.members.all() if membership.player not in players]
        _set_members(team, [*players, *besides])
        _note(team, before, by)
        teams.append(team)
    return teams


@transaction.atomic
def change_club_team(*, team: Team, name: str, members: Sequence[NewPlayer], by: User | None) -> Team:
    """Change a team's name and players, captain first. Unlisted players leave the team. Raises `Refused`.

    All players become members of the club.
    """
    tournaments = lock_tournaments_of(team.player_id)
    team = _lock_team(team)
    assert team.club is not None
    if name.casefold() in {other.player.name.casefold() for other in teams_of(team.club) if other != team}:
        raise refusal_at("name", _("The club already has a team with this name. Choose another name."))
    before = _in_log(team)
    if team.player.name != name:
        about: dict[str, Any] = {"club": team.player.club_name, "by": by, "tournaments": tournaments}
        rename_person(person=team.player, name=name, **about)
    add_members(club=team.club, players=members, by=by)
    _set_members(team, _members_called(team.club, [person.name for person in members]))
    _note(team, before, by)
    return team


@transaction.atomic
def take_apart(*, team: Team, by: User | None) -> None:
    """Remove a team from the club. Its players stay members, its results stay. Raises `Conflict`."""
    lock_tournaments_of(team.player_id)
    team = _lock_team(team)
    _check_plays_nowhere(team)
    assert team.club is not None
    note_in_club(club=team.club, by=by, action="take-apart", old=_in_log(team))
    team.club = None
    team.save(update_fields=["club"])
    forget_if_unused(team.player)


def _lock_team(team: Team) -> Team:
    """Lock the club of a team and return the current team. Raises `Conflict` if it was deleted."""
    if team.club_id is not None:
        lock_club(team.club_id)
    current = Team.objects.select_related("player", "club").filter(pk=team.pk).exclude(club=None).first()
    if current is None:
        raise Conflict("gone", _("This team was deleted."))
    return current


def _members_called(club: Club, names: Sequence[str]) -> list[Player]:
    """Return the members with these names, each once."""
    members = list(members_of(club).order_by("-pk"))
    known = {person.name.casefold(): person for person in members}
    almost = {name_key(person.name): person for person in members}
    return list(dict.fromkeys(known.get(name.casefold()) or almost[name_key(name)] for name in names))


def _set_members(team: Team, players: Sequence[Player]) -> None:
    if [membership.player_id for membership in team.members.order_by("number", "id")] == [
        player.pk for player in players
    ]:
        return
    if not FEWEST_MEMBERS <= len(players) <= MOST_MEMBERS:
        raise wrong_size(team.player.name, len(players))
    _check_plays_nowhere(team)
    team.members.exclude(player__in=players).delete()
    set_members(team, players)


def _check_plays_nowhere(team: Team) -> None:
    """Raise `Conflict` if the team is in an open tournament, which has its own list of players."""
    if team.player.entries.exclude(tournament__state=Tournament.State.CLOSED).exists():
        sentence = _(
            "“%(name)s” plays in an open tournament. Change its players there, or wait until the tournament ends."
        )
        raise Conflict("team-plays", sentence % {"name": team.player.name})


def _in_log(team: Team) -> dict[str, Any]:
    people = [
        member(membership.player) for membership in team.members.select_related("player").order_by("number", "id")
    ]
    return member(team.player) | {"members": people}


def _note(team: Team, before: dict[str, Any], by: User | None) -> None:
    after = _in_log(team)
    if before != after and team.club is not None:
        old = before if before["members"] else None
        note_in_club(club=team.club, by=by, action="put-together", old=old, new=after)
