"""The content of the hall screen: rotating pages of panels, and a fixed side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from league.calendar.next_event import next_event_after
from league.entries.places import Now, free_places, page_of, state_of
from league.formats.race import HEAD_TO_HEAD
from league.ledger.field import draws_another
from league.ledger.in_words import group_title, rounds_in_all
from league.ledger.progress import PLAYING, race_of, tables_now
from league.ledger.race import RaceLedger
from league.lib.csv import Row
from league.lib.names import fold
from league.models import Deadline, Entry, Round, Table, Tournament
from league.public import tables as exports
from league.public.tables import Wanted
from league.rounds.time_left import clock_of
from league.standings import race_in_words
from league.standings import read as ledger
from league.standings.ranking import on_podium
from league.standings.result_in_words import remark_in_words, result_in_words, winners_in_words
from league.standings.text import text_of

Line = dict[str, Any]

ONLY = ("seating", "standings", "timer")  # parts that a second screen can show alone
SECONDS = 15  # per page
LINES = 16  # per page, in two columns
TABLES = 12  # listed as still playing


@dataclass(frozen=True)
class Panel:
    """A heading and lines. kind: seats, duel, standings, podium, players or sentences."""

    kind: str
    heading: str
    lines: Sequence[Any] = ()
    caption: str = ""


@dataclass(frozen=True)
class Page:
    """The panels visible at one time. rows: lines of a column; a single panel has two columns, others one each."""

    panels: tuple[Panel, ...]
    number: int

    @property
    def rows(self) -> int:
        longest = max((len(panel.lines) for panel in self.panels), default=0)
        return max(2, ceil(longest / 2) if len(self.panels) == 1 else longest)

    @property
    def key(self) -> str:
        return f"page-{'-'.join(panel.kind for panel in self.panels)}-{self.number}"


def panels_for(tournament: Tournament, only: str = "") -> dict[str, Any]:
    """Return the template's context: `state` (off, before, playing, between, final), `pages`, and the side."""
    rounds = list(tournament.rounds.living().select_related("stage").order_by("number"))
    published = [row for row in rounds if row.state != Round.State.DRAFT]
    current = published[-1] if published else None
    state, (stage, to_come) = _state(tournament, current), tournament.stage_and_next
    in_last = not to_come and (current is None or current.stage_id == stage.pk)
    parts = [] if only == "timer" else _parts(tournament, state, current, only)
    return {
        "state": state,
        "only": only,
        "current": current,
        "in_all": rounds_in_all((current or rounds[0]).stage, len(rounds)) if rounds and in_last else None,
        "next": _next_round(tournament, rounds) if state in ("playing", "between") else None,
        "pages": _pages(parts),
        "seconds": SECONDS,
        **(_playing_context(current, race_of(current)) if current and state == "playing" else {}),
        **(_sign_up_context(tournament) if state == "before" else {}),
        **(_end_context(tournament) if state == "final" else {}),
        "publishes_at": _publishes_at(tournament) if state in ("before", "between") else None,
    }


def _next_round(tournament: Tournament, rounds: Sequence[Round]) -> int | None:
    """Return the number of the next round, drawn or not; None if there is none."""
    drafts = [draft.number for draft in rounds if draft.state == Round.State.DRAFT]
    if drafts:
        return drafts[0]
    stage = rounds[-1].stage
    goes_on = draws_another(tournament, stage)
    return rounds[-1].number + 1 if goes_on or tournament.stage_and_next[1] else None


def _state(tournament: Tournament, current: Round | None) -> str:
    if tournament.is_called_off:
        return "off"
    if tournament.is_final:
        return "final"
    if current is None:
        return "before"
    return "playing" if current.is_open else "between"


def _parts(tournament: Tournament, state: str, current: Round | None, only: str) -> list[list[Panel]]:
    """Return the lists to show, each split into panels."""
    if state in ("off", "before"):
        return [_players(tournament)]
    book = ledger.read(tournament)
    parts = []
    if state == "final":
        parts = [_podium(book), _standings(book, _("Final standings"))]
    else:
        if state == "playing" and current is not None and only != "standings":
            parts.append(_seats(tournament, current, book.race))
        if book.last_round is not None and only != "seating":
            parts.append(_standings(book, _heading_so_far(book)))
    return [part for part in parts if part] or [[_nothing_yet(state, only)]]


def _nothing_yet(state: str, only: str) -> Panel:
    if only == "seating" and state == "between":
        return Panel("sentences", _("Seating"), [_("The seating of the next round appears here when it is published.")])
    return Panel("sentences", _("Standings"), [_("They appear here after the first hand.")])


def _pages(parts: Sequence[Sequence[Panel]]) -> list[Page]:
    """Put each panel on a page. Two short lists share one page, so that nothing rotates."""
    short = all(len(part) == 1 and len(part[0].lines) <= LINES // 2 for part in parts)
    if len(parts) == 2 and short:
        return [Page((parts[0][0], parts[1][0]), 1)]
    return [Page((panel,), number) for part in parts for number, panel in enumerate(part, 1)]


def _split(
    kind: str, heading: str, lines: Sequence[Line], caption: Callable[[Sequence[Line], range], str]
) -> list[Panel]:
    """Split lines into panels of similar length; several panels get a caption each."""
    if len(lines) <= LINES:
        return [Panel(kind, heading, lines)] if lines else []
    size = ceil(len(lines) / ceil(len(lines) / LINES))
    parts = [range(start, min(start + size, len(lines))) for start in range(0, len(lines), size)]
    return [Panel(kind, heading, lines[part.start : part.stop], caption(lines, part)) for part in parts]


def _letters(lines: Sequence[Line], part: range) -> str:
    """Return “A to J”."""
    first, last = (fold(lines[at]["name"])[:1].upper() for at in (part[0], part[-1]))
    return first if first == last else _("%(first)s to %(last)s") % {"first": first, "last": last}


def _range_in_words(lines: Sequence[Line], part: range) -> str:
    """Return “1 to 16 of 43”."""
    return _("%(first)d to %(last)d of %(all)d") % {"first": part.start + 1, "last": part.stop, "all": len(lines)}


def _seats(tournament: Tournament, current: Round, race: RaceLedger | None) -> list[Panel]:
    rows = list(exports.sitting_rows(tournament, Wanted(round=current.number)))
    if race and len(rows) == HEAD_TO_HEAD:
        return [_head_to_head(rows, race)]
    gone = race_in_words.gone_in_round(race.state, current.number) if race else {}
    online = set(current.tables.filter(mode=Table.Mode.ONLINE).values_list("number", flat=True))
    lines = [
        {
            "id": row["player_id"],
            "name": row["player"],
            "table": row["table"] if row["table"] != "bye" else None,
            "partner": row["partner"],
            "team": row["team"],
            "said": gone.get(row["player_id"], ""),
            "online": row["table"] in online,
        }
        for row in rows
    ]
    lines.sort(key=lambda line: fold(line["name"]))
    return _split("seats", _("Round %(number)d, find your table") % {"number": current.number}, lines, _letters)


def _head_to_head(rows: Sequence[Row], race: RaceLedger) -> Panel:
    """Show the last two players with their points; a search list isn't needed."""
    lines = [
        {"id": row["player_id"], "name": row["player"], "points": race.state.lines[row["player_id"]].total}
        for row in rows
    ]
    table = _("Table %(number)s") % {"number": rows[0]["table"]}
    return Panel("duel", _("Head to head"), sorted(lines, key=lambda line: line["points"]), table)


def _heading_so_far(book: ledger.Ledger) -> str:
    is_open = any(row.number == book.last_round and row.is_open for row in book.rounds)
    words = _("Standings, round %(number)d so far") if is_open else _("Standings after round %(number)d")
    return words % {"number": book.last_round}


def _standings(book: ledger.Ledger, heading: str) -> list[Panel]:
    """List all ranked players, with the places gained since the previous round."""
    target = text_of(book).target
    previous = (book.last_round or 1) - 1
    of_stage = any(played.number == previous for played in book.rounds)  # a stage's first round has no earlier ranks
    before = book.ranks_by_round([previous])[previous] if of_stage else {}
    lines: list[Line] = []
    for line in book.standings(book.last_round):
        if line.rank is None:
            continue
        earlier = before.get(line.entrant.id)
        moved = earlier - line.rank if earlier else None
        lines.append(
            {
                "id": line.entrant.id,
                "rank": line.rank,
                "group": line.group,
                "tied": line.tied,
                "name": line.entrant.name,
                "points": None if line.ending and line.ending.line else line.total,
                "moved": moved,
                "places": abs(moved or 0),
                "out": line.entrant.status != Entry.Status.ACTIVE,
                "said": "" if line.stage else remark_in_words(line, {}, target),
            }
        )
    if not book.groups:
        return _split("standings", heading, lines, _range_in_words)
    by_group = [
        (group_title(group, by_place=book.stage.by_place), [line for line in lines if line["group"] == group])
        for group in book.groups
    ]
    return [
        panel
        for title, of_group in by_group
        for panel in _split("standings", f"{title}. {heading}", of_group, _range_in_words)
    ]


def _podium(book: ledger.Ledger) -> list[Panel]:
    """Show the first three places; nothing if too many players share them."""
    first = on_podium(book.standings())
    if not book.rows or not first:
        return []
    lines = [
        {
            "id": line.entrant.id,
            "rank": line.rank,
            "tied": line.tied,
            "name": line.entrant.name,
            "said": result_in_words(line),
        }
        for line in first
    ]
    winners = sum(line.rank == 1 for line in first)
    return [Panel("podium", _("The winner") if winners == 1 else _("The winners"), lines)]


def _playing_context(current: Round, race: RaceLedger | None) -> dict[str, Any]:
    """Return the clock, and the tables with hands left to play."""
    tables: list[Line] = [
        {
            "number": now.table.number,
            "hand": now.played + 1,
            "of": now.hands_wanted,
            "extra": now.table.extra_minutes,
            "clock": clock_of(current, now.table),
        }
        for now in tables_now(current, race)
        if now.state == PLAYING
    ]
    # Sort tables with extra time first, so that truncation keeps them.
    listed = sorted(sorted(tables, key=lambda line: not line["extra"])[:TABLES], key=lambda line: line["number"])
    return {
        "clock": clock_of(current),
        "tables": listed,
        "playing": len(tables),
        "more": len(tables) - len(listed),
        "tables_in_all": current.tables.exclude(state=Table.State.VOID).count(),
        "is_head_to_head": race is not None and current.seats.count() == HEAD_TO_HEAD,
        "winner": _name(current, race.state.winner) if race and race.state.winner else "",
    }


def _name(current: Round, player_id: str) -> str:
    name: str = current.tournament.entries.select_related("player").get(public_id=player_id).name
    return name


def _players(tournament: Tournament) -> list[Panel]:
    """Show the players on the list and, once check-in has begun, who is here."""
    entries = list(tournament.entries.select_related("player").exclude(status=Entry.Status.STANDIN))
    lines: list[Line] = [
        {"id": entry.public_id, "name": entry.name, "here": entry.checked_in_at is not None} for entry in entries
    ]
    lines.sort(key=lambda line: fold(line["name"]))
    if not lines:
        return [Panel("sentences", _("Who plays"), [_("No players yet.")])]
    here = sum(line["here"] for line in lines)
    heading = _("Players: %(here)d of %(all)d are here") % {"here": here, "all": len(lines)}
    return _split("players", heading if here else _("Who plays"), lines, _letters)


def _sign_up_context(tournament: Tournament) -> dict[str, Any]:
    """Return the number of free places while sign-up is open; otherwise None."""
    page = page_of(tournament)
    if page is None or state_of(page, has_started=False, now=timezone.now()) != Now.OPEN:
        return {"places": None}
    return {"places": free_places(tournament, page), "capacity": page.capacity}


def _end_context(tournament: Tournament) -> dict[str, Any]:
    """Return the winners, as on *Now*, and the next event of the series or season."""
    return {
        "winners": winners_in_words(ledger.read(tournament).standings()),
        "next_event": next_event_after(tournament),
    }


def _publishes_at(tournament: Tournament) -> Any:
    """Return when the next round is published; None if no time is set."""
    pending = Deadline.objects.pending().filter(tournament=tournament, kind=Deadline.Kind.PUBLISH)
    return pending.filter(due_at__gt=timezone.now()).order_by("due_at").values_list("due_at", flat=True).first()
