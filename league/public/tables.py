"""The tables of a tournament as rows, once: pages, CSV downloads and `manage export` show the same ones.

Every export is a header and a function that yields {column: value}. Headers are the same for every format; what does
not apply is empty. Columns and their meanings are listed in docs/formats.md.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import override

from league.formats import teams
from league.formats.race import DROPPED
from league.ledger.lineups import members_of
from league.ledger.race import RaceLedger
from league.lib import csv
from league.lib.csv import Row
from league.log.search import EVERY_ROW, LogFilter, found
from league.models import Adjustment, Entry, EntryEvent, HandScore, LogEntry, Seat, Tournament
from league.public import fairness
from league.standings import read as ledger
from league.standings.ranking import Standing
from league.standings.team_members import HEADER as MEMBERS
from league.standings.team_members import member_rows

TIE_BREAK_COLUMNS = ("tb1", "tb2", "tb3", "tb4", "tb5")
DROPS = (EntryEvent.Kind.DROP, EntryEvent.Kind.NO_SHOW)
# Tables that have rows which were voided: with everything they say when.
WITH_VOIDED = ("hands", "adjustments", "events")


@dataclass(frozen=True)
class Wanted:
    """What part of a table is asked for. `everything` adds what was voided and what is still a draft.

    `round`, `table` (its number) and `player_id` narrow seating and hands down to one round, table or player, `log` the
    log.
    """

    as_of_round: int | None = None
    everything: bool = False
    round: int | None = None
    table: int | None = None
    player_id: str | None = None
    log: LogFilter = EVERY_ROW


@dataclass(frozen=True)
class Export:
    header: tuple[str, ...]
    rows: Callable[[Tournament, Wanted], Iterator[Row]]

    def columns(self, wanted: Wanted) -> tuple[str, ...]:
        """The header; a list that shows voided rows says when they were."""
        shows_voided = wanted.everything and any(self is EXPORTS[table] for table in WITH_VOIDED)
        return (*self.header, "voided_at") if shows_voided else self.header


def standings_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    book = ledger.read(tournament)
    as_of_round = wanted.as_of_round if wanted.as_of_round is not None else book.last_round
    for line in book.standings(wanted.as_of_round):
        yield standing_row(line, as_of_round)


def standing_row(line: Standing, as_of_round: int | None) -> Row:
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
    }
    for figure in (
        "rounds_played", "hands_played", "hands_won", "points_for", "points_against", "difference", "points_caught",
        "adjustments", "total",
    ):  # fmt: skip
        row[figure] = getattr(line, figure)
    row.update(zip(TIE_BREAK_COLUMNS, line.tie_breaks, strict=False))
    return row


def _seats(tournament: Tournament, wanted: Wanted) -> Iterator[tuple[Seat, Seat | None]]:
    """Every seat of the rounds that may be shown, with the partner's; byes after the tables of their round."""
    rounds = tournament.rounds.living() if wanted.everything else tournament.rounds.shown()
    if wanted.as_of_round is not None:
        rounds = rounds.filter(number__lte=wanted.as_of_round)
    if wanted.round is not None:
        rounds = rounds.filter(number=wanted.round)
    found = Seat.objects.filter(round__in=rounds)
    if wanted.table is not None:
        found = found.filter(table__number=wanted.table)
    seats = list(found.select_related("round__stage", "table", "entry__player", "substitute"))
    seats.sort(
        key=lambda seat: (
            seat.round.number,
            seat.table is None,
            seat.table.number if seat.table else 0,
            seat.number or 0,
            seat.entry.number,
        )
    )
    at: dict[tuple[int | None, int | None], Seat] = {
        (seat.table_id, seat.number): seat for seat in seats if seat.table_id is not None
    }
    for seat in seats:
        if wanted.player_id not in (None, seat.entry.public_id):
            continue
        partners = seat.round.stage.has_partners and seat.number is not None
        yield seat, at.get((seat.table_id, (seat.number + 2) % 4)) if partners and seat.number is not None else None


def _seat_row(seat: Seat, partner: Seat | None) -> Row:
    return {
        "round": seat.round.number,
        "table": seat.table.number if seat.table else "bye",
        "seat": seat.number,
        "round_state": seat.round.state,
        "player_id": seat.entry.public_id,
        "player": seat.entry.player.name,
        "partner_id": partner.entry.public_id if partner else None,
        "partner": partner.entry.player.name if partner else None,
    }


def seating_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    for seat, partner in _seats(tournament, wanted):
        yield _seat_row(seat, partner)


def sitting_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    """The rows of the seating as people read them: of a team who sits there, with the name of the `team` beside it."""
    for seat, partner in _seats(tournament, wanted):
        row = _seat_row(seat, partner) | {"team": ""}
        if seat.round.stage.has_teams and seat.table_id is not None:
            row |= {"team": row["player"], "player": _sits(seat), "partner": _sits(partner) if partner else None}
        yield row


def _sits(seat: Seat) -> str:
    person: str = (seat.substitute or seat.entry.player).name
    return person


def rounds_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    """A row for each player, or team, and round: the round's own figures, and the rank after it."""
    book = ledger.read(tournament)
    figures = round_figures(book)
    ranks = book.ranks_by_round({score.round for score in book.scores})
    for seat, partner in _seats(tournament, wanted):
        if book.stage.has_teams:
            if (seat.number or 0) >= teams.AT_TABLE:
                continue
            partner = None
        number, player = seat.round.number, seat.entry.public_id
        yield {**_seat_row(seat, partner), **figures[number, player], "rank": ranks.get(number, {}).get(player)}


def round_figures(book: ledger.Ledger) -> dict[tuple[int, str], Row]:
    """What each player made in each round, by (round, player_id); zeros for who has not played in it."""
    figures: dict[tuple[int, str], Row] = defaultdict(
        lambda: {
            "hands_played": 0,
            "hands_won": 0,
            "points_for": 0,
            "points_against": 0,
            "points_caught": 0,
            "adjustments": 0,
            "total": 0,
        }
    )
    winners = book.winners()
    for score in book.counted:
        row = figures[score.round, score.entry]
        row["hands_played"] += 1
        row["hands_won"] += score.entry in winners[score.table, score.hand]
        row["points_for"] += score.points_for
        row["points_against"] += score.points_against
        row["points_caught"] += score.points_left or 0
        row["total"] += score.score
    for adjustment in book.adjustments:
        if adjustment.round is not None:
            row = figures[adjustment.round, adjustment.entry]
            row["adjustments"] += adjustment.points
            row["total"] += adjustment.points
    return figures


def hands_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    """A row for each seat and hand. Voided hands only when everything is asked for."""
    scores = HandScore.objects.filter(table__round__tournament=tournament)
    if not wanted.everything:
        scores = scores.living()
    if wanted.as_of_round is not None:
        scores = scores.filter(table__round__number__lte=wanted.as_of_round)
    if wanted.round is not None:
        scores = scores.filter(table__round__number=wanted.round)
    if wanted.table is not None:
        scores = scores.filter(table__number=wanted.table)
    if wanted.player_id is not None:
        scores = scores.filter(entry__public_id=wanted.player_id)
    scores = scores.select_related("table__round", "entry__player", "partner__player", "played_by")
    for score in scores.order_by("table__round__number", "table__number", "hand", "recorded_at", "seat", "id"):
        yield {
            "round": score.table.round.number,
            "table": score.table.number,
            "table_id": score.table_id,
            "hand": score.hand,
            "seat": score.seat,
            "player_id": score.entry.public_id,
            "player": score.entry.player.name,
            "partner_id": score.partner.public_id if score.partner else None,
            "partner": score.partner.player.name if score.partner else None,
            "played_by": score.played_by.name if score.played_by else None,
            "went_out": score.went_out,
            "cards_left": score.cards_left,
            "points_left": score.points_left,
            "score": score.score,
            "source": score.source,
            "recorded_at": score.recorded_at,
            "counted_at": _exactly(score.counted_at),
            "voided_at": score.voided_at,
        }


def adjustments_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    adjustments = Adjustment.objects.filter(entry__tournament=tournament)
    if not wanted.everything:
        adjustments = adjustments.filter(voided_at=None)
    if wanted.as_of_round is not None:
        adjustments = adjustments.exclude(round__number__gt=wanted.as_of_round)
    for made in adjustments.select_related("round", "entry__player").order_by("recorded_at", "id"):
        yield {
            "id": made.pk,
            "round": made.round.number if made.round else None,
            "player_id": made.entry.public_id,
            "player": made.entry.player.name,
            "kind": made.kind,
            "points": made.points,
            "reason": made.reason,
            "recorded_at": made.recorded_at,
            "counted_at": _exactly(made.recorded_at),
            "voided_at": made.voided_at,
        }


def _exactly(counted_at: datetime) -> str:
    """What puts hands, adjustments and events of a round in one order, which seconds do not."""
    return csv.moment(counted_at, "microseconds")


def events_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    """Who came late, left, came again. Why is for organisers alone; so is, as everywhere, what was taken back."""
    events = EntryEvent.objects.filter(entry__tournament=tournament)
    if not wanted.everything:
        events = events.living()
    if wanted.as_of_round is not None:
        events = events.exclude(round__number__gt=wanted.as_of_round)
    found = list(events.select_related("round", "entry__player").order_by("at", "id"))
    hands = _hands_of_leaving(ledger.read(tournament).race, found, wanted.as_of_round)
    for made in found:
        yield {
            "round": made.round.number if made.round else None,
            "hand": hands.get(made.pk),
            "player_id": made.entry.public_id,
            "player": made.entry.player.name,
            "kind": made.kind,
            "reason": made.reason if wanted.everything else "",
            "recorded_at": made.at,
            "counted_at": _exactly(made.at),
            "voided_at": made.voided_at,
        }


def _hands_of_leaving(
    race: RaceLedger | None, events: Sequence[EntryEvent], as_of_round: int | None
) -> dict[int, int | None]:
    """{event: the last hand its player played in that round}, for who has dropped out of a race by it."""
    lines = race.state_at(as_of_round).lines if race else {}
    last_drop = {made.entry.public_id: made.pk for made in events if made.kind in DROPS and made.voided_at is None}
    return {
        last_drop[line.entry]: line.left.hand or None
        for line in lines.values()
        if line.status == DROPPED and line.left and line.entry in last_drop
    }


def race_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    """A row for each player and hand that counted for them, in the order of what happened. None without a race."""
    book = ledger.read(tournament)
    if book.race is None:
        return
    names = {entrant.id: entrant.name for entrant in book.entrants}
    state = book.race.state_at(wanted.as_of_round)
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
        }


def roster_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    """Names and clubs; with everything (for organisers alone) e-mail and birthday (month and day) too.

    Of a team its members, the captain first.
    """
    on_the_list = tournament.entries.exclude(status=Entry.Status.STANDIN)
    entries = list(on_the_list.select_related("player").order_by("number", "id"))
    members = members_of(entries) if tournament.stages.get().has_teams else {}
    for entry in entries:
        team = entry.player.name if entry.pk in members else None
        for person in [one.player for one in members[entry.pk]] if team else [entry.player]:
            birthday = person.birthday
            yield {
                "name": person.name,
                "club": person.club_name or (entry.player.club_name if team else ""),
                "email": person.email if wanted.everything else None,
                "birthday": f"{birthday[0]:02}-{birthday[1]:02}" if birthday and wanted.everything else None,
                "team": team,
            }


def members_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    yield from member_rows(tournament, wanted.as_of_round)


def fairness_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    """A row for each player and each other: in how many rounds they were seated as partners and as opponents."""
    people = [
        (entry.public_id, entry.player.name)
        for entry in tournament.entries.select_related("player").order_by("number", "id")
    ]
    met = fairness.count_meetings(seating_rows(tournament, wanted))
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


def _who(made: LogEntry) -> str | None:
    """In English: a file is the same whoever asks for it."""
    with override("en"):
        return made.who or None


def log_rows(tournament: Tournament, wanted: Wanted) -> Iterator[Row]:
    """The audit log, the latest first. For organisers alone: it has reasons, accounts and what was typed wrong."""
    for made in found(tournament, wanted.log):
        yield {
            "at": made.at,
            "by": _who(made),
            "action": made.action,
            "round": made.round,
            "table": made.table,
            "hand": made.hand,
            "old": _as_text(made.old),
            "new": _as_text(made.new),
            "reason": made.reason,
            "number": made.number,
            "hash": made.hash,
        }


def _as_text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)


EXPORTS: dict[str, Export] = {
    "standings": Export(
        (
            "rank", "tied", "player_id", "player", "club", "status", "rounds_played", "hands_played", "hands_won",
            "points_for", "points_against", "difference", "points_caught", "adjustments", "total", *TIE_BREAK_COLUMNS,
            "decided_by", "as_of_round", "best_partner", "out_in_round", "out_in_hand",
        ),
        standings_rows,
    ),
    "seating": Export(
        ("round", "table", "seat", "player_id", "player", "partner_id", "partner"),
        seating_rows,
    ),
    "rounds": Export(
        (
            "round", "table", "seat", "player_id", "player", "partner_id", "partner", "hands_played", "hands_won",
            "points_for", "points_against", "points_caught", "adjustments", "total", "rank",
        ),
        rounds_rows,
    ),
    "hands": Export(
        (
            "round", "table", "hand", "seat", "player_id", "player", "partner_id", "partner", "played_by", "went_out",
            "cards_left", "points_left", "score", "source", "recorded_at", "counted_at",
        ),
        hands_rows,
    ),
    "adjustments": Export(
        ("round", "player_id", "player", "kind", "points", "reason", "recorded_at", "counted_at"),
        adjustments_rows,
    ),
    "events": Export(
        ("round", "hand", "player_id", "player", "kind", "reason", "recorded_at", "counted_at"),
        events_rows,
    ),
    "race": Export(
        ("player_id", "player", "round", "table", "hand", "caught", "total", "out", "place"),
        race_rows,
    ),
    "members": Export(MEMBERS, members_rows),
    "players": Export(("name", "club", "email", "birthday", "team"), roster_rows),
    "fairness": Export(("player_id", "player", "other_id", "other", "partnered", "opposed"), fairness_rows),
    "log": Export(("at", "by", "action", "round", "table", "hand", "old", "new", "reason", "number", "hash"), log_rows),
}  # fmt: skip
