"""Closing an account in its clubs: its clubs pass on, its roles end, members whom it claimed have no account."""

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.clubs.clubs import hand_over_club, heirs_of
from league.erasure.erase_in_clubs import Clean
from league.ledger.locks import lock_club
from league.lib.errors import Refused
from league.lib.translate import names
from league.models import Club, ClubInvitation, ClubLogEntry, ClubRole, Player, User
from league.roles.club_roles import let_go, take_back_club_role


def clubs_concerned(user: User, addresses: Collection[str]) -> list[Club]:
    """Lock and return the clubs that the account owns, has or had a role in, is a member of or was invited to."""
    here = Q(owner=user) | Q(roles__user=user) | Q(members__user=user) | Q(invitations__email__in=addresses)
    keys = Club.objects.filter(here | Q(log__by=user)).values_list("pk", flat=True)
    return [lock_club(key) for key in sorted(set(keys))]


def pass_clubs_on(owned: Sequence[Club], user: User) -> None:
    """Pass each club on to its first organiser. Raises `Refused("owns")` while one has none."""
    heirs = [(club, next(iter(heirs_of(club)), None)) for club in owned]
    if alone := [club.name for club, heir in heirs if heir is None]:
        sentence = _(
            "Nobody else organises the club %(clubs)s. Invite an organiser there first: it passes to them when you"
            " close your account."
        )
        raise Refused("owns", sentence % {"clubs": names([_("“%(name)s”") % {"name": name} for name in alone])})
    for club, heir in heirs:
        if heir is not None:
            hand_over_club(club=club, role=heir, by=user, stays=False)


def leave_clubs(clubs: Sequence[Club], user: User, addresses: Collection[str], clean: Clean) -> None:
    for role in ClubRole.objects.filter(user=user, revoked_at=None).select_related("club", "user"):
        take_back_club_role(role=role, by=user)
    for player in Player.objects.filter(user=user).select_related("club"):
        let_go(player=player, by=user)
    Player.objects.filter(user=user).update(user=None)
    invited = ClubInvitation.objects.filter(email__in=addresses)
    invited.filter(revoked_at=None, used_at=None).update(revoked_at=timezone.now())
    invited.update(email="")
    clean_rows(ClubLogEntry.objects.filter(club__in=clubs), clean)


def clean_rows(rows: QuerySet[Any], clean: Clean) -> None:
    """Clean rows of a log that is not a tournament's."""
    for row in rows:
        content = clean(row.old), clean(row.new)
        if content != (row.old, row.new):
            # By a queryset, since the model does not let a row be changed.
            rows.filter(pk=row.pk).update(old=content[0], new=content[1])
