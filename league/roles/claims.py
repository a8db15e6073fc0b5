"""Connect accounts with members of a club, and disconnect them."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.secrets import account_in_log
from league.ledger.locks import lock_club
from league.lib.errors import Conflict
from league.log.write import member, note_in_club
from league.models import ClubInvitation, Player, User


@transaction.atomic
def claim(*, player: Player, user: User) -> Player:
    """Connect an account with a member, in all tournaments of the club. Repeating it changes nothing.

    The caller has verified the claim, by an invitation or the player's link. Raises `Conflict("taken")` if the member
    has another account or the account another member, and `Conflict("no-member")`.
    """
    if player.club_id is None:
        raise Conflict("no-member", _("%(name)s isn’t a member of the club.") % {"name": player})
    club = lock_club(player.club_id)
    player = Player.objects.get(pk=player.pk)
    if player.club_id != club.pk or player.erased_at is not None or player.merged_into_id is not None:
        raise Conflict("no-member", _("%(name)s isn’t a member of the club.") % {"name": player})
    if player.user_id == user.pk:
        return player
    if player.user_id is not None:
        raise Conflict("taken", _("Another account is already %(name)s. Ask the organiser.") % {"name": player.name})
    if other := Player.objects.filter(club=club, user=user).first():
        raise Conflict("taken", _("You’re already %(name)s here. Ask the organiser.") % {"name": other.name})
    player.user = user
    player.save(update_fields=["user"])
    ClubInvitation.objects.filter(player=player, revoked_at=None, used_at=None).update(revoked_at=timezone.now())
    note_in_club(club=club, by=user, action="claim", new=member(player) | account_in_log(user))
    return player


@transaction.atomic
def let_go(*, player: Player, by: User | None) -> None:
    """Disconnect a member from their account, if any."""
    if player.club_id is None:
        return
    club = lock_club(player.club_id)
    player = Player.objects.select_related("user").get(pk=player.pk)
    if player.user is None:
        return
    old = member(player) | account_in_log(player.user)
    player.user = None
    player.save(update_fields=["user"])
    note_in_club(club=club, by=by, action="let-go", old=old)
