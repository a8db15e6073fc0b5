"""The cast of the tests: eight people, their organiser, and tournaments they have played. The same every time.

Tests that need the database ask pytest for it (`pytestmark = pytest.mark.django_db`) and call what is here. What all
tests of a file begin with is played once for them (`module_world` of tests/conftest.py).
"""

from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Any, TypeVar

from django.contrib.auth.hashers import make_password
from django.db import models

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import Recorded, record_hand
from games.service.bots_play import play as play_by_bots
from league.access.viewer import Attribution
from league.clubs.clubs import found_club
from league.clubs.members import add_members
from league.entries.persons import NewPlayer
from league.entries.roster.rows import RosterRow
from league.formats import USUAL
from league.models import Club, Entry, Player, Round, Stage, Table, Tournament, User
from league.rounds.steps import advance, next_step, start
from league.setup.create import create_tournament
from league.setup.stages.stage_plan import PlannedStage

Row = TypeVar("Row", bound=models.Model)

CAST = ("Ana Lucía", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë")
PASSWORD = "wild-league-cast"


def organiser(email: str = "olga@example.org", name: str = "Olga") -> User:
    """The account that runs the tournaments; made once, then found again."""
    return User.objects.filter(email=email).first() or User.objects.create(email=email, name=name, password=_hashed())


@cache
def _hashed() -> str:
    """PASSWORD as it is stored; hashing is slow on purpose, so it is done once."""
    return make_password(PASSWORD)


def someone_else() -> User:
    """An account that runs nothing."""
    return organiser("sven@example.org", "Sven")


def people(count: int = 8) -> list[RosterRow]:
    """The cast, and after them Player 9, Player 10 ... The first has an e-mail address and a birthday."""
    names = [*CAST, *(f"Player {number}" for number in range(9, count + 1))][:count]
    private = {"email": "ana@example.org", "birthday": (5, 17)}
    return [
        RosterRow(line, name, "Café Ludo" if line % 2 else "", **(private if line == 1 else {}))
        for line, name in enumerate(names, 1)
    ]


COLUMNS = {field.name for field in Tournament._meta.concrete_fields}
OF_A_STAGE = {"format", "scoring", "tie_breaks", "groups"}


def create(*, players: Sequence[NewPlayer] = (), then: Sequence[PlannedStage] = (), **settings: Any) -> Tournament:
    """What `create_tournament` makes of `settings`: columns of the tournament, what a stage has beside its settings,
    `edition`, `shuffled`, and settings of the format."""
    wanted = {"owner": organiser(), "name": "Autumn Pairs", "starts_on": date(2026, 11, 24), "format": USUAL} | settings
    columns, stage, other = (
        {name: wanted.pop(name) for name in names & wanted.keys()}
        for names in (COLUMNS, OF_A_STAGE, {"edition", "shuffled"})
    )
    stages = [PlannedStage(**stage, settings=wanted), *then]
    return create_tournament(Tournament(**columns), stages, players=players, **other)


def tournament(players: int | list[RosterRow] = 8, **settings: Any) -> Tournament:
    """An evening of individual pairs that has not begun. `settings` as for `create`."""
    created = create(players=people(players) if isinstance(players, int) else players, **settings)
    Stage.objects.filter(tournament=created).update(lot_seed="cast")
    return Tournament.objects.select_related("owner", "club").get(pk=created.pk)


TEAMS = ("Blue Foxes", "Red Owls", "Green Newts", "Yellow Bees")


def team_rows(count: int = 4) -> list[RosterRow]:
    """The cast in teams of two, in their order, and after them Team 5 ... Ingrid is a substitute of the first."""
    names = [*CAST, *(f"Player {number}" for number in range(9, 2 * count + 1))]
    made = []
    for at, team in enumerate([*TEAMS, *(f"Team {number}" for number in range(5, count + 1))][:count]):
        people = [*names[2 * at : 2 * at + 2], *(["Ingrid"] if at == 0 else [])]
        members = tuple(RosterRow(at + 1, name, team=team) for name in people)
        made.append(RosterRow(at + 1, team, "Café Ludo" if at % 2 == 0 else "", members=members))
    return made


def teams(count: int = 4, **settings: Any) -> Tournament:
    """An evening of teams that has not begun."""
    return tournament(team_rows(count), **({"format": "teams", "name": "Team Night"} | settings))


def challenge(players: int = 8, **settings: Any) -> Tournament:
    """An evening of Challenge UNO that has not begun: tables of four to 500 points, unless the settings say otherwise.

    `table_size`, `target` and `hands_per_round` are the settings to vary.
    """
    wanted: dict[str, Any] = {"format": "challenge", "name": "Long Night", "table_size": 4, "target": 500}
    return tournament(players, **(wanted | settings))


def club(members: int = 0, **settings: Any) -> Club:
    """The organiser's club, with so many of the cast as members."""
    wanted = {"owner": organiser(), "name": "Café Ludo", "place": "Lyon", "time_zone": "Europe/Paris"}
    made = found_club(**(wanted | settings))
    if members:
        add_members(club=made, players=people(members), by=made.owner)
    return made


def member(club: Club, name: str) -> Player:
    return Player.objects.get(club=club, name=name)


def play_challenge(tournament: Tournament, rounds: int | None = None, *, seed: int = 3) -> Tournament:
    """Bots play so many more rounds (None: until there is a winner). The last one stays open, with its hands in."""

    play_by_bots(tournament, seed=seed, rounds=rounds, by=tournament.owner, tell=lambda line: None)
    tournament.refresh_from_db()
    return tournament


def again(row: Row) -> Row:
    """A row of the module's world as the database has it, with nothing of what another test did to the object."""
    return type(row)._default_manager.get(pk=row.pk)


def entry(tournament: Tournament, name: str) -> Entry:
    return tournament.entries.get(player__name=name)


def table(tournament: Tournament, round_number: int, number: int) -> Table:
    of_living = Table.objects.filter(round__in=tournament.rounds.living())
    return of_living.get(round__number=round_number, number=number)


def first_table() -> Table:
    """Table 1 of a first round that has begun."""
    made = tournament()
    start(tournament=made, by=made.owner)
    return table(made, 1, 1)


def record(table: Table, hand: int, went_out: int | None = 0, points: tuple[int, ...] = (0, 10, 20, 30)) -> Recorded:
    """One hand by the points left, seat by seat; what stands at the seat that went out is left aside."""
    reports = [SeatReport(seat, points_left=left) for seat, left in enumerate(points) if seat != went_out]
    owner = table.round.tournament.owner
    return record_hand(table_id=table.pk, hand=HandInput(hand, went_out, reports), by=Attribution(owner))


def go_on(tournament: Tournament) -> Tournament:
    """Take the next step, whatever it is."""
    advance(tournament=tournament, token=next_step(tournament).token, by=tournament.owner)
    tournament.refresh_from_db()
    return tournament


def play_round(played: Round) -> None:
    """All hands of a round, by a formula. The round stays open."""
    for at in played.tables.order_by("number"):
        for hand in range(1, played.stage.hands_per_round + 1):
            play_hand(at, hand)


def play_hand(at: Table, hand: int) -> None:
    """One hand, by the formula of `play_round`."""
    size = at.seats.count()
    mix = 7 * at.round.number + 11 * at.number + 13 * hand
    record(at, hand, (mix // 5) % size, tuple((mix + 5 * seat) % 48 + 3 for seat in range(size)))


def play(tournament: Tournament, rounds: int | None = None, *, close: bool = True) -> Tournament:
    """Start if need be, then play and close rounds up to number `rounds` (None: all of them).

    Closing a round publishes the one after it. close=False: the last of them is played but stays open.
    """
    owner = tournament.owner
    start(tournament=tournament, by=owner)
    tournament.refresh_from_db()
    last = rounds or tournament.rounds.living().count()
    for played in tournament.rounds.living().filter(number__lte=last, closed_at=None).order_by("number"):
        play_round(played)
        if close or played.number < last:
            advance(tournament=tournament, token=next_step(tournament).token, by=owner)
        tournament.refresh_from_db()
    return tournament
