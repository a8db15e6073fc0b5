"""Build the score slips of a round: players, hands to come and dealer of each table."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.formats import pairs
from league.ledger.dealer import is_drawn, next_dealer
from league.ledger.progress import game_at, hands_in, target_of_round
from league.lib.csv import Row
from league.lib.translate import round_title
from league.models import Entry, Round, Table
from league.prints.pdf.document import Print
from league.prints.pdf.on_paper import worth_in_a_sentence
from league.prints.pdf.seating import sides
from league.prints.pdf.slips import FOUR, Slip, Slips, spread
from league.prints.source import NothingToPrint, Source
from league.standings.text import text_of

OPEN_SLIP = 8  # hands on a slip if the round has no fixed number


def slips(of: Source) -> list[Print]:
    chosen = of.requested_round()
    seating, ids = of.seating(chosen), of.table_ids[chosen.number]
    done = {table: set(hands) for table, hands in hands_in(chosen.tables.all()).items()}
    if not (of.stage.has_partners and of.stage.drawn_ahead):
        tables = Table.objects.select_related("round__stage", "round__tournament").in_bulk(list(ids.values()))
        new_slips = [
            slip
            for number, seats in seating.tables.items()
            for slip in _slips_drawn(of, chosen, tables[ids[number]], seats, done[ids[number]])
        ]
    else:
        new_slips = [
            _slip(of, chosen, number, seats, hands, ids[number], done[ids[number]])
            for number, seats in seating.tables.items()
            for hands in spread(of.stage.hands_per_round or OPEN_SLIP, len(seats))
        ]
    if not new_slips:
        raise NothingToPrint(_("This round has no tables."))
    return [Slips(new_slips)]


def _teams(seats: Sequence[Row]) -> list[str]:
    """Return the team names by seat; empty without teams."""
    return [row["team"] for row in seats] if any(row.get("team") for row in seats) else []


def _slip(
    of: Source, chosen: Round, number: int, seats: Sequence[Row], hands: Sequence[int], table_id: int, done: set[int]
) -> Slip:
    return Slip(
        tournament=of.head().tournament,
        table=number,
        round=round_title(chosen.number, of.seating(chosen).of),
        players=[row["player"] for row in seats],
        sides=sides(seats),
        teams=_teams(seats),
        hands=hands,
        worth=worth_in_a_sentence(of.worths),
        address=of.address_of(table_id),
        code=of.code_of(number),
        done=frozenset(done),
        deals=(hands[0], seats[pairs.dealer_seat(hands[0])]["player"]),
    )


def _slips_drawn(of: Source, chosen: Round, table: Table, seats: Sequence[Row], done: set[int]) -> list[Slip]:
    """Return the slips of a table whose schedule doesn't set the dealer. Until the round is closed: lines only for
    active players, and no slip for a finished table.
    """
    race, game = of.book.race, game_at(table)
    if chosen.state != Round.State.CLOSED:
        gone = {entrant.id for entrant in of.book.entrants if entrant.status == Entry.Status.DROPPED}
        still_in = race.state.still_in if race else {row["player_id"] for row in seats} - gone
        seats = [row for row in seats if row["player_id"] in still_in]
        is_over = game is not None and game.over_in is not None
        if is_over or len(seats) < of.stage.plays.fewest_dealt_in:
            return []
    ends_at = target_of_round(chosen)
    totals: dict[str, int] = {}
    if race is not None:
        totals = {player: line.total for player, line in race.state.lines.items()}
    elif game is not None and ends_at is not None and not of.stage.has_partners:
        totals = {row["player_id"]: game.totals.get(row["player_id"], 0) for row in seats}
    following = max(done, default=0) + 1
    # Without a fixed number of hands, the played ones may not fit a slip, so list only those to come.
    before = following - 1 if table.hands_wanted is None else 0
    dealer = next_dealer(table, following, race)
    deals = next((row["player"] for row in seats if row["seat"] == dealer), "")
    new_slips = []
    for hands in spread(table.hands_wanted or OPEN_SLIP, len(seats)):
        numbers = [hand + before for hand in hands]
        new_slips.append(
            Slip(
                tournament=of.head().tournament,
                table=table.number,
                round=round_title(chosen.number, of.seating(chosen).of),
                players=[row["player"] for row in seats],
                sides=sides(seats) if of.stage.has_partners else [],
                teams=_teams(seats),
                hands=numbers,
                worth=worth_in_a_sentence(of.worths),
                address=of.address_of(table.pk),
                code=of.code_of(table.number),
                done=frozenset(done),
                deals=(following, deals) if deals and following in numbers else None,
                draw_first=dealer is None and not done and is_drawn(table),
                totals=[totals[row["player_id"]] for row in seats if row["player_id"] in totals],
                target=text_of(of.book).target,
                ends_at=ends_at,
            )
        )
    return new_slips


def empty_slips(of: Source) -> list[Print]:
    seats = pairs.SEATS if of.stage.has_partners else of.stage.table_size
    worth = worth_in_a_sentence(of.worths)
    target = of.stage.values["target"] if of.stage.eliminates else None
    ends_at = of.stage.plays.game_target(of.stage.values)
    blanks = [
        Slip(
            of.head().tournament,
            None,
            _("Round ____"),
            [""] * seats,
            [],
            hands,
            worth,
            target=target,
            ends_at=ends_at,
        )
        for hands in spread(of.stage.hands_per_round or OPEN_SLIP, seats)
    ]
    return [Slips(blanks * max(1, FOUR // len(blanks)))]
