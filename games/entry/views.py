"""Recording hands: the table's page, the scores before saving, a correction, a hand taken back.

Every save ends in games/hands/record.py; what it refuses is shown on the form it came from, with what was typed.
"""

import uuid
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.entry import phone_queue, repair_views, sheet, table_page
from games.entry.forms import CorrectionForm, HandForm, ReportForm, fields_of
from games.entry.not_let_in import guides_players
from games.entry.preview import Preview, preview_of_form
from games.entry.public_table import public_table
from games.hands import points_game
from games.hands.correct import void_hand
from games.hands.first_deal import first_deal_of
from games.hands.judge import HandRefused
from games.hands.record import Recorded, record_hand
from games.hands.repairs import UNDO
from games.hands.seats import one_a_side, seats_of
from games.models import Hand
from league.access import Access, HeldLink, HeldPlayer, RoundUndone, Viewer, table_for
from league.access.by import By
from league.access.rights import Can
from league.access.session_links import links_in, players_in
from league.by_link.scorer_views import guides_scorers
from league.ledger.progress import dealt_in, race_of, table_now, target_of_round
from league.ledger.scores import confirm_table
from league.lib.errors import Conflict, Refused
from league.live import stream as live
from league.models import HandScore, Seat, Table
from league.pages.tournament_page import organiser_of, render_page
from league.rounds.time_left import clock_of


class SeeOther(HttpResponseRedirectBase):
    """After a POST: go on with GET, whatever the client does with other redirects."""

    status_code = 303


def _hand_or_404(
    viewer: Viewer, hand_id: int, right: Can, links: Sequence[HeldLink] = (), players: Sequence[HeldPlayer] = ()
) -> tuple[Access, Table, Hand]:
    """A hand of a table where the viewer has the right."""
    hand = get_object_or_404(Hand.objects.select_related("recorded_by", "scorer_link", "player__player"), pk=hand_id)
    by_its_own = sorted(links, key=lambda link: link[0] != hand.scorer_link_id)  # a phone may hold two for one table
    access, table = table_for(viewer, hand.table_id, right, by_its_own, players)
    return access, table, hand


def author_of(request: HttpRequest, access: Access) -> By:
    """Who acts: an account, somebody with a scorer's link, or a player of the table."""
    if access.link:
        return By(link=access.link)
    return By(player=access.entry) if access.entry else By(organiser_of(request))


def _source(access: Access) -> HandScore.Source:
    if access.corrects:
        return HandScore.Source.ORGANISER
    return HandScore.Source.PLAYER if access.entry else HandScore.Source.SCORER


@require_http_methods(["GET", "HEAD", "POST"])
@guides_scorers
@guides_players
@phone_queue.guides
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    """The next empty hand of a table (or ?hand=N), and the recorded ones. ?from=<hand> types a voided one again.

    Whoever may look but not enter hands gets the page for everybody.
    """
    try:
        access, table = table_for(request.user, table_id, Can.RECORD, links_in(request), players_in(request))
    except RoundUndone:
        raise
    except Http404 as kept_out:
        if request.method == "POST":
            raise
        return public_table(request, table_id, kept_out)
    if request.method != "POST":
        if access.entry and played_online(table):
            return redirect("play", table.pk)
        return show_table(request, access, table)
    form = HandForm(request.POST, seats=dealt_in(table, number_in(request.POST.get("hand")) or 0))
    if phone_queue.is_sent(request):
        return phone_queue.answer(request, access, table, form, lambda: _save(request, access, table, form))
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
        access, table = table_for(request.user, table_id, Can.RECORD, links_in(request), players_in(request))
        if conflict.code == "taken":
            return _taken_page(request, access, table, form, conflict)
        return show_table(request, access, table, form, status=conflict.status, message=str(conflict), fresh=True)
    except Refused as refused:
        return show_table(request, access, table, form, status=refused.status, message=str(refused), fresh=True)
    return SeeOther(table.get_absolute_url())


def _save(request: HttpRequest, access: Access, table: Table, form: HandForm) -> Recorded:
    """Record the hand of a valid form; the next page says what became of it."""
    data = form.cleaned_data
    recorded = record_hand(
        table_id=table.pk,
        hand=data["hand"],
        went_out=data["went_out"],
        reports=form.reports(),
        by=author_of(request, access),
        source=_source(access),
        confirms=access.corrects,
        counts=form.counts,
        key=data["key"],
        seating_version=data["seating_version"],
    )
    # A form that was sent twice gets the same answer twice.
    happened = "gone" if recorded.hand.voided_at is not None else "saved" if recorded.created else "same"
    request.session[table_page.NOTE] = [recorded.hand.pk, happened]
    return recorded


@require_POST
@guides_scorers
@guides_players
def preview(request: HttpRequest, table_id: int) -> HttpResponse:
    """What the typed hand would score, as a fragment. Saves nothing, and answers 200 even for an impossible hand."""
    access, table = table_for(request.user, table_id, Can.RECORD, links_in(request), players_in(request))
    hand = _hand_to_replace(request, table) if access.corrects else None
    number = hand.number if hand else number_in(request.POST.get("hand")) or 0
    race = race_of(table.round)
    form = ReportForm(request.POST, seats=dealt_in(table, number, race))
    context: dict[str, Any] = {"preview": preview_of_form(table, number, form, hand, race)}
    if hand is not None:
        context |= _comparison(access, table, form.seats, hand, context["preview"]) | {
            "aside": True,
            "tournament": access.tournament,
        }
    return render(request, "games/entry/_preview.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, hand_id: int) -> HttpResponse:
    """Void a hand and record it anew, with a reason and what that moves; in a Challenge UNO in two steps."""
    access, table, hand = _hand_or_404(request.user, hand_id, Can.CORRECT)
    if request.method != "POST":
        if hand.voided_at is not None:
            return _redirect_from_voided(table, hand)
        return _correct_page(request, access, table, hand)
    form = CorrectionForm(request.POST, seats=dealt_in(table, hand.number))
    if hand.voided_at is not None:
        gone = Conflict("void", _("Somebody corrected this hand or took it back since you opened the page."))
        return _correction_conflict(request, hand, form, gone)
    if "look" in request.POST:
        return _correct_page(request, access, table, hand, form)
    form.fields["reason"].required = "repair" in request.POST or not repair_views.asks_later(table)
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
    request.session[table_page.NOTE] = [outcome.pk, "unchanged" if outcome.pk == hand.pk else event]
    return SeeOther(table.get_absolute_url())


@require_POST
@guides_scorers
@guides_players
def void(request: HttpRequest, hand_id: int) -> HttpResponse:
    """Undo: take a hand back and open its form again with what it said."""
    access, table, hand = _hand_or_404(request.user, hand_id, Can.RECORD, links_in(request), players_in(request))
    version = number_in(request.POST.get("version"))
    try:
        void_hand(
            hand_id=hand.pk,
            version=-1 if version is None else version,
            reason=request.POST.get("reason", "").replace("\0", ""),
            by=author_of(request, access),
            also_confirmed=access.corrects,
        )
    except Conflict as conflict:
        access, table = table_for(request.user, table.pk, Can.RECORD, links_in(request), players_in(request))
        return show_table(request, access, table, status=conflict.status, message=str(conflict), number=hand.number)
    request.session[table_page.NOTE] = [hand.pk, "void"]
    return SeeOther(_retype_address(table, hand))


@require_POST
def confirm(request: HttpRequest, table_id: int) -> HttpResponse:
    """Confirm what a scorer reported."""
    access, table = table_for(request.user, table_id, Can.CORRECT)
    try:
        confirm_table(table_id=table.pk, version=number_in(request.POST.get("version")), by=organiser_of(request))
    except Conflict as conflict:
        access, table = table_for(request.user, table.pk, Can.CORRECT)
        return show_table(request, access, table, status=conflict.status, message=str(conflict))
    return SeeOther(table.get_absolute_url())


def _retype_address(table: Table, hand: Hand) -> str:
    """Where a voided hand is typed anew."""
    return f"{table.get_absolute_url()}?hand={hand.number}&from={hand.pk}"


def _redirect_from_voided(table: Table, hand: Hand) -> HttpResponse:
    standing = Hand.objects.living().filter(table=table, number=hand.number).first()
    return redirect("correct_hand", standing.pk) if standing else redirect(_retype_address(table, hand))


def _correction_conflict(request: HttpRequest, hand: Hand, form: CorrectionForm, conflict: Conflict) -> HttpResponse:
    """The hand as it stands now, and what was typed, to be looked at and sent once more."""
    access, table, hand = _hand_or_404(request.user, hand.pk, Can.CORRECT)
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
    """The hand that the typed one would replace, when the preview is asked from a correction."""
    number = number_in(request.POST.get("instead"))
    return Hand.objects.living().filter(table=table, pk=number).first() if number else None


def _comparison(access: Access, table: Table, seats: list[Seat], hand: Hand, preview: Preview | None) -> dict[str, Any]:
    """A hand beside what would take its place, and what that moves."""
    was = sheet.lines(table, seats, hand.went_out, hand.seats)
    if preview is None or preview.judged is None:
        return {"was": was, "now": None, "moves": [], "hand": hand}
    was, now = sheet.compare(was, sheet.judged_lines(table, seats, preview.judged))
    moves = sheet.moves(access.tournament, table, hand.number, preview.judged)
    return {"was": was, "now": now, "moves": moves, "hand": hand, "differs": any(line.differs for line in now)}


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
    """The table with its next empty hand.

    A bound form is shown with what was typed; `fresh` sends it for the seating as it is now, and under a new key.
    """
    # The answer to a form cannot be fetched again.
    version = live.version_of(access.tournament) if request.method == "GET" and status == 200 else None
    played = table.round
    everyone = seats_of(table)
    sides = one_a_side(everyone)
    race = race_of(played)
    at = phone_queue.now()
    hands = list(
        Hand.objects.living()
        .filter(table=table)
        .select_related("recorded_by", "scorer_link", "player__player")
        .order_by("-number")
    )
    filled = {hand.number for hand in hands}
    now = None if played.stage.drawn_ahead else table_now(table, race)
    empty = table_page.empty_slots(table, filled, now)
    requested = number or number_in(form["hand"].value() if form else request.GET.get("hand"))
    open_now = played.is_open and not access.tournament.is_final and not access.tournament.is_called_off
    number = requested if form or requested in empty else next(iter(empty), None)
    filled_already = requested if requested in filled and form is None else None
    dealt = form.seats if form else dealt_in(table, number or 0, race)
    online = played_online(table)
    if form is None and open_now and number is not None and not online:
        form = HandForm(seats=dealt, initial=_voided_fields(request, table))
    latest = table_page.latest(access, table, hands, links_in(request))
    context: dict[str, Any] = {
        "access": access,
        "tournament": access.tournament,
        "live_version": version,
        "page_title": _("Table %(number)d") % {"number": table.number},
        "round": played,
        "clock": clock_of(played, table),
        "table": table,
        "hands": sheet.hand_lines(table, hands, race),
        "totals": table_page.totals_of(table, sides, race),
        "race": race is not None,
        "target": race.settings.target if race else target_of_round(played),
        "over": table_page.why_over(table, empty, now, everyone, race),
        "level": open_now and points_game.is_level(table),
        "latest": latest,
        "may_confirm": access.corrects and table.state == Table.State.REPORTED,
        "empty": [slot for slot in empty if slot != number],
        "filled_already": filled_already,
        "number": number,
        "of": table.hands_wanted,
        "said": message,
        "open_now": open_now,
        "online": online,
        "elsewhere": table_page.elsewhere(access, table, race) if open_now else [],
        "note": table_page.note(request, table, race, latest) if status == 200 else None,
        "objections": table_page.objections(table),
        "by_itself_at": table_page.by_itself_at(table),
        "sides": table_page.sides(access, table, everyone, hands) if access.entry and open_now else None,
        "teams": [str(seat.entry) for seat in sides] if played.stage.has_teams else [],
        "facts": phone_queue.facts(
            table,
            dealt,
            empty,
            at=at,
            bound=form is not None and form.is_bound,
            identity=phone_queue.identity_of(request, access),
            race=race,
        ),
    }
    if form is not None:
        shown_form = form if form.is_bound else ReportForm(form.initial or None, seats=dealt)
        context |= table_page.entry(table, form, everyone, race, access.entry) | {
            "dealer": table_page.dealers(table, dealt, [number]).get(number, "") if number else "",
            "first_deal": None if hands or not open_now else first_deal_of(table, dealt),
            "may_not_count": True,
            "key": uuid.uuid4() if fresh or not form.is_bound else form["key"].value() or uuid.uuid4(),
            "seating_version": table.seating_version if fresh or not form.is_bound else form["seating_version"].value(),
            "preview": preview_of_form(table, number or 0, shown_form, race=race),
        }
    return render(request, "games/entry/table.html", context, status=status)


def played_online(table: Table) -> bool:
    """Whether the table's next hand is played or waits online; then nobody types it in."""
    return table.mode == Table.Mode.ONLINE and table.deals.open().exists()


def number_in(value: Any) -> int | None:
    """A number that came with the request, or None for anything else."""
    return int(value) if str(value or "").isdecimal() and len(str(value)) < 10 else None


def _voided_fields(request: HttpRequest, table: Table) -> dict[str, Any]:
    """The fields of the voided hand that ?from= names, if it was this table's."""
    number = number_in(request.GET.get("from"))
    hand = Hand.objects.filter(table=table, pk=number).first() if number else None
    return fields_of(hand) if hand else {}


def _taken_page(request: HttpRequest, access: Access, table: Table, form: HandForm, conflict: Conflict) -> HttpResponse:
    """Two people saved the same hand differently: theirs beside mine."""
    standing: Hand = conflict.current
    seats = form.seats
    preview = preview_of_form(table, standing.number, form, standing)
    context = _comparison(access, table, seats, standing, preview)
    scores = sheet.scores_of(table, standing) if table.round.stage.has_partners else []
    context |= {
        "access": access,
        "tournament": access.tournament,
        "table": table,
        "round": table.round,
        "theirs": context["was"],
        "mine": context["now"],
        "their_sides": sheet.sides(table, seats, scores, standing.went_out) if scores else [],
        "my_sides": preview.sides if preview and scores else (),
        "differing": [line.name for line in context["now"] or [] if line.differs],
        "typed": [(name, request.POST.get(name, "")) for name in form.typed_fields()],
        "of": table.hands_wanted,
        "key": form["key"].value() or "",
    }
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
    """A hand with its fields, what it was, what it will be, and what that moves."""
    race = race_of(table.round)
    seats = form.seats if form else dealt_in(table, hand.number, race)
    bound = form or CorrectionForm(seats=seats, initial=fields_of(hand))
    preview = preview_of_form(table, hand.number, form or ReportForm(fields_of(hand), seats=seats), hand, race)
    # A version conflict shows the table as it is now; a form that was refused keeps the version it was typed for.
    version = table.version if form is None or message else form["version"].value()
    context = (
        table_page.entry(table, bound)
        | _comparison(access, table, seats, hand, preview)
        | {
            "round": table.round,
            "preview": preview,
            "version": version,
            "said": message,
            "post_to": reverse("correct_hand", args=[hand.pk]),
            "asks_later": repair_views.asks_later(table),
            "of": table.hands_wanted,
        }
    )
    title = _("Correct a hand")
    return render_page(request, access, "games/entry/correct.html", page="hands", title=title, status=status, **context)
