"""Everybody does everything at one table for some seconds, on PostgreSQL: nobody stops anybody, and all states fit."""

import pytest

from tests.served import Served

pytestmark = pytest.mark.slow

SECONDS = 6
ENOUGH = 10  # writes
STORM = """
import random, threading, time, traceback
from datetime import timedelta
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from engine.paper import SeatReport
from games.hands import disputes
from games.models import Dispute, Hand
from games.hands.correct import correct_hand, void_hand
from games.hands.judge import HandInput
from games.hands.record import record_hand
from league.background import deadlines
from league.access.viewer import Attribution
from league.lib.errors import Refused
from league.models import Deadline, HandScore, Table
from league.setup.create import change_details
from league.entries.check_in import check_in, put_back, replace_no_show
from league.ledger.scores import confirm_table
from league.by_link.player_links import end_player_link, mail_player_link
from league.entries.list_order import rename_entry
made = cast.tournament(rounds=2, hands_per_round=2)
owner = made.owner
start(tournament=made, by=owner)

def table():
    return Table.objects.get(round__tournament=made, round__number=1, number=1)

def hand():
    return random.choice(Hand.objects.living().filter(table=table()))

def anybody():
    return random.choice(made.entries.all())

def seated():
    return random.choice(table().seats.select_related("entry")).entry

def report(number):
    return HandInput(number, 0, [SeatReport(seat, points_left=random.choice((10, 20))) for seat in (1, 2, 3)])

def dispute():
    return random.choice(Dispute.objects.filter(state="open"))

def by_player():
    by = Attribution(player=seated(), source="player", corrects=False)
    record_hand(table_id=table().pk, hand=report(random.choice((1, 2))), by=by)

def correct():
    was = hand()
    correct_hand(hand_id=was.pk, version=None, hand=report(was.number), reason="slip", by=Attribution(owner))

def dispute_one():
    was = hand()
    disputes.dispute_hand(hand_id=was.pk, version=None, player=seated(), hand=report(was.number), reason="no")

def withdraw():
    mine = dispute()
    disputes.withdraw_dispute(dispute_id=mine.pk, player=mine.player)

DEEDS = [
    by_player, by_player, by_player,
    lambda: record_hand(table_id=table().pk, hand=report(1), by=Attribution(owner)),
    lambda: void_hand(hand_id=hand().pk, version=None, reason="slip", by=Attribution(owner)),
    correct,
    lambda: disputes.confirm_as_player(table_id=table().pk, version=table().version, player=seated()),
    lambda: confirm_table(table_id=table().pk, version=table().version, by=owner),
    dispute_one,
    withdraw,
    lambda: disputes.decide_dispute(dispute_id=dispute().pk, version=None, taken=random.random() < 0.5, by=owner),
    lambda: deadlines.sweep(timezone.now() + timedelta(hours=3)),
    lambda: change_details(tournament=made, by=owner, players_report=random.random() < 0.9,
                           confirm_after=random.choice((None, 15, 30))),
    lambda: end_player_link(entry=anybody(), by=owner),
    lambda: mail_player_link(entry=anybody(), site="http://testserver", by=owner),
    lambda: rename_entry(entry=anybody(), name=f"N{random.random()}", club="", by=owner),
    lambda: check_in(entry=anybody(), by=owner, here=False),
    lambda: replace_no_show(entry=anybody(), by=owner, name="Walter"),
    lambda: put_back(sign_up=random.choice(made.sign_ups.filter(state="replaced")), by=owner),
]
faults, began = [], time.monotonic()

def continues():
    # On a slow machine, wait until enough was written.
    lasted = time.monotonic() - began
    return lasted < SECONDS or (lasted < 60 and table().version <= ENOUGH)

def storm():
    while continues():
        try:
            random.choice(DEEDS)()
        except (Refused, IndexError):  # not now; nothing there to do it with
            pass
        except Exception:
            faults.append(traceback.format_exc())
    connection.close()

threads = [threading.Thread(target=storm) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
call_command("audit", "verify", stdout=open(os.devnull, "w"))  # raises where the chain of the log is broken
at = table()
hands = Hand.objects.living().filter(table=at)
print(json.dumps({
    "faults": faults,
    "state": at.state,
    "writes": at.version,
    "hands": hands.count(),
    "scores": HandScore.objects.living().filter(table=at).count(),
    "open": Dispute.objects.filter(hand__in=hands, state="open").count(),
    "open anywhere": Dispute.objects.filter(state="open").count(),
    "clocks": Deadline.objects.pending().filter(table=at, kind="confirm-table").count(),
    "players": made.entries.count(),
}))
"""


@pytest.mark.parametrize("seed", [1])
def test_everything_at_once_at_one_table_leaves_states_that_fit(postgres_url, tmp_path, seed):
    lines = [f"import random; random.seed({seed}); SECONDS, ENOUGH = {SECONDS}, {ENOUGH}", STORM]
    found = Served(tmp_path, postgres_url).prepare(lines)
    assert found["faults"] == []
    assert found["writes"] > ENOUGH and found["players"] == 8
    assert found["scores"] == 4 * found["hands"]
    assert found["open"] == found["open anywhere"]
    assert (found["state"] == "disputed") == (found["open"] > 0)
    assert found["clocks"] <= (found["state"] == "reported")
    assert (found["hands"] == 0) <= (found["state"] == "scheduled")
