"""Hands that are played online: sealed, dealt, played by the engine's rules, and recorded once."""

import pytest

from engine.log import as_object, lines, read
from engine.replay import verify
from engine.shuffle import commitment, promise
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.models import Deal, Hand, Move
from games.online.play.deals import get_ready, open_deal
from games.online.play.moves import play
from league.access.viewer import Attribution
from league.lib.errors import Conflict, Refused
from league.models import Entry, HandScore, Table
from league.rounds.reseat import fresh_tables
from league.rounds.steps import start
from tests import cast
from tests.games.online_table import (
    everybody_ready,
    next_move,
    opens,
    play_out,
    play_out_one_by_one,
    put_online,
    says_ready,
    standing,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def deal():
    tournament = cast.tournament()
    start(tournament=tournament, by=tournament.owner)
    return put_online(cast.table(tournament, 1, 1))


def of_seat(deal, seat):
    return Entry.objects.get(pk=deal.places[seat]["entry"])


def test_the_deck_is_sealed_before_anybody_adds_to_the_shuffle(deal):
    assert deal.commitment == commitment(bytes(deal.seed))
    assert deal.state == Deal.State.WAITING
    assert all(place["entropy"] is None and not place["ready"] for place in deal.places)


def test_the_last_player_who_is_ready_starts_the_hand_where_nobody_promised_anything(deal):
    for seat in range(3):
        assert says_ready(deal, seat).state == "waiting"
    begun = says_ready(deal, 3)
    assert begun.state == Deal.State.PLAYING
    assert begun.due_at > begun.asked_at


def test_the_deck_is_made_when_everybody_has_opened_what_all_had_promised(deal):
    for seat in range(3):
        says_ready(deal, seat, b"part %d" % seat)
    with pytest.raises(Conflict, match="Too early"):
        opens(deal, 0, b"part 0")
    assert says_ready(deal, 3).opening, "without scripts nothing is promised"
    assert opens(deal, 2, b"part 2").state == opens(deal, 0, b"part 0").state == Deal.State.WAITING
    assert opens(deal, 0, b"part 0").state == Deal.State.WAITING, "opened twice it counts once"
    begun = opens(deal, 1, b"part 1")
    assert begun.state == Deal.State.PLAYING
    start = as_object(standing(begun).hand.log[0])
    assert start["entropy"] == [*((b"part %d" % seat).hex() for seat in range(3)), None]
    assert start["promised"] == [*(promise(b"part %d" % seat) for seat in range(3)), None]


def test_a_promise_given_a_second_time_does_not_change_the_shuffle(deal):
    says_ready(deal, 0, b"first")
    says_ready(deal, 0, b"second")
    deal.refresh_from_db()
    assert deal.places[0]["promised"] == promise(b"first")


def test_what_was_not_promised_is_refused(deal):
    for seat in range(4):
        says_ready(deal, seat, b"mine")
    with pytest.raises(Refused, match="committed to another share"):
        opens(deal, 0, b"other")
    deal.refresh_from_db()
    assert deal.places[0]["entropy"] is None


def test_who_does_not_sit_there_cannot_get_ready(deal):
    stranger = Entry.objects.exclude(pk__in=[place["entry"] for place in deal.places]).first()
    with pytest.raises(Conflict, match="don’t play in this hand"):
        get_ready(table_id=deal.table_id, deal_id=deal.pk, entry=stranger)


def test_a_hand_lands_in_the_ledger_as_verified_and_the_next_deck_is_sealed(deal):
    everybody_ready(deal)
    over = play_out_one_by_one(deal)
    assert over.state == Deal.State.OVER
    hand = Hand.objects.get(table=deal.table_id, number=1)
    assert over.hand == hand
    assert hand.source == HandScore.Source.ENGINE
    end = standing(over).hand.log[-1]
    assert [one["points_left"] for one in hand.seats] == list(end[2])
    assert list(
        HandScore.objects.filter(table=deal.table_id, hand=1).order_by("seat").values_list("score", flat=True)
    ) == list(end[3])
    following = open_deal(deal.table)
    assert (following.number, following.state) == (2, Deal.State.WAITING)
    assert bytes(following.seed) != bytes(over.seed)


def test_the_log_of_a_hand_is_one_that_verify_accepts(deal):
    everybody_ready(deal)
    over = play_out(deal)
    [logged] = read(list(lines(standing(over).hand.log)))
    assert verify(logged).over


def test_a_table_is_confirmed_by_the_last_of_its_hands(deal):
    table = deal.table
    for number in range(1, 5):
        deal = open_deal(table)
        assert deal.number == number
        everybody_ready(deal)
        play_out(deal)
    table.refresh_from_db()
    assert table.state == Table.State.CONFIRMED
    assert open_deal(table) is None


def test_a_command_sent_twice_has_one_effect(deal):
    everybody_ready(deal)
    deal.refresh_from_db()
    first = next_move(deal, key="once")
    move = Move.objects.get(deal=deal)
    again = play(
        table_id=deal.table_id,
        deal_id=deal.pk,
        entry=of_seat(deal, move.action[1]),
        action=(move.action[0], *move.action[2:]),
        answers=0,
        key="once",
    )
    assert again.replayed and not first.replayed
    assert Move.objects.filter(deal=deal).count() == 1


def test_a_key_with_another_command_is_refused(deal):
    everybody_ready(deal)
    next_move(deal, key="once")
    move = Move.objects.get(deal=deal)
    with pytest.raises(Refused, match="another move"):
        play(
            table_id=deal.table_id,
            deal_id=deal.pk,
            entry=of_seat(deal, move.action[1]),
            action=("draw",),
            answers=1,
            key="once",
        )


def test_an_answer_to_what_was_decided_is_a_conflict_and_changes_nothing(deal):
    everybody_ready(deal)
    next_move(deal)
    seat = standing(deal).hand.public.turn
    with pytest.raises(Conflict, match="moved on"):
        play(table_id=deal.table_id, deal_id=deal.pk, entry=of_seat(deal, seat), action=("draw",), answers=0)
    assert Move.objects.filter(deal=deal).count() == 1


def test_what_the_rules_do_not_allow_is_refused_with_the_reason(deal):
    everybody_ready(deal)
    played = standing(deal)
    seat = (played.hand.public.turn + 1) % 4
    with pytest.raises(Refused, match="not your turn"):
        play(
            table_id=deal.table_id,
            deal_id=deal.pk,
            entry=of_seat(deal, seat),
            action=("draw",),
            answers=played.decision,
        )
    assert not Move.objects.filter(deal=deal).exists()


def test_a_hand_in_play_cannot_be_entered_by_hand(deal):
    everybody_ready(deal)
    with pytest.raises(Conflict, match="played online"):
        record_hand(table_id=deal.table_id, hand=HandInput(1, 0), by=Attribution())


def test_a_table_where_a_hand_is_being_played_is_not_seated_anew():
    made = cast.challenge()
    start(tournament=made, by=made.owner)
    deal = everybody_ready(put_online(cast.table(made, 1, 1)))
    fresh = [table.number for table in fresh_tables(made).tables]
    assert deal.state == Deal.State.PLAYING
    assert fresh == [2]
