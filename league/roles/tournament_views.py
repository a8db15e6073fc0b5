"""Who may do what in a tournament: the list, invitations, and the page behind an invitation's link."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, clubs_with, invitation_for, role_for, tournament_for
from league.access.rights import Can, InClub, meanings_of
from league.lib.errors import Conflict, Refused
from league.models import Invitation, Role
from league.pages.tournament_page import organiser_of, posted_data, render_page
from league.roles import tournament_roles as people_services
from league.roles.club_roles import living_club_roles
from league.roles.deliver import link_of, mail_invitation, too_many_mails
from league.roles.forms import InvitationForm
from league.roles.tournament_roles import accept, invite, living_roles, open_invitations


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who has which role, and a form that invites. Only the answer to the form shows the new link."""
    access = tournament_for(request.user, slug, Can.INVITE)
    entries = {entry.public_id: entry for entry in access.tournament.entries.select_related("player")}
    form = InvitationForm(
        posted_data(request), players=[(public_id, entry.player.name) for public_id, entry in entries.items()]
    )
    if not form.is_valid():
        return _page(request, access, form, status=422 if request.method == "POST" else 200)
    data, by = form.cleaned_data, organiser_of(request)
    if wait := too_many_mails(request, form):
        answer = _page(request, access, form, status=429)
        answer["Retry-After"] = str(wait)
        return answer
    try:
        invitation, secret = invite(
            tournament=access.tournament,
            kind=data["kind"],
            by=by,
            email=data["email"],
            entry=entries.get(data["player"]),
            days=data["days"],
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        return _page(request, access, form, status=refused.status)
    link = link_of(request, secret)
    if not (invitation.email and settings.MAIL_GOES_OUT):
        return _page(request, access, None, link=link, invitation=invitation)
    if not mail_invitation(request, invitation, link, form):
        return _page(request, access, form, status=503)
    return redirect("people", slug=slug)


def _page(
    request: HttpRequest, access: Access, form: InvitationForm | None, status: int = 200, **context: Any
) -> HttpResponse:
    """Show the list with the form that was refused, or with a new one."""
    tournament, club = access.tournament, access.tournament.club
    if form is None:
        players = [(entry.public_id, entry.player.name) for entry in tournament.entries.select_related("player")]
        form = InvitationForm(players=players)
    return render_page(
        request,
        access,
        "league/roles/people.html",
        page="people",
        title=_("Helpers"),
        status=status,
        form=form,
        roles=living_roles(tournament),
        club=club,
        club_roles=living_club_roles(club) if club else [],
        may_invite_to_club=club is not None and clubs_with(request.user, InClub.INVITE).filter(pk=club.pk).exists(),
        invitations=open_invitations(tournament).select_related("entry__player", "created_by"),
        meanings=[(label, meanings_of(kind)) for kind, label in Role.Kind.choices],
        **context,
    )


@require_POST
def take_back_role(request: HttpRequest, slug: str, role_id: int) -> HttpResponse:
    """The button says whose role it takes. Ask first about the viewer's own: without it they may lose this page."""
    access, role = role_for(request.user, slug, role_id, Can.INVITE)
    by = organiser_of(request)
    own = role.user_id == by.pk
    if own and request.POST.get("sure") != "yes":
        return render_page(
            request, access, "league/roles/give_up_role.html", page="people", title=_("Helpers"), role=role
        )
    people_services.take_back_role(role=role, by=by)
    words = {"who": role.user, "role": role.get_kind_display()}
    if own:
        messages.success(request, _("You gave up your role: %(role)s.") % words)
        return redirect("home")
    messages.success(request, _("%(who)s has no longer the role: %(role)s.") % words)
    return redirect("people", slug=slug)


@require_POST
def revoke_invitation(request: HttpRequest, slug: str, invitation_id: int) -> HttpResponse:
    _access, invitation = invitation_for(request.user, slug, invitation_id, Can.INVITE)
    people_services.revoke_invitation(invitation=invitation, by=organiser_of(request))
    messages.success(request, _("Revoked. Its link opens nothing any more; who accepted it keeps the role."))
    return redirect("people", slug=slug)


def join(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Show what the invitation is for. Accepting is a POST, so that a preview of the link changes nothing."""
    return _accept(request, invitation) if request.method == "POST" else _invitation_page(request, invitation)


@login_required
def _accept(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    try:
        role = accept(invitation=invitation, user=organiser_of(request))
    except Conflict as conflict:
        return _invitation_page(request, invitation, status=conflict.status, problem=str(conflict))
    if role is None:
        messages.success(request, _("This tournament is yours: you may do everything already."))
    else:
        messages.success(request, _("Welcome. Your role: %(role)s.") % {"role": role.get_kind_display()})
        if role.kind == Role.Kind.CHECK_IN:  # they stand at the door, with people in front of them
            return redirect("check_in", slug=invitation.tournament.slug)
    return redirect(invitation.tournament)


def _invitation_page(
    request: HttpRequest, invitation: Invitation, status: int = 200, problem: str = ""
) -> HttpResponse:
    context = {
        "invitation": invitation,
        "tournament": invitation.tournament,
        "meanings": meanings_of(invitation.kind),
        "said": problem,
    }
    return render(request, "league/roles/join.html", context, status=status)
