"""The members of a club: who they are, and how strangers see them called."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from league.models import Club, Entry, Player, TeamMember, Tournament, User


def members_of(club: Club) -> QuerySet[Player]:
    """By name; no teams, nobody who was merged into another, nobody who was erased."""
    return Player.objects.filter(club=club, merged_into=None, erased_at=None, team=None).order_by("name", "pk")


def public_name(player: Player) -> str:
    """As strangers see somebody called: the whole name, or “Ana N.” where they chose that."""
    return short(player.name) if player.short_name else player.name


def short(name: str) -> str:
    """The first name and the initial of the last: “Ana N.” of “Ana Lucía Núñez”; a single name stays as it is."""
    first, *others = name.split()
    return f"{first} {others[-1][:1].upper()[:1]}." if others else first


def named(tournament: Tournament, name: str) -> Player | None:
    """The one member of the tournament's club who is called exactly like this, in any case, and is not on its list.

    None where two are, or nobody, or the tournament is of no club.
    """
    return Unlisted(tournament).take(name)


class Unlisted:
    """The members of a tournament's club who are not on its list, found by name; each is found once."""

    def __init__(self, tournament: Tournament) -> None:
        self._by_name: dict[str, list[Player]] = {}
        if tournament.club is None:
            return
        for player in members_of(tournament.club).exclude(entries__tournament=tournament):
            self._by_name.setdefault(player.name.casefold(), []).append(player)

    def take(self, name: str) -> Player | None:
        found = self._by_name.get(name.casefold(), [])
        return found.pop() if len(found) == 1 else None


def unlisted(tournament: Tournament) -> QuerySet[Player]:
    """The members of a tournament's club who are not on its list, by name."""
    if tournament.club is None:
        return Player.objects.none()
    return members_of(tournament.club).exclude(entries__tournament=tournament)


def unlisted_teams(tournament: Tournament) -> QuerySet[Player]:
    """What is entered for each team of a tournament's club that is not on its list, by name."""
    if tournament.club is None:
        return Player.objects.none()
    teams = Player.objects.filter(team__club=tournament.club, erased_at=None)
    return teams.exclude(entries__tournament=tournament).order_by("name", "pk")


def member_with_account(club: Club | None, user: User) -> Player | None:
    """The member of a club whose record an account has claimed."""
    if club is None:
        return None
    return members_of(club).filter(user=user).select_related("user").first()


def of_address(tournament: Tournament, *, name: str, email: str) -> Player | None:
    """Whoever signs up under a member's name and with that member's address, of the account or as the club has it.

    A name alone is not enough: anybody can type one.
    """
    if tournament.club is None or not email:
        return None
    here = unlisted(tournament).select_related("user")
    theirs = [one for one in here if one.name.casefold() == name.casefold() and email.lower() in _addresses(one)]
    return theirs[0] if len(theirs) == 1 else None


def _addresses(player: Player) -> Iterable[str]:
    return {player.email.lower(), player.user.email.lower() if player.user else ""} - {""}


LAST_EVENINGS = 12  # whose guests are offered as members


def guests_of(club: Club, *, to_come: bool = False) -> QuerySet[Player]:
    """Who played the club's last evenings and is a member of no club, by name; or with `to_come` is on a list."""
    evenings = Tournament.objects.events().filter(club=club).order_by("-starts_on", "-pk")
    if not to_come:
        evenings = evenings.exclude(state=Tournament.State.PLANNED)
    last = list(evenings.values_list("pk", flat=True)[:LAST_EVENINGS])
    entries = Entry.objects.filter(tournament__in=last, bot="").exclude(status=Entry.Status.STANDIN)
    in_teams = TeamMember.objects.filter(team__player__in=entries.values("player"))
    played = Q(pk__in=entries.values("player")) | Q(pk__in=in_teams.values("player"))
    people = Player.objects.filter(club=None, merged_into=None, erased_at=None, team=None)
    return people.filter(played).order_by("name", "pk")
