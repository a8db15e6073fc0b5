"""The page behind the link of every invitation, to a tournament or to a club."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from league.access.secrets import used_invitation_of
from league.pages.answers import not_found, private_link, too_many_bad_links, used_invitation
from league.roles import club_views, tournament_views
from league.roles.club_roles import club_invitation_of
from league.roles.tournament_roles import invitation_of


@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    if invitation := invitation_of(token):
        return tournament_views.join(request, invitation)
    if to_club := club_invitation_of(token):
        return club_views.join(request, to_club)
    if gone := used_invitation_of(token):
        return used_invitation(request, gone)
    return too_many_bad_links(request) or not_found(request)
