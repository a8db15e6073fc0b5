"""What the day's page shows about people, read from the database."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from league.day.byes import byes_of
from league.day.entrants import usual_total, why_nobody_comes
from league.day.forms import (
    ApartForm,
    ByeForm,
    FixedTableForm,
    LateForm,
    LateTeamForm,
    LeaveForm,
    ReasonForm,
    ReinstateForm,
    SubstituteForm,
)
from league.day.stand_in import look_at_seats
from league.day.substitutes import substituted_seats, substitutes_of
from league.day.team import team_context
from league.formats.progression import ACTIVE
from league.formats.race import OUT
from league.formats.tree import DUEL
from league.ledger.progress import PLAYING, table_now
from league.ledger.progression import read_progression
from league.ledger.race import RaceLedger, read_race
from league.lib.search import fold
from league.models import Entry, EntryEvent, KeptApart, Seat, Stage, Tournament

MOST_EVENTS = 50  # on the page; the log has them all


def context(tournament: Tournament) -> dict[str, Any]:
    """The context of the day's page about people."""
    stage = tournament.stage
    race = read_race(tournament, stage) if stage.eliminates else None
    players = list(tournament.entries.exclude(status=Entry.Status.STANDIN).select_related("player"))
    going_on = tournament.has_begun and not tournament.is_final
    closed = why_nobody_comes(stage)
    open_to_all = going_on and not closed
    return {
        "going_on": going_on,
        "begun": tournament.has_begun,
        "late_form": late_form(stage)(initial={"total": usual_total(tournament, stage, race)}) if open_to_all else None,
        "nobody_comes": closed if going_on else "",
        "late_words": _late_words(stage),
        "is_race": race is not None,
        "lowest_wins": stage.lowest_wins,
        "people": sorted(players, key=lambda entry: fold(entry.player.name)),
        "happened": _past_events(tournament),
        "stand_ins": _stand_ins(tournament),
        "substitutes": substituted_seats(tournament),
        "substituted": substitutes_of(tournament),
        "fixed": [entry for entry in players if entry.fixed_table is not None],
        "apart": KeptApart.objects.filter(one__tournament=tournament).select_related("one__player", "other__player"),
    }


def late_form(stage: Stage) -> type[LateForm]:
    return LateTeamForm if stage.has_teams else LateForm


def _late_words(stage: Stage) -> str:
    """Where a late entry will sit."""
    if not stage.drawn_ahead:
        return _("They sit from the next round that is drawn.")
    if stage.has_teams:
        return _("It meets those who sit out. Where nobody does, the rounds that nobody has seen are drawn again.")
    return _(
        "They take over from a stand-in where nothing was played. Where nobody stands in, they sit down with those who "
        "sit out, or the rounds that nobody has seen are drawn again."
    )


def leaving_a_duel(entry: Entry) -> list[str]:
    """What it means in a tree that somebody leaves now; nothing elsewhere, and for who is out."""
    stage = entry.tournament.stage
    if not stage.plays.in_tree or not entry.tournament.has_begun:
        return []
    words = {"name": entry.player.name}
    seats = Seat.objects.filter(round__in=stage.rounds.living(), entry=entry)
    seat = seats.select_related("table__round__stage").order_by("-round__number").first()
    if seat and seat.table and seat.table.round.is_open and table_now(seat.table).state == PLAYING:
        others = Seat.objects.filter(table=seat.table, member=0).exclude(entry=entry)
        other = others.select_related("entry__player").get()
        at_table = {"other": other.entry.player.name, "table": seat.table.number}
        return [_("%(name)s loses the duel at table %(table)d; %(other)s goes on.") % (words | at_table)]
    state = read_progression(entry.tournament, stage).state
    in_play = {*state.still_in, *state.beside}
    if entry.public_id in in_play and len(in_play) == DUEL and state.another_round:
        [last] = entry.tournament.entries.filter(public_id__in=in_play - {entry.public_id}).select_related("player")
        return [_("%(other)s has won then.") % {"other": last.player.name}]
    line = state.lines.get(entry.public_id)  # who did not go on to the stage has none
    if state.another_round and line is not None and line.status == ACTIVE:
        return [_("Whoever would meet %(name)s next has a free round.") % words]
    return []


@dataclass(frozen=True)
class PastEvent:
    """can_undo: no later event is about the same player."""

    event: EntryEvent
    can_undo: bool


def _past_events(tournament: Tournament) -> list[PastEvent]:
    """The latest first."""
    events = EntryEvent.objects.living().filter(entry__tournament=tournament)
    past_events = []
    seen = set()
    for event in events.select_related("entry__player", "round").order_by("-at", "-id")[:MOST_EVENTS]:
        past_events.append(PastEvent(event, event.entry_id not in seen))
        seen.add(event.entry_id)
    return past_events


def _stand_ins(tournament: Tournament) -> list[tuple[Entry, list[Seat]]]:
    stand_ins = tournament.entries.filter(status=Entry.Status.STANDIN).select_related("player", "tournament")
    return [(entry, look_at_seats(entry)) for entry in stand_ins]


def person(entry: Entry) -> dict[str, Any]:
    """The context of one player's page: the forms of what can be done now, and None for what cannot."""
    tournament = entry.tournament
    stage = tournament.stage
    race = read_race(tournament, stage) if stage.eliminates else None
    line = race.state.lines.get(entry.public_id) if race else None
    status = line.status if line else entry.status
    going_on = tournament.has_begun and not tournament.is_final
    seats = look_at_seats(entry) if going_on else []
    at_tables = [seat for seat in seats if seat.table is not None]
    byes = byes_of(entry) if going_on else []
    plays = going_on and status == Entry.Status.ACTIVE
    team = team_context(entry, at_tables, tables_of(at_tables)) if stage.has_teams else {}
    may_wish = not tournament.is_final and status == Entry.Status.ACTIVE
    all_are_partners = stage.has_partners and stage.drawn_ahead
    return {
        "entry": entry,
        "is_now": Entry.Status(status).label,
        "with_stand_in": stage.drawn_ahead and not stage.has_teams,
        "seats": at_tables,
        "team": team,
        "substituted": team["substituted"] if team else [seat for seat in at_tables if seat.substitute],
        "apart": [
            (pair, pair.other if pair.one_id == entry.pk else pair.one)
            for pair in KeptApart.objects.filter(one__tournament=tournament).select_related(
                "one__player", "other__player"
            )
            if entry.pk in (pair.one_id, pair.other_id)
        ],
        "forms": {
            "leave": LeaveForm() if plays else None,
            "return": ReasonForm() if going_on and status == Entry.Status.DROPPED else None,
            "reinstate": ReinstateForm() if _can_be_reinstated(race, entry, going_on) else None,
            "substitute": _substitute_form(at_tables, team),
            "lineup": team.get("lineup_form"),
            "table": FixedTableForm(initial={"number": entry.fixed_table}) if may_wish else None,
            "apart": ApartForm(players=other_players(entry)) if may_wish and not all_are_partners else None,
            "bye": ByeForm(rounds=byes) if byes else None,
        },
        "stands_in": entry.status == Entry.Status.STANDIN,
    }


def _substitute_form(seats: list[Seat], team: dict[str, Any]) -> SubstituteForm | None:
    if team:
        form: SubstituteForm | None = team["substitute_form"]
        return form
    return SubstituteForm(tables=tables_of(seats)) if seats else None


def _can_be_reinstated(race: RaceLedger | None, entry: Entry, going_on: bool) -> bool:
    line = race.state.lines.get(entry.public_id) if race else None
    if race is None or line is None or not going_on or race.state.winner is not None:
        return False
    return line.status == OUT and line.total < race.settings.target


def tables_of(seats: list[Seat]) -> list[tuple[str, str]]:
    words = _("Round %(round)d, table %(table)d")
    return [
        (str(seat.table_id), words % {"round": seat.round.number, "table": seat.table.number})
        for seat in seats
        if seat.table is not None and seat.member == 0
    ]


def other_players(entry: Entry) -> list[tuple[str, str]]:
    entries = entry.tournament.entries.filter(status=Entry.Status.ACTIVE).exclude(pk=entry.pk)
    return list(entries.order_by("player__name").values_list("public_id", "player__name"))
