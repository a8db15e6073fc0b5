"""Tournaments of any size, the same for the same seed, written as rows: larger than the formats have schedules for."""

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.utils import timezone

from benchmarks.models import Item
from league.entries.roster.rows import RosterRow
from league.log.write import note
from league.models import Entry, HandScore, Player, Round, Seat, Stage, Table, Tournament, User
from league.setup.create import create_tournament
from league.setup.stages.stage_plan import PlannedStage
from league.standings.tie_breaks import DEFAULT_ORDER

HANDS = 4
SEATS = 4
FIRST = ("Ana", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë")
LAST = ("Lucía", "Okafor", "Petrović", "Haddad", "Li", "Moreau", "Nowak", "Berg", "Castro", "Ito", "Weiss")


def organiser() -> User:
    return User.objects.filter(email="bench@example.org").first() or User.objects.create_user(
        "bench@example.org", name="Olga"
    )


def floor_rows(seed: int, count: int = 64) -> None:
    """The rows that the floors read."""
    dice = random.Random(f"{seed} floor")
    Item.objects.bulk_create(
        Item(
            name=name_of(number),
            ranks=", ".join(str(dice.randint(1, count)) for _ in range(7)),
            moved=dice.randint(-20, 20),
            latest=dice.randrange(500),
            points=dice.randrange(2000),
            won=dice.randrange(28),
            direct=dice.randrange(500),
            conceded=dice.randrange(2000),
            best=dice.randrange(500),
        )
        for number in range(count)
    )


def tournament(players: int, rounds: int, seed: int, *, played: bool = True) -> Tournament:
    """Tables of four with partners, four hands a round. played=False: every round is open and no hand is in."""
    if players % SEATS:
        raise ValueError(f"{players} players do not fill tables of four.")
    dice = random.Random(f"{seed} {players} {rounds}")
    what = "played" if played else "open"
    made = Tournament.objects.create(
        slug=f"bench-{players}-{rounds}-{seed}-{what}",
        name=f"Bench {players}",
        owner=organiser(),
        starts_on=date(2026, 11, 24),
        state=Tournament.State.RUNNING,
    )
    stage = Stage.objects.create(
        tournament=made, settings={"hands_per_round": HANDS}, tie_breaks=list(DEFAULT_ORDER), lot_seed=str(seed)
    )
    people = Player.objects.bulk_create(
        Player(name=name_of(number), club_name="Café Ludo") for number in range(players)
    )
    entries = Entry.objects.bulk_create(
        Entry(tournament=made, player=person, number=number) for number, person in enumerate(people, 1)
    )
    for number in range(1, rounds + 1):
        _round(stage, number, entries, dice, played=played, last=number == rounds)
    note(tournament=made, by=made.owner, action="create", new={"name": made.name, "players": players})
    return made


def challenge(players: int) -> Tournament:
    """A Challenge UNO of so many players, made as its organiser makes it. Nothing of it is drawn."""
    people = [RosterRow(number, f"Player {number}") for number in range(1, players + 1)]
    hall = Tournament(owner=organiser(), name=f"Hall of {players}", starts_on=date(2026, 11, 24))
    return create_tournament(hall, [PlannedStage("challenge")], players=people)


def name_of(number: int) -> str:
    return f"{FIRST[number % len(FIRST)]} {LAST[number // len(FIRST) % len(LAST)]} {number}"


def _round(stage: Stage, number: int, entries: list[Entry], dice: random.Random, *, played: bool, last: bool) -> None:
    state = Round.State.CLOSED if played and not last else Round.State.RUNNING
    made = Round.objects.create(tournament=stage.tournament, stage=stage, number=number, state=state)
    tables = Table.objects.bulk_create(
        Table(
            round=made,
            number=place,
            state=Table.State.CONFIRMED if played else Table.State.SCHEDULED,
            version=HANDS if played else 0,
        )
        for place in range(1, len(entries) // SEATS + 1)
    )
    drawn = dice.sample(entries, len(entries))
    seated = {table: drawn[SEATS * at : SEATS * at + SEATS] for at, table in enumerate(tables)}
    Seat.objects.bulk_create(
        Seat(round=made, table=table, number=seat, entry=entry)
        for table, four in seated.items()
        for seat, entry in enumerate(four)
    )
    if played:
        HandScore.objects.bulk_create(
            score
            for table, four in seated.items()
            for hand in range(1, HANDS + 1)
            for score in hand_lines(table, hand, four, dice, timezone.now() - timedelta(hours=1))
        )


def hand_lines(table: Table, hand: int, four: Sequence[Entry], dice: random.Random, at: datetime) -> list[HandScore]:
    """One hand in four seats: who went out and the partner score what the opponents hold."""
    out = dice.randrange(SEATS)
    left = [0 if seat == out else dice.randint(1, 90) for seat in range(SEATS)]
    won = left[(out + 1) % SEATS] + left[(out + 3) % SEATS]
    return [
        HandScore(
            table=table,
            hand=hand,
            seat=seat,
            entry=entry,
            partner=four[(seat + 2) % SEATS],
            went_out=seat == out,
            cards_left=0 if seat == out else dice.randint(1, 12),
            points_left=left[seat],
            points_for=won if seat % 2 == out % 2 else 0,
            points_against=0 if seat % 2 == out % 2 else won,
            score=won if seat % 2 == out % 2 else 0,
            source=HandScore.Source.SCORER,
            recorded_at=at,
            counted_at=at,
        )
        for seat, entry in enumerate(four)
    ]
