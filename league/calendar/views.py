"""Calendar files, and the viewer's own subscription addresses."""

from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import (
    Access,
    ClubAccess,
    calendar_for,
    club_for,
    member_for,
    tournament_for,
)
from league.access.rights import Can, InClub, open_to_all
from league.access.session_links import visitor_of
from league.access.signed_links import account_calendar_token, entry_calendar_token
from league.calendar import ical as calendar
from league.calendar import links
from league.models import Entry, Player, Tournament
from league.pages.answers import too_many_bad_links
from league.pages.tournament_page import organiser_of


@dataclass(frozen=True)
class Subscription:
    """Calendar offered on a page. end: where an account replaces its own address; empty for a public one."""

    address: str
    webcal: str
    download: str
    token: str = ""
    end: str = ""


def subscription(request: HttpRequest, path: str, *, token: str = "", end: str = "") -> Subscription:
    """path: of the file. The address has the language, which calendar programs don't send."""
    language = get_language()
    if language and language != settings.LANGUAGE_CODE:
        path = f"{path}?{urlencode({'lang': language})}"
    address = request.build_absolute_uri(path)
    return Subscription(address, "webcal:" + address.partition(":")[2], path, token, end)


def of_club(request: HttpRequest, access: ClubAccess) -> Subscription:
    """Strangers get the public calendar; the club's people get one with everything they may see."""
    slug = access.club.slug
    if not access.inside:
        return subscription(request, reverse("club_calendar", args=[slug]))
    token = account_calendar_token(organiser_of(request), access.club)
    end = reverse("end_club_calendar", args=[slug])
    return subscription(request, reverse("own_calendar", args=[token]), token=token, end=end)


def of_member(request: HttpRequest, access: ClubAccess, player: Player) -> Subscription | None:
    """Return the viewer's own calendar, or that of a public profile. None: not visible to the viewer."""
    if player == access.me:
        token = account_calendar_token(organiser_of(request), player)
        return subscription(request, reverse("own_calendar", args=[token]))
    if not player.profile_is_public or not open_to_all(access.club):
        return None
    return subscription(request, reverse("profile_calendar", args=[access.club.slug, player.public_id]))


def of_tournament(request: HttpRequest, access: Access) -> Subscription | None:
    """Return None once the tournament has started, and for player links to a private one: My table has theirs."""
    tournament = access.tournament
    if tournament.state != Tournament.State.PLANNED or tournament.kind != Tournament.Kind.EVENT:
        return None
    if open_to_all(tournament):
        return subscription(request, reverse("tournament_calendar", args=[tournament.slug]))
    if not request.user.is_authenticated or not access.may(Can.LOOK):
        return None
    token = account_calendar_token(request.user, tournament)
    end = reverse("end_calendar", args=[tournament.slug])
    return subscription(request, reverse("own_calendar", args=[token]), token=token, end=end)


def of_entry(request: HttpRequest, entry: Entry) -> Subscription:
    """Return the calendar of a player's tournaments, by their link."""
    return subscription(request, reverse("own_calendar", args=[entry_calendar_token(entry)]))


@require_safe
def own_calendar(request: HttpRequest, calendar_token: str) -> HttpResponse:
    try:
        mine = calendar_for(calendar_token)
    except Http404:
        if refused := too_many_bad_links(request):
            return refused
        raise
    answer = _file(request, mine.name, mine.tournaments)
    answer["X-Robots-Tag"] = "noindex"
    return answer


@require_safe
def club_calendar(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug)
    return _file(request, access.club.name, access.tournaments())


@require_safe
def profile_calendar(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    access, player = member_for(request.user, club_slug, member_id)
    if not access.sees_profile(player):
        raise Http404
    return _file(request, f"{access.name_of(player)}, {access.club.name}", access.evenings_of(player))


@require_safe
def tournament_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(visitor_of(request), slug)
    return _file(request, access.tournament.name, Tournament.objects.filter(pk=access.tournament.pk))


def _file(request: HttpRequest, name: str, tournaments: QuerySet[Tournament]) -> HttpResponse:
    """Respond with the file, or 304 if the program has the same bytes."""
    language = request.GET.get("lang", "")
    with override(language if language in dict(settings.LANGUAGES) else get_language()):
        content = calendar.as_ical(name, calendar.events_of(tournaments, request.build_absolute_uri("/")))
    file_name = f"{slugify(name) or 'wild-league'}.ics"
    answer = HttpResponse(
        content,
        content_type="text/calendar; charset=utf-8",
        headers={
            "ETag": f'"{sha256(content).hexdigest()[:32]}"',
            "Content-Disposition": content_disposition_header(True, file_name) or "attachment",
        },
    )
    patch_cache_control(answer, private=True, no_cache=True)  # programs revalidate each time, and mostly get 304
    answered = get_conditional_response(request, etag=answer["ETag"], response=answer)
    assert isinstance(answered, HttpResponse)
    return answered


@login_required
@require_POST
def end_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Replace the viewer's address for a private tournament. The form names it, so a repeated press is harmless."""
    access = tournament_for(request.user, slug)
    token, by = request.POST.get("token", ""), organiser_of(request)
    _report_ended(request, links.end_calendar(tournament=access.tournament, token=token, by=by))
    return redirect("tournament", slug=slug)


@require_POST
def end_club_calendar(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug, InClub.LOOK)
    token, by = request.POST.get("token", ""), organiser_of(request)
    _report_ended(request, links.end_club_calendar(club=access.club, token=token, by=by))
    return redirect("club", club_slug)


def _report_ended(request: HttpRequest, ended: bool) -> None:
    if ended:
        messages.success(request, _("Address replaced. Subscribe again with the new one."))
    else:
        messages.warning(request, _("This address was already replaced. The one below is valid."))
