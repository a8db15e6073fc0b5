"""Build the fairness page: evenness, meetings, seats, deals and sources of results.

`fairness_page(...)` turns `FairnessFacts` into the values that the template renders. `fairness.py` counts and words
the verdict.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.formats import pairs
from league.formats.race import HEAD_TO_HEAD
from league.ledger.in_words import group_title
from league.lib.csv import Row
from league.lib.translate import translate
from league.models import HandScore, Round, Stage
from league.public import fairness as even
from league.public.fairness import Meetings
from league.public.pictures.bracket import Person
from league.public.pictures.matrix import Cell, Glyph, Matrix, glyph, matrix_of
from league.rounds.draw import draw_seed
from league.rounds.seeding import BY_RATING

MOST_IN_FULL = 16  # with more players the cells of the matrix are smaller
MOST_IN_MATRIX = 60  # with more players there is no matrix: a challenge may have a thousand
MOST_DOTS = 6


@dataclass(frozen=True)
class FairnessFacts:
    """Data read for the page.

    players: players of the chosen group, if the stage has groups. plan: their rows in all drawn rounds. sources:
    number of hands by source. deals: hands dealt by each player, counted only without partners.
    """

    slug: str
    stage: Stage
    players: Sequence[Person]
    plan: Sequence[Row]
    group: int = 1
    sources: Mapping[str, int] = field(default_factory=dict)
    deals: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def published(self) -> list[Row]:
        return [row for row in self.plan if row["round_state"] != Round.State.DRAFT]

    @property
    def ids(self) -> list[str]:
        return [person.id for person in self.players]

    @property
    def is_small(self) -> bool:
        """Return whether many players need small matrix cells."""
        return len(self.players) > MOST_IN_FULL


class Group(NamedTuple):
    number: int
    title: str
    is_shown: bool


class Nothing(NamedTuple):
    """Text of an empty page."""

    title: str
    text: str


@dataclass(frozen=True)
class MetSection:
    """Meetings. csv_alone: text instead of a matrix with too many players. hint: what decides the meetings."""

    title: str
    matrix: Matrix | None
    csv_alone: str = ""
    hint: str = ""


class Heading(NamedTuple):
    """spoken: screen reader text in place of a single letter."""

    label: str
    spoken: str = ""


class Count(NamedTuple):
    """most: length of the bar after the number; 0: no bar."""

    number: int
    most: int = 0


@dataclass(frozen=True)
class SeatsLine:
    name: str
    url: str
    counts: Sequence[Count]


@dataclass(frozen=True)
class SeatsSection:
    """Seats, deals and byes of each player."""

    title: str
    text: str
    caption: str
    headings: Sequence[Heading]
    lines: Sequence[SeatsLine]


@dataclass(frozen=True)
class FirstLine:
    """Number of first deals. dots: one for each possible first deal, filled or not; empty if there are many."""

    name: str
    number: int
    dots: Sequence[bool]


class Source(NamedTuple):
    label: str
    hands: str


@dataclass(frozen=True)
class FairnessPage:
    """groups: choices. nothing: text in place of `met`, `seats` and `first` before round 1 is published."""

    is_small: bool
    groups: Sequence[Group]
    verdict: str
    nothing: Nothing | None
    met: MetSection | None
    seats: SeatsSection | None
    first: Sequence[FirstLine]
    sources: Sequence[Source]


class _Sections(NamedTuple):
    """Parts that differ between pairs, teams and single players. first: number of first deals of each player."""

    verdict: Sequence[str]
    met: MetSection
    seats: SeatsSection | None
    first: Sequence[int]


def fairness_page(facts: FairnessFacts) -> FairnessPage:
    stage = facts.stage
    of_kind = _of_teams if stage.has_teams else _of_partners if stage.has_partners else _of_singles
    sections, is_shown = of_kind(facts), bool(facts.published)
    return FairnessPage(
        is_small=facts.is_small,
        groups=_groups(facts) if is_shown and stage.groups > 1 else (),
        verdict=" ".join(sections.verdict),
        nothing=None if is_shown else _nothing_yet(stage),
        met=sections.met if is_shown else None,
        seats=sections.seats if is_shown else None,
        first=_first_deals(facts, sections.first) if is_shown and not facts.is_small else (),
        sources=[_source(*counted) for counted in Counter(facts.sources).most_common()],
    )


def _groups(facts: FairnessFacts) -> list[Group]:
    numbers, by_place = range(1, facts.stage.groups + 1), facts.stage.by_place
    return [Group(number, group_title(number, by_place=by_place), number == facts.group) for number in numbers]


def _nothing_yet(stage: Stage) -> Nothing:
    if stage.has_teams:
        text = _("Meetings of the teams appear here when round 1 is published.")
    elif stage.has_partners:
        text = _("Partners and opponents appear here when round 1 is published.")
    else:
        text = _("Meetings of the players appear here when round 1 is published.")
    return Nothing(_("No meetings yet"), text)


def _source(source: str, count: int) -> Source:
    hands = ngettext("%(count)s hand", "%(count)s hands", count) % {"count": count}
    return Source(str(HandScore.Source(source).label), hands)


def _first_deals(facts: FairnessFacts, first: Sequence[int]) -> list[FirstLine]:
    most = max(first, default=0)
    places = range(most if most <= MOST_DOTS else 0)
    both = zip(facts.players, first, strict=True) if first else ()
    return [FirstLine(person.name, times, [place < times for place in places]) for person, times in both]


# --- partners


def _of_partners(facts: FairnessFacts) -> _Sections:
    met, ids = even.count_meetings(facts.published), facts.ids
    times = {(one, other): (met.partnered[one, other], met.opposed[one, other]) for one in ids for other in ids}
    pictures = {both: glyph(*both) for both in times.values()}

    def cell(one: Person, other: Person) -> Cell:
        return _pair_cell(one, other, pictures[times[one.id, other.id]], is_small=facts.is_small)

    matrix = matrix_of(
        facts.players,
        cell,
        label=_("Partners and opponents, scroll sideways"),
        caption=_("Number of rounds as partners and as opponents"),
        is_small=facts.is_small,
        glyphs=sorted(pictures.values(), key=lambda picture: picture.key),
    )
    section = MetSection(_("Partners and opponents"), matrix)
    return _Sections(_verdict(facts), section, _seats_of_partners(facts, met), ())


def _verdict(facts: FairnessFacts) -> list[str]:
    if not facts.plan:
        return []
    ids, both = facts.ids, (facts.published, facts.plan)
    so_far, whole = (pairs.properties(len(ids), even.seatings(rows, ids)) for rows in both)
    return even.verdict(so_far, whole)


def _pair_cell(one: Person, other: Person, picture: Glyph, *, is_small: bool) -> Cell:
    times = {"partnered": picture.partnered, "opposed": picture.opposed}
    title = ""
    if not is_small:
        words = _("%(one)s and %(two)s: partners %(partnered)s, opponents %(opposed)s")
        title = words % {"one": one.name, "two": other.name, **times}
    return Cell(
        css="" if picture.partnered or picture.opposed else "todo",
        picture=picture.key,
        spoken=_("partners %(partnered)s, opponents %(opposed)s") % times,
        title=title,
    )


def _seats_of_partners(facts: FairnessFacts, met: Meetings) -> SeatsSection:
    most = max((met.in_seat[player, seat] for player in facts.ids for seat in range(pairs.SEATS)), default=0)

    def counts(player: str) -> list[Count]:
        return [Count(met.in_seat[player, seat], most) for seat in range(pairs.SEATS)]

    return SeatsSection(
        title=_("Seats and deals"),
        text=_("North deals the first hand of each round. The deal then passes to the left."),
        caption=_("Rounds in each seat, hands dealt, and byes"),
        headings=[
            Heading(_("Player")),
            Heading(pgettext("north", "N"), _("North")),
            Heading(pgettext("east", "E"), _("East")),
            Heading(pgettext("south", "S"), _("South")),
            Heading(pgettext("west", "W"), _("West")),
            *_deals_and_byes(met),
        ],
        lines=_seat_lines(facts, lambda player: [*counts(player), *_dealt_and_sat_out(facts.stage, met, player)]),
    )


def _hands(stage: Stage) -> int:
    return stage.hands_per_round or pairs.SEATS


def _deals_and_byes(met: Meetings) -> list[Heading]:
    return [Heading(_("Deals")), *([Heading(_("Byes"))] if any(met.byes.values()) else [])]


def _dealt_and_sat_out(stage: Stage, met: Meetings, player: str) -> list[Count]:
    """Return the last columns if a seat decides the dealer."""
    deals = Counter(pairs.dealer_seat(hand) for hand in range(1, _hands(stage) + 1))
    dealt = Count(sum(deals[seat] * met.in_seat[player, seat] for seat in range(pairs.SEATS)))
    return [dealt, *([Count(met.byes[player])] if any(met.byes.values()) else [])]


def _seat_lines(facts: FairnessFacts, counts: Callable[[str], Sequence[Count]]) -> list[SeatsLine]:
    def url(person: Person) -> str:
        return reverse("scorecard", args=[facts.slug, person.id])

    return [SeatsLine(person.name, url(person), counts(person.id)) for person in facts.players]


# --- teams


def _of_teams(facts: FairnessFacts) -> _Sections:
    """Return the meetings of teams and, if the schedule sets the first dealer, the number of first seats."""
    met, stage = even.count_meetings(facts.published), facts.stage
    section = MetSection(
        _("Who played whom"),
        _matrix_of_meetings(facts, met, _("Number of meetings of two teams")),
        csv_alone=_("Too many teams for a table here. The CSV lists all meetings."),
        hint=_("Seeds and results decide the meetings.") if stage.plays.in_tree else "",
    )
    if not stage.drawn_ahead:
        return _Sections((), section, None, ())
    planned = even.count_meetings(facts.plan)
    rounds, so_far = _rounds_in(facts.plan), _rounds_in(facts.published)
    verdict = even.verdict_of_teams(rounds, so_far, planned, facts.ids)
    first = [met.in_seat[team, 0] for team in facts.ids]
    return _Sections(verdict, section, _sides_of_teams(facts, met) if facts.players else None, first)


def _sides_of_teams(facts: FairnessFacts, met: Meetings) -> SeatsSection:
    north, east = pgettext("north", "N"), pgettext("east", "E")
    south, west = pgettext("south", "S"), pgettext("west", "W")
    return SeatsSection(
        title=_("Sides and deals"),
        text=_(
            "North deals the first hand of each round. The deal then passes to the left. Team "
            "members take turns in the first seat."
        ),
        caption=_("Rounds on each side, hands dealt, and byes"),
        headings=[
            Heading(_("Team")),
            Heading(f"{north}, {south}", _("North and South")),
            Heading(f"{east}, {west}", _("East and West")),
            *_deals_and_byes(met),
        ],
        lines=_seat_lines(
            facts,
            lambda team: [
                *(Count(met.in_seat[team, seat]) for seat in range(2)),
                *_dealt_and_sat_out(facts.stage, met, team),
            ],
        ),
    )


# --- single players


def _of_singles(facts: FairnessFacts) -> _Sections:
    """Return meetings, table sizes and deals at tables without partners."""
    met, ids, stage = even.count_meetings(facts.published), facts.ids, facts.stage
    how_even = stage.plays.how_even(len(ids), even.seatings_of_singles(facts.plan, ids))
    seated = [row for row in facts.published if row["table"] != "bye"]
    size_of = Counter((row["round"], row["table"]) for row in seated)
    before_the_last_two = [size for size in size_of.values() if size != HEAD_TO_HEAD or not stage.eliminates]
    section = MetSection(
        _("Who played whom"),
        _matrix_of_meetings(facts, met, _("Number of rounds at the same table")),
        csv_alone=_("Too many players for a table here. The CSV lists all meetings."),
        hint=_how_drawn(stage),
    )
    return _Sections(
        [
            *even.verdict_of_singles(_rounds_in(facts.published), met, before_the_last_two),
            *even.verdict_of_schedule(_rounds_in(facts.plan), translate(how_even) if how_even else ""),
        ],
        section,
        _tables_of_singles(facts, seated, size_of),
        [met.in_seat[player, 0] for player in ids],
    )


def _rounds_in(rows: Sequence[Row]) -> int:
    return len({row["round"] for row in rows})


def _how_drawn(stage: Stage) -> str:
    if stage.plays.in_tree:
        return _("Seeds and results decide the meetings.")
    if stage.drawn_ahead:
        return ""
    words = _(
        "Closing a round draws the next one, with as few repeated meetings as possible. The seed "
        "“%(seed)s” makes the draw repeatable."
    )
    sentences = [words % {"seed": draw_seed(stage)}]
    if stage.order_seed == BY_RATING:
        sentences.append(_("Round 1 spread the strongest players over the tables, by the ratings in the log."))
    return " ".join(sentences)


def _tables_of_singles(
    facts: FairnessFacts, seated: Sequence[Row], size_of: Mapping[tuple[int, int], int]
) -> SeatsSection:
    """size_of: number of players at a table, by (round, table number)."""
    at_size = Counter((row["player_id"], size_of[row["round"], row["table"]]) for row in seated)
    sizes = sorted(set(size_of.values()), reverse=True)

    def counts(player: str) -> list[Count]:
        at = [at_size[player, size] for size in sizes]
        return [Count(number) for number in (sum(at), *at, facts.deals.get(player, 0))]

    return SeatsSection(
        title=_("Tables and deals"),
        text=_("The deal passes to the next active player on the left."),
        caption=_("Rounds by table size, and hands dealt"),
        headings=[
            Heading(_("Player")),
            Heading(_("Rounds")),
            *(Heading(_("Table of %(size)s") % {"size": size}) for size in sizes),
            Heading(_("Deals")),
        ],
        lines=_seat_lines(facts, counts),
    )


# --- meetings


def _matrix_of_meetings(facts: FairnessFacts, met: Meetings, caption: str) -> Matrix | None:
    if not 0 < len(facts.players) <= MOST_IN_MATRIX:
        return None

    def cell(one: Person, other: Person) -> Cell:
        times = met.opposed[one.id, other.id]
        return Cell("num" if times == 1 else "num strong" if times else "num todo", str(times))

    label = _("Meetings, scroll sideways")
    return matrix_of(facts.players, cell, label=label, caption=caption, is_small=facts.is_small)
