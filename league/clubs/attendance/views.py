"""Attendance of a club for organisers who manage its members: a page and a CSV file."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from league.access import ClubAccess, club_for
from league.access.rights import InClub
from league.clubs.attendance.export_rows import ABOUT, attendance_rows, event_columns, file_name
from league.clubs.attendance.page import attendance_page
from league.clubs.attendance.who_came import Attendance, attendance
from league.pages.club_page import render_club
from league.pages.downloads import download


@require_safe
def attendance_of_club(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show the attendance of the last 12 months, or of `?season=`."""
    access, came = _read(request, club_slug)
    shown = attendance_page(access, came, list(access.club.seasons.all()))
    template = "league/clubs/attendance.html"
    return render_club(request, access, template, page="members", title=shown.title, attendance=shown)


@require_safe
def attendance_csv(request: HttpRequest, club_slug: str) -> HttpResponse:
    access, came = _read(request, club_slug)
    header = (*ABOUT, *event_columns(came))
    return download(request, file_name(came, access.club.slug), header, attendance_rows(came))


def _read(request: HttpRequest, club_slug: str) -> tuple[ClubAccess, Attendance]:
    access = club_for(request.user, club_slug, InClub.MEMBERS)
    slug = request.GET.get("season", "").replace("\0", "")
    season = get_object_or_404(access.club.seasons, slug=slug) if slug else None
    return access, attendance(access, season)
