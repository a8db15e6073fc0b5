"""Pages of a club's teams."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league.access import ClubAccess, club_for, team_for
from league.access.rights import InClub
from league.clubs import teams as club_teams_services
from league.clubs.forms import TeamOfClubForm
from league.clubs.imports import add_team_list
from league.clubs.list_views import imports_of, preview_page, say_added
from league.clubs.teams import change_club_team, team_line, teams_of
from league.entries.forms import RosterForm, lines_in_words
from league.entries.list_preview import take_list
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal
from league.pages.club_page import render_club
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, posted_data


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def club_teams(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show the teams. A posted list creates teams, or changes the players of existing ones."""
    access = club_for(request.user, club_slug, InClub.TEAMS if request.method == "POST" else None)
    form = RosterForm(posted_data(request), request.FILES or None, of_teams=True, club=access.club)
    status = 200
    if request.method == "POST":
        answer = take_list(
            form,
            nothing=_("Type at least one team, or choose a file."),
            preview=lambda: preview_page(request, access, form, _("Teams"), "club_teams"),
            take=lambda: _put_together(request, access, form),
        )
        if not isinstance(answer, int):
            return answer
        status = answer
    return render_club(
        request,
        access,
        "league/clubs/club_teams.html",
        page="members",
        title=_("Teams"),
        status=status,
        form=form,
        line_errors=lines_in_words(form.line_errors),
        teams=[team_line(access, team) for team in teams_of(access.club)],
        imports=imports_of(access),
    )


def _put_together(request: HttpRequest, access: ClubAccess, form: RosterForm) -> HttpResponse:
    teams, step = add_team_list(club=access.club, rows=form.roster.rows, by=organiser_of(request))
    words = ngettext("%(count)d team saved.", "%(count)d teams saved.", len(teams))
    say_added(request, access, words % {"count": len(teams)}, step)
    return redirect("club_teams", access.club.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_team(request: HttpRequest, club_slug: str, team_id: str) -> HttpResponse:
    access, team = team_for(request.user, club_slug, team_id, InClub.TEAMS)
    names = [member.player.name for member in team.members.select_related("player").order_by("number", "id")]
    form = TeamOfClubForm(posted_data(request), initial={"name": team.player.name, "players": "\n".join(names)})
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            name, members = form.cleaned_data["name"], form.roster.rows
            try:
                change_club_team(team=team, name=name, members=members, by=organiser_of(request))
            except Refused as refused:
                status = refused.status
                show_refusal(form, refused)
            else:
                messages.success(request, _("Saved."))
                return redirect("club_teams", club_slug)
    return render_club(
        request,
        access,
        "league/clubs/edit_team.html",
        page="members",
        title=team.player.name,
        status=status,
        team=team,
        form=form,
        line_errors=lines_in_words(form.line_errors),
    )


@require_POST
def take_apart(request: HttpRequest, club_slug: str, team_id: str) -> HttpResponse:
    """Delete a team. No confirmation: its players stay members, so adding it again reverses this."""
    _access, team = team_for(request.user, club_slug, team_id, InClub.TEAMS)
    try:
        club_teams_services.take_apart(team=team, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("edit_team", club_slug, team_id)
    messages.success(request, _("Team “%(name)s” deleted. Its players stay members.") % {"name": team.player.name})
    return redirect("club_teams", club_slug)
