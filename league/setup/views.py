"""The page of a tournament’s settings."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import Access, tournament_for
from league.access.rights import Can
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal, time_zones
from league.pages.tournament_page import organiser_of, render_page
from league.rounds.steps import why_it_goes_on
from league.setup.amend_views import amend
from league.setup.call_off import why_it_is_held
from league.setup.club_views import evening_form
from league.setup.create import change_details, change_rules
from league.setup.delete import why_it_stays
from league.setup.end_forms import CallOffForm, CountsForm
from league.setup.forms import (
    DETAILS,
    AmendForm,
    DetailsForm,
    OddsForm,
    ReportingForm,
    TieBreaksForm,
)
from league.setup.stages.rules_form import RulesForm, facts_of
from league.standings.amendments_in_words import sentences_of
from league.standings.tie_breaks import TIE_BREAKS


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings' forms: details, which may change at any time, who enters hands, odds, the rules, which are fixed
    from the start, and those rules that may change even then."""
    access = tournament_for(request.user, slug, Can.RUN)
    tournament = access.tournament
    which = request.POST.get("form") if request.method == "POST" else None
    if request.method == "POST" and which not in ("details", "reporting", "odds", "rules", "amend"):
        raise Http404
    forms = _settings_forms(request, access, which)
    if which == "amend" and (answer := amend(request, access, forms["amending"], forms["amended_ties"])):
        return answer
    status = 200
    details, rules, ties = forms["details"], forms["rules"], forms["ties"]
    if which == "details" and details.is_valid():
        try:
            changed = change_details(tournament=tournament, by=organiser_of(request), **details.cleaned_data)
        except Refused as refused:
            status = refused.status
            show_refusal(details, refused)
        else:
            messages.success(request, _("Saved."))
            if changed.slug != slug:
                messages.warning(request, _("The address is another one now; the old one opens nothing any more."))
            return redirect("settings", slug=changed.slug)
    of_any_time = forms[which] if which in ("reporting", "odds") else None
    if of_any_time is not None and of_any_time.is_valid():
        change_details(tournament=tournament, by=organiser_of(request), **of_any_time.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("settings", slug=slug)
    if which == "rules" and rules.is_valid() and ties.is_valid():
        try:
            change_rules(
                tournament=tournament,
                edition=rules.cleaned_data["edition"],
                scoring=rules.scoring(),
                tie_breaks=ties.order(),
                by=organiser_of(request),
                **rules.settings(),
            )
        except Refused as refused:
            status = refused.status
            show_refusal(rules, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("settings", slug=slug)
    if request.method == "POST" and status == 200:
        status = 422
    return show_settings(request, access, status=status, **forms)


def show_settings(request: HttpRequest, access: Access, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The settings page, with the `forms` that were refused; other forms show what is set now."""
    tournament, stage = access.tournament, access.tournament.stage
    context = _settings_forms(request, access) | {
        "calling_off": CallOffForm(),
        "counting": CountsForm(initial={"counts": tournament.counts_in_club}),
        "why_not_deleted": why_it_stays(tournament),
        "why_not_called_off": why_it_is_held(tournament),
        "why_not_ended": why_it_goes_on(tournament),
        "may_delete": access.may(Can.DELETE),
        "tie_breaks": TIE_BREAKS.values(),
        "has_tie_breaks": stage.plays.tie_breaks,
        "frozen": tournament.has_begun,
        "facts": facts_of(stage),
        "amendments": sentences_of(stage, tournament.zone),
        "evening_of": evening_form(request, access),
        "time_zones": time_zones(),
    }
    return render_page(
        request,
        access,
        "league/setup/settings.html",
        page="settings",
        title=_("Settings"),
        status=status,
        stage=stage,
        **(context | forms),
    )


def _settings_forms(request: HttpRequest, access: Access, which: str | None = None) -> dict[str, Any]:
    """which: the form that was posted."""
    tournament, stage = access.tournament, access.tournament.stage

    def posted_for(form: str) -> QueryDict | None:
        return request.POST if which == form else None

    order = TieBreaksForm.initial_from(stage.tie_breaks)
    reporting = {"players_report": tournament.players_report, "confirm_after": tournament.confirm_after}
    return {
        "details": DetailsForm(posted_for("details"), initial={field: getattr(tournament, field) for field in DETAILS}),
        "reporting": ReportingForm(posted_for("reporting"), initial=reporting),
        "odds": OddsForm(posted_for("odds"), initial={"shows_odds": tournament.shows_odds}),
        "rules": RulesForm(posted_for("rules"), format=stage.format, initial=RulesForm.initial_from(stage)),
        "ties": TieBreaksForm(posted_for("rules"), initial=order, prefix="order"),
        "amending": AmendForm(posted_for("amend"), stage=stage, auto_id="amend_%s"),
        "amended_ties": TieBreaksForm(posted_for("amend"), initial=order, prefix="then"),
    }
