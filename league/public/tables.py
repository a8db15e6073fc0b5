"""Yield the rows of a tournament's tables, for pages, CSV downloads and `manage export`.

Each export has a header and a function that yields {column: value}. All formats share the headers; unused columns are
empty. docs/formats.md describes the columns.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from league.formats import teams
from league.formats.groups import name_of
from league.formats.race import DROPPED
from league.ledger.lineups import members_of
from league.ledger.race import RaceLedger, read_race
from league.lib import csv
from league.lib.csv import Row
from league.log.export_rows import log_rows
from league.log.search import EVERY_ROW, LogFilter
from league.models import Adjustment, Entry, EntryEvent, HandScore, Seat, Stage, Tournament, entry_name
from league.public import fairness
from league.standings import read as ledger
from league.standings.ranking import Standing
from league.standings.round_figures import no_figures, round_figures
from league.standings.team_members import HEADER as MEMBERS
from league.standings.team_members import member_rows

TIE_BREAK_COLUMNS = ("tb1", "tb2", "tb3", "tb4", "tb5")
DROPS = (EntryEvent.Kind.DROP, EntryEvent.Kind.NO_SHOW)
# Tables with voided rows; with `everything` a column has the time of voiding.
WITH_VOIDED = ("hands", "adjustments", "events")


@dataclass(frozen=True)
class Wanted:
    """A selection of rows. `everything`: include voided rows and drafts.

    `round`, `table` (its number) and `player_id` narrow seating and hands; `log` narrows the log. `stage`: number of
    the stage for standings, None for the current one. `at_the_door`: include who is here and who has paid, for helpers.
    """

    as_of_round: int | None = None
    everything: bool = False
    round: int | None = None
    table: int | None = None
    player_id: str | None = None
    log: LogFilter = EVERY_ROW
    stage: int | None = None
    at_the_door: bool = False


@dataclass(frozen=True)
class Export:
    """private: columns that only helpers get, never the public."""

    header: tuple[str, ...]
    rows: Callable[[Tournament, Wanted], Iterator[Row]]
    private: tuple[str, ...] = ()

    def columns(self, selection: Wanted) -> tuple[str, ...]:
        """Return the header, plus `voided_at` if the selection includes voided rows, and private columns."""
        shows_voided = selection.everything and any(self is EXPORTS[table] for table in WITH_VOIDED)
        header = (*self.header[:-1], "voided_at", self.header[-1]) if shows_voided else self.header
        return (*header, *self.private) if selection.at_the_door else header


def standings_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    book = ledger.read(tournament, stage=stage_of(tournament, selection))
    as_of_round = selection.as_of_round if selection.as_of_round is not None else book.last_round
    for line in book.standings(selection.as_of_round):
        yield standing_row(line, as_of_round, book.stage)


def stage_of(tournament: Tournament, selection: Wanted) -> Stage | None:
    """Return the selected stage, or the selected round's; None for the current one. Raises Stage.DoesNotExist."""
    if selection.stage is not None:
        return tournament.stages.get(number=selection.stage)
    if selection.as_of_round is None:
        return None
    of_round = tournament.rounds.living().filter(number=selection.as_of_round).select_related("stage").first()
    return of_round.stage if of_round is not None else None


def standing_row(line: Standing, as_of_round: int | None, stage: Stage) -> Row:
    """stage: stage of these standings; entries that did not advance have values of an earlier stage."""
    row: Row = {
        "rank": line.rank,
        "tied": line.tied,
        "player_id": line.entrant.id,
        "player": line.entrant.name,
        "club": line.entrant.club,
        "status": line.entrant.status,
        "decided_by": line.decided_by,
        "as_of_round": as_of_round,
        "best_partner": line.best_partner,
        "out_in_round": line.out_in_round,
        "out_in_hand": line.out_in_hand,
        "group": name_of(line.group) if line.group else None,
        "stage": line.stage or stage.number,
    }
    for figure in (
        "rounds_played", "hands_played", "hands_won", "points_for", "points_against", "difference", "points_caught",
        "adjustments", "total",
    ):  # fmt: skip
        row[figure] = getattr(line, figure)
    row.update(zip(TIE_BREAK_COLUMNS, line.tie_breaks, strict=False))
    return row


class _Sitting(NamedTuple):
    """A place in a round. `table`: its number, None for a bye; `in_seat`: name of the seated person."""

    round: int
    table: int | None
    seat: int | None
    number: int
    round_state: str
    stage: int
    table_id: int | None
    player_id: str
    player: str
    substitute: str | None

    @property
    def in_seat(self) -> str:
        return self.substitute or self.player


def _seats(tournament: Tournament, selection: Wanted) -> Iterator[tuple[Stage, _Sitting, _Sitting | None]]:
    """Yield each seat of the visible rounds, with the partner's; byes follow the tables of their round."""
    rounds = tournament.rounds.living() if selection.everything else tournament.rounds.shown()
    if selection.as_of_round is not None:
        rounds = rounds.filter(number__lte=selection.as_of_round)
    if selection.round is not None:
        rounds = rounds.filter(number=selection.round)
    query = Seat.objects.filter(round__in=rounds)
    if selection.table is not None:
        query = query.filter(table__number=selection.table)
    columns = query.order_by().values_list(
        "round__number", "table__number", "number", "entry__number", "round__state", "round__stage", "table_id",
        "entry__public_id", entry_name("entry__"), "substitute__name",
    )  # fmt: skip
    seats = sorted(map(_Sitting._make, columns), key=_as_listed)
    stages = {stage.pk: stage for stage in tournament.stages.all()}
    at: dict[tuple[int | None, int | None], _Sitting] = {
        (seat.table_id, seat.seat): seat for seat in seats if seat.table_id is not None
    }
    for seat in seats:
        if selection.player_id not in (None, seat.player_id):
            continue
        stage, partner = stages[seat.stage], None
        if stage.has_partners and seat.seat is not None:
            partner = at.get((seat.table_id, (seat.seat + 2) % 4))
        yield stage, seat, partner


def _as_listed(seat: _Sitting) -> tuple[int, bool, int, int, int]:
    return seat.round, seat.table is None, seat.table or 0, seat.seat or 0, seat.number


def _seat_row(stage: Stage, seat: _Sitting, partner: _Sitting | None) -> Row:
    return {
        "round": seat.round,
        "table": "bye" if seat.table is None else seat.table,
        "seat": seat.seat,
        "round_state": seat.round_state,
        "player_id": seat.player_id,
        "player": seat.player,
        "partner_id": partner.player_id if partner else None,
        "partner": partner.player if partner else None,
        "stage": stage.number,
    }


def seating_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    for seated in _seats(tournament, selection):
        yield _seat_row(*seated)


def sitting_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    """Yield seating rows with the seated person's name, and the `team`'s name."""
    for stage, seat, partner in _seats(tournament, selection):
        row = _seat_row(stage, seat, partner) | {"team": ""}
        if stage.has_teams and seat.table is not None:
            row |= {
                "team": seat.player,
                "player": seat.in_seat,
                "partner": partner.in_seat if partner else None,
            }
        yield row


def rounds_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    """Yield a row for each entry and round: the round's values, and the rank after it."""
    books = [ledger.read(tournament, stage=stage) for stage in tournament.stages.all()]
    figures = no_figures()
    ranks: dict[int, Mapping[str, int | None]] = {}
    for book in books:
        figures.update(round_figures(book))
        ranks |= book.ranks_by_round({score.round for score in book.scores})
    for stage, seat, partner in _seats(tournament, selection):
        if stage.has_teams:
            if (seat.seat or 0) >= teams.AT_TABLE:
                continue
            partner = None
        row, figure = _seat_row(stage, seat, partner), figures[seat.round, seat.player_id]
        yield {**row, **figure, "rank": ranks.get(seat.round, {}).get(seat.player_id)}


def hands_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    """Yield a row for each seat and hand; voided hands only with `everything`."""
    scores = HandScore.objects.filter(table__round__tournament=tournament)
    if not selection.everything:
        scores = scores.living()
    if selection.as_of_round is not None:
        scores = scores.filter(table__round__number__lte=selection.as_of_round)
    if selection.round is not None:
        scores = scores.filter(table__round__number=selection.round)
    if selection.table is not None:
        scores = scores.filter(table__number=selection.table)
    if selection.player_id is not None:
        scores = scores.filter(entry__public_id=selection.player_id)
    scores = scores.select_related("table__round__stage", "entry__player", "partner__player", "played_by")
    for score in scores.order_by("table__round__number", "table__number", "hand", "recorded_at", "seat", "id"):
        yield {
            "round": score.table.round.number,
            "table": score.table.number,
            "table_id": score.table_id,
            "hand": score.hand,
            "seat": score.seat,
            "player_id": score.entry.public_id,
            "player": score.entry.name,
            "partner_id": score.partner.public_id if score.partner else None,
            "partner": score.partner.name if score.partner else None,
            "played_by": score.played_by.name if score.played_by else None,
            "went_out": score.went_out,
            "cards_left": score.cards_left,
            "points_left": score.points_left,
            "score": score.score,
            "source": score.source,
            "recorded_at": score.recorded_at,
            "counted_at": _exact_time(score.counted_at),
            "voided_at": score.voided_at,
            "stage": score.table.round.stage.number,
        }


def adjustments_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    adjustments = Adjustment.objects.filter(entry__tournament=tournament)
    if not selection.everything:
        adjustments = adjustments.filter(voided_at=None)
    if selection.as_of_round is not None:
        adjustments = adjustments.exclude(round__number__gt=selection.as_of_round)
    for adjustment in adjustments.select_related("round__stage", "entry__player").order_by("recorded_at", "id"):
        yield {
            "id": adjustment.pk,
            "round": adjustment.round.number if adjustment.round else None,
            "player_id": adjustment.entry.public_id,
            "player": adjustment.entry.name,
            "kind": adjustment.kind,
            "points": adjustment.points,
            "reason": adjustment.reason,
            "recorded_at": adjustment.recorded_at,
            "counted_at": _exact_time(adjustment.recorded_at),
            "voided_at": adjustment.voided_at,
            "stage": adjustment.round.stage.number if adjustment.round else None,
        }


def _exact_time(counted_at: datetime) -> str:
    """Format with microseconds: seconds can't order hands, adjustments and events of a round."""
    return csv.moment(counted_at, "microseconds")


def events_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    """Yield late entries, departures and returns. Only organisers see reasons and undone events."""
    events = EntryEvent.objects.filter(entry__tournament=tournament)
    if not selection.everything:
        events = events.living()
    if selection.as_of_round is not None:
        events = events.exclude(round__number__gt=selection.as_of_round)
    rows = list(events.select_related("round__stage", "entry__player").order_by("at", "id"))
    hands: dict[int, int | None] = {}
    for stage in tournament.stages.all():
        if stage.eliminates:
            hands |= _hands_of_leaving(read_race(tournament, stage), rows, selection.as_of_round)
    for event in rows:
        yield {
            "round": event.round.number if event.round else None,
            "hand": hands.get(event.pk),
            "player_id": event.entry.public_id,
            "player": event.entry.name,
            "kind": event.kind,
            "reason": event.reason if selection.everything else "",
            "recorded_at": event.at,
            "counted_at": _exact_time(event.at),
            "voided_at": event.voided_at,
            "stage": event.round.stage.number if event.round else None,
        }


def _hands_of_leaving(race: RaceLedger, events: Sequence[EntryEvent], as_of_round: int | None) -> dict[int, int | None]:
    """Return {event key: last hand played in that round} for drops that took players out of a race."""
    lines = race.state_at(as_of_round).lines
    last_drop = {event.entry.public_id: event.pk for event in events if event.kind in DROPS and event.voided_at is None}
    return {
        last_drop[line.entry]: line.departure.hand or None
        for line in lines.values()
        if line.status == DROPPED and line.departure and line.entry in last_drop
    }


def race_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    """Yield a row for each player and counted hand, in the order of events. Empty without a race."""
    for stage in tournament.stages.all():
        if stage.eliminates:
            yield from _rows_of_race(ledger.read(tournament, stage=stage), selection)


def _rows_of_race(book: ledger.Ledger, selection: Wanted) -> Iterator[Row]:
    if book.race is None:
        return
    names = {entrant.id: entrant.name for entrant in book.entrants}
    state = book.race.state_at(selection.as_of_round)
    for step in state.race:
        yield {
            "player_id": step.entry,
            "player": names[step.entry],
            "round": step.round,
            "table": step.table,
            "hand": step.hand,
            "caught": step.caught,
            "total": step.total,
            "out": step.out,
            "place": state.lines[step.entry].place,
            "stage": book.stage.number,
        }


def roster_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    """Yield names and clubs; with `everything` (organisers only) also e-mail and birthday (month and day).

    With `at_the_door` (helpers only): who is here, and who has paid, empty without a fee. Contact data of club members
    is only for editors of the club's list, so it is left out. A team has a row for each member, captain first.
    """
    on_the_list = tournament.entries.exclude(status=Entry.Status.STANDIN)
    entries = list(on_the_list.select_related("player", "tournament").order_by("number", "id"))
    members = members_of(entries) if tournament.stage.has_teams else {}
    for entry in entries:
        team = entry.name if entry.pk in members else None
        for person in [member.player for member in members[entry.pk]] if team else [entry.player]:
            shown = selection.everything and person.club_id is None
            birthday = person.birthday if shown else None
            yield {
                "name": person.name,
                "club": person.club_name or (entry.player.club_name if team else ""),
                "email": person.email if shown else "",
                "birthday": f"{birthday[0]:02}-{birthday[1]:02}" if birthday else None,
                "team": team,
                **(_at_the_door(entry) if selection.at_the_door else {}),
            }


def _at_the_door(entry: Entry) -> Row:
    paid = entry.paid_at is not None if entry.tournament.fee else None
    return {"checked_in": entry.checked_in_at is not None, "paid": paid}


def members_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    yield from member_rows(tournament, selection.as_of_round)


def fairness_rows(tournament: Tournament, selection: Wanted) -> Iterator[Row]:
    """Yield a row for each pair of players: rounds as partners and as opponents."""
    people = [
        (entry.public_id, entry.name) for entry in tournament.entries.select_related("player").order_by("number", "id")
    ]
    met = fairness.count_meetings(seating_rows(tournament, selection))
    for player_id, player in people:
        for other_id, other in people:
            if other_id != player_id:
                yield {
                    "player_id": player_id,
                    "player": player,
                    "other_id": other_id,
                    "other": other,
                    "partnered": met.partnered[player_id, other_id],
                    "opposed": met.opposed[player_id, other_id],
                }


EXPORTS: dict[str, Export] = {
    "standings": Export(
        (
            "rank", "tied", "player_id", "player", "club", "status", "rounds_played", "hands_played", "hands_won",
            "points_for", "points_against", "difference", "points_caught", "adjustments", "total", *TIE_BREAK_COLUMNS,
            "decided_by", "as_of_round", "best_partner", "out_in_round", "out_in_hand", "group", "stage",
        ),
        standings_rows,
    ),
    "seating": Export(
        ("round", "table", "seat", "player_id", "player", "partner_id", "partner", "stage"),
        seating_rows,
    ),
    "rounds": Export(
        (
            "round", "table", "seat", "player_id", "player", "partner_id", "partner", "hands_played", "hands_won",
            "points_for", "points_against", "points_caught", "adjustments", "total", "rank", "stage",
        ),
        rounds_rows,
    ),
    "hands": Export(
        (
            "round", "table", "hand", "seat", "player_id", "player", "partner_id", "partner", "played_by", "went_out",
            "cards_left", "points_left", "score", "source", "recorded_at", "counted_at", "stage",
        ),
        hands_rows,
    ),
    "adjustments": Export(
        ("round", "player_id", "player", "kind", "points", "reason", "recorded_at", "counted_at", "stage"),
        adjustments_rows,
    ),
    "events": Export(
        ("round", "hand", "player_id", "player", "kind", "reason", "recorded_at", "counted_at", "stage"),
        events_rows,
    ),
    "race": Export(
        ("player_id", "player", "round", "table", "hand", "caught", "total", "out", "place", "stage"),
        race_rows,
    ),
    "members": Export(MEMBERS, members_rows),
    "players": Export(("name", "club", "email", "birthday", "team"), roster_rows, ("checked_in", "paid")),
    "fairness": Export(("player_id", "player", "other_id", "other", "partnered", "opposed"), fairness_rows),
    "log": Export(
        ("at", "by", "action", "round", "table", "hand", "old", "new", "reason", "number", "hash", "stage"),
        lambda tournament, selection: log_rows(tournament, selection.log),
    ),
}  # fmt: skip
