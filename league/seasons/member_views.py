"""Profile of a member, and their privacy settings."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import ClubAccess, member_for
from league.access.members import members_of
from league.access.rights import InClub
from league.access.session_links import may_claim, member_to_claim
from league.calendar import views as calendar
from league.clubs.forms import PrivacyForm
from league.clubs.members import set_privacy
from league.lib.errors import Conflict
from league.lib.names import fold
from league.models import Player
from league.pages.club_page import render_club
from league.pages.tournament_page import organiser_of, posted_data
from league.remarks.page import warnings_card
from league.roles import claims
from league.seasons import member_evenings

MOST_EVENINGS = 100


@require_safe
def profile(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Show a public profile to anyone, else to the club's people. `?against=` compares with another member."""
    access, player = member_for(request.user, club_slug, member_id)
    if not access.sees_profile(player):
        raise Http404
    if player.public_id != member_id:  # the record was merged
        return redirect("profile", club_slug, player.public_id)
    tournaments = access.tournaments()
    evenings = member_evenings.evenings_of(player, tournaments)
    choices = [(member.public_id, access.name_of(member)) for member in _comparable_members(access, player)]
    other_id = request.GET.get("against", "")
    other = next((member for member in _comparable_members(access, player) if member.public_id == other_id), None)
    return render_club(
        request,
        access,
        "league/seasons/profile.html",
        page="members",
        title=access.name_of(player),
        player=player,
        name=access.name_of(player),
        mine=player == access.me,
        may_claim=access.me is None and may_claim(request, player),
        evenings=evenings[:MOST_EVENINGS],
        figures=member_evenings.summary_of(evenings),
        chart=member_evenings.place_chart(evenings),
        placed=[evening for evening in evenings if evening.rank is not None][::-1],
        seasons=member_evenings.places_of(access, player) if evenings else [],
        partners=[
            (access.name_of(partner.player), partner) for partner in member_evenings.partners_of(player, evenings)
        ],
        for_others=member_evenings.hands_for_others(player, tournaments),
        others=sorted(choices, key=lambda line: fold(line[1])),
        other_member=other,
        other_name=access.name_of(other) if other else "",
        against=member_evenings.compare(player, other, tournaments) if other else None,
        calendar=calendar.of_member(request, access, player),
        warnings=warnings_card(access, player),
    )


def _comparable_members(access: ClubAccess, player: Player) -> list[Player]:
    """Return the members whose profiles the viewer may see."""
    return [member for member in members_of(access.club) if member != player and access.sees_profile(member)]


@login_required
@require_POST
def claim(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Connect the account to a record; the browser must hold the player's personal link."""
    player = member_to_claim(request, club_slug, member_id)
    try:
        claims.claim(player=player, user=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
        return redirect("members", club_slug)
    messages.success(request, _("Welcome, %(name)s. Choose what strangers see.") % {"name": player.name})
    return redirect("privacy", club_slug, player.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
def privacy(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Set what strangers see of a member: by the person, or by an organiser while no account is connected."""
    access, player = _own_or_unclaimed(request, club_slug, member_id)
    form = PrivacyForm(
        posted_data(request), initial={field: getattr(player, field) for field in PrivacyForm.base_fields}
    )
    if form.is_valid():
        set_privacy(player=player, by=organiser_of(request), **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("profile", club_slug, player.public_id)
    return render_club(
        request,
        access,
        "league/seasons/privacy.html",
        page="members",
        title=_("Privacy"),
        player=player,
        form=form,
        mine=player == access.me,
    )


@require_POST
def let_go(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Disconnect account and record: by the person, or by an organiser."""
    access, player = member_for(request.user, club_slug, member_id)
    if player != access.me and not access.may(InClub.MEMBERS):
        raise Http404
    claims.let_go(player=player, by=organiser_of(request))
    messages.success(request, _("Account disconnected from %(name)s.") % {"name": player.name})
    return redirect("members", club_slug) if player == access.me else redirect("edit_member", club_slug, member_id)


def _own_or_unclaimed(request: HttpRequest, club_slug: str, member_id: str) -> tuple[ClubAccess, Player]:
    access, player = member_for(request.user, club_slug, member_id)
    theirs: Any = player == access.me
    if not theirs and (player.user_id is not None or not access.may(InClub.MEMBERS)):
        raise Http404
    return access, player
