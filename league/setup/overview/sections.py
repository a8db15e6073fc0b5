"""Sections of *Now* for organisers and visitors."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.access import club_of
from league.access.viewer import Viewer
from league.ledger.in_words import group_title
from league.ledger.state_marks import StateMark
from league.lib.translate import figure, label_text, with_markup
from league.models import Season, Table, Tournament
from league.pages.links import Link
from league.rounds.time_left import RoundClock
from league.setup.overview.facts import NowFacts
from league.standings.result_in_words import result_in_words
from league.standings.table_lines import TableLine


@dataclass(frozen=True)
class TableRow:
    """A table with a link to its dispute, its online table or its hands.

    who: the names; links if the viewer may correct. sheet: address of the table's sheet, for the same viewers.
    """

    line: TableLine
    label: str
    url: str
    who: str
    sheet: str = ""


@dataclass(frozen=True)
class Tables:
    """The tables of the latest round, disputed and unfinished ones first, then the byes."""

    title: str
    text: str
    rows: Sequence[TableRow]
    byes: Sequence[Link]


def tables_section(facts: NowFacts, *, organises: bool, corrects: bool) -> Tables | None:
    if facts.latest is None or not facts.lines:
        return None
    if organises and (facts.step.disputed or any(line.unfinished for line in facts.lines)):
        title = _("Tables")
    else:
        title = _("Tables of round %(number)s") % {"number": facts.latest.number}
    leads_to_people = corrects and not facts.tournament.is_final
    rows = [
        TableRow(
            line,
            _("Table %(number)s") % {"number": line.table.number},
            _address_of(line, corrects),
            who=_linked_names(line, facts.names_at) if leads_to_people else line.who,
            sheet=_sheet_of(line.table) if leads_to_people else "",
        )
        for line in facts.lines
    ]
    return Tables(title, title_of_round(facts) if organises else "", rows, [Link(*bye) for bye in facts.byes])


def _sheet_of(table: Table) -> str:
    return reverse("table_sheet", args=[table.round.tournament.slug, table.round.number, table.number])


_NAME = '<a href="{}{}/">{}</a>'


def _linked_names(line: TableLine, names_at: str) -> SafeString:
    """Return `TableLine.who` with each name as a link."""
    entry_of = dict(zip(line.people, line.entries, strict=True))

    def linked(people: Sequence[str]) -> SafeString:
        links = [(names_at, entry_of.get(name, ""), name) for name in people]
        before, last = (format_html_join(", ", _NAME, part) for part in (links[:-1], links[-1:]))
        return with_markup(_("%(first)s and %(last)s"), first=before, last=last) if before else last

    if not line.sides:
        return linked(line.people)
    one, other = line.sides
    return with_markup(_("%(one)s against %(other)s"), one=linked(one), other=linked(other))


def title_of_round(facts: NowFacts) -> str:
    """“Round 3 of 7”, “Round 6: head to head”."""
    if facts.race and facts.race.is_head_to_head:
        return label_text(facts.round_title, _("head to head"))
    return facts.round_title


def _address_of(line: TableLine, corrects: bool) -> str:
    if line.disputed and corrects:
        return reverse("disputed", args=[line.table.pk])
    return reverse("play", args=[line.table.pk]) if line.online else line.table.get_absolute_url()


@dataclass(frozen=True)
class ClockTurn:
    value: str
    icon: str
    label: str
    is_main: bool = False


@dataclass(frozen=True)
class ClockControl:
    """The clock of the latest round, for directors.

    minutes: suggested for a start. turn: pauses or resumes it. extra: sentences on tables with extra time.
    """

    clock: RoundClock
    minutes: int
    mark: StateMark | None
    turn: ClockTurn | None
    extra: Sequence[str]
    tables: Sequence[int]


def clock_control(facts: NowFacts, minutes: int) -> ClockControl | None:
    if facts.clock is None:
        return None
    tables, state = [line.table for line in facts.lines], facts.clock.state
    marks = {
        "runs": StateMark("i-play", _("Running"), "live"),
        "stands": StateMark("i-wait", _("Paused"), "warn"),
        "up": StateMark("i-clock", _("Time is up"), "warn"),
    }
    turns = {
        "runs": ClockTurn("pause", "i-wait", _("Pause")),
        "stands": ClockTurn("resume", "i-play", _("Go on"), is_main=True),
    }
    return ClockControl(
        clock=facts.clock,
        minutes=minutes,
        mark=marks.get(state),
        turn=turns.get(state),
        extra=[_extra_time(table) for table in tables if table.extra_minutes],
        tables=sorted(table.number for table in tables),
    )


def _extra_time(table: Table) -> str:
    sentence = _("Table %(number)s: +%(count)s min")
    return sentence % {"number": table.number, "count": table.extra_minutes}


@dataclass(frozen=True)
class TopRow:
    """group: “Group A”, if there are groups. result: replaces points that don't decide."""

    rank: int | None
    tied: bool
    name: str
    url: str
    group: str
    result: str
    points: str


def top_five(facts: NowFacts) -> list[TopRow]:
    """Return the first five of the stage with visible standings."""
    by_place = facts.stage.by_place
    return [
        TopRow(
            rank=line.rank,
            tied=line.tied,
            name=line.entrant.name,
            url=f"{facts.names_at}{line.entrant.id}/",
            group=group_title(line.group, by_place=by_place) if line.group else "",
            result=result_in_words(line) if line.ending else "",
            points="" if line.ending else figure(line.total),
        )
        for line in facts.standings[:5]
    ]


@dataclass(frozen=True)
class SeasonRow:
    """The season that an event counts in."""

    name: str
    text: str
    url: str


def season_row(tournament: Tournament, viewer: Viewer) -> SeasonRow | None:
    """Return None without a season, and for viewers who may not see the club."""
    if tournament.season_id is None or (club := club_of(tournament.club_id, viewer)) is None:
        return None
    season = Season.objects.get(pk=tournament.season_id)
    if season.closed_at:
        text = _("This tournament counted; the season has ended.")
    elif tournament.division:
        text = _("This tournament counts for %(name)s.") % {"name": tournament.division.name}
    else:
        text = _("Counts towards the season.")
    return SeasonRow(season.name, text, reverse("season", args=[club.slug, season.slug]))
