"""What a club keeps of a person who is erased: records merged into one, its log, names of teams.

The hands stay where they are, and so does the record, without a name: whoever has an anonymous place in a season keeps
it, and nobody else's changes.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import Q
from django.utils import timezone

from league.ledger.locks import lock_club
from league.models import Club, ClubInvitation, ClubLogEntry, Merge, Player, Tournament

Clean = Callable[[Any], Any]


def lock_clubs_of(player: Player, tournaments: Iterable[Tournament]) -> list[Club]:
    """The clubs that may name somebody, locked: theirs, that of a team, of evenings that they played, of seasons."""
    keys = {one.club_id for one in tournaments} | {player.club_id}
    keys |= {*player.teams.values_list("team__club", flat=True)}
    keys |= {*player.divisions.values_list("season__club", flat=True)}
    keys |= {*Merge.objects.filter(kept=player).values_list("gone__club", flat=True)}
    return [lock_club(key) for key in sorted(key for key in keys if key is not None)]


def records_of(player: Player) -> list[Player]:
    """The record and all that were merged into it, or into one of those."""
    found, newest = [player], [player.pk]
    while merged := list(Player.objects.select_for_update().filter(merged_into__in=newest)):
        found += merged
        newest = [one.pk for one in merged]
    return found


def names_in_clubs(clubs: Sequence[Club], ids: frozenset[str]) -> set[str]:
    """What whoever has these ids was called in the clubs before, and the addresses to which they were invited."""
    names = set()
    for row in ClubLogEntry.objects.filter(club__in=clubs):
        for about in (row.old, row.new):
            if isinstance(about, dict) and about.get("player_id") in ids:
                names |= {str(about[key]) for key in ("name", "player", "email") if about.get(key)}
    return names


def clean_clubs(player: Player, clubs: Sequence[Club], clean: Clean) -> None:
    """Take the names out of the clubs' logs, and of the teams that they belong to; ended seasons keep none."""
    for row in ClubLogEntry.objects.filter(club__in=clubs):
        content = clean(row.old), clean(row.new), clean(row.reason)[:200]
        if content != (row.old, row.new, row.reason):
            old, new, reason = content
            # Past the model, which does not let a row be changed.
            ClubLogEntry.objects.filter(pk=row.pk).update(old=old, new=new, reason=reason)
    for team in Player.objects.filter(team__members__player=player):
        if (name := clean(team.name)) != team.name:
            Player.objects.filter(pk=team.pk).update(name=name[:80])


def anonymise(player: Player, instead: str) -> None:
    """Who they were goes, and what let them in; what they played stays under another name."""
    now = timezone.now()
    player.name, player.club_name, player.email = instead, "", ""
    player.birth_month = player.birth_day = player.user = None
    player.profile_is_public = player.is_rated = player.short_name = False
    player.erased_at = now
    player.save()
    invitations = ClubInvitation.objects.filter(player=player)
    invitations.filter(revoked_at=None, used_at=None).update(revoked_at=now)
    invitations.filter(~Q(email="")).update(email="")
