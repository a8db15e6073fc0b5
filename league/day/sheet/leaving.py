"""Steps of a sheet for departure, absence, return and reinstatement."""

from collections.abc import Callable, Sequence
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.day import forms as day_forms
from league.day import people
from league.day.entrants import come_back, drop_out, reinstate
from league.day.preview import Plan
from league.day.sheet.values import REASON, Draft, Outcome, StepRequest
from league.day.stand_in import look_at_seats, people_without_seat
from league.day.vacancies import BYES, FEWER, REDRAW, STAND_IN
from league.entries.list_preview import Option, RadioQuestion
from league.ledger.lineups import SAME_NAME
from league.ledger.progress import PLAYING, table_now
from league.lib.errors import Conflict, Refused
from league.lib.names import fold
from league.models import Entry, EntryEvent, Round, Table
from league.rounds.tables import close_table

LATER, NO_SHOW = "later", "no-show"
STOP = "stop"  # close the table now and redraw the rounds to come


def short_name(entry: Entry) -> str:
    """Return the first name, or the whole name if another player shares it; for a team, its name."""
    if entry.tournament.stage.has_teams or entry.addition:
        return entry.name
    first = entry.player.name.split()[0]
    others = entry.tournament.entries.exclude(pk=entry.pk).values_list("player__name", flat=True)
    return entry.name if any(fold(other.split()[0]) == fold(first) for other in others) else first


def undo_of(event: object, *, stopped: Table | None = None) -> str:
    """Return the address that undoes an event. stopped: the table closed with it."""
    if not isinstance(event, EntryEvent):
        return ""
    if stopped is not None:
        at = [stopped.round.number, stopped.number]
        return reverse("undo_stop", args=[event.entry.tournament.slug, event.pk, *at])
    return reverse("undo_event", args=[event.entry.tournament.slug, event.pk])


def leave_draft(entry: Entry, request: StepRequest) -> Draft:
    has_stand_in = entry.tournament.stage.drawn_ahead and not entry.tournament.stage.has_teams
    form, bound = request.form(day_forms.LeaveForm)
    stand_in = bound.cleaned_data.get("stand_in", "") if has_stand_in else ""
    another = bool(bound.cleaned_data.get("another"))
    reason = bound.cleaned_data.get(REASON, "")
    stops = table_to_stop(entry) if has_stand_in else None

    def leave(plan: str) -> EntryEvent:
        if plan == STOP and stops is not None:
            close_table(
                tournament=entry.tournament,
                round_number=stops.round.number,
                number=stops.number,
                reason=reason,
                by=request.by,
            )
        return drop_out(
            tournament=entry.tournament,
            entry=entry,
            plan=REDRAW if plan == STOP else plan,
            stand_in=stand_in if plan in ("", STAND_IN) else "",
            another=another,
            reason=reason,
            by=request.by,
        )

    plans = _plans(entry, leave, stand_in) if request.is_shown else []
    if stops is not None and any(plan.value == REDRAW for plan in plans):
        plans.append(_stop_plan(stops))
    plan = request.text("plan") or (STAND_IN if stand_in and plans else plans[0].value if plans else "")
    asks_another = another or request.refused == SAME_NAME
    fields = ("stand_in", "another") if asks_another else ("stand_in",)
    return Draft(
        title=_("%(name)s leaves") % {"name": entry.name},
        questions=(_which_plan(entry, plans, plan),) if len(plans) > 1 else (),
        form=form,
        fields=fields if has_stand_in else (),
        folded=(REASON,),
        names=tuple(people_without_seat(entry.tournament, look_at_seats(entry))) if has_stand_in else (),
        names_id="without-seat",
        hidden=(("plan", plan),) if len(plans) == 1 else (),
        outcome=Outcome(
            action=lambda: leave(plan),
            button=_("Stop table %(number)d") % {"number": stops.number}
            if plan == STOP and stops
            else _button(entry, plan),
            done=_("%(name)s has dropped out.") % {"name": entry.name},
            key=f"{plan} {stand_in if plan in ('', STAND_IN) else ''}",
            sentences=_what_leaving_means(entry, plans),
            undo=partial(undo_of, stopped=stops if plan == STOP else None),
            until=_until(entry, plan),
        ),
    )


def table_to_stop(entry: Entry) -> Table | None:
    """Return the player's table in the open round, if it has recorded hands and hands to come."""
    seats = [seat for seat in look_at_seats(entry) if seat.table_id and seat.round.is_open]
    table = seats[0].table if seats else None
    if table is None:
        return None
    table.round = seats[0].round
    now = table_now(table)
    return table if now.state == PLAYING and now.played and now.hands_wanted else None


def _stop_plan(table: Table) -> Plan:
    now = table_now(table)
    counts = hands_that_count(now.played, now.hands_wanted or now.played)
    cost = _("%(counts)s. The rounds to come are redrawn.") % {"counts": counts}
    return Plan(STOP, _("Stop table %(number)d now") % {"number": table.number}, cost)


def hands_that_count(played: int, wanted: int) -> str:
    """“2 hands count, 2 aren’t played”"""
    left = wanted - played
    counts = ngettext("%(count)d hand counts", "%(count)d hands count", played) % {"count": played}
    missing = ngettext("%(count)d isn’t played", "%(count)d aren’t played", left) % {"count": left}
    return f"{counts}, {missing}"


def _what_leaving_means(entry: Entry, plans: Sequence[Plan]) -> list[str]:
    """Return the consequences of any plan; with a single plan, its cost too."""
    costs = [plans[0].cost] if len(plans) == 1 else []
    follows = [*people.leaving_a_duel(entry), *people.fewer_at_table(entry), *costs]
    return [*follows, _("Recorded hands still count. The player can return later.")]


def _plans(entry: Entry, leave: Callable[[str], object], stand_in: str) -> list[Plan]:
    """Return the plans.

    If no one of the typed name can stand in, return the plans without a name; the field shows the refusal.
    """
    try:
        return people.plans_to_leave(entry, leave, stand_in)
    except Refused as refused:
        if not stand_in or isinstance(refused, Conflict):
            raise
        unnamed = partial(drop_out, tournament=entry.tournament, entry=entry, by=None)
        return people.plans_to_leave(entry, lambda plan: unnamed(plan=plan))


def _which_plan(entry: Entry, plans: Sequence[Plan], picked: str) -> RadioQuestion:
    options = tuple(Option(plan.value, plan.title, plan.cost, plan.value == picked) for plan in plans)
    numbers = sorted({seat.round.number for seat in look_at_seats(entry) if seat.table_id})
    if not entry.tournament.stage.drawn_ahead or not numbers:
        return RadioQuestion("plan", _("What happens to the seat?"), options)
    legend = ngettext("What happens in round %(first)d?", "What happens in rounds %(first)d to %(last)d?", len(numbers))
    return RadioQuestion("plan", legend % {"first": numbers[0], "last": numbers[-1]}, options)


def _button(entry: Entry, plan: str) -> str:
    words = {"name": short_name(entry)}
    if plan == REDRAW:
        return _("Redraw without %(name)s") % words
    if plan == STAND_IN:
        return _("Let someone stand in for %(name)s") % words
    if plan == FEWER:
        return _("Play on without %(name)s") % words
    if plan == BYES:
        return _("Fill the seats of %(name)s") % words
    return _("Let %(name)s leave") % words


def _until(entry: Entry, plan: str) -> str:
    """Return until when a departure can be undone (league/day/undo.py)."""
    stage = entry.tournament.stage
    if stage.drawn_ahead:
        drafts = entry.tournament.rounds.living().filter(state=Round.State.DRAFT).order_by("number")
        following = drafts.values_list("number", flat=True).first()
        if following is not None and plan in (REDRAW, BYES, STOP):
            return _("You can undo this until round %(number)d is published.") % {"number": following}
        return _("You can undo this until play continues.")
    return _("You can undo this until play continues.")


def late_draft(entry: Entry, request: StepRequest) -> Draft:
    """Return the step for a player who misses a round, or did not come."""
    form, bound = request.form(day_forms.ReasonForm)
    reason, name = bound.cleaned_data.get(REASON, ""), {"name": entry.name}
    options = [*([LATER] if may_miss(entry) else []), *([] if people.has_played(entry) else [NO_SHOW])]
    if not options:
        raise Conflict("has-played", _("%(name)s has already played: let them leave instead.") % name)
    how = request.text("how") if request.text("how") in options else options[0]

    def miss(how: str, plan: str) -> EntryEvent:
        return drop_out(
            tournament=entry.tournament, entry=entry, came=how == LATER, plan=plan, reason=reason, by=request.by
        )

    plans = people.plans_to_leave(entry, lambda plan: miss(NO_SHOW, plan)) if NO_SHOW in options else []
    cards = [card for card in _late_cards(entry, plans, how) if card.value in options]
    alone = [f"{cards[0].label}. {cards[0].hint}"] if len(cards) == 1 else []
    plan = _keeps_seats(entry) if how == LATER else plans[0].value if plans else ""
    button, done = _late_words(how)
    return Draft(
        title=_("%(name)s is late or absent") % name,
        questions=() if alone else (RadioQuestion("how", _("What happened?"), tuple(cards)),),
        form=form,
        folded=(REASON,),
        hidden=(("how", how),) if alone else (),
        outcome=Outcome(
            action=lambda: miss(how, plan),
            button=button % {"name": short_name(entry)},
            done=done % name,
            key=how,
            sentences=[*alone, *people.fewer_at_table(entry)],
            undo=undo_of,
            until=_until(entry, plan),
        ),
    )


def _late_cards(entry: Entry, plans: Sequence[Plan], how: str) -> list[Option]:
    """Return the options. plans: for a player who did not come, the usual one first."""
    gone = plans[0].title if plans else _("Leaves the tournament and can return later.")
    return [
        Option(LATER, _("Misses a round and returns"), _while_away(entry), how == LATER),
        Option(NO_SHOW, _("Did not come"), gone, how == NO_SHOW),
    ]


def _late_words(how: str) -> tuple[str, str]:
    """Return the button and the message after it."""
    if how == LATER:
        return _("Let %(name)s miss the round"), _("%(name)s is away. To bring them back, tap the name, then Returns.")
    return _("Mark %(name)s as absent"), _("%(name)s is marked as absent.")


def _keeps_seats(entry: Entry) -> str:
    """Return the plan that gives a returning player their own seats."""
    stage = entry.tournament.stage
    return STAND_IN if stage.drawn_ahead and not stage.has_teams else ""


def may_miss(entry: Entry) -> bool:
    """Return whether a departing player can return in a later round; never where results decide who advances."""
    stage = entry.tournament.stage
    if stage.plays.advances:
        return False
    return not stage.eliminates or people.still_in(entry.tournament) > 3


def _while_away(entry: Entry) -> str:
    stage = entry.tournament.stage
    if not stage.drawn_ahead:
        return _("The table plays without them. They return in the next round that is drawn.")
    if stage.has_teams:
        return _("Their opponents have a bye until they return.")
    return _("A stand-in plays until they return.")


def return_draft(entry: Entry, request: StepRequest) -> Draft:
    form, bound = request.form(day_forms.ReasonForm)
    name, reason = {"name": entry.name}, bound.cleaned_data.get(REASON, "")
    return Draft(
        title=_("%(name)s returns") % name,
        form=form,
        folded=(REASON,),
        outcome=Outcome(
            action=lambda: come_back(tournament=entry.tournament, entry=entry, reason=reason, by=request.by),
            button=_("Let %(name)s return") % {"name": short_name(entry)},
            done=_("%(name)s plays again.") % name,
            sentences=[_("Keeps all points")],
            undo=undo_of,
            until=_("You can undo this until play continues."),
        ),
    )


def reinstate_draft(entry: Entry, request: StepRequest) -> Draft:
    form, bound = request.form(day_forms.ReinstateForm)
    name = {"name": entry.name}
    # The service needs a reason, so a preview before typing sends a dash.
    reason = bound.cleaned_data.get(REASON, "" if request.is_posted else "-")
    return Draft(
        title=_("Reinstate %(name)s") % name,
        hint=_("Below the target again"),
        form=form,
        fields=(REASON,),
        outcome=Outcome(
            action=lambda: reinstate(tournament=entry.tournament, entry=entry, reason=reason, by=request.by),
            button=_("Reinstate %(name)s") % {"name": short_name(entry)},
            done=_("%(name)s is reinstated.") % name,
            sentences=[_("Plays from the next round that is drawn.")],
            undo=undo_of,
        ),
    )
