"""Pasted lists and CSV files into players: what is accepted, what is refused and in which words."""

import csv
import os
import random
import unicodedata
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.entries.roster.files import FileError, read_file
from league.entries.roster.parse import parse
from league.entries.roster.rows import MAX_ROWS, Choices, Column, LineError, Question, Roster, RosterRow
from league.lib import csv as csvfile
from league.lib.names import is_visible, tidy

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
    assert (warning.line, warning.message) == (2, "“(late!)” next to “Zoë” is left out.")


def test_brackets_that_tell_two_people_apart_stay():
    assert names("Ana (ludo)\nAna (mira)\nBen (jr)\nCara (late)") == ["Ana (ludo)", "Ana (mira)", "Ben (jr)", "Cara"]


@pytest.mark.parametrize("line", ["a" + " " * 200_000 + "b", "[" * 200_000, "x" * 200_000, "1 " * 100_000])
def test_a_line_of_any_length_is_read_at_once(line):
    read = parse(f"Ben\n{line}")
    assert bool(read.rows) != bool(read.errors)


@pytest.mark.parametrize("text", ["1\tAna\n2\tBen", "Ana;\nBen;", "Ana\t\nBen\t"])
def test_empty_cells_and_numbers_are_no_columns(text):
    assert names(text) == ["Ana", "Ben"]
    assert not parse(text).questions


def test_whoever_writes_twice_in_a_chat_is_taken_once():
    read = parse("[19:02] Zoë: me too\n[19:03] Ana: and I\n[19:04] Zoë: with cake")
    assert [row.name for row in read.rows] == ["Zoë", "Ana"]
    assert [warning.message for warning in read.warnings] == ["“Zoë” wrote more than once and is added once."]


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
        (2, "There is no name on this line, so it is skipped.")
    ]


def test_a_comma_in_a_pasted_name_is_kept_and_warned_of():
    read = parse("Lucía, Ana\nBenoît")
    assert [row.name for row in read.rows] == ["Lucía, Ana", "Benoît"]
    assert [(warning.line, warning.column) for warning in read.warnings] == [(1, "name")]
    assert "“Lucía, Ana” is read as one name" in read.warnings[0].message


@pytest.mark.parametrize("line", ["Ana;Club", "Ana\tClub"])
def test_several_cells_on_some_lines_are_refused_with_the_header_to_put_first(line):
    read = parse("Benoît\n" + line)
    assert [(error.line, error.column) for error in read.errors] == [(2, None)]
    assert read.errors[0].message.endswith("name,club,email,birthday")


@pytest.mark.parametrize(
    "line", ["Ana Ruiz <ana@example.org>", "Ana Ruiz ana@example.org", "ana@example.org, Ana Ruiz",
             "“Ana Ruiz” (ana@example.org)", "3. Ana Ruiz, ana@example.org"],
)  # fmt: skip
def test_an_address_next_to_a_name_is_taken_as_an_address(line):
    read = parse("Benoît\n" + line)
    assert [(row.name, row.email) for row in read.rows] == [("Benoît", ""), ("Ana Ruiz", "ana@example.org")]
    assert [str(note) for note in read.notes] == ["1 address was found."]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Ana, Ben, Cleo, Dan", 4), ("Ana; Ben; Cleo; Dan", 4), ("Ana; Ben", 2), ("Ana, Ben", 2),
        ("Ana <a@example.org>, Ben <b@example.org>", 2), ("1. Ana, 2. Ben, 3. Cleo,", 3),
        ("Ana, Ben, Cleo\nDan, Eva", 5), ("Ana; Ben; Cleo; Dan\nEva; Fay", 6),
    ],
)  # fmt: skip
def test_names_on_one_line_are_taken_apart_at_commas_or_semicolons(text, number):
    read = parse(text)
    assert [row.name for row in read.rows] == ["Ana", "Ben", "Cleo", "Dan", "Eva", "Fay"][:number]
    assert f"{number} names " in str(read.notes[0])
    assert not read.questions


@pytest.mark.parametrize("heading", ["Waiting list:", "Warteliste", "Liste d’attente (2)", "RESERVE:", "Väntelista"])
def test_the_names_below_a_waiting_list_are_left_out_unless_a_person_wants_them(heading):
    text = f"Ana\nBen\n\n{heading}\nCleo\nDan"
    read = parse(text)
    assert [row.name for row in read.rows] == ["Ana", "Ben"]
    assert read.questions == (Question("waiting", heading),)
    assert str(read.notes[0]) == f"2 names below “{heading}” are left out."
    assert len(parse(text, choices=Choices(with_waiting=True)).rows) == 4
    assert not parse(text, choices=Choices(certain_only=True)).questions


@pytest.mark.parametrize("text", ["Player 1\nPlayer 2", "Player 1, Player 2", "Spieler 1; Spieler 2"])
def test_places_without_names_are_no_headings(text):
    assert len(names(text)) == 2


def test_titles_and_totals_are_left_out_and_named():
    read = parse("Players:\n- [x] Ana\n- [ ] Ben\nTotal: 2\nSumme 2 Spieler\nSuma")
    assert [row.name for row in read.rows] == ["Ana", "Ben", "Suma"]
    assert [str(note) for note in read.notes] == ["3 lines left out: Players:; Total: 2; Summe 2 Spieler"]


def test_control_characters_are_named_with_their_line():
    assert faults("Ana\nBen\x00oît\nChi\x1bdi\nĐor\x85đe\nZo\ud800ë") == [(line, "name") for line in (2, 3, 4, 5)]


def test_a_name_drawn_as_nothing_is_missing():
    assert faults("Ana\n\u3164\u3164") == [(2, "name")]


def test_eighty_characters_fit_and_eighty_one_do_not():
    assert names("ë" * 80) == ["ë" * 80]
    read = parse("e\u0308" * 80 + "\n" + "x" * 81)
    assert [(error.line, error.message) for error in read.errors] == [
        (2, "81 characters are too many; the limit is 80.")
    ]


@pytest.mark.parametrize("text", ["", "\n\n", " \t\r\n", "\ufeff", "name", "name,club\r\n", "name\n,,,\n"])
def test_a_list_without_names_says_what_to_give(text):
    assert [error.message for error in parse(text).errors] == [
        "No names found. Write one name per line, or choose a file with a column “name”."
    ]


# --- a CSV file ------------------------------------------------------------------------------------------------------


def test_a_csv_file_gives_names_clubs_emails_and_birthdays():
    read = parse("name,club,email,birthday\r\nAna Lucía,Wild Ones,ana@example.org,1991-07-30\r\nBenoît,,,\r\nChidi\r\n")
    assert read.rows == (
        RosterRow(2, "Ana Lucía", "Wild Ones", "ana@example.org", (7, 30)),
        RosterRow(3, "Benoît"),
        RosterRow(4, "Chidi"),
    )
    assert read.errors == read.warnings == read.notes == read.questions == ()


@pytest.mark.parametrize(
    "header",
    ["club,name", "Club;NAME", "CLUB\tName", ' "Club" , "Name" ', "\ufeffclub,name", "\n\n club , name ", "'club,name"],
)
def test_a_header_is_known_in_any_case_order_and_separator(header):
    separator = next(mark for mark in "\t;," if mark in header)
    assert names(header + f"\nWild Ones{separator}Zoë") == ["Zoë"]


def test_a_file_with_a_name_column_alone_is_a_csv_file():
    assert names("name\n-5 Zoë\n1. Ana\n") == ["-5 Zoë", "1. Ana"]


def test_columns_without_a_use_are_named():
    read = parse("name,shoe size,,note\nAna,38,,x\n")
    assert [row.name for row in read.rows] == ["Ana"]
    assert [str(note) for note in read.notes] == ["Columns not used: shoe size, note."]


def test_of_a_column_that_is_there_twice_the_first_counts_and_a_person_is_asked():
    read = parse("name,club,Name\nAna,,x\n,Wild Ones,\n")
    assert as_values(read.rows) == [("Ana", "", "", None)]
    assert [column.use for column in read.columns] == ["name", "club", "ignore"]
    assert read.questions == (Question("columns"),)
    assert str(read.notes[-1]) == "1 line left out: Wild Ones"


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("First name,Last name,E-mail\nAna,Ruiz,a@example.org", [("Ana Ruiz", "", "a@example.org")]),
        ("Nom;Prénom;Club\nDupont;Marie;Ludo", [("Marie Dupont", "Ludo", "")]),
        ("NOMBRE;APELLIDOS\nAna;Ruiz Gil", [("Ana Ruiz Gil", "", "")]),
        ("Name;Vorname;Verein;E-Mail\nRuiz;Ana;SC 1;a@example.org", [("Ana Ruiz", "SC 1", "a@example.org")]),
        ("Cognome;Nome;Circolo\nRuiz;Ana;Ludo", [("Ana Ruiz", "Ludo", "")]),
        ("Nome;Sobrenome;Clube\nAna;Ruiz;Ludo", [("Ana Ruiz", "Ludo", "")]),
        ("Voornaam;Achternaam;Vereniging\nAna;Ruiz;Ludo", [("Ana Ruiz", "Ludo", "")]),
        ("Imię;Nazwisko;Adres e-mail\nAna;Ruiz;a@example.org", [("Ana Ruiz", "", "a@example.org")]),
        ("Förnamn;Efternamn;Klubb\nAna;Ruiz;Ludo", [("Ana Ruiz", "Ludo", "")]),
        ("Jméno;Příjmení;Oddíl\nAna;Ruiz;Ludo", [("Ana Ruiz", "Ludo", "")]),
        ("Ville;Participant\nLyon;Ana\nNice;Benoît", [("Ana", "", ""), ("Benoît", "", "")]),
        ("Timestamp,What is your name?,Email Address\n1/2/2026 8:05,Ana,a@example.org", [("Ana", "", "a@example.org")]),
        ("Spring cup;;\n;;\nNr;Name;Club\n1;Ana;Ludo\n;Total: 1;", [("Ana", "Ludo", "")]),
        ("sep=;\nname;club\nAna;Ludo", [("Ana", "Ludo", "")]),
        ('Name\tClub\n"Ruiz, Ana"\tLudo\n"Lind, Bo"\tLudo', [("Ana Ruiz", "Ludo", ""), ("Bo Lind", "Ludo", "")]),
    ],
)  # fmt: skip
def test_a_table_is_understood_by_its_headings_in_ten_languages(text, people):
    read = parse(text)
    assert [(row.name, row.club, row.email) for row in read.rows] == people
    assert read.questions == ()


def test_what_a_heading_of_another_language_means_is_noted():
    assert [str(note) for note in parse("Name;Verein\nAna;SC 1").notes] == ["“Verein” is the club."]


def test_a_table_without_headings_is_guessed_by_its_cells_and_asked_about():
    text = "Ana,North,a@example.org\nBen,North,b@example.org\nCleo,South,"
    read = parse(text)
    assert as_values(read.rows)[0] == ("Ana", "North", "a@example.org", None)
    assert read.questions == (Question("columns"),)
    assert read.columns[1] == Column("", "club", ("North", "North", "South"))
    certain = parse(text, choices=Choices(certain_only=True))
    assert as_values(certain.rows)[0] == ("Ana", "", "a@example.org", None)
    assert certain.questions == () and "Without headings" in str(certain.notes[0])


def test_a_person_may_choose_what_each_column_holds():
    text = "Ana;x;North\nBen;y;South"
    read = parse(text, choices=Choices(("first", "last", "club")))
    assert [(row.name, row.club) for row in read.rows] == [("Ana x", "North"), ("Ben y", "South")]
    assert read.questions == ()
    assert [row.name for row in parse(text).rows] == ["Ana", "x", "North", "Ben", "y", "South"]
    assert parse(text, choices=Choices(("club", "club", "name"))).questions, "one use twice is no choice"


def test_last_names_before_a_comma_are_asked_about():
    read = parse("Lucía, Ana\nPetrović, Đorđe")
    assert [row.name for row in read.rows] == ["Ana Lucía", "Đorđe Petrović"]
    assert read.questions == (Question("columns"),)


def test_seeds_give_the_order_of_the_list():
    read = parse("Seed;Name\n2;Ana\n;Ben\n1;Cleo")
    assert [row.name for row in read.rows] == ["Cleo", "Ana", "Ben"]


@pytest.mark.parametrize("header", ["club\temail", "Club;Geburtstag"])
def test_a_header_without_names_is_one_clear_error_with_the_columns_to_choose_from(header):
    read = parse(header + "\na;b\nc;d")
    assert [(error.line, error.message) for error in read.errors] == [(1, "Choose the column with the names.")]
    assert read.questions == (Question("columns"),)
    assert len(read.columns) == 2


def test_a_header_with_an_open_quotation_mark_is_not_taken_for_a_list():
    assert [error.message[:45] for error in parse('"name,club\nAna,x').errors] == [
        "A quotation mark is missing on this line. Clo"
    ]


def test_every_fault_of_every_line_is_named_at_once():
    text = "\n".join(
        [
            "name,club,email,birthday",
            "Ana,Wild Ones,ana@,31.02.",  # read without address and birthday
            "Benoît,Wild Ones,benoit@example.org,02-29",  # none
            "Chidi,a,b,c,d",
            'Đorđe,"Wild Ones,,',
            "Émilie\x07,,,",
            f"Farah,{'x' * 81},,",
        ]
    )
    assert faults(text) == [(4, None), (5, None), (6, "name"), (7, "club")]
    assert [(warning.line, warning.column) for warning in parse(text).warnings] == [(2, "email"), (2, "birthday")]


def test_an_open_quotation_mark_is_named_where_it_opens_and_the_rest_is_still_read():
    assert faults('name\nAna\n"Benoît\nChidi\n"x"y\n\x00\n') == [(3, None), (5, None), (6, "name")]


def test_a_cell_may_span_lines_and_the_next_line_keeps_its_number():
    read = parse('note,name\n"one\ntwo\n\nthree",Ana\nx,"Zo\në"\n')
    assert [(row.line, row.name) for row in read.rows] == [(2, "Ana"), (6, "Zo ë")]


def test_more_cells_than_columns_are_an_error_unless_they_are_empty():
    assert names("name,club\nAna,Wild Ones,,,\n") == ["Ana"]
    read = parse("name,club\nLucía, Ana, Wild Ones\n")
    assert [(error.line, error.column) for error in read.errors] == [(2, None)]
    assert "This line has 3 cells, the header has 2." in read.errors[0].message


def test_a_cell_too_long_to_be_read_is_an_error_of_its_line():
    read = parse("name,note\nAna," + "x" * 140_000 + "\nBenoît\n,x\n")
    assert [(error.line, error.message) for error in read.errors] == [(2, "A cell on this line is too long.")]


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
        "07-32", "13-01", "02-30", "30.02.", "1991-02-29", "1900-02-29", "0000-07-30", "30.071991", "30-Jul", "today",
        "33449", "--07-30", "13/13/1991", "\u0660\u0667-\u0663\u0660",
    ],
)  # fmt: skip
def test_a_birthday_that_cannot_be_read_never_keeps_a_name_out(written):
    read = parse(f"name,birthday\nAna,{written}")
    assert as_values(read.rows) == [("Ana", "", "", None)]
    assert [(warning.line, warning.column) for warning in read.warnings] == [(2, "birthday")]
    assert "1991-07-30 or 30.07." in read.warnings[0].message


@pytest.mark.parametrize(
    ("days", "read_as"),
    [
        (("30/07/1991", "05/11/1979"), [(7, 30), (11, 5)]),
        (("7/30/1991", "05/11/1979"), [(7, 30), (5, 11)]),
        (("30/07/91", "1/2"), [(7, 30), (2, 1)]),
        (("30-07-1991", "05-11-1979"), [(7, 30), (11, 5)]),
        (("1991-07-30 00:00:00", "1979/11/05"), [(7, 30), (11, 5)]),
        (("5/5/1991", "6/6/1991"), [(5, 5), (6, 6)]),
    ],
)
def test_a_column_of_days_tells_by_itself_whether_the_day_comes_first(days, read_as):
    read = parse("name,birthday\n" + "\n".join(f"Ana {day},{day}" for day in days))
    assert [row.birthday for row in read.rows] == read_as
    assert read.questions == () and read.warnings == ()


def test_where_every_day_may_be_a_month_a_person_is_asked_once():
    text = "name,birthday\nAna,03/04/1988\nBen,05/06/1990\nCleo,7/7/1991"
    assert parse(text).questions == (Question("day-first", "03/04/1988"),)
    assert [row.birthday for row in parse(text).rows] == [(4, 3), (6, 5), (7, 7)]
    assert [row.birthday for row in parse(text, choices=Choices(day_first=False)).rows] == [(3, 4), (5, 6), (7, 7)]
    certain = parse(text, choices=Choices(certain_only=True))
    assert [row.birthday for row in certain.rows] == [None, None, (7, 7)]
    assert [warning.line for warning in certain.warnings] == [2, 3]


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
def test_what_is_not_an_email_address_is_left_out_with_a_warning(email):
    read = parse(f"name,email\nAna,{email}")
    assert as_values(read.rows) == [("Ana", "", "", None)]
    assert [(warning.line, warning.column) for warning in read.warnings] == [(2, "email")]


def test_the_guard_of_an_exported_cell_comes_off_in_a_csv_file_and_not_in_a_list():
    assert names("name\n'=Ana\n''-Benoît\n'tis Chidi") == ["=Ana", "'-Benoît", "'tis Chidi"]
    assert names("'=Ana") == ["'=Ana"]


# --- duplicates and limits -------------------------------------------------------------------------------------------


def test_names_that_are_there_twice_are_warned_of_with_their_lines_and_not_merged():
    read = parse("Zoë\nAna\nZOE\u0308\nana\nZo\u200bë\nStraße\nSTRASSE\n")
    assert len(read.rows) == 7
    assert [(warning.line, warning.column) for warning in read.warnings] == [(3, "name"), (4, "name"), (7, "name")]
    assert read.warnings[0].message.startswith("“Zoë” is on lines 1, 3, 5,")


def test_a_name_with_and_without_a_joiner_is_a_duplicate():
    assert [warning.line for warning in parse("Ana\u200cLucía\nAnaLucía").warnings] == [2]


def test_two_thousand_players_fit_and_one_more_does_not():
    list_of = "\n".join(f"Player {number}" for number in range(MAX_ROWS))
    assert len(parse(list_of).rows) == 2000
    read = parse(list_of + "\nZoë\nZoë")
    assert [(error.line, error.message[:36]) for error in read.errors] == [
        (2001, "A list takes up to 2000 players. Imp")
    ]


def test_more_than_a_megabyte_is_refused_at_once():
    assert [error.message for error in parse("é" * 500_001).errors] == [
        "The list is larger than 1 MB. Split it and import the parts."
    ]
    with pytest.raises(FileError, match="larger than 1 MB"):
        read_file(b"x" * 1_000_001)


def test_a_file_of_nothing_but_faults_is_not_listed_without_end():
    assert len(parse("name\n" + '"a"b\n' * 3000).errors) == 2000
    assert len(parse("-\n" * 3000).warnings) == 2000


# --- files


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_in_its_usual_forms(encoding):
    assert read_file("name\r\nĐorđe\r\n".encode(encoding)) == ("name\r\nĐorđe\r\n", "")


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "mac_roman"])
@pytest.mark.parametrize(
    "text", ["Ana Pérez\nBenoît Müller\nCafé", "Zoë\r\nJosé Núñez\r\nFrançois", "PÉREZ\nMÜLLER\nÅSA"]
)
def test_of_older_encodings_the_one_is_taken_that_gives_names(start, encoding, text):
    assert read_file(start + text.encode(encoding)) == (text, encoding)


@pytest.mark.parametrize(
    "data", [b"\x89PNG\x00\x01\xff", b"\x7fELF\x02\x00\xe2\xe3\xcf\xd3", bytes(range(128, 256)) * 4]
)
def test_what_is_no_text_is_refused(data):
    with pytest.raises(FileError, match="can’t be read"):
        read_file(data)


@pytest.mark.parametrize(
    "page", [b"<!DOCTYPE html><p>", b"\xef\xbb\xbf\r\n<html>", b"<table><tr><td>Ana", b"<?xml version"]
)
def test_a_web_page_saved_as_a_spreadsheet_is_named_as_such(page):
    with pytest.raises(FileError, match="a web page"):
        read_file(page)


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
        if is_visible(name) and not any(unicodedata.category(char) == "Cc" for char in name):
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
        read = parse(read_file(export(rows).encode()).text)
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


@settings(max_examples=200)
@given(st.text())
def test_tidying_twice_is_tidying_once(text):
    assert tidy(tidy(text)) == tidy(text)


@settings(max_examples=200)
@given(st.text() | st.text(alphabet="name,;\t\"\r\n'=-1.@\x00 "))
def test_no_text_whatever_raises_and_rows_exist_only_without_errors(text):
    check(parse(text))


@settings(max_examples=200)
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
            read = parse(read_file(mutated(good, source)).text)
        except FileError as error:
            assert str(error)
            refused += 1
            continue
        check(read)
        faulty += bool(read.errors)
        accepted += not read.errors
    assert refused + faulty + accepted == FUZZED
    # The mutations must neither break everything nor nothing, or this test would say little.
    assert min(refused, faulty, accepted) > FUZZED // 50
