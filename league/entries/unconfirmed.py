"""Unconfirmed sign-ups: anyone can type any name and address.

Where e-mail is sent, the address must be confirmed within `CONFIRM_WITHIN`; a deadline of the tournament then frees the
place. More than `MOST_AT_ONCE` unconfirmed sign-ups from one network within `AT_ONCE` are held: no place and no e-mail
until the organiser accepts them. So one stranger takes only a few places.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from league import letters
from league.access.viewer import Attribution
from league.entries import places
from league.erasure.unused import forget_person_of
from league.ledger.locks import lock_tournament
from league.letters import limits
from league.lib import rate_limits
from league.lib.errors import Conflict
from league.log.write import note
from league.models import Deadline, SignUp, SignUpPage, Tournament, User
from league.rounds.draw import drop_draft

CONFIRM_WITHIN = timedelta(minutes=15)
MOST_AT_ONCE = 10
AT_ONCE = timedelta(minutes=5)
MOST_HELD = 300  # held sign-ups of a tournament
LIVING = (SignUp.State.PLACED, SignUp.State.WAITING)


def network_of(address: str) -> str:
    """Return a digest of an IP address's network; "" without an address."""
    if not (network := rate_limits.network_of(address)):
        return ""
    return salted_hmac("league.entries.unconfirmed", network, algorithm="sha256").hexdigest()[:32]


def are_too_many(page: SignUpPage, network: str) -> bool:
    """Return whether the next sign-up from this network is held.

    Sign-ups for all tournaments count. Raises `Conflict("list-full")` if too many are held already.
    """
    if page.many_at_once or not network:
        return False
    recent = SignUp.objects.filter(network=network, created_at__gt=timezone.now() - AT_ONCE, confirmed_at=None)
    if recent.count() < MOST_AT_ONCE:
        return False
    if page.tournament.sign_ups.filter(state=SignUp.State.HELD).count() >= MOST_HELD:
        raise Conflict("list-full", _("Too many sign-ups are waiting. Ask the organiser for a place."))
    return True


def ask_to_confirm(sign_up: SignUp) -> None:
    """Set the time to confirm a new sign-up. The caller holds the lock and writes the e-mail."""
    sign_up.confirm_by = timezone.now() + CONFIRM_WITHIN
    sign_up.save(update_fields=["confirm_by"])
    _set_deadline(sign_up.tournament)


def _set_deadline(tournament: Tournament) -> None:
    """Set the tournament's deadline to the next confirmation time."""
    next_at = tournament.sign_ups.filter(state__in=LIVING).aggregate(at=Min("confirm_by"))["at"]
    if next_at is not None and not tournament.deadlines.pending().filter(kind=Deadline.Kind.FREE).exists():
        Deadline.objects.create(kind=Deadline.Kind.FREE, tournament=tournament, due_at=next_at)


@transaction.atomic
def confirm(*, sign_up: SignUp) -> SignUp:
    """Record that the owner of the address wants the place; a repeat does nothing.

    Raises `Conflict("lapsed")` if the place is free again.
    """
    tournament = lock_tournament(sign_up.tournament_id)
    sign_up = SignUp.objects.select_related("tournament", "entry__player").get(pk=sign_up.pk)
    if sign_up.lapsed:
        raise Conflict("lapsed", _("The time to confirm is over. Sign up again."))
    if not sign_up.must_confirm:
        return sign_up
    sign_up.confirm_by, sign_up.confirmed_at = None, timezone.now()
    sign_up.save(update_fields=["confirm_by", "confirmed_at"])
    note(
        tournament=tournament,
        by=Attribution(sign_up=sign_up),
        action="confirm-sign-up",
        new=places.sign_up_in_log(sign_up),
    )
    places.move_up(tournament, None)
    return sign_up


def free_unconfirmed(*, tournament: Tournament, now: datetime) -> None:
    """Remove sign-ups whose time to confirm is over. The caller holds the lock.

    After a published round, no one is removed.
    """
    if tournament.has_begun:
        return
    late = tournament.sign_ups.filter(state__in=LIVING, confirm_by__lte=now)
    for sign_up in late.select_related("entry__player").order_by("pk"):
        _take_off(tournament, sign_up, by=None, action="lapse")
    _set_deadline(tournament)
    places.move_up(tournament, None)


@transaction.atomic
def cancel(*, sign_up: SignUp) -> None:
    """Cancel an unconfirmed sign-up on the device that made it; after confirmation nothing happens.

    No e-mail is sent, because the address may be a stranger's.
    """
    tournament = lock_tournament(sign_up.tournament_id)
    current = SignUp.objects.select_related("entry__player").filter(pk=sign_up.pk).first()
    if current is None or not current.must_confirm:
        return
    if tournament.has_begun:
        raise Conflict("started", _("The tournament has started. Tell the organiser that you can’t play."))
    SignUp.objects.filter(pk=current.pk).update(confirm_by=None)
    _take_off(tournament, current, by=None, action="withdraw", player=current)
    places.move_up(tournament, None)


def _take_off(
    tournament: Tournament, sign_up: SignUp, *, by: User | None, action: str, player: SignUp | None = None
) -> None:
    """Remove a listed or held sign-up. No e-mail is sent, because the address may be a stranger's.

    player: the player, if they did it themselves.
    """
    old = places.sign_up_in_log(sign_up)
    if sign_up.entry is not None:
        drop_draft(tournament, by)
        places.vacate(sign_up.entry, SignUp.State.WITHDRAWN)
    else:
        SignUp.objects.filter(pk=sign_up.pk).update(state=SignUp.State.WITHDRAWN, here_at=None, person=None)
        forget_person_of(sign_up)
    note(tournament=tournament, by=Attribution(by, sign_up=player), action=action, old=old)


@dataclass(frozen=True)
class Held:
    """The held sign-ups of one network, and its sign-ups already on the list."""

    network: str
    held: list[SignUp]
    listed: list[SignUp]

    @property
    def count(self) -> int:
        return len(self.held) + len(self.listed)


def held_by_network(tournament: Tournament) -> list[Held]:
    """Return the held sign-ups by network, the earliest first."""
    held: dict[str, list[SignUp]] = defaultdict(list)
    for sign_up in tournament.sign_ups.filter(state=SignUp.State.HELD).order_by("pk"):
        held[sign_up.network].append(sign_up)
    return [Held(network, rows, _listed_with(tournament, network, rows[0])) for network, rows in held.items()]


def _listed_with(tournament: Tournament, network: str, first: SignUp) -> list[SignUp]:
    """Return the network's unconfirmed listed sign-ups, from shortly before its first held one."""
    listed = tournament.sign_ups.filter(state__in=LIVING, network=network, confirmed_at=None)
    return list(listed.filter(created_at__gt=first.created_at - AT_ONCE).select_related("entry__player").order_by("pk"))


@transaction.atomic
def accept_held(*, tournament: Tournament, network: str, by: User | None, site: str) -> int:
    """Put all held sign-ups of a network on the list, in order; return how many.

    They need not confirm their address, because the organiser knows them. site: for the links in their e-mails. Raises
    `Refused` if that exceeds an account's e-mails a day.
    """
    tournament = lock_tournament(tournament.pk)
    page = places.page_of(tournament)
    held = list(tournament.sign_ups.filter(state=SignUp.State.HELD, network=network).order_by("pk"))
    if not held or page is None:
        return 0
    if tournament.has_begun:
        raise Conflict("started", _("The tournament has started. Add late players under Players, Late entry."))
    if limits.mails_go_out(tournament):
        mails = sum(bool(sign_up.email) for sign_up in held)
        limits.check_sender(by, mails=mails)
        limits.count_sender(by, mails=mails)
    drop_draft(tournament, by)
    free = places.free_places(tournament, page)
    for sign_up in held:
        sign_up.tournament = tournament
        sign_up.state, sign_up.confirmed_at = SignUp.State.WAITING, timezone.now()
        sign_up.save(update_fields=["state", "confirmed_at"])
        if free > 0:
            places.seat(sign_up)
            free -= 1
        placed = sign_up.state == SignUp.State.PLACED
        letters.write(kind="signed-up" if placed else "on-the-list", sign_up=sign_up, site=site)
        note(tournament=tournament, by=by, action="accept-sign-up", new=places.sign_up_in_log(sign_up))
    return len(held)


@transaction.atomic
def remove_held(*, tournament: Tournament, network: str, by: User | None) -> int:
    """Remove a network's held sign-ups and those listed with them; return how many."""
    tournament = lock_tournament(tournament.pk)
    group = next((one for one in held_by_network(tournament) if one.network == network), None)
    if group is None:
        return 0
    listed = [] if tournament.has_begun else group.listed
    for sign_up in [*group.held, *listed]:
        _take_off(tournament, sign_up, by=by, action="remove-sign-up")
    places.move_up(tournament, by)
    return len(group.held) + len(listed)
