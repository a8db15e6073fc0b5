"""The page on which a tournament is made, and what it counts along while it is filled in."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import clubs_to_hold_in, own_tournaments
from league.entries.forms import lines_in_words
from league.formats import FORMATS, Format, groups
from league.formats.estimate import Evening, after_each_other, with_second_ladder
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal, time_zones
from league.lib.translate import translate
from league.models import Tournament
from league.pages.tournament_page import organiser_of, posted_data
from league.seasons.seasons import put_in_season
from league.setup.create import create_tournament, free_name
from league.setup.forms import DETAILS, ClubChoiceForm
from league.setup.new.form import NOBODY, NewTournamentForm
from league.setup.new.suggest import (
    clock_after,
    columns_of_stages,
    length_in_words,
    rules_in_words,
    shorter,
    why_not_as_asked,
)
from league.setup.players_views import warn
from league.setup.stages.in_words import way_in_words, who_in_words
from league.setup.stages.rules import check_rules
from league.setup.stages.rules_form import has_exclusive, slots
from league.setup.stages.way import NextStage, check_way

OTHERS = 2  # formats that are shown beside the suggested one; the rest folds


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
        # Its members are ticked on the next page.
        initial |= {"time_zone": club.time_zone, "place": club.place, "visibility": club.visibility}
        initial["without_names"] = NOBODY
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
        **_count_along(form if form.is_bound else _as_it_stands(form), of_club),
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
            shuffled=data["order"] == "shuffled" and FORMATS[form.plays].drawn_ahead,
            online=form.online,
            club=of_club.club(),
            groups=form.in_groups(),
            then=form.way(),
            **form.settings(),
            **{field: data[field] for field in DETAILS} | {"name": name},
        )
        if season is None:
            return tournament
        return put_in_season(tournament=tournament, season=season, division=division, by=organiser_of(request))


def _as_it_stands(form: NewTournamentForm) -> NewTournamentForm:
    """The empty form as if it had been sent: what it would make."""
    fields = {field.html_name: field.value() for field in form}
    return NewTournamentForm({name: value for name, value in fields.items() if value is not None})


@login_required
@require_POST
def evening(request: HttpRequest) -> HttpResponse:
    """What the page shows of the answers so far. A format that was picked gives way to other answers after it."""
    posted: QueryDict = request.POST.copy()
    if posted.get("answered", _answers(posted)) != _answers(posted):
        posted["format"] = ""
    form = NewTournamentForm(posted, request.FILES)
    of_club = ClubChoiceForm(posted, clubs=clubs_to_hold_in(request.user))
    return render(request, "league/setup/new/_counted.html", {"form": form, **_count_along(form, of_club)})


def _answers(data: QueryDict) -> str:
    return f"{data.get('partnering', '')}/{data.get('ending', '')}"


@dataclass(frozen=True)
class Choice:
    """A format to choose. `key`: the value of its radio button; `length`: how long it takes, or why it cannot be."""

    plays: Format
    key: str
    length: str = ""
    why_not: str = ""

    @property
    def slot(self) -> str:
        return slots([self.plays])

    @property
    def either(self) -> bool:
        return has_exclusive(self.plays)


def _count_along(form: NewTournamentForm, of_club: ClubChoiceForm) -> dict[str, Any]:
    """The suggested or picked format with the picture of its evening, the other formats, and the rest in words."""
    form.is_valid()
    if not form.plays:
        return {"evening": {}, "lines": _in_words(form, of_club, None)}
    plays, ranked, picked = FORMATS[form.plays], form.ranked, form.data.get("format") or ""
    plan, counted, too_long = _evening(form, plays), None, None
    if "counted" in plan:
        counted = plan["counted"]
        plan["columns"] = columns_of_stages(plan["stages"], _cuts(form), form.cleaned_data.get("starts_at"))
        too_long = shorter(plays, counted) if counted.stages == 1 else None
    answers = (form.cleaned_data.get("partnering", ""), form.cleaned_data.get("ending", ""))
    note = None if picked else why_not_as_asked(plays, *answers, form.people())
    others = [_choice(other, form) for other in ranked if other.key != plays.key]
    return {
        "evening": plan,
        "choice": Choice(plays, picked, plan.get("length", "")),
        "note": translate(note) if note else "",
        "too_long": translate(too_long) if too_long else "",
        "others": others[:OTHERS],
        "more": others[OTHERS:],
        "answered": "/".join(answers),
        "names": len(form.roster.rows),
        "lines": _in_words(form, of_club, plan["stages"][0][1] if counted else None),
    }


def _choice(plays: Format, form: NewTournamentForm) -> Choice:
    """Another format, as it usually is."""
    names = len(form.roster.rows)
    people = names * 2 if form.of_teams else names
    number = plays.entries_of(people or form.people())
    if not number:
        return Choice(plays, plays.key)
    if problems := plays.problems({}, number):
        return Choice(plays, plays.key, why_not=translate(next(iter(problems.values()))))
    edition = form.cleaned_data.get("edition", "")
    evening = plays.evening(number, plays.complete({}), edition, plays.scorings[0])
    return Choice(plays, plays.key, length_in_words(evening.minutes))


def _evening(form: NewTournamentForm, plays: Format) -> dict[str, Any]:
    """The estimate of the evening, or a sentence on what is possible; and warnings about the names."""
    plan: dict[str, Any] = {"faulty": len(form.line_errors), "warnings": lines_in_words(form.roster.warnings)}
    number = len(form.roster.rows) or plays.entries_of(form.people())
    if fault := form.first_fault():
        return plan | {"impossible": fault}
    if not number:
        return plan
    try:
        stages = _stages(form, plays, number)
    except Refused as refused:
        return plan | {"impossible": str(refused)}
    counted = after_each_other([evening for _plays, evening in stages])
    starts_at = form.cleaned_data.get("starts_at")
    alone = form.in_groups() == 1
    meetings = plays.meetings(number, plays.complete(form.settings())) if alone else None
    return plan | {
        "counted": counted,
        "stages": stages,
        "meetings": translate(meetings) if meetings else "",
        "length": length_in_words(counted.minutes),
        "ends": clock_after(starts_at, counted.minutes),
    }


def _stages(form: NewTournamentForm, plays: Format, number: int) -> list[tuple[Format, Evening]]:
    """The stages with the estimate of each. Raises `Refused` where they cannot be played."""
    settings, edition, way = form.settings(), form.cleaned_data["edition"], form.way()
    in_groups = form.in_groups()
    check_rules(format=plays.key, edition=edition, settings=settings, players=number if in_groups == 1 else None)
    check_way(plays, form.scoring(), in_groups, way, settings=settings, edition=edition, players=number)
    first = NextStage(plays.key, groups=in_groups, scoring=form.scoring(), settings=settings)
    found = []
    for stage in (first, *way):
        playing = FORMATS[stage.format]
        beside = number - stage.takes if stage.takes and stage.others_play else 0
        number = stage.takes or number
        values, scoring = playing.complete(stage.settings), stage.scoring or playing.scorings[0]
        evening = groups.evening(playing, number, stage.groups, values, edition, scoring)
        if beside:
            evening = with_second_ladder(evening, playing.evening(beside, values, edition, scoring))
        found.append((playing, evening))
    return found


def _cuts(form: NewTournamentForm) -> list[str]:
    """Who goes on from each stage; empty for the last."""
    groups_of = [form.in_groups(), *(stage.groups for stage in form.way())]
    return [*(who_in_words(stage, before) for stage, before in zip(form.way(), groups_of, strict=False)), ""]


def _in_words(form: NewTournamentForm, of_club: ClubChoiceForm, evening: Evening | None) -> dict[str, str]:
    """What is folded away, a line each: rules, day, name, club, who sees it and where it is played.

    Empty: not understood.
    """
    data = form.cleaned_data
    day, at, place = data.get("starts_on"), data.get("starts_at"), data.get("place")
    when = [
        _("today") if day == timezone.localdate() else date_format(day, _("j F")) if day else "",
        f"{at:%H:%M}" if at else "",
        place or "",
    ]
    rules = ""
    if form.plays and not form.rules_are_wrong:
        plays = FORMATS[form.plays]
        rules = rules_in_words(plays, plays.complete(form.settings()), data["edition"], evening)
    return {
        "rules": rules,
        "then": "" if form.after_is_wrong else way_in_words(form.in_groups(), form.way()),
        "when": ", ".join(filter(None, when)),
        "name": form.title() if form.plays and day and "name" in data else "",
        **({"club": _chosen(of_club["club"])} if of_club.has_choices else {}),
        "seen": _chosen(form["visibility"]),
        "where": _chosen(form["which"]),
    }


def _chosen(field: BoundField) -> str:
    return next((str(radio.choice_label) for radio in field if radio.data["selected"]), "")
