"""Tables of heats without eliminations, because players are absent and no hand was played."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.formats.progression import Played, State
from league.ledger.progress import begun_tables
from league.lib.errors import Refused
from league.lib.translate import names
from league.models import Round, Table
from league.rounds.reseat import fresh_tables
from league.standings.read import Ledger


@dataclass(frozen=True)
class Unopposed:
    """Notices for the organiser's overview. `can_redraw`: a re-draw would give every table a contest."""

    sentences: tuple[str, ...]
    round: Round
    can_redraw: bool


def unopposed_tables(book: Ledger, played: Round | None) -> Unopposed | None:
    """Return the tables of the latest round whose players advance unplayed; None if there are none."""
    if played is None or book.progression is None or book.stage.plays.in_tree or played.stage_id != book.stage.pk:
        return None
    progression = book.progression
    if not progression.rounds or progression.rounds[-1].number != played.number:
        return None
    short = _short_tables(progression.rounds[-1], progression.state)
    if not short:
        return None
    tables = list(played.tables.exclude(state=Table.State.VOID).filter(number__in=short))
    begun = begun_tables(tables)
    short = {table.number: short[table.number] for table in tables if table.pk not in begun}
    if not short:
        return None
    is_over = played.state == Round.State.CLOSED
    sentences = tuple(
        _in_words(number, [book.names[entry] for entry in players], is_over=is_over)
        for number, players in sorted(short.items())
    )
    return Unopposed(sentences, played, not is_over and _redraw_helps(book, progression.state))


def _short_tables(played: Played, state: State) -> dict[int, list[str]]:
    """Return the present players of each table at which all of them advance."""
    short = {}
    for number, results in played.tables.items():
        rungs = state.second_rungs if number in played.second else state.rungs
        best = rungs[-1].best if rungs else 0
        present = [result.entry for result in results if result.entry not in played.absent]
        if 0 < len(present) <= best:
            short[number] = present
    return short


def _redraw_helps(book: Ledger, state: State) -> bool:
    """Return whether a re-draw of unstarted tables leaves no table short."""
    try:
        fresh = fresh_tables(book.tournament)
    except Refused:
        return False
    return len(fresh.players) // fresh.table_count > state.rungs[-1].best


def _in_words(table: int, players: list[str], *, is_over: bool) -> str:
    words = {"table": table, "count": len(players), "names": names(players)}
    if is_over and len(players) == 1:
        return _("No one else came to table %(table)d: %(names)s advances without having played.") % words
    if is_over:
        return _("No one else came to table %(table)d: %(names)s advance without having played.") % words
    if len(players) == 1:
        return _("Table %(table)d has only one player: %(names)s, who advances without playing.") % words
    return _("Table %(table)d has only %(count)d players: %(names)s. They advance even if they don’t play.") % words
