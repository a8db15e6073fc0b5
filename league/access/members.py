"""Members of a club, and the names strangers see."""

from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet

from league.formats.teams import AT_TABLE
from league.models import Club, Entry, Merge, Player, TeamMember, Tournament, User


def members_of(club: Club) -> QuerySet[Player]:
    """Return the members by name, without teams, merged records and erased people."""
    return Player.objects.filter(club=club, merged_into=None, erased_at=None, team=None).order_by("name", "pk")


def public_name(player: Player) -> str:
    """Return the name strangers see: in full, or “Ana N.” if the player chose that."""
    return short(player.name) if player.short_name else player.name


def short(name: str) -> str:
    """Return first name and last initial: “Ana N.” for “Ana Lucía Núñez”; a single name stays."""
    first, *rest = name.split()
    return f"{first} {rest[-1][:1].upper()[:1]}." if rest else first


class Unlisted:
    """Find members of a tournament's club who aren't entered, by name, each once."""

    def __init__(self, tournament: Tournament) -> None:
        self._by_name: dict[str, list[Player]] = {}
        if tournament.club is None:
            return
        for player in members_of(tournament.club).exclude(entries__tournament=tournament):
            self._by_name.setdefault(player.name.casefold(), []).append(player)

    def take(self, name: str) -> Player | None:
        members = self._by_name.get(name.casefold(), [])
        return members.pop() if len(members) == 1 else None


def unlisted_members(tournament: Tournament) -> QuerySet[Player]:
    """Return the members of a tournament's club who aren't entered, by name."""
    if tournament.club is None:
        return Player.objects.none()
    return members_of(tournament.club).exclude(entries__tournament=tournament)


def unlisted_teams(tournament: Tournament) -> QuerySet[Player]:
    """Return the players that stand for the unentered teams of a tournament's club, by name.

    A team needs two members who aren't erased.
    """
    if tournament.club is None:
        return Player.objects.none()
    teams = Player.objects.filter(team__club=tournament.club, erased_at=None)
    living = Count("team__members", filter=Q(team__members__player__erased_at=None))
    teams = teams.annotate(living=living).filter(living__gte=AT_TABLE)
    return teams.exclude(entries__tournament=tournament).order_by("name", "pk")


def member_with_account(club: Club | None, user: User) -> Player | None:
    """Return the member connected with an account."""
    if club is None:
        return None
    return members_of(club).filter(user=user).select_related("user").first()


def member_of_address(tournament: Tournament, *, name: str, email: str) -> Player | None:
    """Return the member with this name and e-mail address: the account's, or the one stored by the club.

    A name alone isn't enough: anyone can type it.
    """
    if tournament.club is None or not email:
        return None
    here = unlisted_members(tournament).select_related("user")
    matches = [
        player for player in here if player.name.casefold() == name.casefold() and email.lower() in _addresses(player)
    ]
    return matches[0] if len(matches) == 1 else None


def _addresses(player: Player) -> Iterable[str]:
    return {player.email.lower(), player.user.email.lower() if player.user else ""} - {""}


LAST_EVENINGS = 12  # tournaments whose guests are offered as members


def guests_of(club: Club, *, to_come: bool = False) -> QuerySet[Player]:
    """Return players without a club in the club's recent tournaments, by name; `to_come`: also planned ones."""
    evenings = Tournament.objects.events().filter(club=club).order_by("-starts_on", "-pk")
    if not to_come:
        evenings = evenings.exclude(state=Tournament.State.PLANNED)
    last = list(evenings.values_list("pk", flat=True)[:LAST_EVENINGS])
    entries = Entry.objects.filter(tournament__in=last, bot="").exclude(status=Entry.Status.STANDIN)
    in_teams = TeamMember.objects.filter(team__player__in=entries.values("player"))
    played = Q(pk__in=entries.values("player")) | Q(pk__in=in_teams.values("player"))
    people = Player.objects.filter(club=None, merged_into=None, erased_at=None, team=None)
    return people.filter(played).order_by("name", "pk")


def came_by_merge(entry: Entry) -> bool:
    """Return whether an organiser gave an entry to its player by merging two records.

    A stranger may have signed up under the name and hold the entry's link, so the link doesn't prove the person.
    """
    sign_up = getattr(entry, "sign_up", None)
    return any(
        entry.pk in moved.get("entries", ()) or (sign_up is not None and sign_up.pk in moved.get("waits", ()))
        for moved in Merge.objects.filter(kept=entry.player_id, undone_at=None).values_list("moved", flat=True)
    )
