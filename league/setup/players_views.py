"""Pages for the list of a tournament: players, their order, and each player."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, entry_for, import_for, keeps_members, tournament_for
from league.access.members import unlisted_members, unlisted_teams
from league.access.rights import Can
from league.access.session_links import visitor_of
from league.entries.arrivals.many import check_in_many
from league.entries.arrivals.paid import mark_paid, paid_in_words
from league.entries.arrivals.paid_page import MARK_PAID, PAYMENTS
from league.entries.arrivals.views import say_arrivals, say_payments
from league.entries.forms import EntryForm, RosterForm, lines_in_words
from league.entries.imports import add_list, imports_to_undo, undo_import
from league.entries.known_people import sees_members
from league.entries.list_order import (
    MOST_PLAYERS,
    move_entry,
    order_by_rating,
    remove_entries,
    remove_entry,
    rename_entry,
    set_shown_as,
    shuffle_order,
    unnamed_places,
)
from league.entries.list_preview import (
    ImportLine,
    Meant,
    import_line,
    picked_in,
    preview_of,
    take_list,
    undone_in_words,
    who_is_meant,
)
from league.entries.roster.rows import Roster
from league.entries.team_forms import TeamForm
from league.entries.team_members import change_team
from league.entries.ticked import gone_in_words, ticked_entries
from league.erasure.page import erase_page
from league.erasure.sessions import forget_forms
from league.ledger.lineups import members_of
from league.ledger.same_names import typed_addition
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.models import Entry, Player, RatingPoint, Stage, Tournament
from league.pages.confirm import confirm_page
from league.pages.form_key import creates_once
from league.pages.in_place import say_done
from league.pages.people_list import Ticks, filters_of_ticks, list_filters, people_part, read_ticks, wants_people
from league.pages.tournament_page import organiser_of, posted_data, render_page
from league.rounds.draw import draw_order
from league.rounds.seeding import BY_RATING, figures_of
from league.setup.players_list import (
    ACTIONS,
    HERE,
    REMOVE,
    off_the_list,
    players_list,
    remove_question,
    removed_in_words,
)


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the list to everyone. Organisers add and correct names and set the order."""
    access = tournament_for(visitor_of(request), slug, Can.RUN if request.method == "POST" else None)
    stage = access.tournament.stage if access.sees_drafts else access.tournament.stage_shown
    ours = request.method == "POST" and sees_members(organiser_of(request), access.tournament)
    club = access.tournament.club if ours else None
    form = RosterForm(posted_data(request), request.FILES or None, of_teams=stage.has_teams, club=club)
    of_club = unlisted_teams(access.tournament) if stage.has_teams else unlisted_members(access.tournament)
    chosen = [public_id for public_id in request.POST.getlist("member")[:MOST_PLAYERS] if public_id.isalnum()]
    ticked = list(of_club.filter(public_id__in=chosen))
    status, not_ticked = 200, ""
    if request.method == "POST" and request.POST.get("what") == "ticked" and not ticked:
        status = 422
        not_ticked = _("Tick at least one name.")
    elif request.method == "POST":
        meant = None
        if form.is_valid():
            picked = picked_in(request.POST.dict())
            meant = who_is_meant(access.tournament, form.roster.rows, guests=ours, picked=picked)
        answer = take_list(
            form,
            nothing=_("Type at least one name, or choose a file."),
            preview=lambda: _preview(request, access, form, meant),
            take=lambda: _take_in(request, access.tournament, form.roster, meant or Meant(()), ticked),
            meant=meant,
            others=bool(ticked),
        )
        if not isinstance(answer, int):
            return answer
        status = answer
    return _page(request, access, stage, form, status, not_ticked=not_ticked, members=of_club)


def _page(
    request: HttpRequest,
    access: Access,
    stage: Stage,
    form: RosterForm,
    status: int = 200,
    *,
    not_ticked: str = "",
    refusal: str = "",
    members: QuerySet[Player] | None = None,
) -> HttpResponse:
    """members: of the club, to add; None: look them up."""
    tournament = access.tournament
    filters = list_filters(request.GET) if request.method != "POST" else filters_of_ticks(request.POST)
    entries = list(tournament.entries.select_related("player").order_by("number", "id"))
    for entry in entries:
        entry.tournament = tournament
    people = players_list(access, stage, entries, filters)
    if wants_people(request):
        return people_part(request, people)
    if members is None:
        members = unlisted_teams(tournament) if stage.has_teams else unlisted_members(tournament)
    drawn_ahead, by_rating = stage.drawn_ahead, stage.order_seed == BY_RATING
    return render_page(
        request,
        access,
        "league/setup/players.html",
        page="players",
        title=_(stage.plays.entries_name),
        status=status,
        form=form,
        line_errors=lines_in_words(form.line_errors),
        stage=stage,
        may_add=access.organises and not tournament.has_begun,
        unnamed=len(unnamed_places(tournament)) if access.organises and not stage.has_teams else 0,
        people=people,
        refusal=refusal,
        paid=paid_in_words(tournament, entries) if access.checks_in else "",
        player_count=sum(entry.status != Entry.Status.STANDIN for entry in entries),
        drawn=_draw_names(stage) if access.organises and stage.order_seed and (drawn_ahead or by_rating) else [],
        by_rating=by_rating,
        rates=access.organises and _has_ratings(tournament),
        listed_as_drawn=drawn_ahead,
        members=members if access.organises else [],
        not_ticked=not_ticked,
        imports=_imports(access) if access.organises else [],
        possible=translate(stage.plays.describe_possible()),
    )


@require_POST
@creates_once
def players_ticked(request: HttpRequest, slug: str) -> HttpResponse:
    """Check ticked players in or out, note payments, or remove them from the list after a confirmation."""
    access = tournament_for(request.user, slug, Can.RUN)
    tournament, by, url = access.tournament, organiser_of(request), reverse("players", args=[slug])
    try:
        ticks = read_ticks(request.POST, ACTIONS)
        if ticks.do == REMOVE and not ticks.is_sure:
            return _ask_remove(request, access, ticks)
        if ticks.do == REMOVE:
            removed = remove_entries(tournament=tournament, ids=ticks.who, by=by)
            (messages.success if removed.names else messages.warning)(request, removed_in_words(removed))
        elif ticks.do in PAYMENTS:
            payments = mark_paid(tournament=tournament, ids=ticks.who, paid=ticks.do == MARK_PAID, by=by)
            say_payments(request, tournament, payments, back="players")
        else:
            done = check_in_many(tournament=tournament, ids=ticks.who, here=ticks.do == HERE, by=by)
            say_arrivals(request, tournament, done, back="players")
    except Refused as refused:
        stage = tournament.stage
        form = RosterForm(of_teams=stage.has_teams)
        return _page(request, access, stage, form, refused.status, refusal=str(refused))
    return redirect(ticks.filters.address(url))


def _ask_remove(request: HttpRequest, access: Access, ticks: Ticks) -> HttpResponse:
    """Raises `Refused` if no ticked player is on the list any more, or an id is unknown."""
    ticked = ticked_entries(access.tournament, ticks.who)
    if not ticked.entries:
        raise Conflict("gone", " ".join(gone_in_words(ticked.gone)))
    ask = remove_question(reverse("players", args=[access.tournament.slug]), ticked.entries, ticks)
    return confirm_page(request, access, ask, page="players", title=_("Remove from the list"))


def _preview(request: HttpRequest, access: Access, form: RosterForm, meant: Meant | None = None) -> HttpResponse:
    """Show how a list was read, before anyone is added."""
    club = access.tournament.club
    details = club is not None and keeps_members(request.user, club)
    return render_page(
        request,
        access,
        "league/setup/players_preview.html",
        page="players",
        title=_("Add players"),
        form=form,
        preview=preview_of(form, meant, sees_details=details),
    )


def _take_in(
    request: HttpRequest, tournament: Tournament, roster: Roster, meant: Meant, members: Sequence[Player]
) -> HttpResponse:
    """Add the people of a list, and report the result with a button that undoes it."""
    places = meant.to_add(again=request.POST.get("again") == "1")
    rows, chosen = [meant.rows[at] for at in places], meant.chosen(places)
    done = add_list(tournament=tournament, rows=rows, members=members, by=organiser_of(request), chosen=chosen)
    report(request, roster)
    sentences = []
    if done.added:
        sentences.append(_("Added: %(count)d.") % {"count": len(done.added)})
    if done.named:
        sentences.append(_("Places named: %(count)d.") % {"count": len(done.named)})
    if done.step and tournament.has_begun:
        messages.success(request, " ".join(sentences))
    elif done.step:
        undo = reverse("undo_import", args=[tournament.slug, done.step.pk])
        say_done(request, " ".join(sentences), undo=undo)
    return redirect("players", slug=tournament.slug)


@require_POST
def undo_list(request: HttpRequest, slug: str, import_id: int) -> HttpResponse:
    """Undo an added list. Adding it again redoes it, so there is no confirmation."""
    access, step = import_for(request.user, slug, import_id, Can.RUN)
    try:
        count = undo_import(step=step, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        forget_forms([request.path])  # sending the same list again adds it again
        messages.success(request, undone_in_words(count))
    return redirect("players", slug=access.tournament.slug)


def _imports(access: Access) -> list[ImportLine]:
    """Return the added lists that can be undone."""
    slug, zone = access.tournament.slug, access.tournament.zone
    steps = imports_to_undo(access.tournament)
    return [import_line(step, zone, reverse("undo_import", args=[slug, step.pk])) for step in steps]


def _draw_names(stage: Stage) -> list[str]:
    """Return the names in draw order, with ratings if it depends on them."""
    entries = list(stage.tournament.entries.exclude(status=Entry.Status.STANDIN).select_related("player"))
    figures = figures_of(stage, entries)
    order = draw_order(stage, entries, figures)
    return [f"{entry.name} {figures[entry.public_id]}" if figures else entry.name for entry in order]


def _has_ratings(tournament: Tournament) -> bool:
    return tournament.club_id is not None and RatingPoint.objects.filter(club=tournament.club_id).exists()


@require_POST
def order(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.RUN)
    choice, by = request.POST.get("order"), organiser_of(request)
    try:
        if choice == "rating":
            order_by_rating(tournament=access.tournament, by=by)
        else:
            shuffle_order(tournament=access.tournament, shuffled=choice == "shuffled", by=by)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("players", slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    stage = access.tournament.stage
    members = members_of([entry])[entry.pk] if stage.has_teams else []
    initial = {"name": entry.player.name, "club": entry.player.club_name, "addition": typed_addition(entry)}
    form: EntryForm | TeamForm = EntryForm(posted_data(request), initial=initial)
    if stage.has_teams:
        form = TeamForm(posted_data(request), initial=initial, members=members)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            about: dict[str, Any] = {"entry": entry, "by": organiser_of(request)}
            about |= {name: form.cleaned_data[name] for name in ("name", "club")}
            try:
                with transaction.atomic():
                    if isinstance(form, TeamForm):
                        change_team(**about, members=form.members())
                    else:
                        rename_entry(**about)
                    if entry.own_addition or "addition" in form.changed_data:
                        set_shown_as(entry=entry, text=form.cleaned_data["addition"], by=organiser_of(request))
            except Refused as refused:
                status = refused.status
                form.add_error("addition" if "addition" in refused.fields else None, str(refused))
            else:
                messages.success(request, _("Saved."))
                return redirect("players", slug=slug)
    return render_page(
        request,
        access,
        "league/setup/edit_player.html",
        page="players",
        title=entry.name,
        status=status,
        form=form,
        entry=entry,
        members=members,
        removable=not access.tournament.has_begun,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def erase_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Ask for the name before erasing. The viewer must run every tournament of the person."""
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    return erase_page(
        request,
        access,
        entry.player,
        name=entry.name,
        page="players",
        back=reverse("edit_player", args=[slug, public_id]),
        then=reverse("players", args=[slug]),
    )


@require_POST
def remove_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    name = entry.name
    try:
        remove_entry(tournament=access.tournament, entry=entry, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, off_the_list([name]))
    return redirect("players", slug=slug)


@require_POST
def move_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    try:
        move_entry(
            tournament=access.tournament, entry=entry, up=request.POST.get("to") == "up", by=organiser_of(request)
        )
    except Conflict as conflict:
        messages.error(request, str(conflict))
    return redirect("players", slug=slug)


def report(request: HttpRequest, roster: Roster) -> None:
    """Report how a list was read, and which lines were skipped."""
    for sentence in map(translate, roster.notes):
        messages.info(request, sentence)
    for sentence in lines_in_words(roster.warnings):
        messages.warning(request, sentence)
