"""The chain of the log: whatever is done to a row behind the service's back is found, and named."""

from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from league.management.commands.audit import verify
from league.models import LogEntry, LogHead
from league.services import adjust, rename_entry
from league.services.log import note
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def made():
    """A tournament after its first round."""
    return cast.play(cast.tournament(), rounds=1)


def sql(statement, *values):
    """Past the models, as somebody with the database would."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def found(made):
    return [str(fault) for fault in verify(made)[0]]


def row(made, number):
    return LogEntry.objects.get(tournament=made, number=number)


def test_a_played_round_leaves_one_unbroken_chain(made):
    numbers = list(LogEntry.objects.filter(tournament=made).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) > 10
    assert row(made, 1).previous == "" and row(made, 2).previous == row(made, 1).hash
    assert found(made) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("at", "2020-01-01 00:00:00+00:00"),
        ("by_id", None),
        ("action", "void"),
        ("round", 9),
        ('"table"', 9),
        ("hand", 9),
        ("old", '{"points": 1}'),
        ("new", '{"points": 1}'),
        ("reason", "No reason"),
        ("salt", "0" * 32),
        ("digest", "0" * 64),
        ("hash", "0" * 64),
    ],
)
def test_an_edited_row_is_found_whatever_was_edited(made, column, value):
    sql(f"UPDATE league_logentry SET {column} = %s WHERE id = %s", value, row(made, 5).pk)
    assert "entry 5 was changed after it was written" in found(made)[0]


def test_a_missing_row_is_found(made):
    sql("DELETE FROM league_logentry WHERE id = %s", row(made, 5).pk)
    assert found(made) == ["entry 5 is missing"]


def test_a_missing_last_row_is_found(made):
    last = LogHead.objects.get(tournament=made).number
    sql("DELETE FROM league_logentry WHERE id = %s", row(made, last).pk)
    assert found(made) == [f"entry {last} is missing", f"the log does not end with entry {last}, which was its last"]


def test_swapped_rows_are_found(made):
    first, second = row(made, 5).pk, row(made, 6).pk
    for pk, number in ((first, None), (second, 5), (first, 6)):
        sql("UPDATE league_logentry SET number = %s WHERE id = %s", number, pk)
    assert found(made) == [
        "entry 5 was written as entry 6: entries were swapped or renumbered",
        "entry 6 was written as entry 5: entries were swapped or renumbered",
    ]


def test_a_row_from_another_tournament_does_not_fit(made):
    other = cast.play(cast.tournament(name="Other Pairs"), rounds=1)
    sql("DELETE FROM league_logentry WHERE id = %s", row(made, 5).pk)
    sql("UPDATE league_logentry SET tournament_id = %s WHERE id = %s", made.pk, row(other, 5).pk)
    assert found(made) == [
        "entry 5 does not follow entry 4: one of the two was replaced",
        "entry 6 does not follow entry 5: one of the two was replaced",
    ]
    assert found(other) == ["entry 5 is missing"]


def test_a_row_slipped_in_is_found(made):
    LogEntry.objects.create(tournament=made, action="adjust")
    assert found(made) == ["an entry stands outside of the chain"]
    last = LogHead.objects.get(tournament=made).number
    sql("UPDATE league_logentry SET number = %s WHERE number IS NULL", last + 1)
    assert found(made)[0] == f"entry {last + 1} was changed after it was written"


def test_the_command_says_what_it_found_and_leaves_with_1(made, capsys):
    other = cast.tournament(name="Other Pairs")
    said = StringIO()
    call_command("audit", "verify", stdout=said)
    assert said.getvalue().splitlines() == [
        f"autumn-pairs: ok, {verify(made)[1].number} entries, {verify(made)[1].hash}",
        f"other-pairs: ok, 1 entries, {verify(other)[1].hash}",
    ]
    sql("UPDATE league_logentry SET reason = 'Because' WHERE id = %s", row(made, 3).pk)
    said = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("audit", "verify", "autumn-pairs", stdout=said)
    assert left.value.code == 1
    assert said.getvalue() == "autumn-pairs: entry 3 was changed after it was written\n"
    call_command("audit", "verify", "other-pairs", stdout=StringIO())


def test_a_row_written_through_json_and_back_still_fits(made):
    """Names in every script, signs, nothing: what a database may write differently than it was given."""
    zoe = cast.entry(made, "Zoë")
    rename_entry(entry=zoe, name="Đorđe \u2028 “Ω” 😀", club="", by=made.owner)
    adjust(tournament=made, entry=zoe, points=-5, reason="Слишком поздно", round_number=None, by=made.owner)
    assert found(made) == []


def test_a_log_row_takes_three_queries(made, django_assert_num_queries):
    owner = made.owner
    with django_assert_num_queries(3):
        note(tournament=made, by=owner, action="settings")


def test_rows_from_before_the_chain_are_chained_as_they_stand(made):
    other = cast.tournament(name="Other Pairs")
    sql("UPDATE league_logentry SET number = NULL, previous = '', salt = '', digest = '', hash = ''")
    sql("DELETE FROM league_loghead")
    import_module("league.migrations.0003_log_chain").chain_old_rows(apps, None)
    assert found(made) == found(other) == []
    first = row(made, 1)
    assert (first.action, first.previous) == ("create", "")
    adjust(tournament=made, entry=cast.entry(made, "Zoë"), points=-5, reason="Late", round_number=1, by=made.owner)
    assert found(made) == []
