"""Check-in: note arrivals and replace missing players."""

from collections.abc import Collection
from datetime import datetime
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
    """Note an arrival, or with `here=False` undo that; nothing happens if already noted.

    by: an account with the right to check players in, until the standings are final. player: the player themselves,
    only while check-in is open and without undo.
    """
    tournament, entry = _lock_entry(entry)
    if player is not None:
        page = places.page_of(tournament)
        if not here or page is None or not page.check_in_is_open:
            raise Conflict("check-in-closed", _("Check-in isn’t open now. Tell the organiser that you are here."))
    note_arrival(tournament, entry, here=here, by=Attribution(by, player=player))


def note_arrival(tournament: Tournament, entry: Entry, *, here: bool, by: Attribution) -> LogEntry | None:
    """Note an arrival or absence and return the log row; None if already noted.

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
    """Note that a person on the waiting list is in the hall, or has left. People in the hall go first."""
    tournament = lock_tournament(sign_up.tournament_id)
    sign_up = SignUp.objects.get(pk=sign_up.pk)
    if sign_up.state != SignUp.State.WAITING:
        raise Conflict("not-waiting", _("%(name)s is no longer on the waiting list.") % {"name": sign_up})
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
    """Give a no-show's number and seats to the first on the waiting list; return the new sign-up.

    name: of a walk-in, who gets them instead. Raises `Conflict` after hands or points, and `Conflict("nobody-waits")`.
    """
    tournament, entry = _lock_entry(entry)
    if entry.checked_in_at is not None:
        raise Conflict("is-here", _("%(name)s is here. Undo the check-in first.") % {"name": entry})
    if name and tournament.stage.has_teams:
        sentence = _("Let the missing team leave, and add the other one as a late entry.")
        raise Conflict("team", sentence)
    if name:
        taker = SignUp.objects.create(tournament=tournament, name=name, club_name=club, here_at=timezone.now())
    else:
        next_sign_up = places.next_in_line(tournament)
        if next_sign_up is None:
            raise Conflict("nobody-waits", _("No one is waiting. Type the name of someone who is here."))
        taker = next_sign_up
    absent = places.sign_up_of(entry)
    accounts = list(
        entry.roles.filter(revoked_at=None).values_list("user_id", flat=True)
    )  # the roles are deleted with the entry
    old = places.sign_up_in_log(absent) | {"link": entry.link_generation, "accounts": accounts}
    if entry.paid_at is not None:
        old |= {"paid_at": entry.paid_at.isoformat()}
    _swap(entry, taker, SignUp.State.REPLACED, by=by if name else None)
    letters.write(kind="moved-up", sign_up=taker)
    letters.write(kind="replaced", sign_up=absent)
    note(tournament=tournament, by=by, action="replace", old=old, new=places.sign_up_in_log(taker))
    return taker


@transaction.atomic
def put_back(*, sign_up: SignUp, by: User | None) -> Entry:
    """Give a replaced player the place back; the replacement returns to the waiting list, marked as in the hall.

    Raises `Conflict` after a hand, and `Refused` if a team member plays for another team.
    """
    tournament = lock_tournament(sign_up.tournament_id)
    sign_up = SignUp.objects.select_related("tournament").get(pk=sign_up.pk)
    old, new = replacement(sign_up)
    taker = tournament.entries.filter(public_id=new.get("player_id")).first()
    if sign_up.state != SignUp.State.REPLACED or taker is None:
        raise Conflict("no-way-back", _("The list has changed since, so this can’t be undone."))
    living = (SignUp.State.PLACED, SignUp.State.WAITING, SignUp.State.HELD)
    if sign_up.email and tournament.sign_ups.filter(email=sign_up.email, state__in=living).exists():
        raise Conflict("signed-up-again", _("%(name)s has signed up again.") % {"name": sign_up})
    tournament, taker = _lock_entry(taker)
    back = places.sign_up_of(taker)
    entry = _swap(taker, sign_up, SignUp.State.WAITING)
    entry.link_generation = old.get("link", 1)
    entry.paid_at = datetime.fromisoformat(old["paid_at"]) if "paid_at" in old else None
    entry.save(update_fields=["link_generation", "paid_at"])
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
    """Restore the player role to these accounts (keys), unless they are gone or another player."""
    others = Role.objects.filter(tournament=entry.tournament, kind=Role.Kind.PLAYER, revoked_at=None)
    for user in User.objects.filter(pk__in=accounts, is_active=True).exclude(pk__in=others.values("user")):
        Role.objects.create(tournament=entry.tournament, user=user, kind=Role.Kind.PLAYER, entry=entry)


def missing_at_the_draw(tournament: Tournament) -> list[Entry]:
    """Return the absent entries to remove at the draw; entries with points adjustments stay."""
    return list(tournament.entries.filter(checked_in_at=None, adjustments=None).order_by("number", "id"))


@transaction.atomic
def draw_who_is_here(*, tournament: Tournament, missing: Collection[str], by: User | None) -> int:
    """Close sign-up, remove absent players and draw; return the number removed.

    People waiting in the hall get the places, and no one else moves up. Players with points adjustments stay. missing:
    ids that the page listed as missing. Raises `Conflict` if they have changed. Raises `Refused` or `Conflict` if no
    draw is possible; nothing has changed then.
    """
    tournament, _stage = lock_planned(tournament)
    absent = missing_at_the_draw(tournament)
    if {entry.public_id for entry in absent} != set(missing):
        sentence = _("The list has changed since. Check who is missing, then tap again.")
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
    """Return (replaced player, replacement) from the log; empty without a replacement."""
    rows = LogEntry.objects.filter(tournament_id=sign_up.tournament_id, action="replace")
    row = rows.filter(old__player_id=sign_up.public_id).order_by("-number").first()
    return (row.old or {}, row.new or {}) if row else ({}, {})


def _lock_entry(entry: Entry) -> tuple[Tournament, Entry]:
    tournament = lock_tournament(entry.tournament_id)
    if tournament.is_final:
        raise Conflict("final", _("The standings are final, so check-in is over."))
    current = tournament.entries.select_related("player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    current.tournament = tournament
    return tournament, current


def _swap(entry: Entry, taker: SignUp, state: str, *, by: User | None = None) -> Entry:
    """Give the number and seats of `entry` to `taker`. The entry is deleted; its sign-up becomes `state`."""
    # Lock the tables, so that a hand recorded now is seen here or is refused.
    tables = list(Table.objects.filter(seats__entry=entry).select_for_update(of=("self",)).order_by("pk"))
    played = Conflict(
        "has-played", _("%(name)s already has hands or points, so they keep the place.") % {"name": entry}
    )
    if HandScore.objects.filter(Q(entry=entry) | Q(partner=entry)).exists() or entry.adjustments.exists():
        raise played
    if Seat.objects.filter(entry=entry, round__state=Round.State.CLOSED).exists():
        sentence = _("%(name)s was in a closed round, so they keep the place.")
        raise Conflict("has-played", sentence % {"name": entry})
    new_entry = places.seat(taker, number=entry.number, checked_in_at=taker.here_at, by=by)
    Seat.objects.filter(entry=entry).update(entry=new_entry)
    StageEntry.objects.filter(entry=entry).update(entry=new_entry)  # the seed in a tree, the group
    usual = lineups_of([new_entry])[new_entry.pk]  # of a team
    seats = Seat.objects.filter(entry=new_entry).exclude(table=None)
    check_free(usual, seats.values_list("round", flat=True), except_seats=seats.values_list("pk", flat=True))
    for place, player in enumerate(usual):
        seats.filter(member=place).update(substitute=player)
    touched = Table.objects.filter(pk__in=[table.pk for table in tables])
    touched.update(seating_version=F("seating_version") + 1, version=F("version") + 1)
    try:
        places.vacate(entry, state)
    except ProtectedError as error:  # rows of higher packages, such as a dispute
        raise played from error
    return new_entry
