"""Two people at one table at the same moment, over HTTP and on PostgreSQL, where both really run at once."""

import psycopg
import pytest

from tests.served import Served, together

pytestmark = pytest.mark.slow

MINE = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"}
THEIRS = {"went_out": "0", "cards_1": "R7 GD", "cards_3": "W"}


@pytest.fixture(scope="module")
def database(postgres_server, postgres_migrated):
    return postgres_server.new_database(like=postgres_migrated)


@pytest.fixture(scope="module")
def served(database, tmp_path_factory):
    """One server for all tests of this file, each of which has a tournament of its own."""
    served = Served(tmp_path_factory.mktemp("at-once"), database)
    yield served.start()
    served.stop()


@pytest.fixture
def living(database):
    """Return a function that lists the living hands of a slot, each with the rows that the ledger has for it."""

    def living(table, hand):
        query = """
            SELECT id, (SELECT count(*) FROM league_handscore s
                        WHERE s.table_id = h.table_id AND s.hand = h.number AND s.voided_at IS NULL)
            FROM games_hand h WHERE table_id = %s AND number = %s AND voided_at IS NULL
        """
        with psycopg.connect(database) as connection:
            return connection.execute(query, (table, hand)).fetchall()

    return living


def evening(served, **settings):
    """Prepare a tournament that Olga runs and Sven may record in; return its first round's tables."""
    return served.prepare(
        [
            f"made = cast.tournament(**{settings!r}); start(tournament=made, by=made.owner)",
            "sven = cast.someone_else(); sven.is_superuser = True; sven.save()",
            "print(json.dumps([table.pk for table in made.rounds.get(number=1).tables.order_by('number')]))",
        ]
    )


def test_one_slot_is_filled_once_whoever_is_first(served, living):
    equal, different = evening(served, hands_per_round=8)
    olga, sven = served.visitor(), served.visitor("sven@example.org")
    for hand in range(1, 9):
        for table, theirs, expected in ((equal, MINE, [303, 303]), (different, THEIRS, [303, 409])):
            forms = (olga.form(table, hand) | MINE, sven.form(table, hand) | theirs)
            answers = together(
                lambda: olga.post(f"/tables/{table}/", forms[0])[0],  # noqa: B023
                lambda: sven.post(f"/tables/{table}/", forms[1])[0],  # noqa: B023
            )
            assert sorted(map(str, answers)) == list(map(str, expected)), served.errors.read_text()
            assert [rows for _id, rows in living(table, hand)] == [4]


def test_one_form_sent_twice_at_once_is_one_hand(served, living):
    table, _other = evening(served, hands_per_round=8)
    olga, again = served.visitor(), served.visitor()
    for hand in range(1, 9):
        form = olga.form(table, hand) | MINE
        answers = together(
            lambda: olga.post(f"/tables/{table}/", form)[0],  # noqa: B023
            lambda: again.post(f"/tables/{table}/", form)[0],  # noqa: B023
        )
        assert answers == [303, 303], served.errors.read_text()
        assert [rows for _id, rows in living(table, hand)] == [4]


def test_of_two_corrections_one_is_a_conflict(served, living):
    table, _other = evening(served, hands_per_round=1)
    olga, sven = served.visitor(), served.visitor("sven@example.org")
    assert olga.post(f"/tables/{table}/", olga.form(table, 1) | MINE)[0] == 303
    for number in range(8):
        [(hand, _rows)] = living(table, 1)
        fields = THEIRS | {"version": olga.version(table), "reason": f"Counted again, {number}"}
        answers = together(
            lambda: olga.post(f"/hands/{hand}/correct/", fields | {"cards_1": f"R{number % 9}"})[0],  # noqa: B023
            lambda: sven.post(f"/hands/{hand}/correct/", fields | {"cards_1": f"B{number % 9}"})[0],  # noqa: B023
        )
        assert sorted(map(str, answers)) == ["303", "409"], served.errors.read_text()
        assert [rows for _id, rows in living(table, 1)] == [4]


def test_an_undo_while_the_round_is_closed_is_before_it_or_not_at_all(served, living):
    """Either the hand is gone and the round stays open, or the round is closed with all its hands."""
    first, _second = evening(served, hands_per_round=1)
    by_round = "made.rounds.order_by('number', 'tables__number').values_list('tables', flat=True)"
    lines = ["from league.models import Table", f"made = Table.objects.get(pk={first}).round.tournament"]
    slug, tables = served.prepare([*lines, f"print(json.dumps([made.slug, list({by_round})]))"])
    advance = f"/t/{slug}/advance/"
    olga, sven = served.visitor(), served.visitor("sven@example.org")
    for number in range(1, 8):
        first, second = tables[2 * number - 2 : 2 * number]
        for table in (first, second):
            assert olga.post(f"/tables/{table}/", olga.form(table, 1) | MINE)[0] == 303
        [(hand, _rows)] = living(first, 1)
        version = olga.version(first)
        step = {"step": f"close-{number}"}
        closed, undone = together(
            lambda: olga.post(advance, step)[0],  # noqa: B023
            lambda: sven.post(f"/hands/{hand}/void/", {"version": version})[0],  # noqa: B023
        )
        assert (closed, undone) in ((302, 409), (409, 303)), served.errors.read_text()
        assert len(living(first, 1)) == (closed == 302)
        if closed == 409:
            assert olga.post(f"/tables/{first}/", olga.form(first, 1) | MINE)[0] == 303
            assert olga.post(advance, step)[0] == 302
