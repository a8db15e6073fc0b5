"""Pages to create a tournament, and for its settings."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, clubs_to_hold_in, own_tournaments, tournament_for
from league.access.rights import Can
from league.entries.forms import lines_in_words
from league.formats import format_of
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal, time_zones
from league.lib.translate import translate
from league.models import Tournament
from league.pages.tournament_page import organiser_of, posted_data, render_page
from league.rounds.steps import why_it_goes_on
from league.seasons.seasons import put_in_season
from league.setup.amend_views import amend
from league.setup.call_off import why_it_is_held
from league.setup.club_views import evening_form
from league.setup.create import change_details, change_rules, create_tournament, free_name
from league.setup.delete import why_it_stays
from league.setup.end_forms import CallOffForm, CountsForm
from league.setup.forms import (
    AmendForm,
    ClubChoiceForm,
    DetailsForm,
    NewTournamentForm,
    OddsForm,
    ReportingForm,
    TieBreaksForm,
)
from league.setup.players_views import warn
from league.setup.rules_form import RulesForm, facts_of
from league.standings.amendments_in_words import sentences_of
from league.standings.tie_breaks import TIE_BREAKS


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    last = own_tournaments(request.user).filter(is_demo=False).order_by("-created_at").first()
    initial = {
        "starts_on": timezone.localdate(),
        "time_zone": last.time_zone if last else "UTC",
        "place": last.place if last else "",
        "edition": last.stage.edition if last else "classic",
    }
    clubs = list(clubs_to_hold_in(request.user))
    club = next((candidate for candidate in clubs if candidate.slug == request.GET.get("club")), None)
    if club is not None:
        initial |= {"time_zone": club.time_zone, "place": club.place, "visibility": club.visibility}
    form = NewTournamentForm(posted_data(request), request.FILES or None, initial=initial)
    of_club = ClubChoiceForm(
        posted_data(request),
        clubs=clubs,
        initial={"club": club.slug if club else ""},
        season=request.GET.get("season", ""),
    )
    if request.method == "POST" and form.is_valid() and of_club.is_valid():
        try:
            tournament = _create(request, form, of_club)
        except Refused as refused:
            show_refusal(form, refused)
        else:
            warn(request, form.roster)
            if form.rows() and not form.roster.rows:
                messages.info(request, _("The places have no names yet. Put them in under Players, whenever you like."))
            return redirect(tournament if form.rows() else "players", *([] if form.rows() else [tournament.slug]))
    context = {
        "form": form,
        "line_errors": lines_in_words(form.line_errors),
        "time_zones": time_zones(),
        "known_zone": last is not None or club is not None,
        "of_club": of_club,
        "chosen": form["format"].value(),
        "evening": _evening(form),
    }
    return render(request, "league/setup/new.html", context, status=422 if request.method == "POST" else 200)


def _create(request: HttpRequest, form: NewTournamentForm, of_club: ClubChoiceForm) -> Tournament:
    data, (season, division) = form.cleaned_data, of_club.season()
    name = form.title() if data["name"] else free_name(form.title(), organiser_of(request))
    with transaction.atomic():
        tournament = create_tournament(
            owner=organiser_of(request),
            players=form.rows(),
            format=form.plays,
            edition=data["edition"],
            scoring=form.scoring(),
            shuffled=data["order"] == "shuffled" and format_of(form.plays).drawn_ahead,
            online=form.online,
            club=of_club.club(),
            **form.settings(),
            **{field: data[field] for field in DETAILS} | {"name": name},
        )
        if season is None:
            return tournament
        return put_in_season(tournament=tournament, season=season, division=division, by=organiser_of(request))


DETAILS = ("name", "place", "starts_on", "starts_at", "time_zone", "visibility")


@login_required
@require_POST
def evening(request: HttpRequest) -> HttpResponse:
    """An estimate of the evening, updated while the form is filled in."""
    return render(
        request, "league/setup/new/_evening.html", {"evening": _evening(NewTournamentForm(request.POST, request.FILES))}
    )


def _evening(form: NewTournamentForm) -> dict[str, Any]:
    """The estimate of the evening, or a sentence on what is possible; and warnings about the names."""
    form.is_valid()
    plan: dict[str, Any] = {"faulty": len(form.line_errors), "warnings": lines_in_words(form.roster.warnings)}
    players = len(form.rows())
    if not players or not form.plays:
        return plan
    if fault := form.first_fault():
        return plan | {"impossible": fault}
    plays, settings = format_of(form.plays), form.settings()
    if problems := plays.problems(settings, players):
        return plan | {"impossible": translate(next(iter(problems.values())))}
    scoring = form.scoring() or plays.scorings[0]
    evening = plays.evening(players, plays.complete(settings), form.cleaned_data["edition"], scoring)
    starts_at = form.cleaned_data.get("starts_at")
    ends = divmod((starts_at.hour * 60 + starts_at.minute + evening.minutes) % 1440, 60) if starts_at else None
    return plan | {
        "counted": evening,
        "hours": evening.minutes // 60,
        "minutes": evening.minutes % 60,
        "ends": f"{ends[0]:02}:{ends[1]:02}" if ends else "",
    }


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
