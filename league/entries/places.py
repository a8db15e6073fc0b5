"""Places in a tournament and the waiting list. The caller holds the tournament's lock in a transaction.

A place is an entry. A sign-up has one public id from the waiting list to the seat, so that log, own link and a returned
place mean the same person.
"""

from datetime import date, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from django.db.models import Max, QuerySet
from django.db.models.deletion import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from league import hooks, letters
from league.entries.persons import person_of_sign_up
from league.entries.teams import is_team
from league.erasure.unused import forget_if_unused, team_of_sign_up
from league.ledger.same_names import tell_apart
from league.lib.errors import Refused
from league.lib.wall_time import moment_of, moments
from league.log.write import note
from league.models import Entry, LogEntry, Player, SignUp, SignUpPage, Tournament, User
from league.rounds.draw import drop_draft


class Now(StrEnum):
    """The current state of a sign-up page."""

    NOT_YET = "not-yet"
    OPEN = "open"
    CLOSED = "closed"
    STARTED = "started"


TIMES = ("opens_at", "closes_at", "check_in_opens_at", "check_in_closes_at")  # of a SignUpPage


def page_of(tournament: Tournament) -> SignUpPage | None:
    """Return the sign-up page read from the database, or None."""
    return SignUpPage.objects.select_related("tournament").filter(tournament=tournament).first()


def state_of(page: SignUpPage, *, has_started: bool, now: datetime) -> Now:
    if has_started:
        return Now.STARTED
    if page.closed or page.tournament.is_called_off or (page.closes_at is not None and page.closes_at <= now):
        return Now.CLOSED
    if page.opens_at is not None and page.opens_at > now:
        return Now.NOT_YET
    return Now.OPEN


def keep_wall_times(*, tournament: Tournament, old_zone: ZoneInfo, old_day: date, now: datetime) -> None:
    """Keep wall times after a change of zone or day: 18:30 stays 18:30, moved by as many days as the tournament.

    The opening of sign-up keeps its day. The caller holds the lock. Raises `Refused` if a time does not exist in the
    new zone, exists twice, or has passed.
    """
    page = page_of(tournament)
    if page is None:
        return
    for name in TIMES:
        before: datetime | None = getattr(page, name)
        if before is None or before <= now:
            continue
        here = before.astimezone(old_zone)
        wall = here.replace(tzinfo=None, fold=0)
        fold = here.fold if len(moments(wall, old_zone)) == 2 else None
        later = timedelta() if name == "opens_at" else tournament.starts_on - old_day
        try:
            setattr(page, name, moment_of(wall + later, tournament.zone, now, fold))
        except Refused as refused:
            sentence = _("A sign-up or check-in time is affected. %(why)s You can also change that time first.") % {
                "why": refused
            }
            field = "time_zone" if tournament.starts_on == old_day else "starts_on"
            raise Refused(refused.code, sentence, fields={field: [sentence]}) from refused
    page.save(update_fields=TIMES)


def waiting_list(tournament: Tournament) -> QuerySet[SignUp]:
    """Return the waiting sign-ups, oldest first."""
    return tournament.sign_ups.filter(state=SignUp.State.WAITING).order_by("id")


def may_move_up(tournament: Tournament) -> QuerySet[SignUp]:
    """Return the waiting sign-ups that need no more confirmation."""
    return waiting_list(tournament).filter(confirm_by=None)


def next_in_line(tournament: Tournament) -> SignUp | None:
    """Return the first waiting sign-up in the hall, else the first of all."""
    return min(may_move_up(tournament), key=lambda sign_up: (sign_up.here_at is None, sign_up.pk), default=None)


def free_places(tournament: Tournament, page: SignUpPage) -> int:
    return max(page.capacity - tournament.entries.count(), 0)


def sign_up_in_log(sign_up: SignUp) -> dict[str, str]:
    """Return how the log identifies a person who signed up."""
    return {"player_id": sign_up.public_id, "player": sign_up.name}


def sign_up_of(entry: Entry) -> SignUp:
    """Return the entry's sign-up. An organiser's entry gets a new one without an address."""
    existing = SignUp.objects.select_related("tournament").filter(entry=entry).first()
    return existing or SignUp.objects.create(
        tournament=entry.tournament,
        public_id=entry.public_id,
        name=entry.player.name,
        club_name=entry.player.club_name,
        state=SignUp.State.PLACED,
        entry=entry,
    )


def vouch(sign_ups: QuerySet[SignUp]) -> None:
    """Mark people known to an organiser or helper, so they need not confirm their address."""
    sign_ups.filter(confirmed_at=None).update(confirm_by=None, confirmed_at=timezone.now())


def seat(
    sign_up: SignUp, *, number: int | None = None, checked_in_at: datetime | None = None, by: User | None = None
) -> Entry:
    """Give a sign-up a place at the end of the list, or the number of a replaced player.

    by: the organiser who typed the name, for `person_of_sign_up`.
    """
    tournament = sign_up.tournament
    if number is None:
        number = (tournament.entries.aggregate(last=Max("number"))["last"] or 0) + 1
    person = team_of_sign_up(sign_up) or sign_up.person or person_of_sign_up(sign_up, by=by)
    # A returning player gets the same id again, but ended links stay ended.
    ended = LogEntry.objects.filter(tournament=tournament, action="end-player-link")
    entry = Entry.objects.create(
        tournament=tournament,
        player=person,
        public_id=sign_up.public_id,
        link_generation=1 + ended.filter(old__player_id=sign_up.public_id).count(),
        number=number,
        checked_in_at=checked_in_at,
    )
    sign_up.entry, sign_up.person, sign_up.state, sign_up.here_at = entry, None, SignUp.State.PLACED, None
    sign_up.save(update_fields=["entry", "person", "state", "here_at"])
    tell_apart(tournament, entry)
    return entry


def take_off(entry: Entry) -> None:
    """Delete an entry. Raises ProtectedError after hands or penalties, or during a hand."""
    if hooks.games.plays_online(entry):
        raise ProtectedError("A hand is being played.", {entry})
    entry.delete()
    tell_apart(entry.tournament)


def vacate(entry: Entry, state: str) -> SignUp | None:
    """Delete an entry; its sign-up, if any, becomes `state`.

    The person is deleted too, unless another tournament, a club or a returning sign-up needs them. Raises
    ProtectedError like `take_off`.
    """
    sign_up = SignUp.objects.filter(entry=entry).first()
    person = entry.player
    take_off(entry)
    if sign_up is not None:
        sign_up.entry, sign_up.state, sign_up.here_at = None, state, None
        sign_up.person = person if state != SignUp.State.WITHDRAWN else None
        sign_up.save(update_fields=["entry", "person", "state", "here_at"])
        if sign_up.person is not None and is_team(person):
            Player.objects.filter(pk=person.pk).update(public_id=sign_up.public_id)
    forget_if_unused(person)
    return sign_up


def move_up(tournament: Tournament, by: User | None, *, by_hand: bool = False) -> int:
    """Give every free place to the oldest waiting sign-up; return how many.

    Not after a published round or a cancellation. While sign-up is closed, players move up only `by_hand`.
    """
    page = page_of(tournament)
    if page is None or tournament.is_called_off or tournament.has_begun:
        return 0
    if not by_hand and state_of(page, has_started=False, now=timezone.now()) == Now.CLOSED:
        return 0
    lucky = list(may_move_up(tournament)[: free_places(tournament, page)])
    if not lucky:
        return 0
    drop_draft(tournament, by)
    for sign_up in lucky:
        sign_up.tournament = tournament
        seat(sign_up)
        letters.write(kind="moved-up", sign_up=sign_up)
        note(tournament=tournament, by=None, action="move-up", new=sign_up_in_log(sign_up))
    return len(lucky)
