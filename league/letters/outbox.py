"""Mails on their way: the transaction with a reason to write adds a row; the clock sends it, and tries again.

A letter goes out at least once. Its row is claimed before the mail server gets it, with a time at which it is due
again, and is marked as sent after that. If the process is killed in between, it goes out a second time: that is better
than somebody with a place who never learns of it. Both copies have the same Message-ID, so most mailboxes show one.
"""

import logging
import smtplib
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.letters import limits
from league.letters.texts import KINDS, Kind, about_sign_up, in_mail
from league.models import Entry, Letter, SignUp, Tournament

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 50  # letters of one call; the next call follows within a second
# How long a try may take, and when the next one follows if it failed. Longer than the timeout for a mail server.
RETRY_AFTER = tuple(timedelta(minutes=minutes) for minutes in (2, 5, 20, 60, 120))
MOST_ATTEMPTS = len(RETRY_AFTER)
# Not a mail, but a row for somebody who wants no reminders at their address (league/entries/reminders.py).
NO_REMINDERS = "no-reminders"
ONE_CLICK = "List-Unsubscribe=One-Click"
# Letters about the same thing. One that repeats an earlier kind waits for `REPEAT_AFTER`, and replaces those of its
# group that wait: pressing a button again and again sends one mail.
GROUPS = (("called-off", "held-after-all"), ("moved-up", "replaced", "on-the-list"), ("reminder",), ("own-link",))
REPEAT_AFTER = timedelta(minutes=10)


def write(*, kind: str, site: str = "", sign_up: SignUp | None = None, entry: Entry | None = None) -> Letter | None:
    """Put a letter on its way, in the caller's transaction.

    None for people without an address, or with one that they have not confirmed, and for repeated news that the person
    has already. None too where the tournament's owner may send no mail.

    `site`: the address under which the service was reached (https://league.example.org), by default that of the letter
    before: whoever frees a place may have used another address than whoever gets it.
    """
    subject = sign_up or entry
    if subject is None or not _address(sign_up, entry) or not limits.may_send(subject.tournament.owner):
        return None
    if sign_up is not None and kind != "confirm" and not _may_reach(sign_up):
        return None
    letters = Letter.objects.filter(sign_up=sign_up, entry=entry)
    if not site:
        before = letters.order_by("-id").first()
        site = before.site if before else ""
    due_at = _due_at(letters, kind)
    if due_at is None:
        return None
    return Letter.objects.create(kind=kind, sign_up=sign_up, entry=entry, site=site.rstrip("/"), due_at=due_at)


def _may_reach(sign_up: SignUp) -> bool:
    """Whether mail other than the request to confirm may go to somebody who signed up."""
    return not settings.MAIL_GOES_OUT or sign_up.confirmed_at is not None


def _due_at(letters: QuerySet[Letter], kind: str) -> datetime | None:
    """Return when a letter is due after the `letters` to the same person. None if the person has this news already."""
    now = timezone.now()
    group = next((kinds for kinds in GROUPS if kind in kinds), None)
    if group is None:
        return now
    same = letters.filter(kind__in=group)
    same.filter(state=Letter.State.WAITING, attempts=0).delete()
    last = same.order_by("-id").first()
    if kind == "held-after-all" and last is None:
        return None  # the person was never told that it was called off
    if len(group) > 1 and last is not None and last.kind == kind:
        return None
    return now + REPEAT_AFTER if same.filter(kind=kind).exists() else now


def write_last(sign_up: SignUp) -> Letter | None:
    """Tell somebody who signed up that their tournament, which is being deleted, does not take place. As `write`."""
    if not sign_up.email or not _may_reach(sign_up) or not limits.may_send(sign_up.tournament.owner):
        return None
    before = sign_up.letters.order_by("-id").first()
    with override(sign_up.language or settings.LANGUAGE_CODE):
        about = about_sign_up(sign_up)
    about |= {"email": sign_up.email, "language": sign_up.language, "reason": in_mail(sign_up.tournament.pause_reason)}
    return Letter.objects.create(kind="deleted", about=about, site=before.site if before else "")


def knows_it_is_off(sign_up: SignUp) -> bool:
    """Whether the last mail that somebody got says that their tournament is called off."""
    last = sign_up.letters.exclude(kind=NO_REMINDERS).order_by("-id").first()
    return last is not None and last.kind == "called-off" and last.state == Letter.State.SENT


def send(now: datetime) -> int:
    """Send the letters that are due and return how many went out. One cheap query if none are.

    After the first failure the rest waits for the next call, so that a mail server that does not answer costs one
    timeout. A refused address counts as sent, since the server did answer.
    """
    due = Letter.objects.filter(state=Letter.State.WAITING, due_at__lte=now).order_by("due_at", "id")
    sent = 0
    for pk, attempts in list(due.values_list("pk", "attempts")[:MOST_AT_ONCE]):
        letter = _claim(pk, attempts, now)
        if letter is None:
            continue
        if not _hand_over(letter, now):
            break
        sent += 1
    return sent


def wants_reminders(sign_up: SignUp) -> bool:
    """Whether nobody with the same address declined them."""
    return not Letter.objects.filter(kind=NO_REMINDERS, sign_up__email=sign_up.email).exists()


def forget(sign_up: SignUp) -> None:
    """Delete the letters to somebody who is erased. Another sign-up of the address keeps its wish for no reminders."""
    _keep_wish(sign_up, SignUp.objects.exclude(pk=sign_up.pk))
    sign_up.letters.all().delete()


def keep_wishes(tournament: Tournament) -> None:
    """Before a tournament is deleted, let other sign-ups of its addresses keep their wishes for no reminders."""
    for sign_up in tournament.sign_ups.filter(letters__kind=NO_REMINDERS).distinct():
        _keep_wish(sign_up, SignUp.objects.exclude(tournament=tournament))


def _keep_wish(sign_up: SignUp, sign_ups: QuerySet[SignUp]) -> None:
    other = sign_ups.filter(email=sign_up.email).exclude(email="").order_by("pk").first()
    if other is not None:
        sign_up.letters.filter(kind=NO_REMINDERS).update(sign_up=other)


def failed_letters(tournament: Tournament) -> list[Letter]:
    """The letters that could not be delivered to those who are still on the list, for the organiser."""
    on_list = Q(sign_up__tournament=tournament, sign_up__state__in=(SignUp.State.PLACED, SignUp.State.WAITING))
    letters = Letter.objects.filter(on_list | Q(entry__tournament=tournament), state=Letter.State.FAILED)
    return list(letters.select_related("sign_up", "entry__player").order_by("-id"))


def _claim(pk: int, attempts: int, now: datetime) -> Letter | None:
    """Claim a letter until it is due again; None if somebody else was first or it was tried often enough."""
    mine = Letter.objects.filter(pk=pk, state=Letter.State.WAITING, attempts=attempts)
    if attempts >= MOST_ATTEMPTS:
        reason = _("The service was stopped each time while it was sending this.")
        mine.filter(about__isnull=True).update(state=Letter.State.FAILED, reason=reason)
        mine.filter(about__isnull=False).delete()
        return None
    if not mine.update(attempts=F("attempts") + 1, due_at=now + RETRY_AFTER[attempts]):
        return None
    return Letter.objects.select_related("sign_up__tournament", "entry__tournament", "entry__player").get(pk=pk)


def _hand_over(letter: Letter, now: datetime) -> bool:
    """Send a letter. False if the mail server did not answer as it should or the service failed: the rest waits."""
    kind = KINDS.get(letter.kind)
    address = letter.about["email"] if letter.about else _address(letter.sign_up, letter.entry)
    gone = letter.sign_up is not None and kind is not None and not kind.is_true(letter.sign_up)
    if letter.sign_up is not None and letter.kind == "reminder":
        gone = gone or not wants_reminders(letter.sign_up)
    if not address or gone:
        Letter.objects.filter(pk=letter.pk).delete()
        return True
    typed = letter.about is None and (letter.sign_up is None or letter.sign_up.confirmed_at is None)
    if limits.is_full(address, typed=typed, now=now):
        _give_up(letter, limits.why_full())
        return True
    try:
        if kind is None:
            raise KeyError(letter.kind)
        _mail(letter, kind, address)
    except OSError as error:  # every error of smtplib is one
        logger.warning("Letter %s could not be sent: %s", letter.pk, str(error).replace(address, "[address]"))
        _note_failure(letter, _("The mail server did not take it."))
        # An address that is refused says nothing about the next one.
        return isinstance(error, smtplib.SMTPRecipientsRefused)
    except Exception:
        logger.exception("Letter %s failed", letter.pk)
        _note_failure(letter, _("It failed in the service itself; the operator's log says more."))
        return False
    limits.count_recipient(address, typed=typed, now=now)
    mine = Letter.objects.filter(pk=letter.pk, attempts=letter.attempts)
    if letter.about:
        mine.delete()
    else:
        mine.update(state=Letter.State.SENT, sent_at=now, reason="")
    return True


def _mail(letter: Letter, kind: Kind, address: str) -> None:
    language = letter.about["language"] if letter.about else letter.sign_up.language if letter.sign_up else ""
    with override(language or settings.LANGUAGE_CODE):
        text = kind.text(letter)
    host = urlsplit(letter.site).hostname or "localhost"
    headers = {"Message-ID": f"<letter-{letter.pk}@{host}>", "Auto-Submitted": "auto-generated"}
    if text.unsubscribe:
        headers["List-Unsubscribe"] = f"<{text.unsubscribe}>"
        if text.unsubscribe.startswith("https:"):  # RFC 8058: a mailbox may then do it with one click of its own
            headers["List-Unsubscribe-Post"] = ONE_CLICK
    EmailMessage(
        " ".join(text.subject.split()),
        "\n\n".join(line for line in text.body if line) + "\n",
        None,
        [address],
        headers=headers,
    ).send()


def _note_failure(letter: Letter, reason: str) -> None:
    if letter.attempts >= MOST_ATTEMPTS:
        _give_up(letter, reason)
    else:
        _mine(letter).update(reason=reason[:300])


def _give_up(letter: Letter, reason: str) -> None:
    if letter.about:
        _mine(letter).delete()
    else:
        _mine(letter).update(reason=reason[:300], state=Letter.State.FAILED)


def _mine(letter: Letter) -> QuerySet[Letter]:
    return Letter.objects.filter(pk=letter.pk, state=Letter.State.WAITING, attempts=letter.attempts)


def _address(sign_up: SignUp | None, entry: Entry | None) -> str:
    return sign_up.email if sign_up else entry.player.email if entry else ""
