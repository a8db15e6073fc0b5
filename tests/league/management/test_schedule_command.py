"""manage.py schedule, as an organiser types it."""

import csv
import io

import pytest
from django.core.management import CommandError, call_command

from league.formats import pairs


def run(*arguments):
    """Standard output and standard error of `manage.py schedule`."""
    out, err = io.StringIO(newline=""), io.StringIO()
    call_command("schedule", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def refusal(*arguments):
    """The refusal's sentence; also checks the exit code and that nothing was printed."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError) as error:
        call_command("schedule", *arguments, stdout=out, stderr=err)
    assert error.value.returncode == 2
    assert out.getvalue() == ""
    assert err.getvalue() == ""
    return str(error.value)


def test_csv_of_one_round_with_a_bye_is_exact_to_the_byte():
    out, _ = run("--format", "pairs", "--players", "5", "--rounds", "1", "--csv", "-")
    assert out == (
        "round,table,seat,player,partner\r\n1,1,0,2,5\r\n1,1,1,3,4\r\n1,1,2,5,2\r\n1,1,3,4,3\r\n1,bye,,1,\r\n"
    )


@pytest.mark.parametrize("players", [4, 8, 9, 10, 11, 16, 43])
def test_csv_has_every_player_once_a_round_with_symmetric_partners(players):
    out, _ = run("--format", "pairs", "--players", str(players), "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    rounds = {row["round"] for row in rows}
    assert rounds == {str(number) for number in range(1, pairs.full_rounds(players) + 1)}
    for number in rounds:
        here = [row for row in rows if row["round"] == number]
        assert sorted(int(row["player"]) for row in here) == list(range(1, players + 1))
        at = {row["player"]: (row["table"], row["seat"]) for row in here}
        for row in here:
            if row["table"] == "bye":
                assert (row["seat"], row["partner"]) == ("", "")
            else:
                assert at[row["partner"]] == (row["table"], str((int(row["seat"]) + 2) % 4))
        tables = {row["table"] for row in here} - {"bye"}
        assert tables == {str(table) for table in range(1, players // 4 + 1)}


def test_of_teams_both_seats_of_a_table_half_are_one_number():
    out, err = run("--format", "teams", "--players", "3", "--legs", "2", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    assert [row["player"] for row in rows[:5]] == [row["partner"] or row["player"] for row in rows[:5]]
    assert {(row["seat"], row["player"]) for row in rows[:4]} == {("0", "2"), ("1", "3"), ("2", "2"), ("3", "3")}
    assert err.startswith("3 teams, 6 rounds\n") and "Times met:          2-2" in err
    assert "Teams" in refusal("--format", "teams", "--players", "3", "--seed", "x", "--csv", "-")


def test_rounds_limits_the_schedule():
    out, err = run("--format", "pairs", "--players", "12", "--rounds", "3", "--csv", "-")
    assert out.count("\r\n") == 1 + 3 * 12
    assert err.startswith("12 players, 3 rounds\n")


def test_csv_to_a_file_prints_nothing_on_standard_output(tmp_path):
    path = tmp_path / "schedule.csv"
    out, err = run("--format", "pairs", "--players", "8", "--csv", str(path))
    printed, _ = run("--format", "pairs", "--players", "8", "--csv", "-")
    assert out == ""
    assert "Times partnered" in err
    assert path.read_bytes() == printed.encode()


def test_without_csv_a_table_to_read_is_printed():
    out, _ = run("--format", "pairs", "--players", "6", "--rounds", "1")
    assert out == (
        "Round  Table  Seat 0  Seat 1  Seat 2  Seat 3\n"
        "    1      1       1       6       2       4\n"
        "    1    bye       3       5\n"
    )


def test_the_report_says_what_the_schedule_is_worth():
    _, err = run("--format", "pairs", "--players", "8", "--csv", "-")
    assert err == (
        "8 players, 7 rounds\n"
        "Times partnered:    1-1\n"
        "Times opposed:      2-2\n"
        "Times in each seat: 1-2\n"
        "Byes:               0-0\n"
    )


@pytest.mark.parametrize("players", ["3", "0", "1000"])
def test_players_beyond_the_data_are_refused_in_one_sentence_that_says_what_is_possible(players):
    message = refusal("--format", "pairs", "--players", players, "--csv", "-")
    assert message.startswith("Individual pairs need 4 to 43")
    assert message.endswith(f" players, not {players}.")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("rounds", "sentence"),
    [
        ("0", "Rounds: choose 1 to 200, or leave it empty (all rounds of the schedule), not 0."),
        ("8", "Individual pairs with 8 players have 1 to 7 rounds, not 8."),
    ],
)
def test_rounds_beyond_the_design_are_refused(rounds, sentence):
    assert refusal("--format", "pairs", "--players", "8", "--rounds", rounds, "--csv", "-") == sentence


def test_an_unknown_format_is_refused():
    message = refusal("--format", "bracket", "--players", "8", "--csv", "-")
    assert (
        message == "There is no format bracket; the formats are pairs, teams, challenge, points, heats, knockout, "
        "team_knockout, swiss, team_swiss, round_robin."
    )


def test_the_first_round_of_a_challenge_has_everybody_once_at_balanced_tables_and_no_partners():
    arguments = ("--format", "challenge", "--players", "11", "--table-size", "4", "--seed", "x", "--csv", "-")
    out, err = run(*arguments)
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    assert sorted(int(row["player"]) for row in rows) == list(range(1, 12))
    assert [(row["round"], row["table"], row["seat"], row["partner"]) for row in rows] == [
        ("1", str(table), str(seat), "") for table, size in ((1, 4), (2, 4), (3, 3)) for seat in range(size)
    ]
    assert err == "11 players, 1 round: 2 tables of 4, 1 table of 3\n"
    assert run(*arguments)[0] == out
    assert run(*arguments[:7], "y", "--csv", "-")[0] != out


def test_a_challenge_is_printed_to_read_too_at_tables_of_four_without_a_size():
    out, _ = run("--format", "challenge", "--players", "8")
    assert out.startswith("Round  Table  Seat 0  Seat 1  Seat 2  Seat 3\n    1      1 ")
    assert out.count("\n") == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--players", "2"), "Challenge UNO needs 3 to 1000 players, not 2."),
        (("--players", "1001"), "Challenge UNO needs 3 to 1000 players, not 1001."),
        (("--players", "8", "--table-size", "11"), "Most players at a table: choose 3 to 10, not 11."),
        (
            ("--players", "8", "--rounds", "2"),
            "Challenge UNO has no setting “rounds”. Choose from: hands, target, table_size.",
        ),
    ],
)
def test_a_challenge_that_cannot_be_drawn_is_refused_with_what_is_possible(arguments, message):
    assert refusal("--format", "challenge", *arguments, "--csv", "-") == message


def test_cycles_print_the_whole_schedule_so_many_times():
    out, err = run("--format", "pairs", "--players", "4", "--cycles", "3", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    assert [row["round"] for row in rows[::4]] == [str(number) for number in range(1, 10)]
    assert err.startswith("4 players, 9 rounds\nTimes partnered:    3-3\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pairs", "--cycles", "0"), "How often the schedule is played: choose 1 to 10, not 0."),
        (("pairs", "--cycles", "2", "--rounds", "2"), "Only a whole schedule can be repeated"),
        (("challenge", "--cycles", "2"), "Challenge UNO has no setting “cycles”."),
    ],
)
def test_cycles_that_cannot_be_are_refused(arguments, message):
    assert message in refusal("--players", "4", "--format", *arguments)


def test_pairs_have_no_size_and_no_seed():
    assert refusal("--format", "pairs", "--players", "8", "--table-size", "4") == (
        "Individual pairs has no setting “table_size”. Choose from: hands, rounds, cycles, bye_points."
    )
    message = refusal("--format", "pairs", "--players", "8", "--seed", "x")
    assert message == "Individual pairs: nothing is drawn by lot. Leave out --seed."


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    path = tmp_path / "missing" / "schedule.csv"
    message = refusal("--format", "pairs", "--players", "8", "--csv", str(path))
    assert message == f"The schedule cannot be written to {path}: No such file or directory."


def test_duels_of_an_odd_number_have_another_bye_each_round():
    out, told = run("--format", "swiss", "--players", "5", "--table-size", "2", "--seed", "s", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    byes = [row["player"] for row in rows if row["table"] == "bye"]
    assert len(byes) == len(set(byes)) == 5
    assert len(rows) == 5 * 5 and told.startswith("5 players, 5 rounds")


def test_of_a_round_robin_it_says_how_equally_everybody_meets_everybody():
    _, told = run("--format", "round_robin", "--players", "16", "--csv", "-")
    assert told.splitlines() == [
        "16 players, 5 rounds",
        "Times met:          1-1",
        "Deals first:        1-2",
        "Byes:               0-0",
        "All pairs of players meet exactly once.",
    ]
