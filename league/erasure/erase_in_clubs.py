"""Erase a person from clubs: merged records, logs, team names.

Hands and the record stay, without a name: it keeps its place in a season, and other places don't change.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from league.ledger.locks import lock_club
from league.models import Club, ClubInvitation, ClubLogEntry, Merge, Player, Tournament

Clean = Callable[[Any], Any]


def lock_clubs_of(player: Player, tournaments: Iterable[Tournament]) -> list[Club]:
    """Lock and return the clubs that may name a person: of the player, teams, tournaments, seasons and logs."""
    keys = {tournament.club_id for tournament in tournaments} | {player.club_id}
    keys |= {*player.teams.values_list("team__club", flat=True)}
    keys |= {*player.divisions.values_list("season__club", flat=True)}
    keys |= {*Merge.objects.filter(kept=player).values_list("gone__club", flat=True)}
    texts = ClubLogEntry.objects.annotate(before=Cast("old", TextField()), after=Cast("new", TextField()))
    for record in records_of(player, locked=False):  # people are locked after the clubs
        rows = texts.filter(Q(before__contains=record.public_id) | Q(after__contains=record.public_id))
        keys |= {*rows.values_list("club", flat=True)}
    return [lock_club(key) for key in sorted(key for key in keys if key is not None)]


def records_of(player: Player, *, locked: bool = True) -> list[Player]:
    """Return the record and all records merged into it, directly or not; `locked`: lock the merged ones."""
    people = Player.objects.select_for_update() if locked else Player.objects.all()
    records, newest = [player], [player.pk]
    while merged := list(people.filter(merged_into__in=newest)):
        records += merged
        newest = [record.pk for record in merged]
    return records


def names_in_clubs(clubs: Sequence[Club], ids: frozenset[str]) -> set[str]:
    """Return earlier names of these ids in the clubs, and the addresses they were invited at."""
    names = set()
    for row in ClubLogEntry.objects.filter(club__in=clubs):
        for about in (row.old, row.new):
            if isinstance(about, dict) and about.get("player_id") in ids:
                names |= {str(about[key]) for key in ("name", "player", "email") if about.get(key)}
    return names


def clean_clubs(player: Player, clubs: Sequence[Club], clean: Clean) -> None:
    """Remove the names from the clubs' logs, from notes on other members and from names of the person's teams.

    Ended seasons store no names.
    """
    for row in ClubLogEntry.objects.filter(club__in=clubs):
        content = clean(row.old), clean(row.new), clean(row.reason)[:200]
        if content != (row.old, row.new, row.reason):
            old, new, reason = content
            # Use a query: the model forbids changing a row.
            ClubLogEntry.objects.filter(pk=row.pk).update(old=old, new=new, reason=reason)
    for other in Player.objects.filter(club__in=clubs).exclude(notes=""):
        if (notes := clean(other.notes)) != other.notes:
            Player.objects.filter(pk=other.pk).update(notes=notes)
    for team in Player.objects.filter(team__members__player=player):
        if (name := clean(team.name)) != team.name:
            Player.objects.filter(pk=team.pk).update(name=name[:80])


def anonymise(player: Player, new_name: str) -> None:
    """Remove a person's identity and access; results stay under another name."""
    now = timezone.now()
    player.name, player.club_name, player.email, player.notes = new_name, "", "", ""
    player.birth_month = player.birth_day = player.user = None
    player.profile_is_public = player.is_rated = player.short_name = False
    player.erased_at = now
    player.save()
    invitations = ClubInvitation.objects.filter(player=player)
    invitations.filter(revoked_at=None, used_at=None).update(revoked_at=now)
    invitations.filter(~Q(email="")).update(email="")
