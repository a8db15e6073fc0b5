"""Reading the ledger: from the database to the rows that league/standings.py ranks, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from league.models import Adjustment, HandScore, Round, Stage, Tournament
from league.standings import AdjustmentRow, Entrant, Score, Standing, hands_by_entry, standings_of_hands
from league.tie_breaks import Played


@dataclass(frozen=True)
class Ledger:
    """All that standings are made of. `rounds` are the living rounds that were published, ascending."""

    tournament: Tournament
    stage: Stage
    rounds: tuple[Round, ...]
    entrants: tuple[Entrant, ...]
    scores: tuple[Score, ...]
    adjustments: tuple[AdjustmentRow, ...]

    @property
    def last_round(self) -> int | None:
        """The latest round that has a result, or None."""
        return max((score.round for score in self.scores), default=None)

    @cached_property
    def hands(self) -> dict[str, list[Played]]:
        return hands_by_entry(self.scores)

    def winners(self) -> dict[tuple[int, int], set[str]]:
        """{(table id, hand): the entries of the side that went out}."""
        winners: dict[tuple[int, int], set[str]] = defaultdict(set)
        for score in self.scores:
            if score.went_out:
                winners[score.table, score.hand] |= {score.entry, score.partner or score.entry}
        return winners

    def standings(self, as_of_round: int | None = None) -> list[Standing]:
        """Living results up to and including a round (None: all of them)."""
        return standings_of_hands(
            entrants=self.entrants,
            hands=self.hands,
            adjustments=self.adjustments,
            tie_breaks=tuple(self.stage.tie_breaks),
            lot_seed=self.stage.lot_seed,
            lowest_wins=self.stage.scoring != "winner-takes",
            as_of_round=as_of_round,
        )

    def ranks_by_round(self, rounds: Iterable[int]) -> dict[int, dict[str, int | None]]:
        """{round: {player_id: rank as of that round}}."""
        return {number: {line.entrant.id: line.rank for line in self.standings(number)} for number in rounds}


def read(tournament: Tournament) -> Ledger:
    """Five queries, whatever the size."""
    entries = tournament.entries.select_related("player").order_by("number", "id")
    ids = {entry.pk: entry.public_id for entry in entries}
    rows = (
        HandScore.objects.living()
        .filter(table__round__tournament=tournament)
        .order_by("table__round__number", "table__number", "hand", "seat")
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
        stage=tournament.stages.get(),
        rounds=tuple(tournament.rounds.shown()),
        entrants=tuple(
            Entrant(entry.public_id, entry.player.name, entry.player.club_name, entry.status, entry.number)
            for entry in entries
        ),
        scores=scores,
        adjustments=tuple(AdjustmentRow(ids[entry], number, points) for entry, number, points in adjusted),
    )
