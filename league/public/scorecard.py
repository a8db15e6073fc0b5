"""Build a player's scorecard: current seat, hands, rank by round, partners.

`card_of` serves the public scorecard and *My table*; `mine` marks a player's view of their own card.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from league.formats import teams
from league.formats.progression import OUT
from league.ledger.dealer import first_seats_in
from league.ledger.in_words import stage_title
from league.lib import charts
from league.lib.csv import Row
from league.lib.translate import names
from league.log.anchors import log_hash_of
from league.models import Entry, HandScore, Round, Tournament
from league.public import tables as exports
from league.public.pictures.table_plan import DrawnTable, tables_drawn
from league.public.scorecard_hands import CardSeat, Partner, seat_of
from league.public.scorecard_stage import AtTable, Fact, Hands, StageReading, Way, opponents_of, read_stage
from league.public.seating_views import answer_of
from league.public.tables import Wanted
from league.standings import read as ledger
from league.standings.ranking import Standing
from league.standings.read_many import standings_in
from league.standings.team_members import Member, member_rows, members_in_lines


@dataclass(frozen=True)
class Link:
    url: str
    word: str


@dataclass(frozen=True)
class Action:
    """Actions at the player's table: links, or only a sentence."""

    text: str = ""
    links: tuple[Link, ...] = ()
    is_online: bool = False


@dataclass(frozen=True)
class Plan:
    """A drawn table. gone: {player_id: why they no longer play}. dealer: the seat; None: as in the table. found:
    highlighted players.
    """

    table: DrawnTable
    gone: Mapping[str, str] = field(default_factory=dict)
    dealer: int | None = None
    found: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SeatNow:
    """The player's seat in the open round. `hand`: next hand; `progress`: state of the table."""

    seat: CardSeat
    title: str
    who: tuple[str, ...]
    progress: tuple[str, ...] = ()
    hand: int | None = None
    plan: Plan | None = None
    action: Action = Action()

    @property
    def is_bye(self) -> bool:
        return self.seat.table is None

    @property
    def text(self) -> str:
        """Return all sentences below the title."""
        if self.is_bye:
            return " ".join(self.who)
        progress = self.progress
        if not progress and not self.action.text:
            progress = (_("All hands of this round are recorded."),)
        online = (_("Play this table online, in this browser."),) if self.action.is_online else ()
        return " ".join(filter(None, (*self.who, *progress, *online, self.action.text)))


@dataclass(frozen=True)
class AdjustmentLine:
    """A points adjustment."""

    reason: str
    since: str
    points: int


@dataclass(frozen=True)
class Verified:
    """Hands of a table that were played online and can be checked by anyone."""

    round: int
    table_id: int
    hands: tuple[int, ...]


@dataclass(frozen=True)
class InTeam:
    """A team member: “4 of 12 hands won”, and the points."""

    name: str
    about: str
    points: int


@dataclass(frozen=True)
class Card:
    """A scorecard, from published rounds only.

    ranked: number of ranked players. way: progress in a Challenge UNO. earlier: earlier stages, latest first. in_all:
    number of the last round, if known. is_through: has qualified for a future round. ranks: (round, rank).
    """

    standing: Standing | None
    ranked: int
    rounds: tuple[int, ...]
    open_round: int | None
    last_round: int | None
    in_all: int | None
    now: SeatNow | None
    next_seat: CardSeat | None
    way: Way | None
    is_through: bool
    plays_no_more: bool
    hands: Hands
    earlier: tuple[Hands, ...]
    adjustments: tuple[AdjustmentLine, ...]
    verified: tuple[Verified, ...]
    chart: charts.RankChart | None
    ranks: tuple[tuple[int, int | None], ...]
    partners: tuple[Partner, ...]
    members: tuple[InTeam, ...]
    came_and_went: tuple[Fact, ...]

    @property
    def stages(self) -> tuple[Hands, ...]:
        """Return the hands of all stages, latest first."""
        return (self.hands, *self.earlier)


def card_of(tournament: Tournament, entry: Entry, *, mine: bool = False) -> Card:
    """Read the scorecard of an entry."""
    public_id = entry.public_id
    log = log_hash_of(tournament)
    book = ledger.read(tournament)
    lines = standings_in(book, log)
    standing = next((line for line in lines if line.entrant.id == public_id), None)
    ranked = sum(line.rank is not None for line in lines)
    played = [
        round_.number for round_ in book.rounds if book.last_round is not None and round_.number <= book.last_round
    ]
    ranks = book.ranks_by_round(played)
    to_come = sorted({*range(1, book.planned + 1), *played})
    rows = list(exports.sitting_rows(tournament, Wanted(player_id=public_id)))
    before = reversed(tournament.stages.filter(number__lt=book.stage.number)) if book.stage.number > 1 else ()
    books = (book, *(ledger.read(tournament, stage=stage) for stage in before))
    sat_in = [(of, seats) for of in books if (seats := _seats_in(of, entry, rows))]
    latest, own = sat_in[0] if sat_in else (book, [])  # eliminated players see their last stage
    reading = read_stage(latest, entry, own, standing, ranked=ranked, mine=mine)
    line = book.progression.state.lines.get(public_id) if book.progression else None
    now, advances, has_teams = reading.now, book.stage.plays.advances, book.stage.has_teams
    return Card(
        standing=standing,
        ranked=ranked,
        rounds=tuple(round_.number for round_ in book.rounds),
        open_round=next((round_.number for round_ in book.rounds if round_.is_open), None),
        last_round=book.last_round,
        in_all=reading.in_all,
        now=_seat_now(entry, reading, now.seat, is_through=advances, has_teams=has_teams, mine=mine) if now else None,
        next_seat=next((line.seat for line in reading.lines if line.open and line is not now), None),
        way=reading.way,
        is_through=line is not None and line.through,
        # Eliminated in a ladder, or did not qualify for the stage.
        plays_no_more=(line is not None and line.status == OUT) or bool(standing and standing.stage),
        hands=replace(reading.hands, title=stage_title(latest.stage) if book.stage.number > 1 else _("Hand by hand")),
        earlier=tuple(_earlier(of, entry, seats) for of, seats in sat_in[1:]),
        adjustments=tuple(_adjustments(entry)),
        verified=_hands_online(entry),
        chart=charts.rank_chart(ranks, public_id, to_come) if len(played) > 1 else None,
        ranks=tuple((number, ranks[number].get(public_id)) for number in played),
        partners=reading.partners,
        members=tuple(_members(book, entry)),
        came_and_went=tuple(_came_or_went(entry)),
    )


def _seats_in(book: ledger.Ledger, entry: Entry, rows: Sequence[Row]) -> list[CardSeat]:
    """Return the entry's seats in a stage: one of a team's two, with its opponent there."""
    rounds = {played.number for played in book.rounds}
    own = [row for row in rows if row["round"] in rounds]
    if not own or not book.stage.has_teams:
        return [seat_of(row) for row in own]
    opponents = opponents_of(entry)
    return [
        seat_of(row, next(iter(opponents.get(row["round"], ())), ""))
        for row in own
        if (row["seat"] or 0) < teams.AT_TABLE
    ]


def _earlier(book: ledger.Ledger, entry: Entry, seats: Sequence[CardSeat]) -> Hands:
    """Return an earlier stage's hands under its title, with the final position."""
    last = book.rounds[-1].number if book.rounds else None
    standing = next((line for line in book.standings(last) if line.entrant.id == entry.public_id), None)
    hands = replace(read_stage(book, entry, seats, standing).hands, title=stage_title(book.stage))
    if hands.lines:
        return hands
    return replace(hands, caption=_("Points of each hand and total after each round"), hands_heading=_("Points"))


def _seat_now(
    entry: Entry, reading: StageReading, seat: CardSeat, *, is_through: bool, has_teams: bool, mine: bool
) -> SeatNow:
    """The seat in the open round. is_through: a bye leads to the next round."""
    tournament, public_id = entry.tournament, entry.public_id
    together = list(exports.sitting_rows(tournament, Wanted(round=seat.round)))
    played = Round.objects.living().filter(tournament=tournament).select_related("stage").get(number=seat.round)
    if seat.table is None:
        title = _("Round %(number)s, no table") % {"number": seat.round}
        return SeatNow(seat, title, (_bye_words(is_through=is_through, has_teams=has_teams, mine=mine),))
    first = first_seats_in(played)
    drawn = tables_drawn(together, bottom=seat.number, first=first)
    at, lit = reading.at_table, frozenset({public_id})
    return SeatNow(
        seat,
        _("Round %(number)s, table %(table)s") % {"number": seat.round, "table": seat.table},
        _who(seat, together),
        _progress(at, reading.way, seat, is_own=mine and not has_teams),
        at.hand,
        next((Plan(table, reading.gone, at.dealer, lit) for table in drawn if table["number"] == seat.table), None),
    )


def _bye_words(*, is_through: bool, has_teams: bool, mine: bool) -> str:
    if is_through:
        if mine and not has_teams:
            return _("You have a bye and advance to the next round.")
        return _("Bye: advances to the next round.")
    if mine:
        return _("Your team has a bye.") if has_teams else _("You have a bye.")
    return _("Bye in this round.")


def _who(seat: CardSeat, together: Sequence[Row]) -> tuple[str, ...]:
    """Return sentences about partner and opponents."""
    own = next(row for row in together if row["table"] == seat.table and row["seat"] == seat.number)
    answer = answer_of(own, together, {})
    against = names(answer["against"])
    if seat.team:
        words = {"one": seat.player, "other": seat.partner, "team": answer["against_team"], "names": against}
        return (_("%(one)s and %(other)s against %(team)s: %(names)s.") % words,)
    partner = _("With %(partner)s, across the table.") % {"partner": seat.partner} if seat.partner else ""
    return (partner, _("Against %(names)s.") % {"names": against})


def _progress(at: AtTable, way: Way | None, seat: CardSeat, *, is_own: bool) -> tuple[str, ...]:
    """Return what comes next at the table; empty if all hands are recorded."""
    if way is not None and way.departure:
        return (f"{capfirst(way.departure)}.",)
    if at.over:
        return (at.over,)
    if not at.hand:
        return ()
    words = {"now_hand": at.hand, "of": at.hands}
    following = (_("Next: hand %(now_hand)s of %(of)s.") if at.hands else _("Next: hand %(now_hand)s.")) % words
    return (following, _("You deal.") if is_own and at.dealer == seat.number else "")


def _hands_online(entry: Entry) -> tuple[Verified, ...]:
    rows = HandScore.objects.living().filter(
        entry=entry, source=HandScore.Source.ENGINE, table__round__in=Round.objects.shown()
    )
    hands: dict[tuple[int, int], set[int]] = {}
    for number, table, hand in rows.values_list("table__round__number", "table", "hand"):
        hands.setdefault((number, table), set()).add(hand)
    return tuple(
        Verified(number, table, tuple(sorted(of_table))) for (number, table), of_table in sorted(hands.items())
    )


def _adjustments(entry: Entry) -> Iterator[AdjustmentLine]:
    for row in exports.adjustments_rows(entry.tournament, Wanted()):
        if row["player_id"] == entry.public_id:
            since = _("Round %(number)s") % {"number": row["round"]} if row["round"] else _("From the start")
            yield AdjustmentLine(row["reason"], since, row["points"])


def _members(book: ledger.Ledger, entry: Entry) -> Iterator[InTeam]:
    if not book.stage.has_teams:
        return
    for member in members_in_lines(member_rows(entry.tournament)):
        if member.team_id == entry.public_id:
            yield InTeam(member.name, _hands_won(member), member.figures["points_for"])


def _hands_won(member: Member) -> str:
    if not member.partners:
        return _("has not played")
    words = {"hands": member.figures["hands_played"], "won": member.figures["hands_won"]}
    return _("%(won)s of %(hands)s hands won") % words


def _came_or_went(entry: Entry) -> Iterator[Fact]:
    for event in entry.events.living().select_related("round"):
        when = _("round %(number)s") % {"number": event.round.number} if event.round else _("before round 1")
        yield Fact(event.get_kind_display(), when)
