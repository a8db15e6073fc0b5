"""People, tournaments, seats, the ledger of scores, and what keeps a service running.

Standings are a function of living scores and adjustments (league/standings.py); no total or rank is stored anywhere as
a page's source.
"""

from league.models.access import ApiToken, Invitation, Role, ScorerLink
from league.models.answers import ApiAnswer
from league.models.clock import Deadline, Job, Snapshot
from league.models.ledger import Adjustment, EntryEvent, HandScore
from league.models.log import LogEntry, LogHead
from league.models.people import Club, Player, User
from league.models.sign_up import Letter, SignUp, SignUpPage
from league.models.tournament import (
    Entry,
    KeptApart,
    Round,
    Seat,
    Stage,
    Table,
    Tournament,
    new_public_id,
    seats_by_table,
)

__all__ = [
    "Adjustment",
    "ApiAnswer",
    "ApiToken",
    "Club",
    "Deadline",
    "Entry",
    "EntryEvent",
    "HandScore",
    "Invitation",
    "Job",
    "KeptApart",
    "Letter",
    "LogEntry",
    "LogHead",
    "Player",
    "Role",
    "Round",
    "ScorerLink",
    "Seat",
    "SignUp",
    "SignUpPage",
    "Snapshot",
    "Stage",
    "Table",
    "Tournament",
    "User",
    "new_public_id",
    "seats_by_table",
]
