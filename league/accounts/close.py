"""Close an account: erase personal data, keep log entries without a name, hand over its clubs."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league import hooks
from league.access.secrets import account_in_log
from league.clubs.clubs import hand_over_club, heirs_of
from league.erasure.erase import Clean, redact_log
from league.erasure.sessions import clean_sessions, forget_forms
from league.ledger.locks import lock_club, lock_tournament
from league.lib.errors import Refused
from league.lib.translate import names
from league.log import chain
from league.log.write import lock_head, note
from league.models import (
    AccountLogEntry,
    ApiAnswer,
    ApiToken,
    Club,
    ClubInvitation,
    ClubLogEntry,
    ClubRole,
    Invitation,
    Player,
    Role,
    Tournament,
    User,
)
from league.roles.claims import let_go
from league.roles.roles import take_back_role

CLOSED = "Closed account"


def heir_of(tournament: Tournament) -> Role | None:
    """Return the role of a tournament's next owner: its first organiser."""
    organisers = Role.objects.filter(tournament=tournament, kind=Role.Kind.ORGANISER, revoked_at=None)
    return organisers.filter(user__is_active=True).select_related("user").order_by("created_at", "pk").first()


@transaction.atomic
def close_account(*, user: User) -> None:
    """Erase name, addresses, keys and roles of an account, also in the log, and disable it.

    Its tournaments and clubs pass to their organisers. Raises `Refused("owns")` while one has none.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    hooks.games.take_practice_away(user)
    addresses = {user.email, *user.emailaddress_set.values_list("email", flat=True)}
    invited = Invitation.objects.filter(email__in=addresses)
    concerned = {*Role.objects.filter(user=user).values_list("tournament_id", flat=True)}
    concerned |= {*user.tournaments.values_list("pk", flat=True), *invited.values_list("tournament_id", flat=True)}
    tournaments = [lock_tournament(pk) for pk in sorted(concerned)]
    clubs = _clubs_concerned(user, addresses)
    _hand_over([tournament for tournament in tournaments if tournament.owner_id == user.pk], user)
    _hand_clubs_over([club for club in clubs if club.owner_id == user.pk], user)
    for role in Role.objects.filter(user=user, revoked_at=None).select_related("tournament", "entry__player"):
        take_back_role(role=role, by=user)
    _forget_invitations(invited)
    clean = _cleaner(user, addresses)
    _leave_clubs(clubs, user, addresses, clean)
    _clean_rows(AccountLogEntry.objects.filter(user=user), clean)
    for tournament in tournaments:
        lock_head(tournament)
        new = {"user_id": user.pk, "user": CLOSED, chain.REDACTED: redact_log(tournament, clean)}
        note(tournament=tournament, by=user, action=chain.ERASE, new=new)
    for keys in (user.emailaddress_set, user.authenticator_set, ApiToken.objects.filter(user=user)):
        keys.all().delete()
    ApiAnswer.objects.filter(user=user).delete()
    clean_sessions(addresses, of=user)
    forget_forms(addresses)
    user.email, user.name, user.is_active = f"closed-{user.pk}@account.invalid", CLOSED, False
    user.set_unusable_password()
    user.save()


def _hand_over(owned: Iterable[Tournament], user: User) -> None:
    events = []
    for tournament in owned:
        if tournament.kind == Tournament.Kind.EVENT:
            events.append(tournament)
        else:  # casual tables need no organiser
            Tournament.objects.filter(pk=tournament.pk).update(owner=guests())
            note(
                tournament=tournament,
                by=user,
                action="hand-over",
                old=account_in_log(user),
                new=account_in_log(guests()),
            )
    heirs = [(tournament, heir_of(tournament)) for tournament in events]
    if alone := [tournament.name for tournament, heir in heirs if heir is None]:
        sentence = _(
            "You’re the only organiser of %(tournaments)s. Invite another organiser first, who will take over."
        )
        raise Refused("owns", sentence % {"tournaments": names([_("“%(name)s”") % {"name": name} for name in alone])})
    for tournament, heir in heirs:
        if heir is not None:
            Role.objects.filter(pk=heir.pk).update(revoked_at=timezone.now())  # an owner needs no role
            Tournament.objects.filter(pk=tournament.pk).update(owner=heir.user)
            old, new = account_in_log(user), account_in_log(heir.user)
            note(tournament=tournament, by=user, action="hand-over", old=old, new=new)


def _hand_clubs_over(owned: Sequence[Club], user: User) -> None:
    """Hand each club to its first organiser. Raises `Refused("owns")` while one has none."""
    heirs = [(club, next(iter(heirs_of(club)), None)) for club in owned]
    if alone := [club.name for club, heir in heirs if heir is None]:
        sentence = _(
            "You’re the only organiser of the club %(clubs)s. Invite another organiser first, who will take over."
        )
        raise Refused("owns", sentence % {"clubs": names([_("“%(name)s”") % {"name": name} for name in alone])})
    for club, heir in heirs:
        if heir is not None:
            hand_over_club(club=club, role=heir, by=user, stays=False)


def _clubs_concerned(user: User, addresses: Collection[str]) -> list[Club]:
    """Lock and return the clubs the account owns, has or had a role in, belongs to or was invited to."""
    here = Q(owner=user) | Q(roles__user=user) | Q(members__user=user) | Q(invitations__email__in=addresses)
    keys = Club.objects.filter(here | Q(log__by=user)).values_list("pk", flat=True)
    return [lock_club(key) for key in sorted(set(keys))]


def _leave_clubs(clubs: Sequence[Club], user: User, addresses: Collection[str], clean: Clean) -> None:
    """Remove the account's club roles, and disconnect it from its members."""
    for role in ClubRole.objects.filter(user=user, revoked_at=None).select_related("club", "user"):
        take_back_role(role=role, by=user)
    for player in Player.objects.filter(user=user).select_related("club"):
        let_go(player=player, by=user)
    Player.objects.filter(user=user).update(user=None)
    _forget_invitations(ClubInvitation.objects.filter(email__in=addresses))
    _clean_rows(ClubLogEntry.objects.filter(club__in=clubs), clean)


def _forget_invitations(invited: QuerySet[Any]) -> None:
    """Revoke the open ones of these invitations, and erase the address of all."""
    invited.filter(revoked_at=None, used_at=None).update(revoked_at=timezone.now())
    invited.update(email="")


def _cleaner(user: User, addresses: Iterable[str]) -> Clean:
    """Return a function that erases the account from a JSON value: name next to its id, addresses anywhere."""
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(address) for address in addresses)})(?!\w)", re.IGNORECASE)

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(CLOSED, value)
        if isinstance(value, list):
            return [clean(item) for item in value]
        if not isinstance(value, dict):
            return value
        cleaned = {key: clean(item) for key, item in value.items()}
        return cleaned | {"user": CLOSED} if value.get("user_id") == user.pk and "user" in value else cleaned

    return clean


def _clean_rows(rows: QuerySet[Any], clean: Clean) -> None:
    """Erase the account from rows of a log that isn't a tournament's."""
    for row in rows:
        content = clean(row.old), clean(row.new)
        if content != (row.old, row.new):
            # Use a queryset: the model forbids changing a row.
            rows.filter(pk=row.pk).update(old=content[0], new=content[1])


# A reserved domain (RFC 6761), so no one has this address.
ADDRESS = "guests@account.invalid"


def guests() -> User:
    """Return the guest account, created on first use."""
    disabled = {"name": "Guests", "is_active": False, "password": make_password(None)}
    return User.objects.get_or_create(email=ADDRESS, defaults=disabled)[0]
