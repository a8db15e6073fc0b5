"""What every page of a club shares: its head and its tabs."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.access import ClubAccess
from league.access.rights import InClub

# (URL name, label, the right to see it: None is everybody who sees the club)
TABS = (
    ("club", _("Evenings"), None),
    ("current_season", _("Season"), None),
    ("members", _("Players"), None),
    ("ratings", _("Ratings"), None),
    ("club_about", _("About"), None),
    ("club_people", _("People"), InClub.INVITE),
    ("club_settings", _("Settings"), InClub.SETTINGS),
    ("club_log", _("Log"), InClub.SEE_LOG),
)


def render_club(
    request: HttpRequest,
    access: ClubAccess,
    template: str,
    *,
    page: str,
    title: str,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """A page with the club's head and tabs. `page` is the URL name of its tab."""
    slug = access.club.slug
    tabs = [
        {"key": name, "label": label, "url": reverse(name, args=[slug])}
        for name, label, right in TABS
        if right is None or access.may(right)
    ]
    context |= {"access": access, "club": access.club, "page": page, "page_title": title, "tabs": tabs}
    return render(request, template, context, status=status)
