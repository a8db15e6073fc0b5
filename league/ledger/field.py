"""The field: the current players, for formats that draw each round after the one before."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from league.ledger.entered import entries_in, members_in
from league.ledger.progress import FEWEST_AT_A_TABLE
from league.ledger.progression import read_progression
from league.ledger.race import RaceLedger, read_race
from league.models import Entry, Stage, Tournament


@dataclass(frozen=True)
class Field:
    """The field of the next round. `players` are in order of the list; `another_round`: a round is left to draw.

    `race` is set for a Challenge UNO. `seeded`: players are in the order of the round before or the cut, and
    `second_ladder` are those on the second ladder. `groups` if there are several. `rounds`: number in all, if chosen or
    known from the players. `pairs`, `lost` and `waiting` as in `State`; `waiting` players have a bye.
    """

    players: tuple[str, ...]
    another_round: bool
    race: RaceLedger | None = None
    seeded: bool = False
    second_ladder: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    rounds: int | None = None
    pairs: tuple[tuple[str, ...], ...] = ()
    lost: Collection[str] = ()
    waiting: Collection[str] = ()

    @property
    def plays_on(self) -> bool:
        """Return whether there are enough players for a round."""
        if self.race:
            return self.race.state.has_more
        return any(len(group) >= FEWEST_AT_A_TABLE for group in self.groups or (self.players,))


def field_of(tournament: Tournament, stage: Stage) -> Field:
    """Return the field. Four queries for a Challenge UNO, six if only some players advance, otherwise two, or four if
    the number of players decides the length."""
    if stage.eliminates:
        race = read_race(tournament, stage)
        return Field(race.state.still_in, race.state.has_more, race)
    if stage.plays.advances:
        progression = read_progression(tournament, stage)
        state = progression.state
        players = (*state.still_in, *state.second_ladder) if not state.winners else state.second_ladder
        seeded = bool(progression.rounds) or stage.takes is not None
        return Field(
            players,
            state.another_round,
            seeded=seeded,
            second_ladder=state.second_ladder,
            pairs=state.pairs,
            lost=state.lost,
            waiting=state.waiting,
        )
    members = members_in(stage)
    active = entries_in(stage).filter(status=Entry.Status.ACTIVE)
    players = tuple(active.values_list("public_id", flat=True))
    groups = (
        tuple(
            tuple(player for player in players if members[player].group == group)
            for group in range(1, stage.groups + 1)
        )
        if members and stage.groups > 1
        else ()
    )
    drawn = stage.rounds.living().count()
    rounds = rounds_planned(stage, len(players))
    field = Field(players, rounds is None or drawn < rounds, rounds=rounds, groups=groups)
    return field if field.plays_on else replace(field, another_round=False)


def draws_another(tournament: Tournament, stage: Stage) -> bool:
    """Return whether another round of the stage is left to draw."""
    return not stage.drawn_ahead and field_of(tournament, stage).another_round


def rounds_planned(stage: Stage, players: int = 0) -> int | None:
    """Return the number of rounds of a stage; None if unknown. `players` is the number of current players.

    If it depends on the players, those of the first round count, so that a drop-out doesn't change it. With groups, the
    largest one counts.
    """
    if stage.plays.rounds_by_players and stage.values.get("rounds") is None:
        first = stage.rounds.shown().order_by("number").first()
        players = first.seats.filter(member=0).count() if first is not None else players
    return stage.plays.rounds(stage.values, -(-players // stage.groups))
