"""The organiser's pages for online tables: the settings, and which tables of the open round are played online."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.models import Deal
from games.online import arranging
from games.online.arranging_forms import OnlineForm, TablesForm
from games.online.deals import settings_of
from league.access import tournament_for
from league.errors import Refused
from league.models import Round, Table, Tournament
from league.roles import Can
from league.views.page import organiser_of, posted, render_page


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Which tables are played online, how their clocks run, and what happens with who is not there."""
    access = tournament_for(request.user, slug, Can.RUN)
    tournament, stage = access.tournament, access.tournament.stages.get()
    now = settings_of(tournament)
    initial = {name: getattr(now, name) for name in arranging.SETTINGS} | OnlineForm.of_tables(tournament.online)
    frozen = stage.started_at is not None
    form = OnlineForm(posted(request), initial=initial | {"options": stage.options}, frozen=frozen)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                arranging.change_online(
                    tournament=tournament,
                    by=organiser_of(request),
                    online=form.online(),
                    options=form.cleaned_data["options"],
                    **{name: form.cleaned_data[name] for name in arranging.SETTINGS},
                )
            except Refused as refused:
                status = refused.status
                form.add_error("numbers" if refused.code == "online" else None, str(refused))
            else:
                messages.success(request, _("Saved."))
                return redirect("online_settings", slug=slug)
    return render_page(
        request,
        access,
        "games/online_settings.html",
        page="settings",
        title=_("Online tables"),
        status=status,
        stage=stage,
        form=form,
        frozen=frozen,
        played=open_round(tournament),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Which tables of the open round are played online from the next hand on."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    played = open_round(access.tournament)
    here = _tables(played)
    form = TablesForm(posted(request), tables=here)
    status, said = 200, ""
    if request.method == "POST":
        status, said = 422, _("Tick the tables again and save.")
        if form.is_valid():
            try:
                arranging.put_online(
                    tournament=access.tournament,
                    round_number=form.cleaned_data["round"],
                    numbers=form.cleaned_data["tables"],
                    by=organiser_of(request),
                )
            except Refused as refused:
                status, said = refused.status, str(refused)
            else:
                messages.success(request, _("Saved."))
                return redirect("online_tables", slug=slug)
    return render_page(
        request,
        access,
        "games/online_tables.html",
        page="day",
        title=_("Where tables are played"),
        status=status,
        played=played,
        tables=here,
        in_play=_in_play(here),
        said=said,
    )


def open_round(tournament: Tournament) -> Round | None:
    states = (Round.State.PUBLISHED, Round.State.RUNNING)
    return tournament.rounds.filter(state__in=states).order_by("number").last() if not tournament.is_final else None


def _tables(played: Round | None) -> list[Table]:
    return list(played.tables.exclude(state=Table.State.VOID).order_by("number")) if played else []


def _in_play(tables: list[Table]) -> set[int]:
    """The tables, by key, that stay as they are, because a hand is being played online there."""
    playing = Deal.objects.filter(table__in=tables, state=Deal.State.PLAYING)
    return set(playing.values_list("table_id", flat=True))
