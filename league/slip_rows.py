"""The score slips of a round: who sits at each table, which hands are to come, who deals."""

from collections import defaultdict
from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.dealing import next_dealer
from league.exports import Row
from league.formats import pairs
from league.models import HandScore, Round, Table
from league.print_source import NothingToPrint, Source
from league.prints import Print
from league.prints.on_paper import worth_in_a_sentence
from league.prints.seating import sides
from league.prints.slips import FOUR, Slip, Slips, spread
from league.race_ledger import RaceLedger
from league.words import round_title

OPEN_SLIP = 8  # hands that there is room for where a round has no number of them


def slips(of: Source) -> list[Print]:
    one = of.round_asked_for()
    seating, ids = of.seating(one), of.table_ids[one.number]
    done: dict[int, set[int]] = defaultdict(set)
    for table, hand in HandScore.objects.living().filter(table__round=one).values_list("table_id", "hand").distinct():
        done[table].add(hand)
    if of.book.race is not None:
        tables = Table.objects.select_related("round__stage", "round__tournament").in_bulk(list(ids.values()))
        made = [
            slip
            for number, seats in seating.tables.items()
            for slip in _of_race(of, one, tables[ids[number]], seats, done[ids[number]], of.book.race)
        ]
    else:
        made = [
            _slip(of, one, number, seats, hands, ids[number], done[ids[number]])
            for number, seats in seating.tables.items()
            for hands in spread(of.stage.hands_per_round or OPEN_SLIP)
        ]
    if not made:
        raise NothingToPrint(_("This round has no tables."))
    return [Slips(made)]


def _slip(
    of: Source, one: Round, number: int, seats: Sequence[Row], hands: Sequence[int], table_id: int, done: set[int]
) -> Slip:
    return Slip(
        tournament=of.head().tournament,
        table=number,
        round=round_title(one.number, of.seating(one).of),
        players=[row["player"] for row in seats],
        sides=sides(seats),
        hands=hands,
        worth=worth_in_a_sentence(of.worths),
        address=of.address_of(table_id),
        done=frozenset(done),
        deals=(hands[0], seats[pairs.dealer_seat(hands[0])]["player"]),
    )


def _of_race(
    of: Source, one: Round, table: Table, seats: Sequence[Row], done: set[int], race: RaceLedger
) -> list[Slip]:
    """A line for everybody who is still in, none for a table that is over, as far as the round is not closed."""
    state = race.state
    if one.state != Round.State.CLOSED:
        seats = [row for row in seats if row["player_id"] in state.still_in]
        if len(seats) < 2:
            return []
    following = max(done, default=0) + 1
    # The last two may have played more hands than there is room for: then only those to come are on it.
    before = following - 1 if table.hands_wanted is None else 0
    dealer = next_dealer(table, following, race)
    deals = next((row["player"] for row in seats if row["seat"] == dealer), "")
    made = []
    for hands in spread(table.hands_wanted or OPEN_SLIP):
        numbers = [hand + before for hand in hands]
        made.append(
            Slip(
                tournament=of.head().tournament,
                table=table.number,
                round=round_title(one.number, None),
                players=[row["player"] for row in seats],
                sides=[],
                hands=numbers,
                worth=worth_in_a_sentence(of.worths),
                address=of.address_of(table.pk),
                done=frozenset(done),
                deals=(following, deals) if deals and following in numbers else None,
                totals=[state.lines[row["player_id"]].total for row in seats if row["player_id"] in state.lines],
                target=race.settings.target,
            )
        )
    return made


def empty_slips(of: Source) -> list[Print]:
    seats = of.stage.table_size
    worth = worth_in_a_sentence(of.worths)
    target = None if of.stage.has_partners else of.stage.target
    made = [
        Slip(of.head().tournament, None, _("Round ____"), [""] * seats, [], hands, worth, target=target)
        for hands in spread(of.stage.hands_per_round or OPEN_SLIP)
    ]
    return [Slips(made * max(1, FOUR // len(made)))]
