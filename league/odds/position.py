"""Read the position of a running tournament for `league.odds.simulate`, or why there are no odds."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.rules import EDITIONS
from engine.sentences import Sentence, sentence
from league.formats import challenge, points
from league.formats.race import HEAD_TO_HEAD
from league.ledger.progress import FEWEST_AT_A_TABLE, PLAYING, tables_now, target_of_round
from league.lib.versioned_cache import VersionedCache
from league.log.anchors import log_hash_of
from league.models import Entry, Round, Seat, Table, Tournament
from league.odds.simulate import Position, Seated, ToDraw
from league.standings import read as ledger
from league.standings.ranking import AdjustmentRow, Standing
from league.standings.read import Ledger


@dataclass(frozen=True)
class Outlook:
    """lines: standings, best first. position: None if `why_not` has a reason. current: the open round, or the last
    one.
    """

    book: Ledger
    lines: list[Standing]
    position: Position | None = None
    why_not: Sentence | None = None
    current: Round | None = None


@dataclass(frozen=True)
class _ToCome:
    """A table with hands to come. hands: their number; None: no limit."""

    round: Round
    table: Table
    hands: int | None


_known: VersionedCache[int, Outlook] = VersionedCache(32)


def outlook_at(tournament: Tournament, log_hash: str) -> Outlook | None:
    """Return the outlook at one end of the log, cached because pages poll every few seconds.

    Return None if a change came between two of its queries.
    """
    if (known := _known.get(tournament.pk, log_hash)) is not None:
        return known
    outlook = outlook_of(tournament)
    if log_hash_of(tournament) != log_hash:
        return None
    if outlook.position is not None:
        outlook = replace(outlook, book=replace(outlook.book, rows=()))  # the position already includes the hands
        _known.put(tournament.pk, log_hash, outlook)
    return outlook


def outlook_of(tournament: Tournament) -> Outlook:
    """Read the outlook. Some ten queries, and three for an open round."""
    tournament = Tournament.objects.select_related("club").get(pk=tournament.pk)
    book = ledger.read(tournament)
    lines = book.standings()
    current = next((row for row in book.rounds if row.is_open), book.rounds[-1] if book.rounds else None)
    if not tournament.shows_odds:
        return Outlook(
            book, lines, why_not=sentence("Chances of winning are turned off for this tournament."), current=current
        )
    if tournament.state != Tournament.State.RUNNING:
        return Outlook(book, lines, why_not=_why_not_running(tournament), current=current)
    if tournament.kind == Tournament.Kind.CASUAL:
        return Outlook(book, lines, why_not=sentence("Chances aren’t computed for casual tables."), current=current)
    if tournament.stages.filter(number__gt=book.stage.number).exists():
        after = sentence("A later stage decides the winner.")
        return Outlook(book, lines, why_not=after, current=current)
    if book.stage.groups > 1:
        in_groups = sentence("Chances can’t be computed for a stage with groups.")
        return Outlook(book, lines, why_not=in_groups, current=current)
    if not book.stage.plays.has_odds:
        unseated = sentence("Chances can’t be computed in this format.")
        return Outlook(book, lines, why_not=unseated, current=current)
    position = _position(book, lines)
    why_not: Sentence | None = None
    if not position.hopefuls:
        why_not = sentence("All players have withdrawn.")
    elif position.is_decided:
        why_not = sentence("All hands are recorded. See the standings for the winner.")
    elif book.stage.edition not in EDITIONS:
        why_not = sentence("This server no longer has this edition.")
    return Outlook(book, lines, None if why_not else position, why_not, current)


def _why_not_running(tournament: Tournament) -> Sentence:
    if tournament.is_final:
        return sentence("The tournament has ended. See the standings for the winner.")
    return sentence("All players have the same chance until round 1 is published.")


def _position(book: Ledger, lines: list[Standing]) -> Position:
    rounds = book.tournament.rounds.living().exclude(state=Round.State.CLOSED)
    open_rounds = list(rounds.select_related("stage", "tournament").order_by("number"))
    byes = _byes_to_come(book, open_rounds)
    totals = {line.entrant.id: line.total for line in lines}
    for row in byes:
        totals[row.entry] = totals.get(row.entry, 0) + row.points
    if book.race is not None:
        hopefuls = list(book.race.state.still_in)
    else:
        hopefuls = [entrant.id for entrant in book.entrants if entrant.status == Entry.Status.ACTIVE]
    seated = _seated_tables(book, open_rounds, set(hopefuls))
    rest = dict.fromkeys(player for _row, players in seated for player in players if player not in hopefuls)
    entries = (*hopefuls, *rest)
    place = {entry: at for at, entry in enumerate(entries)}
    return Position(
        entries=entries,
        hopefuls=len(hopefuls),
        totals=tuple(totals.get(entry, 0) for entry in entries),
        tables=tuple(_table(book, row, players, place) for row, players in seated),
        to_draw=_rounds_to_draw(book, len(hopefuls)),
        out_at=book.race.settings.target if book.race is not None else None,
        lowest_wins=book.stage.lowest_wins,
        scoring=book.stage.scoring,
        partners=book.stage.has_partners,
        entrants=book.entrants,
        played={} if book.race is not None else book.played,
        adjustments=(*book.adjustments, *byes),
        tie_breaks=book.tie_breaks,
        lot_seed=book.stage.lot_seed,
    )


def _byes_to_come(book: Ledger, rounds: Iterable[Round]) -> list[AdjustmentRow]:
    """Return the points for byes in drafted rounds."""
    worth = book.stage.bye_points
    if not worth:
        return []
    drafts = [draft for draft in rounds if draft.state == Round.State.DRAFT]
    seats = Seat.objects.filter(round__in=drafts, table=None).exclude(entry__status=Entry.Status.STANDIN)
    rows = seats.values_list("entry__public_id", "round__number")
    return [AdjustmentRow(entry, number, worth) for entry, number in rows]


def _seated_tables(book: Ledger, rounds: list[Round], hopefuls: set[str]) -> list[tuple[_ToCome, list[str]]]:
    """Return the tables with hands to come, each with its players."""
    drafts = Table.objects.filter(round__in=[draft for draft in rounds if not draft.is_open]).exclude(
        state=Table.State.VOID
    )
    drawn: dict[int, list[Table]] = {}
    for draft in drafts.order_by("number"):
        drawn.setdefault(draft.round_id, []).append(draft)
    to_come = [row for played in rounds for row in _tables_to_come(book, played, drawn.get(played.pk, []))]
    seats: dict[int, list[str]] = {}
    rows = Seat.objects.filter(table__in=[row.table for row in to_come]).order_by("table", "number")
    for table, entry in rows.values_list("table", "entry__public_id"):
        # In rounds drawn ahead, a player who left has given the seat to another.
        if table is not None and (book.stage.drawn_ahead or entry in hopefuls):
            seats.setdefault(table, []).append(entry)
    return [(row, seats[row.table.pk]) for row in to_come if len(seats.get(row.table.pk, ())) > 1]


def _tables_to_come(book: Ledger, played: Round, drawn: list[Table]) -> Iterable[_ToCome]:
    """Yield the tables of a round with hands to come. drawn: the tables of a draft."""
    if played.is_open:
        tables = [
            (row.table, row.hands_wanted, row.played) for row in tables_now(played, book.race) if row.state == PLAYING
        ]
    else:
        tables = [(table, table.hands_wanted, 0) for table in drawn]
    for table, hands, done in tables:
        if target_of_round(played) is not None:
            yield _ToCome(played, table, None)
        elif hands is not None:
            yield _ToCome(played, table, hands - done)
        elif book.race is not None:
            # An unlimited round counts as one of usual length, except the head to head.
            two = len(book.race.state.still_in) == HEAD_TO_HEAD
            yield _ToCome(played, table, None if two else max(1, challenge.DEFAULT_HANDS - done))


def _table(book: Ledger, to_come: _ToCome, players: list[str], place: dict[str, int]) -> Seated:
    target = target_of_round(to_come.round)
    scores: tuple[int, ...] = ()
    if target is not None:
        hands: dict[int, dict[str, int]] = {}
        for row in book.rows:  # 0 is the table, 2 the hand, 4 the entry, 10 the score
            if row[0] == to_come.table.pk:
                hands.setdefault(row[2], {})[row[4]] = row[10]
        totals = points.game_of(hands, target).totals
        scores = tuple(totals.get(player, 0) for player in players)
    return Seated(to_come.round.number, tuple(place[player] for player in players), to_come.hands, target, scores)


def _rounds_to_draw(book: Ledger, players: int) -> ToDraw | None:
    stage = book.stage
    if stage.drawn_ahead or players < FEWEST_AT_A_TABLE:
        return None
    if book.race is not None:
        return ToDraw(book.planned + 1, 0, stage.table_size, stage.hands_per_round or challenge.DEFAULT_HANDS)
    rounds = (stage.plays.rounds(stage.values, players) or 0) - (book.planned - stage.rounds_before)
    if rounds < 1:
        return None
    return ToDraw(
        book.planned + 1, rounds, stage.table_size, stage.hands_per_round, stage.plays.game_target(stage.values)
    )
