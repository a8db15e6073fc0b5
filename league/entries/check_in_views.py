"""Check-in pages: who is here, who is not, who takes their place. For organisers and helpers; players check themselves
in."""

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import Access, entry_for, here_for, sign_up_for, tournament_for
from league.access.rights import Can
from league.access.session_links import visitor_of
from league.entries import check_in as arrivals
from league.entries import places
from league.entries.check_in import draw_who_is_here, missing_at_the_draw, replace_no_show, replacement, wait_here
from league.entries.forms import PlayerForm
from league.lib.errors import Conflict, Refused
from league.lib.names import fold
from league.lib.search import matches
from league.live import stream as live
from league.models import Entry, HandScore, SignUp, Tournament
from league.pages.form_key import creates_once
from league.pages.in_place import wants_part
from league.pages.tournament_page import organiser_of, render_page

LISTS = "check-in-lists"  # the part of the page that a tap or a search replaces


@require_safe
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CHECK_IN)
    return _page(request, access)


def _page(request: HttpRequest, access: Access, status: int = 200, refusal: str = "") -> HttpResponse:
    """The whole page, or only its lists if a script asks for those."""
    tournament = access.tournament
    newest = live.version_of(tournament)  # read before the lists: of two answers the page takes the newer one
    # The answer to a form cannot be fetched again.
    version = newest if request.method == "GET" else None
    query = (request.POST if request.method == "POST" else request.GET).get("q", "").strip()[:80]
    context = _lists(tournament, query)
    context |= {"lists_version": newest, "said": refusal, "query": query, "organises": access.organises}
    if _wants_lists(request):
        context |= {"access": access, "tournament": tournament}
        # A refusal is shown with the lists: htmx swaps in nothing else.
        answer = render(request, "league/entries/check_in/_check_in.html", context, status=status)
    else:
        answer = render_page(
            request,
            access,
            "league/entries/check_in.html",
            page="check_in",
            title=_("Check-in"),
            status=status,
            live_version=version,
            **context,
        )
    patch_vary_headers(answer, ["HX-Request", "HX-Target"])
    return answer


def _wants_lists(request: HttpRequest) -> bool:
    return wants_part(request) and request.htmx.target == LISTS  # type: ignore[attr-defined]


def _lists(tournament: Tournament, query: str) -> dict[str, Any]:
    entries = list(tournament.entries.select_related("player").order_by("number", "id"))
    entries.sort(key=lambda entry: fold(entry.name))
    listed = [entry for entry in entries if matches(query, entry.name)] if query else entries
    waiting = list(places.waiting_list(tournament))
    # A player with a hand is here, and keeps the place.
    played = set(HandScore.objects.filter(entry__in=entries).values_list("entry_id", flat=True))
    return {
        "sign_up_page": places.page_of(tournament),
        "started": tournament.has_begun,
        "count": len(entries),
        "here_count": sum(_is_here(entry, played) for entry in entries),
        "missing": missing_at_the_draw(tournament),
        "absent": [entry for entry in listed if not _is_here(entry, played)],
        "here": [entry for entry in listed if _is_here(entry, played)],
        "waiting": waiting,
        "next_in_line": places.next_in_line(tournament),
        "replaced": _replaced_lines(tournament),
    }


def _is_here(entry: Entry, played: Collection[int]) -> bool:
    return entry.checked_in_at is not None or entry.pk in played


def _replaced_lines(tournament: Tournament) -> list[dict[str, Any]]:
    """The players who were replaced, and by whom, as long as that can be undone."""
    lines = []
    for sign_up in tournament.sign_ups.filter(state=SignUp.State.REPLACED).order_by("-id"):
        taker = replacement(sign_up)[1].get("player_id")
        entry = tournament.entries.filter(public_id=taker, scores=None).select_related("player").first()
        if entry is not None:
            lines.append({"sign_up": sign_up, "taker": entry.name})
    return lines


def _go_back(request: HttpRequest, access: Access) -> HttpResponse:
    """Answer with the lists if a script asked for them; else go back to the page with the form."""
    if _wants_lists(request):
        return _page(request, access)
    back = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        return redirect(back)
    return redirect("check_in" if access.checks_in else "my_table", slug=access.tournament.slug)


def _refuse(request: HttpRequest, access: Access, conflict: Conflict) -> HttpResponse:
    if access.checks_in:
        return _page(request, access, conflict.status, str(conflict))
    messages.error(request, str(conflict))
    return _go_back(request, access)


@require_POST
def here(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Note that a player is here. A helper may also take it back; the player may only do it while check-in is open."""
    access = here_for(visitor_of(request), slug, public_id)
    assert access.entry is not None
    arrived = request.POST.get("here", "yes") == "yes"
    try:
        if access.checks_in:
            arrivals.check_in(entry=access.entry, by=organiser_of(request), here=arrived)
        else:
            arrivals.check_in(entry=access.entry, player=access.entry, here=arrived)
    except Conflict as conflict:
        return _refuse(request, access, conflict)
    if not access.checks_in:
        messages.success(request, _("You are checked in."))
    elif not wants_part(request):
        message = _("%(name)s is here.") if arrived else _("%(name)s is not here.")
        messages.success(request, message % {"name": access.entry})
    return _go_back(request, access)


@require_POST
@creates_once
def replace(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Give a no-show's place to the first on the waiting list, or to the name that was typed."""
    access, entry = entry_for(request.user, slug, public_id, Can.CHECK_IN)
    typed: dict[str, str] = {}
    if request.POST.get("name", "").strip() or "walk-in" in request.POST:
        form = PlayerForm(request.POST)
        if not form.is_valid():
            sentence = _("Type the name of who plays instead of %(name)s.") % {"name": entry}
            return _page(request, access, 422, sentence)
        typed = form.cleaned_data
    try:
        taker = replace_no_show(entry=entry, by=organiser_of(request), **typed)
    except Refused as refused:
        return _page(request, access, refused.status, str(refused))
    messages.success(request, _("%(new)s plays instead of %(old)s.") % {"new": taker.name, "old": entry.name})
    return redirect(reverse("check_in", args=[slug]))


@require_POST
def put_back(request: HttpRequest, slug: str, sign_up_id: str) -> HttpResponse:
    """Give the place back to a player who came after all, before anything was played."""
    access, signed = sign_up_for(request.user, slug, sign_up_id, Can.CHECK_IN)
    try:
        arrivals.put_back(sign_up=signed, by=organiser_of(request))
    except Refused as refused:
        return _page(request, access, refused.status, str(refused))
    messages.success(request, _("%(name)s has the place again.") % {"name": signed.name})
    return redirect(reverse("check_in", args=[slug]))


@require_POST
def close_and_draw(request: HttpRequest, slug: str) -> HttpResponse:
    """End check-in: draw those who are here, and take the others off the list."""
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        missing = request.POST.get("missing", "").split()
        taken_off = draw_who_is_here(tournament=access.tournament, missing=missing, by=organiser_of(request))
    except Refused as refused:
        return _page(request, access, refused.status, str(refused))
    said = _("The seating is drawn. Nobody sees it until you publish round 1.")
    if taken_off:
        words = ngettext(
            "%(count)d who is not here is off the list.", "%(count)d who are not here are off the list.", taken_off
        )
        said = f"{said} {words % {'count': taken_off}}"
    messages.success(request, said)
    return redirect("tournament", slug=slug)


@require_POST
def waits_here(request: HttpRequest, slug: str, sign_up_id: str) -> HttpResponse:
    """Note that somebody on the waiting list is in the hall, or is not."""
    access, signed = sign_up_for(request.user, slug, sign_up_id, Can.CHECK_IN)
    try:
        wait_here(sign_up=signed, here=request.POST.get("here", "yes") == "yes", by=organiser_of(request))
    except Conflict as conflict:
        return _page(request, access, conflict.status, str(conflict))
    return _go_back(request, access)
