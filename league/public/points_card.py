"""A player's evening in a points race, hand by hand: what each brought, and the total after each round."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

from league.models import Round
from league.public.race_card import Catch, Line
from league.standings.ranking import Standing
from league.standings.read import Ledger


def lines(
    book: Ledger,
    standing: Standing,
    seats: Sequence[Mapping[str, Any]],
    others: Mapping[int, Sequence[str]],
    disputed: Container[tuple[int, int]] = (),
) -> list[Line]:
    """A line for each of the player's seats, in the order given, with what the scoring makes of each hand.

    others: by round, who sat there too. disputed: (table's key, hand).
    """
    player_id = standing.entrant.id
    own = sorted((one for one in book.scores if one.entry == player_id), key=lambda one: (one.round, one.hand))
    counted = {(one.table, one.hand) for one in book.counted if one.entry == player_id}
    carried = standing.total - sum(standing.by_round.values())
    made = []
    for seat in seats:
        number = seat["round"]
        catches = tuple(
            Catch(
                hand=one.hand,
                points=one.score,
                won=one.went_out,
                out=False,
                counts=(one.table, one.hand) in counted,
                disputed=(one.table, one.hand) in disputed,
            )
            for one in own
            if one.round == number
        )
        upto = sum(points for played, points in standing.by_round.items() if played <= number)
        made.append(
            Line(
                seat=seat,
                others=tuple(others.get(number, ())),
                catches=catches,
                caught=sum(one.points for one in catches if one.counts),
                total=carried + upto if catches else None,
                open=seat["round_state"] in (Round.State.PUBLISHED, Round.State.RUNNING),
            )
        )
    return made
