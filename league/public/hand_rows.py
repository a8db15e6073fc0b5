"""Group a round's rows of hands.csv by table and hand, for public pages."""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from league.formats import teams
from league.formats.race import State, Step
from league.hooks import disputed_hands
from league.ledger.progress import game_with, race_of, values_of_round
from league.ledger.race import RaceLedger
from league.lib.csv import Row
from league.models import HandScore, Round, Table
from league.public import tables as exports
from league.public.pictures.table_plan import DrawnTable, tables_drawn
from league.public.tables import Wanted
from league.standings.team_members import rows_with_players


class PublicHand(TypedDict):
    """A hand, with the row of its `winner` and the rows `left` of players who still held cards.

    `points`: points of the winner. `gone`: ids of players eliminated by this hand. `for_nobody`: the hand doesn't
    count. `verified`: played online. `disputed`: has an open objection.
    """

    table: int
    hand: int
    winner: Row | None
    left: list[Row]
    points: int
    gone: list[str]
    for_nobody: bool
    source: str
    verified: bool
    recorded_at: datetime
    voided_at: datetime | None
    disputed: bool


class TableWithHands(DrawnTable):
    """`not_counted`: numbers of hands whose time was up. `sides`: names of players on the same side."""

    id: int
    hands: list[PublicHand]
    not_counted: list[int]
    sides: list[list[str]]


def tables_with_hands(
    chosen: Round, *, everything: bool = False, table: int | None = None, race: RaceLedger | None = None
) -> list[TableWithHands]:
    """Return the tables of a round, or only the table with this number.

    everything: include undone hands. race: the ledger, if already read.
    """
    tournament = chosen.tournament
    selection = Wanted(round=chosen.number, table=table, everything=everything)
    seated = tables_drawn(exports.sitting_rows(tournament, Wanted(round=chosen.number, table=table)))
    rows = list(exports.hands_rows(tournament, selection))
    if chosen.stage.has_teams:
        rows = rows_with_players(rows)
    race = race or race_of(chosen)
    counted = _steps_of_round(race.state, chosen.number) if race else None
    hands_of: dict[int, list[PublicHand]] = {}
    for hand in _hands(rows, counted, _hands_after_game(chosen, rows), disputed_hands(tournament)):
        hands_of.setdefault(hand["table"], []).append(hand)
    tables = {row.number: row for row in Table.objects.filter(round=chosen)}
    return [
        {
            **drawn,
            "id": (table_row := tables[drawn["number"]]).pk,
            "hands": hands_of.get(drawn["number"], []),
            "not_counted": sorted(map(int, table_row.not_counted)),
            "sides": _sides(drawn["seats"]),
        }
        for drawn in seated
    ]


def _sides(seats: Sequence[Row]) -> list[list[str]]:
    if seats and seats[0]["team"]:
        return [[row["team"]] for row in seats[: teams.AT_TABLE]]
    names = [row["player"] for row in seats]
    return [names[0::2], names[1::2]] if seats and seats[0]["partner_id"] else [[name] for name in names]


def _steps_of_round(state: State, number: int | None) -> dict[tuple[int, int, str], Step]:
    """Return the counted steps of a round of a race, by (table, hand, player)."""
    return {(step.table, step.hand, step.entry): step for step in state.race if step.round == number}


def _hands_after_game(chosen: Round, rows: Iterable[Row]) -> set[tuple[int, int]]:
    """Return (table, hand) of hands recorded after the game at their table ended. They don't count."""
    if not chosen.stage.plays.ends_early(values_of_round(chosen)):
        return set()
    scores: dict[int, dict[int, dict[str, int]]] = {}
    for row in rows:
        if row["voided_at"] is None:
            scores.setdefault(row["table"], {}).setdefault(row["hand"], {})[row["player_id"]] = row["score"]
    over = {table: game_with(chosen, hands).over_in for table, hands in scores.items()}
    return {
        (table, hand)
        for table, hands in scores.items()
        for hand in hands
        if (last := over[table]) is not None and hand > last
    }


def _hands(
    rows: Iterable[Row],
    steps: Mapping[tuple[int, int, str], Step] | None = None,
    after_the_game: Container[tuple[int, int]] = (),
    disputed: Container[tuple[int, int]] = (),
) -> list[PublicHand]:
    """Group rows of hands.csv into hands with winner and points. A hand and its correction are two hands.

    steps: counted steps of a race, by (table, hand, player). A hand without a step doesn't count, nor do hands in
    `after_the_game`. disputed: (table id, hand).
    """
    together: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        together.setdefault((row["table"], row["hand"], row["recorded_at"], row["voided_at"]), []).append(row)
    hands: list[PublicHand] = []
    for (table, hand, recorded_at, voided_at), of_hand in together.items():
        winner = next((row for row in of_hand if row["went_out"]), None)
        losers = [row for row in of_hand if row["points_left"] is not None and not row["went_out"]]
        counted = [steps.get((table, hand, row["player_id"])) for row in of_hand] if steps is not None else []
        hands.append(
            {
                "table": table,
                "hand": hand,
                "winner": winner,
                "left": losers,
                "points": winner["score"] if winner else 0,
                "gone": [step.entry for step in counted if step and step.out and voided_at is None],
                "for_nobody": voided_at is None
                and ((steps is not None and not any(counted)) or (table, hand) in after_the_game),
                "source": str(HandScore.Source(of_hand[0]["source"]).label),
                "verified": of_hand[0]["source"] == HandScore.Source.ENGINE and voided_at is None,
                "recorded_at": recorded_at,
                "voided_at": voided_at,
                "disputed": voided_at is None and (of_hand[0]["table_id"], hand) in disputed,
            }
        )
    return hands
