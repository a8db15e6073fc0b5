"""What the day's page offers to do about tables and rounds now. This only reads; the services decide."""

from typing import Any

from league.ledger.progress import PLAYING, closed_early, race_of, tables_now
from league.lib.errors import Refused
from league.live.stream import version_of
from league.models import HandScore, LogEntry, Round, Seat, Table, Tournament, entry_name
from league.rounds.reseat import Fresh, fresh_tables
from league.rounds.steps import next_step
from league.rounds.tables import swappable_seats

MOST_UNDONE = 5  # swaps and moves that the page offers to undo


def offers(tournament: Tournament) -> dict[str, Any]:
    """The context of templates/league/day/day/_day_tables.html."""
    stage = tournament.stage
    played = round_now(tournament)
    last = tournament.rounds.shown().order_by("-number").first()
    context: dict[str, Any] = {
        "stage": stage,
        "played": played,
        "to_undo": None if tournament.is_final else last,
        "step": next_step(tournament),
        "is_running": tournament.state == Tournament.State.RUNNING,
    }
    if played is not None and not tournament.is_final and tournament.has_begun:
        context |= _round_offers(played)
    if not stage.drawn_ahead:
        context |= _reseat_offers(tournament)
    if not tournament.is_final:
        context |= _correction_offers(tournament)
    return context


def _correction_offers(tournament: Tournament) -> dict[str, Any]:
    """Return the rounds with recorded hands, the latest first, whose seats can be corrected, and who sat in them."""
    played = HandScore.objects.living().filter(table__round__in=tournament.rounds.shown())
    rounds = tournament.rounds.filter(pk__in=played.values("table__round")).order_by("-number")
    if not (numbers := list(rounds.values_list("number", flat=True))):
        return {}
    seated = Seat.objects.filter(round__in=rounds).exclude(table=None)
    people = tournament.entries.filter(pk__in=seated.values("entry")).select_related("player")
    rows = LogEntry.objects.filter(tournament=tournament, action="correct-seats", round__in=numbers)
    return {
        "rounds_played": numbers,
        "seated": list(people.order_by("player__name", "addition", "number")),
        "seats_corrected": list(rows.order_by("-number")[:MOST_UNDONE]),
        "log_end": version_of(tournament),
    }


def round_now(tournament: Tournament) -> Round | None:
    """The round that is played, else the next one; None if none is drawn."""
    rounds = tournament.rounds.living().exclude(state=Round.State.CLOSED)
    return rounds.select_related("stage", "tournament").order_by("number").first()


def _round_offers(played: Round) -> dict[str, Any]:
    now = tables_now(played, race_of(played))
    for table_now in now:
        table_now.table.round = played
    return {
        "seats": [{"entry": seat.entry, "table": seat.table} for seat in swappable_seats(played)],
        "tables": [table_now.table for table_now in now],
        "playing": [table_now.table for table_now in now if table_now.state == PLAYING] if played.is_open else [],
        "closed": [table_now for table_now in now if closed_early(table_now.table)],
        "swaps": _latest_rows(played, "swap-seats"),
        "moves": _latest_rows(played, "move-table"),
    }


def _latest_rows(played: Round, action: str) -> list[LogEntry]:
    """The latest rows of an action in a round, since the round was last undone."""
    rows = LogEntry.objects.filter(tournament=played.tournament, round=played.number)
    undone = rows.filter(action="undo-round").order_by("-number").values_list("number", flat=True).first() or 0
    return list(rows.filter(action=action, number__gt=undone).order_by("-number")[:MOST_UNDONE])


def _reseat_offers(tournament: Tournament) -> dict[str, Any]:
    """The tables that have not started, or the reason why none can be seated anew."""
    try:
        fresh = fresh_tables(tournament)
    except Refused as refused:
        return {"not_fresh": str(refused)}
    return {"fresh": fresh, "without_seat": _names_without_seat(fresh)}


def _names_without_seat(fresh: Fresh) -> list[str]:
    seated = set(Seat.objects.filter(round=fresh.played).values_list("entry__public_id", flat=True))
    new = [player for player in fresh.players if player not in seated]
    entries = fresh.played.tournament.entries.filter(public_id__in=new).order_by("number")
    return list(entries.values_list(entry_name(), flat=True))


def table_lines(played: Round) -> list[tuple[Table, list[str]]]:
    """The names at each table of a round, by seat."""
    seats = Seat.objects.filter(table__round=played).select_related("table", "entry__player")
    lines: dict[int, tuple[Table, list[str]]] = {}
    for seat in seats.order_by("table__number", "number"):
        if seat.table is not None:
            names = lines.setdefault(seat.table.pk, (seat.table, []))[1]
            if seat.member == 0:  # a team is named once
                names.append(seat.entry.name)
    return list(lines.values())
