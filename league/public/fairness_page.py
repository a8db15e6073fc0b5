"""What the fairness page says: how even the seating is, who met whom, who sat and dealt where, how results came in.

`fairness_page(...)` decides all of it from what `FairnessFacts` were read; the template lays it out. Counting, and the
sentences about it, are in `fairness.py`.
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
    """players: those of the group that is shown, if the stage has groups. plan: their rows of all drawn rounds.

    sources: how many hands came in by which way. deals: how many each player dealt, counted only without partners.
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
        """Whether the matrix has small cells, since there are many players."""
        return len(self.players) > MOST_IN_FULL


class Group(NamedTuple):
    number: int
    title: str
    is_shown: bool


class Nothing(NamedTuple):
    """What appears here later."""

    title: str
    text: str


@dataclass(frozen=True)
class MetSection:
    """Who met whom. csv_alone: said instead of a matrix of too many. hint: what follows from what."""

    title: str
    matrix: Matrix | None
    csv_alone: str = ""
    hint: str = ""


class Heading(NamedTuple):
    """spoken: by screen readers, instead of a letter."""

    label: str
    spoken: str = ""


class Count(NamedTuple):
    """most: the length of a bar behind the number; 0: none."""

    number: int
    most: int = 0


@dataclass(frozen=True)
class SeatsLine:
    name: str
    url: str
    counts: Sequence[Count]


@dataclass(frozen=True)
class SeatsSection:
    """How often everybody sat where, dealt and sat out."""

    title: str
    text: str
    caption: str
    headings: Sequence[Heading]
    lines: Sequence[SeatsLine]


@dataclass(frozen=True)
class FirstLine:
    """How often somebody had the first deal. dots: as many as the one with most had, filled or not; none where many."""

    name: str
    number: int
    dots: Sequence[bool]


class Source(NamedTuple):
    label: str
    hands: str


@dataclass(frozen=True)
class FairnessPage:
    """groups: to choose from. nothing: instead of `met`, `seats` and `first`, as long as no round was published."""

    is_small: bool
    groups: Sequence[Group]
    verdict: str
    nothing: Nothing | None
    met: MetSection | None
    seats: SeatsSection | None
    first: Sequence[FirstLine]
    sources: Sequence[Source]


class _Sections(NamedTuple):
    """What differs between pairs, teams and players for themselves. first: how often each had the first deal."""

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
        text = _("Which team met which appears here when round 1 is published.")
    elif stage.has_partners:
        text = _("Who was whose partner and opponent appears here when round 1 is published.")
    else:
        text = _("Who sat at whose table appears here when round 1 is published.")
    return Nothing(_("Nobody has met anybody yet"), text)


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
        caption=_("How often two were partners and opponents"),
        is_small=facts.is_small,
        glyphs=sorted(pictures.values(), key=lambda picture: picture.key),
    )
    first = [met.in_seat[player, 0] for player in ids]
    section = MetSection(_("Partners and opponents"), matrix)
    return _Sections(_verdict(facts), section, _seats_of_partners(facts, met), first)


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
    text = [_("North deals the first hand of a round, and the deal passes to the left.")]
    if _hands(facts.stage) % pairs.SEATS == 0:
        text.append(_("So everybody at a table deals equally often in each round."))
    most = max((met.in_seat[player, seat] for player in facts.ids for seat in range(pairs.SEATS)), default=0)

    def counts(player: str) -> list[Count]:
        return [Count(met.in_seat[player, seat], most) for seat in range(pairs.SEATS)]

    return SeatsSection(
        title=_("Seats and deals"),
        text=" ".join(text),
        caption=_("Rounds in each seat, hands dealt and rounds without a table"),
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
    return [Heading(_("Deals")), *([Heading(_("Sat out"))] if any(met.byes.values()) else [])]


def _dealt_and_sat_out(stage: Stage, met: Meetings, player: str) -> list[Count]:
    """The last columns of those whose seat says who deals."""
    deals = Counter(pairs.dealer_seat(hand) for hand in range(1, _hands(stage) + 1))
    dealt = Count(sum(deals[seat] * met.in_seat[player, seat] for seat in range(pairs.SEATS)))
    return [dealt, *([Count(met.byes[player])] if any(met.byes.values()) else [])]


def _seat_lines(facts: FairnessFacts, counts: Callable[[str], Sequence[Count]]) -> list[SeatsLine]:
    def url(person: Person) -> str:
        return reverse("scorecard", args=[facts.slug, person.id])

    return [SeatsLine(person.name, url(person), counts(person.id)) for person in facts.players]


# --- teams


def _of_teams(facts: FairnessFacts) -> _Sections:
    """Which teams met and, where a schedule says who deals first, how often each had those seats."""
    met, stage = even.count_meetings(facts.published), facts.stage
    section = MetSection(
        _("Who met whom"),
        _matrix_of_meetings(facts, met, _("How often two teams met")),
        csv_alone=_("With so many teams, who met whom stands in the CSV alone."),
        hint=_("Who meets whom follows from the seeds and the results.") if stage.plays.in_tree else "",
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
            "North deals the first hand of a round, and the deal passes to the left. The two of a team take turns in "
            "its first seat."
        ),
        caption=_("Rounds on each side, hands dealt and rounds without a table"),
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


# --- players for themselves


def _of_singles(facts: FairnessFacts) -> _Sections:
    """Tables without partners: who met whom, at tables of which size, and how often each player dealt."""
    met, ids, stage = even.count_meetings(facts.published), facts.ids, facts.stage
    how_even = stage.plays.how_even(len(ids), even.seatings_of_singles(facts.plan, ids))
    seated = [row for row in facts.published if row["table"] != "bye"]
    size_of = Counter((row["round"], row["table"]) for row in seated)
    before_the_last_two = [size for size in size_of.values() if size != HEAD_TO_HEAD or not stage.eliminates]
    section = MetSection(
        _("Who met whom"),
        _matrix_of_meetings(facts, met, _("In how many rounds two sat at one table")),
        csv_alone=_("With so many players, who met whom stands in the CSV alone."),
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
        return _("Who meets whom follows from the seeds and the results.")
    if stage.drawn_ahead:
        return ""
    words = _(
        "Each round is drawn when the one before is closed, so that those who are still in meet as seldom as possible. "
        "It is drawn by the seed “%(seed)s”: anybody can draw it again."
    )
    sentences = [words % {"seed": draw_seed(stage)}]
    if stage.order_seed == BY_RATING:
        sentences.append(_("In round 1 the strongest were spread over the tables by their ratings, which the log has."))
    return " ".join(sentences)


def _tables_of_singles(
    facts: FairnessFacts, seated: Sequence[Row], size_of: Mapping[tuple[int, int], int]
) -> SeatsSection:
    """size_of: the number of players at a table, by round and number."""
    at_size = Counter((row["player_id"], size_of[row["round"], row["table"]]) for row in seated)
    sizes = sorted(set(size_of.values()), reverse=True)

    def counts(player: str) -> list[Count]:
        at = [at_size[player, size] for size in sizes]
        return [Count(number) for number in (sum(at), *at, facts.deals.get(player, 0))]

    return SeatsSection(
        title=_("Tables and deals"),
        text=_("The deal passes to the left, to the next who is still in."),
        caption=_("Rounds at tables of each size, hands dealt"),
        headings=[
            Heading(_("Player")),
            Heading(_("Rounds")),
            *(Heading(_("Table of %(size)s") % {"size": size}) for size in sizes),
            Heading(_("Deals")),
        ],
        lines=_seat_lines(facts, counts),
    )


# --- everybody with everybody


def _matrix_of_meetings(facts: FairnessFacts, met: Meetings, caption: str) -> Matrix | None:
    if not 0 < len(facts.players) <= MOST_IN_MATRIX:
        return None

    def cell(one: Person, other: Person) -> Cell:
        times = met.opposed[one.id, other.id]
        return Cell("num" if times == 1 else "num strong" if times else "num todo", str(times))

    label = _("Who met whom, scroll sideways")
    return matrix_of(facts.players, cell, label=label, caption=caption, is_small=facts.is_small)
