"""Challenge UNO on PostgreSQL: hands come in while a director repairs the day, and nobody stops anybody."""

import pytest

from tests.served import Served

pytestmark = pytest.mark.slow

SECONDS = 8
STORM = """
import random, threading, time, traceback
from collections import Counter
from django.db import connection, transaction
from engine.paper import SeatReport
from games.models import Hand
from games.hands.repairs import REPAIRS, Correction
from games.hands.repairs import undo_round
from games.hands.correct import void_hand
from games.hands.judge import HandInput
from games.hands.record import record_hand
from league.standings import read as ledger
from league.access.viewer import Attribution
from league.lib.errors import Refused
from league.models import EntryEvent, HandScore, Seat, Table
from league.ledger.progress import dealt_in
from league.ledger.race import race_so_far, read_race
from league.rounds.adjustments import adjust
from league.rounds.steps import advance, next_step
from league.day.entrants import come_back, drop_out, enter_late
from league.day.substitutes import substitute
from league.day.undo import undo_event
from league.rounds import pause as pausing, reseat as reseating, tables
from league.setup.amend import amend_rules
from league.day.preview import do_as_shown, try_out
made = cast.challenge(16, hands_per_round=3, target=400)
owner = made.owner
start(tournament=made, by=owner)
why = {"tournament": made, "reason": "They asked", "by": owner}

def open_tables():
    found = Table.objects.filter(round__tournament=made, round__state__in=("published", "running"))
    return list(found.exclude(state="void").select_related("round__stage", "round__tournament"))

def at():
    return random.choice(open_tables())

def reports(table, hand):
    seats = [seat.number for seat in dealt_in(table, hand)]
    out = random.choice(seats)
    left = [SeatReport(one, points_left=random.choice((5, 20, 60))) for one in seats if one != out]
    return HandInput(hand, out, left)

def record():
    table = at()
    number = HandScore.objects.living().filter(table=table).values("hand").distinct().count() + 1
    by = Attribution(owner, corrects=random.random() < 0.5)
    record_hand(table_id=table.pk, hand=reports(table, number), by=by)

def living_hand():
    hands = Hand.objects.living().filter(table__round__tournament=made)
    return random.choice(hands.select_related("table__round__stage", "table__round__tournament"))

def anybody():
    return random.choice(made.entries.select_related("player"))

def shown(action):
    do_as_shown(made, try_out(made, action).digest, action)

def swap():
    table, seats = at(), random.sample(list(Seat.objects.filter(table__in=open_tables())), 2)
    pair = {"one": seats[0].entry, "other": seats[1].entry}
    shown(lambda: tables.swap_seats(round_number=table.round.number, **pair, **why))

def table_of_the_day(deed, **more):
    table = at()
    shown(lambda: deed(round_number=table.round.number, number=table.number, **more))

def repair():
    was, how = living_hand(), random.choice(REPAIRS)
    correction = Correction(was.pk, None, reports(was.table, was.number), "Score slip", Attribution(owner))
    shown(lambda: correction.save(how))

def amend():
    new = {"hands_per_round": random.choice((2, 3, None)), "table_size": random.choice((3, 4, 5))}
    target = random.randint(300, 500)
    shown(lambda: amend_rules(target=target, **new, **why))

def undo():
    events = EntryEvent.objects.living().filter(entry__tournament=made)
    event = random.choice(events)
    shown(lambda: undo_event(tournament=made, event=event, by=owner))

def somebody(deed, **more):
    entry = anybody()
    shown(lambda: deed(tournament=made, entry=entry, by=owner, **more))

def late():
    name = f"N{random.random()}"
    shown(lambda: enter_late(tournament=made, name=name, total=0, by=owner))

def undo_latest_round():
    number = at().round.number
    shown(lambda: undo_round(round_number=number, **why))

def pause():
    pausing.pause(**why)
    pausing.resume(tournament=made, by=owner)

def look():  # the race that is kept and added to, beside the one that is read, both of one moment
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        kept, read = race_so_far(made, made.stage), read_race(made, made.stage)
    assert sorted(kept.hands) == sorted(read.hands), (len(kept.hands), len(read.hands))
    assert kept.state == read.state and kept.numbers == read.numbers and kept.entrants == read.entrants

DEEDS = [record] * 16 + [look] * 8 + [repair] * 3 + [
    swap, amend, undo, late, pause,
    lambda: table_of_the_day(tables.move_table, to=random.randint(1, 8), **why),
    lambda: table_of_the_day(tables.close_table, **why),
    lambda: table_of_the_day(tables.open_table_again, tournament=made, by=owner),
    lambda: somebody(drop_out), lambda: somebody(come_back), lambda: somebody(substitute, name="Gül"),
    lambda: shown(lambda: reseating.reseat_not_started(**why)),
    lambda: random.random() < 0.3 and undo_latest_round(),
    lambda: void_hand(hand_id=living_hand().pk, version=None, reason="Score slip", by=Attribution(owner)),
    lambda: adjust(entry=anybody(), points=random.choice((-30, 30)), round_number=None, **why),
    lambda: advance(tournament=made, token=next_step(made).token, by=owner),
]
faults, done, until = [], Counter(), time.monotonic() + SECONDS

def storm():
    while time.monotonic() < until:
        deed = random.choice(DEEDS)
        try:
            deed()
            done[deed.__name__] += 1
        except (Refused, IndexError, ValueError):  # not now; nothing there to do it with
            pass
        except Exception:
            faults.append(traceback.format_exc())
    connection.close()

threads = [threading.Thread(target=storm) for _ in range(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
call_command("audit", "verify", stdout=open(os.devnull, "w"))  # raises where the chain of the log is broken
living = made.rounds.living().order_by("number")
hands = Hand.objects.living().filter(table__round__tournament=made)
scores = HandScore.objects.living().filter(table__round__tournament=made)
twice = [one.number for one in living if one.seats.count() != one.seats.values("entry").distinct().count()]
standings = ledger.read(made).standings()
print(json.dumps({
    "faults": faults,
    "done": done.total(),
    "rounds": [one.number for one in living],
    "twice": twice,
    "void hands": hands.filter(table__round__state="void").count(),
    "hands": hands.count(),
    "scored": scores.values("table", "hand").distinct().count(),
    "players": [made.entries.exclude(status="standin").count(), len(standings)],
}))
"""
# Once it comes to two left, and not at the table of the corrected hand, other tables' hands count for nobody.
CORRECTS = """
import threading, time
from django.db import connection, transaction
from engine.paper import SeatReport
from games.hands.repairs import KEEP, repair_hand
from games.hands.locks import lock_table
from games.hands.judge import HandInput
from games.hands.record import record_hand
from league.access.viewer import Attribution
from league.ledger.race import read_race
from league.log.write import note_at_table
made = cast.challenge(6, table_size=3, target=100)
start(tournament=made, by=made.owner)
here, there = cast.table(made, 1, 1), cast.table(made, 1, 2)
cast.record(there, 1, points=(0, 100, 50))
first = cast.record(here, 1, points=(0, 20, 30)).hand
record_hand(table_id=there.pk, hand=HandInput(2, 0, [SeatReport(2, points_left=60)]), by=Attribution(made.owner))
everything = [SeatReport(seat, points_left=left) for seat, left in enumerate((400, 400, 435))]
held, failed = threading.Event(), []

def writes_there():
    with transaction.atomic():
        table = lock_table(there.pk)
        held.set()
        until = time.monotonic() + 20
        lock = "wait_event_type = 'Lock' AND datname = current_database()"
        # Within a transaction what others do is read once, unless that is forgotten.
        waiting = f"SELECT count(*), pg_stat_clear_snapshot() FROM pg_stat_activity WHERE {lock}"
        with connection.cursor() as cursor:
            while time.monotonic() < until and not cursor.execute(waiting).fetchone()[0]:
                time.sleep(0.05)
        note_at_table(table=table, by=None, action="confirm")

def corrects():
    held.wait()
    how = {"version": None, "repair": KEEP, "reason": "No one went out", "by": Attribution(made.owner)}
    repair_hand(hand_id=first.pk, hand=HandInput(1, None, everything), **how)

def run(deed):
    try:
        deed()
    except Exception as error:
        failed.append(repr(error))
    connection.close()

threads = [threading.Thread(target=run, args=[deed]) for deed in (writes_there, corrects)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps([failed, len(read_race(made, made.stages.get()).state.still_in)]))
"""
# A hand that comes in while an action is compared with what was shown.
COMPARES = """
import threading, time
from django.db import connection
from league.rounds import tables
from league.day.preview import do_as_shown, try_out
made = cast.challenge(8)
start(tournament=made, by=made.owner)
one, other = (cast.table(made, 1, number).seats.get(number=0).entry for number in (1, 2))
begun, answers = threading.Event(), {}

def action():
    begun.set()
    until = time.monotonic() + 20
    lock = "wait_event_type = 'Lock' AND datname = current_database()"
    with connection.cursor() as cursor:
        while time.monotonic() < until and "hand" not in answers:
            waiting = f"SELECT count(*), pg_stat_clear_snapshot() FROM pg_stat_activity WHERE {lock}"
            if cursor.execute(waiting).fetchone()[0]:
                break
            time.sleep(0.05)
    tables.swap_seats(tournament=made, round_number=1, one=one, other=other, reason="They asked", by=made.owner)

def swaps():
    do_as_shown(made, shown, action)
    return "done"

def records():
    begun.wait()
    return cast.record(cast.table(made, 1, 1), 1).created

def run(name, deed):
    try:
        answers[name] = deed()
    except Exception as error:
        answers[name] = repr(error)
    connection.close()

swap = {"tournament": made, "round_number": 1, "one": one, "other": other, "reason": "They asked", "by": made.owner}
shown = try_out(made, lambda: tables.swap_seats(**swap)).digest
threads = [threading.Thread(target=run, args=deed) for deed in (("swap", swaps), ("hand", records))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps(answers))
"""


@pytest.mark.parametrize("seed", [1])
def test_hands_and_repairs_at_once_leave_an_event_that_fits(postgres_url, tmp_path, seed):
    lines = ["from django.core.management import call_command", f"import random; random.seed({seed})"]
    found = Served(tmp_path, postgres_url).prepare([*lines, f"SECONDS = {SECONDS}", STORM])
    assert found["faults"] == []
    assert found["done"] > 10
    assert found["rounds"] == list(range(1, len(found["rounds"]) + 1)) and found["twice"] == []
    assert found["hands"] == found["scored"] and found["void hands"] == 0
    assert found["players"][0] == found["players"][1]


def test_a_correction_waits_for_a_hand_at_a_table_whose_players_it_brings_back(postgres_url, tmp_path):
    assert Served(tmp_path, postgres_url).prepare([CORRECTS]) == [[], 2]


def test_a_hand_that_comes_in_meanwhile_is_not_taken_for_what_an_action_moves(postgres_url, tmp_path):
    assert Served(tmp_path, postgres_url).prepare([COMPARES]) == {"swap": "done", "hand": True}
