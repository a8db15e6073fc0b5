"""Reading the ledger: from the database to the rows that league/standings.py ranks, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.db.models import Count, Subquery
from django.db.models.functions import Coalesce

from league.models import Adjustment, HandScore, Round, Snapshot, Stage, Tournament
from league.standings import AdjustmentRow, Entrant, Ranking, Score, Standing, played_by_entry
from league.tie_breaks import Played


@dataclass(frozen=True)
class Ledger:
    """All that standings are made of.

    `rounds` are the living rounds that were published, ascending; `planned` counts the drafts as well. `scores` are in
    no order.
    """

    tournament: Tournament
    stage: Stage
    rounds: tuple[Round, ...]
    planned: int
    entrants: tuple[Entrant, ...]
    scores: tuple[Score, ...]
    adjustments: tuple[AdjustmentRow, ...]

    @cached_property
    def last_round(self) -> int | None:
        """The latest round that has a result, or None."""
        return max((score.round for score in self.scores), default=None)

    @cached_property
    def played(self) -> dict[str, list[Played]]:
        return played_by_entry(self.scores)

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
    """Who plays. `log` and `frozen` are the tournament's, the same in every row: see `entry_rows`."""

    pk: int
    id: str
    name: str
    club: str
    status: str
    number: int
    log: str | None
    frozen: int


def entry_rows(tournament: Tournament) -> tuple[EntryRow, ...]:
    """In the order of the draw; other rows after every change of what the page of the standings shows.

    That is why they have `log`, the hash at the end of the log: every change is logged in its own transaction and makes
    another hash. Without a row in this log come only frozen standings, which are counted in `frozen`, and the new names
    of people who were renamed in another tournament, which are here. Two figures beside the names cost no query.
    """
    frozen = Snapshot.objects.filter(round__tournament=tournament).order_by().values("round__tournament")
    rows = tournament.entries.order_by("number", "id").values_list(
        "pk", "public_id", "player__name", "player__club_name", "status", "number", "tournament__log_head__hash",
        Coalesce(Subquery(frozen.annotate(count=Count("pk")).values("count")), 0),
    )  # fmt: skip
    return tuple(EntryRow(*row) for row in rows)


def read(tournament: Tournament, entries: Sequence[EntryRow] | None = None) -> Ledger:
    """Four queries, whatever the size; one less with the `entry_rows`, one more before the first round is drawn."""
    rounds = list(tournament.rounds.living().select_related("stage").order_by("number"))
    entries = entry_rows(tournament) if entries is None else entries
    ids: dict[int | None, str] = {entry.pk: entry.id for entry in entries}
    rows = (
        HandScore.objects.living()
        .filter(table__round__tournament=tournament)
        .values_list(
            "table_id", "table__round__number", "hand", "seat", "entry_id", "partner_id", "went_out", "points_left",
            "points_for", "points_against", "score",
        )
    )  # fmt: skip
    scores = tuple(
        Score(table, number, hand, seat, ids[entry], ids.get(partner), out, left, won, lost, score)
        for table, number, hand, seat, entry, partner, out, left, won, lost, score in rows
    )
    adjusted = Adjustment.objects.filter(entry__tournament=tournament, voided_at=None).values_list(
        "entry_id", "round__number", "points"
    )
    return Ledger(
        tournament=tournament,
        stage=rounds[0].stage if rounds else tournament.stages.get(),
        rounds=tuple(one for one in rounds if one.state != Round.State.DRAFT),
        planned=len(rounds),
        entrants=tuple(Entrant(*entry[1:6]) for entry in entries),
        scores=scores,
        adjustments=tuple(AdjustmentRow(ids[entry], number, points) for entry, number, points in adjusted),
    )
