"""Pages of roles in a tournament or club: list, invitations, and the page behind an invitation's link."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import (
    Access,
    ClubAccess,
    club_for,
    club_invitation_for,
    club_role_for,
    invitation_for,
    role_for,
    tournament_for,
)
from league.access.rights import Can, InClub
from league.access.secrets import used_invitation_of
from league.lib.errors import Conflict
from league.models import Club, ClubRole, Entry, Player, Role, Tournament
from league.pages.answers import not_found, private_link, too_many_bad_links, used_invitation
from league.pages.confirm import confirm_page
from league.pages.frames import render_framed
from league.pages.tournament_page import organiser_of
from league.roles import roles as services
from league.roles.deliver import Outcome, invite_by_form
from league.roles.forms import InvitationForm
from league.roles.page import give_up_question, helpers_page, offer_of
from league.roles.roles import AnyInvitation, AnyRole, accept, invitation_of, invite, place_of


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the roles in a tournament, with an invitation form. Only its response shows the new link."""
    access = tournament_for(request.user, slug, Can.INVITE)
    entries = {entry.public_id: entry for entry in access.tournament.entries.select_related("player")}
    players = [(public_id, entry.name) for public_id, entry in entries.items()]
    return _people(request, access, {"kinds": Role.Kind.choices, "players": players}, entries)


@require_http_methods(["GET", "HEAD", "POST"])
def club_people(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show the roles in a club, with an invitation form. Only its response shows the new link."""
    access = club_for(request.user, club_slug, InClub.INVITE)
    return _people(request, access, {"kinds": ClubRole.Kind.choices})


def _people(
    request: HttpRequest, access: Access | ClubAccess, choices: dict[str, Any], entries: dict[str, Entry] | None = None
) -> HttpResponse:
    """entries: of a tournament, by value of the field `player`."""
    if request.method != "POST":
        return _page(request, access, InvitationForm(**choices))
    form = InvitationForm(request.POST, **choices)

    def make() -> tuple[AnyInvitation, str]:
        data = form.cleaned_data
        return invite(
            to=_place(access),
            kind=data["kind"],
            by=organiser_of(request),
            email=data["email"],
            entry=entries.get(data["player"]) if entries else None,
            days=data["days"],
        )

    outcome = invite_by_form(request, form, page=_address(access), make=make)
    return outcome.answer or _page(request, access, InvitationForm(**choices) if outcome.link else form, outcome)


def _page(
    request: HttpRequest, access: Access | ClubAccess, form: InvitationForm, outcome: Outcome | None = None
) -> HttpResponse:
    """Show the list with the form, and the new link if any."""
    outcome = outcome or Outcome()
    answer = render_framed(
        request,
        access,
        "league/roles/people.html",
        page=_name(access),
        title=_("Helpers"),
        status=outcome.status,
        helpers=helpers_page(_place(access), request.user),
        form=form,
        invitation=outcome.invitation,
        link=outcome.link,
    )
    if outcome.retry_after:
        answer["Retry-After"] = str(outcome.retry_after)
    return answer


def _place(access: Access | ClubAccess) -> Tournament | Club:
    return access.club if isinstance(access, ClubAccess) else access.tournament


def _name(access: Access | ClubAccess) -> str:
    """Return the URL name of the helpers' page."""
    return "club_people" if isinstance(access, ClubAccess) else "people"


def _address(access: Access | ClubAccess) -> str:
    return reverse(_name(access), args=[_place(access).slug])


@require_POST
def take_back_role(request: HttpRequest, slug: str, role_id: int) -> HttpResponse:
    return _take_back(request, *role_for(request.user, slug, role_id, Can.INVITE))


@require_POST
def take_back_club_role(request: HttpRequest, club_slug: str, club_role_id: int) -> HttpResponse:
    return _take_back(request, *club_role_for(request.user, club_slug, club_role_id, InClub.INVITE))


def _take_back(request: HttpRequest, access: Access | ClubAccess, role: AnyRole) -> HttpResponse:
    """Remove a role. Confirm first if it is the viewer's own: they may lose access to this page."""
    by = organiser_of(request)
    own = role.user_id == by.pk
    if own and request.POST.get("sure") != "yes":
        return confirm_page(request, access, give_up_question(role), page=_name(access), title=_("Helpers"))
    services.take_back_role(role=role, by=by)
    words = {"who": role.user, "role": role.get_kind_display()}
    if own:
        messages.success(request, _("You gave up your role: %(role)s.") % words)
        return redirect("clubs" if isinstance(role, ClubRole) else "home")
    messages.success(request, _("Role removed from %(who)s: %(role)s.") % words)
    return redirect(_address(access))


@require_POST
def revoke_invitation(request: HttpRequest, slug: str, invitation_id: int) -> HttpResponse:
    return _revoke(request, *invitation_for(request.user, slug, invitation_id, Can.INVITE))


@require_POST
def revoke_club_invitation(request: HttpRequest, club_slug: str, club_invitation_id: int) -> HttpResponse:
    return _revoke(request, *club_invitation_for(request.user, club_slug, club_invitation_id, InClub.INVITE))


def _revoke(request: HttpRequest, access: Access | ClubAccess, invitation: AnyInvitation) -> HttpResponse:
    services.revoke_invitation(invitation=invitation, by=organiser_of(request))
    messages.success(request, _("Invitation revoked. Roles already accepted stay."))
    return redirect(_address(access))


@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation. Accepting needs a POST, so link previews change nothing."""
    if invitation := invitation_of(token):
        return _accept(request, invitation) if request.method == "POST" else _offer_page(request, invitation)
    if gone := used_invitation_of(token):
        return used_invitation(request, gone)
    return too_many_bad_links(request) or not_found(request)


@login_required
def _accept(request: HttpRequest, invitation: AnyInvitation) -> HttpResponse:
    try:
        taken = accept(invitation=invitation, user=organiser_of(request))
    except Conflict as conflict:
        return _offer_page(request, invitation, status=conflict.status, problem=str(conflict))
    place = place_of(invitation)
    if isinstance(taken, Player):
        greeting = _("Welcome, %(name)s. Choose what strangers see.") % {"name": taken.name}
        messages.success(request, greeting)
        return redirect("privacy", place.slug, taken.public_id)
    if taken is not None:
        messages.success(request, _("Welcome. Your role: %(role)s.") % {"role": taken.get_kind_display()})
        if taken.kind == Role.Kind.CHECK_IN:  # they are at the door, with people waiting
            return redirect("check_in", slug=place.slug)
    elif isinstance(place, Club):
        messages.success(request, _("You own this club, so you already have all rights."))
    else:
        messages.success(request, _("You own this tournament, so you already have all rights."))
    return redirect(place)


def _offer_page(request: HttpRequest, invitation: AnyInvitation, status: int = 200, problem: str = "") -> HttpResponse:
    context = {"offer": offer_of(invitation), "error_message": problem}
    return render(request, "league/roles/join.html", context, status=status)
