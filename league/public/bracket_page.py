"""Build the bracket page: pictures of the rounds, their key, and the rounds as a list.

`bracket_page(...)` turns `BracketFacts` into the values that the template renders. Columns come from
`bracket_rows.py`, coordinates from `pictures/`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.template.defaultfilters import capfirst, floatformat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.ledger.state_marks import STATES, StateMark
from league.lib.translate import figure, label_text
from league.models import Table
from league.pages.links import Choice
from league.public.crosstables import Crosstable
from league.public.pictures import bracket as drawing
from league.public.pictures.bracket import Column, CutLine, Person, Picture, Side, TableOfRound
from league.public.pictures.ladder_picture import Drawn, Ladder, Step, ladders_of


@dataclass(frozen=True)
class BracketFacts:
    """Data read for the page.

    windows: round numbers of each part of a long tournament. window: the chosen part. current: the newest round.
    players: choices for the highlighted path. way_of: the chosen player, way_text: that player's progress. to_come:
    the planned rounds, before round 1 is published. printable: a round is published. target: points that eliminate a
    player in a race.
    """

    slug: str
    columns: Sequence[Column]
    windows: Sequence[Sequence[int]] = ()
    window: Sequence[int] = ()
    current: int | None = None
    players: Sequence[Person] = ()
    way_of: Person | None = None
    way_text: str = ""
    to_come: Sequence[str] = ()
    printable: bool = False
    target: int | None = None
    changes_partners: bool = False
    crosstables: Sequence[Crosstable] = ()

    @property
    def way_id(self) -> str | None:
        return self.way_of.id if self.way_of else None

    @cached_property
    def ladders(self) -> list[Ladder]:
        return ladders_of(self.columns, self.way_id)

    @cached_property
    def followed(self) -> list[Column]:
        """Return the rounds drawn as one picture with a line for each player."""
        return [column for column in self.columns if column.ladder is None]

    @cached_property
    def picture(self) -> Picture | None:
        return drawing.draw(self.followed, self.way_id) if self.followed else None


class Row(NamedTuple):
    """A player at a table. css: classes. full: the name with the note. spoken: text for screen readers."""

    css: str
    name: str
    full: str
    note: str
    seed: int | None
    advances: bool
    points: str
    spoken: str


@dataclass(frozen=True)
class LadderTable:
    """css: classes. mark: the visible state of the table, if any."""

    css: str
    title: str
    mark: StateMark | None
    rows: Sequence[Row]


@dataclass(frozen=True)
class LadderStep:
    """A round of a ladder. url: its seating; empty for a future round. lines, mine: paths to the next round."""

    key: str
    title: str
    url: str
    text: str
    is_now: bool
    has_third: bool
    tables: Sequence[LadderTable]
    lines: Sequence[str]
    mine: Sequence[str]


@dataclass(frozen=True)
class LadderPicture:
    """title: heading; empty for the first ladder. dots, label: screen reader names of its dots and columns."""

    title: str
    dots: str
    label: str
    in_tree: bool
    view_box: str
    steps: Sequence[LadderStep]


class KeyLine(NamedTuple):
    """Meaning of a line or an icon in the picture. stroke, dashes: style of the line. css: classes of either."""

    text: str
    icon: str = ""
    css: str = ""
    stroke: str = ""
    dashes: str = ""


class CutRow(NamedTuple):
    """css: class of the row. by_place, by_share: this value separates the row from the other side of the cut."""

    css: str
    name: str
    table: int
    place: int
    points: str
    mean: str
    share: str
    by_place: bool
    by_share: bool


@dataclass(frozen=True)
class Cut:
    """Comparison of players at different tables for the next-best places."""

    where: str
    rows: Sequence[CutRow]
    text: str


@dataclass(frozen=True)
class ListedSide:
    """people: (name, whether the path is highlighted). text: the outcome with points."""

    people: Sequence[tuple[str, bool]]
    text: str


@dataclass(frozen=True)
class ListedTable:
    number: int
    sides: Sequence[ListedSide]
    progress: str


@dataclass(frozen=True)
class ListedRound:
    """byes: names of players with a bye. again: sentences about players who return after rounds without a seat."""

    title: str
    url: str
    spoken: str
    tables: Sequence[ListedTable]
    byes: str
    again: Sequence[str]


@dataclass(frozen=True)
class BracketPage:
    """Everything the template renders.

    to_come: planned rounds, before round 1 is published. people: choices for the highlighted path; way: the chosen
    player and their progress. windows: parts of a long tournament; from_round: first round of the chosen part.
    picture: rounds outside ladders; newest: x where the newest round ends. svg_url: address of the picture as a file.
    """

    is_empty: bool
    to_come: Sequence[str]
    people: Sequence[Choice]
    from_round: int | None
    windows: Sequence[Choice]
    printable: bool
    way: tuple[str, str] | None
    ladders: Sequence[LadderPicture]
    picture: Picture | None
    picture_title: str
    newest: int | None
    key: Sequence[KeyLine]
    crosstables: Sequence[Crosstable]
    svg_url: str
    cuts: Sequence[Cut]
    rounds: Sequence[ListedRound]


def bracket_page(facts: BracketFacts) -> BracketPage:
    picture = facts.picture
    placed = picture.columns if picture else ()
    return BracketPage(
        is_empty=not facts.columns,
        to_come=facts.to_come,
        people=[Choice(person.id, person.name, person == facts.way_of) for person in facts.players],
        from_round=facts.window[0] if len(facts.windows) > 1 else None,
        windows=[_window(facts, window) for window in facts.windows] if len(facts.windows) > 1 else (),
        printable=facts.printable,
        way=(facts.way_of.name, capfirst(facts.way_text)) if facts.way_of and facts.way_text else None,
        ladders=[_ladder(facts, ladder) for ladder in facts.ladders],
        picture=picture,
        picture_title=_("Other stages") if picture and facts.ladders else "",
        newest=next((one.end for one in placed if one.column.number == facts.current), None),
        key=key_of(facts),
        crosstables=facts.crosstables,
        svg_url=_svg_url(facts),
        cuts=[_cut(column) for column in facts.columns if column.cut],
        rounds=[_listed(facts, column) for column in facts.columns if not column.to_come],
    )


def _window(facts: BracketFacts, window: Sequence[int]) -> Choice:
    start, last = window[0], window[-1]
    label = str(start) if start == last else _("%(start)s to %(last)s") % {"start": start, "last": last}
    return Choice(f"?{_query(start, facts.way_id)}", label, start == facts.window[0])


def _query(start: int | None, player: str | None) -> str:
    parameters = {"from": start, "player": player}
    return urlencode({name: value for name, value in parameters.items() if value})


def _svg_url(facts: BracketFacts) -> str:
    query = _query(facts.window[0] if len(facts.windows) > 1 else None, facts.way_id)
    url = reverse("bracket_svg", args=[facts.slug])
    return f"{url}?{query}" if query else url


def _seating_url(facts: BracketFacts, number: int) -> str:
    return f"{reverse('seating', args=[facts.slug])}?round={number}"


# --- ladders and trees


def _ladder(facts: BracketFacts, ladder: Ladder) -> LadderPicture:
    return LadderPicture(
        title=ladder.part if ladder.number > 1 else "",
        dots=ladder.part or _("Rounds"),
        label=ladder.part or _("Rounds side by side"),
        in_tree=ladder.in_tree,
        view_box=ladder.view_box,
        steps=[_step(facts, step) for step in ladder.steps],
    )


def _step(facts: BracketFacts, step: Step) -> LadderStep:
    column = step.column
    return LadderStep(
        key=column.key,
        title=column.heading,
        url="" if column.to_come else _seating_url(facts, column.number),
        text=column.summary,
        is_now=column.number == facts.current,
        has_third=step.has_third,
        tables=[_table(column, drawn, facts.way_id) for drawn in step.tables],
        lines=step.lines,
        mine=step.mine,
    )


def _table(column: Column, drawn: Drawn, way_of: str | None) -> LadderTable:
    table = drawn.table
    return LadderTable(
        css=_classes(
            ("bk-live", bool(table.progress)),
            ("bk-to-come", column.to_come),
            ("bk-free", table.is_free),
            ("bk-fin", bool(column.final) or table.is_final),
        ),
        title=table.heading,
        mark=_mark(table),
        rows=[_row(side, person, is_mine=person.id == way_of) for side in table.sides for person in side.people],
    )


def _classes(*words: tuple[str, bool]) -> str:
    return " ".join(word for word, holds in words if holds)


def _mark(table: TableOfRound) -> StateMark | None:
    if not table.state_text:
        return None
    if not table.state:
        return StateMark("i-wait", table.state_text)
    if table.progress:
        return StateMark("i-play", table.state_text, "live")
    icon, tint = STATES[table.state]
    return StateMark(icon, str(Table.State(table.state).label), tint)


def _row(side: Side, person: Person, *, is_mine: bool) -> Row:
    return Row(
        css=_classes(
            ("on", side.advances), ("won", side.won), ("off", bool(side.status)), ("pos", side.waits), ("me", is_mine)
        ),
        name=person.name,
        full=f"{person.name}, {side.note}" if side.note else person.name,
        note=side.note,
        seed=side.seed,
        advances=side.advances,
        points="" if side.points is None else figure(side.points),
        spoken=_spoken(side, person),
    )


def _spoken(side: Side, person: Person) -> str:
    """Return text such as “Zoë, seed 1, 183 points, advances”."""
    words = [person.name]
    if side.seed:
        words.append(_("seed %(number)d") % {"number": side.seed})
    if side.note:
        words.append(side.note)
    if side.points is not None:
        points = ngettext("%(points)s point", "%(points)s points", side.points)
        words.append(points % {"points": figure(side.points)})
    if side.status:
        words.append(side.status)
    elif side.advances:
        words.append(_("advances"))
    return ", ".join(words)


# --- key


def key_of(facts: BracketFacts) -> list[KeyLine]:
    """Explain lines, crosses and numbers."""
    lines = []
    if facts.way_of:
        text = _("path of %(name)s") % {"name": facts.way_of.name}
        lines.append(KeyLine(text, css="mineline", stroke="4"))
    if facts.picture and (facts.picture.past or facts.picture.way_past):
        lines.append(KeyLine(_("back after rounds without a seat"), stroke="1.5", dashes="6 5"))
    return [*lines, *_of_figures(facts)]


def _of_figures(facts: BracketFacts) -> list[KeyLine]:
    if facts.target:
        out = _("eliminated at %(target)s, with the total") % {"target": facts.target}
        return [
            KeyLine(_("Total after the round; the lowest is best.")),
            KeyLine(out, icon="i-cross", css="ico-s bad-ico"),
        ]
    if facts.changes_partners:
        return [KeyLine(_("Partners are in the same half of a box. The number is their points in the round."))]
    lines = [KeyLine(_("Points in the round, best first."))]
    if facts.ladders:
        lines += [
            KeyLine(_("advances to the next round"), icon="i-check", css="ico-s"),
            KeyLine(_("Eliminated players are grey.")),
        ]
    return lines


# --- next-best players


def _cut(column: Column) -> Cut:
    text = [_("Next-best players are ranked by place, then by points divided by their table’s mean.")]
    if column.cut_by_lot:
        text.append(_("A random tie-break, fixed before the start, decides."))
    if column.is_open:
        text.append(_("Provisional: the round is still running."))
    where = f"{column.heading}, {column.part}" if column.part else column.heading
    return Cut(where, [_cut_row(line) for line in column.cut], " ".join(text))


def _cut_row(line: CutLine) -> CutRow:
    return CutRow(
        css="cut" if line.is_last else "" if line.advances else "behind",
        name=line.person.name,
        table=line.table,
        place=line.place,
        points=figure(line.points),
        mean=floatformat(line.mean, 1),
        share="–" if line.share is None else f"{floatformat(line.share, 1)} %",
        by_place=line.decides == "place",
        by_share=line.decides == "share" and line.share is not None,
    )


# --- list


def _listed(facts: BracketFacts, column: Column) -> ListedRound:
    words = {"number": column.number}
    title = _("Round %(number)s") % words
    if column.final:
        title = label_text(title, column.final)
    return ListedRound(
        title=", ".join(filter(None, (title, column.part, _("draft") if column.draft else ""))),
        url=_seating_url(facts, column.number),
        spoken=_("of round %(number)s") % words,
        tables=[_listed_table(table, facts.way_id) for table in column.seated],
        byes=", ".join(person.name for person in column.byes),
        again=_again(facts, column),
    )


def _listed_table(table: TableOfRound, way_of: str | None) -> ListedTable:
    sides = [
        ListedSide([(person.name, person.id == way_of) for person in side.people], _outcome(side))
        for side in table.sides
    ]
    return ListedTable(table.number, sides, table.progress)


def _outcome(side: Side) -> str:
    words = side.status or side.note or (_("advances to the next round") if side.advances else "")
    points = "–" if side.points is None else figure(side.points)
    return f"{words} {points}".strip()


def _again(facts: BracketFacts, column: Column) -> list[str]:
    """Return sentences about players who return after rounds without a seat."""
    words, followed = _("%(name)s is back, last seated in round %(number)s"), facts.followed
    return [
        words % {"name": absence.person.name, "number": followed[absence.before].number}
        for absence in drawing.find_missed(followed)
        if followed[absence.after] is column
    ]
