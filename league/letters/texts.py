"""Texts of each kind of e-mail, and when they still apply."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from league.access.signed_links import player_token, reminders_token, sign_up_token
from league.lib.names import without_links
from league.lib.wall_time import when
from league.models import Letter, SignUp, Tournament


class Text(NamedTuple):
    """Subject and paragraphs of an e-mail. unsubscribe: address that stops e-mails of its kind."""

    subject: str
    body: list[str]
    unsubscribe: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of e-mail. `text(letter)` runs in the reader's language when sending.

    states: sign-up states in which it applies; empty: always. Outdated e-mails are dropped: a later one replaces them.
    while_coming: only before the start, unless cancelled. while_on: only before the end, unless cancelled. while_off:
    only while cancelled. must_confirm: only until the address is confirmed or the deadline is over.
    """

    text: Callable[[Letter], Text]
    states: Collection[str] = ()
    while_coming: bool = False
    while_on: bool = False
    while_off: bool = False
    must_confirm: bool = False

    def is_true(self, sign_up: SignUp) -> bool:
        tournament = sign_up.tournament
        off = tournament.is_called_off
        coming = tournament.state == Tournament.State.PLANNED and not off
        on = not tournament.is_final and not off
        holds = (coming or not self.while_coming) and (on or not self.while_on) and (off or not self.while_off)
        holds = holds and (sign_up.must_confirm or not self.must_confirm)
        return holds and (not self.states or sign_up.state in self.states)


def in_mail(text: str, most: int = 100) -> str:
    """Return a user's text for an e-mail: one line, shortened, without links."""
    return without_links(text, most)


def about_sign_up(sign_up: SignUp) -> dict[str, str | int]:
    """Return the parameters of an e-mail's sentences."""
    tournament = sign_up.tournament
    waiting = tournament.sign_ups.filter(state=SignUp.State.WAITING, pk__lte=sign_up.pk)
    about: dict[str, str | int] = {"name": in_mail(sign_up.name), "number": waiting.count()}
    return about | _about_tournament(tournament)


def _about_tournament(tournament: Tournament) -> dict[str, str | int]:
    place = f", {in_mail(tournament.place)}" if tournament.place else ""
    return {"tournament": in_mail(tournament.name), "when": f"{when(tournament)}{place}"}


def _own_link(letter: Letter, sign_up: SignUp) -> list[str]:
    return [
        _("See your place, correct your name, or withdraw with your personal link:"),
        letter.site + reverse("own_sign_up", args=[sign_up_token(sign_up)]),
        _("Don’t share it: it needs no password. If you didn’t sign up, withdraw there, or ignore this e-mail."),
    ]


def _confirm_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    if sign_up.confirm_by is None:
        raise ValueError("this e-mail needs a sign-up with an unconfirmed address")
    tournament = sign_up.tournament
    about = about_sign_up(sign_up) | {
        "until": f"{sign_up.confirm_by.astimezone(tournament.zone):%H:%M}",
        "zone": tournament.time_zone,
    }
    has_place = _("%(name)s has a place in “%(tournament)s”: %(when)s.")
    waits = _("%(name)s is number %(number)d on the waiting list of “%(tournament)s”: %(when)s.")
    return Text(
        _("Confirm your sign-up: %(tournament)s") % about,
        [
            (has_place if sign_up.state == SignUp.State.PLACED else waits) % about,
            _("Confirm by %(until)s (%(zone)s), or you lose your place:") % about,
            letter.site + reverse("own_sign_up", args=[sign_up_token(sign_up)]),
            _("Keep the link: it shows your place, and lets you withdraw. It needs no password."),
            _("If you didn’t sign up, ignore this e-mail."),
        ],
    )


def _place_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = about_sign_up(sign_up)
    return Text(
        _("You have a place: %(tournament)s") % about,
        [_("%(name)s has a place in “%(tournament)s”: %(when)s.") % about, *_own_link(letter, sign_up)],
    )


def _waiting_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = about_sign_up(sign_up)
    return Text(
        _("You are on the waiting list: %(tournament)s") % about,
        [
            _("“%(tournament)s” (%(when)s) is full. %(name)s is number %(number)d on the waiting list.") % about,
            _("You’ll get an e-mail when a place becomes free."),
            *_own_link(letter, sign_up),
        ],
    )


def _moved_up_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = about_sign_up(sign_up)
    return Text(
        _("You now have a place: %(tournament)s") % about,
        [
            _("A place became free: %(name)s plays in “%(tournament)s”, %(when)s.") % about,
            _("If you can’t come, please withdraw for the next player."),
            *_own_link(letter, sign_up),
        ],
    )


def _withdrawn_text(letter: Letter) -> Text:
    about = about_sign_up(_sign_up_of(letter))
    return Text(
        _("You’re no longer on the list: %(tournament)s") % about,
        [
            _("%(name)s is no longer on the list of “%(tournament)s” (%(when)s).") % about,
            _("To come after all, sign up again, or ask the organiser:"),
            letter.site + reverse("sign_up", args=[_sign_up_of(letter).tournament.slug]),
        ],
    )


def _replaced_text(letter: Letter) -> Text:
    about = about_sign_up(_sign_up_of(letter))
    return Text(
        _("Your place was given away: %(tournament)s") % about,
        [
            _("%(name)s wasn’t at “%(tournament)s” (%(when)s) in time, so a player from the waiting list plays.")
            % about,
            _("If you’re there, tell the organiser at once: this can be undone until play starts."),
        ],
    )


def _reminder_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = about_sign_up(sign_up) | {"zone": sign_up.tournament.time_zone}
    stop = letter.site + reverse("reminders", args=[reminders_token(sign_up)])
    return Text(
        _("Reminder: %(tournament)s") % about,
        [
            _("%(name)s plays in “%(tournament)s”: %(when)s (%(zone)s).") % about,
            _("If you can’t come, please withdraw for the next player."),
            *_own_link(letter, sign_up),
            _("Stop all reminders:"),
            stop,
        ],
        unsubscribe=stop,
    )


def _called_off_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = about_sign_up(sign_up) | {"reason": in_mail(sign_up.tournament.pause_reason, 200)}
    return Text(
        _("Cancelled: %(tournament)s") % about,
        [
            _("“%(tournament)s” (%(when)s) is cancelled: %(reason)s") % about,
            _("If it is reinstated, you’ll get an e-mail and keep your place."),
        ],
    )


def _held_after_all_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = about_sign_up(sign_up)
    return Text(
        _("Reinstated: %(tournament)s") % about,
        [
            _("“%(tournament)s” takes place after all: %(when)s.") % about,
            _("%(name)s is still on the list. If you can’t come, please withdraw.") % about,
            *_own_link(letter, sign_up),
        ],
    )


def _deleted_text(letter: Letter) -> Text:
    about = letter.about or {}
    reason = about["reason"]
    off = _("“%(tournament)s” (%(when)s) is cancelled.") % about
    if reason:
        off = _("“%(tournament)s” (%(when)s) is cancelled: %(reason)s") % (about | {"reason": reason})
    return Text(
        _("Cancelled: %(tournament)s") % about,
        [off, _("It was deleted, so your link no longer works.")],
    )


def _own_table_text(letter: Letter) -> Text:
    """Use the player's link at the time of sending, so that it isn't a replaced one."""
    entry = letter.entry
    if entry is None:
        raise ValueError(f"this e-mail needs a player: {letter.kind}")
    tournament = entry.tournament
    about = {"name": in_mail(entry.name)} | _about_tournament(tournament)
    return Text(
        _("Your table: %(tournament)s") % about,
        [
            _("%(name)s plays in “%(tournament)s”: %(when)s.") % about,
            _("Your personal link shows your seat, hands and rank:"),
            letter.site + reverse("me", args=[player_token(entry)]),
            _("Don’t share it: anyone who has it can report hands for you. If this isn’t for you, ignore it."),
        ],
    )


def _sign_up_of(letter: Letter) -> SignUp:
    if letter.sign_up is None:
        raise ValueError(f"this e-mail needs a sign-up: {letter.kind}")
    return letter.sign_up


KINDS: dict[str, Kind] = {
    "confirm": Kind(_confirm_text, must_confirm=True),
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
