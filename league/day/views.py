"""The page Manage, and the preview of its actions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import Access, tournament_for
from league.access.rights import Can
from league.day import manage_page
from league.day.form_actions import FormAction
from league.day.manage_page import Refusal
from league.day.preview import Moves, Plan, do_as_shown, try_out
from league.day.table_forms import ReasonForm
from league.entries.list_preview import RadioQuestion
from league.lib.errors import Conflict, Refused
from league.models import EntryEvent
from league.pages.form_key import NO_CONTENT
from league.pages.in_place import say_done
from league.pages.tournament_page import organiser_of, render_page
from league.rounds import pause as pausing

NOT_SENT_AGAIN = (*NO_CONTENT, "shown", "plan", "choose", "who")


def plan_in(data: Mapping[str, str]) -> str:
    """Return the plan chosen now, else the plan of the preview."""
    return (data.get("choose") or data.get("plan") or "")[:20]


@require_safe
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the actions on the round and the whole event."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    return _show_manage(request, access, Refusal(), selected_round=request.GET.get("round", "")[:5])


def show_manage(
    request: HttpRequest, access: Access, *, status: int = 200, refusal: str = "", form_id: str
) -> HttpResponse:
    """Show the page with a refusal. form_id: the refused form, which shows its typed values."""
    return _show_manage(request, access, Refusal(refusal, form_id, request.POST), status=status)


def _show_manage(
    request: HttpRequest, access: Access, refusal: Refusal, *, status: int = 200, selected_round: str = ""
) -> HttpResponse:
    page = manage_page.page_of(access, refusal, selected_round)
    return render_page(
        request, access, "league/day/manage.html", page="manage", title=_("Manage"), status=status, manage=page
    )


@dataclass(frozen=True)
class Decision:
    """A previewed action. about: sentences under the title. done: the message afterwards.

    plans: the choices; `plan` is the value that `action` uses. question: about the person meant.
    """

    action: Callable[[], object]
    title: str
    button: str
    done: str
    about: Sequence[str] = ()
    plans: Sequence[Plan] = ()
    plan: str = ""
    question: RadioQuestion | None = None


def decide(request: HttpRequest, access: Access, decision: Decision, *, back: str) -> HttpResponse:
    """Preview an action, or run it if `shown` was posted.

    back: the path afterwards. Posted fields are posted again. Raises what the action raises.
    """
    digest = request.POST.get("shown", "")
    if not digest or "choose" in request.POST:
        return _preview(request, access, decision, back, try_out(access.tournament, decision.action))
    try:
        result = do_as_shown(access.tournament, digest, decision.action)
    except Conflict as conflict:
        if not isinstance(conflict.current, Moves):
            raise
        return _preview(request, access, decision, back, conflict.current, changed=str(conflict), status=409)
    if isinstance(result, EntryEvent):
        say_done(request, decision.done, undo=reverse("undo_event", args=[access.tournament.slug, result.pk]))
    else:
        messages.success(request, decision.done)
    return redirect(back)


def _preview(
    request: HttpRequest,
    access: Access,
    decision: Decision,
    back: str,
    moves: Moves,
    *,
    changed: str = "",
    status: int = 200,
) -> HttpResponse:
    sent = [(name, value) for name, values in request.POST.lists() if name not in NOT_SENT_AGAIN for value in values]
    if decision.plan:
        sent.append(("plan", decision.plan))
    context = {"decision": decision, "back": back, "moves": moves, "changed": changed, "sent": sent}
    return render_page(
        request, access, "league/day/day_preview.html", page="manage", title=decision.title, status=status, **context
    )


@require_POST
def run_action(request: HttpRequest, slug: str, action: FormAction) -> HttpResponse:
    """Preview the action of a form, then run it. A refusal appears on Manage with the typed values."""
    access = tournament_for(request.user, slug, action.right)
    form = action.form(request.POST, tournament=access.tournament)
    if not form.is_valid():
        return show_manage(request, access, status=422, refusal=form.first_fault(), form_id=action.form_id)
    arguments, by = form.arguments(), organiser_of(request)
    try:
        return decide(
            request,
            access,
            Decision(
                action=lambda: action.do(tournament=access.tournament, by=by, **arguments),
                title=str(action.title) % arguments,
                button=str(action.button),
                done=str(action.done) % arguments,
                about=action.about(access.tournament, arguments),
            ),
            back=reverse("manage", args=[slug]),
        )
    except Refused as refused:
        return show_manage(request, access, status=refused.status, refusal=str(refused), form_id=action.form_id)


@require_POST
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    """Pause or resume at once, without a preview: no seat or rank changes, and resuming undoes a pause."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = ReasonForm(request.POST)
    by = organiser_of(request)
    try:
        if request.POST.get("do") == "resume":
            pausing.resume(tournament=access.tournament, by=by)
            message = _("Play has resumed.")
        else:
            reason = form.cleaned_data["reason"] if form.is_valid() else ""
            pausing.pause(tournament=access.tournament, reason=reason, by=by)
            message = _("Play is paused.")
    except Refused as refused:
        return show_manage(request, access, status=refused.status, refusal=str(refused), form_id="pause")
    messages.success(request, message)
    return redirect("manage", slug=slug)
