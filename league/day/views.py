"""The day: what an organiser does when things do not go as planned. Every action is shown first, then done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import Access, tournament_for
from league.access.rights import Can
from league.day import people
from league.day import tables as day_tables
from league.day.preview import Moves, Plan, do_as_shown, try_out
from league.entries.list_preview import RadioQuestion
from league.lib.errors import Conflict
from league.models import EntryEvent
from league.pages.form_key import NO_CONTENT
from league.pages.in_place import say_done
from league.pages.tournament_page import render_page

NOT_SENT_AGAIN = (*NO_CONTENT, "shown", "plan", "choose", "who")


def plan_in(data: Mapping[str, str]) -> str:
    """The plan that was chosen just now, else the one that the preview showed."""
    return (data.get("choose") or data.get("plan") or "")[:20]


@require_safe
def day(request: HttpRequest, slug: str) -> HttpResponse:
    """The page with everything that can be done about people and tables, and what was done, with its undo."""
    return show_day(request, tournament_for(request.user, slug, Can.CORRECT))


def show_day(
    request: HttpRequest, access: Access, *, status: int = 200, refusal: str = "", of: str = ""
) -> HttpResponse:
    """The page, with a refusal. of: the form that was refused, so that the page shows again what was typed there."""
    context: dict[str, Any] = {"said": refusal, "of": of, "typed": request.POST, **day_tables.offers(access.tournament)}
    context["people_today"] = people.context(access.tournament)
    return render_page(
        request, access, "league/day/day.html", page="day", title=_("Change something"), status=status, **context
    )


@dataclass(frozen=True)
class Decision:
    """An action that is shown before it is done. title: what it is. about: sentences beside that. button: names it.

    done: the message after it. plans: the ways to choose from; `plan` is the value of the one that `action` takes.
    question: who is meant.
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
    """A POST in two steps: without `shown` a page shows what the action would move; with it, the action is done.

    back: the path to go on to. Fields that were posted are posted again. Raises what the action raises.
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
        request, access, "league/day/day_preview.html", page="day", title=decision.title, status=status, **context
    )
