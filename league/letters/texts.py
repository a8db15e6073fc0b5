"""What each kind of letter says, and when it is still true."""

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
    off; `must_confirm`: until the address is confirmed, or the time for that is over.
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
    """Return a text that somebody typed as a letter may have it: one line, not too long, without a link."""
    return without_links(text, most)


def about_sign_up(sign_up: SignUp) -> dict[str, str | int]:
    """The parameters of a letter's sentences."""
    tournament = sign_up.tournament
    waiting = tournament.sign_ups.filter(state=SignUp.State.WAITING, pk__lte=sign_up.pk)
    about: dict[str, str | int] = {"name": in_mail(sign_up.name), "number": waiting.count()}
    return about | _about_tournament(tournament)


def _about_tournament(tournament: Tournament) -> dict[str, str | int]:
    place = f", {in_mail(tournament.place)}" if tournament.place else ""
    return {"tournament": in_mail(tournament.name), "when": f"{when(tournament)}{place}"}


def _own_link(letter: Letter, sign_up: SignUp) -> list[str]:
    return [
        _("This is your own link. It shows your place, and there you can withdraw or correct your name:"),
        letter.site + reverse("own_sign_up", args=[sign_up_token(sign_up)]),
        _("Keep it to yourself: it needs no password. If you did not sign up, withdraw there, or do nothing."),
    ]


def _confirm_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    if sign_up.confirm_by is None:
        raise ValueError("a letter of this kind is to somebody who must confirm the address")
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
            _("Open this link and confirm by %(until)s (%(zone)s), or your place is free again:") % about,
            letter.site + reverse("own_sign_up", args=[sign_up_token(sign_up)]),
            _("Keep the link: it also shows your place later, and there you can withdraw. It needs no password."),
            _("If you did not sign up, do nothing. You get no other mail about it."),
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
            _("All places in “%(tournament)s” (%(when)s) are taken. %(name)s is number %(number)d on the waiting list.")
            % about,
            _("The list moves up by itself when somebody withdraws, and you get a mail."),
            *_own_link(letter, sign_up),
        ],
    )


def _moved_up_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = about_sign_up(sign_up)
    return Text(
        _("You have a place now: %(tournament)s") % about,
        [
            _("A place became free: %(name)s plays in “%(tournament)s”, %(when)s.") % about,
            _("If you cannot come any more, withdraw, so that the next one moves up."),
            *_own_link(letter, sign_up),
        ],
    )


def _withdrawn_text(letter: Letter) -> Text:
    about = about_sign_up(_sign_up_of(letter))
    return Text(
        _("You are off the list: %(tournament)s") % about,
        [
            _("%(name)s is no longer on the list of “%(tournament)s” (%(when)s).") % about,
            _("To come all the same, sign up again while there is time, or speak to the organiser:"),
            letter.site + reverse("sign_up", args=[_sign_up_of(letter).tournament.slug]),
        ],
    )


def _replaced_text(letter: Letter) -> Text:
    about = about_sign_up(_sign_up_of(letter))
    return Text(
        _("Your place was given away: %(tournament)s") % about,
        [
            _("%(name)s was not at “%(tournament)s” (%(when)s) in time, so somebody from the list plays.") % about,
            _("If you are there after all, speak to the organiser at once: until play begins it can be undone."),
        ],
    )


def _reminder_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = about_sign_up(sign_up) | {"zone": sign_up.tournament.time_zone}
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
    about = about_sign_up(sign_up) | {"reason": in_mail(sign_up.tournament.pause_reason, 200)}
    return Text(
        _("Called off: %(tournament)s") % about,
        [
            _("“%(tournament)s” (%(when)s) does not take place: %(reason)s") % about,
            _("Nothing is to be done. Should it take place after all, you get a mail, and keep your place."),
        ],
    )


def _held_after_all_text(letter: Letter) -> Text:
    sign_up = _sign_up_of(letter)
    about = about_sign_up(sign_up)
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
    reason = about["reason"]
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
    about = {"name": in_mail(entry.name)} | _about_tournament(tournament)
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
