"""The organiser's pages of the stage plan."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, tournament_for
from league.access.rights import Can
from league.formats import FORMATS, Format
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal
from league.models import Stage
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, posted_data, render_page
from league.rounds.cut import undo_cut
from league.setup.stages.forms import GroupsForm, StageForm
from league.setup.stages.in_words import groups_in_words, who_in_words
from league.setup.stages.rules_form import facts_of
from league.setup.stages.stage_plan import PlannedStage, set_stages, to_come


@require_http_methods(["GET", "HEAD", "POST"])
def stages(request: HttpRequest, slug: str) -> HttpResponse:
    """List all stages with who advances to each. Before the draw, also show the form of the groups."""
    access = tournament_for(request.user, slug, Can.RUN)
    tournament, first = access.tournament, access.tournament.stage
    form = GroupsForm(posted_data(request), initial={"groups": first.groups if first.groups > 1 else None})
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                then = [PlannedStage.of(stage) for stage in to_come(tournament)]
                groups = form.cleaned_data["groups"] or 1
                set_stages(tournament=tournament, then=then, groups=groups, by=organiser_of(request))
            except Refused as refused:
                show_refusal(form, refused)
            else:
                messages.success(request, _("Saved."))
                return redirect("stages", slug=slug)
    return _stages(request, access, form, status)


def _stages(request: HttpRequest, access: Access, form: GroupsForm, status: int = 200) -> HttpResponse:
    tournament = access.tournament
    listed = list(tournament.stages.all())
    current, coming = tournament.stage, {stage.pk for stage in to_come(tournament)}
    lines: list[dict[str, Any]] = []
    for before, stage in zip([None, *listed], listed, strict=False):
        lines.append(
            {
                "stage": stage,
                "groups": groups_in_words(stage.groups) if stage.groups > 1 and not stage.by_place else "",
                "who": who_in_words(stage, before.groups) if before else "",
                "facts": ", ".join(f"{label}: {value}" for label, value in facts_of(stage)[2:]),
                "may_change": stage.pk in coming and not tournament.is_final,
            }
        )
    fitting = [plays for plays in FORMATS.values() if plays.enters == current.plays.enters]
    return render_page(
        request,
        access,
        "league/setup/stages/stages.html",
        page="stages",
        title=_("Stages"),
        status=status,
        lines=lines,
        form=form,
        in_groups=current.number == 1 and not tournament.rounds.exists() and current.plays.has_groups,
        after=[] if tournament.is_final else fitting,
        cut_drawn=current.takes is not None and current.started_at is None,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def add_stage(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    """Show or save the form of a stage after the last one."""
    access = tournament_for(request.user, slug, Can.RUN)
    plays = FORMATS.get(format)
    if plays is None:
        raise Http404
    then = [PlannedStage.of(stage) for stage in to_come(access.tournament)]
    form = StageForm(posted_data(request), format=format)
    return _edit(request, access, form, plays, then, len(then))


@require_http_methods(["GET", "HEAD", "POST"])
def edit_stage(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show or save the form of a stage that hasn't started, or remove the stage."""
    access = tournament_for(request.user, slug, Can.RUN)
    coming = to_come(access.tournament)
    at, stage = next(((at, stage) for at, stage in enumerate(coming) if stage.number == number), (0, None))
    if stage is None:
        raise Http404
    then = [PlannedStage.of(later) for later in coming]
    form = StageForm(posted_data(request), format=stage.format, initial=StageForm.initial_from(stage))
    return _edit(request, access, form, stage.plays, then, at, stage)


def _edit(
    request: HttpRequest,
    access: Access,
    form: StageForm,
    plays: Format,
    then: list[PlannedStage],
    at: int,
    stage: Stage | None = None,
) -> HttpResponse:
    """at: index among the future stages. stage: None for a new one."""
    status = 200
    if request.method == "POST":
        status, removes = 422, request.POST.get("do") == "remove"
        if removes or form.is_valid():
            new = [] if removes else [form.stage(then[at] if stage else None)]
            try:
                set_stages(
                    tournament=access.tournament, then=[*then[:at], *new, *then[at + 1 :]], by=organiser_of(request)
                )
            except Refused as refused:
                show_refusal(form, refused)
            else:
                messages.success(request, _("The stage is removed.") if removes else _("Saved."))
                return redirect("stages", slug=access.tournament.slug)
    return render_page(
        request,
        access,
        "league/setup/stages/edit_stage.html",
        page="stages",
        title=_(plays.name),
        status=status,
        form=form,
        of_format=plays,
        edited=stage,
        points_count_on=plays.takes_points,
        may_have_finals=plays.has_groups,
    )


@require_POST
def take_back_cut(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo a cut that hasn't been published."""
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        undo_cut(tournament=access.tournament, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The cut is undone."))
    return redirect("tournament", slug=slug)
