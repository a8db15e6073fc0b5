"""The sheet of a table: its players, its recorded hands, and all possible actions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from league.access import Access
from league.access.rights import Can
from league.day.entrants import why_no_late_entry
from league.day.forms import DayForm, ReasonForm
from league.day.sheet import playing
from league.day.sheet.leaving import hands_that_count
from league.day.sheet.seats import seats_in_words
from league.day.sheet.values import REASON, Draft, Line, Outcome, Pick, QuietLink, Sheet, StepRequest
from league.day.vacancies import vacant_seats
from league.ledger.progress import PLAYING, closed_early, table_now
from league.models import Seat, Table
from league.rounds.clock import MOST_MINUTES, extra_time
from league.rounds.tables import MOST_TABLES, close_table, move_table, open_table_again, swappable_seats
from league.rounds.time_left import clock_of


class NumberForm(DayForm):
    to = forms.IntegerField(label=_l("New number"), min_value=1, max_value=MOST_TABLES)
    reason = forms.CharField(label=_l("Reason"), max_length=200, required=False)


class TimeForm(DayForm):
    minutes = forms.IntegerField(label=_l("Extra minutes"), min_value=0, max_value=MOST_MINUTES)


@dataclass(frozen=True)
class TableFacts:
    """Facts that decide the lines of a table's sheet.

    is_open: the round is published and not closed. is_playing: hands are to come. wanted: None if the number of hands
    is open. can_swap: a seat is swappable. vacant: the departed player whose seat a late entry can take. has_clock: the
    round's clock was started. extra: the table's extra minutes.
    """

    number: int
    round: int
    is_draft: bool = False
    is_open: bool = False
    is_playing: bool = False
    is_final: bool = False
    is_closed_early: bool = False
    is_online: bool = False
    played: int = 0
    wanted: int | None = None
    can_swap: bool = False
    vacant: str = ""
    has_clock: bool = False
    extra: int = 0


def address(table: Table, **query: Any) -> str:
    """Return the address of a step on the table's sheet."""
    at = [table.round.tournament.slug, table.round.number, table.number]
    return reverse("table_sheet", args=at, query=query or None)


def page_of(table: Table, access: Access) -> Sheet:
    """Return a table's sheet for a director."""
    facts = read_table_facts(table)
    return Sheet(
        heading=_("Table %(number)d") % {"number": table.number},
        where=_who(table),
        lines=lines_of(facts, address(table), _places(table)),
        links=_links(table, access, facts),
        url=address(table),
        token=table.number,
        note=_note(facts),
    )


@dataclass(frozen=True)
class Places:
    """Addresses of lines that are pages: the table's hands and the late entries."""

    hands: str
    late: str


def _places(table: Table) -> Places:
    hands = reverse("play" if table.mode == Table.Mode.ONLINE else "table", args=[table.pk])
    return Places(hands, reverse("day_late", args=[table.round.tournament.slug]))


def read_table_facts(table: Table) -> TableFacts:
    played = table.round
    tournament = played.tournament
    now = table_now(table)
    is_final = tournament.is_final
    clock = clock_of(played)
    enters = played.is_open and not is_final and not why_no_late_entry(played.stage) and not played.stage.drawn_ahead
    vacant = [seat for seat in vacant_seats(played.stage) if seat.table_id == table.pk] if enters else []
    return TableFacts(
        number=table.number,
        round=played.number,
        is_draft=played.is_draft,
        is_open=played.is_open,
        is_playing=now.state == PLAYING and played.is_open,
        is_final=is_final,
        is_closed_early=closed_early(table),
        is_online=table.mode == Table.Mode.ONLINE,
        played=now.played,
        wanted=now.hands_wanted,
        can_swap=not is_final and any(seat.table_id == table.pk for seat in _swappable(table)),
        vacant=vacant[0].entry.name if vacant else "",
        has_clock=bool(clock and clock.state != "off" and played.is_open and not is_final),
        extra=table.extra_minutes,
    )


def _swappable(table: Table) -> list[Seat]:
    played = table.round
    is_over = not (played.is_open or played.is_draft) or not played.tournament.has_begun
    return [] if is_over else swappable_seats(played)


def lines_of(facts: TableFacts, url: str, places: Places) -> tuple[Line, ...]:
    """Return the possible actions, the most usual first. url: of the sheet."""
    changes = not facts.is_final and (facts.is_open or facts.is_draft)
    offers = (
        (
            not facts.is_draft,
            "",
            "i-pen",
            _("View hands") if facts.is_final else _("Enter or correct scores"),
            _hands(facts),
            places.hands,
        ),
        (
            bool(facts.vacant),
            "",
            "i-people",
            _("Add a player"),
            _("In the seat of %(name)s, who left") % {"name": facts.vacant},
            places.late,
        ),
        (
            facts.can_swap,
            "swap",
            "i-swap",
            _("Swap seats"),
            _("With anyone in round %(number)d") % {"number": facts.round},
            "",
        ),
        (
            facts.is_playing and not facts.is_final,
            "close",
            "i-leave",
            _("Close the table"),
            _close(facts),
            "",
        ),
        (
            facts.is_open and facts.is_closed_early and not facts.is_final,
            "open",
            "i-back",
            _("Reopen the table"),
            _("As many hands as the other tables"),
            "",
        ),
        (facts.has_clock, "time", "i-clock", _("Extra time"), _clock(facts), ""),
        (changes, "number", "i-table", _("Change the number"), _("Codes and links follow the number"), ""),
    )
    return tuple(
        Line(icon, title, text, leads_to or f"{url}?do={do}", do)
        for possible, do, icon, title, text, leads_to in offers
        if possible
    )


def _hands(facts: TableFacts) -> str:
    if facts.wanted is None:
        return ngettext("%(count)d recorded", "%(count)d recorded", facts.played) % {"count": facts.played}
    return _("%(count)d of %(of)d recorded") % {"count": facts.played, "of": facts.wanted}


def _close(facts: TableFacts) -> str:
    if facts.wanted is None or not facts.played:
        return _("No more hands in this round")
    return hands_that_count(facts.played, facts.wanted)


def _clock(facts: TableFacts) -> str:
    if not facts.extra:
        return _("None so far")
    words = ngettext("%(count)d minute more", "%(count)d minutes more", facts.extra)
    return words % {"count": facts.extra}


def _note(facts: TableFacts) -> str:
    if facts.is_final:
        return _("The standings are final. Reopen the tournament under Now to change something.")
    if not facts.is_open and not facts.is_draft:
        return _("Round %(number)d is closed. Hands can still be corrected.") % {"number": facts.round}
    return ""


def _links(table: Table, access: Access, facts: TableFacts) -> tuple[QuietLink, ...]:
    """Return links to the table's other pages, as far as the viewer may open them."""
    slug = table.round.tournament.slug
    links = []
    if access.may(Can.PRINT) and not facts.is_final:
        links.append(QuietLink("i-cards", _("QR codes"), reverse("codes", args=[slug])))
        slips = reverse("print_slips", args=[slug], query={"round": table.round.number})
        links.append(QuietLink("i-print", _("Score slip"), slips))
    if facts.is_open and not facts.is_final:
        links.append(QuietLink("i-bell", _("Calls"), reverse("calls", args=[slug])))
    if access.may(Can.SEE_LOG):
        of_table = {"table": f"{table.round.number}.{table.number}"}
        links.append(QuietLink("i-doc", _("Log"), reverse("log", args=[slug], query=of_table)))
    return tuple(links)


def _seats(table: Table) -> list[Seat]:
    seats = Seat.objects.filter(table=table, member=0).select_related("entry__player", "entry__tournament")
    return list(seats.order_by("number"))


def _who(table: Table) -> str:
    people = [seat.entry.name for seat in _seats(table)]
    return seats_in_words(people, table.round.stage.has_partners).rstrip(".")


def swap_draft(table: Table, request: StepRequest) -> Draft:
    """Return the choice of a player at the table; their own sheet has the rest of the step."""
    can = {seat.entry_id for seat in _swappable(table)}
    return Draft(
        title=_("Swap seats at table %(number)d") % {"number": table.number},
        picks=tuple(
            Pick(seat.entry.name, "", playing.address(seat.entry, do="swap", round=table.round.number))
            for seat in _seats(table)
            if seat.entry_id in can
        ),
        picks_legend=_("Who swaps seats?"),
    )


def close_draft(table: Table, request: StepRequest) -> Draft:
    form, bound = request.form(ReasonForm)
    words = {"number": table.number}
    facts = table_now(table)
    count = ngettext("%(count)d hand counts", "%(count)d hands count", facts.played) % {"count": facts.played}
    return Draft(
        title=_("Close table %(number)d") % words,
        form=form,
        folded=(REASON,),
        outcome=Outcome(
            action=lambda: close_table(reason=bound.cleaned_data.get(REASON, ""), by=request.by, **_at(table)),
            button=_("Close table %(number)d") % words,
            done=_("Table %(number)d is closed for this round.") % words,
            sentences=[
                f"{count}." if facts.played else _("No hand is recorded, so nothing counts."),
                _("No more hands in this round. A hand in play is stopped."),
            ],
            undo=lambda _done: reverse("open_table", args=_args(table)),
            until=_("You can undo this until the round is closed."),
        ),
    )


def open_draft(table: Table, request: StepRequest) -> Draft:
    words = {"number": table.number}
    return Draft(
        title=_("Reopen table %(number)d") % words,
        outcome=Outcome(
            action=lambda: open_table_again(by=request.by, **_at(table)),
            button=_("Reopen table %(number)d") % words,
            done=_("Table %(number)d is open again.") % words,
            sentences=[_("As many hands as the other tables")],
        ),
    )


def number_draft(table: Table, request: StepRequest) -> Draft:
    form, bound = request.form(NumberForm)
    to = bound.cleaned_data.get("to")
    words = {"number": table.number, "to": to or 0}
    outcome = Outcome(
        action=lambda: move_table(to=to or 0, reason=bound.cleaned_data.get(REASON, ""), by=request.by, **_at(table)),
        button=_("Change it to table %(to)d") % words,
        done=_("Table %(number)d is now table %(to)d.") % words,
        key=str(to),
        sentences=[
            _("An existing table %(to)d becomes table %(number)d.") % words,
            _("Scorers then use the codes and links of table %(to)d.") % words,
        ],
        undo=lambda _done: reverse("move_table_back", args=[*_args(table)[:2], to, table.number]),
        then=reverse("table_sheet", args=[*_args(table)[:2], to]) if to else "",
    )
    return Draft(
        title=_("Change the number of table %(number)d") % words,
        form=form,
        fields=("to",),
        folded=(REASON,),
        button=_("Preview"),
        outcome=outcome if to else None,
    )


def time_draft(table: Table, request: StepRequest) -> Draft:
    form, bound = request.form(partial(TimeForm))
    minutes = bound.cleaned_data.get("minutes")
    if not request.is_posted and minutes is None:
        form.initial["minutes"] = minutes = (table.extra_minutes or 0) + 5
    words = {"number": table.number, "minutes": minutes or 0}
    button = ngettext(
        "Give table %(number)d %(minutes)d minute more", "Give table %(number)d %(minutes)d minutes more", minutes or 0
    )
    outcome = Outcome(
        action=lambda: extra_time(
            tournament=table.round.tournament, table_number=table.number, minutes=minutes or 0, by=request.by
        ),
        button=button % words if minutes else _("Remove the extra time"),
        done=_("The table’s extra time is set."),
        key=str(minutes),
    )
    return Draft(
        title=_("Extra time for table %(number)d") % words,
        form=form,
        fields=("minutes",),
        button=_("Preview"),
        outcome=None if minutes is None else outcome,
    )


def _at(table: Table) -> dict[str, Any]:
    return {"tournament": table.round.tournament, "round_number": table.round.number, "number": table.number}


def _args(table: Table) -> list[Any]:
    return [table.round.tournament.slug, table.round.number, table.number]


DRAFTS: Mapping[str, Callable[[Table, StepRequest], Draft]] = {
    "swap": swap_draft,
    "close": close_draft,
    "open": open_draft,
    "number": number_draft,
    "time": time_draft,
}
