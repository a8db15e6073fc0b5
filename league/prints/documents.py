"""Define a tournament's prints: permissions and rows.

league/prints/pdf/ lays them out. The rows are those of pages and CSV files.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from engine.rules import EDITIONS
from league.access.rights import Can
from league.format_pages import lanes as lanes_of_race
from league.formats.groups import name_of
from league.formats.progression import EXTRA_HAND, HANDS_WON, LOT
from league.ledger.in_words import group_title, rounds_in_all
from league.ledger.progression import SECOND
from league.lib.csv import Row
from league.lib.names import fold
from league.lib.translate import names
from league.models import Entry, Round
from league.prints.pdf.bracket import Bracket
from league.prints.pdf.document import Print
from league.prints.pdf.on_paper import OnPaper
from league.prints.pdf.place_cards import PlaceCards
from league.prints.pdf.race import Bar, Race, RaceLine
from league.prints.pdf.results import Crosstable, Standings, Totals, place
from league.prints.pdf.seating import AllRounds, ByName, ByTable
from league.prints.slip_rows import empty_slips, slips
from league.prints.source import NothingToPrint, Source
from league.public import tables as exports
from league.public.bracket_rows import columns_of
from league.public.pictures.bracket import Column
from league.public.tables import Wanted
from league.standings import progression_in_words
from league.standings.amendments_in_words import sentences_of
from league.standings.race_in_words import IN_DANGER, left_in_words
from league.standings.result_in_words import remark_in_words
from league.standings.text import text_of
from league.standings.tie_breaks import TIE_BREAKS


def by_name(of: Source) -> list[Print]:
    seating = of.seating(of.requested_round())
    rows = sorted(seating.rows, key=lambda row: fold(row["player"]))
    return [ByName(replace(seating, rows=rows))]


def by_table(of: Source) -> list[Print]:
    return [ByTable(of.seating(of.requested_round()))]


def standings(of: Source) -> list[Print]:
    if not of.book.entrants:
        raise NothingToPrint(_("No players yet. Add players before you print this."))
    as_of_round = of.as_of_round if of.as_of_round is not None else of.book.last_round
    title = _("Standings after round %(number)d") % {"number": as_of_round} if as_of_round else _("Standings")
    tie_breaks = of.book.tie_breaks[: len(exports.TIE_BREAK_COLUMNS)]
    rows = standing_rows(of, as_of_round)
    parts = [(title, rows)]
    if of.book.groups:
        parts = [
            (
                f"{group_title(group, by_place=of.book.stage.by_place)}. {title}",
                [row for row in rows if row["group"] == name_of(group)],
            )
            for group in of.book.groups
        ]
    return [
        Standings(
            rows=rows,
            tie_breaks=[(code, _(TIE_BREAKS[code].name)) for code in tie_breaks],
            statuses={status: str(status.label) for status in Entry.Status if status != Entry.Status.ACTIVE},
            title=title,
            aside=_("Final") if of.access.tournament.is_final else _("Provisional"),
            order=text_of(of.book).order(as_of_round),
            notes={line.entrant.id: remark_in_words(line, {}) for line in of.book.standings(as_of_round)},
            amendments=sentences_of(of.book.stage, of.access.tournament.zone),
            decided={code: progression_in_words.decided_in_words(code) for code in (HANDS_WON, EXTRA_HAND, LOT)},
        )
        for title, rows in parts
    ]


def standing_rows(of: Source, as_of_round: int | None) -> list[Row]:
    """Return the standings, group by group."""
    lines = of.book.standings(as_of_round)
    if of.book.groups:
        lines.sort(key=lambda line: line.group)
    return [of.printed_row(exports.standing_row(line, as_of_round, of.book.stage)) for line in lines]


def crosstable(of: Source) -> list[Print]:
    published = [
        round_.number for round_ in of.book.rounds if of.as_of_round is None or round_.number <= of.as_of_round
    ]
    if not published:
        raise NothingToPrint(_("No round is published yet. Publish a round before you print this."))
    rows = list(exports.rounds_rows(of.access.tournament, Wanted(as_of_round=of.as_of_round)))
    return [Crosstable(standing_rows(of, of.as_of_round), published, rows, of.book.stage.has_partners)]


def race(of: Source) -> list[Print]:
    if of.book.race is None:
        raise NothingToPrint(_("Only Challenge UNO has a race."))
    state, target = of.book.race.state_at(of.as_of_round), of.book.race.settings.target
    if not state.race:
        raise NothingToPrint(_("No hands yet. Record a hand before you print this."))
    lanes = lanes_of_race.lanes(state, target)
    danger = -(-target * IN_DANGER // 100)
    lines = [
        RaceLine(
            place=place(exports.standing_row(line, None, of.book.stage)),
            name=of.names[line.entrant.id],
            exit_words=left_in_words(line, with_table=True),
            total=str(line.total),
            bars=_bars(lanes[line.entrant.id], target),
            out=line.out_in_round is not None,
        )
        for line in of.book.standings(of.as_of_round)
        if not line.stage  # did not advance to this stage
    ]
    after = of.as_of_round if of.as_of_round is not None else of.book.last_round
    aside = _("After round %(number)d") % {"number": after} if after else ""
    return [Race(lines, target, (danger / target, danger), _("Race to %(target)d") % {"target": target}, aside)]


def bracket(of: Source) -> list[Print]:
    """A second ladder, and a tree, start on their own page."""
    rounds = [round_ for round_ in of.book.rounds if of.as_of_round is None or round_.number <= of.as_of_round]
    if not rounds:
        raise NothingToPrint(_("No round is published yet. Publish a round before you print this."))
    partners = of.book.stage.plays.changes_partners
    seated = [row for round_ in rounds for row in of.seat_rows[round_.number]]
    if of.book.stage.has_teams:
        seated = [row | {"player": of.names[row["player_id"]]} for row in seated]
    columns = columns_of(rounds, seated, of.book)
    text = text_of(of.book)
    winners = text.champions(of.as_of_round)
    after = of.as_of_round if of.as_of_round is not None else of.book.last_round
    aside = _("After round %(number)d") % {"number": after} if after else ""
    heading = _won_in_words([of.names[entry] for entry in winners]) or aside
    papers: list[Print] = []
    columns = sorted(columns, key=lambda column: column.ladder == SECOND)
    for part, of_part in groupby(columns, key=lambda column: (column.ladder == SECOND, column.in_tree)):
        sheets = _sheets(list(of_part))
        for number, sheet in enumerate(sheets, 1):
            title = sheet[0].part
            if len(sheets) > 1:
                words = {"title": title or _("Bracket"), "number": number, "count": len(sheets)}
                title = _("%(title)s, part %(number)d of %(count)d") % words
            is_second, _in_tree = part
            head = (aside, (), None) if is_second else (heading, winners, text.target)
            papers.append(Bracket(sheet, *head, partners=partners, title=title))
    return papers


def _won_in_words(winners: Sequence[str]) -> str:
    if len(winners) > 1:
        return _("%(names)s share first place") % {"names": names(winners)}
    return _("%(name)s has won") % {"name": winners[0]} if winners else ""


def _sheets(columns: list[Column]) -> list[list[Column]]:
    """Split a large tree into parts that fit a sheet; the last sheet has the rounds after them."""
    parts = len(columns[0].tables) // MOST_MATCHES
    if not columns[0].in_tree or parts <= 1:
        return [columns]
    early = [column for column in columns if len(column.tables) >= parts and not column.tables[0].is_final]

    def part(column: Column, number: int) -> Column:
        size = len(column.tables) // parts
        return replace(column, tables=column.tables[number * size : (number + 1) * size])

    sheets = [[part(column, number) for column in early] for number in range(parts)]
    return [*sheets, last] if (last := columns[len(early) :]) else sheets


def _bars(lane: lanes_of_race.Lane, target: int) -> list[Bar]:
    drawn = [
        (lanes_of_race.lane_x(block.start, target), lanes_of_race.lane_x(block.end, target), block.shade)
        for block in lane.blocks
    ]
    return [
        Bar(start / lanes_of_race.WIDE, end / lanes_of_race.WIDE, shade) for start, end, shade in drawn if end > start
    ]


def place_cards(of: Source) -> list[Print]:
    if not of.entries:
        raise NothingToPrint(_("No players yet. Add players before you print this."))
    people = sorted(of.entries, key=lambda entry: fold(entry.name))
    link_of = of.link_of or (lambda entry: "")
    if of.stage.has_teams:
        return [PlaceCards([(*card, link_of(entry)) for entry in people for card in _members(of, entry)])]
    return [PlaceCards([(of.names[entry.public_id], entry.player.club_name, link_of(entry)) for entry in people])]


def _members(of: Source, entry: Entry) -> list[tuple[str, str]]:
    """Return all members of a team, with the team's name in place of the club."""
    team = of.names[entry.public_id]
    names = enumerate(of.members[entry.public_id])
    return [(of.member(entry.public_id, name, place), team) for place, name in names]


def pack(of: Source) -> list[Print]:
    """Return all pages to finish on paper, for the current round and later ones."""
    running = next((round_ for round_ in of.rounds if round_.is_open), None)
    of = Source(of.access, running, None, of.address_of)
    edition = EDITIONS.get(of.stage.edition)
    to_come = [round_.number for round_ in of.living if round_.state != Round.State.CLOSED]
    if of.book.race is not None and of.book.race.state.has_more:
        following = to_come[-1] if to_come else len(of.living)
        to_come += range(following + 1, following + 1 + ROUNDS_ON_PAPER)
    elif not of.stage.drawn_ahead:
        to_come += range(len(of.living) + 1, (rounds_in_all(of.stage, len(of.living)) or 0) + 1)
    prints: list[Print] = [
        OnPaper(
            edition=_(edition.name) if edition else of.stage.edition,
            scoring=of.stage.scoring,
            partners=of.stage.has_partners,
            worths=of.worths,
            open_round=running.number if running else None,
            advances=of.book.race.state.has_more if of.book.race else not of.living or bool(to_come),
            target=text_of(of.book).target,
            ends_at=of.stage.plays.game_target(of.stage.values),
            table_size=of.stage.table_size,
        )
    ]
    if of.entries:
        prints += standings(of)
    if of.entries and (to_come or not of.living):
        rows = standing_rows(of, None)
        prints += [
            Totals([row for row in rows if of.book.race is None or row["status"] == Entry.Status.ACTIVE], to_come)
        ]
    if running:
        prints += by_name(of)
    if of.book.race is not None and of.book.race.state.race:
        prints += race(of)
    if of.rounds:
        prints += [AllRounds([of.seating(round_) for round_ in of.rounds])]
    if running:
        prints += slips(of)
    return prints + empty_slips(of)


MOST_MATCHES = 8  # in the first round of a tree on one sheet
ROUNDS_ON_PAPER = 5  # boxes in the totals of a race, whose number of rounds is unknown


@dataclass(frozen=True)
class Kind:
    """A print: title and purpose. part: its part of the file's name.

    right None: public, like the page with the same rows. parameter: the query's "round" or "as_of_round", or ""
    without either. has_links: contains players' own links, if the viewer may hand them out. has_codes: contains scorer
    links, if requested by a viewer who may create them.
    """

    title: str | Promise
    purpose: str | Promise
    part: str
    right: Can | None
    parameter: str
    make: Callable[[Source], Sequence[Print]]
    of_singles: str | Promise = ""  # purpose without partners, if different
    has_links: bool = False
    has_codes: bool = False

    def file_name(self, of: Source) -> str:
        """Return a name such as `slug_slips_r3.pdf`."""
        number: Any = of.as_of_round if self.parameter == "as_of_round" else of.chosen.number if of.chosen else None
        suffix = f"_r{number}" if self.parameter and number is not None else ""
        return f"{of.access.tournament.slug}_{self.part}{suffix}.pdf"


KINDS: dict[str, Kind] = {
    "by_name": Kind(
        _l("Seating by name"),
        _l("A to Z, for the door."),
        "seating_by_name", None, "round", by_name,
    ),
    "by_table": Kind(
        _l("Seating by table"),
        _l("All tables, for the wall."),
        "seating_by_table", None, "round", by_table,
    ),
    "slips": Kind(
        _l("Score slips"),
        _l("Four to a page."),
        "slips", Can.PRINT, "round", slips, has_codes=True,
    ),
    "empty_slips": Kind(
        _l("Empty score slips"),
        _l("Without names, to copy."),
        "empty_slips", Can.PRINT, "", empty_slips,
    ),
    "standings": Kind(
        _l("Standings"),
        _l("With tie-breaks, for the wall."),
        "standings", None, "as_of_round", standings,
        _l("With eliminations, for the wall."),
    ),
    "crosstable": Kind(
        _l("Results by player"),
        _l("Points and opponents of each round."),
        "crosstable", None, "as_of_round", crosstable,
        _l("Penalty points and table of each round."),
    ),
    "race": Kind(
        _l("Race"),
        _l("A lane for each player, hand by hand, with eliminations."),
        "race", None, "as_of_round", race,
    ),
    "bracket": Kind(
        _l("Bracket"),
        _l("Seats and points of all rounds."),
        "bracket", None, "as_of_round", bracket,
        _l("Seats, totals, eliminations and the winner of all rounds."),
    ),
    "place_cards": Kind(
        _l("Name cards"),
        _l(
            "Four to a page, each with the player’s personal QR code."
        ),
        "place_cards", Can.PRINT, "", place_cards, has_links=True,
    ),
    "pack": Kind(
        _l("Emergency pack"),
        _l(
            "Everything to finish on paper. Print it again after each round."
        ),
        "pack", Can.PRINT, "", pack,
    ),
}  # fmt: skip
