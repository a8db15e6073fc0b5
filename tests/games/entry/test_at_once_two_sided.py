"""Two sides of a table at the same moment, over HTTP and on PostgreSQL, where both really run at once."""

import time

import psycopg
import pytest

from tests.served import Served, Visitor, together

pytestmark = pytest.mark.slow

TABLES = 14
BY_ROUND = "Table.objects.order_by('round__number', 'number').values_list('pk', flat=True)"
REPORT = """
def report(table):
    from engine.paper import SeatReport
    from games.hands.judge import HandInput
    from games.hands.record import record_hand
    from league.access.viewer import Attribution
    from league.access.signed_links import player_token
    from league.models import Round, Seat
    Round.objects.filter(pk=table.round_id).update(state="published")
    one, other = Seat.objects.filter(table=table, number__in=(0, 1)).order_by("number").select_related("entry")
    reports = [SeatReport(seat, points_left=10 * seat) for seat in (1, 2, 3)]
    by = Attribution(player=one.entry, source="player", corrects=False)
    made = record_hand(table_id=table.pk, hand=HandInput(1, 0, reports), by=by)
    third = Seat.objects.get(table=table, number=3).entry
    return table.pk, made.hand.pk, player_token(other.entry), player_token(third)
"""
OTHERS = {"went_out": "0", "points_1": "20", "points_2": "20", "points_3": "30"}


@pytest.fixture
def served(postgres_url, tmp_path):
    served = Served(tmp_path, postgres_url)
    yield served
    served.stop()


@pytest.fixture
def evening(served):
    """Every table of an evening reported by seat 0: (table, hand, the links of seats 1 and 3), the server running."""
    reported = served.prepare(
        [
            "made = cast.tournament(hands_per_round=1, time_zone='UTC'); start(tournament=made, by=made.owner)",
            "from league.models import Table, Tournament",
            "Tournament.objects.update(confirm_after=60)",
            REPORT,
            f"print(json.dumps([report(Table.objects.get(pk=pk)) for pk in {BY_ROUND}]))",
        ]
    )
    served.start()
    return reported


def phone(served, token):
    visitor = Visitor(served.port)
    visitor.get(f"/me/{token}/")
    assert visitor.post(f"/me/{token}/", {})[0] == 303
    return visitor


def state(url, table):
    query = """
        SELECT t.state, t.version, (SELECT count(*) FROM games_dispute d JOIN games_hand h ON h.id = d.hand_id
                                    WHERE h.table_id = t.id AND d.state = 'open'),
               (SELECT count(*) FROM league_deadline c WHERE c.table_id = t.id AND c.state = 'pending')
        FROM league_table t WHERE t.id = %s
    """
    with psycopg.connect(url) as connection:
        return connection.execute(query, (table,)).fetchone()


def test_one_side_confirms_while_the_other_partner_disputes_and_one_of_them_wins(served, evening, postgres_url):
    for table, hand, first, second in evening:
        confirming, disputing = phone(served, first), phone(served, second)
        _state, version, _disputes, _clocks = state(postgres_url, table)
        answers = together(
            lambda: confirming.post(f"/tables/{table}/agree/", {"version": version})[0],  # noqa: B023
            lambda: disputing.post(f"/hands/{hand}/dispute/", OTHERS | {"version": version})[0],  # noqa: B023
        )
        confirmed, disputed = answers
        assert (confirmed, disputed) in ((303, 409), (409, 303)), served.errors.read_text()
        wanted = ("confirmed", 0) if confirmed == 303 else ("disputed", 1)
        now, _version, disputes, clocks = state(postgres_url, table)
        assert (now, disputes, clocks) == (*wanted, 0)


def due_now(url, table):
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE league_deadline SET due_at = now() WHERE table_id = %s", (table,))


def wait_for_the_sweeper(url, table):
    """Return as soon as the running server has confirmed a table by itself: the next sweep is a second later."""
    due_now(url, table)
    with psycopg.connect(url, autocommit=True) as connection:
        for _look in range(4000):
            [(now,)] = connection.execute("SELECT state FROM league_table WHERE id = %s", (table,)).fetchall()
            if now == "confirmed":
                return
            time.sleep(0.005)
    raise AssertionError("No sweeper came.")


def test_the_clock_and_a_dispute_at_the_same_moment_leave_one_of_two_states(served, evening, postgres_url):
    for number, (marker, contested) in enumerate(zip(evening[::2], evening[1::2], strict=True)):
        table, hand, first, _second = contested
        disputing = phone(served, first)
        _state, version, _disputes, _clocks = state(postgres_url, table)
        wait_for_the_sweeper(postgres_url, marker[0])
        due_now(postgres_url, table)
        time.sleep(0.94 + number / 100)  # before, in and after the sweep
        status, _text = disputing.post(f"/hands/{hand}/dispute/", OTHERS | {"version": version})
        now, _version, disputes, clocks = state(postgres_url, table)
        assert (status, now, disputes, clocks) in ((303, "disputed", 1, 0), (409, "confirmed", 0, 0)), (
            served.errors.read_text()
        )
