"""The organiser's pages for online tables: settings, and the online tables of a round."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.hands.in_play import tables_in_play
from games.online.play import settings as arranging
from games.online.play.deals import settings_of
from games.online.settings_forms import OnlineForm, TablesForm
from league.access import tournament_for
from league.access.rights import Can
from league.day.tables import round_now
from league.lib.errors import Refused
from league.models import Round, Table, Tournament
from league.pages.tournament_page import organiser_of, posted_data, render_page


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show or change the online tables, their clocks, and the rules for absent players."""
    access = tournament_for(request.user, slug, Can.RUN)
    tournament, stage = access.tournament, access.tournament.stage
    now = settings_of(tournament)
    initial = {name: getattr(now, name) for name in arranging.SETTINGS} | OnlineForm.fields_of(tournament.online)
    frozen = stage.started_at is not None
    form = OnlineForm(posted_data(request), initial=initial | {"options": stage.options}, frozen=frozen)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                arranging.change_online(
                    tournament=tournament,
                    by=organiser_of(request),
                    online=form.online,
                    options=form.cleaned_data["options"],
                    **{name: form.cleaned_data[name] for name in arranging.SETTINGS},
                )
            except Refused as refused:
                status = refused.status
                form.add_error(None, str(refused))
            else:
                messages.success(request, _("Saved."))
                return redirect("online_settings", slug=slug)
    return render_page(
        request,
        access,
        "games/online/online_settings.html",
        page="settings",
        title=_("Online tables"),
        status=status,
        stage=stage,
        form=form,
        frozen=frozen,
        played=_round_now(tournament),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Show or change where tables of the current or next round are played. Other pages post here too."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    status, message = 200, ""
    if request.method == "POST":
        form = TablesForm(request.POST)
        status, message = 422, _("Choose tables, and online or real cards.")
        if form.is_valid() and any(form.numbers().values()):
            try:
                arranging.put_online(
                    tournament=access.tournament,
                    round_number=form.cleaned_data["round"],
                    by=organiser_of(request),
                    **form.numbers(),
                )
            except Refused as refused:
                status, message = refused.status, str(refused)
            else:
                messages.success(request, _("Saved."))
                return redirect(_back(slug, form))
    played = _round_now(access.tournament)
    here = _tables(played)
    in_play = tables_in_play(here)
    return render_page(
        request,
        access,
        "games/online/online_tables.html",
        page="manage",
        title=_("Where tables are played"),
        status=status,
        played=played,
        tables=here,
        in_play=in_play,
        to_paper=[table for table in here if table.mode == Table.Mode.ONLINE and table.pk not in in_play],
        to_online=[table for table in here if table.mode != Table.Mode.ONLINE],
        said=message,
    )


def _back(slug: str, form: TablesForm) -> str:
    """Return the address of the changed table on the page that sent the form."""
    name, number = form.cleaned_data["back"], form.cleaned_data["round"]
    address = reverse(name or "online_tables", args=[slug])
    if name == "seating":
        tables = [table for named in form.numbers().values() for table in named]
        return f"{address}?round={number}#table-{tables[0]}"
    return address


def _round_now(tournament: Tournament) -> Round | None:
    return None if tournament.is_final else round_now(tournament)


def _tables(played: Round | None) -> list[Table]:
    return list(played.tables.exclude(state=Table.State.VOID).order_by("number")) if played else []
