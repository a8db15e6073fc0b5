"""No person sits twice in a round: typed names that a listed person has, and the check before a round is published."""

from typing import Any

import pytest
from django.test import Client

from league.day.entrants import Confirmed, drop_out, enter_late
from league.day.stand_in import people_without_seat
from league.day.substitutes import substitute
from league.ledger.lineups import SAME_NAME
from league.lib.errors import Conflict, Refused
from league.models import Round, Seat, Tournament
from league.rounds.steps import NotYet, advance, next_step, publish_round, start
from tests import cast
from tests.api import Program
from tests.league.the_day import by, seats_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def once(module_world: None) -> tuple[Tournament, Tournament]:
    """Pairs of eight, and a Swiss of nine in duels, each with round 1 closed."""
    swiss = cast.tournament(9, name="Swiss Night", format="swiss", table_size=2, rounds=4, hands_per_round=1)
    return cast.play(cast.tournament(), rounds=1), cast.play(swiss, rounds=1)


@pytest.fixture
def pairs(once: tuple[Tournament, Tournament]) -> Tournament:
    return cast.again(once[0])


@pytest.fixture
def swiss(once: tuple[Tournament, Tournament]) -> Tournament:
    return cast.again(once[1])


@pytest.mark.parametrize("name", ["Zoë", "ZOE", "zoë "])
def test_a_stand_in_with_the_name_of_a_player_is_refused_with_round_and_table(pairs: Tournament, name: str) -> None:
    table, _seat = seats_of(pairs, "Zoë")[2]  # type: ignore[misc]
    with pytest.raises(Refused, match=f"Zoë already sits at table {table} in round 2") as refused:
        drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"), stand_in=name.strip())
    assert refused.value.code == SAME_NAME and list(refused.value.fields) == ["stand_in"]


def test_the_organiser_may_confirm_that_a_stand_in_is_another_person(pairs: Tournament) -> None:
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"), stand_in="Zoe", another=True)
    assert set(seats_of(pairs, "Zoe")) == {2, 3, 4, 5, 6, 7}


def test_a_substitute_with_the_name_of_a_player_or_stand_in_of_the_round_is_refused(pairs: Tournament) -> None:
    farah = cast.entry(pairs, "Farah")
    with pytest.raises(Refused, match=r"Zoë already sits at table \d in round 2"):
        substitute(**by(pairs), entry=farah, name="zoe")
    with pytest.raises(Refused, match="Farah has this seat already"):
        substitute(**by(pairs), entry=farah, name="FARAH")
    drop_out(**by(pairs), entry=cast.entry(pairs, "Chidi"), stand_in="Olga")
    with pytest.raises(Refused, match=r"Olga already sits at table \d in round 2"):
        substitute(**by(pairs), entry=farah, name="Olga")

    substitute(**by(pairs), entry=farah, name="Olga", another=True)

    people = {seat.substitute_id for seat in farah.seats.exclude(substitute=None)}
    assert len(people) == 1 and cast.entry(pairs, "Olga").player_id not in people


def test_a_substitute_who_plays_for_another_in_the_round_is_refused_as_a_stand_in(pairs: Tournament) -> None:
    substitute(**by(pairs), entry=cast.entry(pairs, "Zoë"), name="Hana")
    with pytest.raises(Refused, match=r"Hana already plays for “Zoë” in round 2, at table \d"):
        drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"), stand_in="hana")


def test_a_late_entry_with_the_name_of_a_player_or_stand_in_is_refused_and_may_be_confirmed(pairs: Tournament) -> None:
    with pytest.raises(Refused, match=r"Zoë already sits at table \d in round 2"):
        enter_late(**by(pairs), name="Zoe")
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"), stand_in="Olga")
    with pytest.raises(Refused, match="Farah has dropped out, and can return"):
        enter_late(**by(pairs), name="farah")
    with pytest.raises(Refused, match=r"Olga already sits at table \d in round 2"):
        enter_late(**by(pairs), name="Olga")
    enter_late(**by(pairs), name="Zoe", confirmed=Confirmed(another=True))
    assert pairs.entries.filter(player__name__in=("Zoë", "Zoe"), status="active").count() == 2


def test_a_player_with_a_bye_can_substitute_and_is_the_same_person(swiss: Tournament) -> None:
    idle = Seat.objects.get(round__tournament=swiss, round__number=2, table=None).entry
    seat = Seat.objects.filter(round__tournament=swiss, round__number=2).exclude(table=None).earliest("pk")

    substitute(**by(swiss), entry=seat.entry, name=str(idle).upper())

    seat.refresh_from_db()
    assert seat.substitute_id == idle.player_id


def test_people_without_a_seat_are_offered_and_those_who_sit_are_not(pairs: Tournament, swiss: Tournament) -> None:
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"), stand_in="Olga")
    substitute(**by(pairs), entry=cast.entry(pairs, "Zoë"), name="Hana")
    seats = list(Seat.objects.filter(round__tournament=pairs, round__number=2))
    assert people_without_seat(pairs, seats) == []
    cast.play(pairs)
    last = list(Seat.objects.filter(round__tournament=swiss, round__number=2))
    assert people_without_seat(swiss, last, listed=True) == [
        str(next(seat for seat in last if not seat.table_id).entry)
    ]


# --- publishing ------------------------------------------------------------------------------------------------------


def sit_twice(made: Tournament, number: int) -> str:
    """Let the player of the first seat of a round play for the one of the last; return the name."""
    seats = list(Seat.objects.filter(round__tournament=made, round__number=number).order_by("table__number", "number"))
    Seat.objects.filter(pk=seats[-1].pk).update(substitute=seats[0].entry.player)
    return str(seats[0].entry)


def test_no_round_is_published_in_which_a_person_sits_twice() -> None:
    made = cast.tournament(8)
    cast.play(made, rounds=1, close=False)
    name = sit_twice(made, 2)

    advance(tournament=made, token="close-1", by=made.owner)  # closes round 1, and leaves round 2 a draft

    assert next_step(made).token == "publish-2"
    with pytest.raises(Conflict, match=f"{name} has a seat at table 1 and at table 2 of round 2"):
        advance(tournament=made, token="publish-2", by=made.owner)
    drawn = made.rounds.get(number=2)
    with pytest.raises(NotYet, match=f"{name} has a seat at table 1"):
        publish_round(tournament=made, played=drawn)
    assert made.rounds.get(number=2).state == Round.State.DRAFT
    Seat.objects.filter(round=drawn).update(substitute=None)
    advance(tournament=made, token="publish-2", by=made.owner)
    assert made.rounds.get(number=2).is_open


def test_a_round_is_not_published_by_the_api_while_a_person_sits_twice() -> None:
    made = cast.tournament(8)
    cast.play(made, rounds=1, close=False)
    sit_twice(made, 2)
    advance(tournament=made, token="close-1", by=made.owner)
    problem = Program(made.owner).post(f"/api/v1/tournaments/{made.slug}/advance/", {}, status=409)
    assert problem["code"] == "twice" and "Change one of these seats first." in problem["detail"]
    assert made.rounds.get(number=2).state == Round.State.DRAFT


def test_round_one_is_not_published_while_a_person_sits_twice() -> None:
    made = cast.tournament(8)
    cast.go_on(made)
    name = sit_twice(made, 1)
    with pytest.raises(Conflict, match=f"{name} has a seat"):
        start(tournament=made, by=made.owner)


# --- pages -----------------------------------------------------------------------------------------------------------


def test_the_page_keeps_what_was_typed_and_asks_whether_it_is_another_person(pairs: Tournament) -> None:
    olga = Client()
    olga.force_login(pairs.owner)
    farah = cast.entry(pairs, "Farah")
    url = f"/t/{pairs.slug}/people/{farah.public_id}/"

    def post(**fields: str) -> tuple[int, str, Any]:
        answer = olga.post(url, fields)
        return answer.status_code, answer.content.decode(), answer.context

    status, text, _context = post(do="leave", stand_in="zoe", reason="The last bus")
    assert status == 422 and "Zoë already sits at table" in text and "The last bus" in text
    assert 'name="another"' in text
    assert cast.entry(pairs, "Farah").status == "active"
    status, text, context = post(do="leave", stand_in="zoe", another="on")
    assert status == 200 and "another" in text and context["step"].preview

    status, text, _context = post(do="substitute", name="ZOE", table="")
    assert status == 422 and "Zoë already sits at table" in text and 'name="another"' in text
    late = olga.post(f"/t/{pairs.slug}/day/late/", {"name": "zoe"})
    assert late.status_code == 422 and 'name="another"' in late.content.decode()
