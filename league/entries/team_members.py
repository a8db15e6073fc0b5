"""Who belongs to a team that is entered: named, changed, renamed."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from league.entries.list_order import rename_person
from league.entries.persons import person_called
from league.entries.roster.teams import FEWEST_MEMBERS, MOST_MEMBERS
from league.entries.teams import have, plays_already, refused, team_members
from league.erasure.unused import forget_if_unused
from league.ledger.locks import lock_club, lock_tournament, lock_tournaments_of
from league.lib.errors import Conflict
from league.log.write import member, note
from league.models import Entry, Player, Seat, Team, TeamMember, Tournament, User
from league.rounds.draw import drop_draft


class Line(NamedTuple):
    """A member as they are to be. player: the key of who belongs to the team, None: somebody who joins it."""

    player: int | None
    name: str


@transaction.atomic
def change_team(*, entry: Entry, name: str, club: str, members: Sequence[Line], by: User | None) -> None:
    """A team's name, and who belongs to it, the captain first; who is not among them any more leaves.

    Allowed at any time; the first two play in rounds that are drawn from now on. Raises `Refused`, also for who leaves
    with hands to come.
    """
    tournament, team = _locked(entry, members)
    _rename(team.player, name, club, by)
    there = {one.player_id: one for one in team.members.select_related("player")}
    old = [member(one.player) for one in there.values()]
    _check(tournament, team, members)
    if [line.player for line in members] != list(there):
        drop_draft(tournament, by)
    players = [_player(tournament, line, there, by) for line in members]
    staying = {player.pk for player in players}
    leaving = [one for one in there.values() if one.player_id not in staying]
    for one in leaving:
        if _has_hands_to_come(entry, one.player):
            sentence = _("%(name)s has hands to come. Let somebody else play for the team first.")
            raise refused("members", sentence % {"name": one.player})
        one.delete()
    have(team, players)
    for one in leaving:
        forget_if_unused(one.player)
    new = [member(player) for player in players]
    if [one["player_id"] for one in new] != [one["player_id"] for one in old]:
        them = {"player_id": entry.public_id, "player": team.player.name}
        before, after = ({**them, "members": people} for people in (old, new))
        note(tournament=tournament, by=by, action="team-members", old=before, new=after)


def _rename(person: Player, name: str, club: str, by: User | None) -> None:
    if (person.name, person.club_name) != (name, club):
        whose = lock_tournaments_of(person.pk)  # locked already, in their order
        rename_person(person=person, name=name, club=club, by=by, tournaments=whose)


def _locked(entry: Entry, members: Sequence[Line]) -> tuple[Tournament, Team]:
    """First every tournament where one of these people plays: a new name stands in the log of each; then the club."""
    team = Team.objects.select_related("player").get(player=entry.player_id)
    people = {line.player for line in members if line.player} | {*team.members.values_list("player", flat=True)}
    lock_tournaments_of(entry.player_id, *people)
    tournament = lock_tournament(entry.tournament_id)
    if tournament.club_id is not None:
        lock_club(tournament.club_id)
    if not tournament.entries.filter(pk=entry.pk).exists():
        raise Conflict("gone", _("Somebody has taken this player off the list."))
    return tournament, team


def _check(tournament: Tournament, team: Team, members: Sequence[Line]) -> None:
    if not FEWEST_MEMBERS <= len(members) <= MOST_MEMBERS:
        sentence = _("A team has %(fewest)d to %(most)d players.")
        raise refused("members", sentence % {"fewest": FEWEST_MEMBERS, "most": MOST_MEMBERS})
    names = [line.name.casefold() for line in members]
    for line in members:
        if names.count(line.name.casefold()) > 1:
            raise refused("members", _("“%(name)s” is in this team twice. Take one of them out.") % {"name": line.name})
    for other in team_members(tournament):
        known = {line.name.casefold() for line in members if line.player is None}
        if other.team_id != team.pk and other.player.name.casefold() in known:
            raise plays_already(other.player.name, str(other.team))


def _player(tournament: Tournament, line: Line, there: dict[int, TeamMember], by: User | None) -> Player:
    if line.player not in there:
        return person_called(tournament, line.name)
    person = there[line.player].player
    _rename(person, line.name, person.club_name, by)
    return person


def _has_hands_to_come(entry: Entry, person: Player) -> bool:
    open_rounds = entry.tournament.rounds.living().filter(closed_at=None)
    return Seat.objects.filter(entry=entry, substitute=person, round__in=open_rounds).exists()
