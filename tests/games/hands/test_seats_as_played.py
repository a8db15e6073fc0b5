"""Two who sat in each other's seats for a round: the correction "as if seated this way", its preview and its undo."""

import pytest
from django.test import Client

from games.hands.repair_preview import diff_of
from games.hands.repairs import KEEP, UNDO
from games.hands.seats_as_played import SeatCorrection, correct_seats
from games.models import Dispute, Hand
from games.online.play.settings import put_online
from league.lib.errors import Conflict, Refused
from league.log.audit import verify
from league.log.in_words import in_words
from league.models import HandScore, LogEntry, Player, Seat
from league.rounds.steps import start
from league.standings import read as ledger
from tests import cast

pytestmark = pytest.mark.django_db


def sitter(made, round_number, table, seat):
    return cast.table(made, round_number, table).seats.select_related("entry__player").get(number=seat).entry


def scores(made, round_number):
    """{(table, hand, seat): (entry, partner, score, went_out)} of the living rows of a round."""
    rows = HandScore.objects.living().filter(table__round__in=made.rounds.living(), table__round__number=round_number)
    columns = ("table__number", "hand", "seat", "entry__public_id", "partner__public_id", "score", "went_out")
    return {row[:3]: row[3:] for row in rows.values_list(*columns)}


def totals(made):
    return {line.entrant.id: line.total for line in ledger.read(made).standings()}


def exchanged(before, one, other):
    """The rows as they are if the two had each other's seats."""
    names = {one.public_id: other.public_id, other.public_id: one.public_id}
    return {
        slot: (names.get(entry, entry), names.get(partner, partner), *rest)
        for slot, (entry, partner, *rest) in before.items()
    }


def correct(made, one, other, number=1, **settings):
    return correct_seats(
        tournament=made, round_number=number, one=one, other=other, reason="They sat so", by=made.owner, **settings
    )


@pytest.mark.parametrize("where", [(1, 1), (2, 2), (1, 3)])
def test_what_was_scored_at_a_seat_counts_for_the_player_who_sat_there(where):
    made = cast.play(cast.tournament(), rounds=2)
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, where[0], where[1])
    before, of_round_2, had = scores(made, 1), scores(made, 2), totals(made)
    correct(made, one, other)
    after = exchanged(before, one, other)
    assert scores(made, 1) == after and scores(made, 2) == of_round_2
    expected = dict(had)
    for rows, sign in ((before, -1), (after, 1)):
        for entry, _partner, score, _won in rows.values():
            expected[entry] += sign * score
    assert totals(made) == expected
    assert sitter(made, 1, 1, 0) == other and sitter(made, 1, *where) == one
    assert not verify(made).faults


def test_the_same_correction_once_more_undoes_it_and_the_history_stays():
    made = cast.play(cast.tournament(), rounds=1)
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 2)
    before, hands = scores(made, 1), Hand.objects.count()
    correct(made, one, other)
    correct(made, one, other)
    assert scores(made, 1) == before and Hand.objects.living().count() == hands
    assert Hand.objects.count() == 3 * hands  # both tables have every hand three times
    assert not verify(made).faults
    row = LogEntry.objects.filter(action="correct-seats").latest("number")
    assert in_words(row) == f"Round 1: corrected: seats of {one} and {other} swapped"


def test_teams_exchange_both_seats_with_the_people_who_sat_there():
    made = cast.play(cast.teams(), rounds=1)
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 1)
    before = dict(HandScore.objects.living().values_list("pk", "played_by"))
    people = {seat.entry_id: [] for seat in Seat.objects.filter(round__number=1)}
    for seat in Seat.objects.filter(round__number=1).order_by("table", "number"):
        people[seat.entry_id].append(seat.substitute_id)
    old = scores(made, 1)
    correct(made, one, other)
    new = scores(made, 1)
    assert {slot: row[2:] for slot, row in new.items()} == {slot: row[2:] for slot, row in old.items()}
    for table in (1, 2):
        rows = HandScore.objects.living().filter(table=cast.table(made, 1, table), hand=1).order_by("seat")
        sat = {}
        for row in rows:
            sat.setdefault(row.entry_id, []).append(row.played_by_id)
        assert all(people[entry] == there for entry, there in sat.items())
    assert {row.entry for row in HandScore.objects.living().filter(table=cast.table(made, 1, 1))} >= {other}
    assert before and not verify(made).faults


def test_in_an_open_round_the_two_also_play_on_in_these_seats():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    cast.play_hand(cast.table(made, 1, 1), 1)
    version = cast.table(made, 1, 2).seating_version
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 2)
    correct(made, one, other)
    assert sitter(made, 1, 2, 2) == one and cast.table(made, 1, 2).seating_version == version + 1
    assert scores(made, 1)[1, 1, 0][0] == other.public_id
    cast.play_hand(cast.table(made, 1, 1), 2)
    assert scores(made, 1)[1, 2, 0][0] == other.public_id


@pytest.mark.parametrize("fault", ["online", "no hand", "same", "draft", "bye", "final"])
def test_what_cannot_be_corrected_is_refused_with_a_sentence_and_changes_nothing(fault):
    made = cast.tournament(9 if fault == "bye" else 8)
    start(tournament=made, by=made.owner)
    number = 1
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 0)
    if fault == "bye":
        other = Seat.objects.get(round__number=1, table=None).entry
    if fault == "online":
        put_online(tournament=made, round_number=1, online=[2], by=made.owner)
    if fault != "no hand":
        cast.play_hand(cast.table(made, 1, 1), 1)
    if fault == "same":
        other = one
    if fault == "draft":
        number = 2
    if fault == "final":
        cast.play(made)
        cast.go_on(made)
    before, rows = scores(made, 1), LogEntry.objects.count()
    says = {
        "online": "Table 2 is played online",
        "no hand": "Swap their seats instead",
        "same": "Choose two players",
        "draft": "not been published yet",
        "bye": "has a bye in round 1",
        "final": "Reopen the tournament",
    }
    with pytest.raises(Refused, match=says[fault]):
        correct(made, one, other, number)
    assert scores(made, 1) == before and LogEntry.objects.count() == rows


def heats():
    """Eight in two heats of two hands, which the seats 0 and 1 have won; the final of four is published."""
    made = cast.tournament(8, format="heats", hands_per_round=2)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0)
        cast.record(table, 2, 1)
    cast.go_on(made)
    cast.go_on(made)
    return made


def test_where_later_seats_depend_on_the_result_the_round_can_be_kept_or_undone():
    made = heats()
    one, other = sitter(made, 1, 1, 1), sitter(made, 1, 2, 3)  # the first plays the final, the second does not
    correction = SeatCorrection(made, 1, one, other, "", made.owner)
    diff = diff_of(made, cast.table(made, 1, 1), correction)
    assert [choice.repair for choice in diff.choices] == [KEEP, UNDO]
    assert f"{other} would have advanced, not {one}" in diff.goes_on
    correction.save(UNDO)
    final = set(made.rounds.living().get(number=2).seats.values_list("entry", flat=True))
    assert other.pk in final and one.pk not in final and not verify(made).faults


def test_a_race_counts_the_points_of_the_seats():
    made = cast.play_challenge(cast.challenge(), rounds=2)
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 0)
    before = scores(made, 1)
    correct(made, one, other)
    assert scores(made, 1) == exchanged(before, one, other)
    assert not verify(made).faults


@pytest.fixture
def olga():
    client = Client()
    client.force_login(cast.organiser())
    return client


def test_the_day_page_shows_what_moves_first_and_a_double_press_corrects_once(olga):
    made = cast.play(cast.tournament(), rounds=2)
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 2)
    path = f"/t/{made.slug}/day/seats-as-played/"
    page = olga.get(f"/t/{made.slug}/manage/?round=1")
    assert f'action="{path}"' in page.content.decode()
    sent = {"round": 1, "one": one.public_id, "other": other.public_id, "seen": page.context["manage"].seats.seen}
    before = scores(made, 1)
    preview = olga.post(path, sent)
    assert preview.status_code == 200 and scores(made, 1) == before
    text = " ".join(preview.content.decode().split())
    assert "8 recorded hands count for the players who sat there." in text and "Correct the seats" in text
    sent["shown"] = preview.context["moves"].digest
    assert olga.post(path, sent).status_code == 302
    assert olga.post(path, sent).status_code == 302
    assert scores(made, 1) == exchanged(before, one, other)
    assert LogEntry.objects.filter(action="correct-seats").count() == 1
    assert "sat in each other’s seats" in olga.get(f"/t/{made.slug}/manage/").content.decode()


def test_the_day_page_offers_the_repairs_of_heats_and_keeps_what_was_typed_when_it_refuses(olga):
    made = heats()
    one, other = sitter(made, 1, 1, 1), sitter(made, 1, 2, 3)
    path = f"/t/{made.slug}/day/seats-as-played/"
    sent = {"round": 1, "one": one.public_id, "other": other.public_id}
    preview = olga.post(path, sent)
    assert [plan.value for plan in preview.context["decision"].plans] == [KEEP, UNDO]
    chosen = olga.post(path, {**sent, "choose": UNDO})
    assert olga.post(path, {**sent, "plan": UNDO, "shown": chosen.context["moves"].digest}).status_code == 302
    assert made.rounds.living().get(number=2).state == "draft"
    refused = olga.post(path, {**sent, "other": one.public_id, "reason": "A slip"})
    assert refused.status_code == 422 and "A slip" in refused.content.decode()


def test_a_table_with_hands_leads_to_the_correction_of_its_round(olga):
    made = cast.play(cast.tournament(), rounds=1)
    table = cast.table(made, 1, 1)
    address = f"/t/{made.slug}/manage/?round=1#seats-as-played"
    assert address in olga.get(table.get_absolute_url()).content.decode()
    assert address not in Client().get(table.get_absolute_url()).content.decode()


def test_a_correction_that_another_director_made_in_between_is_not_made_again():
    made = cast.play(cast.tournament(), rounds=1)
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 2)
    seen = made.log.latest("number").number
    correct(made, one, other, seen=seen)
    with pytest.raises(Conflict, match="already corrected"):
        correct(made, other, one, seen=seen)


def test_in_a_knockout_only_the_two_of_a_duel_can_have_sat_in_each_others_seats():
    made = cast.tournament(8, format="knockout", hands_per_round=1)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0, (0, 10))
    cast.go_on(made)
    cast.go_on(made)
    winner, loser = sitter(made, 1, 1, 0), sitter(made, 1, 1, 1)
    with pytest.raises(Refused, match="the results decide the matches"):
        correct(made, winner, sitter(made, 1, 2, 0))
    correct(made, winner, loser, repair=UNDO)
    semifinal = set(made.rounds.living().get(number=2).seats.values_list("entry", flat=True))
    assert loser.pk in semifinal and winner.pk not in semifinal and not verify(made).faults


def test_a_swiss_round_that_nobody_has_seen_is_drawn_again_from_the_corrected_points():
    made = cast.tournament(8, format="swiss", rounds=3, hands_per_round=2)
    start(tournament=made, by=made.owner)
    cast.play_round(made.rounds.get(number=1))
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 1)
    before = scores(made, 1)
    correct(made, one, other)
    assert scores(made, 1) == exchanged(before, one, other)
    cast.go_on(made)
    assert made.rounds.living().count() == 2 and not verify(made).faults


def test_a_substitute_goes_with_the_player_they_played_for():
    made = cast.tournament(8, format="points", rounds=2, hands_per_round=1)
    start(tournament=made, by=made.owner)
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 0)
    sven = Player.objects.create(name="Sven")
    Seat.objects.filter(round__number=1, entry=one).update(substitute=sven)
    for table in made.rounds.get(number=1).tables.all():
        cast.play_hand(table, 1)
    correct(made, one, other)
    rows = HandScore.objects.living()
    assert rows.get(entry=one).played_by == sven and rows.get(entry=other).played_by is None
    assert rows.get(entry=one).table == cast.table(made, 1, 2)
    assert Seat.objects.get(round__number=1, entry=one).substitute == sven and not verify(made).faults


def test_in_a_challenge_a_player_who_is_eliminated_at_the_other_seat_is_out():
    made = cast.challenge(8, target=100, hands_per_round=2)
    start(tournament=made, by=made.owner)
    for number, points in ((1, (0, 5, 5, 5)), (2, (0, 60, 5, 5))):
        for hand in (1, 2):
            cast.record(cast.table(made, 1, number), hand, 0, points)
    one, other = sitter(made, 1, 1, 1), sitter(made, 1, 2, 1)  # the second has 120 of 100
    out = {line.entrant.id for line in ledger.read(made).standings() if line.entrant.status == "out"}
    assert out == {other.public_id}
    correct(made, one, other)
    out = {line.entrant.id for line in ledger.read(made).standings() if line.entrant.status == "out"}
    assert out == {one.public_id} and not verify(made).faults
    assert all(table.state == "confirmed" for table in made.rounds.get(number=1).tables.all())


def test_a_disputed_hand_is_decided_first():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    cast.play_hand(cast.table(made, 1, 1), 1)
    one, other = sitter(made, 1, 1, 0), sitter(made, 1, 2, 0)
    hand = Hand.objects.get()
    Dispute.objects.create(hand=hand, player=one)
    hand.table.state = "disputed"
    hand.table.save()
    with pytest.raises(Conflict, match="open dispute"):
        correct(made, one, other)
