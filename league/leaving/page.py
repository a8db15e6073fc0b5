"""What a player reads about leaving: the strip on *My table*, and the page with the actions."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.access.viewer import Visitor
from league.day.people import fewer_at_table, leaving_a_duel
from league.entries.list_preview import Option, RadioQuestion
from league.entries.places import next_in_line
from league.leaving.requests import Kind, Place, State, is_over, latest_request, may_play_later, place_of, plays_on
from league.leaving.team import swaps_of, why_not_captain
from league.models import Entry, LeaveRequest, Tournament
from league.pages.links import Button, Link

CANNOT_COME, LEAVE, LATE, SUBSTITUTE, WITHDRAW = "cannot-come", "leave", "late", "substitute", "withdraw"


@dataclass(frozen=True)
class Strip:
    """The state of a player's request. is_good: it was accepted. button: withdraws it. link: to the page below."""

    title: str = ""
    text: str = ""
    icon: str = "i-leave"
    is_good: bool = False
    button: Button | None = None
    link: Link | None = None


@dataclass(frozen=True)
class Section:
    """One action with its form. question: radio buttons. has_text: it has a text field. is_main: of the button."""

    do: str
    title: str
    text: tuple[str, ...]
    button: str
    question: RadioQuestion | None = None
    hidden: tuple[tuple[str, str], ...] = ()
    has_text: bool = False
    is_main: bool = False


@dataclass(frozen=True)
class LeavePage:
    """The page. empty: why there is nothing to do, without sections and strip."""

    url: str
    back: Link
    strip: Strip | None
    sections: tuple[Section, ...]
    empty: str = ""


def address(entry: Entry) -> str:
    return reverse("leave", args=[entry.tournament.slug], query={"player": entry.public_id})


def my_table(entry: Entry) -> str:
    return reverse("my_table", args=[entry.tournament.slug], query={"player": entry.public_id})


# --- the strip


def strip_of(tournament: Tournament, entry: Entry, *, has_more: bool) -> Strip | None:
    """Return the strip of *My table*; None without anything to say or do. has_more: rounds may follow for the entry."""
    if tournament.is_over or entry.status == Entry.Status.STANDIN:
        return None
    entry.tournament = tournament
    request = latest_request(entry)
    if entry.status == Entry.Status.DROPPED:
        return _left(tournament, request)
    word = _("I’m leaving or late") if tournament.has_begun else _("I can’t come or I’ll be late")
    link = Link(word, address(entry), icon="i-leave") if has_more else None
    if request is None or is_over(request):
        return Strip(link=link) if link else None
    if request.kind == Kind.LATE:
        return _late(request, link)
    return _leaving(request, link)


def _left(tournament: Tournament, request: LeaveRequest | None) -> Strip:
    text = _("Recorded hands still count. To return, ask the organiser.")
    answered = request.answered_by if request and request.event and request.event.voided_at is None else None
    if answered is not None:
        return Strip(_("%(name)s accepted. You have left") % {"name": answered}, text, is_good=True)
    has_teams = tournament.stage.has_teams
    return Strip(_("Your team has left the tournament") if has_teams else _("You have left the tournament"), text)


def _late(request: LeaveRequest, link: Link | None) -> Strip:
    here = Button(_("I’m here"), address(request.entry), WITHDRAW, str(request.pk))
    title, text, knows = _("You’re late"), _("The organiser sees this."), request.state == State.ACCEPTED
    if knows:
        title, text = _("%(name)s knows that you’re late") % {"name": request.answered_by or _("The organiser")}, ""
    return Strip(title, request.text or text, icon="i-wait", is_good=knows, button=here, link=link)


def _leaving(request: LeaveRequest, link: Link | None) -> Strip:
    words = {"number": request.round_number, "name": request.answered_by or _("The organiser")}
    address_ = address(request.entry)
    if request.state == State.REFUSED:
        return Strip(_("%(name)s refused") % words, _("You play on. Ask the organiser."), link=link)
    if request.state == State.WAITING:
        after = request.kind == Kind.AFTER
        title = _("You want to leave after round %(number)d") if after else _("You want to leave now")
        return Strip(
            title % words,
            _("Waiting for the organiser"),
            button=Button(pgettext("a request", "Withdraw"), address_, WITHDRAW, str(request.pk)),
        )
    leaves = _("You leave after round %(number)d") % words
    if request.answered_by is None:  # by the tournament's setting
        return Strip(
            leaves,
            _("Until then you play on."),
            is_good=True,
            button=Button(_("Stay"), address_, WITHDRAW, str(request.pk)),
        )
    text = _("You leave after round %(number)d. Until then you play on.") % words
    return Strip(_("%(name)s accepted") % words, text, is_good=True)


# --- the page


def page_of(entry: Entry, visitor: Visitor, chosen: str = "") -> LeavePage:
    """Return the page. chosen: the ticked radio button."""
    tournament = entry.tournament
    strip = strip_of(tournament, entry, has_more=False)
    sections = tuple(_sections(tournament, entry, visitor, chosen))
    return LeavePage(
        url=address(entry),
        back=Link(_("Back to my table"), my_table(entry)),
        strip=strip,
        sections=sections,
        empty="" if strip or sections else _("You play no more rounds, so there is nothing to leave."),
    )


def _sections(tournament: Tournament, entry: Entry, visitor: Visitor, chosen: str) -> list[Section]:
    if tournament.is_over or entry.status != Entry.Status.ACTIVE:
        return []
    if not tournament.has_begun:
        return [_cannot_come(tournament), _late_section()]
    if not plays_on(entry):
        return []
    sections = [_leave_section(tournament, entry, chosen), _late_section()]
    if tournament.stage.has_teams and not why_not_captain(entry, visitor) and (swaps := swaps_of(entry)):
        sections.insert(0, _substitute_section(swaps, chosen))
    return sections


def _cannot_come(tournament: Tournament) -> Section:
    waiting = next_in_line(tournament)
    frees = _("Your place goes to the waiting list at once.") if waiting else _("Your place becomes free at once.")
    title = _("Your team can’t come") if tournament.stage.has_teams else _("You can’t come")
    return Section(CANNOT_COME, title, (frees, _("This can’t be undone.")), _("Give up my place"))


def _late_section() -> Section:
    text = _("You keep your place. The organiser sees your message.")
    return Section(LATE, _("You’re late"), (text,), _("Tell the organiser"), has_text=True)


def _leave_section(tournament: Tournament, entry: Entry, chosen: str) -> Section:
    place = place_of(entry)
    options = [Option(Kind.NOW, _("Leave now"), _what_now_means(entry, place))]
    if place.seat is not None and may_play_later(entry):
        words = {"number": place.round_number, "next": place.round_number + 1}
        hint = _("You play the rest of round %(number)d and get no seat in round %(next)d.") % words
        options.insert(0, Option(Kind.AFTER, _("Leave after round %(number)d") % words, hint))
    picked = chosen if chosen in {option.value for option in options} else options[0].value
    options = [Option(option.value, option.label, option.hint, option.value == picked) for option in options]
    is_choice = len(options) > 1
    answer = _("This counts at once.") if tournament.players_leave else _("The organiser accepts or refuses.")
    keeps = _("Recorded hands still count.")
    return Section(
        LEAVE,
        _("Your team leaves") if tournament.stage.has_teams else _("Leave the tournament"),
        (answer, keeps) if is_choice else (options[0].hint, answer, keeps),
        _("Leave the tournament") if tournament.players_leave else _("Ask to leave"),
        RadioQuestion("when", _("When?"), tuple(options)) if is_choice else None,
        (("round", str(place.round_number)), *(() if is_choice else (("when", str(Kind.NOW)),))),
        is_main=True,
    )


def _what_now_means(entry: Entry, place: Place) -> str:
    stage = entry.tournament.stage
    if place.seat is None:
        return _("You get no more seats.")
    if stage.has_teams:
        return _("Your match ends at once.")
    if stage.drawn_ahead:
        return _("Someone else takes your seat from the next hand on.")
    return " ".join([*leaving_a_duel(entry), *fewer_at_table(entry)]) or _("You get no more seats.")


def _substitute_section(swaps: list[tuple[str, str]], chosen: str) -> Section:
    options = tuple(Option(value, words, "", value == chosen) for value, words in swaps)
    text = _("The substitute plays from the next hand on.")
    question = RadioQuestion("swap", _("Who plays?"), options)
    return Section(SUBSTITUTE, _("Name a substitute"), (text,), _("Change the line-up"), question)
