"""Read a tournament for prints, as one viewer may print it."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.rules import EDITIONS
from league.access import Access
from league.formats import teams
from league.ledger.dealer import first_seats_in
from league.ledger.in_words import rounds_in_all
from league.ledger.lineups import names_of_teams
from league.lib.csv import Row
from league.lib.wall_time import when
from league.models import Entry, Round, Stage, Table
from league.prints.pdf import letters
from league.prints.pdf.seating import Seating
from league.prints.pdf.sheet import Head
from league.public import tables as exports
from league.public.tables import Wanted
from league.rulebook import editions
from league.standings import read as ledger


class NothingToPrint(Exception):
    """There are no rows yet; the text has the reason."""


@dataclass(frozen=True)
class Source:
    """A tournament as one viewer may print it.

    chosen: the selected round, None before the draw. as_of_round: of the standings, None for all recorded hands.
    address_of: from a table's id, the address in its slip's QR code. link_of: a player's own link, if the viewer may
    hand it out. codes: scorer links on slips by table number; empty unless requested by a viewer who may create them.
    """

    access: Access
    chosen: Round | None
    as_of_round: int | None
    address_of: Callable[[int], str]
    link_of: Callable[[Entry], str] | None = None
    codes: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def rounds(self) -> list[Round]:
        return list(self.access.rounds().order_by("number"))

    @cached_property
    def living(self) -> list[Round]:
        return list(self.access.tournament.rounds.living().order_by("number"))

    @cached_property
    def stage(self) -> Stage:
        """Return the stage of the chosen round, else the public one."""
        return self.chosen.stage if self.chosen is not None else self.book.stage

    @cached_property
    def entries(self) -> list[Entry]:
        return list(self.access.tournament.entries.select_related("player").order_by("number", "id"))

    @cached_property
    def book(self) -> ledger.Ledger:
        return ledger.read(self.access.tournament)

    @cached_property
    def names(self) -> dict[str, str]:
        """Return {player_id: printed name}; “Player 7” by list number if the name can't be printed."""
        return {
            entry.public_id: letters.printable(entry.name)
            if letters.is_legible(entry.name)
            else _("Player %(number)d") % {"number": number}
            for number, entry in enumerate(self.entries, 1)
        }

    @cached_property
    def members(self) -> dict[str, list[str]]:
        """Return the names in each team, by its id."""
        return names_of_teams(self.access.tournament)

    @cached_property
    def illegible(self) -> list[tuple[Entry, str]]:
        """Return the entries whose names can't be printed, with the replacement."""
        return [(entry, self.names[entry.public_id]) for entry in self.entries if not letters.is_legible(entry.name)]

    @cached_property
    def worths(self) -> list[tuple[str, str]]:
        edition = EDITIONS.get(self.stage.edition)
        return [(kind.name, kind.worth) for kind in editions.kinds(edition)] if edition else []

    @cached_property
    def seat_rows(self) -> dict[int, list[Row]]:
        """Return the rows of seating.csv by round, with printed names."""
        rounds: dict[int, list[Row]] = defaultdict(list)
        for row in self._seat_rows(None):
            rounds[row["round"]].append(row)
        return rounds

    @cached_property
    def chosen_rows(self) -> list[Row]:
        """Return the rows of the chosen round alone: reading all rounds takes 40 times as long."""
        return self._seat_rows(self.chosen.number) if self.chosen else []

    def _seat_rows(self, number: int | None) -> list[Row]:
        selection = Wanted(everything=self.access.sees_drafts, round=number)
        return [self.printed_row(row) for row in exports.sitting_rows(self.access.tournament, selection)]

    @cached_property
    def table_ids(self) -> dict[int, dict[int, int]]:
        """Return {round: {table number: table id}}."""
        tables = Table.objects.filter(round__in=self.rounds).values_list("round__number", "number", "id")
        ids: dict[int, dict[int, int]] = defaultdict(dict)
        for round_number, number, table_id in tables:
            ids[round_number][number] = table_id
        return ids

    def printed_row(self, row: Row) -> Row:
        """Return a row with printed names; for a team, the seated people and the team's name."""
        if row.get("team"):
            place = row["seat"] // teams.AT_TABLE
            partner = self.member(row["player_id"], row["partner"], 1 - place) if row["partner"] else None
            player, team = self.member(row["player_id"], row["player"], place), self.names[row["player_id"]]
            return row | {"player": player, "partner": partner, "team": team}
        partner = row.get("partner_id")
        return row | {"player": self.names[row["player_id"]], "partner": self.names[partner] if partner else None}

    def member(self, team_id: str, name: str, place: int) -> str:
        """Return the printed name of a team member; “Blue Foxes 1” if it can't be printed."""
        return letters.printable(name) if letters.is_legible(name) else f"{self.names[team_id]} {place + 1}"

    def code_of(self, table: int) -> str:
        """Return the scorer link on the slip of a table, or ""."""
        return self.codes.get(table, "")

    def head(self) -> Head:
        tournament = self.access.tournament
        now = timezone.now().astimezone(tournament.zone)
        name = tournament.name if letters.is_legible(tournament.name) else tournament.slug
        where = ", ".join(filter(None, [tournament.place, when(tournament)]))
        printed = _("Printed %(moment)s") % {"moment": date_format(now, _("j F Y, H:i"))}
        note = _("Names in unsupported letters appear as the player’s number.")
        return Head(name, where, printed, get_language() or "en", note if self.illegible else "")

    def seating(self, round_: Round) -> Seating:
        status = round_.get_state_display() if round_.state == Round.State.DRAFT else ""
        rows = self.chosen_rows if round_ == self.chosen else self.seat_rows[round_.number]
        drawn = sum(other.stage.number <= round_.stage.number for other in self.living)
        return Seating(round_.number, rounds_in_all(round_.stage, drawn), rows, status, first_seats_in(round_))

    def requested_round(self) -> Round:
        if self.chosen is None:
            raise NothingToPrint(_("No seats yet. Draw the seating before you print this."))
        return self.chosen
