"""The field: who plays on, where each round is drawn when the one before is closed."""

from dataclasses import dataclass

from league.ledger.entered import entries_in, members_in
from league.ledger.heats import read_heats
from league.ledger.progress import FEWEST_AT_A_TABLE
from league.ledger.race import RaceLedger, read_race
from league.models import Entry, Stage, Tournament


@dataclass(frozen=True)
class Field:
    """players: those who are in, in the order of the list. another_round: whether one is still to be drawn for them.

    race: in a Challenge UNO, where it says who is in. seeded: the players are in the order in which the round before
    or the cut has placed them; `beside` are those of them who play a second ladder. groups: where there are several.
    """

    players: tuple[str, ...]
    another_round: bool
    race: RaceLedger | None = None
    seeded: bool = False
    beside: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()

    @property
    def plays_on(self) -> bool:
        """Whether there are enough to be seated."""
        return self.race.state.goes_on if self.race else len(self.players) >= FEWEST_AT_A_TABLE


def field_of(tournament: Tournament, stage: Stage) -> Field:
    """Four queries for a Challenge UNO, five for heats, else two."""
    if stage.eliminates:
        race = read_race(tournament, stage)
        return Field(race.state.still_in, race.state.goes_on, race)
    if stage.plays.advances:
        heats = read_heats(tournament, stage)
        state = heats.state
        players = (*state.still_in, *state.beside) if state.winner is None else state.beside
        seeded = bool(heats.rounds) or stage.takes is not None
        return Field(players, state.another_round, seeded=seeded, beside=state.beside)
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
    rounds = stage.plays.rounds(stage.values, len(players))
    return Field(players, (rounds is None or drawn < rounds) and len(players) >= FEWEST_AT_A_TABLE, groups=groups)
