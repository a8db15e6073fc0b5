"""`python3 -m engine` with plain Python, no environment: what it prints, and one sentence for whatever is wrong."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.rules import EDITIONS, OPTIONS

ROOT = Path(__file__).parents[2]


def process(*arguments: str, given: bytes | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """In a process of its own, without site packages (-S): the standard library has to do."""
    command = [sys.executable, "-S", "-m", "engine", *arguments]
    environment |= {"PATH": os.environ.get("PATH", "")}
    return subprocess.run(command, cwd=ROOT, input=given, capture_output=True, env=environment, timeout=60)


def run(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The same in this process, which is faster."""
    streams = [io.TextIOWrapper(io.BytesIO(of), encoding="utf-8") for of in (given, b"", b"")]
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        code = main([str(argument) for argument in arguments])
        for stream in streams[1:]:
            stream.flush()
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    out, err = (stream.detach().getvalue() for stream in streams[1:])
    return subprocess.CompletedProcess(arguments, code, out, err)


def sentence(*arguments: str | Path, given: bytes = b"") -> str:
    """The one sentence, with exit code 2, that these arguments are answered with."""
    done = run(*arguments, given=given)
    assert done.returncode == 2, done
    assert done.stdout == b""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def simulated(*arguments: str) -> list[dict]:
    done = run("simulate", *arguments, "--log", "-")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def text_of(lines: list[dict]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.fixture(scope="module")
def log() -> list[dict]:
    return simulated("--hands", "3", "--seed", "command line", "--players", "3")


@pytest.fixture
def file(log: list[dict], tmp_path: Path) -> Path:
    path = tmp_path / "hands.jsonl"
    path.write_bytes(text_of(log))
    return path


# What it does


@pytest.mark.parametrize("edition", EDITIONS)
def test_simulated_hands_are_verified(edition: str) -> None:
    options = ",".join(f"{option}=true" for option in OPTIONS)
    played = process("simulate", "--edition", edition, "--hands", "4", "--options", options, "--log", "-")
    assert played.returncode == 0
    assert played.stderr.decode().startswith("4 hands: ")
    verified = process("verify", "-", given=played.stdout)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, b"OK 4 hands: 1 to 4\n", b"")


def test_a_single_hand_is_one_hand() -> None:
    played = run("simulate", "--log", "-")
    assert run("verify", "-", given=played.stdout).stdout == b"OK 1 hand: 1\n"


def test_a_log_goes_to_the_file_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "Zoë's hands.jsonl"
    done = run("simulate", "--hands", "2", "--teams", "--scoring", "lowest-total", "--log", path)
    assert (done.returncode, done.stdout) == (0, b"")
    assert run("verify", path).stdout == b"OK 2 hands: 1 to 2\n"
    assert b"\r" not in path.read_bytes()


def test_the_deal_passes_left_from_hand_to_hand() -> None:
    starts = [line for line in simulated("--hands", "5", "--players", "3") if line["type"] == "start"]
    assert [(start["hand"], start["dealer"]) for start in starts] == [(1, 0), (2, 1), (3, 2), (4, 0), (5, 1)]


def test_a_game_is_played_to_its_target() -> None:
    lines = simulated("--game", "--target", "150", "--players", "3")
    totals = [0, 0, 0]
    ends = [line for line in lines if line["type"] == "end"]
    for number, end in enumerate(ends, start=1):
        totals = [total + score for total, score in zip(totals, end["scores"], strict=True)]
        assert (max(totals) >= 150) == (number == len(ends))


def test_a_challenge_is_a_game_and_who_is_out_is_dealt_no_more_cards() -> None:
    lines = simulated("--scoring", "challenge", "--target", "300", "--players", "5", "--hands", "3")
    totals: dict[str, int] = {}
    out_of_it = 0
    for line in lines:
        if line["type"] == "start":
            assert line["options"]["scoring"] == "challenge"
            if totals and len(still_in := [name for name, total in totals.items() if total < 300]) < 2:
                totals = {}  # the next game
            if totals:
                assert line["players"] == still_in
            names = line["players"]
            out_of_it += len(names) < 5
        elif line["type"] == "end":
            for name, score in zip(names, line["scores"], strict=True):
                totals[name] = totals.get(name, 0) + score
    assert out_of_it > 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["--hands", "6", "--players", "10", "--edition", "harry-potter-2018", "--bots", "sharp,random,careful"],
        ["--hands", "4", "--edition", "harry-potter-fr", "--options", "stacking=1,penalise_wrong_card,no_bluff=yes"],
        ["--game", "--hands", "2", "--target", "200", "--edition", "minecraft-2017", "--bots", "careful"],
        ["--scoring", "challenge", "--target", "150", "--players", "6"],
        ["--teams", "--hands", "3", "--seed", "Đorđe"],
    ],
)
def test_equal_seeds_give_equal_bytes_in_any_process(arguments: list[str]) -> None:
    first, second = (process("simulate", *arguments, "--log", "-", PYTHONHASHSEED=number) for number in ("1", "2"))
    assert first.returncode == second.returncode == 0
    assert first.stdout == second.stdout != b""
    assert first.stderr == second.stderr
    other = run("simulate", *arguments, "--seed", "another", "--log", "-")
    assert other.stdout != first.stdout


def test_a_hand_is_the_same_however_many_are_played() -> None:
    one, three = simulated("--hands", "1"), simulated("--hands", "3")
    assert three[: len(one)] == one


def test_replay_prints_the_hand_at_a_move_and_what_each_seat_saw(file: Path, log: list[dict]) -> None:
    done = run("replay", file, "--hand", "2", "--move", "8")
    assert (done.returncode, done.stderr) == (0, b"")
    told = done.stdout.decode()
    moves = sum(line["hand"] == 2 for line in log)
    assert f"Hand 2, Classic, after move 8 of {moves - 1}" in told
    for seat in range(3):
        cards = next(line["cards"] for line in log if (line["hand"], line.get("seat")) == (2, seat))
        assert len(cards) == 7
    for name in ("Ana", "Benoît", "Chidi", "A spectator"):
        assert name in told


def test_replay_without_a_move_prints_the_end_of_the_first_hand(file: Path, log: list[dict]) -> None:
    end = next(line for line in log if line["type"] == "end")
    told = run("replay", file).stdout.decode()
    assert told.startswith("Hand 1, ")
    assert f"Points left: {' '.join(map(str, end['points']))}." in told


def test_every_move_of_a_hand_can_be_replayed(file: Path, log: list[dict]) -> None:
    moves = sum(line["hand"] == 1 for line in log)
    for move in range(0, moves, max(1, moves // 8)):
        assert run("replay", file, "--move", str(move)).returncode == 0


def test_show_names_the_editions_and_the_cards_of_one() -> None:
    every = run("show").stdout.decode()
    assert all(key in every for key in EDITIONS)
    for key, edition in EDITIONS.items():
        shown = run("show", key).stdout.decode()
        rows = [line.split() for line in shown.splitlines()]
        copies = {row[0]: int(row[1]) for row in rows if len(row) > 3 and row[0] in edition.deck and row[1].isdigit()}
        assert copies == {card: edition.deck.count(card) for card in edition.deck}


def test_bench_prints_a_line_for_each_number_of_players() -> None:
    done = run("bench", "--seconds", "0.05", "--players", "2,5", "--bots", "random")
    assert (done.returncode, done.stderr) == (0, b"")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["players"] for line in lines] == [2, 5]
    for line in lines:
        assert set(line) == {"edition", "players", "bots", "hands_per_cpu_s", "actions_per_cpu_s", "turns_per_hand"}
        assert (line["edition"], line["bots"]) == ("classic", "random")
        assert min(line["hands_per_cpu_s"], line["actions_per_cpu_s"], line["turns_per_hand"]) > 0


# What it is asked in vain

HUGE = "9" * 40


@pytest.mark.parametrize(
    ("arguments", "said"),
    NO_SUCH := [
        (["simulate", "--edition", "uno"], "There is no edition “uno”; there are harry-potter-2018, "),
        (["show", "uno"], "There is no edition “uno”"),
        (["bench", "--edition", "uno"], "There is no edition “uno”"),
        (["simulate", "--players", "1"], "A hand has 2 to 10 players, not 1."),
        (["simulate", "--players", "11"], "A hand has 2 to 10 players, not 11."),
        (["simulate", "--players", "-4"], "A hand has 2 to 10 players, not -4."),
        (["simulate", "--players", HUGE], f"A hand has 2 to 10 players, not {HUGE}."),
        (["simulate", "--players", "9" * 5000], "--players takes a whole number, not “999"),
        (["simulate", "--players", "four"], "--players takes a whole number, not “four”."),
        (["simulate", "--players", "5", "--teams"], "Teams are 4 players, not 5."),
        (["simulate", "--hands", "0"], "--hands takes a number from 1."),
        (["simulate", "--hands", "-1"], "--hands takes a number from 1."),
        (["simulate", "--game", "--target", "0"], "--target takes a number from 1 to 10000."),
        (["simulate", "--game", "--target", "-500"], "--target takes a number from 1 to 10000."),
        (["simulate", "--game", "--target", HUGE], "--target takes a number from 1 to 10000."),
        (["simulate", "--options", "jump_in=true"], "There is no option “jump_in”; there are penalise_wrong_card, "),
        (["simulate", "--options", "stacking=perhaps"], "The option stacking is true or false, not “perhaps”."),
        (["simulate", "--options", "=true"], "There is no option “”"),
        (["simulate", "--scoring", "fair"], "There is no scoring “fair”; there are winner-takes, "),
        (["simulate", "--bots", "clever"], "There is no bot “clever”; there are random, "),
        (["simulate", "--bots", "random,"], "There is no bot “”"),
        (["bench", "--bots", "clever"], "There is no bot “clever”"),
        (["simulate", "--seed", b"\xff"], "--seed takes"),
        (["simulate", "--log", "."], ". cannot be written: Is a directory."),
        (["simulate", "--log", "no/such/folder"], "no/such/folder cannot be written: No such file or directory."),
        (["simulate", "--hands", HUGE, "--log", "/dev/full"], "/dev/full cannot be written: No space left on device."),
        (["simulate", "--hands", "2.5"], "--hands takes a whole number, not “2.5”."),
        (["simulate", "--jump-in"], "unrecognized arguments: --jump-in; --help says what there is."),
        (["bench", "--players", "1,4"], "A hand has 2 to 10 players, not 1."),
        (["bench", "--players", ""], "--players takes numbers with commas between them, not “”."),
        (["bench", "--players", "2;4"], "--players takes numbers with commas between them, not “2;4”."),
        (["bench", "--seconds", "0"], "--seconds takes a number above 0, up to 3600."),
        (["bench", "--seconds", "-1"], "--seconds takes a number above 0, up to 3600."),
        (["bench", "--seconds", "five"], "--seconds takes a number above 0, up to 3600."),
        (["bench", "--seconds", "nan"], "--seconds takes a number above 0, up to 3600."),
        (["bench", "--seconds", "1e999"], "--seconds takes a number above 0, up to 3600."),
        (["verify"], "file"),
        (["verify", "no-such-file"], "no-such-file cannot be read: No such file or directory."),
        (["verify", "."], ". cannot be read: Is a directory."),
        (["replay", "no-such-file"], "no-such-file cannot be read: No such file or directory."),
        (["play"], "'play'"),
        ([], "COMMAND"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_answered_with_a_sentence(arguments: list[str | bytes], said: str) -> None:
    assert said in sentence(*map(os.fsdecode, arguments))


@pytest.mark.slow
@pytest.mark.parametrize("at", range(0, len(NO_SUCH), 6))
def test_the_process_says_it_too(at: int) -> None:
    arguments, said = NO_SUCH[at]
    done = process(*map(os.fsdecode, arguments))
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert said in done.stderr.decode()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (["--hand", "4"], "There is no hand 4 in this file; it has 1 to 3."),
        (["--hand", "0"], "There is no hand 0 in this file"),
        (["--hand", "-1"], "There is no hand -1 in this file"),
        (["--hand", HUGE], f"There is no hand {HUGE} in this file"),
        (["--hand", "first"], "--hand takes a whole number, not “first”."),
        (["--move", "-1"], "Hand 1 has the moves 0 to "),
        (["--move", HUGE], "Hand 1 has the moves 0 to "),
        (["--move", "2.5"], "--move"),
    ],
)
def test_a_hand_or_move_that_is_not_there_is_answered_with_a_sentence(file: Path, wanted: list[str], said: str) -> None:
    assert said in sentence("replay", file, *wanted)


def cut_in_a_line(log: list[dict]) -> bytes:
    return text_of(log)[:-40]


def cut_between_lines(log: list[dict]) -> bytes:
    return text_of(log[:-1])


def cut_in_the_first_hand(log: list[dict]) -> bytes:
    return text_of([line for line in log if line["hand"] != 1 or line["n"] < 9])


def another_version(log: list[dict]) -> bytes:
    return text_of([log[0] | {"log": 3}, *log[1:]])


def no_version(log: list[dict]) -> bytes:
    return text_of([{name: value for name, value in log[0].items() if name != "log"}, *log[1:]])


def a_key_twice(log: list[dict]) -> bytes:
    return text_of(log).replace(b'"n": 2,', b'"n": 2, "n": 2,', 1)


def a_key_twice_inside(log: list[dict]) -> bytes:
    return text_of(log).replace(b'"scoring":', b'"scoring": "challenge", "scoring":', 1)


def another_edition(log: list[dict]) -> bytes:
    return text_of([log[0] | {"edition": "uno"}, *log[1:]])


def no_start(log: list[dict]) -> bytes:
    return text_of(log[1:])


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize(
    ("made", "said"),
    [
        (cut_in_a_line, "Line {last}: the line is cut."),
        (cut_between_lines, "Line {before}: the log is cut: hand 3 has no end."),
        (cut_in_the_first_hand, "Line 9: the log is cut: hand 1 has no end."),
        (another_version, "Line 1: this log is of version 3; versions 1 and 2 can be read."),
        (a_key_twice, "Line 3: “n” stands in this line twice."),
        (a_key_twice_inside, "Line 1: “scoring” stands in this line twice."),
        (no_version, "Line 1: this log is of version null; versions 1 and 2 can be read."),
        (another_edition, "Line 1: the edition \"uno\" is unknown; there are "),
        (no_start, "Line 1: hand 1 has no start."),
        (lambda log: b"", "Line 1: there is no hand in this file."),
        (lambda log: b"\n \n", "there is no hand in this file."),
        (lambda log: b"not json\n", "Line 1: this is not JSON."),
        (lambda log: b"[" * 100_000 + b"\n", "Line 1: this is not JSON."),
        (lambda log: b'{"hand": ' + b"9" * 10_000 + b"}\n", "Line 1: this is not JSON."),
        (lambda log: b"[1, 2]\n", "Line 1: this is no line of a hand's log"),
        (lambda log: b'{"hand": true, "n": 0, "type": "start"}\n', "Line 1: this is no line of a hand's log"),
        (lambda log: b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "Line 1: this is not UTF-8 text."),
        (lambda log: bytes(1000), "Line 1: "),
        (lambda log: "{}\n".encode("utf-16"), "Line 1: this is not UTF-8 text."),
    ],
)  # fmt: skip
def test_a_file_that_is_no_whole_log_is_answered_with_line_and_reason(
    log: list[dict], tmp_path: Path, command: str, made: Callable[[list[dict]], bytes], said: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(made(log))
    if command == "replay" and made in (cut_in_a_line, cut_between_lines):
        said_of = sentence(command, path, "--hand", "3")
    else:
        said_of = sentence(command, path)
    assert said.format(last=len(log), before=len(log) - 1) in said_of
    assert sentence("verify", "-", given=made(log)) == sentence("verify", path)


# An edited log


def edited(log: list[dict], kind: str, **changes: object) -> tuple[bytes, dict]:
    """The log with the last line of a kind in hand 2 changed."""
    at = max(at for at, line in enumerate(log) if (line["hand"], line["type"]) == (2, kind))
    return text_of([*log[:at], log[at] | changes, *log[at + 1 :]]), log[at]


@pytest.mark.parametrize(
    ("kind", "changes", "rule"),
    [
        ("end", {"points": [1, 2, 3]}, "SCORE-1"),
        ("end", {"winner": None}, "SCORE-1"),
        ("end", {"seed": "00" * 72}, "SHUFFLE"),
        ("end", {"seed": "00"}, "LOG"),
        ("end", {"seed": "secret"}, "SHUFFLE"),
        ("start", {"commitment": "00" * 32}, "SHUFFLE"),
        ("start", {"dealer": 7}, "LOG"),
        ("start", {"dealer": -1}, "LOG"),
        ("start", {"players": ["Ana"]}, "LOG"),
        ("start", {"players": "Ana"}, "LOG"),
        ("start", {"entropy": ["zz", None, None]}, "LOG"),
        ("start", {"entropy": []}, "LOG"),
        ("start", {"options": {"scoring": ["winner-takes"]}}, "LOG"),
        ("start", {"options": {"scoring": "winner-takes", "stacking": "yes"}}, "LOG"),
        ("start", {"teams": True}, "LOG"),
        ("play", {"card": "R99"}, "PLAY-1"),
        ("play", {"card": "\ud800"}, "PLAY-1"),
        ("play", {"card": 7}, "LOG"),
        ("play", {"seat": 99}, "PLAY-1"),
        ("play", {"seat": -1}, "PLAY-1"),
        ("play", {"n": 9999}, "LOG"),
        ("play", {"n": True}, "LOG"),
        ("start", {"n": 0.0}, "LOG"),
        ("start", {"dealer": 1.0}, "LOG"),
        ("start", {"promised": None}, "LOG"),
        ("start", {"promised": []}, "LOG"),
        ("start", {"promised": ["AB" * 32, None, None]}, "LOG"),
        ("start", {"options": {"scoring": "winner-takes", "jump_in": True}}, "LOG"),
        ("play", {"type": "swap"}, "LOG"),
        ("play", {"type": "undo", "to": 0, "reason": ""}, "LOG"),
        ("draw", {"reason": "luck"}, "LOG"),
        ("draw", {"cards": []}, "[A-Z]+-[0-9]"),
    ],
)  # fmt: skip
def test_an_edited_log_is_a_fault_that_names_hand_line_and_rule(
    log: list[dict], tmp_path: Path, kind: str, changes: dict, rule: str
) -> None:
    text, line = edited(log, kind, **changes)
    path = tmp_path / "edited.jsonl"
    path.write_bytes(text)
    done = run("verify", path)
    assert (done.returncode, done.stderr) == (1, b"")
    (told,) = done.stdout.decode().splitlines()
    assert re.fullmatch(rf"FAULT hand 2 n \d+ {rule}: .+", told)
    assert kind != "play" or f" n {line['n']} " in told
    assert run("replay", path, "--hand", "2").returncode == 1
    assert run("replay", path, "--hand", "1").returncode == 0


def test_a_log_that_goes_back_when_its_hand_is_over_is_a_fault(log: list[dict], tmp_path: Path) -> None:
    """Its seed is known then: whoever went back would know the cards to come."""
    at = max(at for at, line in enumerate(log) if line["type"] == "play")
    back = {"hand": 3, "type": "undo", "to": log[at - 1]["n"], "reason": "The wrong card"}
    first = log[-1]["n"] + 1
    more = [line | {"n": first + n} for n, line in enumerate([back, *log[at:]])]
    path = tmp_path / "again.jsonl"
    path.write_bytes(text_of([*log, *more]))
    done = run("verify", path)
    assert done.stdout.decode() == f"FAULT hand 3 n {first} OUT-1: This hand is over.\n"


def test_a_missing_line_is_a_fault(log: list[dict]) -> None:
    at = next(at for at, line in enumerate(log) if (line["hand"], line["type"]) == (3, "play"))
    done = run("verify", "-", given=text_of(log[:at] + log[at + 1 :]))
    assert done.returncode == 1
    assert done.stdout.decode().startswith(f"FAULT hand 3 n {log[at]['n']} LOG: ")


def test_fields_that_a_reader_does_not_know_are_ignored(log: list[dict]) -> None:
    given = text_of([line | {"at": "2026-11-21T18:00:00Z", "note": None} for line in log])
    assert run("verify", "-", given=given).stdout == b"OK 3 hands: 1 to 3\n"


def test_the_order_of_deals_and_of_shown_cards_means_nothing(log: list[dict]) -> None:
    deals = [at for at, line in enumerate(log) if line["type"] == "deal" and line["hand"] == 1]
    changed = list(log)
    for at, other in zip(deals, reversed(deals), strict=True):
        changed[at] = log[other] | {"n": log[at]["n"]}
    changed = [line | ({"cards": line["cards"][::-1]} if line["type"] == "show" else {}) for line in changed]
    assert run("verify", "-", given=text_of(changed)).stdout == b"OK 3 hands: 1 to 3\n"


# Standard input and output that are not what they should be


def raw(arguments: str, redirection: str) -> subprocess.CompletedProcess[bytes]:
    command = f'"{sys.executable}" -S -m engine {arguments} {redirection}'
    return subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, timeout=60)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["simulate --hands 300 --log -", "simulate --log -", "show", "show classic"])
def test_a_reader_that_has_seen_enough_is_no_error(arguments: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-S", "-m", "engine", *arguments.split()], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr and b"BrokenPipe" not in done.stderr


@pytest.mark.slow
def test_head_gets_its_line() -> None:
    done = raw("simulate --hands 200 --log -", "2>/dev/null | head -n 1")
    assert json.loads(done.stdout)["type"] == "start"
    assert done.stderr == b""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "redirection", "said"),
    [
        ("simulate --log -", "> /dev/full", "The standard output cannot be written: No space left on device."),
        ("show", "> /dev/full", "The standard output cannot be written: No space left on device."),
        ("verify -", "<&-", "There is no standard input to read."),
        ("simulate --log -", ">&-", "There is no standard output to write to."),
    ],
)
def test_a_closed_or_full_stream_is_answered_with_a_sentence(arguments: str, redirection: str, said: str) -> None:
    done = raw(arguments, redirection)
    assert done.returncode == 2
    assert done.stderr.decode() == said + "\n"


@pytest.mark.slow
def test_it_prints_in_utf8_whatever_the_language_of_the_terminal(log: list[dict]) -> None:
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    text, _ = edited(log, "start", players=["Zoë", "Đorđe", "Ana Lucía"], commitment="")
    for arguments, given in ((["simulate", "--log", "-"], None), (["verify", "-"], text)):
        command = [sys.executable, "-S", "-m", "engine", *arguments]
        done = subprocess.run(command, cwd=ROOT, input=given, capture_output=True, env=environment, timeout=60)
        assert b"Traceback" not in done.stderr
        assert done.stdout.decode()


@pytest.mark.slow
def test_the_engine_is_started_from_anywhere_with_nothing_but_python(tmp_path: Path) -> None:
    """Isolated (-I): no environment variables, no user packages, and not this folder's test dependencies."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from engine.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, "show"], cwd=tmp_path, capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
