"""The CSV dialect: what a cell looks like, the guard against formulas, and that everything comes back as written."""

import csv
import io
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.lib import csv as csvfile

WITHOUT_SURROGATES = st.text(st.characters(exclude_categories=["Cs"]))
DANGEROUS_STARTS = st.text(alphabet="'=+-@\t\r a", max_size=5)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, ""),
        ("", ""),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-25, "-25"),
        (2.5, "2.5"),
        (-0.5, "-0.5"),
        (Decimal("-1.50"), "-1.50"),
        ("-25", "'-25"),
        (date(2026, 11, 21), "2026-11-21"),
        ("Đorđe", "Đorđe"),
        (" =1", " =1"),
        ("O'Neill", "O'Neill"),
        ("'quoted'", "'quoted'"),
    ],
)
def test_a_value_has_one_form_in_a_cell(value, written):
    assert csvfile.cell(value) == written


def test_times_are_written_in_utc_to_the_second():
    in_berlin = datetime(2026, 11, 21, 20, 5, 0, 999_999, tzinfo=timezone(timedelta(hours=1)))
    assert csvfile.cell(in_berlin) == "2026-11-21T19:05:00Z"
    assert csvfile.cell(datetime(2026, 11, 21, 19, 5, tzinfo=UTC)) == "2026-11-21T19:05:00Z"


def test_a_time_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="has no time zone"):
        csvfile.cell(datetime(2026, 11, 21, 19, 5))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_text_a_spreadsheet_could_run_gets_one_apostrophe(start):
    assert csvfile.guard(start + "1+1") == "'" + start + "1+1"
    assert csvfile.unguard("'" + start + "1+1") == start + "1+1"


def test_an_apostrophe_that_was_there_before_survives_the_round_trip():
    assert csvfile.guard("'=1") == "''=1"
    assert csvfile.unguard("''=1") == "'=1"
    assert csvfile.unguard("'tis") == "'tis"


@given(WITHOUT_SURROGATES | st.builds(str.__add__, DANGEROUS_STARTS, WITHOUT_SURROGATES))
def test_the_guard_can_always_be_taken_off_and_leaves_nothing_to_run(text):
    guarded = csvfile.guard(text)
    assert csvfile.unguard(guarded) == text
    assert not guarded.startswith(tuple("=+-@\t\r"))


def test_lines_end_in_crlf_and_only_cells_that_need_quotes_have_them():
    rows = [
        {"player": "Ana Lucía", "club": 'The "Wild" Ones', "points": 40},
        {"player": "Benoît, père", "points": -5, "ignored": "x"},
        {"player": "two\nlines", "club": None, "points": None},
    ]
    assert list(csvfile.write(["player", "club", "points"], rows)) == [
        "player,club,points\r\n",
        'Ana Lucía,"The ""Wild"" Ones",40\r\n',
        '"Benoît, père",,-5\r\n',
        '"two\nlines",,\r\n',
    ]


def test_the_lines_are_written_as_they_are_asked_for():
    asked = []

    def rows():
        for number in range(3):
            asked.append(number)
            yield {"n": number}

    lines = csvfile.write(["n"], rows())
    assert (next(lines), asked) == ("n\r\n", [])
    assert (next(lines), asked) == ("0\r\n", [0])


def test_the_byte_order_mark_is_an_option():
    assert csvfile.text(["n"], [{"n": 1}]) == "n\r\n1\r\n"
    assert csvfile.text(["n"], [{"n": 1}], bom=True) == "\ufeffn\r\n1\r\n"
    assert csvfile.text(["n"], [], bom=True).encode().startswith(b"\xef\xbb\xbf")


def test_half_a_surrogate_pair_and_control_characters_do_not_stop_an_export():
    written = csvfile.text(["n"], [{"n": "a\ud800b"}, {"n": "\x00\x1b\x7f"}])
    assert written.encode() == b"n\r\na\xef\xbf\xbdb\r\n\x00\x1b\x7f\r\n"


@given(st.lists(st.lists(WITHOUT_SURROGATES, min_size=2, max_size=2), max_size=5))
def test_what_was_written_is_read_back(cells):
    header = ["one", "two"]
    written = csvfile.text(header, [dict(zip(header, row, strict=True)) for row in cells])
    read = list(csv.reader(io.StringIO(written, newline=""), strict=True))
    assert [[csvfile.unguard(cell) for cell in row] for row in read] == [header, *cells]
