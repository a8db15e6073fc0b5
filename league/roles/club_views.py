"""Who may do what in a club: the list, invitations, and the page behind an invitation's link."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import ClubAccess, club_for, club_invitation_for, club_role_for
from league.access.rights import RIGHTS, InClub, club_meanings_of, meanings_of
from league.lib.errors import Conflict, Refused
from league.models import ClubInvitation, ClubRole, Player
from league.pages.club_page import render_club
from league.pages.tournament_page import organiser_of, posted_data
from league.roles.club_roles import (
    accept_in_club,
    invite_to_club,
    living_club_roles,
    open_club_invitations,
    revoke_club_invitation,
    take_back_club_role,
)
from league.roles.deliver import link_of, mail_invitation, too_many_mails
from league.roles.forms import ClubInvitationForm


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show who has which role, and a form that invites. Only the answer to the form shows the new link."""
    access = club_for(request.user, club_slug, InClub.INVITE)
    form = ClubInvitationForm(posted_data(request))
    if not form.is_valid():
        return _page(request, access, form, status=422 if request.method == "POST" else 200)
    data, by = form.cleaned_data, organiser_of(request)
    if refused := too_many_mails(request, form):
        return _page(request, access, form, status=429, retry_after=refused)
    try:
        invitation, secret = invite_to_club(
            club=access.club, kind=data["kind"], by=by, email=data["email"], days=data["days"]
        )
    except Refused as exc:
        form.add_error(None, str(exc))
        return _page(request, access, form, status=exc.status)
    link = link_of(request, secret)
    if not (invitation.email and settings.MAIL_GOES_OUT):
        return _page(request, access, None, link=link, invitation=invitation)
    if not mail_invitation(request, invitation, link, form):
        return _page(request, access, form, status=503)
    return redirect("club_people", club_slug)


def _page(
    request: HttpRequest,
    access: ClubAccess,
    form: ClubInvitationForm | None,
    status: int = 200,
    retry_after: int = 0,
    **context: Any,
) -> HttpResponse:
    """Show the list with the form that was refused, or with a new one."""
    answer = render_club(
        request,
        access,
        "league/roles/club_people.html",
        page="club_people",
        title=_("Helpers"),
        status=status,
        form=form or ClubInvitationForm(),
        roles=living_club_roles(access.club),
        invitations=open_club_invitations(access.club).select_related("player", "created_by"),
        meanings=[(label, [*club_meanings_of(kind), *_in_tournaments(kind)]) for kind, label in ClubRole.Kind.choices],
        **context,
    )
    if retry_after:
        answer["Retry-After"] = str(retry_after)
    return answer


def _in_tournaments(kind: str) -> list[str]:
    """Return in sentences what a role allows in each tournament of the club."""
    if RIGHTS[kind] == RIGHTS[ClubRole.Kind.ORGANISER]:
        return [_("Everything in each of its tournaments")]
    return [_("In each of its tournaments: %(what)s") % {"what": meaning} for meaning in meanings_of(kind)]


@require_POST
def take_back(request: HttpRequest, club_slug: str, club_role_id: int) -> HttpResponse:
    """The button says whose role it takes. Ask first about the viewer's own: without it they may lose this page."""
    access, role = club_role_for(request.user, club_slug, club_role_id, InClub.INVITE)
    by = organiser_of(request)
    own = role.user_id == by.pk
    if own and request.POST.get("sure") != "yes":
        return render_club(
            request, access, "league/roles/give_up_club_role.html", page="club_people", title=_("Helpers"), role=role
        )
    take_back_club_role(role=role, by=by)
    words = {"who": role.user, "role": role.get_kind_display()}
    if own:
        messages.success(request, _("You gave up your role: %(role)s.") % words)
        return redirect("clubs")
    messages.success(request, _("%(who)s has no longer the role: %(role)s.") % words)
    return redirect("club_people", club_slug)


@require_POST
def revoke(request: HttpRequest, club_slug: str, club_invitation_id: int) -> HttpResponse:
    _access, invitation = club_invitation_for(request.user, club_slug, club_invitation_id, InClub.INVITE)
    revoke_club_invitation(invitation=invitation, by=organiser_of(request))
    messages.success(request, _("Revoked. Its link opens nothing any more; who accepted it keeps the role."))
    return redirect("club_people", club_slug)


def join(request: HttpRequest, invitation: ClubInvitation) -> HttpResponse:
    """Show what the invitation is for. Accepting is a POST, so that a preview of the link changes nothing."""
    return _accept(request, invitation) if request.method == "POST" else _invitation_page(request, invitation)


@login_required
def _accept(request: HttpRequest, invitation: ClubInvitation) -> HttpResponse:
    try:
        taken = accept_in_club(invitation=invitation, user=organiser_of(request))
    except Conflict as conflict:
        return _invitation_page(request, invitation, status=conflict.status, problem=str(conflict))
    if taken is None:
        messages.success(request, _("This club is yours: you may do everything already."))
    elif isinstance(taken, Player):
        messages.success(
            request, _("Welcome, %(name)s. Say here what strangers may see of you.") % {"name": taken.name}
        )
        return redirect("privacy", invitation.club.slug, taken.public_id)
    else:
        messages.success(request, _("Welcome. Your role: %(role)s.") % {"role": taken.get_kind_display()})
    return redirect(invitation.club)


def _invitation_page(
    request: HttpRequest, invitation: ClubInvitation, status: int = 200, problem: str = ""
) -> HttpResponse:
    kind = invitation.kind
    context = {
        "invitation": invitation,
        "club": invitation.club,
        "meanings": [*club_meanings_of(kind), *_in_tournaments(kind)] if kind else [],
        "said": problem,
        "sign_up_open": settings.SIGN_UP_OPEN,
    }
    return render(request, "league/roles/join_club.html", context, status=status)
