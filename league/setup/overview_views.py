"""The organiser's pages: next step, rounds, log. The overview is also public."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe

from league.access import Access, clubs_to_hold_in, deadline_for, session_links, tournament_for
from league.access.rights import Can
from league.background import deadlines
from league.calendar import views as calendar
from league.erasure.sessions import forget_forms
from league.formats.setting import MOST_BYE_POINTS
from league.ledger.progress import to_switch
from league.lib.errors import Conflict, Refused
from league.live import stream as live
from league.log.changes import changes, names_of, outcome
from league.log.search import BY, EVERY_ROW, LogFilter, find_rows, people_of, tables_of
from league.models import Round, Table, Tournament
from league.pages.form_key import creates_once
from league.pages.in_place import say_done
from league.pages.people_at import people_at
from league.pages.tournament_page import organiser_of, plays_here, render_page
from league.rounds import draw as drawing
from league.rounds import steps as rounds_services
from league.rounds.bye_worth import decide_bye_worth
from league.rounds.steps import is_taken, reopen_tournament
from league.setup.create import Copy, clone_tournament, entries_to_copy
from league.setup.forms import ByeWorthForm, SetTimeForm
from league.setup.overview.end_of_event import end_of_event
from league.setup.overview.facts import read_facts
from league.setup.overview.inbox import read_inbox
from league.setup.overview.organisers_page import OrganisersPage, organisers_page
from league.setup.overview.public_page import NowPage, now_page
from league.setup.overview.set_time import RefusedTime
from league.standings import read as ledger

LOG_ROWS, LOG_ROWS_FIRST = 200, 14


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(session_links.visitor_of(request), slug)
    return show_overview(request, access)


def show_overview(
    request: HttpRequest,
    access: Access,
    status: int = 200,
    refusal: str = "",
    refused_time: RefusedTime | None = None,
) -> HttpResponse:
    """Render the page, with the refusal of its last form if there is one."""
    tournament = access.tournament
    book = ledger.read(tournament)
    facts = read_facts(tournament, book, corrects=access.corrects, names_at=people_at(access))
    now: OrganisersPage | NowPage
    if access.organises:
        typed = request.POST.get("points", "0")
        template = "league/setup/overview.html"
        now = organisers_page(facts, book, request.user, refusal=refusal, refused_time=refused_time, typed_points=typed)
    else:
        template = "league/setup/now.html"
        now = now_page(
            facts,
            request.user,
            corrects=access.corrects,
            plays=plays_here(request, access),
            online_seat=None if tournament.is_final else session_links.my_online_seat(request, access),
            calendar=calendar.of_tournament(request, access),
        )
    # A POST response has no URL to poll, so don't make it live.
    version = live.version_of(tournament) if request.method == "GET" else None
    standings = request.build_absolute_uri(reverse("standings", args=[tournament.slug]))
    end = end_of_event(facts, standings, organises=access.organises)
    inbox = read_inbox(access)
    more = {"stage": book.stage, "live_version": version, "now": now, "end": end, "inbox": inbox}
    return render_page(
        request,
        access,
        template,
        page="tournament",
        title=pgettext("tab", "Now"),
        status=status,
        needs_you=inbox.count if inbox else 0,
        **more,
    )


@require_POST
def bye_worth(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the points for a bye when the first one comes."""
    access = tournament_for(request.user, slug, Can.RUN)
    form = ByeWorthForm(request.POST)
    try:
        if not form.is_valid():
            raise Refused("points", _("Choose 0 to %(most)d points.") % {"most": MOST_BYE_POINTS})
        round_number, points = form.cleaned_data["round"], form.cleaned_data["points"]
        by = organiser_of(request)
        decide_bye_worth(tournament=access.tournament, round_number=round_number, points=points, by=by)
    except Refused as refused:
        return show_overview(request, access, status=refused.status, refusal=str(refused))
    messages.success(request, _("Bye points: %(points)s.") % {"points": points})
    return redirect("tournament", slug=slug)


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """List every round with its tables and their states."""
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
    """Take the next step. A step that was already taken does nothing, so a second press is harmless."""
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
        say_done(request, _in_words(access.tournament, token), undo=_undo_of(access.tournament, token))
    else:
        messages.warning(request, _("Nothing was done: the tournament has changed. See the next step below."))
    return redirect("tournament", slug=slug)


def _in_words(tournament: Tournament, token: str) -> str:
    """Return what a step did."""
    kind, _dash, number = token.partition("-")
    if kind == "close":
        following = tournament.rounds.living().filter(number__gt=int(number)).order_by("number").first()
        words = {"number": int(number), "next": following.number if following else 0}
        if following is None or following.state == Round.State.DRAFT:
            return _("Round %(number)d is closed.") % words
        return _("Round %(number)d is closed, round %(next)d is published.") % words
    return {
        "draw": _("The seating is drawn. Publish round 1 to show it."),
        "cut": " ".join([_("The next round is drawn."), _("Only organisers see the seating until you publish it.")]),
        "publish": _("Published. Everyone can see their seat."),
        "finish": _("The standings are final."),
    }[kind]


def _undo_of(tournament: Tournament, token: str) -> str:
    """Return the address that undoes a step directly; if that voids hands, the place that asks first."""
    kind, _dash, number = token.partition("-")
    if kind in ("draw", "cut"):
        return reverse(f"undo_{kind}", args=[tournament.slug])
    if kind == "finish":
        return reverse("reopen", args=[tournament.slug])
    latest = tournament.rounds.shown().order_by("-number").values_list("number", flat=True).first()
    if kind == "close" and latest == int(number):
        return f"{reverse('day', args=[tournament.slug])}#undo-round"
    return reverse("undo_publish", args=[tournament.slug, latest])


@require_POST
@creates_once
def set_time(request: HttpRequest, slug: str) -> HttpResponse:
    """Schedule the publishing of a drawn round, at a wall time in the tournament's zone."""
    access = tournament_for(request.user, slug, Can.RUN)
    form = SetTimeForm(request.POST)
    if not form.is_valid():
        refusal = " ".join(str(sentence) for sentence in form.errors.get("at", ())) or _("Choose a round and a time.")
        time = RefusedTime(request.POST.get("at", ""))
        return show_overview(request, access, status=422, refusal=refusal, refused_time=time)
    try:
        deadline = deadlines.set_deadline(
            tournament=access.tournament,
            round_number=form.cleaned_data["round"],
            wall=form.cleaned_data["at"],
            fold=form.cleaned_data["fold"],
            by=organiser_of(request),
        )
    except Refused as refused:
        time = RefusedTime(request.POST.get("at", ""), is_twice=refused.code == "twice")
        return show_overview(request, access, status=refused.status, refusal=str(refused), refused_time=time)
    sentence = _("Time set. You can still publish the round earlier.")
    say_done(request, sentence, undo=reverse("cancel_time", args=[slug, deadline.pk]))
    return redirect("tournament", slug=slug)


@require_POST
def cancel_time(request: HttpRequest, slug: str, deadline_id: int) -> HttpResponse:
    access, deadline = deadline_for(request.user, slug, deadline_id, Can.RUN)
    deadlines.cancel(tournament=access.tournament, deadline_id=deadline.pk, by=organiser_of(request))
    forget_forms([request.path])  # sending the same time again sets it again
    messages.success(request, _("Time removed. Publish the round yourself."))
    return redirect("tournament", slug=slug)


@require_POST
def undo_draw(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        drawing.undo_draw(tournament=access.tournament, by=organiser_of(request))
    except Conflict as conflict:
        return show_overview(request, access, status=conflict.status, refusal=str(conflict))
    messages.success(request, _("The draw is undone. You can change players and settings again."))
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
@creates_once
def again(request: HttpRequest, slug: str) -> HttpResponse:
    """Copy the tournament with its players to a week later."""
    access = tournament_for(request.user, slug, Can.RUN)
    club = access.tournament.club
    may_hold = club is not None and clubs_to_hold_in(request.user).filter(pk=club.pk).exists()
    copy = clone_tournament(tournament=access.tournament, by=organiser_of(request), how=Copy(in_season=may_hold))
    before, after = len(entries_to_copy(access.tournament)), copy.entries.count()
    if after < before:
        sentence = _("%(copied)d of %(all)d copied: erased people are left out. Check the date.")
        messages.success(request, sentence % {"copied": after, "all": before})
    else:
        messages.success(request, _("Copied to a week later. Check the date."))
    return redirect("settings", slug=copy.slug)


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the log by day, newest row first, with a search by table, person and words."""
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
        players=[(entry.public_id, entry.name) for entry in players],
    )
