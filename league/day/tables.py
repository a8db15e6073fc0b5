"""Facts about tables and rounds for the page Manage."""

from collections.abc import Sequence

from league.models import Entry, HandScore, LogEntry, Round, Seat, Tournament, entry_name
from league.rounds.reseat import Fresh

MOST_UNDONE = 5  # corrections that the page offers to undo


def played_with_hands(tournament: Tournament) -> tuple[list[int], list[Entry]]:
    """Return the rounds with recorded hands, newest first, and the entries seated in them."""
    played = HandScore.objects.living().filter(table__round__in=tournament.rounds.shown())
    rounds = tournament.rounds.filter(pk__in=played.values("table__round")).order_by("-number")
    seated = Seat.objects.filter(round__in=rounds).exclude(table=None)
    people = tournament.entries.filter(pk__in=seated.values("entry")).select_related("player")
    return list(rounds.values_list("number", flat=True)), list(people.order_by("player__name", "addition", "number"))


def seats_corrected(tournament: Tournament, rounds: Sequence[int]) -> list[LogEntry]:
    """Return the latest corrections of seats in these rounds."""
    rows = LogEntry.objects.filter(tournament=tournament, action="correct-seats", round__in=rounds)
    return list(rows.order_by("-number")[:MOST_UNDONE])


def round_now(tournament: Tournament) -> Round | None:
    """Return the round in play, else the next one; None if none is drawn."""
    rounds = tournament.rounds.living().exclude(state=Round.State.CLOSED)
    return rounds.select_related("stage", "tournament").order_by("number").first()


def names_without_seat(fresh: Fresh) -> list[str]:
    """Return the names of unseated players who join when the tables are redrawn."""
    seated = set(Seat.objects.filter(round=fresh.played).values_list("entry__public_id", flat=True))
    new = [player for player in fresh.players if player not in seated]
    entries = fresh.played.tournament.entries.filter(public_id__in=new).order_by("number")
    return list(entries.values_list(entry_name(), flat=True))
