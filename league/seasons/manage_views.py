"""Organiser's pages for a season: end it, create the next one, delete it."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league.access import ClubAccess, season_for
from league.access.rights import InClub
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal
from league.models import Season, Tournament
from league.pages.club_page import render_club
from league.pages.confirm import Confirmation, Way, confirm_page
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, posted_data
from league.seasons import seasons
from league.seasons.forms import NextSeasonForm, ReopenForm
from league.seasons.next_season import end_and_move_on, free_next_name, preview_roll_over, roll_over
from league.seasons.seasons import why_it_stays
from league.seasons.table import DOWN, UP, SeasonLine, SeasonTable, season_table
from league.seasons.views import PAGE


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def close_season(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Preview promotions and relegations; the POST ends the season.

    With `move_on`, the POST also creates the next season and moves tournaments that haven't started into it.
    """
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    problem, status = "", 200
    if request.method == "POST":
        move_on = "move_on" in request.POST
        try:
            if move_on:
                following = end_and_move_on(season=season, by=organiser_of(request)).season
            else:
                seasons.close_season(season=season, by=organiser_of(request))
        except Refused as refused:
            problem, status = str(refused), refused.status
        else:
            if move_on:
                messages.success(request, _("Season ended. “%(name)s” created.") % {"name": following.name})
                return redirect("season", club_slug, following.slug)
            messages.success(request, _("Season ended. Its standings are final."))
            return redirect("season", club_slug, season_slug)
    table = season_table(season)
    return render_club(
        request, access, "league/seasons/season_close.html", page=PAGE, title=_("End the season"), status=status,
        error_message=problem, moving=_moves_by_division(access, table), open_ones=_open_evenings(table),
        to_move=[evening.tournament for evening in table.not_begun] if table.can_end else [],
        next_name=free_next_name(season),
        called_off=[
            tournament
            for tournament in season.tournaments.order_by("starts_on", "pk")
            if tournament.is_called_off
        ],
        season=season, table=table, has_divisions=table.has_divisions,
    )  # fmt: skip


def _open_evenings(table: SeasonTable) -> list[Tournament]:
    return [evening.tournament for evening in table.evenings if not evening.is_final]


def _moves_by_division(access: ClubAccess, table: SeasonTable) -> list[dict[str, Any]]:
    """Return winners, promotions and relegations of each division as (name, total)."""

    def names_and_totals(lines: Iterable[SeasonLine]) -> list[tuple[str, int]]:
        return [(access.name_of(line.player), line.total) for line in lines]

    return [
        {
            "division": division.division,
            "first": names_and_totals(line for line in division.lines if line.rank == 1),
            "up": names_and_totals(line for line in division.lines if line.moves == UP),
            "down": names_and_totals(line for line in division.lines if line.moves == DOWN),
        }
        for division in table.divisions
    ]


@require_POST
def reopen_season(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Reopen an ended season. The log records the reason."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    form = ReopenForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    try:
        seasons.reopen_season(season=season, reason=reason, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Season reopened."))
    return redirect("season", access.club.slug, season_slug)


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def next_season(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Preview the next season by creating it and rolling back; the POST creates it."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    if following := getattr(season, "after", None):
        return redirect("season", club_slug, following.slug)
    form = NextSeasonForm(posted_data(request))
    by, problem, status, would = organiser_of(request), "", 422 if request.method == "POST" else 200, None
    try:
        if form.is_valid():
            new_season = roll_over(season=season, by=by, name=form.cleaned_data["name"]).season
            messages.success(request, _("“%(name)s” created.") % {"name": new_season.name})
            return redirect("season", club_slug, new_season.slug)
    except Refused as refused:
        status = refused.status
        if refused.fields:
            show_refusal(form, refused)
    try:
        would = preview_roll_over(season=season, by=by)
        form.fields["name"].initial = would.season.name
    except Refused as refused:
        problem, status = str(refused), refused.status if request.method == "POST" else 200
    return render_club(
        request, access, "league/seasons/season_next.html", page=PAGE, title=_("Next season"), status=status,
        season=season, form=form, error_message=problem, would=would,
    )  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def delete_season(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Confirm first. If the season can't be deleted, the page says why."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.DELETE)
    status = 200
    if request.method == "POST":
        try:
            seasons.delete_season(season=season, by=organiser_of(request))
        except Refused as refused:
            status = refused.status
        else:
            messages.success(request, _("“%(name)s” deleted.") % {"name": season.name})
            return redirect("seasons", access.club.slug)
    return confirm_page(
        request, access, delete_question(season), page=PAGE, title=_("Delete the season"), status=status
    )


def delete_question(season: Season) -> Confirmation:
    """Return the confirmation, or the reason why the season can't be deleted."""
    address, about = season.get_absolute_url(), {"name": season.name}
    heading, where = _("Delete the season"), f"{season.club.name}. {season.name}"
    if why_not := why_it_stays(season):
        evenings = reverse("season_evenings", args=[season.club.slug, season.slug])
        has_evenings, back = why_not.code == "has-evenings", Way(_("Back"), address)
        return Confirmation(
            title=_("Can’t be deleted"),
            text=str(why_not),
            ways=(Way(_("Tournaments in this season"), evenings, is_main=True), back) if has_evenings else (back,),
            heading=heading,
            where=where,
        )
    text = [_("Its rules and address are lost. No result changes.")]
    if placed := season.placed.count():
        sentence = ngettext(
            "%(count)s player loses their division.",
            "%(count)s players lose their division.",
            placed,
        )
        text.append(sentence % {"count": placed})
    if season.before:
        text.append(_("You can then create another season after “%(name)s”.") % {"name": season.before.name})
    return Confirmation(
        title=_("Delete %(name)s?") % about,
        text=" ".join(text),
        ways=(Way(_("Keep"), address),),
        button=_("Delete %(name)s") % about,
        is_final=True,
        heading=heading,
        where=where,
    )
