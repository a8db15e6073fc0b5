"""The steps of a player who leaves, is late, returns or is reinstated."""

from collections.abc import Callable, Sequence
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.day import forms as day_forms
from league.day import people
from league.day.entrants import come_back, drop_out, reinstate
from league.day.preview import Plan
from league.day.sheet.values import REASON, Asked, Draft, Outcome
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
STOP = "stop"  # the table is closed at once, and the rounds to come are drawn again


def short_name(entry: Entry) -> str:
    """The first name of a player, if no one else in the tournament has it; else the whole name. Of a team its name."""
    if entry.tournament.stage.has_teams or entry.addition:
        return entry.name
    first = entry.player.name.split()[0]
    others = entry.tournament.entries.exclude(pk=entry.pk).values_list("player__name", flat=True)
    return entry.name if any(fold(other.split()[0]) == fold(first) for other in others) else first


def undo_of(event: object, *, stopped: Table | None = None) -> str:
    """The address that takes an event back. stopped: the table that was closed with it."""
    if not isinstance(event, EntryEvent):
        return ""
    if stopped is not None:
        at = [stopped.round.number, stopped.number]
        return reverse("undo_stop", args=[event.entry.tournament.slug, event.pk, *at])
    return reverse("undo_event", args=[event.entry.tournament.slug, event.pk])


def leave_draft(entry: Entry, asked: Asked) -> Draft:
    has_stand_in = entry.tournament.stage.drawn_ahead and not entry.tournament.stage.has_teams
    shown, read = asked.form(day_forms.LeaveForm)
    stand_in = read.cleaned_data.get("stand_in", "") if has_stand_in else ""
    another = bool(read.cleaned_data.get("another"))
    reason = read.cleaned_data.get(REASON, "")
    stops = table_to_stop(entry) if has_stand_in else None

    def leave(plan: str) -> EntryEvent:
        if plan == STOP and stops is not None:
            close_table(
                tournament=entry.tournament,
                round_number=stops.round.number,
                number=stops.number,
                reason=reason,
                by=asked.by,
            )
        return drop_out(
            tournament=entry.tournament,
            entry=entry,
            plan=REDRAW if plan == STOP else plan,
            stand_in=stand_in if plan in ("", STAND_IN) else "",
            another=another,
            reason=reason,
            by=asked.by,
        )

    plans = _plans(entry, leave, stand_in) if asked.is_shown else []
    if stops is not None and any(plan.value == REDRAW for plan in plans):
        plans.append(_stop_plan(stops))
    plan = asked.text("plan") or (STAND_IN if stand_in and plans else plans[0].value if plans else "")
    asks_another = another or asked.refused == SAME_NAME
    fields = ("stand_in", "another") if asks_another else ("stand_in",)
    return Draft(
        title=_("%(name)s leaves") % {"name": entry.name},
        questions=(_which_plan(entry, plans, plan),) if len(plans) > 1 else (),
        form=shown,
        fields=fields if has_stand_in else (),
        folded=(REASON,),
        names=tuple(people_without_seat(entry.tournament, look_at_seats(entry))) if has_stand_in else (),
        names_id="without-seat",
        given=(("plan", plan),) if len(plans) == 1 else (),
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
    """The table at which a player sits in the open round, if hands are in there and others are to come."""
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
    """What follows besides the plan that is picked; of a single plan its cost too."""
    costs = [plans[0].cost] if len(plans) == 1 else []
    follows = [*people.leaving_a_duel(entry), *people.fewer_at_table(entry), *costs]
    return [*follows, _("Recorded hands stay as they are. They can return later.")]


def _plans(entry: Entry, leave: Callable[[str], object], stand_in: str) -> list[Plan]:
    """The plans. If no one can stand in by this name, they are those without it: the name is refused at its field."""
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
    """How long a departure can be undone (league/day/undo.py)."""
    stage = entry.tournament.stage
    if stage.drawn_ahead:
        drafts = entry.tournament.rounds.living().filter(state=Round.State.DRAFT).order_by("number")
        following = drafts.values_list("number", flat=True).first()
        if following is not None and plan in (REDRAW, BYES, STOP):
            return _("You can undo this until round %(number)d is published.") % {"number": following}
        return _("You can undo this until someone has played in this seat.")
    return _("You can undo this until a hand is played at the table or the next round is published.")


def late_draft(entry: Entry, asked: Asked) -> Draft:
    """The player misses a round and returns, or did not come at all."""
    shown, read = asked.form(day_forms.ReasonForm)
    reason, name = read.cleaned_data.get(REASON, ""), {"name": entry.name}
    options = [*([LATER] if may_miss(entry) else []), *([] if people.has_played(entry) else [NO_SHOW])]
    if not options:
        raise Conflict("has-played", _("%(name)s has played, so they were here: let them leave instead.") % name)
    how = asked.text("how") if asked.text("how") in options else options[0]

    def miss(how: str, plan: str) -> EntryEvent:
        return drop_out(
            tournament=entry.tournament, entry=entry, came=how == LATER, plan=plan, reason=reason, by=asked.by
        )

    plans = people.plans_to_leave(entry, lambda plan: miss(NO_SHOW, plan)) if NO_SHOW in options else []
    cards = [card for card in _late_cards(entry, plans, how) if card.value in options]
    alone = [f"{cards[0].label}. {cards[0].hint}"] if len(cards) == 1 else []
    plan = _keeps_seats(entry) if how == LATER else plans[0].value if plans else ""
    button, done = _late_words(how)
    return Draft(
        title=_("%(name)s is late or sits out") % name,
        questions=() if alone else (RadioQuestion("how", _("What happened?"), tuple(cards)),),
        form=shown,
        folded=(REASON,),
        given=(("how", how),) if alone else (),
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
    """Both ways to be missing. plans: those of a player who did not come, the usual one first."""
    gone = plans[0].title if plans else _("They leave the event, and can still return.")
    return [
        Option(LATER, _("Misses a round and returns"), _while_away(entry), how == LATER),
        Option(NO_SHOW, _("Did not come"), gone, how == NO_SHOW),
    ]


def _late_words(how: str) -> tuple[str, str]:
    """The button, and the message after it."""
    if how == LATER:
        return _("Let %(name)s sit out"), _("%(name)s sits out. Tap the name when they are here, then Returns.")
    return _("Note that %(name)s did not come"), _("%(name)s is marked as not come.")


def _keeps_seats(entry: Entry) -> str:
    """The plan with which a player who returns has the own seats again."""
    stage = entry.tournament.stage
    return STAND_IN if stage.drawn_ahead and not stage.has_teams else ""


def may_miss(entry: Entry) -> bool:
    """Whether someone who drops out now can return in a later round: not where results say who plays on."""
    stage = entry.tournament.stage
    if stage.plays.advances:
        return False
    return not stage.eliminates or people.still_in(entry.tournament) > 3


def _while_away(entry: Entry) -> str:
    stage = entry.tournament.stage
    if not stage.drawn_ahead:
        return _("Their table plays without them. After they return they sit in the next round that is drawn.")
    if stage.has_teams:
        return _("Their opponents have a bye until they return.")
    return _("Someone stands in until they return, and then they have their own seats again.")


def return_draft(entry: Entry, asked: Asked) -> Draft:
    shown, read = asked.form(day_forms.ReasonForm)
    name, reason = {"name": entry.name}, read.cleaned_data.get(REASON, "")
    return Draft(
        title=_("%(name)s returns") % name,
        form=shown,
        folded=(REASON,),
        outcome=Outcome(
            action=lambda: come_back(tournament=entry.tournament, entry=entry, reason=reason, by=asked.by),
            button=_("Let %(name)s return") % {"name": short_name(entry)},
            done=_("%(name)s plays again.") % name,
            sentences=[_("They have the points that they left with.")],
            undo=undo_of,
            until=_("You can undo this until they have played a hand."),
        ),
    )


def reinstate_draft(entry: Entry, asked: Asked) -> Draft:
    shown, read = asked.form(day_forms.ReinstateForm)
    name = {"name": entry.name}
    # The service needs a reason; the preview before one is typed does not.
    reason = read.cleaned_data.get(REASON, "" if asked.is_posted else "-")
    return Draft(
        title=_("Reinstate %(name)s") % name,
        hint=_("They were eliminated, and have less than the target since points were given back."),
        form=shown,
        fields=(REASON,),
        outcome=Outcome(
            action=lambda: reinstate(tournament=entry.tournament, entry=entry, reason=reason, by=asked.by),
            button=_("Reinstate %(name)s") % {"name": short_name(entry)},
            done=_("%(name)s is in again.") % name,
            sentences=[_("They sit from the next round that is drawn.")],
            undo=undo_of,
        ),
    )
