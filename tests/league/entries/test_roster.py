"""Pasted lists and CSV files into players: what is accepted, what is refused and in which words."""

import csv
import os
import random
import unicodedata
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.entries.roster.parse import NotUnicode, RosterError, decode, parse
from league.entries.roster.rows import MAX_ROWS, LineError, Roster, RosterRow
from league.lib import csv as csvfile
from league.lib.names import tidy

HEADER = ["name", "club", "email", "birthday"]
FUZZED = int(os.environ.get("WILD_FUZZ", "2000"))


def names(text):
    read = parse(text)
    assert read.errors == ()
    return [row.name for row in read.rows]


def faults(text):
    """(line, column) of every error."""
    read = parse(text)
    assert read.rows == ()
    return [(error.line, error.column) for error in read.errors]


def export(rows):
    """Written as the players' export writes them: the birthday as MM-DD."""
    return csvfile.text(
        HEADER,
        [
            {
                "name": row.name,
                "club": row.club,
                "email": row.email,
                "birthday": f"{row.birthday[0]:02}-{row.birthday[1]:02}" if row.birthday else None,
            }
            for row in rows
        ],
    )


def as_values(rows):
    return [(row.name, row.club, row.email, row.birthday) for row in rows]


# --- a pasted list ---------------------------------------------------------------------------------------------------


def test_one_name_a_line_is_enough():
    assert parse("Ana Lucía\nBenoît\n\nĐorđe\n") == Roster(
        rows=(RosterRow(1, "Ana Lucía"), RosterRow(2, "Benoît"), RosterRow(4, "Đorđe"))
    )


@pytest.mark.parametrize(
    "line",
    [
        "1. Zoë", "2) Zoë", "3 - Zoë", "3 \u2013 Zoë", "4- Zoë", "(5) Zoë", "[6] Zoë", "7: Zoë", "8.Zoë", "9 . Zoë",
        "- Zoë", "-Zoë", "• Zoë", "* Zoë", "— Zoë", "- 10. Zoë", "11. - Zoë", "12\tZoë", "1️⃣ Zoë", "1️⃣0️⃣ Zoë",
        "☑️ Zoë", "✅ Zoë", "1. ✔ Zoë",
        "Zoë,", "Zoë ;", "  Zoë  ", "\tZoë\t", "\u200eZoë\u200f", "\ufeffZoë", "Zo\u200bë", "\u2067Zoë\u2069",
        "\xa0Zoë\xa0,", "\u200f1.\u200e Zoë", "Zoe\u0308",
    ],
)  # fmt: skip
def test_numbers_bullets_and_invisible_characters_of_a_chat_come_off(line):
    assert names(line) == ["Zoë"]


@pytest.mark.parametrize(
    "line",
    [
        "[19:02] Zoë: me too", "[24.11.26, 19:02:11] Zoë: +1", "24/11/2026, 19:02 - Zoë: I come: with cake",
        "19:02 Zoë: yes", "[7:02 PM] Zoë", "11/24/26, 7:02 p.m. - Zoë: in", "Zoë 🎉", "🦊 Zoë 🏳️‍🌈", "1. Zoë 👍🏽",
        "Zoë (late!)", "2. Zoë (maybe) 🤞", "Zoë [with cards]",
    ],
)  # fmt: skip
def test_stamps_of_a_chat_emoji_and_remarks_come_off(line):
    assert names(line) == ["Zoë"]


def test_a_remark_that_came_off_is_named():
    [warning] = parse("Ana\nZoë (late!)").warnings
    assert (warning.line, warning.message) == (2, "“(late!)” beside “Zoë” is left out.")


def test_brackets_that_tell_two_people_apart_stay():
    assert names("Ana (ludo)\nAna (mira)\nBen (jr)\nCara (late)") == ["Ana (ludo)", "Ana (mira)", "Ben (jr)", "Cara"]


@pytest.mark.parametrize("line", ["a" + " " * 200_000 + "b", "[" * 200_000, "x" * 200_000, "1 " * 100_000])
def test_a_line_of_any_length_is_read_at_once(line):
    read = parse(f"Ben\n{line}")
    assert bool(read.rows) != bool(read.errors)


@pytest.mark.parametrize("text", ["1\tAna\n2\tBen", "Ana;\nBen;", "Ana\t\nBen\t", "Ana;Ludo\nBen;Ludo"])
def test_a_list_whose_first_line_may_be_somebody_is_no_table(text):
    read = parse(text, name_column=1)
    assert read.columns == () and (read.errors or read.rows[0].name == "Ana")


def test_whoever_writes_twice_in_a_chat_is_taken_once():
    read = parse("[19:02] Zoë: me too\n[19:03] Ana: and I\n[19:04] Zoë: with cake")
    assert [row.name for row in read.rows] == ["Zoë", "Ana"]
    assert [warning.message for warning in read.warnings] == ["“Zoë” wrote more than once, and is taken once."]


@pytest.mark.parametrize("name", ["3-D Max", "4 Non Blondes", "2.5 Chidi", "Jean-Luc", "@farah", "O'Neill", "Zoë (2)"])
def test_what_belongs_to_a_name_stays(name):
    assert names(name) == [name]


def test_inner_white_space_becomes_one_space():
    assert names("Ana \u3000 \xa0Lucía\nĐorđe\u2028Petrović") == ["Ana Lucía", "Đorđe Petrović"]


def test_the_joiners_persian_needs_stay_inside_a_name_and_come_off_its_ends():
    alireza = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
    assert names(f"\u200c{alireza}\u200d") == [alireza]


def test_every_kind_of_line_end_counts_lines_alike():
    read = parse("Ana\r\nBenoît\rChidi\n\nZoë")
    assert [(row.line, row.name) for row in read.rows] == [(1, "Ana"), (2, "Benoît"), (3, "Chidi"), (5, "Zoë")]


def test_a_free_place_in_a_chats_list_is_left_out_with_a_warning():
    read = parse("1. Ana\n2.\n3. Chidi")
    assert [row.name for row in read.rows] == ["Ana", "Chidi"]
    assert [(warning.line, warning.message) for warning in read.warnings] == [
        (2, "There is no name on this line; it is left out.")
    ]


def test_a_comma_in_a_pasted_name_is_kept_and_warned_of():
    read = parse("Lucía, Ana\nBenoît")
    assert [row.name for row in read.rows] == ["Lucía, Ana", "Benoît"]
    assert [(warning.line, warning.column) for warning in read.warnings] == [(1, "name")]
    assert "“Lucía, Ana” is taken as one name" in read.warnings[0].message


@pytest.mark.parametrize("line", ["Ana;Club", "Ana\tClub", "Ana ana@example.org", "Ana <ana@example.org>"])
def test_several_cells_without_a_header_are_refused_with_the_header_to_put_first(line):
    read = parse("Benoît\n" + line)
    assert [(error.line, error.column) for error in read.errors] == [(2, None)]
    assert read.errors[0].message.endswith("name,club,email,birthday")


def test_control_characters_are_named_with_their_line():
    assert faults("Ana\nBen\x00oît\nChi\x1bdi\nĐor\x85đe\nZo\ud800ë") == [(line, "name") for line in (2, 3, 4, 5)]


def test_a_name_drawn_as_nothing_is_missing():
    assert faults("Ana\n\u3164\u3164") == [(2, "name")]


def test_eighty_characters_fit_and_eighty_one_do_not():
    assert names("ë" * 80) == ["ë" * 80]
    read = parse("e\u0308" * 80 + "\n" + "x" * 81)
    assert [(error.line, error.message) for error in read.errors] == [(2, "This has 81 characters; up to 80 fit.")]


@pytest.mark.parametrize("text", ["", "\n\n", " \t\r\n", "\ufeff", "name", "name,club\r\n", "name\n,,,\n"])
def test_a_list_without_names_says_what_to_give(text):
    assert [error.message for error in parse(text).errors] == [
        "There are no names here. Give one name a line, or a CSV file with a column “name”."
    ]


# --- a CSV file ------------------------------------------------------------------------------------------------------


def test_a_csv_file_gives_names_clubs_emails_and_birthdays():
    read = parse("name,club,email,birthday\r\nAna Lucía,Wild Ones,ana@example.org,1991-07-30\r\nBenoît,,,\r\nChidi\r\n")
    assert read == Roster(
        rows=(
            RosterRow(2, "Ana Lucía", "Wild Ones", "ana@example.org", (7, 30)),
            RosterRow(3, "Benoît"),
            RosterRow(4, "Chidi"),
        )
    )


@pytest.mark.parametrize(
    "header",
    ["club,name", "Club;NAME", "CLUB\tName", ' "Club" , "Name" ', "\ufeffclub,name", "\n\n club , name ", "'club,name"],
)
def test_a_header_is_known_in_any_case_order_and_separator(header):
    separator = next(mark for mark in "\t;," if mark in header)
    assert names(header + f"\nWild Ones{separator}Zoë") == ["Zoë"]


def test_a_file_with_a_name_column_alone_is_a_csv_file():
    assert names("name\n-5 Zoë\n1. Ana\n") == ["-5 Zoë", "1. Ana"]


def test_columns_nobody_knows_are_left_out_with_a_warning():
    read = parse("name,shoe size,,note\nAna,38,,x\n")
    assert [row.name for row in read.rows] == ["Ana"]
    assert [(warning.line, warning.column) for warning in read.warnings] == [(1, "shoe size"), (1, "note")]
    assert read.warnings[0].message.startswith("The column “shoe size” is not used.")


def test_a_column_that_is_there_twice_is_an_error_and_the_lines_are_still_checked():
    assert faults("name,club,Name\nAna,,x\n,,\nx,,\n,Wild Ones,y\n") == [(1, "name"), (5, "name")]


TABLE = "Ville;Participant\nLyon;Ana\nNice;Benoît"


def test_a_table_in_another_language_has_columns_to_choose_from():
    for text in (TABLE, TABLE.replace(";", "\t"), "Prénom,Ville\nAna,Lyon"):
        read = parse(text)
        assert read.rows == () and len(read.errors) == 1
        assert len(read.columns) == 2
    chosen = parse(TABLE, name_column=1)
    assert [row.name for row in chosen.rows] == ["Ana", "Benoît"] and chosen.columns == ()
    assert [warning.column for warning in chosen.warnings] == ["ville"]
    assert parse(TABLE, name_column=2).columns == ("Ville", "Participant")


@pytest.mark.parametrize(
    "text", ["Lucía, Ana\nPetrović, Đorđe", "Ana;Club", "Ana;Club\nBenoît", "Ana\tana@example.org\nBen\tx"]
)
def test_what_is_no_table_has_no_columns(text):
    assert parse(text).columns == ()


@pytest.mark.parametrize("header", ["player;mail", "Player,Club", "club\temail", "players", '"Full name","Birthday"'])
def test_a_header_without_name_is_one_clear_error(header):
    read = parse(header + "\na;b\nc;d")
    assert len(read.errors) == 1
    assert read.errors[0].line == 1
    assert "none of its cells is “name”" in read.errors[0].message
    assert "name, club, email and birthday; only name is needed" in read.errors[0].message


def test_a_header_with_an_open_quotation_mark_is_not_taken_for_a_list():
    assert [error.message[:45] for error in parse('"name,club\nAna,x').errors] == [
        "The quotation marks of this line do not pair "
    ]


def test_every_fault_of_every_line_is_named_at_once():
    text = "\n".join(
        [
            "name,club,email,birthday",
            ",Wild Ones,ana@,31.02.",  # three faults
            "Benoît,Wild Ones,benoit@example.org,02-29",  # none
            "Chidi,a,b,c,d",
            'Đorđe,"Wild Ones,,',
            "Émilie\x07,,,",
            f"Farah,{'x' * 81},,7/30/1991",
        ]
    )
    assert faults(text) == [
        (2, "name"), (2, "email"), (2, "birthday"), (4, None), (5, None), (6, "name"), (7, "club"), (7, "birthday"),
    ]  # fmt: skip


def test_an_open_quotation_mark_is_named_where_it_opens_and_the_rest_is_still_read():
    assert faults('name\nAna\n"Benoît\nChidi\n"x"y\n\x00\n') == [(3, None), (5, None), (6, "name")]


def test_a_cell_may_span_lines_and_the_next_line_keeps_its_number():
    read = parse('note,name\n"one\ntwo\n\nthree",Ana\nx,"Zo\në"\n')
    assert [(row.line, row.name) for row in read.rows] == [(2, "Ana"), (6, "Zo ë")]


def test_more_cells_than_columns_are_an_error_unless_they_are_empty():
    assert names("name,club\nAna,Wild Ones,,,\n") == ["Ana"]
    read = parse("name,club\nLucía, Ana, Wild Ones\n")
    assert [(error.line, error.column) for error in read.errors] == [(2, None)]
    assert "This line has 3 cells, but the header has 2 columns." in read.errors[0].message


def test_a_cell_too_long_to_be_read_is_an_error_of_its_line():
    read = parse("name,note\nAna," + "x" * 140_000 + "\nBenoît\n,x\n")
    assert [(error.line, error.message) for error in read.errors] == [
        (2, "A cell of this line is too long to be read."),
        (4, "The name is missing."),
    ]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("1991-07-30", (7, 30)), ("07-30", (7, 30)), ("30.07.1991", (7, 30)), ("30.07.", (7, 30)), ("30.7.", (7, 30)),
        ("30.07", (7, 30)), ("3. 7. 1991", (7, 3)), (" 07-30 ", (7, 30)), ("02-29", (2, 29)), ("29.02.", (2, 29)),
        ("2000-02-29", (2, 29)), ("", None), ("  ", None),
    ],
)  # fmt: skip
def test_a_birthday_is_kept_as_month_and_day(written, kept):
    assert parse(f"name,birthday\nAna,{written}").rows == (RosterRow(2, "Ana", birthday=kept),)


@pytest.mark.parametrize(
    "written",
    [
        "07/30", "7/30/1991", "30/07/1991", "07-32", "13-01", "02-30", "30.02.", "1991-02-29", "1900-02-29",
        "0000-07-30", "91-07-30", "7-30", "30.071991", "30-Jul", "today", "1991-07-30T00:00:00Z", "33449", "--07-30",
        "\u0660\u0667-\u0663\u0660",
    ],
)  # fmt: skip
def test_anything_else_in_birthday_is_an_error_with_the_form_expected(written):
    read = parse(f"name,birthday\nAna,{written}")
    assert [(error.line, error.column) for error in read.errors] == [(2, "birthday")]
    assert "1991-07-30 or 07-30" in read.errors[0].message


@pytest.mark.parametrize(
    "email", ["ana@example.org", "a.b+c@x.example.co", "o'neill@bücher.example", "A_1@EXAMPLE.ORG", ""]
)
def test_an_email_address_is_kept_as_written(email):
    assert [row.email for row in parse(f"name,email\nAna,{email}").rows] == [email]


@pytest.mark.parametrize(
    "email",
    [
        "ana", "ana@", "@example.org", "ana@example", "a b@example.org", "a@b@example.org", "a..b@example.org",
        ".a@example.org", "ana@-example.org", "ana@example..org", "ana@exa_mple.org", "a\x00@example.org",
        "ana@example.org\u00adx@y", "x" * 250 + "@example.org",
    ],
)  # fmt: skip
def test_what_is_not_an_email_address_is_an_error(email):
    assert faults(f"name,email\nAna,{email}") == [(2, "email")]


def test_the_guard_of_an_exported_cell_comes_off_in_a_csv_file_and_not_in_a_list():
    assert names("name\n'=Ana\n''-Benoît\n'tis Chidi") == ["=Ana", "'-Benoît", "'tis Chidi"]
    assert names("'=Ana") == ["'=Ana"]


# --- duplicates and limits -------------------------------------------------------------------------------------------


def test_names_that_are_there_twice_are_warned_of_with_their_lines_and_not_merged():
    read = parse("Zoë\nAna\nZOE\u0308\nana\nZo\u200bë\nStraße\nSTRASSE\n")
    assert len(read.rows) == 7
    assert [(warning.line, warning.column) for warning in read.warnings] == [(3, "name"), (4, "name"), (7, "name")]
    assert read.warnings[0].message.startswith("“Zoë” is on the lines 1, 3, 5.")


def test_a_name_with_and_without_a_joiner_is_a_duplicate():
    assert [warning.line for warning in parse("Ana\u200cLucía\nAnaLucía").warnings] == [2]


def test_two_thousand_players_fit_and_one_more_does_not():
    list_of = "\n".join(f"Player {number}" for number in range(MAX_ROWS))
    assert len(parse(list_of).rows) == 2000
    read = parse(list_of + "\nZoë\nZoë")
    assert [(error.line, error.message[:36]) for error in read.errors] == [
        (2001, "A list holds up to 2000 players. Imp")
    ]


def test_more_than_a_megabyte_is_refused_at_once():
    assert [error.message for error in parse("é" * 500_001).errors] == [
        "The list is larger than 1 MB. Split it and import the parts."
    ]
    with pytest.raises(RosterError, match="larger than 1 MB"):
        decode(b"x" * 1_000_001)


def test_a_file_of_nothing_but_faults_is_not_listed_without_end():
    assert len(parse("name\n" + '"a"b\n' * 3000).errors) == 2000
    assert len(parse("-\n" * 3000).warnings) == 2000


# --- bytes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_usual_encodings_are_read(encoding):
    assert decode("name\r\nĐorđe\r\n".encode(encoding)) == "name\r\nĐorđe\r\n"


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_line_in_another_encoding_is_named_with_what_to_do(start, end):
    with pytest.raises(RosterError, match=r"Line 3 is not UTF-8 text.*save the file as “CSV UTF-8”") as raised:
        decode(start + end.join([b"name", "Đorđe".encode(), "Zoë".encode("latin-1"), b"Ana"]))
    assert raised.value.line == 3


def test_older_text_of_western_europe_comes_with_what_it_says_and_other_bytes_do_not():
    with pytest.raises(NotUnicode) as older:
        decode("Zoë\r\nJosé Núñez\r\nŒdipe".encode("cp1252"))
    assert older.value.western == "Zoë\r\nJosé Núñez\r\nŒdipe"
    with pytest.raises(RosterError) as binary:
        decode(b"\x89PNG\x00\x01\xff")
    assert not isinstance(binary.value, NotUnicode)


def test_damaged_utf_16_and_spreadsheets_are_told_apart():
    with pytest.raises(RosterError, match="damaged UTF-16"):
        decode("Zoë".encode("utf-16") + b"\x00")
    with pytest.raises(RosterError, match="a spreadsheet, not a text file"):
        decode(b"PK\x03\x04 and so on")


def test_a_message_keeps_its_template_so_that_a_page_can_translate_it():
    error = parse("x" * 81).errors[0]
    assert error.template % error.params == error.message
    assert error.params == {"length": 81, "limit": 80}
    assert LineError(1, None, "100% wrong").message == "100% wrong"


# --- round trips -----------------------------------------------------------------------------------------------------

# Letters, marks, punctuation, spaces, emoji, right-to-left text, and the characters of CSV and formulas.
RANGES = [(0x20, 0x7E), (0xA0, 0x17F), (0x300, 0x36F), (0x391, 0x3C9), (0x410, 0x44F), (0x5D0, 0x5EA), (0x620, 0x64A),
          (0x905, 0x94D), (0x1100, 0x11FF), (0x2000, 0x206F), (0x3041, 0x30FF), (0x4E00, 0x4FFF), (0xAC00, 0xACFF),
          (0xFE00, 0xFEFF), (0x1F1E6, 0x1F1FF), (0x1F600, 0x1F64F)]  # fmt: skip
AWKWARD = list("'=+-@\t\"',;\r\n'=+-@ ")


def random_name(source):
    """A name as the parser keeps it."""
    while True:
        chars = [
            source.choice(AWKWARD) if source.random() < 0.2 else chr(source.randint(*source.choice(RANGES)))
            for _ in range(source.randint(1, 30))
        ]
        name = tidy("".join(chars))
        if name.strip("\u115f\u1160\u200c\u200d ") and not any(unicodedata.category(char) == "Cc" for char in name):
            return name


def random_row(source, line):
    club = random_name(source) if source.random() < 0.3 else ""
    email = source.choice(["", "", "ana@example.org", "+x@example.org", "-@example.org", "='=@example.org"])
    birthday = source.choice([None, (2, 29), (12, 31), (source.randint(1, 12), source.randint(1, 28))])
    return RosterRow(line, random_name(source), club, email, birthday)


def test_ten_thousand_random_players_come_back_as_they_were_exported():
    source = random.Random(2026)
    for _ in range(10):
        rows = [random_row(source, line) for line in range(2, 1002)]
        read = parse(decode(export(rows).encode()))
        assert read.errors == ()
        assert list(read.rows) == rows


def test_five_hundred_formulas_come_back_as_they_were_and_none_is_left_to_run():
    source = random.Random(500)
    bodies = ["1+1", "cmd|' /C calc'!A0", 'HYPERLINK("http://example.org?"&A1,"x")', "SUM(A1:A9)*2", "A1", "'=1", ""]
    payloads = [
        source.choice(["", "'", "''"]) + source.choice("=+-@") + source.choice(bodies) + f" {number}"
        for number in range(500)
    ]
    rows = [RosterRow(line, payload, club=payload) for line, payload in enumerate(payloads, start=2)]
    written = export(rows)
    assert list(parse(written).rows) == rows
    cells = [cell for line in csv.reader(written.splitlines()) for cell in line]
    assert len(cells) == 501 * len(HEADER)
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_tidying_twice_is_tidying_once(text):
    assert tidy(tidy(text)) == tidy(text)


@settings(max_examples=200, deadline=None)
@given(st.text() | st.text(alphabet="name,;\t\"\r\n'=-1.@\x00 "))
def test_no_text_whatever_raises_and_rows_exist_only_without_errors(text):
    check(parse(text))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab,;\t\"\r\n'=-1.@\x00 "))
def test_no_csv_whatever_raises_and_what_is_read_can_be_exported(body):
    check(parse("name,club,email,birthday\n" + body))


def check(read):
    """Rows or errors, never both; and rows are as the parser promises."""
    if read.errors:
        assert read.rows == ()
        assert all(error.line >= 1 and error.message for error in read.errors)
        return
    assert read.rows
    for row in read.rows:
        assert row.name and row.name == tidy(row.name) and len(row.name) <= 80
        if row.birthday:
            date(2000, *row.birthday)
    assert as_values(parse(export(read.rows)).rows) == as_values(read.rows)


def mutated(good, source):
    data = bytearray(good)
    for _ in range(source.randint(1, 6)):
        at = source.randrange(len(data))
        other = source.randrange(len(data))
        kind = source.randrange(7)
        if kind == 0:
            data[at], data[other] = data[other], data[at]
        elif kind == 1:
            del data[at : at + source.randint(1, 4)]
        elif kind == 2:
            data[at:at] = bytes([source.randrange(256)])
        elif kind == 3:
            data[at:at] = data[min(at, other) : max(at, other)][:60]
        elif kind == 4:
            data[at:at] = source.choice([b'"', b'""', b"'", b",", b";", b"\r", b"\n", b"=", b"\t"])
        elif kind == 5:
            data[at:at] = b"\x00" * source.randint(1, 3)
        else:
            data[at:at] = source.choice(
                [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xfe\xff", b"\xe2\x80\x8b"]
            )
        data = data or bytearray(b"x")
    return bytes(data)


def test_mutated_files_are_refused_by_name_or_read_but_never_crash():
    """WILD_FUZZ sets how many."""
    source = random.Random(7)
    good = export(
        [
            RosterRow(2, "Ana Lucía", "Wild Ones", "ana@example.org", (7, 30)),
            RosterRow(3, "=Benoît, père", 'The "Wild" Ones', "", (2, 29)),
            RosterRow(4, "Đorđe"),
            RosterRow(5, "Xiaoming 晓明", "-5", "x@example.org"),
        ]
    ).encode()
    refused = faulty = accepted = 0
    for _ in range(FUZZED):
        try:
            read = parse(decode(mutated(good, source)))
        except RosterError as error:
            assert str(error)
            refused += 1
            continue
        check(read)
        faulty += bool(read.errors)
        accepted += not read.errors
    assert refused + faulty + accepted == FUZZED
    # The mutations must neither break everything nor nothing, or this test would say little.
    assert min(refused, faulty, accepted) > FUZZED // 50
