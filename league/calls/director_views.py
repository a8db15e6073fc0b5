"""Answers of directors to calls, from *Now* and from the page *Calls*."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import call_for, muted_caller_for, tournament_for
from league.access.rights import Can
from league.calls.answer import COMING, DONE, come_to_call, finish_call, undo_answer
from league.calls.calls_page import calls_page
from league.calls.mute import mute_caller, unmute_caller
from league.lib.errors import Refused
from league.live import stream as live
from league.models import CallTap
from league.pages.in_place import say_done
from league.pages.tournament_page import organiser_of, render_page


@require_safe
def calls(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CORRECT)
    version = live.version_of(access.tournament)
    return render_page(
        request,
        access,
        "league/calls/calls.html",
        page="manage",
        title=_("Calls"),
        calls=calls_page(access.tournament),
        live_version=version,
    )


@require_POST
def answer(request: HttpRequest, slug: str, call_id: int) -> HttpResponse:
    """Tell the table that this director is coming (`do=coming`), or end the call (`do=done`)."""
    _access, call = call_for(request.user, slug, call_id, Can.CORRECT)
    by, do, words = organiser_of(request), request.POST.get("do"), {"number": call.table.number}
    back = redirect("calls" if "back" in request.POST else "tournament", slug)
    undo = reverse("undo_call_answer", args=[slug, call.pk], query={"answer": do or ""})
    try:
        if do == COMING:
            come_to_call(call=call, by=by)
            say_done(request, _("Table %(number)d sees that you’re coming.") % words, undo=undo)
        elif do == DONE:
            finish_call(call=call, by=by)
            say_done(request, _("The call of table %(number)d is done.") % words, undo=undo)
        else:
            messages.error(request, _("Choose an action."))
    except Refused as refused:
        messages.error(request, str(refused))
    return back


@require_POST
def undo(request: HttpRequest, slug: str, call_id: int) -> HttpResponse:
    _access, call = call_for(request.user, slug, call_id, Can.CORRECT)
    try:
        undo_answer(call=call, by=organiser_of(request), answer=request.GET.get("answer", ""))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Table %(number)d is waiting again.") % {"number": call.table.number})
    return redirect("tournament", slug)


@require_POST
def mute(request: HttpRequest, slug: str, call_id: int) -> HttpResponse:
    """Refuse further calls of the caller of a `tap`."""
    _access, call = call_for(request.user, slug, call_id, Can.CORRECT)
    number = request.POST.get("tap", "")
    taps = CallTap.objects.select_related("call__table__round", "entry__player", "scorer_link", "user")
    tap = get_object_or_404(taps, call=call, pk=int(number) if number.isdecimal() and len(number) < 19 else 0)
    muted = mute_caller(tap=tap, by=organiser_of(request))
    undo_url = reverse("unmute_caller", args=[slug, muted.pk])
    say_done(request, _("Calls of %(name)s are muted.") % {"name": muted}, undo=undo_url)
    return redirect("calls", slug)


@require_POST
def unmute(request: HttpRequest, slug: str, muted_id: int) -> HttpResponse:
    _access, muted = muted_caller_for(request.user, slug, muted_id, Can.CORRECT)
    unmute_caller(muted=muted, by=organiser_of(request))
    messages.success(request, _("Calls of %(name)s are accepted again.") % {"name": muted})
    return redirect("calls", slug)
