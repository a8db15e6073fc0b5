"""Inbox items of players who ask to leave or come late, and the words of their answers."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from league.access import Access
from league.day.people import fewer_at_table, leaving_a_duel
from league.leaving.requests import Kind, State, is_closed, is_over, place_of
from league.models import Entry, LeaveRequest, Tournament
from league.pages.confirm import Confirmation, Way
from league.pages.inbox import InboxItem
from league.pages.links import Button


def items(tournament: Tournament, viewer: Access) -> list[InboxItem]:
    if not viewer.corrects or tournament.is_over:
        return []
    waiting = LeaveRequest.objects.filter(entry__tournament=tournament, state=State.WAITING)
    rows = []
    for request in waiting.select_related("entry__player"):
        request.entry.tournament = tournament
        if not is_over(request):
            rows.append(_item(request))
    return rows


def _item(request: LeaveRequest) -> InboxItem:
    entry = request.entry
    is_late = request.kind == Kind.LATE
    title = _("%(name)s comes late") if is_late else _("%(name)s asks to leave")
    url = reverse("answer_leave", args=[entry.tournament.slug, request.pk])
    accept = Button(_("Got it") if is_late else _("Accept"), url, "do", "accept")
    return InboxItem(
        key=f"leave-{request.pk}",
        icon="i-wait" if is_late else "i-leave",
        title=title % {"name": entry.name},
        line=_line(request),
        since=request.created_at,
        actions=(accept,) if is_late else (accept, Button(_("Refuse"), url, "do", "refuse")),
    )


def _line(request: LeaveRequest) -> str:
    if request.kind == Kind.LATE:
        return format_html("<q>{}</q>", request.text) if request.text else _("No time given.")
    words = {"number": request.round_number}
    if request.kind == Kind.AFTER and not is_closed(request.entry.tournament, request.round_number):
        return _("After round %(number)d.") % words
    if request.kind == Kind.AFTER:
        return _("Wanted to leave after round %(number)d, which is closed.") % words
    return " ".join([_("Now."), *_consequences(request.entry)])


def _consequences(entry: Entry) -> list[str]:
    stage = entry.tournament.stage
    seat = place_of(entry).seat
    if seat is None or seat.table is None:
        return [_("No hands are left in this round.")]
    if stage.has_teams:
        return [_("The match at table %(number)d ends.") % {"number": seat.table.number}]
    if stage.drawn_ahead:
        return [_("A free player or a stand-in takes the seat.")]
    return [*leaving_a_duel(entry), *fewer_at_table(entry)]


def answered_in_words(request: LeaveRequest) -> str:
    """Return the message after an answer."""
    words = {"name": request.entry, "number": request.round_number}
    if request.kind == Kind.LATE:
        return _("%(name)s reads that you know.") % words
    if request.state == State.REFUSED:
        return _("Refused. %(name)s sees it on My table.") % words
    if request.event_id is None:
        return _("%(name)s leaves when round %(number)d closes.") % words
    return _("%(name)s has dropped out.") % words


def undo_question(request: LeaveRequest) -> Confirmation:
    words = {"name": request.entry}
    return Confirmation(
        title=_("Undo the answer to %(name)s?") % words,
        text=_("The request waits for another answer. If %(name)s has left, they play again.") % words,
        ways=(Way(_("Open the tournament"), reverse("tournament", args=[request.entry.tournament.slug])),),
        button=_("Undo the answer"),
        is_quiet=True,
    )
