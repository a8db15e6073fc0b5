"""A practice event: eight made-up players, two rounds of one hand, and a guide to the next step.

Each user has at most one. It is unlisted, counts nowhere, and is removed with one tap.
"""

from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.service.bots_play import fill_table
from games.service.demo import EIGHT, remove_with_players, rows_of
from league.formats import USUAL
from league.models import Tournament, User
from league.rounds.steps import NextStep
from league.setup.create import create_tournament
from league.setup.stages.stage_plan import PlannedStage

ROUNDS = 2
MOST_PLAYED = 40  # hands with one tap
STATIONS = 7


class Station(NamedTuple):
    """A step of the guide: `number` of STATIONS. `fills`: a button can fill in the missing hands."""

    number: int
    title: str
    text: str
    fills: bool = False


def practice_of(user: User) -> Tournament | None:
    """Return the user's practice event."""
    return Tournament.objects.filter(kind=Tournament.Kind.PRACTICE, owner=user).first()


@transaction.atomic
def begin(user: User) -> Tournament:
    """Return the user's practice event, created if there is none."""
    User.objects.select_for_update().get(pk=user.pk)  # two taps create only one
    made = practice_of(user)
    if made is None:
        made = create_tournament(
            Tournament(
                owner=user,
                name=_("Practice evening"),
                kind=Tournament.Kind.PRACTICE,
                starts_on=timezone.localdate(),
                time_zone=timezone.get_default_timezone_name(),
                visibility=Tournament.Visibility.PRIVATE,
            ),
            [PlannedStage(USUAL, settings={"hands_per_round": 1, "rounds": ROUNDS})],
            players=rows_of(EIGHT),
        )
    return made


def fill(tournament: Tournament, by: User) -> int:
    """Let bots play the missing hands of the running round, at most MOST_PLAYED; return their number."""
    running = next((played for played in tournament.rounds.living() if played.is_open), None)
    if running is None:
        return 0
    tables = running.tables.select_related("round__stage", "round__tournament").order_by("number")
    done = 0
    for table in tables:
        if done < MOST_PLAYED:
            done += fill_table(table, tournament.pk, by, hands=MOST_PLAYED - done)
    return done


def take_away(user: User) -> None:
    remove_with_players(Tournament.objects.filter(kind=Tournament.Kind.PRACTICE, owner=user))


def station_of(step: NextStep) -> Station | None:
    """Return the guide's step; None if the event has left the guide's path."""
    at = (step.kind, step.round.number if step.round else 0)
    if step.disputed:
        return None
    if at == ("draw", 0):
        text = _("Eight players are entered. Draw the seats: partners change every round.")
        return Station(1, _("Draw the seating"), text)
    if at == ("publish", 1):
        text = _("Only you see these seats now. Once published, players find their table on their phones.")
        return Station(2, _("Publish round %(number)s") % {"number": 1}, text)
    if at == ("close", 1) and step.missing and not _has_hands(step):
        text = _("Tap the player who went out. Then tap the cards the others hold.")
        return Station(3, _("Enter a hand"), text)
    if at == ("close", 1) and step.missing:
        text = _("Every hand updates the standings. At a real tournament, tables enter their own hands.")
        return Station(4, _("Fill in the other hands"), text, fills=True)
    if at == ("close", 1):
        text = _("Closing publishes the next round. You can undo it.")
        return Station(5, _("Close round %(number)s") % {"number": 1}, text)
    if at == ("close", 2):
        text = (
            _("Fill in its hands, or enter some. Then close the round.") if step.missing else _("Now close the round.")
        )
        return Station(6, _("Practise again"), text, fills=bool(step.missing))
    if step.kind == "finish":
        return Station(7, _("Make the standings final"), _("After that, every change needs a reason."))
    if step.kind == "done":
        text = _("The tabs lead to standings, score slips and spreadsheet files.")
        return Station(STATIONS, _("Practice finished"), text)
    return None


def _has_hands(step: NextStep) -> bool:
    assert step.round is not None
    tables = step.round.tables.all()
    return any(hands for _table, hands in step.missing) or len(step.missing) < len(tables)
