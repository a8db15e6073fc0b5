"""Views for recording hands: the table's page, the preview, a correction, an undo.

Every save ends in games/hands/record.py. A refusal returns to its form with the typed values.
"""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.entry import happened, phone_queue, repair_views
from games.entry.correction_page import compare, conflict_page, correction_page
from games.entry.forms import CorrectionForm, HandForm, ReportForm
from games.entry.not_let_in import guides_players
from games.entry.page import Occasion, page_of
from games.entry.preview import hint_of, preview_of_form, text_of
from games.entry.public_table import public_table
from games.entry.table_state import played_online, state_of
from games.hands.correct import void_hand
from games.hands.judge import HandRefused
from games.hands.record import Recorded, record_hand
from games.hands.repairs import UNDO
from games.models import Hand
from league.access import Access, RoundUndone, Visitor, table_for
from league.access.rights import Can
from league.access.session_links import forget_visitor, identity_of, visitor_of
from league.access.viewer import Attribution
from league.by_link.scorer_views import guides_scorers
from league.calls.page import TABLE, call_box
from league.ledger.progress import dealt_in, race_of
from league.ledger.scores import confirm_table
from league.lib.errors import Conflict, Refused
from league.live import stream as live
from league.models import HandScore, Table
from league.pages.tournament_page import organiser_of, render_page
from league.rounds.first_deal import decide_first_dealer
from league.rounds.time_left import clock_of


class SeeOther(HttpResponseRedirectBase):
    """A redirect after POST that every client follows with GET."""

    status_code = 303


def _hand_or_404(visitor: Visitor, hand_id: int, right: Can) -> tuple[Access, Table, Hand]:
    """Return a hand of a table for which the visitor has the right."""
    hand = get_object_or_404(Hand.objects.select_related("recorded_by", "scorer_link", "player__player"), pk=hand_id)
    # A phone may hold two links for one table; try the hand's own link first.
    own_first = sorted(visitor.links, key=lambda link: link[0] != hand.scorer_link_id)
    access, table = table_for(replace(visitor, links=tuple(own_first)), hand.table_id, right)
    return access, table, hand


def _table_anew(request: HttpRequest, table_id: int) -> tuple[Access, Table]:
    """The table as it is after a refusal, for a visitor who may still enter its hands."""
    forget_visitor(request)
    return table_for(visitor_of(request), table_id, Can.RECORD)


def author_of(request: HttpRequest, access: Access) -> Attribution:
    """Return the author of an action: an account, a scorer's link, or a player of the table."""
    source = HandScore.Source.ORGANISER
    if not access.corrects:
        source = HandScore.Source.PLAYER if access.entry else HandScore.Source.SCORER
    user = None if access.link or access.entry else organiser_of(request)
    return Attribution(
        user, access.link, None if access.link else access.entry, source=source, corrects=access.corrects
    )


@require_http_methods(["GET", "HEAD", "POST"])
@guides_scorers
@guides_players
@phone_queue.guides
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the next empty hand of a table (or ?hand=N) and the recorded ones. ?from=<hand> re-enters a voided hand.

    A visitor without the right to enter hands sees the public page.
    """
    try:
        access, table = table_for(visitor_of(request), table_id, Can.RECORD)
    except RoundUndone:
        raise
    except Http404 as refusal:
        if request.method == "POST":
            raise
        return public_table(request, table_id, refusal)
    if request.method != "POST":
        if access.entry and played_online(table):
            return redirect("play", table.pk)
        return show_table(request, access, table)
    number = number_in(request.POST.get("hand")) or 0
    form = HandForm(request.POST, seats=lambda: dealt_in(table, number))  # read only if the form is rendered again
    if phone_queue.is_sent(request):
        return phone_queue.answer(
            request, access, table, form, lambda: _save(request, access, table, form), author_of(request, access)
        )
    if "look" in request.POST:
        return show_table(request, access, table, form)
    if not form.is_valid():
        return show_table(request, access, table, form, status=422)
    try:
        _save(request, access, table, form)
    except HandRefused as refused:
        form.refuse(refused)
        return show_table(request, access, table, form, status=refused.status)
    except Conflict as conflict:
        phone_queue.hold(table, form, conflict, author_of(request, access))
        access, table = _table_anew(request, table_id)
        if conflict.code == "taken":
            return _taken_page(request, access, table, form, conflict)
        return show_table(request, access, table, form, status=conflict.status, message=str(conflict), fresh=True)
    except Refused as refused:
        return show_table(request, access, table, form, status=refused.status, message=str(refused), fresh=True)
    return SeeOther(table.get_absolute_url())


def _save(request: HttpRequest, access: Access, table: Table, form: HandForm) -> Recorded:
    """Record the hand of a valid form, and store the event for the next page."""
    data = form.cleaned_data
    recorded = record_hand(
        table_id=table.pk,
        hand=form.hand_input(data["hand"]),
        by=author_of(request, access),
        key=data["key"],
        seating_version=data["seating_version"],
    )
    # A repeated form gets the same answer.
    event = "gone" if recorded.hand.voided_at is not None else "saved" if recorded.created else "same"
    happened.remember(request, recorded.hand, event)
    return recorded


@require_POST
@guides_scorers
@guides_players
def preview(request: HttpRequest, table_id: int) -> HttpResponse:
    """Return the score of the typed hand as a fragment; 200 even if the hand is impossible."""
    access, table = table_for(visitor_of(request), table_id, Can.RECORD)
    hand = _hand_to_replace(request, table) if access.corrects else None
    number = hand.number if hand else number_in(request.POST.get("hand")) or 0
    race = race_of(table.round)
    form = ReportForm(request.POST, seats=dealt_in(table, number, race))
    typed = preview_of_form(table, number, form, hand, race)
    context: dict[str, Any] = {"preview": text_of(typed, hint_of(table, len(form.seats), race))}
    if hand is None:
        return render(request, "games/entry/_preview.html", context)
    context |= {"comparison": compare(table, form.seats, hand, typed), "tournament": access.tournament}
    return render(request, "games/entry/_correction_preview.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, hand_id: int) -> HttpResponse:
    """Void a hand and record its replacement, with a reason; in two steps if seats depend on it."""
    access, table, hand = _hand_or_404(visitor_of(request), hand_id, Can.CORRECT)
    if request.method != "POST":
        if hand.voided_at is not None:
            return _redirect_from_voided(table, hand)
        return _correct_page(request, access, table, hand)
    form = CorrectionForm(request.POST, seats=dealt_in(table, hand.number))
    if hand.voided_at is not None:
        gone = Conflict("void", _("This hand was corrected or undone since you opened the page."))
        return _correction_conflict(request, hand, form, gone)
    if "look" in request.POST:
        return _correct_page(request, access, table, hand, form)
    if not form.is_valid():
        return _correct_page(request, access, table, hand, form, status=422)
    try:
        outcome = repair_views.save_or_show(request, access, table, hand, form)
    except HandRefused as refused:
        form.refuse(refused)
        return _correct_page(request, access, table, hand, form, status=refused.status)
    except Conflict as conflict:
        return _correction_conflict(request, hand, form, conflict)
    if isinstance(outcome, HttpResponse):
        return outcome
    event = "undone" if request.POST.get("repair") == UNDO else "corrected"
    happened.remember(request, outcome, "unchanged" if outcome.pk == hand.pk else event)
    return SeeOther(table.get_absolute_url())


@require_POST
@guides_scorers
@guides_players
def void(request: HttpRequest, hand_id: int) -> HttpResponse:
    """Void a hand and open its form again with its values."""
    access, table, hand = _hand_or_404(visitor_of(request), hand_id, Can.RECORD)
    version = number_in(request.POST.get("version"))
    try:
        void_hand(
            hand_id=hand.pk,
            version=-1 if version is None else version,
            reason=request.POST.get("reason", "").replace("\0", ""),
            by=author_of(request, access),
        )
    except Conflict as conflict:
        access, table = _table_anew(request, table.pk)
        return show_table(request, access, table, status=conflict.status, message=str(conflict), number=hand.number)
    happened.remember(request, hand, "void")
    return SeeOther(_retype_address(table, hand))


@require_POST
def confirm(request: HttpRequest, table_id: int) -> HttpResponse:
    """Confirm the reported hands of a table."""
    access, table = table_for(request.user, table_id, Can.CORRECT)
    try:
        confirm_table(table_id=table.pk, version=number_in(request.POST.get("version")), by=organiser_of(request))
    except Conflict as conflict:
        access, table = table_for(request.user, table.pk, Can.CORRECT)
        return show_table(request, access, table, status=conflict.status, message=str(conflict))
    return SeeOther(table.get_absolute_url())


def _retype_address(table: Table, hand: Hand) -> str:
    """Return the address at which to re-enter a voided hand."""
    return f"{table.get_absolute_url()}?hand={hand.number}&from={hand.pk}"


def _redirect_from_voided(table: Table, hand: Hand) -> HttpResponse:
    standing = Hand.objects.living().filter(table=table, number=hand.number).first()
    return redirect("correct_hand", standing.pk) if standing else redirect(_retype_address(table, hand))


def _correction_conflict(request: HttpRequest, hand: Hand, form: CorrectionForm, conflict: Conflict) -> HttpResponse:
    """Show the current hand together with the typed values."""
    access, table, hand = _hand_or_404(visitor_of(request), hand.pk, Can.CORRECT)
    standing = Hand.objects.living().filter(table=table, number=hand.number).first()
    message = str(conflict)
    if standing is not None:
        return _correct_page(request, access, table, standing, form, status=conflict.status, message=message)
    again = HandForm(_data_for_slot(request, table, hand.number), seats=form.seats)
    return show_table(request, access, table, again, status=conflict.status, message=message, fresh=True)


def _data_for_slot(request: HttpRequest, table: Table, number: int) -> dict[str, str]:
    typed_now = {name: value for name, value in request.POST.items() if isinstance(value, str)}
    return typed_now | {"hand": str(number), "seating_version": str(table.seating_version), "key": ""}


def _hand_to_replace(request: HttpRequest, table: Table) -> Hand | None:
    """Return the hand that a correction would replace, if the preview comes from a correction."""
    number = number_in(request.POST.get("instead"))
    return Hand.objects.living().filter(table=table, pk=number).first() if number else None


def show_table(
    request: HttpRequest,
    access: Access,
    table: Table,
    form: HandForm | None = None,
    *,
    status: int = 200,
    message: str = "",
    fresh: bool = False,
    number: int | None = None,
) -> HttpResponse:
    """Show the table with its next empty hand.

    A bound form keeps its typed values; `fresh` gives it the current seating and a new key.
    """
    at = phone_queue.now()
    state = state_of(access, table, visitor_of(request))
    page = page_of(
        state,
        Occasion(
            identity=identity_of(request, access),
            at=at,
            hand=number or number_in(form["hand"].value() if form else request.GET.get("hand")),
            again=_voided_hand(request, table),
            form=form,
            is_fresh=fresh,
            message=message,
            happened=happened.take(request) if status == 200 else None,
        ),
    )
    identity = identity_of(request, access)
    user = request.user if request.user.is_authenticated else None
    context = {
        "page": page,
        "call": call_box(access, table, who=identity, page=TABLE, user=user),
        "tournament": access.tournament,
        # A POST response has no URL to poll, so it isn't live.
        "live_version": live.version_of(access.tournament) if request.method == "GET" and status == 200 else None,
        "page_title": page.heading,
        "clock": clock_of(table.round, table),
        "facts": page.facts,
    }
    return render(request, "games/entry/table.html", context, status=status)


def number_in(value: Any) -> int | None:
    """Return a number from the request, or None for anything else."""
    return int(value) if str(value or "").isdecimal() and len(str(value)) < 10 else None


def _voided_hand(request: HttpRequest, table: Table) -> Hand | None:
    """Return the voided hand named by ?from=, if it belongs to this table."""
    number = number_in(request.GET.get("from"))
    return Hand.objects.filter(table=table, pk=number).first() if number else None


def _taken_page(request: HttpRequest, access: Access, table: Table, form: HandForm, conflict: Conflict) -> HttpResponse:
    """Show the conflict of two versions of a hand."""
    page = conflict_page(access, table, conflict.current, form)
    context = {"page": page, "tournament": access.tournament}
    return render(request, "games/entry/conflict.html", context, status=conflict.status)


def _correct_page(
    request: HttpRequest,
    access: Access,
    table: Table,
    hand: Hand,
    form: CorrectionForm | None = None,
    *,
    status: int = 200,
    message: str = "",
) -> HttpResponse:
    correction = correction_page(access, table, hand, form, message)
    return render_page(
        request,
        access,
        "games/entry/correct.html",
        page="hands",
        title=_("Correct a hand"),
        status=status,
        correction=correction,
        fields=correction.fields,
        comparison=correction.comparison,
    )


@require_POST
@guides_scorers
@guides_players
def first_dealer(request: HttpRequest, table_id: int) -> HttpResponse:
    """Set the first dealer to `seat`; without it, draw a card for every player."""
    access, table = table_for(visitor_of(request), table_id, Can.RECORD)
    seat = number_in(request.POST.get("seat"))
    try:
        decide_first_dealer(table=table, seat=seat, by=author_of(request, access))
    except Refused as refused:
        return show_table(request, access, table, status=refused.status, message=str(refused))
    return SeeOther(table.get_absolute_url())
