"""The draw and the podium as the hall screen presents them: everything that it reveals, in order."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from league.lib.csv import Row
from league.lib.translate import names
from league.models import Round, Tournament
from league.pages.links import Button
from league.public import tables as exports
from league.public.tables import Wanted
from league.screen.shows import Kind, current_show, has_podium, round_to_draw
from league.standings import read as ledger
from league.standings.deciding_hand import decision_in_words
from league.standings.ranking import on_podium
from league.standings.result_in_words import result_in_words

ALL = 20_000  # milliseconds until the last name
ONE = 2_500  # at most for one name
STEP = 4_000  # between two places of the podium
FEW = 4  # seats around a drawn table; larger ones have a list
BY_NAME = 16  # players who are still to come, by name; of more only their number
PLACES = {2: "ns", 3: "nes", 4: "nesw"}  # compass points of the seats, clockwise


@dataclass(frozen=True)
class DrawnName:
    """A seat at a table. step: its turn, from 1. place: a compass point, or empty in a list."""

    name: str
    step: int
    place: str = ""


@dataclass(frozen=True)
class DrawnTable:
    number: int
    names: Sequence[DrawnName]


@dataclass(frozen=True)
class DrawPage:
    """Tables visible at one time. css: their layout. to_come: the names below, if they are few."""

    key: str
    css: str
    tables: Sequence[DrawnTable]
    to_come: Sequence[DrawnName] = ()


@dataclass(frozen=True)
class PodiumStep:
    """A place with the names that share it. decided: the deciding hand, for the winner."""

    rank: int
    names: Sequence[str]
    result: str
    step: int
    decided: str = ""


@dataclass(frozen=True)
class Presented:
    """What the screen presents. key: differs from that of an earlier show. pace: milliseconds from step to step.

    steps: their number. byes: players without a table, in words.
    """

    key: str
    title: str
    pace: int
    steps: int
    pages: Sequence[DrawPage] = ()
    podium: Sequence[PodiumStep] = ()
    byes: str = ""


@dataclass(frozen=True)
class Showing:
    """What a director may let the screens present. sentence: what they show now, or when something can be shown."""

    sentence: str
    buttons: Sequence[Button]


def showing_of(tournament: Tournament) -> Showing:
    """Return the buttons for the hall screens."""
    show, played = current_show(tournament), round_to_draw(tournament)
    url = reverse("screen_show", args=[tournament.slug])
    buttons = []
    if played is not None:
        label = _("Show the draw again") if show else _("Show the draw of round %(number)d") % {"number": played.number}
        buttons.append(Button(label, url, "show", Kind.DRAW))
    elif has_podium(tournament):
        label = _("Show the podium again") if show else _("Show the podium")
        buttons.append(Button(label, url, "show", Kind.PODIUM))
    if show is None:
        later = _("The draw can be shown when a round is published, the podium when the standings are final.")
        return Showing("" if buttons else later, buttons)
    back = Button(_("Back to the pages"), url, "show", "back", is_main=True)
    if show.kind == Kind.DRAW:
        sentence = _("The screens show the draw, until the clock starts or a hand is recorded.")
    else:
        sentence = _("The screens show the podium.")
    return Showing(sentence, [back, *buttons])


def presented_on(tournament: Tournament, only: str = "") -> Presented | None:
    """Return what a screen presents. only: the part of a second screen; the clock's presents nothing."""
    show = current_show(tournament)
    if show is None or only not in ("", "seating" if show.kind == Kind.DRAW else "standings"):
        return None
    key = f"{show.kind}-{show.started_at.timestamp():.6f}"
    if show.kind == Kind.DRAW:
        return _draw(key, show.round) if show.round is not None else None
    return _podium(key, tournament)


def _draw(key: str, played: Round) -> Presented:
    rows = list(exports.sitting_rows(played.tournament, Wanted(round=played.number)))
    by_table: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row["table"] != "bye":
            by_table[row["table"]].append(row)
    largest = max(map(len, by_table.values()), default=0)
    layout, size = _layout(len(by_table), largest)
    tables, step = [], 0
    for number in sorted(by_table):
        seated = sorted(by_table[number], key=lambda row: row["seat"])
        places = PLACES.get(len(seated), "") if layout == "draw-ring" else ""
        tables.append(
            DrawnTable(
                number,
                [DrawnName(row["player"], step + at, places[at - 1 : at]) for at, row in enumerate(seated, 1)],
            )
        )
        step += len(seated)
    by_name = step <= BY_NAME
    pages = [
        DrawPage(f"draw-{at}", layout, part, [name for table in part for name in table.names] if by_name else ())
        for at, part in enumerate((tables[start : start + size] for start in range(0, len(tables), size)), 1)
    ]
    without = [row["player"] for row in rows if row["table"] == "bye"]
    return Presented(
        key=key,
        title=_("Draw of round %(number)d") % {"number": played.number},
        pace=min(ONE, ALL // max(1, step)),
        steps=step,
        pages=pages,
        byes=_("Bye: %(names)s") % {"names": names(without)} if without else "",
    )


def _layout(tables: int, largest: int) -> tuple[str, int]:
    """Return the layout and the number of tables on a page. largest: most seats at a table."""
    if tables <= 2 and largest <= FEW:
        return "draw-ring", 2
    if largest > FEW:
        return "draw-4", 4
    return ("draw-6", 6) if tables <= 6 else ("draw-9", 9)


def _podium(key: str, tournament: Tournament) -> Presented:
    book = ledger.read(tournament)
    first = on_podium(book.standings())
    ranks = sorted({line.rank for line in first if line.rank is not None}, reverse=True)
    steps = {
        rank: PodiumStep(
            rank=rank,
            names=[line.entrant.name for line in first if line.rank == rank],
            result=next(result_in_words(line) for line in first if line.rank == rank),
            step=at,
            decided=decision_in_words(book) if rank == 1 else "",
        )
        for at, rank in enumerate(ranks, 1)
    }
    return Presented(
        key=key,
        title=_("Final standings"),
        pace=STEP,
        steps=len(steps),
        podium=[steps[rank] for rank in (2, 1, 3) if rank in steps],
    )
