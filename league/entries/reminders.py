"""A reminder e-mail before the start, to everyone who signed up.

A deadline of the tournament holds its time. A cancelled deadline means no reminder. The time before the start decides
which of the `CHOICES` it is. The caller holds the tournament's lock.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import letters
from league.access.viewer import Attribution
from league.entries.places import sign_up_in_log
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Deadline, Letter, SignUp, SignUpPage, Tournament, User


class Before(NamedTuple):
    """The time before the start: calendar days, or hours."""

    days: int = 0
    hours: int = 0


NONE = "none"
CHOICES = {"3-hours": Before(hours=3), "1-day": Before(days=1), "2-days": Before(days=2), "7-days": Before(days=7)}
USUAL = "1-day"
NOON = time(12)  # assumed start of a day without a time


def starts_at(tournament: Tournament) -> datetime:
    return _wall_moment(tournament, 0)


class Start(NamedTuple):
    """The start of a tournament. at: None without a time of day."""

    day: date
    at: datetime | None

    def is_before(self, other: "Start") -> bool:
        """Return whether the other start is later; adding a time to the same day does not count."""
        if self.at is None or other.at is None:
            return self.day < other.day
        return self.at < other.at


def start_of(tournament: Tournament) -> Start:
    return Start(tournament.starts_on, starts_at(tournament) if tournament.starts_at else None)


def _wall_moment(tournament: Tournament, days_before: int) -> datetime:
    wall = datetime.combine(tournament.starts_on - timedelta(days=days_before), tournament.starts_at or NOON)
    return wall.replace(tzinfo=tournament.zone).astimezone(UTC)


def goes_out_at(tournament: Tournament, choice: str) -> datetime:
    before = CHOICES[choice]
    return _wall_moment(tournament, before.days) - timedelta(hours=before.hours)


def reminder_of(tournament: Tournament) -> Deadline | None:
    """Return the last reminder: pending, sent or cancelled."""
    return tournament.deadlines.filter(kind=Deadline.Kind.REMIND).order_by("pk").last()


def waiting_reminder(tournament: Tournament) -> Deadline | None:
    last = reminder_of(tournament)
    return last if last is not None and last.state == Deadline.State.PENDING else None


def current_choice(tournament: Tournament) -> str:
    """Return a key of `CHOICES`, or `NONE`. Call it before changing the start."""
    last = reminder_of(tournament)
    if last is None:
        return USUAL
    if last.state == Deadline.State.CANCELLED:
        return NONE
    due_at = last.due_at  # approximate: a failed try postpones it by minutes
    return min(CHOICES, key=lambda choice: abs(goes_out_at(tournament, choice) - due_at))


@transaction.atomic
def choose_reminder(*, tournament: Tournament, choice: str, by: User | None) -> None:
    """Set the reminder: a key of `CHOICES`, or `NONE`.

    Raises `Conflict` without a sign-up page, and `Refused` for a time that has passed.
    """
    tournament = lock_tournament(tournament.pk)
    if not SignUpPage.objects.filter(tournament=tournament).exists():
        raise Conflict("no-sign-up", _("Open sign-up first, so that there is someone to remind."))
    set_reminder(tournament=tournament, choice=choice, by=by, now=timezone.now())


def set_reminder(*, tournament: Tournament, choice: str, by: User | None, now: datetime) -> None:
    """Set the organiser's choice.

    If its time has passed, a pending reminder goes out now; without one, raise `Refused`.
    """
    before = current_choice(tournament)
    if choice not in (NONE, before) and not waiting_reminder(tournament) and goes_out_at(tournament, choice) <= now:
        sentence = _("The tournament starts too soon. Choose a later reminder.")
        raise Refused("reminder", sentence, fields={"reminder": [sentence]})
    start = start_of(tournament) if choice == before else None  # repeating a choice sends no second reminder
    keep_reminder(tournament=tournament, choice=choice, now=now, before=start)
    if choice != before:
        note(tournament=tournament, by=by, action="set-reminder", old={"reminder": before}, new={"reminder": choice})


def keep_reminder(*, tournament: Tournament, choice: str, now: datetime, before: Start | None = None) -> None:
    """Set the reminder's time by the current start.

    An overdue pending reminder goes out at once, because the tournament starts earlier. After a sent one, another
    follows if the start was postponed since `before`, or (None) if another choice was made.
    """
    if not SignUpPage.objects.filter(tournament=tournament).exists():
        return
    last = reminder_of(tournament)
    reminders = Deadline(kind=Deadline.Kind.REMIND, tournament=tournament)
    if choice == NONE:
        if last is None or last.state != Deadline.State.CANCELLED:
            last = last if last is not None and last.state == Deadline.State.PENDING else reminders
            last.due_at, last.state = last.due_at or now, Deadline.State.CANCELLED
            last.save()
        return
    due_at = goes_out_at(tournament, choice)
    if last is not None and last.state == Deadline.State.PENDING:
        last.due_at, last.attempts, last.reason = due_at, 0, ""
        last.save(update_fields=["due_at", "attempts", "reason"])
        return
    again = before is None or before.is_before(start_of(tournament))
    followed = last is None or last.state == Deadline.State.CANCELLED or (again and last.due_at != due_at)
    if due_at > now and followed:
        reminders.due_at = due_at
        reminders.save()


def remind(*, tournament: Tournament, now: datetime) -> None:
    """Write an e-mail to each sign-up with a place that has not declined reminders."""
    if tournament.state != Tournament.State.PLANNED or tournament.is_called_off or starts_at(tournament) <= now:
        return
    reached = tournament.sign_ups.filter(state=SignUp.State.PLACED).exclude(email="").exclude(letters=None)
    unwanted = Letter.objects.filter(kind=letters.NO_REMINDERS, sign_up__email__in=reached.values("email"))
    count = 0
    for sign_up in reached.exclude(email__in=unwanted.values("sign_up__email")).distinct().order_by("pk"):
        count += letters.write(kind="reminder", sign_up=sign_up) is not None
    note(tournament=tournament, by=None, action="remind", new={"letters": count})


@transaction.atomic
def want_reminders(*, sign_up: SignUp, wants_any: bool) -> None:
    """Turn reminders on or off for the sign-up's address, in all tournaments."""
    tournament = lock_tournament(sign_up.tournament_id)
    if not sign_up.email or letters.wants_reminders(sign_up) == wants_any:
        return
    if wants_any:
        Letter.objects.filter(kind=letters.NO_REMINDERS, sign_up__email=sign_up.email).delete()
    else:
        site = Letter.objects.filter(sign_up=sign_up).values_list("site", flat=True).last() or ""
        Letter.objects.create(kind=letters.NO_REMINDERS, sign_up=sign_up, site=site, state=Letter.State.SENT)
        Letter.objects.filter(kind="reminder", sign_up__email=sign_up.email, state=Letter.State.WAITING).delete()
    action = "want-reminders" if wants_any else "want-no-reminders"
    note(tournament=tournament, by=Attribution(sign_up=sign_up), action=action, new=sign_up_in_log(sign_up))
