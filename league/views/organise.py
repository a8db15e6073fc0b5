"""The organiser's pages: the one next step, the rounds, adjustments, the log. The overview is the public's too."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import ledger, services
from league.access import Access, tournament_for
from league.errors import Conflict, Refused
from league.exports import EXPORTS, Wanted
from league.formats import FORMATS
from league.forms import AdjustmentForm
from league.models import LogEntry, Round, Seat, Table, seats_by_table
from league.roles import Can
from league.views.page import organiser_of, posted, render_page

LOG_ROWS = 200


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug)
    return _overview(request, access)


def _overview(request: HttpRequest, access: Access, status: int = 200, said: str = "") -> HttpResponse:
    tournament = access.tournament
    step = services.next_step(tournament)
    current = tournament.rounds.shown().select_related("stage").order_by("-number").first()
    book = ledger.read(tournament)
    context: dict[str, Any] = {
        "step": step,
        "said": said,
        "stage": book.stage,
        "current": current,
        "tables": _tables(current, step) if current else [],
        "byes": list(Seat.objects.filter(round=current, table=None).select_related("entry__player")) if current else [],
        "last_round": book.last_round,
        "standings": book.standings()[:5] if book.last_round else [],
        "rounds_in_all": tournament.rounds.living().count(),
        "player_count": len(book.entrants),
    }
    if access.organises:
        context["possible"] = FORMATS[book.stage.format].describe_possible()
        context["path"] = _path(step)
        return render_page(
            request, access, "league/overview.html", page="tournament", title=_("Overview"), status=status, **context
        )
    return render_page(request, access, "league/now.html", page="tournament", title=_("Now"), status=status, **context)


def _path(step: services.NextStep) -> list[dict[str, Any]]:
    """The four stations of the round in hand, for the bar over the next step."""
    words = [Round.State.DRAFT.label, Round.State.PUBLISHED.label, Round.State.RUNNING.label, Round.State.CLOSED.label]
    here = {"players": -1, "draw": -1, "publish": 0, "close": 2, "finish": 3, "done": 3}[step.kind]
    if step.kind == "close" and step.round is not None and step.round.state == Round.State.PUBLISHED:
        here = 1
    return [{"word": word, "done": number < here, "here": number == here} for number, word in enumerate(words)]


def _tables(played: Round, step: services.NextStep) -> list[dict[str, Any]]:
    """The tables of a round, the unfinished ones first, each with who sits there and how many hands are in."""
    tables = list(played.tables.order_by("number"))
    seats = seats_by_table(Seat.objects.filter(round=played).select_related("entry__player"))
    wanted = played.stage.hands_per_round
    lacking = {table.pk: number for table, number in step.missing}
    lines = []
    for table in tables:
        table.round = played
        people = [seat.entry for seat in seats.get(table.pk, [])]
        lines.append(
            {
                "table": table,
                "people": people,
                "sides": (people[0::2], people[1::2]),
                "hands": lacking.get(table.pk, wanted if played.is_open or played.state == Round.State.CLOSED else 0),
                "unfinished": table.pk in lacking,
            }
        )
    return sorted(lines, key=lambda line: not line["unfinished"])


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Every round with its tables and where they stand."""
    access = tournament_for(request.user, slug, Can.SEE_DRAFTS)
    tables = Table.objects.filter(round__tournament=access.tournament).order_by("round__number", "number")
    by_round: dict[int, list[Table]] = {}
    for table in tables:
        by_round.setdefault(table.round_id, []).append(table)
    lines = [{"round": one, "tables": by_round.get(one.pk, [])} for one in access.rounds().order_by("number")]
    return render_page(request, access, "league/rounds.html", page="rounds", title=_("Rounds"), lines=lines)


@require_POST
def advance(request: HttpRequest, slug: str) -> HttpResponse:
    """The primary button. What it does is named by `step`, so a second press finds the step taken and does nothing."""
    access = tournament_for(request.user, slug, Can.RUN)
    token = request.POST.get("step", "")
    try:
        services.advance(tournament=access.tournament, token=token, by=organiser_of(request))
    except (Conflict, Refused) as refused:
        return _overview(request, access, status=refused.status, said=str(refused))
    said = {
        "draw": _("The seating is drawn. Nobody sees it until you publish round 1."),
        "publish": _("Published. Everybody can see where they sit."),
        "close": _("The round is closed."),
        "finish": _("The standings are final."),
    }.get(token.partition("-")[0])
    if said:
        messages.success(request, said)
    return redirect("tournament", slug=slug)


@require_POST
def undo_draw(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        services.undo_draw(tournament=access.tournament, by=organiser_of(request))
    except Conflict as conflict:
        return _overview(request, access, status=conflict.status, said=str(conflict))
    messages.success(request, _("The draft is gone. Players and settings can change again."))
    return redirect("tournament", slug=slug)


@require_POST
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        services.reopen_tournament(
            tournament=access.tournament, reason=request.POST.get("reason", ""), by=organiser_of(request)
        )
    except Refused as refused:
        return _overview(request, access, status=refused.status, said=str(refused))
    messages.success(request, _("The standings are provisional again."))
    return redirect("tournament", slug=slug)


@require_POST
def again(request: HttpRequest, slug: str) -> HttpResponse:
    """The same people a week later."""
    access = tournament_for(request.user, slug, Can.RUN)
    copy = services.clone_tournament(tournament=access.tournament, by=organiser_of(request))
    messages.success(request, _("Copied with its players, a week later. Check the date and go on."))
    return redirect("settings", slug=copy.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def adjustments(request: HttpRequest, slug: str) -> HttpResponse:
    """Points beside the hands, for everybody to see; organisers add and take back."""
    access = tournament_for(request.user, slug, Can.CORRECT if request.method == "POST" else None)
    tournament = access.tournament
    entries = {entry.public_id: entry for entry in tournament.entries.select_related("player")}
    form = AdjustmentForm(
        posted(request),
        players=[(public_id, entry.player.name) for public_id, entry in entries.items()],
        rounds=[one.number for one in tournament.rounds.shown()],
    )
    status = 200
    if request.method == "POST":
        if form.is_valid():
            data = form.cleaned_data
            try:
                services.adjust(
                    tournament=tournament,
                    entry=entries[data["player"]],
                    points=data["points"],
                    reason=data["reason"],
                    round_number=int(data["round"]) if data["round"] else None,
                    by=organiser_of(request),
                )
            except Refused as refused:
                status = refused.status
                form.add_error(None, str(refused))
            else:
                messages.success(request, _("Noted, and in the standings at once."))
                return redirect("adjustments", slug=slug)
        status = max(status, 422)
    rows = list(EXPORTS["adjustments"].rows(tournament, Wanted(everything=access.corrects)))
    return render_page(
        request,
        access,
        "league/adjustments.html",
        page="adjustments",
        title=_("Adjustments"),
        status=status,
        rows=rows,
        form=form,
    )


@require_POST
def void_adjustment(request: HttpRequest, slug: str, adjustment_id: int) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CORRECT)
    try:
        services.void_adjustment(tournament=access.tournament, adjustment_id=adjustment_id, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Taken back. It stays in the list, struck through."))
    return redirect("adjustments", slug=slug)


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.SEE_LOG)
    entries = LogEntry.objects.filter(tournament=access.tournament).select_related("by")
    return render_page(
        request,
        access,
        "league/log.html",
        page="log",
        title=_("Log"),
        entries=entries[:LOG_ROWS],
        more=entries.count() - LOG_ROWS,
    )
