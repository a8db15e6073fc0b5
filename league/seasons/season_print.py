"""A season on paper: standings by division and, once it has ended, honours."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.access import ClubAccess
from league.lib.translate import figure, rank_in_words
from league.prints.pdf import letters
from league.prints.pdf.season import (
    EveningCell,
    HonoursBlock,
    HonoursLine,
    SeasonDivision,
    SeasonRow,
    SeasonTablePrint,
)
from league.prints.pdf.sheet import Head
from league.seasons import in_words as season_words
from league.seasons.honours import honours_of
from league.seasons.page_rows import Row, rows_of
from league.seasons.table import SeasonTable
from league.seasons.visibility import seen_by


def season_print(access: ClubAccess, table: SeasonTable) -> SeasonTablePrint:
    """Return the print for the viewer."""
    season, seen = table.season, seen_by(access, table)
    return SeasonTablePrint(
        title=_printed(season.name, season.slug),
        aside=_("Final") if season.closed_at else _("Provisional"),
        events=[str(evening.number) for evening in table.evenings],
        total_label=season_words.total_label(season),
        divisions=[
            SeasonDivision(_division_name(table, place), _rows(rows_of(access, seen, table, place)))
            for place in range(len(table.divisions))
        ],
        honours=_honours(access, table),
        sentences=[season_words.rule_of(season), _events_in_words(table)],
    )


def head_of(table: SeasonTable) -> Head:
    """Return the page head: club, place, print date."""
    club = table.season.club
    now = timezone.now().astimezone(club.zone)
    printed = _("Printed %(moment)s") % {"moment": date_format(now, _("j F Y, H:i"))}
    where = club.place if club.place != club.name else ""
    return Head(_printed(club.name, club.slug), where, printed, get_language() or "en")


def _printed(text: str, otherwise: str) -> str:
    """Return a text in printable letters, or `otherwise` if the fonts lack them."""
    return letters.printable(text) if letters.is_legible(text) else otherwise


def _division_name(table: SeasonTable, place: int) -> str:
    division = table.divisions[place].division
    if division is not None:
        return _printed(division.name, _("Division %(number)d") % {"number": division.number})
    return _("Others") if table.has_divisions else ""


def _rows(rows: Sequence[Row]) -> Sequence[SeasonRow]:
    return [_row(row, at) for at, row in enumerate(rows, 1)]


def _row(row: Row, at: int) -> SeasonRow:
    return SeasonRow(
        place=rank_in_words(row.rank, tied=row.tied) if row.rank else "–",
        name=_printed(row.name, _("Player %(number)d") % {"number": at}),
        cells=[EveningCell("–" if cell.is_absent else cell.gives, cell.is_struck) for cell in row.cells],
        total=row.total,
        zone=row.zone.words if row.zone else "",
    )


def _honours(access: ClubAccess, table: SeasonTable) -> Sequence[HonoursBlock]:
    return [
        HonoursBlock(
            _printed(block.division, "") if block.division else "",
            [
                HonoursLine(
                    rank_in_words(honour.rank, tied=honour.tied),
                    _printed(honour.name, _("Player %(number)d") % {"number": at}),
                    figure(honour.total),
                )
                for at, honour in enumerate(block.places, 1)
            ],
        )
        for season in honours_of(access, [table.season])
        for block in season.divisions
    ]


def _events_in_words(table: SeasonTable) -> str:
    """Such as “1: 3 Oct, 2: 10 Oct”."""
    shape = _("j M")
    return ", ".join(f"{evening.number}: {date_format(evening.day, shape)}" for evening in table.evenings)
