"""Calls from a table: the sheet's form, a page without scripts, and a phone that was offline.

For a phone's queue (games/static/games/queue.js) the answer is JSON: {"code", "sentence", "at", "box"}. `at` is in
milliseconds, `box` the markup of the box.

201 called or joined · 200 same, over · 409 and 422 the refusal's code, `form` for a typing error · 429 too-many · 410
link-ended · 403 wrong-table, not-seated, other-caller · 404 not-found
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, LinkEnded, NoPlayer, NotSeated, RoundUndone, WrongTable, caller_for
from league.access.session_links import identity_of, visitor_of
from league.access.tables import undone_in_words
from league.access.viewer import Attribution
from league.calls.answer import finish_call
from league.calls.call import Effect, call_director, withdraw_call
from league.calls.forms import CallForm
from league.calls.page import MY_TABLE, PAGES, PLAY, PUBLIC, TABLE, call_box, caller_of
from league.lib.errors import Refused
from league.lib.rate_limits import wait_after
from league.models import Call, Table
from league.pages.tournament_page import organiser_of

CALLS_A_MINUTE = 10  # of one link, player or account

View = Callable[..., HttpResponse]


def guides_callers(view: View) -> View:
    """Decorate a view: explain to a visitor why they can't call from a table."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Http404 as missing:
            status, code, title, sentence, more = _why(missing)
            if _wants_json(request):
                return _json(status, code, sentence)
            context = {"title": title, "sentence": sentence, **more}
            return render(request, "shared/scorer_refused.html", context, status=status)

    return guarded


def _why(missing: Http404) -> tuple[int, str, str, str, dict[str, Any]]:
    """Return status, code, title, sentence and more for the page."""
    if isinstance(missing, LinkEnded):
        more = {"tournament": missing.link.tournament}
        return 410, "link-ended", _("This link no longer works"), _("The link to this table has ended."), more
    if isinstance(missing, NoPlayer) and missing.ended is not None:
        sentence, more = _("Ask the organiser for your new link."), {"tournament": missing.ended.tournament}
        return 410, "link-ended", _("This link no longer works"), sentence, more
    if isinstance(missing, WrongTable):
        title = _("This is table %(number)d") % {"number": missing.table.number}
        sentence = _("This phone is for table %(number)d now.") % {"number": missing.link.table}
        return 403, "wrong-table", title, sentence, {"tournament": missing.link.tournament}
    if isinstance(missing, NotSeated):
        return _not_seated(missing)
    if isinstance(missing, RoundUndone):
        return 409, "undone", _("You can’t call from here"), undone_in_words(missing.table), {}
    sentence = _("Open your table with your link, and call the director there.")
    return 404, "not-found", _("You can’t call from here"), sentence, {}


def _not_seated(missing: NotSeated) -> tuple[int, str, str, str, dict[str, Any]]:
    title = _("This is table %(number)d") % {"number": missing.table.number}
    tournament = missing.table.round.tournament
    back = f"{reverse('my_table', args=[tournament.slug])}?player={missing.entry.public_id}"
    if missing.at is None:
        sentence = _("%(name)s doesn’t sit at this table in this round.") % {"name": missing.entry}
    else:
        sentence = _("%(name)s sits at table %(number)d in this round.")
        sentence %= {"name": missing.entry, "number": missing.at.number}
    return 403, "not-seated", title, sentence, {"tournament": tournament, "back": back}


def _load(request: HttpRequest, table_id: int) -> tuple[Access, Table]:
    sent = request.POST if request.method == "POST" else request.GET
    return caller_for(visitor_of(request), table_id, sent.get("as", "")[:20])


def _author_of(request: HttpRequest, access: Access) -> Attribution:
    user = None if access.link or access.entry else organiser_of(request)
    return Attribution(user, access.link, access.entry)


@require_http_methods(["GET", "HEAD", "POST"])
@guides_callers
def call(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the form without scripts; a POST calls the director, or joins the open call."""
    access, table = _load(request, table_id)
    if request.method != "POST":
        return _page(request, access, table, CallForm())
    if request.POST.get("who", "") not in ("", identity_of(request, access)):
        sentence = _("Someone else called from this phone. Call again to do it in your name.")
        return _refused(request, access, table, CallForm(), 403, "other-caller", sentence)
    form = CallForm(request.POST)
    if not form.is_valid():
        return _refused(request, access, table, form, 422, "form", form.sentences())
    by = _author_of(request, access)
    if wait_after("call", caller_of(access, by.user), CALLS_A_MINUTE):
        sentence = _("Too many calls in a minute. Please go to the director.")
        return _refused(request, access, table, form, 429, "too-many", sentence)
    try:
        effect = call_director(table=table, tap=form.tap(), by=by)
    except Refused as refused:
        return _refused(request, access, table, form, refused.status, refused.code, str(refused))
    if _wants_json(request):
        status = 201 if effect in (Effect.CALLED, Effect.JOINED) else 200
        return _json(status, effect, _DONE[effect](), box=_box(request, access, table))
    return redirect(_back(request, access, table))


_DONE: dict[Effect, Callable[[], str]] = {
    Effect.CALLED: lambda: _("Director called"),
    Effect.JOINED: lambda: _("Director called"),
    Effect.SAME: lambda: _("Director called"),
    Effect.OVER: lambda: _("This call has already ended."),
}


@require_POST
@guides_callers
def end(request: HttpRequest, table_id: int) -> HttpResponse:
    """Withdraw the caller (`do=withdraw`), or end the call (`do=done`)."""
    access, table = _load(request, table_id)
    number = request.POST.get("call", "")
    standing = get_object_or_404(Call, pk=int(number) if number.isdecimal() and len(number) < 19 else 0, table=table)
    standing.table = table
    by = _author_of(request, access)
    try:
        if request.POST.get("do") == "done":
            finish_call(call=standing, by=by)
        else:
            withdraw_call(call=standing, by=by)
    except Refused as refused:
        return _refused(request, access, table, CallForm(), refused.status, refused.code, str(refused))
    if _wants_json(request):
        return _json(200, "ended", "", box=_box(request, access, table))
    return redirect(_back(request, access, table))


def _back(request: HttpRequest, access: Access, table: Table) -> str:
    """Return the address of the page from which the visitor called."""
    page = _page_of(request)
    if access.entry is None or page in (TABLE, PUBLIC):
        return table.get_absolute_url()
    if page == PLAY:
        return f"{reverse('play', args=[table.pk])}?as={access.entry.public_id}"
    return f"{reverse('my_table', args=[access.tournament.slug])}?player={access.entry.public_id}"


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


def _json(status: int, code: str, sentence: str, *, box: str = "") -> HttpResponse:
    answer = {"code": code, "sentence": sentence, "at": int(time.time() * 1000), "box": box}
    return JsonResponse(answer, status=status, headers={"Cache-Control": "no-store"})


def _context(request: HttpRequest, access: Access, table: Table) -> dict[str, Any]:
    table.refresh_from_db()
    user = request.user if request.user.is_authenticated else None
    return {"call": call_box(access, table, who=identity_of(request, access), page=_page_of(request), user=user)}


def _page_of(request: HttpRequest) -> str:
    """Return the page from which the visitor calls."""
    page = request.POST.get("from") or request.GET.get("from") or ""
    return page if page in PAGES else MY_TABLE


def _box(request: HttpRequest, access: Access, table: Table) -> str:
    """Return the inside of the box on the open page."""
    return render_to_string("league/calls/_now.html", _context(request, access, table), request)


def _refused(
    request: HttpRequest, access: Access, table: Table, form: CallForm, status: int, code: str, sentence: str
) -> HttpResponse:
    if _wants_json(request):
        return _json(status, code, sentence, box=_box(request, access, table))
    return _page(request, access, table, form, status=status, alert=sentence)


def _page(
    request: HttpRequest, access: Access, table: Table, form: CallForm, *, status: int = 200, alert: str = ""
) -> HttpResponse:
    context = _context(request, access, table) | {
        "tournament": access.tournament,
        "table": table,
        "form": form,
        "alert": alert,
        "back": _back(request, access, table),
    }
    return render(request, "league/calls/call.html", context, status=status)
