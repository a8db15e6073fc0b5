"""Lists of teams: typed, or as a CSV file with the column `team`."""

import pytest

from league.entries.roster import parse as roster
from league.entries.roster import teams as team_roster


def teams(text):
    listed = team_roster.parse(text)
    assert listed.errors == ()
    return {row.name: [member.name for member in row.members] for row in listed.rows}


def faults(text):
    return [(error.line, error.message) for error in team_roster.parse(text).errors]


def test_a_typed_line_is_a_team_and_who_plays_for_it():
    assert teams("1. Blue Foxes: Ana Lucía, Benoît\n\n• Red Owls:Chidi;Đorđe , Émilie\n") == {
        "Blue Foxes": ["Ana Lucía", "Benoît"],
        "Red Owls": ["Chidi", "Đorđe", "Émilie"],
    }


def test_the_lines_of_a_team_may_be_apart_in_a_csv_file_and_the_first_is_the_captain():
    listed = team_roster.parse(
        "team,name,email,birthday,club\nBlue,Ana,ana@example.org,05-17,\nRed,Chidi,,,Café Ludo\n"
        "BLUE,Benoît,,,Café Ludo\nRed,Đorđe,,,\nblue,Farah,,,\n"
    )
    blue, red = listed.rows
    assert [member.name for member in blue.members] == ["Ana", "Benoît", "Farah"]
    assert (blue.name, blue.email, blue.club, blue.line) == ("Blue", "ana@example.org", "Café Ludo", 2)
    assert blue.members[0].birthday == (5, 17)
    assert (red.name, red.email, red.club) == ("Red", "", "Café Ludo")
    assert not listed.warnings


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("Blue: Ana", [(1, "“Blue” has one player, Ana. A team needs at least two.")]),
        ("Blue: " + ", ".join("ABCDEFGHIJK"), [(1, "“Blue” has 11 players. A team takes at most 10.")]),
        ("Blue: Ana, Ana", [(1, "“Ana” is in this team twice. Remove one of them.")]),
        (
            "Blue: Ana, Ben\nRed: Chidi, ANA",
            [
                (
                    2,
                    "“ANA” already plays for “Blue” on line 1. Remove one, or add an initial.",
                )
            ],
        ),
        ("Ana", [(1, "Write the team’s name, a colon and its players: “Blue Foxes: Ana, Ben”.")]),
        (": Ana, Ben", [(1, "Write the team’s name, a colon and its players: “Blue Foxes: Ana, Ben”.")]),
        ("team,name\n,Ana\nBlue,Ben\nBlue,Cleo\n", [(2, "The team is missing.")]),
        ("", [(1, "No teams found. Write one team per line, “Blue Foxes: Ana, Ben”, or choose a file with "
                  "columns “team” and “name”.")]),
        ("name,club\nAna,\n", [(1, "A list of teams needs the columns “team” and “name”. Each line is one player, the "
                                   "captain first.")]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line_and_nothing_is_taken_over(text, errors):
    assert faults(text) == errors
    assert team_roster.parse(text).rows == ()


def test_two_of_one_name_may_play_for_two_teams_if_their_addresses_differ():
    text = "team,name,email\nBlue,Ana,a@example.org\nBlue,Ben,\nRed,Ana,{}\nRed,Chidi,\n"
    assert len(teams(text.format("b@example.org"))) == 2
    assert [line for line, _message in faults(text.format("A@example.org"))] == [4]


def test_a_team_typed_on_two_lines_is_one_with_a_warning():
    listed = team_roster.parse("Blue: Ana, Ben\nRed: Chidi, Đorđe\nblue: Cara")
    assert [len(row.members) for row in listed.rows] == [3, 2]
    assert [warning.message for warning in listed.warnings] == ["“Blue” on lines 1, 3 is read as one team."]


def test_over_the_api_each_player_says_their_team():
    rows = [{"name": "Ana", "team": "Blue"}, {"name": "Ben", "team": "Blue "}]
    assert [row.name for row in team_roster.from_rows(rows).rows] == ["Blue"]


def test_a_list_of_players_ignores_the_team_and_says_so_where_there_is_one():
    assert not roster.parse("name,club,email,birthday,team\nAna,,,,\n").warnings
    listed = roster.parse("name,team\nAna,Blue\n")
    assert [str(note) for note in listed.notes] == ["Columns not used: team."]
    assert [row.team for row in listed.rows] == [""]


@pytest.mark.parametrize(
    "text", ["Team;Player 1;Player 2\nBlue;Ana;Ben\nRed;Cleo;Dan", "Blue,Ana,Ben\nRed,Cleo,Dan",
             "Mannschaft\tSpieler 1\tSpieler 2\tErsatz\nBlue\tAna\tBen\t\nRed\tCleo\tDan\t"],
)  # fmt: skip
def test_a_table_with_a_column_for_each_player_is_one_of_teams(text):
    assert teams(text) == {"Blue": ["Ana", "Ben"], "Red": ["Cleo", "Dan"]}
