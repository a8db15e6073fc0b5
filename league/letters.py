"""Mails on their way: the transaction with a reason to write adds a row; the clock sends it, and tries again.

A letter goes out at least once. Its row is claimed before the mail server gets it, with a time at which it is due
again, and is marked as sent after that. If the process is killed in between, it goes out a second time: that is better
than somebody with a place who never learns of it. Both copies have the same Message-ID, so most mailboxes show one.
"""

import logging
import smtplib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.access.signed_links import player_token, reminders_token, sign_up_token
from league.lib.wall_time import when
from league.models import Entry, Letter, SignUp, Tournament

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 50  # letters of one call; the next call follows within a second
# How long a try may take, and when the next one follows if it failed. Longer than the timeout for a mail server.
RETRY_AFTER = tuple(timedelta(minutes=minutes) for minutes in (2, 5, 20, 60, 120))
MOST_ATTEMPTS = len(RETRY_AFTER)
# Not a mail, but a row for somebody who wants no reminders at their address (league/entries/reminders.py).
NO_REMINDERS = "no-reminders"
ONE_CLICK = "List-Unsubscribe=One-Click"


class Text(NamedTuple):
    """The text of a mail; the body by paragraphs. unsubscribe: the address at which one ends mails of its kind."""

    subject: str
    body: list[str]
    unsubscribe: str = ""


@dataclass(frozen=True)
class Kind:
    """`text(letter)` is rendered in the reader's language when the mail is sent.

    `states`: the states of a sign-up in which it is still true; empty: it always is. A letter that is not true any more
    is dropped, since what came after it has its own letter. `while_coming`: only until the tournament begins, and while
    it is not called off; `while_on`: until it is over, and while it is not called off; `while_off`: while it is called
    off.
    """

    text: Callable[[Letter], Text]
    states: Collection[str] = ()
    while_coming: bool = False
    while_on: bool = False
    while_off: bool = False

    def is_true(self, sign_up: SignUp) -> bool:
        tournament = sign_up.tournament
        off = tournament.is_called_off
        coming = tournament.state == Tournament.State.PLANNED and not off
        on = not tournament.is_final and not off
        holds = (coming or not self.while_coming) and (on or not self.while_on) and (off or not self.while_off)
        return holds and (not self.states or sign_up.state in self.states)


def write(*, kind: str, site: str = "", sign_up: SignUp | None = None, entry: Entry | None = None) -> Letter | None:
    """Put a letter on its way, in the caller's transaction. None for people without an address.

    `site`: the address under which the service was reached (https://league.example.org), by default that of the letter
    before: whoever frees a place may have used another address than whoever gets it.
    """
    if not _address(sign_up, entry):
        return None
    if not site:
        before = Letter.objects.filter(sign_up=sign_up, entry=entry).order_by("-id").first()
        site = before.site if before else ""
    return Letter.objects.create(kind=kind, sign_up=sign_up, entry=entry, site=site.rstrip("/"))


def write_last(sign_up: SignUp) -> Letter | None:
    """Tell somebody who signed up that their tournament, which is being deleted, does not take place. As `write`."""
    if not sign_up.email:
        return None
    before = sign_up.letters.order_by("-id").first()
    with override(sign_up.language or settings.LANGUAGE_CODE):
        about = _about(sign_up)
    about |= {"email": sign_up.email, "language": sign_up.language, "reason": sign_up.tournament.pause_reason}
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
    mine = Letter.objects.filter(pk=letter.pk, state=Letter.State.WAITING, attempts=letter.attempts)
    last = letter.attempts >= MOST_ATTEMPTS
    if last and letter.about:
        mine.delete()
        return
    mine.update(reason=reason[:300], state=Letter.State.FAILED if last else Letter.State.WAITING)


def _address(sign_up: SignUp | None, entry: Entry | None) -> str:
    return sign_up.email if sign_up else entry.player.email if entry else ""


def _about(sign_up: SignUp) -> dict[str, str | int]:
    """The parameters of a letter's sentences."""
    tournament = sign_up.tournament
    waiting = tournament.sign_ups.filter(state=SignUp.State.WAITING, pk__lte=sign_up.pk)
    return {
        "name": sign_up.name,
        "tournament": " ".join(tournament.name.split()),
        "when": f"{when(tournament)}{f', {tournament.place}' if tournament.place else ''}",
        "number": waiting.count(),
    }


def _own_link(letter: Letter, sign_up: SignUp) -> list[str]:
    return [
        _("This is your own link. It shows your place, and there you can withdraw or correct your name:"),
        letter.site + reverse("own_sign_up", args=[sign_up_token(sign_up)]),
        _("Keep it to yourself: it needs no password. If you did not sign up, withdraw there, or do nothing."),
    ]


def _place_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = _about(sign_up)
    return Text(
        _("You have a place: %(tournament)s") % about,
        [_("%(name)s has a place in “%(tournament)s”: %(when)s.") % about, *_own_link(letter, sign_up)],
    )


def _waiting_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = _about(sign_up)
    return Text(
        _("You are on the waiting list: %(tournament)s") % about,
        [
            _("All places in “%(tournament)s” (%(when)s) are taken. %(name)s is number %(number)d on the waiting list.")
            % about,
            _("The list moves up by itself when somebody withdraws, and you get a mail."),
            *_own_link(letter, sign_up),
        ],
    )


def _moved_up_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = _about(sign_up)
    return Text(
        _("You have a place now: %(tournament)s") % about,
        [
            _("A place became free: %(name)s plays in “%(tournament)s”, %(when)s.") % about,
            _("If you cannot come any more, withdraw, so that the next one moves up."),
            *_own_link(letter, sign_up),
        ],
    )


def _withdrawn_text(letter: Letter) -> Text:
    about = _about(_sign_up_of(letter))
    return Text(
        _("You are off the list: %(tournament)s") % about,
        [
            _("%(name)s is no longer on the list of “%(tournament)s” (%(when)s).") % about,
            _("To come all the same, sign up again while there is time, or speak to the organiser:"),
            letter.site + reverse("sign_up", args=[_sign_up_of(letter).tournament.slug]),
        ],
    )


def _replaced_text(letter: Letter) -> Text:
    about = _about(_sign_up_of(letter))
    return Text(
        _("Your place was given away: %(tournament)s") % about,
        [
            _("%(name)s was not at “%(tournament)s” (%(when)s) in time, so somebody from the list plays.") % about,
            _("If you are there after all, speak to the organiser at once: until play begins it can be undone."),
        ],
    )


def _reminder_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = _about(sign_up) | {"zone": sign_up.tournament.time_zone}
    stop = letter.site + reverse("reminders", args=[reminders_token(sign_up)])
    return Text(
        _("Reminder: %(tournament)s") % about,
        [
            _("%(name)s plays in “%(tournament)s”: %(when)s. Times are those of %(zone)s.") % about,
            _("If you cannot come, withdraw, so that the next one can play."),
            *_own_link(letter, sign_up),
            _("To get no more reminders, whatever you sign up for:"),
            stop,
        ],
        unsubscribe=stop,
    )


def _called_off_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = _about(sign_up) | {"reason": " ".join(sign_up.tournament.pause_reason.split())}
    return Text(
        _("Called off: %(tournament)s") % about,
        [
            _("“%(tournament)s” (%(when)s) does not take place: %(reason)s") % about,
            _("Nothing is to be done. Should it take place after all, you get a mail, and keep your place."),
        ],
    )


def _held_after_all_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = _about(sign_up)
    return Text(
        _("It takes place after all: %(tournament)s") % about,
        [
            _("“%(tournament)s” was called off, and takes place after all: %(when)s.") % about,
            _("%(name)s is still on the list. If you cannot come, withdraw.") % about,
            *_own_link(letter, sign_up),
        ],
    )


def _deleted_text(letter: Letter) -> Text:
    about = letter.about or {}
    reason = " ".join(about["reason"].split())
    off = _("“%(tournament)s” (%(when)s) does not take place.") % about
    if reason:
        off = _("“%(tournament)s” (%(when)s) does not take place: %(reason)s") % (about | {"reason": reason})
    return Text(
        _("Called off: %(tournament)s") % about,
        [off, _("Nothing is to be done. It was deleted, so your link to it opens nothing any more.")],
    )


def _own_table_text(letter: Letter) -> Text:
    """The player's own link at the time of sending, so that no mail has one that was ended meanwhile."""
    entry = letter.entry
    if entry is None:
        raise ValueError(f"a letter of this kind is to a player: {letter.kind}")
    tournament = entry.tournament
    about = {
        "name": entry.player.name,
        "tournament": " ".join(tournament.name.split()),
        "when": f"{when(tournament)}{f', {tournament.place}' if tournament.place else ''}",
    }
    return Text(
        _("Your table: %(tournament)s") % about,
        [
            _("%(name)s plays in “%(tournament)s”: %(when)s.") % about,
            _("This is your own link: your seat now and next, your hands and your rank, on your phone."),
            letter.site + reverse("me", args=[player_token(entry)]),
            _("Keep it to yourself: who has it can report hands for you. If this is not for you, do nothing."),
        ],
    )


def _sign_up_of(letter: Letter) -> SignUp:
    if letter.sign_up is None:
        raise ValueError(f"a letter of this kind is to somebody who signed up: {letter.kind}")
    return letter.sign_up


KINDS: dict[str, Kind] = {
    "signed-up": Kind(_place_text, (SignUp.State.PLACED,)),
    "on-the-list": Kind(_waiting_text, (SignUp.State.WAITING,)),
    "moved-up": Kind(_moved_up_text, (SignUp.State.PLACED,)),
    "withdrawn": Kind(_withdrawn_text, (SignUp.State.WITHDRAWN,)),
    "own-link": Kind(_own_table_text),
    "reminder": Kind(_reminder_text, (SignUp.State.PLACED,), while_coming=True),
    "called-off": Kind(_called_off_text, (SignUp.State.PLACED, SignUp.State.WAITING), while_off=True),
    "held-after-all": Kind(_held_after_all_text, (SignUp.State.PLACED, SignUp.State.WAITING), while_on=True),
    "deleted": Kind(_deleted_text),
    "replaced": Kind(_replaced_text, (SignUp.State.REPLACED,)),
}
