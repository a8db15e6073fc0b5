"""The page on which a director announces something, and removal from any page."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, tournament_for
from league.access.rights import Can
from league.announcements.announce import announce, remove_announcement, restore_announcement
from league.announcements.forms import AnnounceForm
from league.announcements.page import done_in_words, page_of
from league.lib.errors import Refused
from league.live.stream import version_of
from league.models import Announcement
from league.pages.came_from import came_from
from league.pages.form_key import creates_once
from league.pages.in_place import say_done
from league.pages.tournament_page import organiser_of, render_page


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def announce_line(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form, filled with `?text=`; send it to everyone."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    if request.method != "POST":
        return _page(request, access, text=request.GET.get("text", "")[:1000])
    form = AnnounceForm(request.POST)
    if not form.is_valid():
        return _page(request, access, text=form.data.get("text", ""), refusal=_("Choose how it ends."), status=422)
    data = form.cleaned_data
    try:
        announcement = announce(
            tournament=access.tournament, text=data["text"], until=data["until"], by=organiser_of(request)
        )
    except Refused as refused:
        return _page(
            request, access, text=data["text"], until=data["until"], refusal=str(refused), status=refused.status
        )
    say_done(request, done_in_words(announcement), undo=_removal(announcement))
    return redirect("tournament", slug=slug)


def _removal(announcement: Announcement) -> str:
    """Return the address that undoes this announcement, but not a newer one."""
    return reverse("remove_announcement", args=[announcement.tournament.slug], query={"stamp": announcement.stamp})


def _page(
    request: HttpRequest,
    access: Access,
    *,
    text: str,
    until: str = Announcement.Until.MINUTES,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    version = version_of(access.tournament)
    page = page_of(access.tournament, text=text, until=until, refusal=refusal)
    return render_page(
        request,
        access,
        "league/announcements/announce.html",
        page="announce",
        title=_("Announce"),
        status=status,
        live_version=version,
        announcing=page,
    )


@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove the announcement with this `stamp`, at once: the next page offers to restore it."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    stamp = request.POST.get("stamp") or request.GET.get("stamp", "")
    try:
        removed = remove_announcement(tournament=access.tournament, by=organiser_of(request), stamp=stamp)
    except Refused as refused:
        messages.warning(request, str(refused))
    else:
        if removed:
            say_done(request, _("Announcement removed."), undo=reverse("restore_announcement", args=[slug]))
        else:
            messages.info(request, _("The announcement is over already."))
    return _back(request, slug)


@require_POST
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CORRECT)
    try:
        restore_announcement(tournament=access.tournament, by=organiser_of(request))
    except Refused as refused:
        messages.warning(request, str(refused))
    else:
        messages.success(request, _("The announcement is visible again."))
    return _back(request, slug)


def _back(request: HttpRequest, slug: str) -> HttpResponse:
    return redirect(came_from(request) or reverse("tournament", args=[slug]))
