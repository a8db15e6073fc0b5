"""Whoever reads the database and is last tries to choose their cards, and can only refuse in public, twice.

`WILD_TRIES` says how many parts the attacker tries before opening one (100 000 gave five wild cards of seven when the
parts themselves were taken at once).
"""

import os
import random
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.hand import deal as deal_cards
from engine.log import as_object, lines
from engine.shuffle import promise
from games.models import Deal
from games.online.director.services import pause
from games.online.play.deals import unopened_places
from games.online.play.replay import rules_of
from games.online.play.sweep import attend
from league.lib.errors import Conflict, Refused
from league.models import LogEntry
from league.rounds.steps import start
from tests import cast
from tests.games.online_table import opens, play_out, put_online, says_ready, standing
from tests.games.pages import said
from tests.second.referee import referee

pytestmark = pytest.mark.django_db
TRIES = int(os.environ.get("WILD_TRIES") or 300)
PARTS = [b"ana's", b"benoit's", b"chidi's", b"the last one's"]
LAST = 3


@pytest.fixture
def deal():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return put_online(cast.table(made, 1, 1))


def all_promise(deal, last=PARTS[LAST]):
    for at, part in enumerate([*PARTS[:LAST], last]):
        deal = says_ready(deal, at, part)
    assert deal.opening
    return deal


def late(deal, seconds=11):
    """The sweeper comes by when the ten seconds are over."""
    now = timezone.now() + timedelta(seconds=seconds)
    with transaction.atomic():
        assert attend(deal.table_id, now, now) is not None
    return Deal.objects.open().get(table=deal.table_id)


def cards_with(deal, part: bytes) -> list[str]:
    """What the attacker would hold if they had added this: they read seed and parts in the database."""
    entropy = [bytes.fromhex(one["entropy"]) if one["entropy"] else None for one in deal.places]
    entropy[LAST] = part
    promised = [promise(extra) if extra is not None else None for extra in entropy]
    key = {"seed": bytes(deal.seed), "entropy": entropy, "promised": promised}
    return deal_cards(rules_of(deal), [""] * 4, dealer=deal.dealer, **key).cards[LAST]


def test_the_last_to_promise_knows_no_part_of_the_others(deal):
    """In the row there are hashes and the seed: every part that the attacker could promise is a blind guess."""
    for at in range(LAST):
        deal = says_ready(deal, at, PARTS[at])
    deal.refresh_from_db()
    assert [one["entropy"] for one in deal.places] == [None] * 4
    assert [one["promised"] for one in deal.places[:LAST]] == [promise(part) for part in PARTS[:LAST]]
    for at in range(LAST):
        with pytest.raises(Conflict, match="Too early"):
            opens(deal, at, PARTS[at])


def test_the_last_to_open_can_open_nothing_but_what_they_promised(deal):
    deal = all_promise(deal)
    for at in range(LAST):
        deal = opens(deal, at, PARTS[at])
    rng = random.Random(7)
    best = max(
        (rng.randbytes(16) for _try in range(TRIES)), key=lambda part: sum(c[0] == "W" for c in cards_with(deal, part))
    )
    with pytest.raises(Refused, match="committed to another share"):
        opens(deal, LAST, best)
    begun = opens(deal, LAST, PARTS[LAST])
    assert standing(begun).hand.cards[LAST] == cards_with(deal, PARTS[LAST])


def test_who_does_not_open_is_named_and_a_new_deck_is_sealed_that_nobody_chose(deal):
    deal = all_promise(deal)
    for at in range(LAST):
        deal = opens(deal, at, PARTS[at])
    following = late(deal)
    deal.refresh_from_db()
    name = deal.table.seats.select_related("entry__player").get(number=LAST).entry.player.name
    assert (deal.state, deal.dealt_at) == (Deal.State.ABANDONED, None)
    assert name in deal.reason and "didn’t reveal" in deal.reason
    assert following.seed != deal.seed and following.state == Deal.State.WAITING
    row = LogEntry.objects.get(action="not-opened")
    assert [one["player"] for one in row.new] == [name]
    assert ["again" in one for one in following.places] == [True, True, True, False]
    page = said(Client().get(reverse("play", args=[deal.table_id])))
    assert f"{name} didn’t reveal their share of the shuffle" in page


def test_after_two_refusals_the_hand_is_dealt_without_what_they_would_add(deal):
    for refusal in range(2):
        deal = all_promise(deal, last=b"again %d" % refusal)
        for at in range(LAST):
            opens(deal, at, PARTS[at])
        deal = late(deal)
    for at, part in enumerate(PARTS):
        deal = says_ready(deal, at, part)
    assert deal.places[LAST]["promised"] is None, "nothing is asked of them any more"
    for at in range(LAST):
        deal = opens(deal, at, PARTS[at])
    assert deal.state == Deal.State.PLAYING
    start = as_object(standing(deal).hand.log[0])
    assert (start["promised"][LAST], start["entropy"][LAST]) == (None, None)
    over = play_out(deal)
    assert referee(lines(standing(over).hand.log)) == 1
    following = Deal.objects.open().get(table=deal.table_id)
    assert all_promise(following).places[LAST]["promised"], "the next hand is another one"


def test_for_whom_a_bot_plays_by_then_nobody_waits_and_the_log_says_what_was_not_opened(deal):
    deal = all_promise(deal)
    deal.places[LAST]["bot"] = "careful"
    deal.save(update_fields=["places"])
    for at in range(LAST):
        deal = opens(deal, at, PARTS[at])
    start = as_object(standing(deal).hand.log[0])
    assert start["promised"][LAST] == promise(PARTS[LAST]) and start["entropy"][LAST] is None


def test_a_promise_that_comes_when_others_open_theirs_is_none(deal):
    """A table that begins without somebody (the time between two hands is over) has its parts in the open by then."""
    for at in range(LAST):
        deal = says_ready(deal, at, PARTS[at])
    Deal.objects.filter(pk=deal.pk).update(opening=True)
    deal = says_ready(deal, LAST, PARTS[LAST])
    assert deal.places[LAST]["ready"] and deal.places[LAST]["promised"] is None
    assert len(unopened_places(deal)) == LAST


def test_the_ten_seconds_stand_while_play_is_paused(deal):
    deal = all_promise(deal)
    pause(table_id=deal.table_id, deal_id=deal.pk, reason="a spilt drink", by=deal.table.round.tournament.owner)
    assert late(deal, seconds=60) == deal


def test_everybody_is_shown_the_promises_and_nobody_a_part_before_the_deal(deal):
    deal = all_promise(deal)
    deal = opens(deal, 0, PARTS[0])
    address = reverse("play", args=[deal.table_id])
    told = Client().get(address, headers={"Accept": "application/json"}).json()["play"]
    assert told["opening"]
    assert [one["promised"] for one in told["places"]] == [promise(part) for part in PARTS]
    assert [one["opened"] for one in told["places"]] == [True, False, False, False]
    assert PARTS[0].hex() not in str(told)
