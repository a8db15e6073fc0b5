"""The settings page of a tournament."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, clubs_to_hold_in, tournament_for
from league.access.rights import Can
from league.clubs.clubs import put_in_club
from league.day.views import Decision, decide
from league.formats.setting import AT_ONCE, TO_COME
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal
from league.lib.translate import label_text
from league.models import Stage
from league.pages.tournament_page import organiser_of, render_page
from league.seasons.seasons import put_in_season
from league.setup.amend import amend_rules
from league.setup.create import change_details, change_rules
from league.setup.forms import FeeForm, LeavingForm, OddsForm, ReportingForm
from league.setup.settings_page import SettingsForms, evening_form, settings_forms, settings_page


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show or save one of the forms: details, reporting, odds, fee, rules, changes after the start."""
    access = tournament_for(request.user, slug, Can.RUN)
    which = request.POST.get("form", "") if request.method == "POST" else ""
    if request.method == "POST" and which not in _SAVES:
        raise Http404
    evening_of = evening_form(access.tournament, clubs_to_hold_in(request.user))
    forms, status = settings_forms(access.tournament, evening_of, request.POST, which), 200
    if which:
        status = 422
        try:
            if answer := _SAVES[which](request, access, forms):
                return answer
        except Refused as refused:
            status = refused.status
            show_refusal(forms.rules if which == "rules" else forms.details, refused)
    return show_settings(request, access, forms, status=status)


def show_settings(request: HttpRequest, access: Access, forms: SettingsForms, *, status: int = 200) -> HttpResponse:
    context = {"stage": access.tournament.stage, "settings": settings_page(access, forms)}
    template, title = "league/setup/settings.html", _("Settings")
    return render_page(request, access, template, page="settings", title=title, status=status, **context)


def shown_forms(request: HttpRequest, access: Access) -> SettingsForms:
    """Return unbound forms, for a page that shows another, refused form."""
    return settings_forms(access.tournament, evening_form(access.tournament, clubs_to_hold_in(request.user)))


# One function a form: it returns a redirect, or None if the form has errors. It may raise `Refused`.


def _save_details(request: HttpRequest, access: Access, forms: SettingsForms) -> HttpResponse | None:
    if not forms.details.is_valid():
        return None
    by, tournament = organiser_of(request), access.tournament
    changed = change_details(tournament=tournament, by=by, **forms.details.cleaned_data)
    messages.success(request, _("Saved."))
    if changed.slug != tournament.slug:
        messages.warning(request, _("The address is another one now; the old one opens nothing any more."))
    return redirect("settings", slug=changed.slug)


def _save_reporting(request: HttpRequest, access: Access, forms: SettingsForms) -> HttpResponse | None:
    return _save_of_any_time(request, access, forms.reporting)


def _save_odds(request: HttpRequest, access: Access, forms: SettingsForms) -> HttpResponse | None:
    return _save_of_any_time(request, access, forms.odds)


def _save_leaving(request: HttpRequest, access: Access, forms: SettingsForms) -> HttpResponse | None:
    return _save_of_any_time(request, access, forms.leaving)


def _save_fee(request: HttpRequest, access: Access, forms: SettingsForms) -> HttpResponse | None:
    return _save_of_any_time(request, access, forms.fee)


def _save_of_any_time(
    request: HttpRequest, access: Access, form: ReportingForm | LeavingForm | OddsForm | FeeForm
) -> HttpResponse | None:
    if not form.is_valid():
        return None
    change_details(tournament=access.tournament, by=organiser_of(request), **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect("settings", slug=access.tournament.slug)


def _save_rules(request: HttpRequest, access: Access, forms: SettingsForms) -> HttpResponse | None:
    if not (forms.rules.is_valid() and forms.ties.is_valid()):
        return None
    change_rules(
        tournament=access.tournament,
        edition=forms.rules.cleaned_data["edition"],
        scoring=forms.rules.scoring(),
        tie_breaks=forms.ties.order(),
        by=organiser_of(request),
        **forms.rules.settings(),
    )
    messages.success(request, _("Saved."))
    return redirect("settings", slug=access.tournament.slug)


def _amend(request: HttpRequest, access: Access, forms: SettingsForms) -> HttpResponse | None:
    """Return the preview, or a redirect after the change; None if the form has errors."""
    form, ties = forms.amending, forms.amended_ties
    if not form.is_valid() or not ties.is_valid():
        return None
    data = form.cleaned_data
    if not form.changes and ties.order() == tuple(form.stage.tie_breaks):
        form.add_error(None, _("Nothing changed. Change a setting first."))
        return None
    try:
        return decide(
            request,
            access,
            Decision(
                action=lambda: amend_rules(
                    tournament=access.tournament,
                    **form.settings(),
                    tie_breaks=ties.order(),
                    reason=data["reason"],
                    by=organiser_of(request),
                ),
                title=_("Change rules after the start"),
                button=_("Change the rules"),
                done=_("Changed. The standings list the change with its reason."),
                about=_what_holds_when(form.stage),
            ),
            back=reverse("settings", args=[access.tournament.slug]),
        )
    except Refused as refused:
        show_refusal(form, refused)
        return None


_SAVES: Mapping[str, Callable[[HttpRequest, Access, SettingsForms], HttpResponse | None]] = {
    "details": _save_details,
    "reporting": _save_reporting,
    "leaving": _save_leaving,
    "odds": _save_odds,
    "fee": _save_fee,
    "rules": _save_rules,
    "amend": _amend,
}


def _what_holds_when(stage: Stage) -> list[str]:
    def named(when: str) -> list[str]:
        return [_(setting.label) for setting in stage.plays.settings if setting.amended == when]

    holds = [(_("For unpublished rounds"), named(TO_COME))]
    at_once = [*named(AT_ONCE), *([_("Tie-breaks")] if stage.plays.tie_breaks else [])]
    holds.append((_("At once, also for played rounds"), at_once))
    return [label_text(when, ", ".join(names)) for when, names in holds if names]


@require_POST
def set_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Set club and season. Leaving the club may cost the viewer their rights in the tournament."""
    access = tournament_for(request.user, slug, Can.RUN)
    form = evening_form(access.tournament, clubs_to_hold_in(request.user), request.POST)
    if form is None or not form.is_valid():
        messages.error(request, _("Nothing was changed. Choose one of your clubs."))
        return redirect("settings", slug)
    club, (season, division) = form.club(), form.season()
    try:
        with transaction.atomic():
            tournament = put_in_club(tournament=access.tournament, club=club, by=organiser_of(request))
            put_in_season(tournament=tournament, season=season, division=division, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("settings", slug)
    if season is not None:
        messages.success(request, _("It counts in %(season)s.") % {"season": season.name})
        return redirect("settings", slug)
    if club is not None:
        messages.success(request, _("It’s now a tournament of %(club)s.") % {"club": club.name})
        return redirect("settings", slug)
    messages.success(request, _("It no longer belongs to a club."))
    return redirect("home")
