"""The views of the sheets. A step shows its preview, and its button runs the previewed action."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import Access, entry_for, keeps_members, table_of_round_for
from league.access.rights import Can
from league.day.preview import Moves, do_as_shown, try_out
from league.day.sheet import person_page, table_page
from league.day.sheet.playing import address
from league.day.sheet.values import Draft, Outcome, Preview, Sheet, Step, StepRequest
from league.lib.errors import Conflict, Refused
from league.lib.form_fields import add_refusal
from league.pages.form_key import creates_once
from league.pages.in_place import say_done
from league.pages.tournament_page import organiser_of, render_page

PANEL = "sheet"  # htmx target of a sheet over a page (league/static/league/sheet.js)


@dataclass(frozen=True)
class Opened:
    """A requested sheet. page: reads it now. draft_of: the open step. nav: the page it belongs to."""

    request: HttpRequest
    access: Access
    page: Callable[[], Sheet]
    url: str
    do: str
    draft_of: Callable[[StepRequest], Draft] | None
    nav: str


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def person(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Show a player's sheet, or run a step; `do` names the open step."""
    access, entry = entry_for(request.user, slug, public_id, Can.CORRECT)
    entry.tournament = access.tournament
    do = _do_of(request)
    draft = person_page.DRAFTS.get(do)
    return _answer(
        Opened(
            request=request,
            access=access,
            page=partial(person_page.page_of, entry, access, organiser_of(request)),
            url=address(entry),
            do=do,
            draft_of=partial(draft, entry) if draft else None,
            nav="players",
        )
    )


@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, slug: str, round_number: int, table_number: int) -> HttpResponse:
    """Show a table's sheet, or run a step; `do` names the open step."""
    access, at = table_of_round_for(request.user, slug, round_number, table_number, Can.CORRECT)
    do = _do_of(request)
    draft = table_page.DRAFTS.get(do)
    return _answer(
        Opened(
            request=request,
            access=access,
            page=partial(table_page.page_of, at, access),
            url=table_page.address(at),
            do=do,
            draft_of=partial(draft, at) if draft else None,
            nav="seating",
        )
    )


def _do_of(request: HttpRequest) -> str:
    return (request.POST.get("do") or request.GET.get("do") or "")[:20]


def _answer(opened: Opened) -> HttpResponse:
    request = opened.request
    is_posted = request.method == "POST"
    if opened.draft_of is None:
        if not is_posted:
            return _show(opened)
        return _show(opened, alert=_("Choose an action."), status=422)
    club = opened.access.tournament.club
    given = StepRequest(
        data=request.POST if is_posted else request.GET,
        by=organiser_of(request),
        is_posted=is_posted,
        is_shown=not (is_posted and "shown" in request.POST),
        sees_details=club is not None and keeps_members(request.user, club),
    )
    try:
        draft = opened.draft_of(given)
        if is_posted and draft.outcome and _is_valid(draft) and _may_run(request, draft.outcome):
            return _do(opened, draft.outcome)
        if not given.is_shown:  # other choices than in the preview, or errors
            given = replace(given, is_shown=True)
            draft = opened.draft_of(given)
    except Refused as refused:
        return _refuse(opened, given, refused)
    return _show_step(opened, given, draft, status=200 if _is_valid(draft) else 422)


def _is_valid(draft: Draft) -> bool:
    return draft.form is None or not draft.form.is_bound or draft.form.is_valid()


def _key(outcome: Outcome) -> str:
    return sha256(outcome.key.encode()).hexdigest()[:16]


def _was_shown(request: HttpRequest, outcome: Outcome) -> bool:
    """Return whether the form was posted with the choices of its preview."""
    return request.POST.get("shown", "").partition(".")[2] == _key(outcome)


def _may_run(request: HttpRequest, outcome: Outcome) -> bool:
    return outcome.at_once or _was_shown(request, outcome)


def _do(opened: Opened, outcome: Outcome) -> HttpResponse:
    request = opened.request
    if outcome.at_once:
        result = outcome.action()
    else:
        digest = request.POST["shown"].partition(".")[0]
        result = do_as_shown(opened.access.tournament, digest, outcome.action)
    undo = outcome.undo(result) if outcome.undo else ""
    if undo:
        say_done(request, outcome.done, undo=undo)
    else:
        messages.success(request, outcome.done)
    return redirect(outcome.then or opened.url)


def _refuse(opened: Opened, given: StepRequest, refused: Refused) -> HttpResponse:
    """Show the step with the error or the new preview; show the list if the step is no longer possible."""
    assert opened.draft_of is not None
    try:
        draft = opened.draft_of(replace(given, is_shown=True, refused=refused.code))
    except Refused as again:
        return _show(opened, alert=str(again), status=_status(again, given))
    if isinstance(refused, Conflict) and isinstance(refused.current, Moves):
        return _show_step(opened, given, draft, alert=str(refused), status=refused.status)
    if not opened.page().offers(opened.do):
        return _show(opened, alert=str(refused), status=_status(refused, given))
    step = Step(opened.do, draft, alert=add_refusal(draft.form, refused))
    return _show(opened, step, status=_status(refused, given))


def _status(refused: Refused, given: StepRequest) -> int:
    return refused.status if given.is_posted else 200


def _show_step(opened: Opened, given: StepRequest, draft: Draft, *, alert: str = "", status: int = 200) -> HttpResponse:
    """Show an open step with its preview."""
    if draft.outcome is None or draft.outcome.at_once or not _is_valid(draft):
        return _show(opened, Step(opened.do, draft, alert=alert), status=status)
    try:
        moves = try_out(opened.access.tournament, draft.outcome.action)
    except Refused as refused:
        return _refuse(opened, given, refused)
    preview = Preview(moves, f"{moves.digest}.{_key(draft.outcome)}")
    return _show(opened, Step(opened.do, draft, preview, alert), status=status)


def _show(opened: Opened, step: Step | None = None, *, alert: str = "", status: int = 200) -> HttpResponse:
    request, sheet = opened.request, opened.page()
    is_below = step is not None and sheet.offers_below(step.do)
    context = {"sheet": sheet, "step": step, "alert": alert, "step_is_below": is_below}
    if request.htmx and request.htmx.target == PANEL:  # type: ignore[attr-defined]
        response = render(request, "league/day/sheet/_panel.html", context, status=status)
    else:
        response = render_page(
            request,
            opened.access,
            "league/day/sheet.html",
            page=opened.nav,
            title=step.draft.title if step else sheet.heading,
            status=status,
            **context,
        )
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response
