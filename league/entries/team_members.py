"""Change and rename the members of an entered team."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from league.entries.list_order import rename_person
from league.entries.persons import person_called
from league.entries.roster.teams import FEWEST_MEMBERS, MOST_MEMBERS
from league.entries.teams import plays_already, refusal_at, set_members, team_members
from league.erasure.unused import forget_if_unused
from league.ledger.locks import lock_club, lock_tournament, lock_tournaments_of
from league.lib.errors import Conflict
from league.log.write import member, note
from league.models import Entry, Player, Seat, Team, TeamMember, Tournament, User
from league.rounds.draw import drop_draft


class Line(NamedTuple):
    """A member after the change. player: the key of a current member; None for a new one."""

    player: int | None
    name: str


@transaction.atomic
def change_team(*, entry: Entry, name: str, club: str, members: Sequence[Line], by: User | None) -> None:
    """Set a team's name and members, the captain first; current members not listed leave.

    Possible at any time; the first two play in rounds drawn from now on. Raises `Refused`, also for a leaving member
    with hands to come.
    """
    tournament, team = _lock_tournaments(entry, members)
    _rename(team.player, name, club, by)
    current = {row.player_id: row for row in team.members.select_related("player")}
    old = [member(row.player) for row in current.values()]
    _check(tournament, team, members)
    if [line.player for line in members] != list(current):
        drop_draft(tournament, by)
    players = [_player(tournament, line, current, by) for line in members]
    staying = {player.pk for player in players}
    leaving = [row for row in current.values() if row.player_id not in staying]
    for row in leaving:
        if _has_hands_to_come(entry, row.player):
            sentence = _("%(name)s still has hands to play. Change the line-up first.")
            raise refusal_at("members", sentence % {"name": row.player})
        row.delete()
    set_members(team, players)
    for row in leaving:
        forget_if_unused(row.player)
    new = [member(player) for player in players]
    if [record["player_id"] for record in new] != [record["player_id"] for record in old]:
        them = {"player_id": entry.public_id, "player": team.player.name}
        before, after = ({**them, "members": people} for people in (old, new))
        note(tournament=tournament, by=by, action="team-members", old=before, new=after)


def _rename(person: Player, name: str, club: str, by: User | None) -> None:
    if (person.name, person.club_name) != (name, club):
        tournaments = lock_tournaments_of(person.pk)  # already locked, in order
        rename_person(person=person, name=name, club=club, by=by, tournaments=tournaments)


def _lock_tournaments(entry: Entry, members: Sequence[Line]) -> tuple[Tournament, Team]:
    """Lock every tournament of these people, because all logs get a new name; then the club."""
    team = Team.objects.select_related("player").get(player=entry.player_id)
    people = {line.player for line in members if line.player} | {*team.members.values_list("player", flat=True)}
    lock_tournaments_of(entry.player_id, *people)
    tournament = lock_tournament(entry.tournament_id)
    if tournament.club_id is not None:
        lock_club(tournament.club_id)
    if not tournament.entries.filter(pk=entry.pk).exists():
        raise Conflict("gone", _("This player is no longer on the list."))
    return tournament, team


def _check(tournament: Tournament, team: Team, members: Sequence[Line]) -> None:
    if not FEWEST_MEMBERS <= len(members) <= MOST_MEMBERS:
        sentence = _("A team has %(fewest)d to %(most)d players.")
        raise refusal_at("members", sentence % {"fewest": FEWEST_MEMBERS, "most": MOST_MEMBERS})
    names = [line.name.casefold() for line in members]
    for line in members:
        if names.count(line.name.casefold()) > 1:
            raise refusal_at(
                "members", _("“%(name)s” is in this team twice. Remove one of them.") % {"name": line.name}
            )
    for other in team_members(tournament):
        known = {line.name.casefold() for line in members if line.player is None}
        if other.team_id != team.pk and other.player.name.casefold() in known:
            raise plays_already(other.player.name, str(other.team))


def _player(tournament: Tournament, line: Line, current: dict[int, TeamMember], by: User | None) -> Player:
    if line.player not in current:
        return person_called(tournament, line.name, by=by)
    person = current[line.player].player
    _rename(person, line.name, person.club_name, by)
    return person


def _has_hands_to_come(entry: Entry, person: Player) -> bool:
    open_rounds = entry.tournament.rounds.living().filter(closed_at=None)
    return Seat.objects.filter(entry=entry, substitute=person, round__in=open_rounds).exists()
