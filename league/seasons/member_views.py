"""A member's own page in a club: evenings, partners, another member beside them; and what strangers see of it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import ClubAccess, claimable_for, member_for, players_of
from league.access.members import members_of
from league.access.rights import InClub
from league.access.session_links import players_in
from league.calendar import views as calendar
from league.clubs.forms import PrivacyForm
from league.clubs.members import set_privacy
from league.lib.errors import Conflict
from league.lib.search import fold
from league.models import Player
from league.pages.club_page import render_club
from league.pages.tournament_page import organiser_of, posted
from league.roles import club_roles
from league.seasons import member_evenings
from league.seasons import page_rows as season_shown

MOST_EVENINGS = 100


@require_safe
def profile(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """For everybody where it is public, else for the club's own people. `?against=` puts another member beside."""
    access, player = member_for(request.user, club_slug, member_id)
    if not access.sees_profile(player):
        raise Http404
    if player.public_id != member_id:  # merged into another since
        return redirect("profile", club_slug, player.public_id)
    tournaments = access.tournaments()
    evenings = member_evenings.evenings_of(player, tournaments)
    others = [(one.public_id, access.name_of(one)) for one in _others(access, player)]
    asked = request.GET.get("against", "")
    beside = next((one for one in _others(access, player) if one.public_id == asked), None)
    return render_club(
        request,
        access,
        "league/seasons/profile.html",
        page="members",
        title=access.name_of(player),
        player=player,
        name=access.name_of(player),
        mine=player == access.me,
        may_claim=_may_claim(request, access, player),
        evenings=evenings[:MOST_EVENINGS],
        figures=member_evenings.summary_of(evenings),
        chart=member_evenings.place_chart(evenings),
        placed=[one for one in evenings if one.rank is not None][::-1],
        seasons=season_shown.places_of(access.club, player) if evenings else [],
        partners=[(access.name_of(one.player), one) for one in member_evenings.partners_of(player, evenings)],
        for_others=member_evenings.played_for_others(player, tournaments),
        others=sorted(others, key=lambda line: fold(line[1])),
        beside=beside,
        beside_name=access.name_of(beside) if beside else "",
        against=member_evenings.against(player, beside, tournaments) if beside else None,
        calendar=calendar.of_member(request, access, player),
    )


def _others(access: ClubAccess, player: Player) -> list[Player]:
    """With whom somebody can be compared: whose own page the viewer may see too."""
    return [one for one in members_of(access.club) if one != player and access.sees_profile(one)]


def _may_claim(request: HttpRequest, access: ClubAccess, player: Player) -> bool:
    """Whether this browser holds the player's own link of one of their evenings, and nobody is this member yet."""
    if player.user_id is not None or access.me is not None:
        return False
    return any(entry.player_id == player.pk for entry in players_of(request.user, players_in(request)))


@login_required
@require_POST
def claim(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Who holds the own link of this player says, with their account: that am I."""
    player = claimable_for(request.user, club_slug, member_id, players_in(request))
    try:
        club_roles.claim(player=player, user=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
        return redirect("members", club_slug)
    messages.success(request, _("Welcome, %(name)s. Say here what strangers may see of you.") % {"name": player.name})
    return redirect("privacy", club_slug, player.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
def privacy(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """What strangers see of a member: set by the person, or by an organiser as long as nobody has claimed it."""
    access, player = _own_or_unclaimed(request, club_slug, member_id)
    form = PrivacyForm(posted(request), initial={field: getattr(player, field) for field in PrivacyForm.base_fields})
    if form.is_valid():
        set_privacy(player=player, by=organiser_of(request), **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("profile", club_slug, player.public_id)
    return render_club(
        request,
        access,
        "league/seasons/privacy.html",
        page="members",
        title=_("What others see"),
        player=player,
        form=form,
        mine=player == access.me,
    )


@require_POST
def let_go(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Nobody's record again: by the person, or by an organiser who was told that it is somebody else."""
    access, player = member_for(request.user, club_slug, member_id)
    if player != access.me and not access.may(InClub.MEMBERS):
        raise Http404
    club_roles.let_go(player=player, by=organiser_of(request))
    messages.success(request, _("No account is %(name)s any more.") % {"name": player.name})
    return redirect("members", club_slug) if player == access.me else redirect("edit_member", club_slug, member_id)


def _own_or_unclaimed(request: HttpRequest, club_slug: str, member_id: str) -> tuple[ClubAccess, Player]:
    access, player = member_for(request.user, club_slug, member_id)
    theirs: Any = player == access.me
    if not theirs and (player.user_id is not None or not access.may(InClub.MEMBERS)):
        raise Http404
    return access, player
