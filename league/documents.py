"""Which prints there are of a tournament, who may have them, and the rows that go into each.

league/prints/ lays them out. The rows are those of the pages and of the CSV files.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from engine.rules import EDITIONS
from league import editions, exports, ledger
from league.access import Access
from league.exports import Row, Wanted
from league.find_name import fold
from league.formats import pairs
from league.models import Entry, HandScore, Round, Stage, Table
from league.prints import Print, letters
from league.prints.on_paper import OnPaper, worth_in_a_sentence
from league.prints.place_cards import PlaceCards
from league.prints.results import Crosstable, Standings, Totals
from league.prints.seating import AllRounds, ByName, ByTable, Seating, sides
from league.prints.sheet import Head
from league.prints.slips import FOUR, Slip, Slips, spread
from league.roles import Can
from league.templatetags.wild import when
from league.tie_breaks import TIE_BREAKS
from league.tie_words import order_in_words


class NothingToPrint(Exception):
    """There are no rows yet; the text says what is missing."""


@dataclass(frozen=True)
class Source:
    """A tournament as one viewer may print it.

    `chosen` is the round that is asked for, None before the draw; `as_of_round` is that of the standings, None for all
    that is in. `address_of` gives the address that a slip's QR code leads to, from the id of its table; `link_of` a
    player's own link, for who may hand it out.
    """

    access: Access
    chosen: Round | None
    as_of_round: int | None
    address_of: Callable[[int], str]
    link_of: Callable[[Entry], str] | None = None

    @cached_property
    def rounds(self) -> list[Round]:
        return list(self.access.rounds().order_by("number"))

    @cached_property
    def living(self) -> list[Round]:
        return list(self.access.tournament.rounds.living().order_by("number"))

    @cached_property
    def stage(self) -> Stage:
        return self.access.tournament.stages.get()

    @cached_property
    def entries(self) -> list[Entry]:
        return list(self.access.tournament.entries.select_related("player").order_by("number", "id"))

    @cached_property
    def book(self) -> ledger.Ledger:
        return ledger.read(self.access.tournament)

    @cached_property
    def names(self) -> dict[str, str]:
        """{player_id: the name as it is printed}: “Player 7”, as the list of players counts, for want of letters."""
        return {
            entry.public_id: letters.printable(entry.player.name)
            if letters.is_legible(entry.player.name)
            else _("Player %(number)d") % {"number": number}
            for number, entry in enumerate(self.entries, 1)
        }

    @cached_property
    def illegible(self) -> list[tuple[Entry, str]]:
        """Whose name the font has no letters for, and what is printed in its place."""
        return [(one, self.names[one.public_id]) for one in self.entries if not letters.is_legible(one.player.name)]

    @cached_property
    def worths(self) -> list[tuple[str, str]]:
        edition = EDITIONS.get(self.stage.edition)
        return [(kind.name, kind.worth) for kind in editions.kinds(edition)] if edition else []

    @cached_property
    def seat_rows(self) -> dict[int, list[Row]]:
        """The rows of seating.csv by round, with names as they are printed."""
        rounds: dict[int, list[Row]] = defaultdict(list)
        for row in self._seat_rows(None):
            rounds[row["round"]].append(row)
        return rounds

    @cached_property
    def chosen_rows(self) -> list[Row]:
        """Those of the round that is asked for: the whole evening takes 40 times as long to read."""
        return self._seat_rows(self.chosen.number) if self.chosen else []

    def _seat_rows(self, number: int | None) -> list[Row]:
        wanted = Wanted(everything=self.access.sees_drafts, round=number)
        return [self.named(row) for row in exports.seating_rows(self.access.tournament, wanted)]

    @cached_property
    def table_ids(self) -> dict[int, dict[int, int]]:
        """{round: {number of the table: its id}}."""
        tables = Table.objects.filter(round__in=self.rounds).values_list("round__number", "number", "id")
        found: dict[int, dict[int, int]] = defaultdict(dict)
        for round_number, number, table_id in tables:
            found[round_number][number] = table_id
        return found

    def named(self, row: Row) -> Row:
        partner = row.get("partner_id")
        return row | {"player": self.names[row["player_id"]], "partner": self.names[partner] if partner else None}

    def head(self) -> Head:
        tournament = self.access.tournament
        now = timezone.now().astimezone(tournament.zone)
        name = tournament.name if letters.is_legible(tournament.name) else tournament.slug
        where = ", ".join(filter(None, [tournament.place, when(tournament)]))
        printed = _("Printed %(moment)s") % {"moment": date_format(now, _("j F Y, H:i"))}
        note = _("Names in letters that this print does not have stand as the player’s number.")
        return Head(name, where, printed, get_language() or "en", note if self.illegible else "")

    def seating(self, one: Round) -> Seating:
        said = one.get_state_display() if one.state == Round.State.DRAFT else ""
        rows = self.chosen_rows if one == self.chosen else self.seat_rows[one.number]
        return Seating(one.number, len(self.living), rows, said)

    def round_asked_for(self) -> Round:
        if self.chosen is None:
            raise NothingToPrint(_("Nobody has a seat yet. This is printed once the seating is there."))
        return self.chosen


def by_name(of: Source) -> list[Print]:
    seating = of.seating(of.round_asked_for())
    rows = sorted(seating.rows, key=lambda row: fold(row["player"]))
    return [ByName(Seating(seating.number, seating.of, rows, seating.said))]


def by_table(of: Source) -> list[Print]:
    return [ByTable(of.seating(of.round_asked_for()))]


def slips(of: Source) -> list[Print]:
    one = of.round_asked_for()
    seating, ids = of.seating(one), of.table_ids[one.number]
    done: dict[int, set[int]] = defaultdict(set)
    for table, hand in HandScore.objects.living().filter(table__round=one).values_list("table_id", "hand").distinct():
        done[table].add(hand)
    title = _("Round %(number)d of %(of)d") % {"number": seating.number, "of": seating.of}
    made = [
        Slip(
            tournament=of.head().tournament,
            table=number,
            round=title,
            players=[row["player"] for row in seats],
            sides=sides(seats),
            hands=hands,
            worth=worth_in_a_sentence(of.worths),
            address=of.address_of(ids[number]),
            done=frozenset(done[ids[number]]),
            deals=seats[pairs.dealer_seat(hands[0])]["player"],
        )
        for number, seats in seating.tables.items()
        for hands in spread(of.stage.hands_per_round or OPEN_SLIP)
    ]
    if not made:
        raise NothingToPrint(_("This round has no tables."))
    return [Slips(made)]


OPEN_SLIP = 8  # lines of a slip where a round has no number of hands


def empty_slips(of: Source) -> list[Print]:
    seats = 4  # of a table of pairs, the one format there is
    made = [
        Slip(of.head().tournament, None, _("Round ____"), [""] * seats, [], hands, worth_in_a_sentence(of.worths))
        for hands in spread(of.stage.hands_per_round or OPEN_SLIP)
    ]
    return [Slips(made * max(1, FOUR // len(made)))]


def standings(of: Source) -> list[Print]:
    if not of.book.entrants:
        raise NothingToPrint(_("Nobody plays yet. This is printed once there are players."))
    as_of_round = of.as_of_round if of.as_of_round is not None else of.book.last_round
    title = _("Standings after round %(number)d") % {"number": as_of_round} if as_of_round else _("Standings")
    tie_breaks = of.stage.tie_breaks[: len(exports.TIE_BREAK_COLUMNS)]
    return [
        Standings(
            rows=standing_rows(of, as_of_round),
            tie_breaks=[(code, _(TIE_BREAKS[code].name)) for code in tie_breaks],
            statuses={status: str(status.label) for status in Entry.Status if status != Entry.Status.ACTIVE},
            title=title,
            said=_("Final") if of.access.tournament.is_final else _("Provisional"),
            order=_("The order is: %(order)s.") % {"order": order_in_words(of.stage.tie_breaks)},
        )
    ]


def standing_rows(of: Source, as_of_round: int | None) -> list[Row]:
    return [of.named(exports.standing_row(line, as_of_round)) for line in of.book.standings(as_of_round)]


def crosstable(of: Source) -> list[Print]:
    published = [one.number for one in of.book.rounds if of.as_of_round is None or one.number <= of.as_of_round]
    if not published:
        raise NothingToPrint(_("No round has been published yet. This is printed once there is one."))
    rows = list(exports.rounds_rows(of.access.tournament, Wanted(as_of_round=of.as_of_round)))
    return [Crosstable(standing_rows(of, of.as_of_round), published, rows)]


def place_cards(of: Source) -> list[Print]:
    if not of.entries:
        raise NothingToPrint(_("Nobody plays yet. This is printed once there are players."))
    people = sorted(of.entries, key=lambda entry: fold(entry.player.name))
    link_of = of.link_of or (lambda entry: "")
    return [PlaceCards([(of.names[entry.public_id], entry.player.club_name, link_of(entry)) for entry in people])]


def pack(of: Source) -> list[Print]:
    """Everything that is needed to finish on paper, for the round that is being played and those to come."""
    running = next((one for one in of.rounds if one.is_open), None)
    of = Source(of.access, running, None, of.address_of)
    edition = EDITIONS.get(of.stage.edition)
    to_come = [one.number for one in of.living if one.state != Round.State.CLOSED]
    made: list[Print] = [
        OnPaper(
            edition=_(edition.name) if edition else of.stage.edition,
            scoring=of.stage.scoring,
            partners=of.stage.has_partners,
            worths=of.worths,
            open_round=running.number if running else None,
            goes_on=not of.living or bool(to_come),
        )
    ]
    if of.entries:
        made += standings(of)
    if of.entries and (to_come or not of.living):
        made += [Totals(standing_rows(of, None), to_come)]
    if running:
        made += by_name(of)
    if of.rounds:
        made += [AllRounds([of.seating(one) for one in of.rounds])]
    if running:
        made += slips(of)
    return made + empty_slips(of)


@dataclass(frozen=True)
class Kind:
    """A print: its title and what it is for. `part` is its place in the file's name.

    right None: for whoever may see the page with the same rows.
    asked: "round" or "as_of_round", what it can be asked for; "" nothing.
    """

    title: str | Promise
    purpose: str | Promise
    part: str
    right: Can | None
    asked: str
    make: Callable[[Source], Sequence[Print]]

    def file_name(self, of: Source) -> str:
        """`slug_slips_r3.pdf`."""
        number: Any = of.as_of_round if self.asked == "as_of_round" else of.chosen.number if of.chosen else None
        suffix = f"_r{number}" if self.asked and number is not None else ""
        return f"{of.access.tournament.slug}_{self.part}{suffix}.pdf"


KINDS: dict[str, Kind] = {
    "by_name": Kind(
        _l("Seating by name"),
        _l("Large and alphabetical, for the door: everybody finds their table."),
        "seating_by_name", None, "round", by_name,
    ),
    "by_table": Kind(
        _l("Seating by table"),
        _l("Every table with the people around it, for the wall and for the director."),
        "seating_by_table", None, "round", by_table,
    ),
    "slips": Kind(
        _l("Score slips"),
        _l("Four to a page, one for each table: names, boxes, signatures, and a QR code to the table’s page."),
        "slips", Can.PRINT, "round", slips,
    ),
    "empty_slips": Kind(
        _l("Empty score slips"),
        _l("A page of slips without names, to copy."),
        "empty_slips", Can.PRINT, "", empty_slips,
    ),
    "standings": Kind(
        _l("Standings"),
        _l("With the tie-breaks, for the wall."),
        "standings", None, "as_of_round", standings,
    ),
    "crosstable": Kind(
        _l("Crosstable"),
        _l("What everybody made in each round, with whom and against whom."),
        "crosstable", None, "as_of_round", crosstable,
    ),
    "place_cards": Kind(
        _l("Place cards"),
        _l(
            "Four to a page. Cut, fold, stand them up: the name is read from both sides. The code on a card opens that "
            "player’s own page."
        ),
        "place_cards", Can.PRINT, "", place_cards,
    ),
    "pack": Kind(
        _l("Emergency pack"),
        _l(
            "Everything to finish on paper in one file: what to do, how to score, standings and totals to go on with, "
            "all seating, slips. Print it before the evening and after each round."
        ),
        "pack", Can.PRINT, "", pack,
    ),
}  # fmt: skip
