"""Check-in pages for organisers and helpers; players check themselves in."""

from collections.abc import Callable
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
from league.entries.arrivals.paid import Payments, mark_paid, payments_in_words, set_paid, undo_payments
from league.entries.arrivals.paid_page import MARK_PAID, PAYMENTS
from league.entries.check_in import draw_who_is_here, replace_no_show, wait_here
from league.entries.forms import PlayerForm
from league.lib.errors import Conflict, Refused
from league.live import stream as live
from league.models import Entry, Tournament
from league.pages.came_from import came_from
from league.pages.form_key import creates_once
from league.pages.in_place import say_done, wants_part
from league.pages.people_list import Ticks, filters_of_ticks, list_filters, people_part, read_ticks, wants_people
from league.pages.query import number_in_query
from league.pages.tournament_page import organiser_of, render_page

LISTS = "check-in-lists"  # the part of the page returned for a tap


@require_safe
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CHECK_IN)
    return _page(request, access)


def _page(request: HttpRequest, access: Access, status: int = 200, refusal: str = "") -> HttpResponse:
    """Return the whole page, or only the lists for a script."""
    # Read the version before the list, so that the page uses the newer of two responses.
    newest = live.version_of(access.tournament)
    query = list_filters(request.GET) if request.method == "GET" else filters_of_ticks(request.POST)
    page = check_in_page(access, query, version=newest, refusal=refusal)
    if wants_people(request):
        return people_part(request, page.people)
    if _wants_lists(request):
        context = {"access": access, "tournament": access.tournament, "check_in": page}
        # Return a refusal with the lists, because htmx swaps nothing else.
        answer = render(request, "league/entries/check_in/_check_in.html", context, status=status)
    else:
        answer = render_page(
            request,
            access,
            "league/entries/check_in.html",
            page="check_in",
            title=_("Check-in"),
            status=status,
            # A POST response has no URL to poll, so don't make it live.
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
    """Check in, undo or replace all ticked players, or note that they paid."""
    access = tournament_for(request.user, slug, Can.CHECK_IN)
    tournament, by = access.tournament, organiser_of(request)
    try:
        ticks = read_ticks(request.POST, ACTIONS)
        if ticks.do == REPLACE:
            return _replace_ticked(request, access, ticks)
        if ticks.do in PAYMENTS:
            payments = mark_paid(tournament=tournament, ids=ticks.who, paid=ticks.do == MARK_PAID, by=by)
            say_payments(request, tournament, payments)
            return redirect(ticks.filters.address(reverse("check_in", args=[slug])))
        done = check_in_many(tournament=tournament, ids=ticks.who, here=ticks.do == HERE, by=by)
    except Refused as refused:
        return _page(request, access, refused.status, str(refused))
    say_arrivals(request, tournament, done)
    return redirect(ticks.filters.address(reverse("check_in", args=[slug])))


def say_arrivals(request: HttpRequest, tournament: Tournament, done: Arrivals, back: str = "check_in") -> None:
    """Add a message about arrivals, with an undo button that returns to the page `back`."""
    _say_marks(request, arrivals_in_words(done), done.rows, reverse("undo_check_ins", args=[tournament.slug]), back)


def say_payments(request: HttpRequest, tournament: Tournament, done: Payments, back: str = "check_in") -> None:
    """Add a message about payments, like `say_arrivals`."""
    _say_marks(request, payments_in_words(done), done.rows, reverse("undo_payments", args=[tournament.slug]), back)


def _say_marks(request: HttpRequest, words: str, rows: tuple[int, int] | None, url: str, back: str) -> None:
    if rows is None:
        return messages.warning(request, words)
    first, last = rows
    parameters = urlencode({"first": first, "last": last} | ({"to": back} if back != "check_in" else {}))
    say_done(request, words, undo=f"{url}?{parameters}")


def _replace_ticked(request: HttpRequest, access: Access, ticks: Ticks) -> HttpResponse:
    """Replace ticked players. If no one is waiting, a single player leads to the page that asks for a name.

    Raises `Refused` like `replace_many`.
    """
    slug = access.tournament.slug
    if len(ticks.who) == 1 and places.next_in_line(access.tournament) is None:
        _access, entry = entry_for(request.user, slug, ticks.who[0], Can.CHECK_IN)
        return redirect("replace", slug, entry.public_id)
    done = replace_many(tournament=access.tournament, ids=ticks.who, by=organiser_of(request))
    say = messages.success if done.pairs else messages.warning
    say(request, replaced_in_words(done))
    return redirect(ticks.filters.address(reverse("check_in", args=[slug])))


@require_POST
def undo_ticked(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo the arrivals in the log rows from `first` to `last`."""
    return _undo_marks(request, slug, lambda **rows: arrivals_in_words(undo_check_ins(**rows)))


@require_POST
def undo_paid(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo the payments in the log rows from `first` to `last`."""
    return _undo_marks(request, slug, lambda **rows: payments_in_words(undo_payments(**rows)))


def _undo_marks(request: HttpRequest, slug: str, undo: Callable[..., str]) -> HttpResponse:
    """undo: returns what it did, in words."""
    access = tournament_for(request.user, slug, Can.CHECK_IN)
    first, last = number_in_query(request, "first") or 0, number_in_query(request, "last") or 0
    try:
        done = undo(tournament=access.tournament, first=first, last=last, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, done)
    return redirect(
        came_from(request) or reverse("players" if request.GET.get("to") == "players" else "check_in", args=[slug])
    )


def _go_back(request: HttpRequest, access: Access) -> HttpResponse:
    """Return the lists to a script; else redirect to the page with the form."""
    if _wants_lists(request):
        return _page(request, access)
    back = _next_of(request)
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
    """Check a player in. Helpers can also undo it; players need check-in to be open. An undo has its fields in the
    address.
    """
    access = here_for(visitor_of(request), slug, public_id)
    assert access.entry is not None
    arrived = {**request.GET.dict(), **request.POST.dict()}.get("here", "yes") == "yes"
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
        say_done(request, message % {"name": access.entry}, undo=_undo_here(request, arrived))
    return _go_back(request, access)


@require_POST
def paid(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Note that a player has paid, or with `paid=no` undo that."""
    access, entry = entry_for(request.user, slug, public_id, Can.CHECK_IN)
    has_paid = request.POST.get("paid", "yes") == "yes"
    try:
        set_paid(entry=entry, paid=has_paid, by=organiser_of(request))
    except Conflict as conflict:
        return _refuse(request, access, conflict)
    if not wants_part(request):
        message = _("%(name)s has paid.") if has_paid else _("%(name)s has not paid.")
        messages.success(request, message % {"name": entry})
    return _go_back(request, access)


def _undo_here(request: HttpRequest, arrived: bool) -> str:
    """Return the address that undoes an arrival or absence, and leads back to the same page."""
    fields = {"here": "no" if arrived else "yes", "next": _next_of(request)}
    return f"{request.path}?{urlencode({name: value for name, value in fields.items() if value})}"


def _next_of(request: HttpRequest) -> str:
    return request.POST.get("next") or request.GET.get("next", "")


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def replace(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Give a no-show's place to the first on the waiting list, or to a typed name."""
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
    messages.success(request, _("%(new)s replaces %(old)s.") % {"new": taker.name, "old": entry.name})
    return redirect(reverse("check_in", args=[slug]))


def _replace_page(
    request: HttpRequest,
    access: Access,
    entry: Entry,
    form: PlayerForm | None = None,
    status: int = 200,
    refusal: str = "",
) -> HttpResponse:
    """Show the replacement form; the waiting list comes first."""
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
    """Give the place back to a replaced player before anything is played."""
    access, signed = sign_up_for(request.user, slug, sign_up_id, Can.CHECK_IN)
    try:
        arrivals.put_back(sign_up=signed, by=organiser_of(request))
    except Refused as refused:
        return _page(request, access, refused.status, str(refused))
    messages.success(request, _("%(name)s has the place again.") % {"name": signed.name})
    return redirect(reverse("check_in", args=[slug]))


@require_POST
def close_and_draw(request: HttpRequest, slug: str) -> HttpResponse:
    """End check-in: remove missing players and draw."""
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        missing = request.POST.get("missing", "").split()
        taken_off = draw_who_is_here(tournament=access.tournament, missing=missing, by=organiser_of(request))
    except Refused as refused:
        return _page(request, access, refused.status, str(refused))
    message = _("The seating is drawn. Publish round 1 to show it.")
    if taken_off:
        words = ngettext("%(count)d missing player was removed.", "%(count)d missing players were removed.", taken_off)
        message = f"{message} {words % {'count': taken_off}}"
    messages.success(request, message)
    return redirect("tournament", slug=slug)


@require_POST
def waits_here(request: HttpRequest, slug: str, sign_up_id: str) -> HttpResponse:
    """Note that a person on the waiting list is in the hall, or not."""
    access, signed = sign_up_for(request.user, slug, sign_up_id, Can.CHECK_IN)
    try:
        wait_here(sign_up=signed, here=request.POST.get("here", "yes") == "yes", by=organiser_of(request))
    except Conflict as conflict:
        return _page(request, access, conflict.status, str(conflict))
    return _go_back(request, access)
