"""Freeze the standings when a round closes, separate from the live standings.

A row has numbers and the player's id. The name is looked up on display, so an erased person disappears here too.
"""

from collections.abc import Iterator

from django.utils import timezone

from league.lib.csv import Row
from league.log import chain
from league.log.write import note
from league.models import Round, Snapshot, Tournament
from league.public.tables import EXPORTS, standing_row
from league.standings import read as ledger

COLUMNS = (*EXPORTS["standings"].header, "revision", "published_at", "log_hash")
NAMES = ("player", "club")
CONTENT = ("rows", "rules")  # not needed for a link


def freeze(played: Round) -> Snapshot | None:
    """Record the standings as of a closed round. Return None if the last record of the round is identical.

    The caller holds the tournament's lock; a unique constraint backs it up. A log row has the record's digest, and the
    record has that row's hash, so the log can't be cut off before it.
    """
    book = ledger.read(played.tournament, stage=played.stage)
    rows = [
        {
            column: value
            for column, value in standing_row(line, played.number, played.stage).items()
            if column not in NAMES
        }
        for line in book.standings(played.number)
    ]
    last = played.snapshots.order_by("-revision").first()
    if last is not None and last.rows == _as_in(last.rows, rows):
        return None
    stage = book.stage
    revision = last.revision + 1 if last else 1
    rules = {
        "format": stage.format,
        "edition": stage.edition,
        "scoring": stage.scoring,
        **stage.values,
        "tie_breaks": stage.tie_breaks,
        "lot_seed": stage.lot_seed,
    }
    row = note(
        tournament=played.tournament,
        by=None,
        action="snapshot",
        round_number=played.number,
        new={"revision": revision, "sha256": chain.record_digest(rules, rows)},
    )
    return Snapshot.objects.create(
        round=played,
        revision=revision,
        taken_at=timezone.now(),
        rules=rules,
        rows=rows,
        log_number=row.number,
        log_hash=row.hash,
    )


def _as_in(record: list[Row], rows: list[Row]) -> list[Row]:
    """Return rows with only the record's columns: later columns are no change."""
    columns = record[0] if record else {}
    return [{column: row[column] for column in row if column in columns} for row in rows]


def record_of(tournament: Tournament, number: int | None) -> Snapshot | None:
    """Return the last record of a round by number; None: of the latest recorded round."""
    records = Snapshot.objects.filter(round__tournament=tournament).exclude(round__state=Round.State.VOID)
    if number is not None:
        records = records.filter(round__number=number)
    return records.order_by("-round__number", "-revision").select_related("round").defer(*CONTENT).first()


def last_record(played: Round) -> Snapshot | None:
    """Return the last record of a round, for a link to it."""
    return played.snapshots.order_by("-revision").defer(*CONTENT).first()


def rows_of(snapshot: Snapshot) -> Iterator[Row]:
    """Yield the frozen rows with current names."""
    entries = {entry.public_id: entry for entry in snapshot.round.tournament.entries.select_related("player")}
    for row in snapshot.rows:
        entry = entries.get(row["player_id"])
        yield row | {
            "player": entry.name if entry else None,
            "club": entry.player.club_name if entry else None,
            "revision": snapshot.revision,
            "published_at": snapshot.taken_at,
            "log_hash": snapshot.log_hash or None,
        }
