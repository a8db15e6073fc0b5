"""The chain of the log while several people write at once, on PostgreSQL, where they really do."""

import psycopg
import pytest

from tests.served import Served, together

pytestmark = pytest.mark.slow

MINE = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"}


@pytest.fixture
def served(postgres_url, tmp_path):
    served = Served(tmp_path, postgres_url)
    yield served
    served.stop()


def evening(served, hands):
    """A tournament that Olga runs and Sven may record in; return its first round's tables."""
    return served.prepare(
        [
            f"made = cast.tournament(hands_per_round={hands}); start(tournament=made, by=made.owner)",
            "from league.models import Role",
            "Role.objects.create(tournament=made, user=cast.someone_else(), kind='director')",
            "print(json.dumps([table.pk for table in made.rounds.get(number=1).tables.order_by('number')]))",
        ]
    )


def faults(served):
    return served.prepare(
        [
            "from league.log.audit import verify; from league.models import Tournament",
            "print(json.dumps([str(fault) for fault in verify(Tournament.objects.get())[0]]))",
        ]
    )


def numbers(postgres_url, action):
    with psycopg.connect(postgres_url) as connection:
        query = "SELECT number FROM league_logentry WHERE action = %s ORDER BY number"
        return [number for (number,) in connection.execute(query, (action,))]


def test_two_tables_that_record_at_once_write_one_unbroken_chain(served, postgres_url):
    first, second = evening(served, hands=4)
    served.start()
    olga, sven = served.visitor(), served.visitor("sven@example.org")
    for hand in range(1, 5):
        forms = olga.form(first, hand) | MINE, sven.form(second, hand) | MINE
        answers = together(
            lambda: olga.post(f"/tables/{first}/", forms[0])[0],  # noqa: B023
            lambda: sven.post(f"/tables/{second}/", forms[1])[0],  # noqa: B023
        )
        assert answers == [303, 303], served.errors.read_text()
    assert len(numbers(postgres_url, "record")) == 8
    assert faults(served) == []


def test_a_round_that_is_closed_while_its_last_hand_comes_in_locks_nobody_out(served, postgres_url):
    """Closing locks every table and then the log; a hand locks its table and then the log: no order to cross."""
    first, second = evening(served, hands=3)
    served.start()
    olga, sven, maud = served.visitor(), served.visitor("sven@example.org"), served.visitor()
    for hand in range(1, 4):
        forms = olga.form(first, hand) | MINE, sven.form(second, hand) | MINE
        *recorded, closed = together(
            lambda: olga.post(f"/tables/{first}/", forms[0])[0],  # noqa: B023
            lambda: sven.post(f"/tables/{second}/", forms[1])[0],  # noqa: B023
            lambda: maud.post("/t/autumn-pairs/advance/", {"step": "close-1"})[0],
        )
        assert recorded == [303, 303] and closed in (302, 409), served.errors.read_text()
        assert hand == 3 or closed == 409
    assert faults(served) == []
