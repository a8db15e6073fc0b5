"""Pages for the list of a tournament: who plays, in which order, and each of them."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league.access import entry_for, may_erase, tournament_for
from league.access.members import unlisted_members, unlisted_teams
from league.access.rights import Can
from league.access.session_links import players_in
from league.entries.forms import PlayerForm, RosterForm, lines_in_words
from league.entries.list_order import (
    MOST_PLAYERS,
    add_entries,
    move_entry,
    name_places,
    order_by_rating,
    remove_entry,
    rename_entry,
    shuffle_order,
    unnamed_places,
)
from league.entries.roster.rows import Roster, RosterRow
from league.entries.team_forms import TeamForm
from league.entries.team_members import change_team
from league.erasure import erase
from league.ledger.lineups import members_of
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.models import Entry, Player, RatingPoint, Stage, Tournament, User
from league.pages.tournament_page import organiser_of, posted_data, render_page
from league.ratings.seeding import BY_RATING, figures_of
from league.rounds.draw import draw_order
from league.standings import read as ledger
from league.standings.race_in_words import left_in_words


@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of players, for everybody; organisers add names, set the order and correct names."""
    access = tournament_for(request.user, slug, Can.RUN if request.method == "POST" else None, players_in(request))
    stage = access.tournament.stage if access.sees_drafts else access.tournament.stage_shown
    form = RosterForm(posted_data(request), request.FILES or None, of_teams=stage.has_teams)
    of_club = unlisted_teams(access.tournament) if stage.has_teams else unlisted_members(access.tournament)
    chosen = [public_id for public_id in request.POST.getlist("member")[:MOST_PLAYERS] if public_id.isalnum()]
    ticked = list(of_club.filter(public_id__in=chosen))
    status, not_ticked = 200, ""
    if request.method == "POST":
        status = 422
        if request.POST.get("what") == "ticked" and not ticked:
            not_ticked = _("Tick at least one team.") if stage.has_teams else _("Tick at least one member.")
        elif form.is_valid() and not form.roster.rows and not ticked:
            form.add_error("players", _("Type at least one name, or choose a file."))
        elif form.is_valid():
            try:
                named, added = _take_in(access.tournament, form.roster.rows, ticked, organiser_of(request))
            except Refused as refused:
                status = refused.status
                form.add_error("players", str(refused))
            else:
                warn(request, form.roster)
                words = ngettext("%(count)d player added.", "%(count)d players added.", len(added))
                if stage.has_teams:
                    words = ngettext("%(count)d team added.", "%(count)d teams added.", len(added))
                if added:
                    messages.success(request, words % {"count": len(added)})
                if named:
                    words = ngettext("%(count)d place has its name.", "%(count)d places have their names.", named)
                    messages.success(request, words % {"count": named})
                return redirect("players", slug=slug)
    drawn_ahead, by_rating = stage.drawn_ahead, stage.order_seed == BY_RATING
    return render_page(
        request,
        access,
        "league/setup/players.html",
        page="players",
        title=_("Teams") if stage.has_teams else _("Players"),
        status=status,
        form=form,
        line_errors=lines_in_words(form.line_errors),
        stage=stage,
        may_add=access.organises and not access.tournament.has_begun,
        unnamed=len(unnamed_places(access.tournament)) if access.organises and not stage.has_teams else 0,
        entries=list(access.tournament.entries.select_related("player").order_by("number", "id")),
        player_count=access.tournament.entries.exclude(status=Entry.Status.STANDIN).count(),
        drawn=_draw_names(stage) if access.organises and stage.order_seed and (drawn_ahead or by_rating) else [],
        by_rating=by_rating,
        rates=access.organises and _has_ratings(access.tournament),
        listed_as_drawn=drawn_ahead,
        gone={} if drawn_ahead else _exit_words(access.tournament),
        members=of_club if access.organises else [],
        not_ticked=not_ticked,
        possible=translate(stage.plays.describe_possible()),
        in_teams=_team_names(access.tournament) if stage.has_teams else {},
    )


@transaction.atomic
def _take_in(
    tournament: Tournament, rows: Sequence[RosterRow], members: Sequence[Player], by: User
) -> tuple[int, list[Entry]]:
    """(how many places without a name got one, who was added for the names that were left)."""
    if tournament.stage.has_teams:
        return 0, add_entries(tournament=tournament, players=rows, members=members, by=by)
    players, others = name_places(tournament=tournament, players=rows, members=members, by=by)
    named = len(rows) + len(members) - len(players) - len(others)
    left = players or others
    return named, add_entries(tournament=tournament, players=players, members=others, by=by) if left else []


def _team_names(tournament: Tournament) -> dict[int, str]:
    """By the key of the team's entry, the names of its members, substitutes last."""
    substitute = _("%(name)s (substitute)")
    return {
        key: ", ".join(
            substitute % {"name": member.player} if member.is_substitute else str(member.player) for member in members
        )
        for key, members in members_of(tournament.entries.all()).items()
    }


def _exit_words(tournament: Tournament) -> dict[str, str]:
    """{player_id: when they were out, in words} of a Challenge UNO."""
    return {line.entrant.id: left_in_words(line) for line in ledger.read(tournament).standings()}


def _draw_names(stage: Stage) -> list[str]:
    """The names in the order of the draw, with ratings if it is by those."""
    entries = list(stage.tournament.entries.exclude(status=Entry.Status.STANDIN).select_related("player"))
    figures = figures_of(stage, entries)
    order = draw_order(stage, entries, figures)
    return [f"{entry.player.name} {figures[entry.public_id]}" if figures else entry.player.name for entry in order]


def _has_ratings(tournament: Tournament) -> bool:
    """Whether there are ratings to draw by."""
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
    initial = {"name": entry.player.name, "club": entry.player.club_name}
    form: PlayerForm | TeamForm = PlayerForm(posted_data(request), initial=initial)
    if stage.has_teams:
        form = TeamForm(posted_data(request), initial=initial, members=members)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            about: dict[str, Any] = {"entry": entry, "by": organiser_of(request)}
            about |= {name: form.cleaned_data[name] for name in ("name", "club")}
            try:
                if isinstance(form, TeamForm):
                    change_team(**about, members=form.members())
                else:
                    rename_entry(**about)
            except Refused as refused:
                status = refused.status
                form.add_error(None, str(refused))
            else:
                messages.success(request, _("Saved."))
                return redirect("players", slug=slug)
    return render_page(
        request,
        access,
        "league/setup/edit_player.html",
        page="players",
        title=entry.player.name,
        status=status,
        form=form,
        entry=entry,
        members=members,
        removable=not access.tournament.has_begun,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def erase_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Erase a person after asking, since it cannot be undone. The viewer must run every tournament of the person."""
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    allowed = may_erase(request.user, entry.player)
    if request.method == "POST" and allowed:
        person = erase.erase_player(player=entry.player, by=organiser_of(request))
        messages.success(request, _("Erased. What was played stays, under %(name)s.") % {"name": person.name})
        return redirect("players", slug=slug)
    return render_page(
        request,
        access,
        "league/setup/erase_player.html",
        page="players",
        title=_("Erase a person"),
        status=409 if request.method == "POST" else 200,
        entry=entry,
        allowed=allowed,
        tournaments=entry.player.entries.count(),
    )


@require_POST
def remove_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    name = entry.player.name
    try:
        remove_entry(tournament=access.tournament, entry=entry, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, _("%(name)s is off the list.") % {"name": name})
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


def warn(request: HttpRequest, roster: Roster) -> None:
    """Say what is taken from a list and looks odd: two of one name."""
    for sentence in lines_in_words(roster.warnings):
        messages.warning(request, sentence)
