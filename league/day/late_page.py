"""The page Late entry, as a value: a form, then today's arrivals, departures, stand-ins and substitutes."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import Access
from league.day.entrants import usual_total, why_no_late_entry
from league.day.forms import LateForm, LateTeamForm
from league.day.stand_in import look_at_seats
from league.day.substitutes import substituted_seats, substitutes_of
from league.models import Entry, EntryEvent, KeptApart, Seat, Stage, Tournament
from league.pages.people_at import person_at

MOST_EVENTS = 50  # the log has more


@dataclass(frozen=True)
class PastEvent:
    """A late entry, departure or return. undo: its address; empty if the event can't be undone."""

    name: str
    url: str
    what: str
    at: datetime
    reason: str
    undo: str


@dataclass(frozen=True)
class PersonLine:
    """A line about a player. url: of the player's sheet, or of the step that changes the line."""

    name: str
    text: str
    url: str = ""


@dataclass(frozen=True)
class LatePage:
    """form: None if no late entry is possible; `why_not` gives the reason.

    erasable: past substitutes that can be erased.
    """

    title: str
    form: LateForm | None
    total_hint: str
    why_not: str
    events: tuple[PastEvent, ...]
    stand_ins: tuple[PersonLine, ...]
    substitutes: tuple[PersonLine, ...]
    requests: tuple[PersonLine, ...]
    erasable: tuple[PersonLine, ...]


def page_of(access: Access, form: LateForm | None) -> LatePage:
    """Return the page. form: the posted form, or an empty one."""
    tournament = access.tournament
    stage = tournament.stage
    return LatePage(
        title=_("Add a team") if stage.has_teams else _("Add a player"),
        form=form,
        total_hint=_("Default: the highest total still in.")
        if stage.lowest_wins
        else _("For rounds they didn’t play, usually 0."),
        why_not="" if form else _why_not(tournament),
        events=_past_events(access),
        stand_ins=_stand_ins(access),
        substitutes=_substitutes(access),
        requests=_requests(access),
        erasable=_erasable(tournament) if access.organises else (),
    )


def empty_form(tournament: Tournament) -> LateForm | None:
    """Return the form for a late entry; None if none is possible."""
    if not tournament.has_begun or tournament.is_final or why_no_late_entry(tournament.stage):
        return None
    return late_form(tournament.stage)(initial={"total": usual_total(tournament, tournament.stage)})


def late_form(stage: Stage) -> type[LateForm]:
    return LateTeamForm if stage.has_teams else LateForm


def late_words(stage: Stage) -> str:
    """Return a sentence about the seat of a late entry."""
    if not stage.drawn_ahead:
        return _("Plays from the next round that is drawn.")
    if stage.has_teams:
        return _("The team meets teams with a bye. If there are none, unpublished rounds are redrawn.")
    return _(
        "The player takes a stand-in’s seats or joins players with a bye. Otherwise, unpublished rounds are redrawn."
    )


def _why_not(tournament: Tournament) -> str:
    if not tournament.has_begun:
        return _("No round is published yet. Change the list of players instead.")
    if tournament.is_final:
        return _("The standings are final. Reopen the tournament to change them.")
    return why_no_late_entry(tournament.stage)


def _past_events(access: Access) -> tuple[PastEvent, ...]:
    """Return the events, newest first. Only a player's latest event can be undone."""
    tournament = access.tournament
    is_running = tournament.has_begun and not tournament.is_final
    events = EntryEvent.objects.living().filter(entry__tournament=tournament)
    seen: set[int] = set()
    lines = []
    for event in events.select_related("entry__player", "round").order_by("-at", "-id")[:MOST_EVENTS]:
        can_undo = is_running and event.entry_id not in seen
        seen.add(event.entry_id)
        what = str(event.get_kind_display())
        if event.round:
            what = _("%(what)s, round %(number)d") % {"what": what, "number": event.round.number}
        lines.append(
            PastEvent(
                name=event.entry.name,
                url=person_at(access, event.entry.public_id),
                what=what,
                at=event.at,
                reason=event.reason,
                undo=reverse("undo_event", args=[tournament.slug, event.pk]) if can_undo else "",
            )
        )
    return tuple(lines)


def _stand_ins(access: Access) -> tuple[PersonLine, ...]:
    entries = access.tournament.entries.filter(status=Entry.Status.STANDIN).select_related("player", "tournament")
    return tuple(
        PersonLine(
            entry.name,
            "; ".join(map(_where, look_at_seats(entry))) or _("No seat left"),
            person_at(access, entry.public_id),
        )
        for entry in entries
    )


def _where(seat: Seat) -> str:
    if seat.table is None:
        return _("Round %(round)d, bye") % {"round": seat.round.number}
    return _("Round %(round)d, table %(table)d") % {"round": seat.round.number, "table": seat.table.number}


def _substitutes(access: Access) -> tuple[PersonLine, ...]:
    return tuple(
        PersonLine(
            _("%(new)s for %(name)s") % {"new": seat.substitute, "name": seat.entry.name},
            _where(seat),
            f"{person_at(access, seat.entry.public_id)}?do=end-substitute",
        )
        for seat in substituted_seats(access.tournament)
    )


def _requests(access: Access) -> tuple[PersonLine, ...]:
    """Return the fixed tables and the pairs that must not meet."""
    fixed = access.tournament.entries.exclude(fixed_table=None).select_related("player")
    apart = KeptApart.objects.filter(one__tournament=access.tournament).select_related("one__player", "other__player")
    tables = [
        PersonLine(
            entry.name,
            _("Sits at table %(number)d") % {"number": entry.fixed_table},
            f"{person_at(access, entry.public_id)}?do=table",
        )
        for entry in fixed
    ]
    pairs = [
        PersonLine(
            f"{pair.one.name}, {pair.other.name}",
            _("Must not meet"),
            f"{person_at(access, pair.one.public_id)}?do=apart",
        )
        for pair in apart
    ]
    return (*tables, *pairs)


def _erasable(tournament: Tournament) -> tuple[PersonLine, ...]:
    return tuple(
        PersonLine(person.name, "", reverse("erase_substitute", args=[tournament.slug, person.pk]))
        for person in substitutes_of(tournament)
    )
