"""Making a tournament and its roster."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, clubs_to_hold_in, entry_for, may_erase, own_tournaments, tournament_for
from league.access.members import unlisted, unlisted_teams
from league.access.rights import Can
from league.access.session_links import players_in
from league.entries.forms import PlayerForm, RosterForm, lines_in_words
from league.entries.list_order import (
    MOST_PLAYERS,
    add_entries,
    move_entry,
    order_by_rating,
    remove_entry,
    rename_entry,
    shuffle_order,
)
from league.entries.roster.rows import Roster
from league.entries.team_forms import TeamForm
from league.entries.team_members import change_team
from league.erasure import erase
from league.formats import FORMATS
from league.formats.estimate import evening_of
from league.ledger.lineups import members_of
from league.lib.errors import Conflict, Refused
from league.lib.form_fields import show_refusal, time_zones
from league.lib.translate import translated
from league.models import Entry, RatingPoint, Stage, Tournament
from league.pages.tournament_page import organiser_of, posted, render_page
from league.ratings.seeding import BY_RATING, figures_of
from league.rounds.draw import draw_order
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
    RulesForm,
    TieBreaksForm,
)
from league.standings import read as ledger
from league.standings.amendments_in_words import sentences_of
from league.standings.race_in_words import left_in_words
from league.standings.tie_breaks import TIE_BREAKS


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    last = own_tournaments(request.user).filter(is_demo=False).order_by("-created_at").first()
    initial = {
        "starts_on": timezone.localdate(),
        "time_zone": last.time_zone if last else "UTC",
        "place": last.place if last else "",
        "edition": last.stages.get().edition if last else "classic",
    }
    clubs = list(clubs_to_hold_in(request.user))
    asked = next((one for one in clubs if one.slug == request.GET.get("club")), None)
    if asked is not None:
        initial |= {"time_zone": asked.time_zone, "place": asked.place, "visibility": asked.visibility}
    form = NewTournamentForm(posted(request), request.FILES or None, initial=initial)
    of_club = ClubChoiceForm(
        posted(request),
        clubs=clubs,
        initial={"club": asked.slug if asked else ""},
        season=request.GET.get("season", ""),
    )
    if request.method == "POST" and form.is_valid() and of_club.is_valid():
        try:
            tournament = _create(request, form, of_club)
        except Refused as refused:
            show_refusal(form, refused)
        else:
            _warn(request, form.roster)
            if form.rows() and not form.roster.rows:
                messages.info(request, _("The places have no names yet. Put them in under Players, whenever you like."))
            return redirect(tournament if form.rows() else "players", *([] if form.rows() else [tournament.slug]))
    context = {
        "form": form,
        "line_errors": lines_in_words(form.line_errors),
        "time_zones": time_zones(),
        "known_zone": last is not None or asked is not None,
        "of_club": of_club,
        "chosen": form["format"].value(),
        "evening": _evening(form),
    }
    return render(request, "league/setup/new.html", context, status=422 if request.method == "POST" else 200)


def _create(request: HttpRequest, form: NewTournamentForm, of_club: ClubChoiceForm) -> Tournament:
    data, (season, division) = form.cleaned_data, of_club.season()
    name = form.title() if data["name"] else free_name(form.title(), organiser_of(request))
    with transaction.atomic():
        made = create_tournament(
            owner=organiser_of(request),
            players=form.rows(),
            format=form.plays,
            edition=data["edition"],
            shuffled=data["order"] == "shuffled" and FORMATS[form.plays].DRAWN_AHEAD,
            online=form.online,
            club=of_club.chosen(),
            **form.settings(),
            **{field: data[field] for field in DETAILS} | {"name": name},
        )
        if season is None:
            return made
        return put_in_season(tournament=made, season=season, division=division, by=organiser_of(request))


DETAILS = ("name", "place", "starts_on", "starts_at", "time_zone", "visibility")


@login_required
@require_POST
def evening(request: HttpRequest) -> HttpResponse:
    """What the evening will be, counted while the form is filled in."""
    return render(
        request, "league/setup/_evening.html", {"evening": _evening(NewTournamentForm(request.POST, request.FILES))}
    )


def _evening(form: NewTournamentForm) -> dict[str, Any]:
    """What is counted along: the evening, or the sentence that says what is possible, and what the names lack."""
    form.is_valid()
    plan: dict[str, Any] = {"faulty": len(form.line_errors), "warnings": lines_in_words(form.roster.warnings)}
    players = len(form.rows())
    if not players or not form.plays:
        return plan
    if fault := form.first_fault():
        return plan | {"impossible": fault}
    wanted, edition = form.wanted(), form.cleaned_data["edition"]
    problems = FORMATS[form.plays].problems(wanted, players)
    if problems:
        return plan | {"impossible": translated(next(iter(problems.values())))}
    evening = evening_of(form.plays, players, wanted, edition)
    starts_at = form.cleaned_data.get("starts_at")
    ends = divmod((starts_at.hour * 60 + starts_at.minute + evening.minutes) % 1440, 60) if starts_at else None
    return plan | {
        "counted": evening,
        "hours": evening.minutes // 60,
        "minutes": evening.minutes % 60,
        "ends": f"{ends[0]:02}:{ends[1]:02}" if ends else "",
    }


def _warn(request: HttpRequest, listed: Roster) -> None:
    for sentence in lines_in_words(listed.warnings):
        messages.warning(request, sentence)


@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Who plays, for everybody; organisers add names, set the order and correct spelling."""
    access = tournament_for(request.user, slug, Can.RUN if request.method == "POST" else None, players_in(request))
    stage = access.tournament.stages.get()
    form = RosterForm(posted(request), request.FILES or None, of_teams=stage.has_teams)
    of_club = unlisted_teams(access.tournament) if stage.has_teams else unlisted(access.tournament)
    ticked = list(of_club.filter(public_id__in=request.POST.getlist("member")[:MOST_PLAYERS]))
    status, not_ticked = 200, ""
    if request.method == "POST":
        status = 422
        if request.POST.get("what") == "ticked" and not ticked:
            not_ticked = _("Tick at least one team.") if stage.has_teams else _("Tick at least one member.")
        elif form.is_valid() and not form.roster.rows and not ticked:
            form.add_error("players", _("Type at least one name, or choose a file."))
        elif form.is_valid():
            try:
                added = add_entries(
                    tournament=access.tournament,
                    players=form.roster.rows,
                    members=ticked,
                    by=organiser_of(request),
                )
            except Refused as refused:
                status = refused.status
                form.add_error("players", str(refused))
            else:
                _warn(request, form.roster)
                words = ngettext("%(count)d player added.", "%(count)d players added.", len(added))
                if stage.has_teams:
                    words = ngettext("%(count)d team added.", "%(count)d teams added.", len(added))
                messages.success(request, words % {"count": len(added)})
                return redirect("players", slug=slug)
    drawn_ahead, by_rating = FORMATS[stage.format].DRAWN_AHEAD, stage.order_seed == BY_RATING
    return render_page(
        request,
        access,
        "league/setup/players.html",
        page="players",
        title=_("Teams") if stage.has_teams else _("Players"),
        status=status,
        form=form,
        line_errors=lines_in_words(form.line_errors),
        stage=stage,
        entries=list(access.tournament.entries.select_related("player").order_by("number", "id")),
        player_count=access.tournament.entries.exclude(status=Entry.Status.STANDIN).count(),
        drawn=_drawn(stage) if access.organises and stage.order_seed and (drawn_ahead or by_rating) else [],
        by_rating=by_rating,
        rates=access.organises and _rates(access.tournament),
        listed_as_drawn=drawn_ahead,
        gone={} if drawn_ahead else _gone(access.tournament),
        members=of_club if access.organises else [],
        not_ticked=not_ticked,
        possible=translated(FORMATS[stage.format].describe_possible()),
        in_teams=_in_teams(access.tournament) if stage.has_teams else {},
    )


def _in_teams(tournament: Tournament) -> dict[int, str]:
    """By the key of its entry, who belongs to a team, the substitutes after the others."""
    substitute = _("%(name)s (substitute)")
    return {
        key: ", ".join(substitute % {"name": one.player} if one.is_substitute else str(one.player) for one in members)
        for key, members in members_of(tournament.entries.all()).items()
    }


def _gone(tournament: Tournament) -> dict[str, str]:
    """{player_id: since when they are out} of a Challenge UNO."""
    return {line.entrant.id: left_in_words(line) for line in ledger.read(tournament).standings()}


def _drawn(stage: Stage) -> list[str]:
    """The names in the order of the draw, with the ratings by which it goes."""
    entries = list(stage.tournament.entries.exclude(status=Entry.Status.STANDIN).select_related("player"))
    figures = figures_of(stage, entries)
    order = draw_order(stage, entries, figures)
    return [f"{one.player.name} {figures[one.public_id]}" if figures else one.player.name for one in order]


def _rates(tournament: Tournament) -> bool:
    """Whether there are ratings to draw by."""
    return tournament.club_id is not None and RatingPoint.objects.filter(club=tournament.club_id).exists()


@require_POST
def order(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.RUN)
    wanted, by = request.POST.get("order"), organiser_of(request)
    try:
        if wanted == "rating":
            order_by_rating(tournament=access.tournament, by=by)
        else:
            shuffle_order(tournament=access.tournament, shuffled=wanted == "shuffled", by=by)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("players", slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    stage = access.tournament.stages.get()
    members = members_of([entry])[entry.pk] if stage.has_teams else []
    initial = {"name": entry.player.name, "club": entry.player.club_name}
    form: PlayerForm | TeamForm = PlayerForm(posted(request), initial=initial)
    if stage.has_teams:
        form = TeamForm(posted(request), initial=initial, members=members)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            about: dict[str, Any] = {"entry": entry, "by": organiser_of(request)}
            about |= {name: form.cleaned_data[name] for name in ("name", "club")}
            try:
                if isinstance(form, TeamForm):
                    change_team(**about, members=form.members())
                else:
                    rename_entry(**about)
            except Refused as refused:
                status = refused.status
                form.add_error(None, str(refused))
            else:
                messages.success(request, _("Saved."))
                return redirect("players", slug=slug)
    return render_page(
        request,
        access,
        "league/setup/edit_player.html",
        page="players",
        title=entry.player.name,
        status=status,
        form=form,
        entry=entry,
        members=members,
        removable=stage.started_at is None,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def erase_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Asks first, since it cannot be undone; and only who runs every tournament of a person may do it."""
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    allowed = may_erase(request.user, entry.player)
    if request.method == "POST" and allowed:
        person = erase.erase_player(player=entry.player, by=organiser_of(request))
        messages.success(request, _("Erased. What was played stays, under %(name)s.") % {"name": person.name})
        return redirect("players", slug=slug)
    return render_page(
        request,
        access,
        "league/setup/erase_player.html",
        page="players",
        title=_("Erase a person"),
        status=409 if request.method == "POST" else 200,
        entry=entry,
        allowed=allowed,
        tournaments=entry.player.entries.count(),
    )


@require_POST
def remove_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    name = entry.player.name
    try:
        remove_entry(tournament=access.tournament, entry=entry, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, _("%(name)s is off the list.") % {"name": name})
    return redirect("players", slug=slug)


@require_POST
def move_player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    try:
        move_entry(
            tournament=access.tournament, entry=entry, up=request.POST.get("to") == "up", by=organiser_of(request)
        )
    except Conflict as conflict:
        messages.error(request, str(conflict))
    return redirect("players", slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Forms: what may change at any time, who enters hands, odds, the rules, which stand from the start, and what of
    them may change nevertheless."""
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
            change_rules(tournament=tournament, tie_breaks=ties.order(), by=organiser_of(request), **rules.cleaned_data)
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
    """The page, with the `forms` that were sent and refused; of others what is set now."""
    tournament, stage = access.tournament, access.tournament.stages.get()
    context = _settings_forms(request, access) | {
        "calling_off": CallOffForm(),
        "counting": CountsForm(initial={"counts": tournament.counts_in_club}),
        "why_not_deleted": why_it_stays(tournament),
        "why_not_called_off": why_it_is_held(tournament),
        "why_not_ended": why_it_goes_on(tournament),
        "may_delete": access.may(Can.DELETE),
        "tie_breaks": TIE_BREAKS.values(),
        "has_tie_breaks": FORMATS[stage.format].TIE_BREAKS,
        "frozen": stage.started_at is not None,
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
    """which: the one that was sent."""
    tournament, stage = access.tournament, access.tournament.stages.get()

    def sent(form: str) -> QueryDict | None:
        return request.POST if which == form else None

    order = TieBreaksForm.initial_from(stage.tie_breaks)
    reporting = {"players_report": tournament.players_report, "confirm_after": tournament.confirm_after}
    return {
        "details": DetailsForm(sent("details"), initial={field: getattr(tournament, field) for field in DETAILS}),
        "reporting": ReportingForm(sent("reporting"), initial=reporting),
        "odds": OddsForm(sent("odds"), initial={"shows_odds": tournament.shows_odds}),
        "rules": RulesForm(sent("rules"), format=stage.format, initial=RulesForm.initial_from(stage)),
        "ties": TieBreaksForm(sent("rules"), initial=order, prefix="order"),
        "amending": AmendForm(sent("amend"), stage=stage, auto_id="amend_%s"),
        "amended_ties": TieBreaksForm(sent("amend"), initial=order, prefix="then"),
    }
