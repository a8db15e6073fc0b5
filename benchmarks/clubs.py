"""A club with many evenings, the same for the same seed, written as rows: years of play in a minute."""

import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from benchmarks.factory import HANDS, SEATS, hand_lines, name_of, organiser
from league.log.write import note
from league.models import Club, Entry, HandScore, Player, Round, Seat, Stage, Table, Tournament
from league.standings.tie_breaks import DEFAULT_ORDER

MINUTES_A_HAND = 5


def club(slug: str, members: int) -> Club:
    made = Club.objects.create(slug=slug, name="Café Ludo", owner=organiser())
    Player.objects.bulk_create(Player(name=name_of(number), club=made) for number in range(members))
    return made


def evening(
    of: Club, people: Sequence[Player], rounds: int, at: datetime, dice: random.Random, *, challenge: bool = False
) -> Tournament:
    """A finished one: pairs with partners, or Challenge UNO to a target that nobody reaches, at tables of four."""
    made = Tournament.objects.create(
        slug=f"{of.slug}-{at:%Y-%m-%d}",
        name=f"Evening of {at:%Y-%m-%d}",
        club=of,
        owner=of.owner,
        starts_on=at.date(),
        state=Tournament.State.CLOSED,
        closed_at=at + timedelta(hours=4),
    )
    how: dict[str, Any] = {"settings": {"hands_per_round": HANDS}}
    if challenge:
        how = {"format": "challenge", "scoring": "challenge", "settings": {"hands_per_round": HANDS, "target": 10_000}}
    stage = Stage.objects.create(tournament=made, tie_breaks=list(DEFAULT_ORDER), lot_seed=of.slug, **how)
    entries = Entry.objects.bulk_create(
        Entry(tournament=made, player=person, number=number) for number, person in enumerate(people, 1)
    )
    for number in range(1, rounds + 1):
        _round(stage, number, dice.sample(entries, len(entries)), at, dice)
    note(tournament=made, by=of.owner, action="create", new={"name": made.name, "players": len(people)})
    return made


def _round(stage: Stage, number: int, drawn: Sequence[Entry], at: datetime, dice: random.Random) -> None:
    made = Round.objects.create(tournament=stage.tournament, stage=stage, number=number, state=Round.State.CLOSED)
    tables = Table.objects.bulk_create(
        Table(round=made, number=place, state=Table.State.CONFIRMED, version=HANDS)
        for place in range(1, len(drawn) // SEATS + 1)
    )
    seated = {table: drawn[SEATS * index : SEATS * index + SEATS] for index, table in enumerate(tables)}
    Seat.objects.bulk_create(
        Seat(round=made, table=table, number=seat, entry=entry)
        for table, four in seated.items()
        for seat, entry in enumerate(four)
    )
    scores = []
    for table, four in seated.items():
        for hand in range(1, HANDS + 1):
            moment = at + timedelta(minutes=MINUTES_A_HAND * (HANDS * (number - 1) + hand))
            lines = hand_lines(table, hand, four, dice, moment)
            if stage.format == "challenge":
                for line in lines:
                    line.partner, line.score = None, line.points_left or 0
            scores += lines
    HandScore.objects.bulk_create(scores)


def correct(of: Club, *, latest: bool) -> None:
    """Correct the first hand of a table of the last evening or of the first, so that its last become its first."""
    played = of.tournaments.order_by("-starts_on" if latest else "starts_on").first()
    assert played is not None
    table = Table.objects.filter(round__tournament=played).order_by("-pk" if latest else "pk")[0]
    rows = list(HandScore.objects.living().filter(table=table))
    totals = Counter[int]()
    for row in rows:
        totals[row.entry_id] += row.score
    now = rows[0].recorded_at + timedelta(days=1)
    first = [row for row in rows if row.hand == 1]
    HandScore.objects.filter(pk__in=[row.pk for row in first]).update(voided_at=now)
    for row in first:
        row.pk, row.recorded_at = None, now
        if totals[row.entry_id] == min(totals.values()):
            row.score += 10_000  # the most where points win, the worst where they lose
    HandScore.objects.bulk_create(first)
    note(tournament=played, by=of.owner, action="correct", table=table, hand=1)
