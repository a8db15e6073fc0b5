"""A director at an online table: each thing they do, what it leaves, and what is refused. By HTTP, as they do it."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from engine.log import lines, read
from engine.paper import SeatReport
from engine.replay import verify
from engine.rules import EDITIONS
from games.hands.correct import correct_hand, void_hand
from games.hands.judge import HandInput
from games.models import Deal, Hand, Move
from games.online.director import services as director
from games.online.play.deals import open_deal
from games.online.play.sweep import sweep
from league.access.signed_links import player_token
from league.access.viewer import Attribution
from league.erasure.erase import erase_player
from league.lib.errors import Conflict
from league.lib.translate import card_name
from league.log import write as log
from league.log.in_words import in_words
from league.models import Entry, HandScore, LogEntry, Role, Table, Tournament
from league.rounds.steps import start
from league.rounds.tables import swap_seats
from tests import cast, pdf_text
from tests.games.online_table import everybody_ready, next_move, open_all, play_out, put_online, standing
from tests.games.pages import said

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def deal():
    """A hand that is dealt, at an online table of four."""
    tournament = cast.tournament()
    start(tournament=tournament, by=tournament.owner)
    return everybody_ready(put_online(cast.table(tournament, 1, 1)))


@pytest.fixture
def olga(deal):
    """The organiser’s browser, which may do what a director may."""
    client = Client()
    client.force_login(deal.table.round.tournament.owner)
    return client


def page(deal, what=""):
    return f"/tables/{deal.table_id}/direct/{what}/" if what else f"/tables/{deal.table_id}/direct/"


def do(client, deal, what, /, **fields):
    return client.post(page(deal, what), {"deal": deal.pk} | fields)


def fresh(deal):
    return Deal.objects.get(pk=deal.pk)


def words_of_last(deal):
    return in_words(LogEntry.objects.filter(tournament=deal.table.round.tournament).latest("pk"))


def of_seat(deal, at):
    return Entry.objects.select_related("player").get(pk=deal.places[at]["entry"])


def moved(client, deal):
    """What the server answers to a legal move of whoever is asked."""
    played = standing(deal)
    entry = of_seat(deal, played.hand.public.turn)
    client.post(f"/me/{player_token(entry)}/")
    return client.post(
        f"/tables/{deal.table_id}/play/act/",
        {"deal": deal.pk, "answers": played.decision, "kind": "draw", "as": entry.public_id},
        headers={"Accept": "application/json"},
    )


# Pause


def test_a_paused_hand_takes_no_move_and_says_why(deal, olga):
    answer = do(olga, deal, "pause", reason="Chidi has no network")
    assert answer.status_code == 302 and answer["Location"] == f"/tables/{deal.table_id}/play/"
    refused = moved(Client(), deal)
    assert refused.status_code == 409
    assert refused.json()["code"] == "paused"
    assert refused.json()["play"]["pause_reason"] == "Chidi has no network"
    assert not Move.objects.filter(deal=deal).exists()
    assert words_of_last(deal) == "Round 1, table 1, hand 1: paused"


def test_pausing_is_one_tap_and_its_reason_may_come_later(deal, olga):
    form = f'method="post" action="{page(deal, "pause")}"'
    assert form in olga.get(f"/tables/{deal.table_id}/play/").content.decode()
    for _tap in range(2):
        assert olga.post(page(deal, "pause")).status_code == 302
    since = fresh(deal).paused_at
    assert since is not None
    assert words_of_last(deal) == "Round 1, table 1, hand 1: paused"
    do(olga, deal, "pause", reason="Chidi has no network")
    assert (fresh(deal).paused_at, fresh(deal).pause_reason) == (since, "Chidi has no network")
    row = LogEntry.objects.filter(tournament=deal.table.round.tournament).latest("pk")
    assert (in_words(row), row.reason) == ("Round 1, table 1, hand 1: pause reason", "Chidi has no network")
    assert LogEntry.objects.filter(action="pause-hand").count() == 1


def test_what_was_left_of_the_clock_is_left_when_play_goes_on(deal):
    """A pause of a quarter of an hour, ten seconds after somebody was asked."""
    deal.refresh_from_db()
    asked, due = deal.asked_at, deal.due_at
    at = asked + timedelta(seconds=10)
    director.pause(table_id=deal.table_id, deal_id=deal.pk, reason="A spilt drink", by=None, now=at)
    sweep(at + timedelta(minutes=5))
    director.go_on(table_id=deal.table_id, deal_id=deal.pk, by=None, now=at + timedelta(minutes=15))
    deal.refresh_from_db()
    assert deal.paused_at is None
    assert (deal.asked_at - asked, deal.due_at - due) == (timedelta(minutes=15),) * 2
    assert not Move.objects.filter(deal=deal).exists()


def test_nobody_pays_for_a_pause_out_of_their_bank(deal):
    deal.refresh_from_db()
    at = timezone.now()
    director.pause(table_id=deal.table_id, deal_id=deal.pk, reason="A spilt drink", by=None, now=at)
    director.go_on(table_id=deal.table_id, deal_id=deal.pk, by=None, now=at + timedelta(minutes=15))
    Deal.objects.filter(pk=deal.pk).update(
        asked_at=fresh(deal).asked_at - timedelta(minutes=15), due_at=fresh(deal).due_at - timedelta(minutes=15)
    )
    banks = [place["bank"] for place in fresh(deal).places]
    next_move(deal)
    assert [place["bank"] for place in fresh(deal).places] == banks


def test_somebody_who_is_asked_during_a_pause_has_all_their_time_when_play_goes_on(deal):
    next_move(deal)
    next_move(deal)
    at = timezone.now()
    director.pause(table_id=deal.table_id, deal_id=deal.pk, reason="A question", by=None, now=at)
    to = director.moves_that_stand(fresh(deal))[1].line
    director.undo_to(
        table_id=deal.table_id,
        deal_id=deal.pk,
        to=to,
        moves_made=2,
        reason="Wrong turn",
        by=None,
        now=at + timedelta(minutes=2),
    )
    whole = fresh(deal).due_at - fresh(deal).asked_at
    director.go_on(table_id=deal.table_id, deal_id=deal.pk, by=None, now=at + timedelta(minutes=5))
    assert fresh(deal).asked_at == at + timedelta(minutes=5)
    assert fresh(deal).due_at - fresh(deal).asked_at == whole


def test_going_on_is_one_tap_and_twice_is_once(deal, olga):
    do(olga, deal, "pause", reason="A question")
    for _tap in range(2):
        assert olga.post(page(deal, "go-on")).status_code == 302
    assert fresh(deal).paused_at is None
    assert moved(Client(), deal).status_code == 200
    actions = LogEntry.objects.filter(tournament=deal.table.round.tournament, action="resume-hand")
    assert actions.count() == 1


# Who plays


def test_a_bot_sits_in_for_somebody_until_they_are_back(deal, olga):
    at = standing(deal).hand.public.turn
    name = of_seat(deal, at).player.name
    assert do(olga, deal, "away", who=f"{at}-away").status_code == 302
    assert fresh(deal).places[at]["bot"] == "careful"
    assert fresh(deal).due_at is None and fresh(deal).bot_at is not None
    assert words_of_last(deal) == f"Round 1, table 1, hand 1: a bot plays for {name}"
    assert do(olga, deal, "away", who=f"{at}-back").status_code == 302
    assert fresh(deal).places[at]["bot"] == ""
    assert fresh(deal).due_at is not None and fresh(deal).bot_at is None
    assert words_of_last(deal) == f"Round 1, table 1, hand 1: {name} is back"


def test_the_bot_plays_the_move_of_whoever_is_away(deal, olga):
    at = standing(deal).hand.public.turn
    do(olga, deal, "away", who=f"{at}-away")
    sweep(timezone.now() + timedelta(seconds=10))
    assert Move.objects.get(deal=deal, number=1).bot == "careful"


def test_a_substitute_plays_this_hand_on_and_the_points_stay_the_entrys(deal, olga):
    ana = of_seat(deal, 1)
    assert do(olga, deal, "substitute", at=1, name="Gül").status_code == 302
    place = fresh(deal).places[1]
    assert place["entry"] == ana.pk and place["played_by"] is not None
    play_out(deal)
    score = HandScore.objects.get(table=deal.table_id, hand=1, entry=ana)
    assert score.played_by.name == "Gül" and score.source == HandScore.Source.ENGINE
    following = open_deal(deal.table)
    assert following.places[1]["played_by"] == score.played_by_id


def test_a_substitute_goes_when_the_player_plays_again(deal, olga):
    do(olga, deal, "substitute", at=1, name="Gül")
    assert do(olga, deal, "substitute", at=1, name="").status_code == 302
    assert fresh(deal).places[1]["played_by"] is None
    assert deal.table.seats.get(entry=of_seat(deal, 1)).substitute is None


def test_a_substitute_needs_a_name(deal, olga):
    assert do(olga, deal, "substitute", at=1, name="").status_code == 422


def test_who_plays_is_locked_in_the_order_of_all_writes(deal, olga, monkeypatch):
    """Tournament, tables, and the end of the log last, so that nobody waits for somebody who waits for them."""
    taken = []

    def noting(module, name):
        lock = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *what: (taken.append(name), lock(*what))[1])

    for name in ("lock_tournament", "lock_tables", "lock_table"):
        noting(director, name)
    noting(log, "lock_head")
    for name in ("Gül", ""):
        do(olga, deal, "substitute", at=1, name=name)
        assert taken == ["lock_tournament", "lock_tables", "lock_table", "lock_head"]
        taken.clear()


def test_a_deck_that_waits_is_sealed_anew_for_a_substitute(olga, deal):
    waiting = open_deal(play_out(deal).table)
    do(olga, waiting, "substitute", at=0, name="Gül")
    sealed = open_deal(deal.table)
    assert fresh(waiting).state == Deal.State.ABANDONED
    assert (sealed.number, sealed.state) == (2, Deal.State.WAITING)
    assert sealed.places[0]["played_by"] is not None


# Penalty


def test_a_penalty_gives_two_cards_and_stands_in_the_hand(deal, olga):
    before = standing(deal).hand.public.counts[2]
    turn = standing(deal).hand.public.turn
    sent = {"at": 2, "reason": "Pointed at a card", "key": "once"}
    for _sent_twice in range(2):
        assert do(olga, deal, "penalty", **sent).status_code == 302
    hand = standing(deal).hand
    assert (hand.public.counts[2], hand.public.turn) == (before + 2, turn)
    move = Move.objects.get(deal=deal)
    assert (move.action, move.by) == (["suggestion", 2], deal.table.round.tournament.owner)
    assert ("penalty", 2, "suggestion") in hand.log
    assert_accepted_by_verify(play_out(deal))


def assert_accepted_by_verify(over):
    assert over.state == Deal.State.OVER
    [logged] = read(list(lines(standing(over).hand.log)))
    assert verify(logged).over


# Undo


def test_moves_are_taken_back_and_the_log_still_proves_the_hand(deal, olga):
    for _move in range(6):
        next_move(deal)
    deal.refresh_from_db()
    moves = director.moves_that_stand(deal)
    chosen = moves[2]
    shown = said(olga.get(page(deal, "undo") + f"?to={chosen.line}"))
    assert all(move.words in shown for move in moves[:3])
    answer = do(olga, deal, "undo", to=chosen.line, moves_made=deal.moves_made, reason="Played for the wrong seat")
    assert answer.status_code == 302
    again = director.moves_that_stand(fresh(deal))
    assert [move.number for move in again] == [move.number for move in moves[2:]]
    assert [move.words for move in again] == [move.words for move in moves[2:]]
    assert Move.objects.get(deal=deal, number=deal.moves_made + 1).by == deal.table.round.tournament.owner
    assert words_of_last(deal) == f"Round 1, table 1, hand 1: undone to move {chosen.number}"
    do(olga, deal, "go-on")
    over = play_out(deal)
    assert any(event[0] == "undo" for event in standing(over).hand.log)
    assert_accepted_by_verify(over)


def test_everybody_reads_that_moves_were_taken_back_and_why(deal, olga):
    next_move(deal)
    deal.refresh_from_db()
    do(olga, deal, "undo", to=director.moves_that_stand(deal)[-1].line, moves_made=1, reason="Dealt too fast")
    seen = Client().get(f"/tables/{deal.table_id}/play/", headers={"Accept": "application/json"}).json()["play"]
    assert seen["hand"]["events"][-1]["reason"] == "Dealt too fast"


def test_to_choose_a_move_the_hand_is_paused_first_by_one_tap(deal, olga):
    next_move(deal)
    move = director.moves_that_stand(fresh(deal))[0].words
    running = said(olga.get(page(deal, "undo")))
    assert "Pause the hand" in running and move not in running
    answer = do(olga, deal, "pause", then="undo")
    assert answer["Location"] == page(deal, "undo")
    assert fresh(deal).paused_at is not None
    assert move in said(olga.get(answer["Location"]))


def test_moves_of_a_hand_that_goes_on_are_taken_back_and_it_is_paused_until_the_director_goes_on(deal, olga):
    """Nobody, and no bot, moves before the director has looked at what stands now."""
    next_move(deal)
    first = director.moves_that_stand(fresh(deal))[-1].line
    do(olga, deal, "undo", to=first, moves_made=1, reason="Wrong card")
    assert (fresh(deal).paused_at is not None, fresh(deal).pause_reason) == (True, "Wrong card")
    assert moved(Client(), deal).json()["code"] == "paused"
    bar = olga.get(f"/tables/{deal.table_id}/play/").content.decode()
    assert "Paused" in bar and f'action="{page(deal, "go-on")}"' in bar
    rows = LogEntry.objects.filter(tournament=deal.table.round.tournament).order_by("-pk")[:2]
    assert [row.action for row in rows] == ["undo-moves", "pause-hand"]
    do(olga, deal, "go-on")
    assert moved(Client(), deal).status_code == 200


def test_an_undo_gives_back_the_bank_and_the_misses_since_then(clock, deal, olga):
    """One turn runs out and then another, and somebody is slow; an undo to each moment gives what was left then."""
    stood = {}

    def look():
        banks = [(place["bank"], place["misses"]) for place in fresh(deal).places]
        stood[director.moves_that_stand(fresh(deal))[0].line] = banks
        return banks

    look()
    for _turn in range(2):
        made = fresh(deal).moves_made
        while fresh(deal).moves_made == made:
            clock.run(10)
        look()
    clock.run(40)
    next_move(deal)
    look()
    next_move(deal)
    after = dict(stood)
    assert len({tuple(seats) for seats in after.values()}) == 4
    assert sorted(after[max(after)])[:3] == [(0, 1), (0, 1), (44_000, 0)]
    for line in sorted(after, reverse=True):
        made = fresh(deal).moves_made
        assert do(olga, deal, "undo", to=line, moves_made=made, reason="The network failed").status_code == 302
        assert look() == after[line]
    assert look() == [(60_000, 0)] * 4


def test_moves_that_were_made_while_the_director_looked_are_shown_first(deal, olga):
    next_move(deal)
    first = director.moves_that_stand(fresh(deal))[-1].line
    next_move(deal)
    answer = do(olga, deal, "undo", to=first, moves_made=1, reason="Wrong card")
    assert answer.status_code == 409
    assert "The hand has moved on" in said(answer)
    assert Move.objects.filter(deal=deal).count() == 2


def test_nothing_is_undone_that_was_not_a_move(deal, olga):
    next_move(deal)
    answer = do(olga, deal, "undo", to=10_000, moves_made=1, reason="Wrong card")
    assert answer.status_code == 422
    assert Move.objects.filter(deal=deal).count() == 1


def test_a_hand_that_is_over_is_not_taken_back(deal, olga):
    over = play_out(deal)
    answer = do(olga, over, "undo", to=5, moves_made=over.moves_made, reason="Wrong card")
    assert answer.status_code == 409
    assert Move.objects.filter(deal=over).count() == over.moves_made


# Void


def test_a_voided_hand_counts_for_nobody_and_another_deck_is_sealed_for_it(deal, olga):
    next_move(deal)
    assert do(olga, deal, "void", reason="Somebody saw a screen").status_code == 302
    assert (fresh(deal).state, fresh(deal).reason) == (Deal.State.ABANDONED, "Somebody saw a screen")
    sealed = open_deal(deal.table)
    assert (sealed.number, sealed.state) == (1, Deal.State.WAITING)
    assert bytes(sealed.seed) != bytes(deal.seed)
    assert not HandScore.objects.filter(table=deal.table_id).exists()
    assert do(olga, deal, "void", reason="Again").status_code == 409


def test_a_deck_that_waits_can_be_voided_too(deal, olga):
    waiting = open_deal(play_out(deal).table)
    assert do(olga, waiting, "void", reason="Sealed before the break").status_code == 302
    assert open_deal(deal.table).pk != waiting.pk and open_deal(deal.table).number == 2


def test_a_recorded_hand_is_taken_back_while_the_next_deck_waits_and_is_played_anew(deal, olga):
    over = play_out(deal)
    answer = olga.post(f"/hands/{over.hand_id}/void/", {"version": fresh_version(deal), "reason": "Two phones swapped"})
    assert answer.status_code == 303
    sweep(timezone.now())
    sealed = open_deal(deal.table)
    assert (sealed.number, sealed.state) == (1, Deal.State.WAITING)


def fresh_version(deal):
    return Table.objects.get(pk=deal.table_id).version


@pytest.fixture
def race():
    """The second hand of a Challenge UNO is dealt; the first is in."""
    tournament = cast.challenge(4)
    start(tournament=tournament, by=tournament.owner)
    first = play_out(everybody_ready(put_online(cast.table(tournament, 1, 1))))
    return everybody_ready(open_deal(first.table))


def test_in_a_challenge_no_hand_is_taken_back_before_one_that_is_played(race):
    client = Client()
    client.force_login(race.table.round.tournament.owner)
    first = Hand.objects.get(table=race.table, number=1)
    version = fresh_version(race)
    answer = client.post(f"/hands/{first.pk}/void/", {"version": version, "reason": "Two phones swapped"})
    assert answer.status_code == 409
    assert "Hand 2 is being played online" in said(answer)
    assert Hand.objects.get(pk=first.pk).voided_at is None


def test_in_a_challenge_a_correction_waits_while_a_hand_is_played_whose_players_it_changes(race):
    """By the correction somebody is out, who holds cards now."""
    owner = race.table.round.tournament.owner
    hand = Hand.objects.get(table=race.table, number=1)
    out = next(one["seat"] for one in hand.seats if one["seat"] != hand.went_out)
    reports = [
        SeatReport(one["seat"], points_left=510 if one["seat"] == out else one["points_left"])
        for one in hand.seats
        if one["seat"] != hand.went_out
    ]
    with pytest.raises(Conflict, match="is playing hand 2 online"):
        correct_hand(
            hand_id=hand.pk,
            version=None,
            hand=HandInput(hand.number, hand.went_out, reports),
            reason="Miscounted",
            by=Attribution(owner),
        )
    assert Hand.objects.get(pk=hand.pk).voided_at is None


def test_in_a_challenge_a_correction_that_changes_nobodys_place_is_made_at_once(race):
    hand = Hand.objects.get(table=race.table, number=1)
    reports = [
        SeatReport(one["seat"], points_left=one["points_left"] + 1)
        for one in hand.seats
        if one["seat"] != hand.went_out
    ]
    made = correct_hand(
        hand_id=hand.pk,
        version=None,
        hand=HandInput(hand.number, hand.went_out, reports),
        reason="Miscounted",
        by=Attribution(),
    )
    assert made.replaces == hand
    assert fresh(race).state == Deal.State.PLAYING


# Real cards


def to_paper(client, deal):
    return do(client, deal, "paper", reason="The network is gone")


def test_a_hand_is_finished_with_real_cards_and_the_next_one_is_online_again(deal, olga):
    for _move in range(4):
        next_move(deal)
    answer = to_paper(olga, deal)
    assert answer["Location"] == f"/tables/{deal.table_id}/position/{deal.pk}/"
    assert (fresh(deal).state, fresh(deal).on_paper) == (Deal.State.ABANDONED, True)
    sweep(timezone.now())
    assert open_deal(deal.table) is None
    cast.record(Table.objects.get(pk=deal.table_id), 1)
    hand = Hand.objects.get(table=deal.table_id, number=1)
    assert hand.source == HandScore.Source.CONTINUED
    assert set(HandScore.objects.filter(table=deal.table_id).values_list("source", flat=True)) == {"continued"}
    sweep(timezone.now())
    assert (open_deal(deal.table).number, open_deal(deal.table).state) == (2, Deal.State.WAITING)


def test_the_position_says_where_the_hand_stood_and_has_everybodys_cards(deal, olga):
    for _move in range(4):
        next_move(deal)
    hand = standing(deal).hand
    to_paper(olga, deal)
    shown = said(olga.get(f"/tables/{deal.table_id}/position/{deal.pk}/"))
    assert hand.public.names[hand.public.turn] in shown
    assert f"Shuffle the other {hand.public.pile} cards" in shown
    for cards in hand.cards:
        assert all(card_name(card, EDITIONS["classic"]) in shown for card in cards)


@pytest.mark.parametrize(("paper", "wide"), [("a4", 210), ("letter", 216)])
def test_each_players_cards_are_printed_on_their_own_slip_and_not_on_the_page_for_the_table(deal, olga, paper, wide):
    for _move in range(4):
        next_move(deal)
    hand = standing(deal).hand
    to_paper(olga, deal)
    pdf = olga.get(f"/tables/{deal.table_id}/position/{deal.pk}.pdf?paper={paper}")
    assert pdf["Cache-Control"] == "private, no-store"
    for_all, slips = pdf_text.pages(pdf.content)
    assert round(slips.width) == wide
    classic = EDITIONS["classic"]
    held = {card_name(card, classic) for cards in hand.cards for card in cards}
    lies_open = {card_name(card, classic) for card in hand.public.discard}
    assert not [name for name in held - lies_open if re.search(rf"\b{name}\b(?! Draw)", for_all.text)]
    for seat, cards in enumerate(hand.cards):
        left, top = seat % 2 * slips.width / 2, seat // 2 == 0
        own = [
            one.text
            for one in slips.words
            if left <= one.x < left + slips.width / 2 and (one.y > slips.height / 2) == top
        ]
        assert hand.public.names[seat] in own
        assert Counter(own) & Counter(dict.fromkeys(held, 99)) == Counter(card_name(card, classic) for card in cards)


def test_nobody_sees_the_position_of_a_hand_that_is_played(deal, olga):
    for end in ("/", ".pdf"):
        assert olga.get(f"/tables/{deal.table_id}/position/{deal.pk}{end}").status_code == 404


def test_only_the_director_who_took_a_hand_to_real_cards_sees_its_position(deal, olga):
    to_paper(olga, deal)
    other = cast.organiser("dirk@example.org", "Dirk")
    Role.objects.create(tournament=deal.table.round.tournament, user=other, kind=Role.Kind.DIRECTOR)
    dirk = Client()
    dirk.force_login(other)
    for end in ("/", ".pdf"):
        assert dirk.get(f"/tables/{deal.table_id}/position/{deal.pk}{end}").status_code == 404
    assert olga.get(f"/tables/{deal.table_id}/position/{deal.pk}/").status_code == 200


def test_a_director_who_also_plays_there_is_told_so_and_the_log_says_it(deal, olga):
    player = of_seat(deal, 0)
    olga.post(f"/me/{player_token(player)}/")
    assert f"You also play here, as {player}" in said(olga.get(page(deal)))
    assert f"You also play here, as {player}" in said(olga.get(page(deal, "void")))
    for what, fields in {"pause": {}, "substitute": {"at": 1, "name": "Gül"}, "away": {"who": "2-away"}}.items():
        assert do(olga, deal, what, **fields)["Location"] == page(deal)
        assert LogEntry.objects.latest("pk").who == "Olga, also plays here"
    assert said(olga.get(f"/t/{deal.table.round.tournament.slug}/log/")).count("Olga, also plays here") == 3


def test_a_director_who_plays_at_the_table_does_not_take_it_to_real_cards(deal, olga):
    olga.post(f"/me/{player_token(of_seat(deal, 0))}/")
    answer = to_paper(olga, deal)
    assert answer.status_code == 422
    assert fresh(deal).state == Deal.State.PLAYING


def test_a_hand_on_paper_can_be_dealt_anew_online(deal, olga):
    to_paper(olga, deal)
    assert do(olga, deal, "anew", reason="No deck in the house").status_code == 302
    sealed = open_deal(deal.table)
    assert (sealed.number, sealed.state) == (1, Deal.State.WAITING)
    assert olga.get(f"/tables/{deal.table_id}/position/{deal.pk}/").status_code == 404


def test_a_hand_on_paper_that_is_taken_back_later_can_be_dealt_anew_online(deal, olga):
    to_paper(olga, deal)
    cast.record(Table.objects.get(pk=deal.table_id), 1)
    sweep(timezone.now())
    play_out(everybody_ready(open_deal(deal.table)))
    void_hand(hand_id=Hand.objects.get(number=1).pk, version=None, reason="A slip got lost", by=Attribution())
    sweep(timezone.now())
    assert open_deal(deal.table) is None
    assert do(olga, deal, "anew", reason="Nobody knows how it ended").status_code == 302
    assert open_deal(deal.table).number == 1


def test_a_director_who_was_dealt_in_does_not_take_the_hand_to_real_cards_by_giving_the_seat_away(deal, olga):
    tournament, mine = deal.table.round.tournament, of_seat(deal, 0)
    olga.post(f"/me/{player_token(mine)}/")
    other = cast.table(tournament, 1, 2).seats.get(number=0).entry
    swap_seats(tournament=tournament, round_number=1, one=mine, other=other, reason="A mix-up", by=tournament.owner)
    assert to_paper(olga, deal).status_code == 422


def test_a_hand_that_went_on_with_real_cards_is_not_gone_on_with_online(deal, olga):
    to_paper(olga, deal)
    assert moved(Client(), deal).status_code == 409
    assert do(olga, deal, "pause", reason="A question").status_code == 409


# Who may


def test_whoever_is_erased_is_named_in_no_reason_any_more(deal, olga):
    next_move(deal)
    do(olga, deal, "undo", to=director.moves_that_stand(fresh(deal))[-1].line, moves_made=1, reason="Farah was asleep")
    do(olga, deal, "pause", reason="Farah is on the phone")
    assert "Farah" in fresh(deal).pause_reason
    farah = cast.entry(deal.table.round.tournament, "Farah")
    erase_player(player=farah.player, by=deal.table.round.tournament.owner)
    assert "Farah" not in fresh(deal).pause_reason
    assert "Farah" not in Move.objects.get(deal=deal, number=2).action[2]
    do(olga, deal, "go-on")
    assert_accepted_by_verify(play_out(deal))


def test_a_director_sees_no_cards_on_their_pages(deal, olga):
    for _move in range(3):
        next_move(deal)
    hidden = {"cards", "pile", "seed"}
    seen = olga.get(f"/tables/{deal.table_id}/play/", headers={"Accept": "application/json"}).json()["play"]["hand"]
    assert "cards" not in seen and "seat" not in seen
    assert all(not hidden & set(event) for event in seen["events"] if event["type"] in ("deal", "draw"))


def test_the_bar_stands_on_the_page_of_the_table_for_directors_who_do_not_play_there(deal, olga):
    where = f"/tables/{deal.table_id}/play/"
    assert "Director’s bar" in olga.get(where).content.decode()
    player = Client()
    player.post(f"/me/{player_token(of_seat(deal, 0))}/")
    for browser in (Client(), player):
        page_seen = browser.get(where).content.decode()
        assert "Director’s bar" not in page_seen and "/direct/" not in page_seen
    olga.post(f"/me/{player_token(of_seat(deal, 0))}/")
    playing_too = olga.get(where).content.decode()
    assert "Director’s bar" not in playing_too and page(deal) in playing_too
    assert "Director’s bar" in olga.get(page(deal)).content.decode()


def test_before_the_cards_are_dealt_there_is_nothing_to_penalise_or_take_back(deal, olga):
    waiting = open_deal(play_out(deal).table)
    assert do(olga, waiting, "penalty", at=1, reason="Too loud", key="k").status_code == 409
    assert do(olga, waiting, "undo", to=9, moves_made=0, reason="Too loud").status_code == 409
    assert do(olga, waiting, "paper", reason="No network").status_code == 409
    assert fresh(waiting).state == Deal.State.WAITING


def test_a_hand_is_paused_before_it_is_dealt_and_its_players_are_waited_for_as_long(deal, olga):
    waiting = fresh(open_deal(play_out(deal).table))
    at = waiting.made_at + timedelta(seconds=5)
    director.pause(table_id=deal.table_id, deal_id=waiting.pk, reason="Supper", by=None, now=at)
    sweep(at + timedelta(minutes=20))
    director.go_on(table_id=deal.table_id, deal_id=waiting.pk, by=None, now=at + timedelta(minutes=30))
    assert fresh(waiting).state == Deal.State.WAITING
    assert fresh(waiting).due_at - waiting.due_at == timedelta(minutes=30)


def test_no_cards_are_dealt_in_a_pause_and_they_are_as_soon_as_it_is_over(deal, olga):
    waiting = fresh(open_deal(play_out(deal).table))
    do(olga, waiting, "pause", reason="Supper")
    assert everybody_ready(waiting).state == Deal.State.WAITING
    sweep(timezone.now())
    assert fresh(waiting).state == Deal.State.WAITING
    olga.post(page(deal, "go-on"))
    sweep(timezone.now())
    assert open_all(fresh(waiting)).state == Deal.State.PLAYING


def test_at_a_casual_table_nobody_directs(deal, olga):
    Tournament.objects.filter(pk=deal.table.round.tournament_id).update(kind=Tournament.Kind.CASUAL)
    assert olga.get(page(deal)).status_code == 404
    assert do(olga, deal, "pause", reason="A question").status_code == 404


def test_the_pages_of_a_director_say_so_when_no_hand_is_there(deal, olga):
    to_paper(olga, deal)
    for what in ("away", "substitute", "penalty", "undo", "void", "paper"):
        assert olga.get(page(deal, what)).status_code == 409
    for what in ("pause", "go-on"):
        assert olga.post(page(deal, what)).status_code == 409


@pytest.mark.parametrize("what", ["pause", "away", "substitute", "penalty", "undo", "void", "paper"])
@pytest.mark.parametrize("wrong", [{"deal": 10**30}, {"deal": "x"}, {"at": "9", "who": "9-away", "to": -1}])
def test_what_makes_no_sense_is_refused_and_changes_nothing(deal, olga, what, wrong):
    right = {"reason": "A reason", "name": "Gül", "at": "1", "who": "1-away", "to": 9, "moves_made": 0, "key": "k"}
    if what == "pause" or ("deal" not in wrong and what in ("void", "paper")):
        wrong = {"reason": "x" * 201}
    before = Deal.objects.filter(table=deal.table_id).values().get()
    assert do(olga, deal, what, **(right | wrong)).status_code in (409, 422)
    assert Deal.objects.filter(table=deal.table_id).values().get() == before
    assert not Move.objects.filter(deal=deal).exists()
