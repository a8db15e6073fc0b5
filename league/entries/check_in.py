"""Check-in: note who is here, and replace those who are not."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.db.models.deletion import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from league import letters
from league.access.viewer import Attribution
from league.entries import places
from league.entries.list_order import lock_planned
from league.entries.sign_up import close_sign_up
from league.ledger.lineups import check_free, lineups_of
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict
from league.log.write import note, player_in_log
from league.models import Entry, HandScore, LogEntry, Role, Round, Seat, SignUp, StageEntry, Table, Tournament, User
from league.rounds.draw import draw, drop_draft

CHECKED_IN, CHECKED_OUT = "check-in", "undo-check-in"


@transaction.atomic
def check_in(*, entry: Entry, by: User | None = None, player: Entry | None = None, here: bool = True) -> None:
    """Note that somebody is here, or take it back. If it is noted already, nothing happens.

    by: somebody who may check players in, at any time until the standings are final. player: the player, who may do it
    while check-in is open and cannot take it back.
    """
    tournament, entry = _lock_entry(entry)
    if player is not None:
        page = places.page_of(tournament)
        if not here or page is None or not page.check_in_is_open:
            raise Conflict("check-in-closed", _("Check-in is not open now. Tell the organiser that you are here."))
    note_arrival(tournament, entry, here=here, by=Attribution(by, player=player))


def note_arrival(tournament: Tournament, entry: Entry, *, here: bool, by: Attribution) -> LogEntry | None:
    """Note that a player is here or not, and return the row of the log; None if that was noted already.

    The caller holds the tournament's lock.
    """
    if (entry.checked_in_at is not None) == here:
        return None
    entry.checked_in_at = timezone.now() if here else None
    entry.save(update_fields=["checked_in_at"])
    places.vouch(SignUp.objects.filter(entry=entry))
    them = player_in_log(entry)
    action, old, new = (CHECKED_IN, None, them) if here else (CHECKED_OUT, them, None)
    return note(tournament=tournament, by=by, action=action, old=old, new=new)


@transaction.atomic
def wait_here(*, sign_up: SignUp, here: bool, by: User | None) -> None:
    """Note that somebody on the waiting list is in the hall, or has left it. Those in the hall get a place first."""
    tournament = lock_tournament(sign_up.tournament_id)
    sign_up = SignUp.objects.get(pk=sign_up.pk)
    if sign_up.state != SignUp.State.WAITING:
        raise Conflict("not-waiting", _("%(name)s is not on the waiting list any more.") % {"name": sign_up})
    if (sign_up.here_at is not None) == here:
        return
    sign_up.here_at = timezone.now() if here else None
    sign_up.save(update_fields=["here_at"])
    places.vouch(SignUp.objects.filter(pk=sign_up.pk))
    note(
        tournament=tournament,
        by=by,
        action="waits-here" if here else "waits-elsewhere",
        new=places.sign_up_in_log(sign_up),
    )


@transaction.atomic
def replace_no_show(*, entry: Entry, by: User | None, name: str = "", club: str = "") -> SignUp:
    """Give a no-show's number and seats to the first on the waiting list; return the sign-up that has them now.

    With a `name` they go to somebody who walked in and is not on the list. Raises `Conflict` if there are hands or
    points already, and `Conflict("nobody-waits")`.
    """
    tournament, entry = _lock_entry(entry)
    if entry.checked_in_at is not None:
        raise Conflict("is-here", _("%(name)s is here. Take the check-in back first.") % {"name": entry})
    if name and tournament.stage.has_teams:
        sentence = _("Let the team that did not come drop out, and enter the other one as coming late.")
        raise Conflict("team", sentence)
    if name:
        taker = SignUp.objects.create(tournament=tournament, name=name, club_name=club, here_at=timezone.now())
    else:
        next_sign_up = places.next_in_line(tournament)
        if next_sign_up is None:
            raise Conflict("nobody-waits", _("Nobody waits for a place. Type the name of somebody who is here."))
        taker = next_sign_up
    absent = _their_sign_up(tournament, entry)
    accounts = list(entry.roles.filter(revoked_at=None).values_list("user_id", flat=True))  # they go with the entry
    old = places.sign_up_in_log(absent) | {"link": entry.link_generation, "accounts": accounts}
    _swap(entry, taker, SignUp.State.REPLACED, by=by if name else None)
    letters.write(kind="moved-up", sign_up=taker)
    letters.write(kind="replaced", sign_up=absent)
    note(tournament=tournament, by=by, action="replace", old=old, new=places.sign_up_in_log(taker))
    return taker


@transaction.atomic
def put_back(*, sign_up: SignUp, by: User | None) -> Entry:
    """Give a replaced player the place back; the one who has it returns to the waiting list, noted as in the hall.

    Raises `Conflict` if hands were played there, and `Refused` if one of the team plays for another by now.
    """
    tournament = lock_tournament(sign_up.tournament_id)
    sign_up = SignUp.objects.select_related("tournament").get(pk=sign_up.pk)
    old, new = replacement(sign_up)
    taker = tournament.entries.filter(public_id=new.get("player_id")).first()
    if sign_up.state != SignUp.State.REPLACED or taker is None:
        raise Conflict("no-way-back", _("This cannot be undone any more: somebody changed the list since."))
    living = (SignUp.State.PLACED, SignUp.State.WAITING, SignUp.State.HELD)
    if sign_up.email and tournament.sign_ups.filter(email=sign_up.email, state__in=living).exists():
        raise Conflict("signed-up-again", _("%(name)s has signed up again since.") % {"name": sign_up})
    tournament, taker = _lock_entry(taker)
    back = _their_sign_up(tournament, taker)
    entry = _swap(taker, sign_up, SignUp.State.WAITING)
    entry.link_generation = old.get("link", 1)
    entry.save(update_fields=["link_generation"])
    _give_role_back(entry, old.get("accounts", []))
    SignUp.objects.filter(pk=back.pk).update(here_at=timezone.now())
    letters.write(kind="moved-up", sign_up=sign_up)
    letters.write(kind="on-the-list", sign_up=back)
    note(
        tournament=tournament,
        by=by,
        action="put-back",
        old=places.sign_up_in_log(back),
        new=places.sign_up_in_log(sign_up),
    )
    places.move_up(tournament, by)
    return entry


def _give_role_back(entry: Entry, accounts: Collection[int]) -> None:
    """Let these accounts (keys) be the player again, as far as they are there and no other player by now."""
    others = Role.objects.filter(tournament=entry.tournament, kind=Role.Kind.PLAYER, revoked_at=None)
    for user in User.objects.filter(pk__in=accounts, is_active=True).exclude(pk__in=others.values("user")):
        Role.objects.create(tournament=entry.tournament, user=user, kind=Role.Kind.PLAYER, entry=entry)


def missing_at_the_draw(tournament: Tournament) -> list[Entry]:
    """Who is not here and would come off the list; whoever has points beside the hands stays."""
    return list(tournament.entries.filter(checked_in_at=None, adjustments=None).order_by("number", "id"))


@transaction.atomic
def draw_who_is_here(*, tournament: Tournament, missing: Collection[str], by: User | None) -> int:
    """Close sign-up, take whoever is not here off the list, and draw; return how many were taken off.

    Those who wait in the hall get their places first, and nobody else moves up. Whoever has points beside the hands
    stays. missing: the ids of those who were shown as missing. Raises `Conflict` if these are others by now, and
    `Refused` or `Conflict` if those who are left cannot be drawn; then nothing was changed.
    """
    tournament, _stage = lock_planned(tournament)
    absent = missing_at_the_draw(tournament)
    if {entry.public_id for entry in absent} != set(missing):
        sentence = _("Somebody came, left or signed up since you looked. See who is missing now, and press again.")
        raise Conflict("changed", sentence)
    page = places.page_of(tournament)
    if page is not None and not page.closed:
        close_sign_up(tournament=tournament, closed=True, by=by)
    drop_draft(tournament, by)
    taken_off = 0
    for entry in absent:
        next_sign_up = places.next_in_line(tournament)
        if next_sign_up is not None and next_sign_up.here_at is not None:
            replace_no_show(entry=entry, by=by)
            continue
        them = player_in_log(entry)
        signed_up = places.vacate(entry, SignUp.State.WITHDRAWN)
        note(tournament=tournament, by=by, action="remove-player", old=them)
        if signed_up is not None:
            letters.write(kind="withdrawn", sign_up=signed_up)
        taken_off += 1
    draw(tournament=tournament, by=by)
    return taken_off


def replacement(sign_up: SignUp) -> tuple[dict[str, Any], dict[str, Any]]:
    """(the player who was replaced, the one who took the place), as the log has them; empty if nobody did."""
    rows = LogEntry.objects.filter(tournament_id=sign_up.tournament_id, action="replace")
    row = rows.filter(old__player_id=sign_up.public_id).order_by("-number").first()
    return (row.old or {}, row.new or {}) if row else ({}, {})


def _lock_entry(entry: Entry) -> tuple[Tournament, Entry]:
    tournament = lock_tournament(entry.tournament_id)
    if tournament.is_final:
        raise Conflict("final", _("The standings are final; check-in is over."))
    current = tournament.entries.select_related("player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    current.tournament = tournament
    return tournament, current


def _their_sign_up(tournament: Tournament, entry: Entry) -> SignUp:
    """The entry's sign-up. An entry by the organiser gets a new one, without an address: none was given for it."""
    existing = SignUp.objects.select_related("tournament").filter(entry=entry).first()
    return existing or SignUp.objects.create(
        tournament=tournament,
        public_id=entry.public_id,
        name=entry.player.name,
        club_name=entry.player.club_name,
        state=SignUp.State.PLACED,
        entry=entry,
    )


def _swap(entry: Entry, taker: SignUp, state: str, *, by: User | None = None) -> Entry:
    """Give the number and seats of `entry` to `taker`. The entry is deleted; its sign-up becomes `state`."""
    # With the tables locked, a hand that is being recorded right now is seen here, or finds the seating changed.
    tables = list(Table.objects.filter(seats__entry=entry).select_for_update(of=("self",)).order_by("pk"))
    played = Conflict(
        "has-played", _("%(name)s has hands or points already, so the place stays theirs.") % {"name": entry}
    )
    if HandScore.objects.filter(Q(entry=entry) | Q(partner=entry)).exists() or entry.adjustments.exists():
        raise played
    if Seat.objects.filter(entry=entry, round__state=Round.State.CLOSED).exists():
        sentence = _("%(name)s was in a round that is closed, so the place stays theirs.")
        raise Conflict("has-played", sentence % {"name": entry})
    new_entry = places.seat(taker, number=entry.number, checked_in_at=taker.here_at, by=by)
    Seat.objects.filter(entry=entry).update(entry=new_entry)
    StageEntry.objects.filter(entry=entry).update(entry=new_entry)  # the seed in a tree, the group
    usual = lineups_of([new_entry])[new_entry.pk]  # of a team
    seats = Seat.objects.filter(entry=new_entry).exclude(table=None)
    check_free(usual, seats.values_list("round", flat=True), beside=seats.values_list("pk", flat=True))
    for place, player in enumerate(usual):
        seats.filter(member=place).update(substitute=player)
    touched = Table.objects.filter(pk__in=[table.pk for table in tables])
    touched.update(seating_version=F("seating_version") + 1, version=F("version") + 1)
    try:
        places.vacate(entry, state)
    except ProtectedError as error:  # rows that a package above this one has for them, such as a dispute
        raise played from error
    return new_entry
