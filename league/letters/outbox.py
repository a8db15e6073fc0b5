"""Outbox of e-mails: a transaction adds a row, the scheduler sends it and retries.

Delivery is at least once. A row is claimed before sending, with a retry time, and marked as sent after it. A process
killed in between causes a second copy: better than a player who never learns of their place. Both copies have the same
Message-ID, so most mailboxes show one.
"""

import contextlib
import logging
import smtplib
import time
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.access.restore_pause import unless_paused
from league.letters import limits
from league.letters.texts import KINDS, Kind, about_sign_up, in_mail
from league.lib.wake import call_worker_after_commit
from league.models import Entry, Letter, SignUp, Tournament

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 50  # e-mails a call; the next call follows within a second
TURN = 1.0  # seconds of a call, or one e-mail, so that all together never reach the worker's time limit
# Delays until the next attempt. Each is longer than the timeout for a mail server.
RETRY_AFTER = tuple(timedelta(minutes=minutes) for minutes in (2, 5, 20, 60, 120))
MOST_ATTEMPTS = len(RETRY_AFTER)
# A row, not an e-mail: this address wants no reminders (league/entries/reminders.py).
NO_REMINDERS = "no-reminders"
ONE_CLICK = "List-Unsubscribe=One-Click"
# E-mails about the same thing. Repeating a kind waits for `REPEAT_AFTER` and replaces waiting ones of its group, so
# pressing a button repeatedly sends one e-mail.
GROUPS = (("called-off", "held-after-all"), ("moved-up", "replaced", "on-the-list"), ("reminder",), ("own-link",))
REPEAT_AFTER = timedelta(minutes=10)


def write(*, kind: str, site: str = "", sign_up: SignUp | None = None, entry: Entry | None = None) -> Letter | None:
    """Queue an e-mail in the caller's transaction.

    Return None without a confirmed address, for news the person already has, and if the tournament's owner may not
    send.

    site: address of the service (https://league.example.org); default: that of the person's previous e-mail, since the
    user who frees a place may use another address than its next holder.
    """
    subject = sign_up or entry
    if subject is None or not _address(sign_up, entry) or not limits.may_send(subject.tournament.owner):
        return None
    if sign_up is not None and kind != "confirm" and not _may_reach(sign_up):
        return None
    letters = Letter.objects.filter(sign_up=sign_up, entry=entry)
    if settings.PUBLIC_ORIGIN:
        site = settings.PUBLIC_ORIGIN
    elif not site:
        before = letters.order_by("-id").first()
        site = before.site if before else ""
    due_at = _due_at(letters, kind)
    if due_at is None:
        return None
    call_worker_after_commit()
    return Letter.objects.create(kind=kind, sign_up=sign_up, entry=entry, site=site.rstrip("/"), due_at=due_at)


def _may_reach(sign_up: SignUp) -> bool:
    """Return whether e-mails other than the confirmation request may go to this sign-up."""
    return not settings.MAIL_GOES_OUT or sign_up.confirmed_at is not None


def _due_at(letters: QuerySet[Letter], kind: str) -> datetime | None:
    """Return when an e-mail is due, given earlier `letters` to the person; None if they already have this news."""
    now = timezone.now()
    group = next((kinds for kinds in GROUPS if kind in kinds), None)
    if group is None:
        return now
    same = letters.filter(kind__in=group)
    same.filter(state=Letter.State.WAITING, attempts=0).delete()
    last = same.order_by("-id").first()
    if kind == "held-after-all" and last is None:
        return None  # the person never got the cancellation
    if len(group) > 1 and last is not None and last.kind == kind:
        return None
    return now + REPEAT_AFTER if same.filter(kind=kind).exists() else now


def write_last(sign_up: SignUp) -> Letter | None:
    """Queue the e-mail that a tournament being deleted doesn't take place. Conditions as for `write`."""
    if not sign_up.email or not _may_reach(sign_up) or not limits.may_send(sign_up.tournament.owner):
        return None
    before = sign_up.letters.order_by("-id").first()
    call_worker_after_commit()
    with override(sign_up.language or settings.LANGUAGE_CODE):
        about = about_sign_up(sign_up)
    about |= {"email": sign_up.email, "language": sign_up.language, "reason": in_mail(sign_up.tournament.pause_reason)}
    return Letter.objects.create(
        kind="deleted", about=about, site=settings.PUBLIC_ORIGIN or (before.site if before else "")
    )


def knows_it_is_off(sign_up: SignUp) -> bool:
    """Return whether the last e-mail to this person says that the tournament is cancelled."""
    last = sign_up.letters.exclude(kind=NO_REMINDERS).order_by("-id").first()
    return last is not None and last.kind == "called-off" and last.state == Letter.State.SENT


def next_due() -> datetime | None:
    """Return when the earliest e-mail is due."""
    waiting = Letter.objects.filter(unless_paused(), state=Letter.State.WAITING)
    return waiting.order_by("due_at", "id").values_list("due_at", flat=True).first()


def send(now: datetime) -> int:
    """Send the due e-mails; return the number sent. One cheap query if none is due.

    They share a connection to the mail server. Stop at the first failure, so that a dead mail server costs one timeout.
    A rejected address counts as sent: the server answered.
    """
    due = Letter.objects.filter(unless_paused(), state=Letter.State.WAITING, due_at__lte=now).order_by("due_at", "id")
    until, sent, server = time.monotonic() + TURN, 0, get_connection()
    try:
        for pk, attempts in list(due.values_list("pk", "attempts")[:MOST_AT_ONCE]):
            letter = _claim(pk, attempts, now)
            if letter is None:
                continue
            if not _hand_over(letter, now, server):
                break
            sent += 1
            if time.monotonic() >= until:
                break
    finally:
        with contextlib.suppress(OSError):  # the e-mails are delivered already
            server.close()
    return sent


def wants_reminders(sign_up: SignUp) -> bool:
    """Return whether no one with this address has declined reminders."""
    return not Letter.objects.filter(kind=NO_REMINDERS, sign_up__email=sign_up.email).exists()


def forget(sign_up: SignUp) -> None:
    """Delete the e-mails to an erased person. Another sign-up of the address keeps the wish for no reminders."""
    _keep_wish(sign_up, SignUp.objects.exclude(pk=sign_up.pk))
    sign_up.letters.all().delete()


def keep_wishes(tournament: Tournament) -> None:
    """Before deleting a tournament, move wishes for no reminders to other sign-ups of the addresses."""
    for sign_up in tournament.sign_ups.filter(letters__kind=NO_REMINDERS).distinct():
        _keep_wish(sign_up, SignUp.objects.exclude(tournament=tournament))


def _keep_wish(sign_up: SignUp, sign_ups: QuerySet[SignUp]) -> None:
    other = sign_ups.filter(email=sign_up.email).exclude(email="").order_by("pk").first()
    if other is not None:
        sign_up.letters.filter(kind=NO_REMINDERS).update(sign_up=other)


def failed_letters(tournament: Tournament) -> list[Letter]:
    """Return the undeliverable e-mails to people on the list, for the organiser."""
    on_list = Q(sign_up__tournament=tournament, sign_up__state__in=(SignUp.State.PLACED, SignUp.State.WAITING))
    letters = Letter.objects.filter(on_list | Q(entry__tournament=tournament), state=Letter.State.FAILED)
    return list(letters.select_related("sign_up", "entry__player").order_by("-id"))


def _claim(pk: int, attempts: int, now: datetime) -> Letter | None:
    """Claim an e-mail until its retry time; None if another process was first, or after the last attempt."""
    mine = Letter.objects.filter(pk=pk, state=Letter.State.WAITING, attempts=attempts)
    if attempts >= MOST_ATTEMPTS:
        reason = _("The service stopped while sending this e-mail.")
        mine.filter(about__isnull=True).update(state=Letter.State.FAILED, reason=reason)
        mine.filter(about__isnull=False).delete()
        return None
    if not mine.update(attempts=F("attempts") + 1, due_at=now + RETRY_AFTER[attempts]):
        return None
    return Letter.objects.select_related("sign_up__tournament", "entry__tournament", "entry__player").get(pk=pk)


def _hand_over(mail: Letter, now: datetime, server: BaseEmailBackend) -> bool:
    """Send an e-mail. Return False on a failure of the mail server or the service: the rest waits."""
    kind = KINDS.get(mail.kind)
    address = mail.about["email"] if mail.about else _address(mail.sign_up, mail.entry)
    gone = mail.sign_up is not None and kind is not None and not kind.is_true(mail.sign_up)
    if mail.sign_up is not None and mail.kind == "reminder":
        gone = gone or not wants_reminders(mail.sign_up)
    if not address or gone:
        Letter.objects.filter(pk=mail.pk).delete()
        return True
    typed = mail.about is None and (mail.sign_up is None or mail.sign_up.confirmed_at is None)
    if limits.is_full(address, typed=typed, now=now):
        _give_up(mail, limits.why_full())
        return True
    try:
        if kind is None:
            raise KeyError(mail.kind)
        _mail(mail, kind, address, server)
    except OSError as error:  # base of all smtplib errors
        logger.warning("Letter %s could not be sent: %s", mail.pk, str(error).replace(address, "[address]"))
        _note_failure(mail, _("The mail server rejected it."))
        # A rejected address says nothing about the next one.
        return isinstance(error, smtplib.SMTPRecipientsRefused)
    except Exception:
        logger.exception("Letter %s failed", mail.pk)
        _note_failure(mail, _("Internal error; see the operator’s log."))
        return False
    limits.count_recipient(address, typed=typed, now=now)
    mine = Letter.objects.filter(pk=mail.pk, attempts=mail.attempts)
    if mail.about:
        mine.delete()
    else:
        mine.update(state=Letter.State.SENT, sent_at=now, reason="")
    return True


def _mail(mail: Letter, kind: Kind, address: str, server: BaseEmailBackend) -> None:
    server.open()  # else each e-mail has a connection of its own
    language = mail.about["language"] if mail.about else mail.sign_up.language if mail.sign_up else ""
    with override(language or settings.LANGUAGE_CODE):
        text = kind.text(mail)
    host = urlsplit(mail.site).hostname or "localhost"
    headers = {"Message-ID": f"<letter-{mail.pk}@{host}>", "Auto-Submitted": "auto-generated"}
    if text.unsubscribe:
        headers["List-Unsubscribe"] = f"<{text.unsubscribe}>"
        if text.unsubscribe.startswith("https:"):  # RFC 8058: one-click unsubscribe
            headers["List-Unsubscribe-Post"] = ONE_CLICK
    EmailMessage(
        " ".join(text.subject.split()),
        "\n\n".join(line for line in text.body if line) + "\n",
        None,
        [address],
        connection=server,
        headers=headers,
    ).send()


def _note_failure(mail: Letter, reason: str) -> None:
    if mail.attempts >= MOST_ATTEMPTS:
        _give_up(mail, reason)
    else:
        _mine(mail).update(reason=reason[:300])


def _give_up(mail: Letter, reason: str) -> None:
    if mail.about:
        _mine(mail).delete()
    else:
        _mine(mail).update(reason=reason[:300], state=Letter.State.FAILED)


def _mine(mail: Letter) -> QuerySet[Letter]:
    return Letter.objects.filter(pk=mail.pk, state=Letter.State.WAITING, attempts=mail.attempts)


def _address(sign_up: SignUp | None, entry: Entry | None) -> str:
    return sign_up.email if sign_up else entry.player.email if entry else ""
