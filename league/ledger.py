"""Reading the ledger: from the database to the rows that league/standings.py ranks, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.db.models import QuerySet

from league.models import Adjustment, Entry, HandScore, Round, Stage, Tournament
from league.standings import AdjustmentRow, Entrant, Ranking, Score, ScoreRow, Standing, played_by_entry
from league.tie_breaks import Played


@dataclass(frozen=True)
class Ledger:
    """All that standings are made of.

    `rounds` are the living rounds that were published, ascending; `planned` counts the drafts as well. `rows` are the
    columns of `scores`, in no order.
    """

    tournament: Tournament
    stage: Stage
    rounds: tuple[Round, ...]
    planned: int
    entrants: tuple[Entrant, ...]
    rows: tuple[ScoreRow, ...]
    adjustments: tuple[AdjustmentRow, ...]

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        return tuple(map(Score._make, self.rows))

    @cached_property
    def played(self) -> dict[str, list[Played]]:
        return played_by_entry(self.rows)

    @cached_property
    def last_round(self) -> int | None:
        """The latest round that has a result, or None."""
        return max((spells[-1].round for spells in self.played.values()), default=None)

    def winners(self) -> dict[tuple[int, int], set[str]]:
        """{(table id, hand): the entries of the side that went out}."""
        winners: dict[tuple[int, int], set[str]] = defaultdict(set)
        for score in self.scores:
            if score.went_out:
                winners[score.table, score.hand] |= {score.entry, score.partner or score.entry}
        return winners

    def standings(self, as_of_round: int | None = None) -> list[Standing]:
        """Living results up to and including a round (None: all of them)."""
        return self._ranking(as_of_round).lines()

    def ranks_by_round(self, rounds: Iterable[int]) -> dict[int, dict[str, int | None]]:
        """{round: {player_id: rank as of that round}}."""
        return {number: self._ranking(number).ranks() for number in rounds}

    def _ranking(self, as_of_round: int | None) -> Ranking:
        return Ranking(
            by_id={entrant.id: entrant for entrant in self.entrants},
            played=self.played,
            adjustments=self.adjustments,
            tie_breaks=tuple(self.stage.tie_breaks),
            lot_seed=self.stage.lot_seed,
            lowest_wins=self.stage.scoring != "winner-takes",
            as_of_round=as_of_round,
        )


class EntryRow(NamedTuple):
    """Who plays. `visibility`, `log` and `version` are the tournament's, the same in every row: see `entry_rows`."""

    id: str
    name: str
    club: str
    status: str
    number: int
    visibility: str
    log: str | None
    version: int | None


def entry_rows(entries: QuerySet[Entry]) -> tuple[EntryRow, ...]:
    """Those of one tournament, in the order of the draw; other rows after every change of what its standings show.

    That is why they have `log`, the hash at the end of the log, and `version`, its number: every change is logged in
    its own transaction and makes another hash. Whose names are shown and who may look at all does not hang on that
    alone: a person may be renamed in another tournament, and a page must not outlive its being made private.
    """
    rows = entries.order_by("number", "id").values_list(
        "public_id", "player__name", "player__club_name", "status", "number", "tournament__visibility",
        "tournament__log_head__hash", "tournament__log_head__number",
    )  # fmt: skip
    return tuple(EntryRow(*row) for row in rows)


def read(tournament: Tournament, entries: Sequence[EntryRow] | None = None) -> Ledger:
    """Four queries, whatever the size; one less with the `entry_rows`, one more before the first round is drawn."""
    rounds = list(tournament.rounds.living().select_related("stage").order_by("number"))
    entries = entry_rows(tournament.entries.all()) if entries is None else entries
    rows = (
        HandScore.objects.living()
        .filter(table__round__tournament=tournament)
        .values_list(
            "table_id", "table__round__number", "hand", "seat", "entry__public_id", "partner__public_id", "went_out",
            "points_left", "points_for", "points_against", "score",
        )
    )  # fmt: skip
    adjusted = Adjustment.objects.filter(entry__tournament=tournament, voided_at=None).values_list(
        "entry__public_id", "round__number", "points"
    )
    return Ledger(
        tournament=tournament,
        stage=rounds[0].stage if rounds else tournament.stages.get(),
        rounds=tuple(one for one in rounds if one.state != Round.State.DRAFT),
        planned=len(rounds),
        entrants=tuple(Entrant(*entry[:5]) for entry in entries),
        rows=tuple(rows),
        adjustments=tuple(AdjustmentRow(*row) for row in adjusted),
    )
