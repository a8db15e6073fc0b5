"""The standings as they were published when a round closed: frozen rows, a record beside the living standings.

A row has the figures and the player's id; the name is looked up when the record is shown, so that an erased person is
gone from here too.
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
CONTENT = ("rows", "rules")  # a link to the record needs neither


def freeze(played: Round) -> Snapshot | None:
    """Record the standings as of a closed round. None when the last record of the round says the same already.

    The caller holds the tournament's lock; a unique constraint backs it up. A row of the log has the record's digest,
    and the record has the hash of that row, so that nobody can cut the log off before it.
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
    """Rows with the columns that a record has: columns that came later are no change."""
    columns = record[0] if record else {}
    return [{column: row[column] for column in row if column in columns} for row in rows]


def record_of(tournament: Tournament, number: int | None) -> Snapshot | None:
    """The last record of a round, by its number; None: of the last round that has one."""
    records = Snapshot.objects.filter(round__tournament=tournament).exclude(round__state=Round.State.VOID)
    if number is not None:
        records = records.filter(round__number=number)
    return records.order_by("-round__number", "-revision").select_related("round").defer(*CONTENT).first()


def last_record(played: Round) -> Snapshot | None:
    """The last record of a round, for a link to it."""
    return played.snapshots.order_by("-revision").defer(*CONTENT).first()


def rows_of(snapshot: Snapshot) -> Iterator[Row]:
    """The frozen rows with the names that the players have today."""
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
