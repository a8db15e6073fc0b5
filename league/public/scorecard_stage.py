"""Read a player's hands in one stage: with partners, in a Challenge UNO, or alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.formats import pairs
from league.hooks import disputed_hands
from league.ledger.dealer import next_dealer
from league.ledger.in_words import rounds_in_all
from league.ledger.progress import ENDED, PLAYING, STOPPED, game_at, table_now, target_of_round
from league.ledger.race import RaceLedger
from league.lib.translate import figure, shared_rank
from league.models import Entry, Round, Seat, Table, entry_name
from league.public import scorecard_hands as card_hands
from league.public.scorecard_hands import CardSeat, Catch, Line, Partner, SingleLine
from league.standings import race_in_words
from league.standings.ranking import Standing
from league.standings.read import Ledger
from league.standings.result_in_words import progress_in_words
from league.standings.text import text_of

RINGED, WON, LOST, STRUCK, DISPUTED = "ringed", "won", "lost", "struck", "disputed"  # styles of a legend's samples
NO_DEALER = -1  # no hand to come; None means “not known”


@dataclass(frozen=True)
class Fact:
    """A line of a list of facts. style: CSS classes of the text."""

    label: str
    text: str
    style: str = ""


@dataclass(frozen=True)
class KeyItem:
    """A line of the legend. sample: an example value. text: its meaning."""

    style: str
    sample: str
    text: str


@dataclass(frozen=True)
class Sheet:
    """A heading with a sentence or facts below."""

    title: str
    text: str = ""
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Hands:
    """Hands in a stage, one line a round: with partners in columns of hands, else as points of each hand.

    before: sheet above them. fate: position in an elimination stage. with_heading: heading of the partner or opposing
    team; hands_heading: heading of the points.
    """

    title: str
    standing: Standing | None
    total: int
    lines: tuple[Line, ...] = ()
    single_lines: tuple[SingleLine, ...] = ()
    columns: tuple[int, ...] = ()
    caption: str = ""
    with_heading: str = ""
    hands_heading: str = ""
    rings: bool = True
    key: tuple[KeyItem, ...] = ()
    before: Sheet | None = None
    fate: str = ""

    @property
    def has_lines(self) -> bool:
        return bool(self.lines or self.single_lines)

    @property
    def second_heading(self) -> str:
        return self.with_heading or self.hands_heading

    @property
    def sum_span(self) -> int:
        """Return how many columns the label of a sum spans."""
        return len(self.columns) + 1 if self.lines else 2

    @property
    def went_out(self) -> str:
        """Return the number of hands won, in words."""
        played = self.standing
        words = {"won": played.hands_won if played else "", "hands": played.hands_played if played else ""}
        if self.lines:
            return _("%(won)s of %(hands)s hands won") % words
        return _("Went out in %(won)s of %(hands)s hands") % words


@dataclass(frozen=True)
class Way:
    """Progress of a player in a Challenge UNO. departure: when they left. place: final rank, once certain."""

    has_won: bool
    departure: str
    place: int | None
    still_in: int
    is_head_to_head: bool


@dataclass(frozen=True)
class AtTable:
    """State of the player's table in the open round. over: why no hand follows. hand: the player's next one of
    `hands`. dealer: seat that deals it; None: not known.
    """

    over: str = ""
    hand: int | None = None
    hands: int | None = None
    dealer: int | None = None


@dataclass(frozen=True)
class StageReading:
    """Values that depend on the stage's format."""

    hands: Hands
    lines: Sequence[Line | SingleLine]
    at_table: AtTable = AtTable()
    gone: Mapping[str, str] = field(default_factory=dict)
    in_all: int | None = None
    way: Way | None = None
    partners: tuple[Partner, ...] = ()

    @property
    def now(self) -> Line | SingleLine | None:
        return next((line for line in self.lines if line.open), None)


def read_stage(
    book: Ledger,
    entry: Entry,
    seats: Sequence[CardSeat],
    standing: Standing | None,
    *,
    ranked: int = 0,
    mine: bool = False,
) -> StageReading:
    """Read the hands of a stage. seats: the entry's seats. ranked: number of ranked players."""
    if book.stage.has_partners:
        return _with_partners(book, entry, seats, standing)
    if book.race is not None:
        return _in_race(book, book.race, entry, seats, standing, ranked)
    return _of_points(book, entry, seats, standing, mine=mine)


# --- with partners, or in teams


def _with_partners(book: Ledger, entry: Entry, seats: Sequence[CardSeat], standing: Standing | None) -> StageReading:
    is_drawn, in_teams = not book.stage.drawn_ahead, book.stage.has_teams
    own = (score.hand for score in book.scores if not is_drawn or score.entry == entry.public_id)
    count = max(book.stage.hands_per_round or 0, max(own, default=0))
    lines = card_hands.lines(book, entry.public_id, seats, count, disputed_hands(entry.tournament))
    now = next((line for line in lines if line.open), None)
    hand = next((cell.hand for cell in now.cells if cell.now), None) if now else None
    at_table = AtTable(hand=hand, hands=count, dealer=pairs.dealer_seat(hand) if hand else None)
    if is_drawn and now is not None and not now.is_bye:
        at_table = _at_table(_table_of(entry, now.seat), None, plays=entry.status == Entry.Status.ACTIVE)
    key = [KeyItem(WON if in_teams else RINGED, "58", _("went out"))]
    key += [] if in_teams else [KeyItem(WON, "44", _("the partner went out"))]
    key.append(KeyItem(LOST, "0", _("the opponents won")))
    some_disputed = any(cell.disputed for line in lines for cell in line.cells)
    return StageReading(
        Hands(
            title="",
            standing=standing,
            total=sum(line.total for line in lines),
            lines=tuple(lines),
            columns=tuple(range(1, count + 1)),
            caption=_("Points of the player’s side in each hand"),
            with_heading=_("Against") if in_teams else _("With"),
            rings=not in_teams,
            key=(*key, *_disputed_key(some_disputed)),
            fate=_fate(standing, book) if is_drawn else "",
        ),
        lines,
        at_table,
        in_all=rounds_in_all(book.stage, book.planned) if is_drawn else None,
        partners=tuple(card_hands.partners(book, entry.public_id)),
    )


# --- in a Challenge UNO


def _in_race(
    book: Ledger,
    race: RaceLedger,
    entry: Entry,
    seats: Sequence[CardSeat],
    standing: Standing | None,
    ranked: int,
) -> StageReading:
    """Read penalty points and totals, and the points to spare or the elimination."""
    lines = card_hands.race_lines(book, entry.public_id, seats, opponents_of(entry), disputed_hands(entry.tournament))
    now = next((line for line in lines if line.open), None)
    line = race.state.lines.get(entry.public_id)
    way = Way(
        has_won=race.state.winner == entry.public_id,
        departure=race_in_words.left_in_words(standing, with_table=True) if standing else "",
        place=line.place if line else None,
        still_in=len(race.state.still_in),
        is_head_to_head=now is not None and len(now.opponents) == 1,
    )
    at_table = AtTable()
    if now is not None and not now.is_bye:
        at_table = _at_table(_table_of(entry, now.seat), race, plays=entry.public_id in race.state.still_in)
    return StageReading(
        Hands(
            title="",
            standing=standing,
            total=sum(line.caught for line in lines),
            single_lines=tuple(lines),
            caption=_("Penalty points of each hand and total after each round"),
            hands_heading=_("Penalty points"),
            key=_singles_key(lines, "0", _("doesn’t count: played after this player’s game or tournament ended")),
            before=_on_the_way(race.settings.target, way, standing, ranked) if lines and standing else None,
        ),
        lines,
        at_table,
        text_of(book).gone(now.seat.round) if now else {},
        way=way,
    )


def _on_the_way(target: int, way: Way, standing: Standing, ranked: int) -> Sheet:
    facts = [Fact(_("Total"), figure(standing.total), "num strong")]
    if way.departure:
        facts.append(Fact(_("Eliminated"), way.departure))
    else:
        in_danger = race_in_words.is_in_danger(standing.total, target)
        spare = str(race_in_words.to_spare(standing, target))
        facts.append(Fact(_("To spare"), spare, "num danger" if in_danger else "num"))
    if way.place:
        facts.append(
            Fact(pgettext("rank", "Place"), place_in_words(_("%(place)s of %(ranked)s"), way.place, standing, ranked))
        )
    else:
        words = {"still_in": way.still_in, "ranked": ranked}
        facts.append(Fact(_("Still in"), _("%(still_in)s of %(ranked)s") % words))
    return Sheet(_("Distance to %(target)s") % {"target": target}, facts=tuple(facts))


def place_in_words(pattern: str, place: int, standing: Standing, ranked: int) -> SafeString:
    """Put a place into a sentence, with a sign if shared. pattern: a translation without user input."""
    number = shared_rank(place, _("shared")) if standing.tied else str(place)
    return mark_safe(pattern % {"place": number, "rank": number, "ranked": ranked})


# --- alone, in a points race or an elimination stage


def _of_points(
    book: Ledger, entry: Entry, seats: Sequence[CardSeat], standing: Standing | None, *, mine: bool
) -> StageReading:
    """Read the points of each hand, totals, and the state of the game at the current table."""
    disputed = disputed_hands(entry.tournament)
    lines = card_hands.points_lines(book, standing, seats, opponents_of(entry), disputed) if standing else []
    now = next((line for line in lines if line.open), None)
    at_table, game = AtTable(), None
    if now is not None and not now.is_bye:
        table = _table_of(entry, now.seat)
        game = _game_sheet(table, entry, lowest_wins=book.stage.lowest_wins, mine=mine)
        at_table = _at_table(table, None, plays=entry.status == Entry.Status.ACTIVE)
    sample = "0" if book.stage.lowest_wins else "58"
    return StageReading(
        Hands(
            title="",
            standing=standing,
            total=sum(line.caught for line in lines),
            single_lines=tuple(lines),
            caption=_("Points of each hand and total after each round"),
            hands_heading=_("Points"),
            key=_singles_key(lines, sample, _("doesn’t count: played after the game ended")),
            before=game,
            fate=_fate(standing, book),
        ),
        lines,
        at_table,
        text_of(book).gone(now.seat.round) if now else {},
        rounds_in_all(book.stage, book.planned),
    )


def _game_sheet(table: Table, entry: Entry, *, lowest_wins: bool, mine: bool) -> Sheet | None:
    """Return the state of the game at the current table; None if the table plays no game to a target."""
    game, target = game_at(table), target_of_round(table.round)
    if game is None or target is None:
        return None
    has = game.totals.get(entry.public_id, 0)
    spare = max(0, target - has)
    if game.over_in is not None:
        count, text = has, ngettext("Game over, with %(count)s point.", "Game over, with %(count)s points.", has)
    elif lowest_wins:
        count, text = (
            has,
            ngettext(
                "%(count)s point; the game ends after %(spare)s more. The lowest total wins.",
                "%(count)s points; the game ends after %(spare)s more. The lowest total wins.",
                has,
            ),
        )
    elif mine:
        count, text = (
            spare,
            ngettext(
                "You need %(count)s point to reach %(target)s.", "You need %(count)s points to reach %(target)s.", spare
            ),
        )
    else:
        count, text = (
            spare,
            ngettext(
                "Needs %(count)s point to reach %(target)s.", "Needs %(count)s points to reach %(target)s.", spare
            ),
        )
    title = _("Round %(number)s: a game to %(target)s") % {"number": table.round.number, "target": target}
    return Sheet(title, text % {"count": count, "spare": spare, "target": target})


def _singles_key(lines: Sequence[SingleLine], sample: str, does_not_count: str) -> tuple[KeyItem, ...]:
    catches: list[Catch] = [catch for line in lines for catch in line.catches]
    struck = [KeyItem(STRUCK, "37", does_not_count)] if any(not catch.counts for catch in catches) else []
    some_disputed = any(catch.disputed for catch in catches)
    return (KeyItem(RINGED, sample, _("went out")), *struck, *_disputed_key(some_disputed))


def _disputed_key(some: bool) -> tuple[KeyItem, ...]:
    return (KeyItem(DISPUTED, "", _("disputed: a director decides")),) if some else ()


def _fate(standing: Standing | None, book: Ledger) -> str:
    """Return an entrant's progress in an elimination stage, and the result at the end; empty for a stand-in."""
    return capfirst(progress_in_words(standing, book.names)) if standing else ""


# --- the current table


def _table_of(entry: Entry, seat: CardSeat) -> Table:
    return Table.objects.select_related("round__stage", "round__tournament").get(
        round__in=Round.objects.living().filter(tournament=entry.tournament, number=seat.round), number=seat.table
    )


def _at_table(table: Table, race: RaceLedger | None, *, plays: bool) -> AtTable:
    """Return the state of a table that isn't limited by a number of hands. plays: the player is still in."""
    stands = table_now(table, race)
    is_playing = stands.state == PLAYING
    over = {ENDED: _("This table has ended."), STOPPED: _("This table is finished: two players remain.")}
    return AtTable(
        over.get(stands.state, ""),
        hand=stands.played + 1 if is_playing and plays else None,
        hands=stands.hands_wanted,
        dealer=next_dealer(table, stands.played + 1, race) if is_playing else NO_DEALER,
    )


def opponents_of(entry: Entry) -> dict[int, list[str]]:
    """Return the names of the other players at the table, by round."""
    tables = Table.objects.filter(seats__entry=entry, round__in=Round.objects.shown())
    seats = Seat.objects.filter(table__in=tables).exclude(entry=entry).order_by("round__number", "number")
    names: dict[int, list[str]] = {}
    for number, name in seats.values_list("round__number", entry_name("entry__")):
        names.setdefault(number, []).append(name)
    return names
