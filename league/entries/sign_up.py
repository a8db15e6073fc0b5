"""Sign-up: its page, places, the waiting list and withdrawals.

Every change locks the tournament, so two requests for the last place run one after the other. A free place goes to the
waiting list in the same transaction. No timer opens or closes sign-up: its state is computed at each request.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import letters
from league.access.viewer import Attribution
from league.entries import places, reminders, unconfirmed
from league.entries.list_order import rename_entry
from league.entries.places import TIMES, Now, state_of
from league.entries.teams import keep_team
from league.erasure.unused import forget_person_of, team_of_sign_up
from league.formats.groups import problem
from league.ledger.locks import lock_tournament
from league.letters import limits
from league.lib.errors import Conflict, Refused
from league.lib.names import name_key
from league.lib.translate import translate
from league.lib.wall_time import in_log
from league.log.write import note
from league.models import Entry, Letter, SignUp, SignUpPage, Tournament, User
from league.rounds.draw import drop_draft

MOST_WAITING = 200
MAIL_AGAIN_AFTER = timedelta(minutes=5)
LIVING = (SignUp.State.PLACED, SignUp.State.WAITING)


@dataclass(frozen=True)
class Line:
    """A tournament's sign-up in one line, before the start."""

    page: SignUpPage
    state: Now
    free: int
    waiting: int

    @property
    def is_open(self) -> bool:
        return self.state == Now.OPEN

    @property
    def words(self) -> str:
        """Return “3 places left” or “Full, 2 waiting”."""
        if self.free:
            return ngettext("%(count)d place left", "%(count)d places left", self.free) % {"count": self.free}
        if self.waiting:
            return ngettext("Full, %(count)d waiting", "Full, %(count)d waiting", self.waiting) % {
                "count": self.waiting
            }
        return _("Full")


def line_of(tournament: Tournament) -> Line | None:
    """Return the line; None without a sign-up page, or after the start."""
    page = places.page_of(tournament) if tournament.state == Tournament.State.PLANNED else None
    if page is None:
        return None
    free, waiting = places.free_places(tournament, page), places.waiting_list(tournament).count()
    return Line(page, state_of(page, has_started=False, now=timezone.now()), free, waiting)


def missing_at_the_door(tournament: Tournament) -> int:
    """Return the number of missing players if check-in is used (has times or arrivals), else 0."""
    absent = tournament.entries.filter(checked_in_at=None).count()
    page = places.page_of(tournament)
    has_times = page is not None and (page.check_in_opens_at or page.check_in_closes_at)
    used = has_times or tournament.entries.exclude(checked_in_at=None).exists()
    return absent if used else 0


@transaction.atomic
def set_sign_up(
    *,
    tournament: Tournament,
    capacity: int,
    by: User | None,
    note_to_players: str = "",
    times: Mapping[str, datetime | None] | None = None,
    reminder: str = "",
    many_at_once: bool | None = None,
) -> SignUpPage:
    """Open or change sign-up: places, times (keys `TIMES`), note and reminder.

    reminder: a key of `reminders.CHOICES` or `NONE`; empty keeps it. many_at_once: don't hold many sign-ups from one
    network, such as a school; None keeps it. New places go to the waiting list at once, unless sign-up is closed.
    """
    tournament = lock_tournament(tournament.pk)
    page = places.page_of(tournament)
    is_new = page is None
    page = page or SignUpPage(tournament=tournament)
    times = dict.fromkeys(TIMES) | dict(times or {})
    _check_capacity(tournament, capacity)
    _check_order(times)
    old = {} if is_new else _log_values(page)
    page.capacity, page.note, page.many_at_once = (
        capacity,
        note_to_players,
        page.many_at_once if many_at_once is None else many_at_once,
    )
    for name in TIMES:
        setattr(page, name, times[name])
    page.save()
    if (new := _log_values(page)) != old:
        note(tournament=tournament, by=by, action="sign-up-page", old=old or None, new=new)
    choice = reminder or reminders.current_choice(tournament)
    reminders.set_reminder(tournament=tournament, choice=choice, by=by, now=timezone.now())
    places.move_up(tournament, by)
    return page


def _check_capacity(tournament: Tournament, capacity: int) -> None:
    stage, sentence = tournament.stage, ""
    if why := problem(stage.plays, stage.settings, capacity, stage.groups):
        sentence = translate(why if stage.groups > 1 else stage.plays.describe_possible())
    elif capacity < (players := tournament.entries.count()):
        sentence = ngettext(
            "%(count)d player is already on the list. Offer at least as many places.",
            "%(count)d players are already on the list. Offer at least as many places.",
            players,
        ) % {"count": players}
    if sentence:
        raise Refused("capacity", sentence, fields={"capacity": [sentence]})


def _check_order(times: Mapping[str, datetime | None]) -> None:
    for first, last in (("opens_at", "closes_at"), ("check_in_opens_at", "check_in_closes_at")):
        begins, ends = times[first], times[last]
        if begins is not None and ends is not None and ends <= begins:
            sentence = _("Closing comes before opening. Choose a later time.")
            raise Refused("order", sentence, fields={last: [sentence]})


def _log_values(page: SignUpPage) -> dict[str, object]:
    zone = page.tournament.time_zone
    moments = {name: getattr(page, name) for name in TIMES}
    many = {"many_at_once": True} if page.many_at_once else {}
    return (
        {"capacity": page.capacity, "note": page.note}
        | many
        | {name: in_log(at, zone) if at else None for name, at in moments.items()}
    )


@transaction.atomic
def close_sign_up(*, tournament: Tournament, closed: bool, by: User | None) -> None:
    """Close sign-up by hand, regardless of its times; or reopen it until it is closed by hand."""
    tournament = lock_tournament(tournament.pk)
    page = places.page_of(tournament)
    if page is None:
        raise Conflict("no-sign-up", _("Sign-up isn’t set up yet. Save the places first."))
    now = timezone.now()
    over = page.closes_at is not None and page.closes_at <= now
    early = page.opens_at is not None and page.opens_at > now
    if page.closed == closed and (closed or not (over or early)):
        return
    page.closed = closed
    if not closed:
        page.closes_at = None if over else page.closes_at
        page.opens_at = None if early else page.opens_at
    page.save(update_fields=["closed", "opens_at", "closes_at"])
    note(tournament=tournament, by=by, action="close-sign-up" if closed else "open-sign-up")
    places.move_up(tournament, by)


@transaction.atomic
def fill_places(*, tournament: Tournament, by: User | None) -> int:
    """Give free places to the waiting list, even while sign-up is closed; return how many."""
    return places.move_up(lock_tournament(tournament.pk), by, by_hand=True)


@transaction.atomic
def sign_up(
    *,
    tournament: Tournament,
    name: str,
    email: str,
    club: str = "",
    members: Sequence[str] = (),
    language: str = "",
    site: str,
    network: str = "",
    is_certain: bool = False,
) -> tuple[SignUp, bool]:
    """Give a player a place or put them on the waiting list; return (sign-up, is new).

    A listed address gets its e-mail again, at most every few minutes, and nothing else changes. email: empty where no
    e-mail is sent; otherwise the address must be confirmed in time (league/entries/unconfirmed.py). members: of a team.
    network: of the browser (`unconfirmed.network_of`); too many sign-ups from one are held. is_certain: the account has
    verified the address. Raises `Conflict` if sign-up is not open, even for listed addresses.
    """
    tournament = lock_tournament(tournament.pk)
    email = email.strip().lower()
    page = _open_page(tournament)
    if places.waiting_list(tournament).count() >= MOST_WAITING:
        raise Conflict("list-full", _("The waiting list is full. Ask the organiser."))
    if email and (known := _sign_up_of_address(tournament, email, language)):
        _write_again(known, site)
        return known, False
    places.move_up(tournament, None)  # earlier sign-ups go first
    held = not is_certain and unconfirmed.are_too_many(page, network)
    newcomer = SignUp.objects.create(
        tournament=tournament,
        name=name,
        email=email,
        club_name=club,
        language=language,
        state=SignUp.State.HELD if held else SignUp.State.WAITING,
        network=network,
        confirmed_at=timezone.now() if is_certain else None,
    )
    if tournament.stage.has_teams:
        keep_team(newcomer, members)
    if held:
        note(tournament=tournament, by=None, action="hold-sign-up", new=places.sign_up_in_log(newcomer))
        return newcomer, True
    if email and not is_certain and limits.mails_go_out(tournament):
        unconfirmed.ask_to_confirm(newcomer)
    placed = places.free_places(tournament, page) > 0
    if placed:
        drop_draft(tournament, None)
        places.seat(newcomer)
    _write(newcomer, site)
    action = "sign-up" if placed else "join-list"
    note(tournament=tournament, by=None, action=action, new=places.sign_up_in_log(newcomer))
    return newcomer, True


def _open_page(tournament: Tournament) -> SignUpPage:
    page = places.page_of(tournament)
    has_started = tournament.has_begun
    state = state_of(page, has_started=has_started, now=timezone.now()) if page else Now.CLOSED
    if page is None or state == Now.CLOSED:
        raise Conflict("closed", _("Sign-up is closed. Ask the organiser if there is a place."))
    if state == Now.STARTED:
        raise Conflict("started", _("The tournament has started. Ask the organiser if there is a place."))
    if state == Now.NOT_YET:
        raise Conflict("not-yet", _("Sign-up isn’t open yet. Come back at the given time."))
    return page


def _sign_up_of_address(tournament: Tournament, email: str, language: str) -> SignUp | None:
    """Return the sign-up with this address; an organiser's entry gets a new one."""
    if known := tournament.sign_ups.filter(email=email, state__in=(*LIVING, SignUp.State.HELD)).first():
        return known
    theirs = Q(player__email__iexact=email) | Q(player__user__email__iexact=email)  # or the account's address
    entered = tournament.entries.filter(theirs, sign_up=None).select_related("player").first()
    if entered is None:
        return None
    return SignUp.objects.create(
        tournament=tournament,
        public_id=entered.public_id,
        name=entered.player.name,
        club_name=entered.player.club_name,
        email=email,
        language=language,
        state=SignUp.State.PLACED,
        entry=entered,
        confirmed_at=timezone.now(),  # the organiser knows this address
    )


def _write_again(sign_up: SignUp, site: str) -> None:
    """Send the own link again for the first e-mail's site, because the request may be a stranger's."""
    if sign_up.state == SignUp.State.HELD:
        return
    latest = Letter.objects.filter(sign_up=sign_up).order_by("-id").first()
    if latest is not None and latest.created_at > timezone.now() - MAIL_AGAIN_AFTER:
        return
    _write(sign_up, "" if latest else site)


def _write(sign_up: SignUp, site: str) -> None:
    """Send the own link, if there is an address."""
    kind = "signed-up" if sign_up.state == SignUp.State.PLACED else "on-the-list"
    letters.write(kind="confirm" if sign_up.must_confirm else kind, sign_up=sign_up, site=site)


@transaction.atomic
def withdraw(*, sign_up: SignUp, by: User | None = None) -> SignUp:
    """Give up a place or leave the waiting list; a repeat does nothing. A free place goes to the waiting list.

    by: the organiser; None: the player, with their own link.
    """
    tournament = lock_tournament(sign_up.tournament_id)
    sign_up = _reload(sign_up)
    if sign_up.state not in LIVING:
        return sign_up
    player = sign_up if by is None else None
    SignUp.objects.filter(pk=sign_up.pk).update(confirm_by=None)
    if sign_up.entry is not None:
        if tournament.has_begun:
            raise Conflict("started", _("The tournament has started. Tell the organiser that you can’t play."))
        if sign_up.entry.adjustments.exists():
            raise Conflict("has-adjustments", _("You already have points. Tell the organiser."))
        drop_draft(tournament, by)
        places.vacate(sign_up.entry, SignUp.State.WITHDRAWN)
        note(
            tournament=tournament,
            by=Attribution(by, sign_up=player),
            action="withdraw",
            old=places.sign_up_in_log(sign_up),
        )
        sign_up = _reload(sign_up)
    else:
        note(
            tournament=tournament,
            by=Attribution(by, sign_up=player),
            action="leave-list",
            old=places.sign_up_in_log(sign_up),
        )
        sign_up.state, sign_up.here_at = SignUp.State.WITHDRAWN, None
        sign_up.save(update_fields=["state", "here_at"])
        SignUp.objects.filter(pk=sign_up.pk).update(person=None)
        forget_person_of(sign_up)
    letters.write(kind="withdrawn", sign_up=sign_up)
    places.move_up(tournament, by)
    return sign_up


@transaction.atomic
def rename_sign_up(*, sign_up: SignUp, name: str, club: str, by: User | None = None) -> None:
    """Correct the name of a sign-up, waiting or with a place."""
    sign_up = _reload(sign_up)
    if sign_up.entry is None:
        # Don't lock earlier: renaming an entry locks all tournaments of the person, in order.
        tournament = lock_tournament(sign_up.tournament_id)
        sign_up = _reload(sign_up)
    if sign_up.state not in LIVING:
        raise Conflict("withdrawn", _("You are no longer on the list. Sign up again to play."))
    player = sign_up if by is None else None
    if sign_up.entry is not None:
        rename_entry(entry=sign_up.entry, name=name, club=club, by=by, player=player)
    elif (sign_up.name, sign_up.club_name) != (name, club):
        old = {"name": sign_up.name, "club": sign_up.club_name}
        here = {"player_id": sign_up.public_id}
        new = {"name": name, "club": club}
        sign_up.name, sign_up.club_name = name, club
        sign_up.save(update_fields=["name", "club_name"])
        if team := team_of_sign_up(sign_up):
            team.name, team.club_name = name, club
            team.save(update_fields=["name", "club_name"])
        note(
            tournament=tournament,
            by=Attribution(by, sign_up=player),
            action="rename-player",
            old=here | old,
            new=here | new,
        )


def _reload(sign_up: SignUp) -> SignUp:
    """Return the sign-up read again under the lock. Raises `Conflict` if it was erased."""
    current = SignUp.objects.select_related("tournament", "entry__player").filter(pk=sign_up.pk).first()
    if current is None:
        raise Conflict("gone", _("This sign-up is no longer on the list."))
    return current


# --- The same name twice may be one person on two devices, so the organiser decides.


@dataclass(frozen=True)
class SameName:
    """A sign-up, with the name and club of the earlier one of the same name."""

    second: SignUp
    name: str
    club: str


def same_names(tournament: Tournament) -> list[SameName]:
    """Return the later sign-ups of each name, oldest first."""
    entered = tournament.entries.filter(sign_up=None).exclude(status=Entry.Status.STANDIN)
    first = {name_key(entry.player.name): entry.player for entry in entered.select_related("player").order_by("-pk")}
    found = []
    before: dict[str, tuple[str, str]] = {key: (person.name, person.club_name) for key, person in first.items()}
    for sign_up in tournament.sign_ups.filter(state__in=LIVING).order_by("pk"):
        key = name_key(sign_up.name)
        if key in before and not sign_up.is_of_organiser:
            found.append(SameName(sign_up, *before[key]))
        before.setdefault(key, (sign_up.name, sign_up.club_name))
    return found


def remove_second(*, tournament: Tournament, public_id: str, by: User | None) -> SignUp:
    """Remove the later of two sign-ups of one name. Raises `Conflict` if it no longer is one."""
    for same in same_names(tournament):
        if same.second.public_id == public_id:
            return withdraw(sign_up=same.second, by=by)
    raise Conflict("gone", _("This sign-up is gone or has another name."))
