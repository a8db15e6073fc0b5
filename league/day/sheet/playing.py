"""Steps of a sheet for substitutes, line-ups and swaps."""

from functools import partial
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from league.day import forms as day_forms
from league.day import people
from league.day.sheet.leaving import short_name
from league.day.sheet.seats import after_swap
from league.day.sheet.values import REASON, Draft, Outcome, Pick, QuietLink, StepRequest
from league.day.stand_in import look_at_seats, people_without_seat
from league.day.substitutes import end_substitute, substitute
from league.entries.list_preview import ask_who
from league.entries.team_forms import LineUpForm
from league.ledger.lineups import SAME_NAME
from league.lib.errors import Conflict
from league.models import Entry, Round, Seat
from league.rounds.tables import swap_seats, swappable_seats


def address(entry: Entry, **query: Any) -> str:
    """Return the address of a step on the player's sheet."""
    return reverse("person", args=[entry.tournament.slug, entry.public_id], query=query or None)


def seats_of(entry: Entry) -> list[Seat]:
    """Return the entry's seats at tables with hands to come."""
    return [seat for seat in look_at_seats(entry) if seat.table is not None]


def substitute_draft(entry: Entry, request: StepRequest) -> Draft:
    seats = seats_of(entry)
    tables = people.tables_of(seats)
    has_teams = entry.tournament.stage.has_teams
    places = people.team_context(entry, seats, tables)["places"] if has_teams else ()
    form, bound = request.form(partial(day_forms.SubstituteForm, tables=tables, places=places))
    name, another = bound.cleaned_data.get("name", ""), bool(bound.cleaned_data.get("another"))
    names = {"new": name, "name": entry.name}
    question = None
    if name and not another:
        who = request.text("who")
        question = ask_who(entry.tournament, name, request.by, who, sees_details=request.sees_details)
    table = next((seat.table for seat in seats if str(seat.table_id) == bound.cleaned_data.get("table")), None)
    member, answer = bound.cleaned_data.get("member", 0), question.answer if question else ""

    def play() -> object:
        return substitute(
            tournament=entry.tournament,
            entry=entry,
            name=name,
            table=table,
            member=member,
            another=another,
            who=answer,
            by=request.by,
        )

    outcome = Outcome(
        action=play,
        button=_("Let %(new)s play for %(name)s") % {"new": name, "name": short_name(entry)},
        done=_("%(new)s plays for %(name)s.") % names,
        key=f"{name} {table.pk if table else ''} {member} {another} {answer}",
        sentences=[
            _("%(new)s plays from the next hand on. The points go to %(name)s.") % names,
            _("Recorded hands don’t change."),
        ],
    )
    asks_another = another or request.refused == SAME_NAME
    return Draft(
        title=_("A substitute for %(name)s") % {"name": entry.name},
        questions=(question,) if question else (),
        form=form,
        fields=(
            "name",
            *(("another",) if asks_another else ()),
            *(("member",) if places else ()),
            *(("table",) if len(tables) > 1 else ()),
        ),
        names=tuple(people_without_seat(entry.tournament, look_at_seats(entry), listed=True)),
        names_id="free-to-play",
        button=_("Preview"),
        outcome=outcome if name else None,
    )


def end_substitute_draft(entry: Entry, request: StepRequest) -> Draft:
    name = {"name": entry.name}
    return Draft(
        title=_("%(name)s plays again") % name,
        outcome=Outcome(
            action=lambda: end_substitute(tournament=entry.tournament, entry=entry, by=request.by),
            button=_("End the substitution"),
            done=_("%(name)s plays again.") % name,
            sentences=[_("Applies from the next hand. Recorded hands don’t change.")],
        ),
    )


def line_up_draft(entry: Entry, request: StepRequest) -> Draft:
    """Return the step in which another team member plays."""
    seats = seats_of(entry)
    team = people.team_context(entry, seats, people.tables_of(seats))
    form, bound = request.form(partial(LineUpForm, swaps=team["swaps"], tables=team["tables"]))
    who = bound.cleaned_data.get("who", "")
    chosen = bound.cleaned_data.get("table", "")
    outcome = None
    if who:
        table = next((seat.table for seat in seats if str(seat.table_id) == chosen), None)
        place, _dash, player = who.partition("-")
        new = dict(team["names"])[int(player)]
        names = {"new": new, "name": dict(team["places"])[place], "team": entry.name}
        outcome = Outcome(
            action=lambda: substitute(
                tournament=entry.tournament, entry=entry, name=new, table=table, member=int(place), by=request.by
            ),
            button=_("Let %(new)s play for %(name)s") % names,
            done=_("%(team)s: %(new)s plays for %(name)s.") % names,
            key=f"{who} {chosen}",
            sentences=[_("Applies from the next hand. Recorded hands don’t change.")],
        )
    return Draft(
        title=_("Line-up of %(name)s") % {"name": entry.name},
        picks=tuple(
            Pick(words, "", address(entry, do="lineup", who=value, table=chosen), value == who)
            for value, words in team["swaps"]
        ),
        picks_legend=_("Who plays?"),
        form=form,
        fields=("table",) if who and len(team["tables"]) > 1 else (),
        hidden=(("who", who),) if who else (),
        outcome=outcome,
    )


def rounds_to_swap(entry: Entry) -> list[Round]:
    """Return the round in play and the next one, where the entry has a swappable seat."""
    rounds = entry.tournament.rounds.living().exclude(state=Round.State.CLOSED).select_related("stage", "tournament")
    found = []
    for played in rounds.order_by("number")[:2]:
        seats = swappable_seats(played)
        if any(seat.entry_id == entry.pk for seat in seats) and len(seats) > 1:
            found.append(played)
    return found


def swap_draft(entry: Entry, request: StepRequest) -> Draft:
    rounds = rounds_to_swap(entry)
    if not rounds:
        raise Conflict("no-seat", _("%(name)s has no seat that can be swapped now.") % {"name": entry.name})
    number = request.text("round")
    played = next((round_ for round_ in rounds if str(round_.number) == number), rounds[0])
    seats = swappable_seats(played)
    mine = next(seat for seat in seats if seat.entry_id == entry.pk)
    others = [
        seat.entry for seat in seats if seat.entry_id != entry.pk and not (mine.table is None and seat.table is None)
    ]
    where = {seat.entry_id: _at(seat) for seat in seats}
    other = next((each for each in others if each.public_id == request.text("other")), None)
    picks = [
        Pick(
            each.name,
            where[each.pk],
            address(entry, do="swap", round=played.number, other=each.public_id),
            each == other,
        )
        for each in others
    ]
    words = {"name": short_name(entry), "number": played.number}
    return Draft(
        title=_("Swap the seat of %(name)s") % words,
        picks=tuple(picks),
        picks_legend=_("Who swaps seats with %(name)s in round %(number)d?") % words,
        others=tuple(
            QuietLink(
                "i-table",
                _("In round %(number)d") % {"number": each.number},
                address(entry, do="swap", round=each.number),
            )
            for each in rounds
            if each != played
        ),
        form=request.form(day_forms.ReasonForm)[0] if other else None,
        folded=(REASON,) if other else (),
        hidden=(("round", str(played.number)), ("other", other.public_id)) if other else (),
        outcome=_swap(entry, other, played, request) if other else None,
    )


def _at(seat: Seat) -> str:
    return _("Table %(number)d") % {"number": seat.table.number} if seat.table else _("Bye")


def _swap(entry: Entry, other: Entry, played: Round, request: StepRequest) -> Outcome:
    words = {"one": short_name(entry), "other": short_name(other)}
    return Outcome(
        action=lambda: swap_seats(
            tournament=entry.tournament,
            round_number=played.number,
            one=entry,
            other=other,
            reason=request.text(REASON, 200),
            by=request.by,
        ),
        button=_("Swap %(one)s and %(other)s") % words,
        done=_("%(one)s and %(other)s have swapped seats.") % {"one": entry.name, "other": other.name},
        key=f"{played.number} {other.public_id}",
        sentences=[
            *after_swap(played, entry, other),
            _("Recorded hands don’t change."),
        ],
        undo=lambda _done: reverse(
            "swap_back", args=[entry.tournament.slug, entry.public_id, played.number, other.public_id]
        ),
        until=_("You can undo this until play continues."),
    )
