"""Lists as clubs keep them (lists/, modelled on public reports; all names are invented) and hostile spreadsheets."""

import io
import os
import random
import zipfile
from pathlib import Path

import pytest
import xlsxwriter

from league.entries.roster import teams as team_roster
from league.entries.roster.files import FileError, read_file
from league.entries.roster.parse import parse
from league.entries.roster.rows import Choices, Question

LISTS = Path(__file__).with_name("lists")
FUZZED = int(os.environ.get("WILD_FUZZ", "2000")) // 100


def read(name, **more):
    return parse(read_file((LISTS / name).read_bytes()).text, **more)


FOUR = ["Ana Ruiz", "Ben Stone", "Cleo Marsh", "Dan Okafor"]
BY_FILE = {
    "01-list.csv": FOUR,
    "01-list-again-two-more.csv": [*FOUR, "Eva Lind", "Fay Moss"],
    "02-one-line.txt": ["Ana", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gus", "Hal"],
    "02-one-line-semicolons.txt": ["Ana", "Ben", "Cleo", "Dan"],
    "03-first-last.csv": ["Ana Ruiz", "Ana Lind", "Ben Okafor", "Ben Stone"],
    "03-nom-prenom.csv": ["Marie Dupont", "Jean Dupont", "Luc Martin", "Zoé Bernard"],
    "04-plain.xlsx": FOUR,
    "04-plain.xls": FOUR,
    "04-title-and-total.xlsx": ["Ana Ruiz", "Benoît Marsh", "Chidi Okafor", "Élodie Lind"],
    "04-title-and-total.ods": ["Ana Ruiz", "Benoît Marsh", "Chidi Okafor", "Élodie Lind"],
    "05-excel-de-utf8.csv": ["Ana Ruiz", "Benoît Müller", "Cleo Marsh", "Dan Straße"],
    "05-form-export.csv": ["Ana Ruiz", "Ben Stone", "Cleo, the 2nd", "Dan"],
    "06-days-with-slashes.csv": ["Marie", "Jean", "Luc", "Zoé"],
    "08-no-header.csv": ["Ana", "Ben", "Cleo", "Dan"],
    "11-msdos-cp850.csv": ["Ana Pérez", "Benoît Müller", "Cleo", "Dan"],
    "11-macroman.csv": ["Ana Pérez", "Benoît Müller", "Cleo", "Dan"],
    "13-semicolon-bom.csv": FOUR,
    "17-trailing-and-empty.csv": FOUR,
    "19-formulas.csv": ["=1+1", "+49 Rolf", "@nick", "-Dash"],
    "49-evening-1.csv": ["Ann", "Bob", "Cid", "Dot"],
    "49-evening-2.csv": ["Ann", "Bob", "Cid", "Dot"],
    "49-evening-3.csv": ["Cid", "Dot", "Bob"],
}
CLUBS = {
    "01-list.csv": ["North", "North", "South", "South"],
    "03-nom-prenom.csv": ["Ludo"] * 4,
    "04-title-and-total.ods": ["Club 0", "Club 1", "Club 2", "Club 3"],
    "05-excel-de-utf8.csv": ["SC 1", "SC 2", "SC 3", "SC 4"],
    "08-no-header.csv": ["North", "North", "South", "South"],
    "11-msdos-cp850.csv": ["Café"] * 4,
    "17-trailing-and-empty.csv": ["North", "", "South", "South"],
    "19-formulas.csv": ["=2+2", "-2", "@club", "x"],
}
BIRTHDAYS = {
    "04-plain.xls": [(7, 10), (7, 11), (7, 12), (7, 13)],
    "04-plain.xlsx": [(7, 10), (7, 11), (7, 12), (7, 13)],
    "05-excel-de-utf8.csv": [(7, 10), (7, 11), (7, 12), (7, 13)],
    "05-form-export.csv": [None] * 4,
    "06-days-with-slashes.csv": [(7, 30), (2, 14), (11, 5), (1, 31)],
}


def test_every_list_of_the_folder_has_an_expected_result():
    players = {path.name for path in LISTS.iterdir() if not path.name.startswith(("23-", "47-"))}
    assert players == set(BY_FILE)


@pytest.mark.parametrize("name", BY_FILE)
def test_the_names_are_read_correctly_the_first_time(name):
    listed = read(name)
    assert [row.name for row in listed.rows] == BY_FILE[name]
    assert listed.errors == listed.warnings == ()
    assert listed.questions == ((Question("columns"),) if name == "08-no-header.csv" else ())


@pytest.mark.parametrize("name", CLUBS)
def test_the_clubs_are_read_correctly(name):
    assert [row.club for row in read(name).rows] == CLUBS[name]


@pytest.mark.parametrize("name", BIRTHDAYS)
def test_the_birthdays_are_read_correctly(name):
    assert [row.birthday for row in read(name).rows] == BIRTHDAYS[name]


@pytest.mark.parametrize(
    ("name", "addresses"),
    [
        ("03-first-last.csv", ["ana.r@example.org", "ana.l@example.org", "ben.o@example.org", "ben.s@example.org"]),
        ("05-form-export.csv", ["ana@example.org", "ben@example.org", "cleo@example.org", "dan@example.org"]),
    ],
)
def test_the_addresses_are_read_correctly(name, addresses):
    assert [row.email for row in read(name).rows] == addresses


def test_title_and_total_are_left_out_and_named():
    assert "2 lines left out: Spring cup; Total: 4" in [str(note) for note in read("04-title-and-total.xlsx").notes]


def test_without_anyone_to_ask_a_column_without_a_heading_is_left_out():
    assert {row.club for row in read("08-no-header.csv", choices=Choices(certain_only=True)).rows} == {""}


@pytest.mark.parametrize("name", ["23-teams-wide.csv", "23-teams-wide-pasted.txt"])
def test_a_table_with_a_column_for_each_player_is_three_teams_of_two(name):
    listed = team_roster.parse(read_file((LISTS / name).read_bytes()).text)
    assert {row.name: [member.name for member in row.members] for row in listed.rows} == {
        "Foxes": ["Ana", "Ben"],
        "Owls": ["Cleo", "Dan"],
        "Bears": ["Eli", "Fay"],
    }


# --- spreadsheets that mean harm


def workbook(*cells):
    """An .xlsx with these {cell: text}."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for place, text in cells:
            sheet.write(place, text)
    return file.getvalue()


def archive(**files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name.replace("__", "/").replace("_", "."), content)
    return file.getvalue()


@pytest.mark.parametrize("place", ["XFD1048576", "ZZ1048576", "A1048576"])
def test_one_far_away_cell_is_refused_and_takes_no_memory_of_the_server(place):
    data = workbook(("A1", "name"), ("A2", "Ana"), (place, "x"))
    assert len(data) < 10_000
    with pytest.raises(FileError, match="is too large"):
        read_file(data)


def test_an_archive_that_unpacks_to_gigabytes_is_refused_before_it_is_read():
    with pytest.raises(FileError, match="too large"):
        read_file(archive(xl__workbook_xml="<workbook/>", xl__big_xml=b"\0" * 70_000_000))


def test_another_archive_is_no_list():
    with pytest.raises(FileError, match="can’t be read"):
        read_file(archive(word__document_xml="<document/>"))


@pytest.mark.parametrize("data", [b"PK\x03\x04 and so on", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600])
def test_a_damaged_spreadsheet_is_named_as_such(data):
    with pytest.raises(FileError, match="is damaged"):
        read_file(data)


def test_external_entities_are_not_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hunter2")
    good = io.BytesIO(workbook(("A1", "name"), ("A2", "Ana")))
    evil = io.BytesIO()
    with zipfile.ZipFile(good) as book, zipfile.ZipFile(evil, "w") as packed:
        for item in book.infolist():
            content = book.read(item)
            if item.filename == "xl/sharedStrings.xml":
                entity = f'<!DOCTYPE sst [<!ENTITY x SYSTEM "file://{secret}">]>'.encode()
                content = content.replace(b"?>", b"?>" + entity, 1).replace(b"Ana", b"&x;")
            packed.writestr(item, content)
    try:
        text = read_file(evil.getvalue()).text
    except FileError:
        return
    assert "hunter2" not in text


def test_a_list_of_a_hundred_thousand_columns_is_one_error():
    listed = parse("name," + ",".join(f"c{number}" for number in range(100_000)) + "\nAna\n")
    assert [str(error.sentence) for error in listed.errors] == ["A list has at most 200 columns."]


def test_numbers_days_and_line_breaks_in_cells_are_read_as_a_person_sees_them():
    data = workbook(("A1", "name"), ("B1", "club"), ("A2", "Ana\nLucía"), ("B2", 7))
    assert [(row.name, row.club) for row in parse(read_file(data).text).rows] == [("Ana Lucía", "7")]


def test_mutated_spreadsheets_are_read_or_refused_and_never_crash_the_server():
    """WILD_FUZZ sets how many: one for each hundred."""
    source, good = random.Random(11), (LISTS / "04-title-and-total.xlsx").read_bytes()
    for _ in range(FUZZED):
        data = bytearray(good)
        for _change in range(source.randint(1, 8)):
            data[source.randrange(4, len(data))] = source.randrange(256)
        try:
            parse(read_file(bytes(data)).text)
        except FileError as error:
            assert str(error)
