"""The day's pages for people: each action is shown first (`decide`), then done, and can be undone."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, entry_for, event_for, keeps_members, may_erase, substitute_for, tournament_for
from league.access.rights import Can
from league.day import forms as day_forms
from league.day import people
from league.day.byes import byes_of, value_bye
from league.day.entrants import Confirmed, come_back, drop_out, enter_late, reinstate
from league.day.people import team_context
from league.day.stand_in import look_at_seats
from league.day.substitutes import end_substitute, substitute
from league.day.undo import undo_event
from league.day.vacancies import STAND_IN
from league.day.views import Decision, decide, plan_in
from league.day.wishes import conflicting_tables, keep_apart, set_fixed_table
from league.entries.list_preview import RadioQuestion, ask_who
from league.entries.team_forms import LineUpForm
from league.erasure.page import erase_page
from league.erasure.sessions import forget_forms
from league.ledger.lineups import SAME_NAME
from league.lib.errors import Refused
from league.models import Entry, EntryEvent, Tournament
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, posted_data, render_page


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def late(request: HttpRequest, slug: str) -> HttpResponse:
    """Let somebody new in after the start."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    people_today = people.context(access.tournament)
    form_class = people.late_form(access.tournament.stage)
    form = form_class(
        posted_data(request), initial=people_today["late_form"].initial if people_today["late_form"] else None
    )
    refusal, status = "", 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            data, by = form.cleaned_data, organiser_of(request)
            plans = people.plans_to_enter(access.tournament.stage) if people_today["late_form"] else []
            plan = plan_in(request.POST) or (plans[0].value if plans else "")
            table = plan.removeprefix("table-")
            question = None if access.tournament.stage.has_teams else _ask_who(request, access.tournament, data["name"])
            data["confirmed"] = Confirmed(data.pop("another"), question.answer if question else "")
            data["table"] = int(table) if table != plan and table.isdecimal() else None
            try:
                return decide(
                    request,
                    access,
                    Decision(
                        action=lambda: enter_late(tournament=access.tournament, by=by, **data),
                        title=_("%(name)s comes late") % {"name": data["name"]},
                        about=[] if plans else [people_today["late_words"]],
                        plans=plans,
                        plan=plan,
                        question=question,
                        button=_("Let %(name)s in") % {"name": data["name"]},
                        done=_("%(name)s is in.") % {"name": data["name"]},
                    ),
                    back=reverse("day", args=[slug]),
                )
            except Refused as refused:
                refusal, status = _put_errors_into(form, refused), refused.status
    context = {
        "people_today": people_today | {"late_form": form if people_today["late_form"] or request.POST else None},
        "said": refusal,
    }
    return render_page(
        request, access, "league/day/day_late.html", page="day", title=_("Late entry"), status=status, **context
    )


def _put_errors_into(form: Any, refused: Refused) -> str:
    """Add the refusal's sentences to the fields they belong to; return the refusal if it belongs to none."""
    form.asks_another = refused.code == SAME_NAME or bool(form.data.get("another"))
    beside = {field: sentences for field, sentences in refused.fields.items() if field in form.fields and sentences}
    for field, sentences in beside.items():
        for sentence in sentences:
            form.add_error(field, sentence)
    return "" if beside else str(refused)


def _ask_who(request: HttpRequest, tournament: Tournament, name: str) -> RadioQuestion | None:
    """Ask which known person a typed name means, with the answer that was sent, or else the likely one."""
    sees_details = tournament.club is not None and keeps_members(request.user, tournament.club)
    picked = request.POST.get("who", "")[:20]
    return ask_who(tournament, name, organiser_of(request), picked, sees_details=sees_details)


@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """With somebody from the list of players: show what changes when they drop out, or go to their own page.

    The address is that of the preview, so somebody may load it: they come back to the list.
    """
    access = tournament_for(request.user, slug, Can.CORRECT)
    public_id = request.POST.get("player", "")[:20]
    # The form may contain anything, even characters that a database refuses to look for.
    if not (public_id.isalnum() and access.tournament.entries.filter(public_id=public_id).exists()):
        return redirect("day", slug)
    return player(request, slug, public_id) if "do" in request.POST else redirect("day_player", slug, public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """What can be done about one player now; a POST names the action in `do`."""
    access, entry = entry_for(request.user, slug, public_id, Can.CORRECT)
    if request.method != "POST":
        return _player(request, access, entry)
    action = ACTIONS.get(request.POST.get("do", ""))
    if action is None:
        return _player(request, access, entry, status=422, refusal=_("Choose what is to be done."))
    form, decision = action(request, entry)
    refusal = ""
    if form is None or form.is_valid():
        try:
            return decide(request, access, decision(), back=reverse("day", args=[slug]))
        except Refused as refused:
            refusal = _put_errors_into(form, refused) if form else str(refused)
            return _player(request, access, entry, form=form, status=refused.status, refusal=refusal)
    return _player(request, access, entry, form=form, status=422)


def _player(
    request: HttpRequest, access: Access, entry: Entry, *, form: Any = None, status: int = 200, refusal: str = ""
) -> HttpResponse:
    context = people.person(entry)
    forms = context.pop("forms")
    if form is not None and (action := request.POST.get("do")) in forms:
        forms[action] = form
    context |= {f"{name}_form": action_form for name, action_form in forms.items()} | {"said": refusal}
    title = _("%(name)s: the day") % {"name": entry.name}
    return render_page(request, access, "league/day/day_player.html", page="day", title=title, status=status, **context)


def _leave(request: HttpRequest, entry: Entry) -> tuple[Any, Callable[[], Decision]]:
    form = day_forms.LeaveForm(request.POST)

    def decision() -> Decision:
        data, by = form.cleaned_data, organiser_of(request)
        came, name, stand_in = data["came"] == "yes", {"name": entry.name}, data["stand_in"]

        def leave(plan: str) -> EntryEvent:
            about = {"came": came, "stand_in": stand_in, "another": data["another"], "reason": data["reason"]}
            return drop_out(tournament=entry.tournament, entry=entry, plan=plan, by=by, **about)

        plan = plan_in(request.POST)
        showing = "shown" not in request.POST or "choose" in request.POST
        plans = people.plans_to_leave(entry, leave, stand_in) if showing else []
        if not plan and plans:
            plan = STAND_IN if stand_in else plans[0].value
        about = [*people.leaving_a_duel(entry), *people.fewer_at_table(entry)]
        if len(plans) == 1:
            about.append(plans[0].cost)
        return Decision(
            action=lambda: leave(plan),
            plans=plans if len(plans) > 1 else (),
            plan=plan,
            title=(_("%(name)s drops out") if came else _("%(name)s did not come")) % name,
            about=[*about, _("Hands that are in stay as they are. They can return later.")],
            button=(_("Let %(name)s drop out") if came else _("Note that %(name)s did not come")) % name,
            done=(_("%(name)s has dropped out.") if came else _("%(name)s is marked as not come.")) % name,
        )

    return form, decision


def _return(request: HttpRequest, entry: Entry) -> tuple[Any, Callable[[], Decision]]:
    form = day_forms.ReasonForm(request.POST)

    def decision() -> Decision:
        by, name = organiser_of(request), {"name": entry.name}
        reason = form.cleaned_data["reason"]
        return Decision(
            action=lambda: come_back(tournament=entry.tournament, entry=entry, reason=reason, by=by),
            title=_("%(name)s returns") % name,
            about=[_("They have the total that they left with.")],
            button=_("Let %(name)s return") % name,
            done=_("%(name)s plays again.") % name,
        )

    return form, decision


def _reinstate(request: HttpRequest, entry: Entry) -> tuple[Any, Callable[[], Decision]]:
    form = day_forms.ReinstateForm(request.POST)

    def decision() -> Decision:
        by, name = organiser_of(request), {"name": entry.name}
        reason = form.cleaned_data["reason"]
        return Decision(
            action=lambda: reinstate(tournament=entry.tournament, entry=entry, reason=reason, by=by),
            title=_("%(name)s is in again") % name,
            about=[_("They sit from the next round that is drawn.")],
            button=_("Reinstate %(name)s") % name,
            done=_("%(name)s is in again.") % name,
        )

    return form, decision


def _substitute(request: HttpRequest, entry: Entry) -> tuple[Any, Callable[[], Decision]]:
    seats = [seat for seat in look_at_seats(entry) if seat.table is not None]
    tables = people.tables_of(seats)
    places = team_context(entry, seats, tables)["places"] if entry.tournament.stage.has_teams else ()
    form = day_forms.SubstituteForm(request.POST, tables=tables, places=places)

    def decision() -> Decision:
        data, by = form.cleaned_data, organiser_of(request)
        table = next((seat.table for seat in seats if str(seat.table_id) == data["table"]), None)
        names = {"new": data["name"], "name": entry.name}
        question = None if data["another"] else _ask_who(request, entry.tournament, data["name"])
        where = {"table": table, "member": data.get("member", 0), "another": data["another"]}
        where |= {"who": question.answer if question else ""}
        return Decision(
            question=question,
            action=lambda: substitute(tournament=entry.tournament, entry=entry, name=data["name"], by=by, **where),
            title=_("%(new)s plays for %(name)s") % names,
            about=[_("The points go to %(name)s.") % names],
            button=_("Let %(new)s play") % names,
            done=_("%(new)s plays for %(name)s.") % names,
        )

    return form, decision


def _line_up(request: HttpRequest, entry: Entry) -> tuple[Any, Callable[[], Decision]]:
    """Let another member of a team play."""
    seats = [seat for seat in look_at_seats(entry) if seat.table is not None]
    team = team_context(entry, seats, people.tables_of(seats))
    form = LineUpForm(request.POST, swaps=team["swaps"], tables=team["tables"])

    def decision() -> Decision:
        table = next((seat.table for seat in seats if str(seat.table_id) == form.cleaned_data["table"]), None)
        new, by = dict(team["names"])[form.player()], organiser_of(request)
        names = {"new": new, "name": dict(team["places"])[str(form.place())], "team": entry.name}
        return Decision(
            action=lambda: substitute(
                tournament=entry.tournament, entry=entry, name=new, table=table, member=form.place(), by=by
            ),
            title=_("%(team)s: %(new)s plays for %(name)s") % names,
            about=[_("From the next hand on. Hands that are in stay as they were played.")],
            button=_("Let %(new)s play") % names,
            done=_("%(team)s: %(new)s plays for %(name)s.") % names,
        )

    return form, decision


def _end_substitute(request: HttpRequest, entry: Entry) -> tuple[Any, Callable[[], Decision]]:
    by, name = organiser_of(request), {"name": entry.name}
    return None, lambda: Decision(
        action=lambda: end_substitute(tournament=entry.tournament, entry=entry, by=by),
        title=_("%(name)s plays again") % name,
        about=[_("From the next hand on. Hands that are in stay as they were played.")],
        button=_("End the substitution"),
        done=_("%(name)s plays again.") % name,
    )


def _fix_table(request: HttpRequest, entry: Entry) -> tuple[Any, Callable[[], Decision]]:
    form = day_forms.FixedTableForm(request.POST)

    def decision() -> Decision:
        number, by = form.cleaned_data["number"], organiser_of(request)
        words = {"name": entry.name, "number": number}
        about = []
        for round_number, other, table in conflicting_tables(entry.tournament, entry, number) if number else ():
            meets = {"round": round_number, "other": other, "there": table, **words}
            about.append(
                _("In round %(round)d they sit with %(other)s, who has table %(there)d: one of the two moves.") % meets
            )
        return Decision(
            action=lambda: set_fixed_table(tournament=entry.tournament, entry=entry, number=number, by=by),
            title=(_("%(name)s sits at table %(number)d") if number else _("%(name)s sits wherever")) % words,
            about=[_("In rounds that nobody has seen. Published seating stays."), *about],
            button=_("Keep this table") if number else _("Take the table back"),
            done=(_("%(name)s sits at table %(number)d.") if number else _("%(name)s sits wherever.")) % words,
        )

    return form, decision


def _keep_apart(request: HttpRequest, entry: Entry) -> tuple[Any, Callable[[], Decision]]:
    apart = request.POST.get("apart", "yes") == "yes"
    form = day_forms.ApartForm(
        request.POST, players=[(candidate.public_id, candidate.name) for candidate in _all_entries(entry)]
    )

    def decision() -> Decision:
        by = organiser_of(request)
        other = next(
            candidate for candidate in _all_entries(entry) if candidate.public_id == form.cleaned_data["other"]
        )
        names = {"name": entry.name, "other": other.name}
        return Decision(
            action=lambda: keep_apart(tournament=entry.tournament, entry=entry, other=other, apart=apart, by=by),
            title=(_("%(name)s and %(other)s do not meet") if apart else _("%(name)s and %(other)s may meet")) % names,
            about=[_("In rounds that are still to be drawn or published.")],
            button=_("Keep them apart") if apart else _("Let them meet"),
            done=(_("%(name)s and %(other)s do not meet.") if apart else _("%(name)s and %(other)s may meet.")) % names,
        )

    return form, decision


def _all_entries(entry: Entry) -> list[Entry]:
    return list(entry.tournament.entries.select_related("player"))


def _value_bye(request: HttpRequest, entry: Entry) -> tuple[Any, Callable[[], Decision]]:
    form = day_forms.ByeForm(request.POST, rounds=byes_of(entry))

    def decision() -> Decision:
        data, by = form.cleaned_data, organiser_of(request)
        words = {"name": entry.name, "number": int(data["round"]), "points": data["points"]}
        return Decision(
            action=lambda: value_bye(
                tournament=entry.tournament,
                entry=entry,
                round_number=int(data["round"]),
                points=data["points"],
                reason=data["reason"],
                by=by,
            ),
            title=_("The bye of %(name)s in round %(number)d is worth %(points)d") % words,
            button=_("Give the bye its points"),
            done=_("The bye of %(name)s in round %(number)d is worth %(points)d.") % words,
        )

    return form, decision


ACTIONS: dict[str, Callable[[HttpRequest, Entry], tuple[Any, Callable[[], Decision]]]] = {
    "leave": _leave,
    "return": _return,
    "reinstate": _reinstate,
    "substitute": _substitute,
    "lineup": _line_up,
    "end-substitute": _end_substitute,
    "table": _fix_table,
    "apart": _keep_apart,
    "bye": _value_bye,
}


@require_POST
def undo(request: HttpRequest, slug: str, event_id: int) -> HttpResponse:
    """Take back that somebody came, left or came again."""
    access, event = event_for(request.user, slug, event_id, Can.CORRECT)
    by, words = organiser_of(request), {"name": event.entry.name, "what": event.get_kind_display()}

    try:
        undo_event(tournament=access.tournament, event=event, by=by)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        forget_forms([request.path])  # the same form, sent again, does it again
        messages.success(request, _("Undone for %(name)s: %(what)s.") % words)
    return redirect("day", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def erase_substitute(request: HttpRequest, slug: str, player_id: int) -> HttpResponse:
    """Erase a person who only substituted, whose name is typed once more. Players are erased from the list."""
    access, person = substitute_for(request.user, slug, player_id, Can.RUN)
    if not may_erase(request.user, person):
        raise Http404
    day = reverse("day", args=[slug])
    return erase_page(request, access, person, name=person.name, page="day", back=day, then=day)
