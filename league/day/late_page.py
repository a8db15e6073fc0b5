"""The page Late entry: who comes late, and who came, left, stands in and plays for others today, as a value."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import Access
from league.day.entrants import usual_total, why_nobody_comes
from league.day.forms import LateForm, LateTeamForm
from league.day.stand_in import look_at_seats
from league.day.substitutes import substituted_seats, substitutes_of
from league.models import Entry, EntryEvent, KeptApart, Seat, Stage, Tournament
from league.pages.people_at import person_at

MOST_EVENTS = 50  # on the page; the log has them all


@dataclass(frozen=True)
class Happened:
    """Someone came, left or came again. undo: the address that takes it back; empty where it cannot be."""

    name: str
    url: str
    what: str
    at: datetime
    reason: str
    undo: str


@dataclass(frozen=True)
class PersonLine:
    """A line about a player. url: of their sheet, or of the step that changes what the line says."""

    name: str
    text: str
    url: str = ""


@dataclass(frozen=True)
class LatePage:
    """form: to let someone in; None where no one can come, which `why_not` says. erasable: who has substituted and
    can be erased, with the address for that."""

    title: str
    form: LateForm | None
    total_hint: str
    why_not: str
    happened: tuple[Happened, ...]
    stand_ins: tuple[PersonLine, ...]
    substitutes: tuple[PersonLine, ...]
    requests: tuple[PersonLine, ...]
    erasable: tuple[PersonLine, ...]


def page_of(access: Access, form: LateForm | None) -> LatePage:
    """form: the one that was sent, else one to fill in."""
    tournament = access.tournament
    stage = tournament.stage
    return LatePage(
        title=_("A team comes late") if stage.has_teams else _("Somebody comes late"),
        form=form,
        total_hint=_("The highest total still in, unless you say otherwise.")
        if stage.lowest_wins
        else _("Points for rounds that they missed; mostly none."),
        why_not="" if form else _why_not(tournament),
        happened=_happened(access),
        stand_ins=_stand_ins(access),
        substitutes=_substitutes(access),
        requests=_requests(access),
        erasable=_erasable(tournament) if access.organises else (),
    )


def empty_form(tournament: Tournament) -> LateForm | None:
    """The form for a late entry; None where no one can come in."""
    if not tournament.has_begun or tournament.is_final or why_nobody_comes(tournament.stage):
        return None
    return late_form(tournament.stage)(initial={"total": usual_total(tournament, tournament.stage)})


def late_form(stage: Stage) -> type[LateForm]:
    return LateTeamForm if stage.has_teams else LateForm


def late_words(stage: Stage) -> str:
    """Where a late entry will sit."""
    if not stage.drawn_ahead:
        return _("They sit from the next round that is drawn.")
    if stage.has_teams:
        return _("It meets those who sit out. Where nobody does, the rounds that nobody has seen are drawn again.")
    return _(
        "They take over from a stand-in where nothing was played. Where nobody stands in, they sit down with those who "
        "sit out, or the rounds that nobody has seen are drawn again."
    )


def _why_not(tournament: Tournament) -> str:
    if not tournament.has_begun:
        return _("Nothing has been published yet, so nobody is late: add them to the list of players.")
    if tournament.is_final:
        return _("The standings are final, so nobody can come in any more.")
    return why_nobody_comes(tournament.stage)


def _happened(access: Access) -> tuple[Happened, ...]:
    """The latest first. Only the latest event of a player can be undone."""
    tournament = access.tournament
    goes_on = tournament.has_begun and not tournament.is_final
    events = EntryEvent.objects.living().filter(entry__tournament=tournament)
    seen: set[int] = set()
    lines = []
    for event in events.select_related("entry__player", "round").order_by("-at", "-id")[:MOST_EVENTS]:
        can_undo = goes_on and event.entry_id not in seen
        seen.add(event.entry_id)
        what = str(event.get_kind_display())
        if event.round:
            what = _("%(what)s, round %(number)d") % {"what": what, "number": event.round.number}
        lines.append(
            Happened(
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
            "; ".join(map(_where, look_at_seats(entry))) or _("Has no seat to come"),
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
    """Fixed tables, and who must not meet."""
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
