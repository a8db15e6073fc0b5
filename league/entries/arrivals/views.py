"""Check-in pages: who is here, who is not, who takes their place. For organisers and helpers; players check themselves
in."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Access, entry_for, here_for, sign_up_for, tournament_for
from league.access.rights import Can
from league.access.session_links import visitor_of
from league.entries import check_in as arrivals
from league.entries import places
from league.entries.arrivals.many import (
    Arrivals,
    arrivals_in_words,
    check_in_many,
    replace_many,
    replaced_in_words,
    undo_check_ins,
)
from league.entries.arrivals.page import ACTIONS, HERE, REPLACE, check_in_page
from league.entries.check_in import draw_who_is_here, replace_no_show, wait_here
from league.entries.forms import PlayerForm
from league.lib.errors import Conflict, Refused
from league.live import stream as live
from league.models import Entry, Tournament
from league.pages.asked import asked_number
from league.pages.form_key import creates_once
from league.pages.in_place import say_done, wants_part
from league.pages.people_list import Ticks, asked_of_ticks, asked_people, people_part, read_ticks, wants_people
from league.pages.tournament_page import organiser_of, render_page

LISTS = "check-in-lists"  # the part of the page that a tap is answered with


@require_safe
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CHECK_IN)
    return _page(request, access)


def _page(request: HttpRequest, access: Access, status: int = 200, refusal: str = "") -> HttpResponse:
    """The whole page, or only the part of it that a script asks for."""
    newest = live.version_of(access.tournament)  # read before the list: of two answers the page takes the newer one
    asked = asked_people(request.GET) if request.method == "GET" else asked_of_ticks(request.POST)
    page = check_in_page(access, asked, version=newest, refusal=refusal)
    if wants_people(request):
        return people_part(request, page.people)
    if _wants_lists(request):
        context = {"access": access, "tournament": access.tournament, "check_in": page}
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
            # The answer to a form cannot be fetched again.
            live_version=newest if request.method == "GET" else None,
            check_in=page,
        )
    patch_vary_headers(answer, ["HX-Request", "HX-Target"])
    return answer


def _wants_lists(request: HttpRequest) -> bool:
    return wants_part(request) and request.htmx.target == LISTS  # type: ignore[attr-defined]


@require_POST
@creates_once
def ticked(request: HttpRequest, slug: str) -> HttpResponse:
    """Check in, take back or replace everyone who is ticked."""
    access = tournament_for(request.user, slug, Can.CHECK_IN)
    tournament, by = access.tournament, organiser_of(request)
    try:
        ticks = read_ticks(request.POST, ACTIONS)
        if ticks.do == REPLACE:
            return _replace_ticked(request, access, ticks)
        done = check_in_many(tournament=tournament, ids=ticks.who, here=ticks.do == HERE, by=by)
    except Refused as refused:
        return _page(request, access, refused.status, str(refused))
    say_arrivals(request, tournament, done)
    return redirect(ticks.asked.address(reverse("check_in", args=[slug])))


def say_arrivals(request: HttpRequest, tournament: Tournament, done: Arrivals, back: str = "check_in") -> None:
    """Say what was noted, with a button that takes it back and leads to the page of that name."""
    if done.rows is None:
        return messages.warning(request, arrivals_in_words(done))
    first, last = done.rows
    parameters = urlencode({"first": first, "last": last} | ({"to": back} if back != "check_in" else {}))
    undo = f"{reverse('undo_check_ins', args=[tournament.slug])}?{parameters}"
    say_done(request, arrivals_in_words(done), undo=undo)


def _replace_ticked(request: HttpRequest, access: Access, ticks: Ticks) -> HttpResponse:
    """Raises `Refused` as `replace_many` does. If no one waits, one person leads to the page that asks for a name."""
    slug = access.tournament.slug
    if len(ticks.who) == 1 and places.next_in_line(access.tournament) is None:
        _access, entry = entry_for(request.user, slug, ticks.who[0], Can.CHECK_IN)
        return redirect("replace", slug, entry.public_id)
    done = replace_many(tournament=access.tournament, ids=ticks.who, by=organiser_of(request))
    say = messages.success if done.pairs else messages.warning
    say(request, replaced_in_words(done))
    return redirect(ticks.asked.address(reverse("check_in", args=[slug])))


@require_POST
def undo_ticked(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back what was noted of several people at once: the rows of the log from `first` to `last`."""
    access = tournament_for(request.user, slug, Can.CHECK_IN)
    first, last = asked_number(request, "first") or 0, asked_number(request, "last") or 0
    try:
        done = undo_check_ins(tournament=access.tournament, first=first, last=last, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, arrivals_in_words(done))
    return redirect("players" if request.GET.get("to") == "players" else "check_in", slug)


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


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def replace(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Give a no-show's place to the first on the waiting list, or to the name that was typed. The page asks for it."""
    access, entry = entry_for(request.user, slug, public_id, Can.CHECK_IN)
    if request.method != "POST":
        return _replace_page(request, access, entry)
    typed: dict[str, str] = {}
    if request.POST.get("name", "").strip() or "walk-in" in request.POST:
        form = PlayerForm(request.POST)
        if not form.is_valid():
            return _replace_page(request, access, entry, form, status=422)
        typed = form.cleaned_data
    try:
        taker = replace_no_show(entry=entry, by=organiser_of(request), **typed)
    except Refused as refused:
        if refused.code == "nobody-waits":
            return _replace_page(request, access, entry, status=refused.status, refusal=str(refused))
        return _page(request, access, refused.status, str(refused))
    messages.success(request, _("%(new)s plays instead of %(old)s.") % {"new": taker.name, "old": entry.name})
    return redirect(reverse("check_in", args=[slug]))


def _replace_page(
    request: HttpRequest,
    access: Access,
    entry: Entry,
    form: PlayerForm | None = None,
    status: int = 200,
    refusal: str = "",
) -> HttpResponse:
    """Ask who plays instead of someone; anyone who waits is the answer that comes first."""
    form = form or PlayerForm()
    form.fields["name"].widget.attrs |= {"list": "members"}
    return render_page(
        request,
        access,
        "league/entries/replace.html",
        page="check_in",
        title=_("Replace %(name)s") % {"name": entry.name},
        status=status,
        entry=entry,
        form=form,
        refusal=refusal,
        next_in_line=places.next_in_line(access.tournament),
    )


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
    """Note that someone on the waiting list is in the hall, or is not."""
    access, signed = sign_up_for(request.user, slug, sign_up_id, Can.CHECK_IN)
    try:
        wait_here(sign_up=signed, here=request.POST.get("here", "yes") == "yes", by=organiser_of(request))
    except Conflict as conflict:
        return _page(request, access, conflict.status, str(conflict))
    return _go_back(request, access)
