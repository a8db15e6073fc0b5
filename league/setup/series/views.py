"""The page that repeats an event every week."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, tournament_for
from league.access.rights import Can
from league.lib.errors import Conflict, Refused
from league.lib.form_fields import show_refusal
from league.pages.in_place import say_done
from league.pages.tournament_page import organiser_of, render_page
from league.setup.series import repeat
from league.setup.series.forms import DayForm, SeriesForm
from league.setup.series.page import series_page_of, usual_plan


@require_http_methods(["GET", "HEAD", "POST"])
def series(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the series, or a preview of the plan in the query. A POST creates or changes it."""
    access = tournament_for(request.user, slug, Can.RUN)
    if request.method != "POST":
        return _show(request, access, SeriesForm(request.GET) if "weekday" in request.GET else None)
    form = SeriesForm(request.POST)
    if not form.is_valid():
        return _show(request, access, form, status=422)
    is_new = access.tournament.series_id is None
    try:
        repeat.repeat(tournament=access.tournament, plan=form.plan(), by=organiser_of(request))
    except Refused as refused:
        show_refusal(form, refused)
        return _show(request, access, form, status=refused.status)
    messages.success(request, _("The series is created.") if is_new else _("The series is saved."))
    return redirect("series", slug=slug)


def _show(request: HttpRequest, access: Access, form: SeriesForm | None, *, status: int = 200) -> HttpResponse:
    tournament = access.tournament
    if form is not None:
        plan = form.plan() if form.is_valid() else None
    else:
        plan = repeat.plan_of(tournament.series) if tournament.series else usual_plan(tournament)
        form = SeriesForm(initial=SeriesForm.initial_from(plan))
    page = series_page_of(tournament, form, plan)
    title = _("Repeat every week")
    return render_page(
        request, access, "league/setup/series.html", page="series", title=title, status=status, series=page
    )


@require_POST
def skip_day(request: HttpRequest, slug: str) -> HttpResponse:
    """Skip a day of the series, or reinstate it (`do=play`)."""
    access, form = tournament_for(request.user, slug, Can.RUN), DayForm(request.POST)
    if not form.is_valid():
        messages.warning(request, _("Choose a day of the series."))
        return redirect("series", slug=slug)
    day, skipped = form.cleaned_data["day"], request.POST.get("do") != "play"
    try:
        repeat.skip(tournament=access.tournament, day=day, skipped=skipped, by=organiser_of(request))
    except Conflict as conflict:
        messages.warning(request, str(conflict))
    else:
        done = _("%(day)s is skipped.") if skipped else _("There is a tournament on %(day)s again.")
        messages.success(request, done % {"day": date_format(day, _("l j F"))})
    return redirect("series", slug=slug)


@require_POST
def end_series(request: HttpRequest, slug: str) -> HttpResponse:
    """Create no more events. Choosing a later last day continues the series, so there is no confirmation."""
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        repeat.end_series(tournament=access.tournament, by=organiser_of(request))
    except Conflict as conflict:
        messages.warning(request, str(conflict))
    else:
        address = reverse("series", args=[slug])
        say_done(request, _("The series has ended. Choose a later last day to continue it."), undo=f"{address}#plan")
    return redirect("series", slug=slug)
