"""Teams and their members. A team is entered as a player (`Team.player`), with one name and one link."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from league.entries.persons import NewPlayer, persons_of
from league.entries.roster.rows import RosterRow
from league.entries.roster.teams import FEWEST_MEMBERS, MOST_MEMBERS
from league.lib.errors import Refused
from league.models import Player, SignUp, Team, TeamMember, Tournament


def new_teams(tournament: Tournament, rows: Sequence[NewPlayer], *, guests: bool = False) -> list[Player]:
    """Return the players to enter for the teams of a roster, in order. A team of the club is matched by name.

    The members are those of the row: the captain first, the third and later as substitutes. Other members of the club's
    team stay as substitutes. guests: past guests may match. Raises `Refused` for a wrong size, for a person in two
    teams, and for changed members of a team that plays elsewhere.
    """
    _check_teams(tournament, rows)
    people = iter(persons_of(tournament, [person for row in rows for person in row.members], guests=guests))
    members = [[next(people) for _person in row.members] for row in rows]
    teams = [_team(tournament, row) for row in rows]
    for team, players in zip(teams, members, strict=True):
        if _members_of(team)[: len(players)] != players:
            _check_nowhere_else(team)
            set_members(team, players)
    entered = [team.player for team in teams]
    check_again(tournament, entered)  # with their earlier members
    return entered


def check_again(tournament: Tournament, teams: Sequence[Player]) -> None:
    """Raise `Refused` for a team of the wrong size, or with a member who plays for another."""
    taken = {member.player_id: str(member.team) for member in team_members(tournament)}
    for team in teams:
        members = _living_members(team)
        if not FEWEST_MEMBERS <= len(members) <= MOST_MEMBERS:
            raise wrong_size(team.name, len(members))
        for member in members:
            if other := taken.get(member.player_id):
                raise plays_already(member.player.name, other)
            taken[member.player_id] = team.name


def _living_members(team: Player) -> list[TeamMember]:
    """Return the members who were not erased."""
    return list(TeamMember.objects.filter(team__player=team, player__erased_at=None).select_related("player"))


def can_be_entered(person: Player) -> bool:
    """Return whether a person, or enough members of a team, were not erased."""
    if person.erased_at is not None:
        return False
    return not is_team(person) or len(_living_members(person)) >= FEWEST_MEMBERS


def team_of(tournament: Tournament, name: str, club: str, members: Sequence[str]) -> Player:
    """Return the player to enter for a team with these members. Raises `Refused`."""
    people = tuple(RosterRow(0, person, team=name) for person in members)
    try:
        [team] = new_teams(tournament, [RosterRow(0, name, club, members=people)])
    except Refused as refusal:
        raise refusal_at("members", str(refusal)) from refusal
    return team


def keep_team(sign_up: SignUp, members: Sequence[str]) -> Player:
    """Create the team of a sign-up with new people, because anyone can type a name. Raises `Refused`."""
    people = tuple(RosterRow(0, person, team=sign_up.name) for person in members)
    try:
        _check_teams(sign_up.tournament, [RosterRow(0, sign_up.name, members=people)])
    except Refused as refusal:
        raise refusal_at("members", str(refusal)) from refusal
    fresh = {"name": sign_up.name, "club_name": sign_up.club_name, "email": sign_up.email}
    player = Player.objects.create(public_id=sign_up.public_id, **fresh)
    team = Team.objects.create(player=player, club=sign_up.tournament.club)
    set_members(team, Player.objects.bulk_create(Player(name=name) for name in members))
    return player


def is_team(person: Player) -> bool:
    return hasattr(person, "team")


def _check_teams(tournament: Tournament, rows: Iterable[NewPlayer]) -> None:
    taken = {member.player.name.casefold(): str(member.team) for member in team_members(tournament)}
    for row in rows:
        names = [person.name.casefold() for person in row.members]
        if len(set(names)) < len(names):
            raise refusal_at("players", _("A player is in “%(name)s” twice.") % {"name": row.name})
        if not FEWEST_MEMBERS <= len(row.members) <= MOST_MEMBERS:
            raise wrong_size(row.name, len(row.members))
        for person in row.members:
            if team := taken.get(person.name.casefold()):
                raise plays_already(person.name, team)


def _members_of(team: Team) -> list[Player]:
    return [member.player for member in team.members.select_related("player").order_by("number", "id")]


def _check_nowhere_else(team: Team) -> None:
    """Raise `Refused` if the team plays in an unfinished tournament.

    Its members are changed there, so that its log gets a row.
    """
    if team.player.entries.exclude(tournament__state=Tournament.State.CLOSED).exists():
        sentence = _(
            "“%(name)s” plays another tournament with other members. Rename this team, or change the members there."
        )
        raise refusal_at("players", sentence % {"name": team.player.name})


def wrong_size(name: str, count: int) -> Refused:
    """Return the refusal for a team with too few or too many members."""
    sentence = _("A team has %(fewest)d to %(most)d players. “%(name)s” has %(count)d.")
    about = {"fewest": FEWEST_MEMBERS, "most": MOST_MEMBERS, "name": name, "count": count}
    return refusal_at("players", sentence % about)


def plays_already(name: str, team: str) -> Refused:
    sentence = _("“%(name)s” already plays for “%(team)s”. If these are two people, add an initial.")
    return refusal_at("players", sentence % {"name": name, "team": team})


def refusal_at(field: str, sentence: str) -> Refused:
    return Refused(field, sentence, fields={field: [sentence]})


def team_members(tournament: Tournament) -> Iterable[TeamMember]:
    """Return the members of all entered teams."""
    return TeamMember.objects.filter(team__player__entries__tournament=tournament).select_related(
        "player", "team__player"
    )


def _team(tournament: Tournament, row: NewPlayer) -> Team:
    """Return the club's team of this name if it is not entered yet, else a new one."""
    if tournament.club_id is not None:
        theirs = Team.objects.filter(club=tournament.club_id, player__name__iexact=row.name, player__erased_at=None)
        team = theirs.exclude(player__entries__tournament=tournament).select_related("player").order_by("pk").first()
        if team is not None:
            return team
    player = Player.objects.create(name=row.name, club_name=row.club, email=row.email)
    return Team.objects.create(player=player, club=tournament.club)


def set_members(team: Team, players: Sequence[Player]) -> None:
    """Set the team's first members, in this order; other members follow as substitutes."""
    keys = [player.pk for player in players]
    rest = [member for member in team.members.order_by("number", "id") if member.player_id not in keys]
    known = {member.player_id: member for member in team.members.all()}
    for number, player in enumerate(players, 1):
        member = known.get(player.pk) or TeamMember(team=team, player=player)
        member.number, member.is_substitute = number, number > FEWEST_MEMBERS
        member.save()
    for number, member in enumerate(rest, len(players) + 1):
        member.number, member.is_substitute = number, True
        member.save()
