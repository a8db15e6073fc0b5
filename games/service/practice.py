"""A practice evening: eight made-up players, two rounds of one hand, and a guide that says what to do next.

Everybody who is signed in has at most one. It is in no list and counts nowhere, and it goes as easily as it came.
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
    """What the guide says: `number` of STATIONS. fills: the hands that are missing can be filled in with a tap."""

    number: int
    title: str
    text: str
    fills: bool = False


def practice_of(user: User) -> Tournament | None:
    """The practice evening that somebody has begun."""
    return Tournament.objects.filter(kind=Tournament.Kind.PRACTICE, owner=user).first()


@transaction.atomic
def begin(user: User) -> Tournament:
    """Return the practice evening of somebody, a new one if there is none."""
    User.objects.select_for_update().get(pk=user.pk)  # two taps make one
    made = practice_of(user)
    if made is None:
        made = create_tournament(
            Tournament(
                owner=user,
                name=_("Practice evening"),
                kind=Tournament.Kind.PRACTICE,
                starts_on=timezone.localdate(),
                visibility=Tournament.Visibility.PRIVATE,
            ),
            [PlannedStage(USUAL, settings={"hands_per_round": 1, "rounds": ROUNDS})],
            players=rows_of(EIGHT),
        )
    return made


def fill(tournament: Tournament, by: User) -> int:
    """Let bots play the hands that are missing in the round that runs, MOST_PLAYED at most; returns how many."""
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
    """Where a practice evening stands; None where its owner left the way, and the page itself says what is next."""
    at = (step.kind, step.round.number if step.round else 0)
    if step.disputed:
        return None
    if at == ("draw", 0):
        text = _("Eight names are in. Draw who sits where: partners change from round to round.")
        return Station(1, _("Draw the seating"), text)
    if at == ("publish", 1):
        text = _("So far only you see these seats. Published, everybody finds their table on their own phone.")
        return Station(2, _("Publish round %(number)s") % {"number": 1}, text)
    if at == ("close", 1) and step.missing and not _has_hands(step):
        text = _("Who has no cards left goes out. Tap the name, then what the others hold, card by card.")
        return Station(3, _("Enter a hand"), text)
    if at == ("close", 1) and step.missing:
        text = _("Standings follow every hand. At a real evening the tables enter theirs at the same time.")
        return Station(4, _("Have the rest played"), text, fills=True)
    if at == ("close", 1):
        text = _("Closing it publishes the next one: new partners, new tables. It can be undone.")
        return Station(5, _("Close round %(number)s") % {"number": 1}, text)
    if at == ("close", 2):
        text = _("Have its hands played, or enter some. Then close it.") if step.missing else _("Now close it.")
        return Station(6, _("Once more"), text, fills=bool(step.missing))
    if step.kind == "finish":
        return Station(7, _("Make the standings final"), _("From then on nothing moves without a reason given."))
    if step.kind == "done":
        text = _("Standings, slips for the tables, a file for a spreadsheet: it is all under the five places.")
        return Station(STATIONS, _("That was an evening"), text)
    return None


def _has_hands(step: NextStep) -> bool:
    assert step.round is not None
    tables = step.round.tables.all()
    return any(hands for _table, hands in step.missing) or len(step.missing) < len(tables)
