"""The organiser's pages: the next step, the rounds, the log. The overview is also public."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import Access, clubs_to_hold_in, deadline_for, session_links, tournament_for
from league.access.rights import Can
from league.background import deadlines
from league.calendar import views as calendar
from league.entries.sign_up import line_of, missing_at_the_door
from league.formats.knockout import TWO
from league.formats.race import HEAD_TO_HEAD
from league.ledger.field import draws_another
from league.ledger.in_words import rounds_in_all
from league.ledger.progress import to_switch
from league.lib.errors import Conflict, Refused
from league.lib.translate import round_title, translate
from league.live import stream as live
from league.log.changes import changes, names_of, outcome
from league.log.search import BY, EVERY_ROW, LogFilter, find_rows, people_of, tables_of
from league.models import Round, Season, Seat, Table, Tournament
from league.pages.in_place import say_done
from league.pages.tournament_page import organiser_of, render_page
from league.rounds import draw as drawing
from league.rounds import steps as rounds_services
from league.rounds.draw import clubmates
from league.rounds.extra_hand import level_at_the_cut
from league.rounds.steps import NextStep, disputed_tables, is_taken, next_step, reopen_tournament
from league.rounds.time_left import clock_of, usual_minutes
from league.setup.create import clone_tournament
from league.setup.overview_forms import SetTimeForm
from league.setup.stages.cut_page import cut_of_page
from league.standings import read as ledger
from league.standings.progression_in_words import cut_in_words
from league.standings.table_lines import lines_of, name_reporters

LOG_ROWS, LOG_ROWS_FIRST = 200, 14


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, players=session_links.players_in(request))
    return show_overview(request, access)


def show_overview(
    request: HttpRequest, access: Access, status: int = 200, refusal: str = "", time_form: SetTimeForm | None = None
) -> HttpResponse:
    """The page, with why the step was refused that was asked for."""
    tournament = access.tournament
    # The answer to a form has another address than the page, so it cannot be fetched again.
    version = live.version_of(tournament) if request.method == "GET" else None
    step = NextStep("off") if tournament.is_called_off else next_step(tournament)
    current = tournament.rounds.shown().select_related("stage").order_by("-number").first()
    book = ledger.read(tournament)
    tables = lines_of(current, book) if current else []
    next_stage = tournament.stage_and_next[1]
    context: dict[str, Any] = {
        "live_version": version,
        "step": step,
        "said": refusal,
        "stage": book.stage,
        "current": current,
        "tables": tables,
        "online": [line["table"] for line in tables if line["online"]],
        "my_play": session_links.my_online_seat(request, access) if not tournament.is_final else None,
        "some_unfinished": any(line["unfinished"] for line in tables),
        "race": race_of_page(book, current, tables),
        "cut": _cut_in_words(book, step),
        "level": _level(book, step) if access.corrects else [],
        "second_final": _may_have_a_second_final(book, step),
        "byes": list(Seat.objects.filter(round=current, table=None).select_related("entry__player")) if current else [],
        "last_round": book.last_round,
        "standings": book.standings(book.last_round)[:5] if book.last_round else [],
        "standings_of": book.stage,
        "next_stage": next_stage,
        # The number of the round that is drawn when this one is closed, if it is certain that there is one.
        "another": current.number + 1 if current and draws_another(tournament, book.stage) else None,
        "round_title": round_title(current.number, rounds_in_all(book.stage, book.planned)) if current else "",
        "player_count": len(book.entrants),
        # Also tables of rounds that were closed without them; the organiser's next step names those of its round.
        "disputed": disputed_tables(tournament) if access.corrects else (),
        "clock": None if tournament.is_called_off else clock_of(current),
        "sign_up": line_of(tournament),
        "calendar": calendar.of_tournament(request, access),
        "season": _season_of(tournament),
    }
    if access.corrects:
        if current:
            name_reporters(current, tables)
        context["clock_minutes"] = usual_minutes(tournament, book.stage)
    if access.organises:
        context["possible"] = translate(book.stage.plays.describe_possible())
        context["path"] = _path(step)
        context["the_cut"] = cut_of_page(tournament, step)
        context["cut_next"] = next_stage is not None and next_stage.takes is not None
        context["not_here"] = missing_at_the_door(tournament) if step.token in ("draw", "publish-1") else 0
        context["timing"] = _timing(tournament, step, time_form)
        return render_page(
            request,
            access,
            "league/setup/overview.html",
            page="tournament",
            title=_("Now"),
            status=status,
            **context,
        )
    return render_page(
        request, access, "league/setup/now.html", page="tournament", title=_("Now"), status=status, **context
    )


def _cut_in_words(book: ledger.Ledger, step: NextStep) -> list[str]:
    """Who goes on to the round that is published next, or how the first one of a tree was drawn."""
    if book.progression is None:
        return []
    is_first = step.kind == "publish" and not book.progression.rounds
    if is_first and book.stage.plays.in_tree and clubmates(book.tournament):
        return [_("Those who come from one club meet as late as possible.")]
    return cut_in_words(book.progression.state, book.names)


def _level(book: ledger.Ledger, step: NextStep) -> list[tuple[str, list[tuple[str, str]]]]:
    """Those who can play one more hand instead of the lot, as (player_id, name): table by table, then those who are
    compared with other tables."""
    if book.progression is None or step.kind != "publish":
        return []
    state = book.progression.state
    tables: dict[int, list[tuple[str, str]]] = {}
    for entry in level_at_the_cut(book.stage, state):
        tables.setdefault(state.lines[entry].table or 0, []).append((entry, book.names[entry]))
    level = [
        (_("Table %(number)d") % {"number": table}, here) for table, here in sorted(tables.items()) if len(here) > 1
    ]
    others = [who for _table, here in sorted(tables.items()) if len(here) == 1 for who in here]
    return [*level, *([(_("The best of the others"), others)] if others else [])]


def _may_have_a_second_final(book: ledger.Ledger, step: NextStep) -> bool:
    """Whether the round that is played is a final that one of the two may lose and still play once more."""
    if book.progression is None or step.round is None or book.stage.values.get("losses") != TWO:
        return False
    state = book.progression.state
    return state.final == step.round.number and len(state.lost) == 1


def _season_of(tournament: Tournament) -> Season | None:
    """The season in which the tournament counts, if any."""
    return Season.objects.filter(pk=tournament.season_id).first() if tournament.season_id is not None else None


def _timing(tournament: Tournament, step: NextStep, form: SetTimeForm | None) -> dict[str, Any] | None:
    """For the form that sets a time: the drawn round, the time that is set, and what was typed and refused."""
    if step.following is None:
        return None
    deadline = deadlines.upcoming(tournament, step.following)
    return {
        "round": step.following,
        "deadline": deadline,
        "at": deadline.due_at.astimezone(tournament.zone).replace(tzinfo=None) if deadline else None,
        "typed": form["at"].value() if form else "",
        "open": form is not None,
        "twice": form is not None and form.has_error(NON_FIELD_ERRORS, "twice"),
    }


def _path(step: NextStep) -> list[dict[str, Any]]:
    """The four states of the current round, for the bar above the next step."""
    words = [Round.State.DRAFT.label, Round.State.PUBLISHED.label, Round.State.RUNNING.label, Round.State.CLOSED.label]
    position = {"publish": 0, "close": 2, "finish": 3, "done": 3}.get(step.kind, -1)
    if step.kind == "close" and step.round is not None and step.round.state == Round.State.PUBLISHED:
        position = 1
    return [{"word": word, "done": number < position, "here": number == position} for number, word in enumerate(words)]


def race_of_page(
    book: ledger.Ledger, current: Round | None, tables: Sequence[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """Where a Challenge UNO stands, for the words of the next step; None in other formats."""
    if book.race is None:
        return None
    state = book.race.state
    names = {entrant.id: entrant.name for entrant in book.entrants}
    return {
        "still_in": [names[entry] for entry in state.still_in],
        "winner": names[state.winner] if state.winner else "",
        "goes_on": state.goes_on,
        "last_two": len(state.still_in) == HEAD_TO_HEAD,
        "is_head_to_head": len(tables) == 1 and len(tables[0]["people"]) == HEAD_TO_HEAD,
        "next": current.number + 1 if current else 1,
        "open": book.stage.hands_per_round is None,
    }


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Every round with its tables and their states."""
    access = tournament_for(request.user, slug, Can.SEE_DRAFTS)
    tables = Table.objects.filter(round__tournament=access.tournament).exclude(state=Table.State.VOID)
    tables = tables.order_by("round__number", "number")
    by_round: dict[int, list[Table]] = {}
    for table in tables:
        by_round.setdefault(table.round_id, []).append(table)
    listed = list(access.rounds().order_by("number"))
    following = next((round_ for round_ in listed if round_.state == Round.State.DRAFT), None)
    return render_page(
        request,
        access,
        "league/setup/rounds.html",
        page="rounds",
        title=_("Rounds"),
        lines=[{"round": round_, "tables": by_round.get(round_.pk, [])} for round_ in listed],
        following=following,
        to_switch=to_switch(access, following) if following else set(),
    )


@require_POST
def advance(request: HttpRequest, slug: str) -> HttpResponse:
    """The primary button. `step` names what it does, so a second press finds the step taken and does nothing."""
    access = tournament_for(request.user, slug, Can.RUN)
    token = request.POST.get("step", "")
    try:
        rounds_services.advance(
            tournament=access.tournament,
            token=token,
            by=organiser_of(request),
            without=[int(pk) for pk in request.POST.getlist("without") if pk.isdecimal() and len(pk) < 19],
            reason=request.POST.get("reason", "").replace("\0", ""),
        )
    except (Conflict, Refused) as refused:
        return show_overview(request, access, status=refused.status, refusal=str(refused))
    if is_taken(access.tournament, token):
        say_done(request, _in_words(access.tournament, token), undo=_undo_of(slug, token))
    else:
        messages.warning(
            request, _("Somebody changed the tournament meanwhile, so that was not done. See the next step below.")
        )
    return redirect("tournament", slug=slug)


def _in_words(tournament: Tournament, token: str) -> str:
    """What a step did."""
    kind, _dash, number = token.partition("-")
    if kind == "close":
        following = tournament.rounds.living().filter(number__gt=int(number)).order_by("number").first()
        words = {"number": int(number), "next": following.number if following else 0}
        if following is None or following.state == Round.State.DRAFT:
            return _("Round %(number)d is closed.") % words
        return _("Round %(number)d is closed, round %(next)d is published.") % words
    return {
        "draw": _("The seating is drawn. Nobody sees it until you publish round 1."),
        "cut": _("The cut is made, and the next round drawn. Nobody sees it until you publish."),
        "publish": _("Published. Everybody can see where they sit."),
        "finish": _("The standings are final."),
    }[kind]


def _undo_of(slug: str, token: str) -> str:
    """Where a step is taken back; what was published asks for a reason. Final standings are reopened below."""
    if token == "draw":
        return reverse("undo_draw", args=[slug])
    if token.startswith("cut-"):
        return reverse("undo_cut", args=[slug])
    return "" if token == "finish" else f"{reverse('day', args=[slug])}#undo-round"


@require_POST
def set_time(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a drawn round publish itself at a wall time in the tournament's zone."""
    access = tournament_for(request.user, slug, Can.RUN)
    form = SetTimeForm(request.POST)
    if not form.is_valid():
        refusal = " ".join(str(sentence) for sentence in form.errors.get("at", ())) or _("Choose a round and a time.")
        return show_overview(request, access, status=422, refusal=refusal, time_form=form)
    try:
        deadline = deadlines.set_deadline(
            tournament=access.tournament,
            round_number=form.cleaned_data["round"],
            wall=form.cleaned_data["at"],
            fold=form.cleaned_data["fold"],
            by=organiser_of(request),
        )
    except Refused as refused:
        form.add_error(None, ValidationError(str(refused), code=refused.code))
        return show_overview(request, access, status=refused.status, refusal=str(refused), time_form=form)
    sentence = _("Set. The round publishes itself; you may still do it by hand before.")
    say_done(request, sentence, undo=reverse("cancel_time", args=[slug, deadline.pk]))
    return redirect("tournament", slug=slug)


@require_POST
def cancel_time(request: HttpRequest, slug: str, deadline_id: int) -> HttpResponse:
    access, deadline = deadline_for(request.user, slug, deadline_id, Can.RUN)
    deadlines.cancel(tournament=access.tournament, deadline_id=deadline.pk, by=organiser_of(request))
    messages.success(request, _("The time is taken back. The round waits for you."))
    return redirect("tournament", slug=slug)


@require_POST
def undo_draw(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        drawing.undo_draw(tournament=access.tournament, by=organiser_of(request))
    except Conflict as conflict:
        return show_overview(request, access, status=conflict.status, refusal=str(conflict))
    messages.success(request, _("The draft is gone. Players and settings can change again."))
    return redirect("tournament", slug=slug)


@require_POST
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        reopen_tournament(
            tournament=access.tournament,
            reason=request.POST.get("reason", "").replace("\0", ""),
            by=organiser_of(request),
        )
    except Refused as refused:
        return show_overview(request, access, status=refused.status, refusal=str(refused))
    messages.success(request, _("The standings are provisional again."))
    return redirect("tournament", slug=slug)


@require_POST
def again(request: HttpRequest, slug: str) -> HttpResponse:
    """Copy the tournament with its players, a week later."""
    access = tournament_for(request.user, slug, Can.RUN)
    club = access.tournament.club
    may_hold = club is not None and clubs_to_hold_in(request.user).filter(pk=club.pk).exists()
    copy = clone_tournament(tournament=access.tournament, by=organiser_of(request), in_season=may_hold)
    messages.success(request, _("Copied with its players, a week later. Check the date and go on."))
    return redirect("settings", slug=copy.slug)


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """The log by day, the latest row first, with a search by table, person and words."""
    access = tournament_for(request.user, slug, Can.SEE_LOG)
    tournament, log_filter = access.tournament, LogFilter.of(request.GET)
    rows = list(find_rows(tournament, log_filter))
    names = names_of(tournament)
    lines = [
        {
            "row": row,
            "day": row.at.astimezone(tournament.zone).date(),
            "changes": changes(row, names),
            "outcome": outcome(row, names),
        }
        for row in rows[: LOG_ROWS if log_filter != EVERY_ROW or "all" in request.GET else LOG_ROWS_FIRST]
    ]
    accounts, players = people_of(tournament)
    return render_page(
        request,
        access,
        "league/setup/log.html",
        page="log",
        title=_("Log"),
        lines=lines,
        found=len(rows),
        more=len(rows) - LOG_ROWS,
        folded=len(rows) - len(lines) if len(lines) < LOG_ROWS else 0,
        wanted=log_filter,
        filtered=log_filter != EVERY_ROW,
        query=request.GET.urlencode(),
        tables=[(f"{number}.{table}", number, table) for number, table in tables_of(tournament)],
        accounts=[(f"{BY}{account.pk}", account) for account in accounts],
        players=[(entry.public_id, entry.player.name) for entry in players],
    )
