"""The page Late entry: an entry is previewed, then added."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import Access, keeps_members, may_erase, substitute_for, tournament_for
from league.access.rights import Can
from league.day import late_page, people
from league.day.entrants import Confirmed, enter_late
from league.day.forms import LateForm
from league.day.views import Decision, decide, plan_in
from league.entries.list_preview import RadioQuestion, ask_who
from league.erasure.page import erase_page
from league.ledger.lineups import SAME_NAME
from league.lib.errors import Refused
from league.lib.form_fields import add_refusal
from league.models import Tournament
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, render_page


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def late(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page, or add an entry after the start."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    if request.method != "POST":
        return _show(request, access, late_page.empty_form(access.tournament))
    form = late_page.late_form(access.tournament.stage)(request.POST)
    if not form.is_valid():
        return _show(request, access, form, status=422)
    try:
        decision = _decision(request, access.tournament, form.cleaned_data)
        return decide(request, access, decision, back=reverse("day_late", args=[slug]))
    except Refused as refused:
        form.asks_another = refused.code == SAME_NAME or bool(form.data.get("another"))
        return _show(request, access, form, status=refused.status, refusal=add_refusal(form, refused))


def _show(
    request: HttpRequest, access: Access, form: LateForm | None, *, status: int = 200, refusal: str = ""
) -> HttpResponse:
    page = late_page.page_of(access, form)
    context = {"late": page, "refusal": refusal}
    return render_page(
        request, access, "league/day/late.html", page="day_late", title=_("Late entry"), status=status, **context
    )


def _decision(request: HttpRequest, tournament: Tournament, typed: Mapping[str, Any]) -> Decision:
    data, by = dict(typed), organiser_of(request)
    stage, name = tournament.stage, {"name": data["name"]}
    plans = people.plans_to_enter(stage) if late_page.empty_form(tournament) else []
    plan = plan_in(request.POST) or (plans[0].value if plans else "")
    table = plan.removeprefix("table-")
    question = None if stage.has_teams else _ask_who(request, tournament, data["name"])
    data["confirmed"] = Confirmed(data.pop("another"), question.answer if question else "")
    data["table"] = int(table) if table != plan and table.isdecimal() else None
    return Decision(
        action=lambda: enter_late(tournament=tournament, by=by, **data),
        title=_("Add %(name)s") % name,
        about=[] if plans else [late_page.late_words(stage)],
        plans=plans,
        plan=plan,
        question=question,
        button=_("Add %(name)s") % name,
        done=_("%(name)s has been added.") % name,
    )


def _ask_who(request: HttpRequest, tournament: Tournament, name: str) -> RadioQuestion | None:
    """Return the question about the person meant by a typed name, with the posted or likely answer."""
    sees_details = tournament.club is not None and keeps_members(request.user, tournament.club)
    picked = request.POST.get("who", "")[:20]
    return ask_who(tournament, name, organiser_of(request), picked, sees_details=sees_details)


@require_http_methods(["GET", "HEAD", "POST"])
def erase_substitute(request: HttpRequest, slug: str, player_id: int) -> HttpResponse:
    """Erase a substitute who is not on the list; the form repeats the name."""
    access, person = substitute_for(request.user, slug, player_id, Can.RUN)
    if not may_erase(request.user, person):
        raise Http404
    page = reverse("day_late", args=[slug])
    return erase_page(request, access, person, name=person.name, page="day_late", back=page, then=page)
