"""People, tournaments, seats, the ledger of scores, and what keeps a service running.

Standings are a function of living scores and adjustments (league/standings/ranking.py); no page takes a total or rank
from a stored one.
"""

from league.models.access import ApiToken, Invitation, Role, ScorerLink
from league.models.announcement import Announcement
from league.models.answers import ApiAnswer, FormAnswer
from league.models.calls import Call, CallTap, MutedCaller
from league.models.clock import Deadline, Job, Snapshot
from league.models.entry import Entry, KeptApart, StageEntry, entry_name
from league.models.imports import ColumnMemory, ImportedPerson, ListImport
from league.models.leaving import LeaveRequest
from league.models.ledger import Adjustment, EntryEvent, HandScore
from league.models.log import LogEntry, LogHead
from league.models.people import (
    AccountLogEntry,
    Club,
    ClubInvitation,
    ClubLogEntry,
    ClubRole,
    Merge,
    Player,
    Team,
    TeamMember,
    User,
    Visibility,
    new_public_id,
)
from league.models.results import Forecast, RatingPoint
from league.models.round import Round, Seat, Table, mode_of, seats_by_table
from league.models.screen import ScreenShow
from league.models.season import Division, DivisionPlayer, Season
from league.models.series import Series
from league.models.server import FirstLink, RestorePause, Server
from league.models.sign_up import Letter, SentMail, SignUp, SignUpPage
from league.models.tournament import Stage, Tournament
from league.models.warnings import PlayerWarning

__all__ = [
    "AccountLogEntry",
    "Adjustment",
    "Announcement",
    "ApiAnswer",
    "ApiToken",
    "Call",
    "CallTap",
    "Club",
    "ClubInvitation",
    "ClubLogEntry",
    "ClubRole",
    "ColumnMemory",
    "Deadline",
    "Division",
    "DivisionPlayer",
    "Entry",
    "EntryEvent",
    "FirstLink",
    "Forecast",
    "FormAnswer",
    "HandScore",
    "ImportedPerson",
    "Invitation",
    "Job",
    "KeptApart",
    "LeaveRequest",
    "Letter",
    "ListImport",
    "LogEntry",
    "LogHead",
    "Merge",
    "MutedCaller",
    "Player",
    "PlayerWarning",
    "RatingPoint",
    "RestorePause",
    "Role",
    "Round",
    "ScorerLink",
    "ScreenShow",
    "Season",
    "Seat",
    "SentMail",
    "Series",
    "Server",
    "SignUp",
    "SignUpPage",
    "Snapshot",
    "Stage",
    "StageEntry",
    "Table",
    "Team",
    "TeamMember",
    "Tournament",
    "User",
    "Visibility",
    "entry_name",
    "mode_of",
    "new_public_id",
    "seats_by_table",
]
