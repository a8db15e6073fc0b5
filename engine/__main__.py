"""The engine by hand: `python3 -m engine simulate | replay | verify | show | bench`. Needs nothing but Python."""

import argparse
import contextlib
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from engine import COMPILED
from engine import cards as codes
from engine.game import Game
from engine.log import LoggedHand, Unreadable, as_event, lines, read
from engine.numbers import Numbers
from engine.refused import Refused
from engine.replay import Fault, in_words, replay, verify
from engine.result import result_of
from engine.rules import CHALLENGE, DEFAULT_TARGET, EDITIONS, MAX_PLAYERS, MIN_PLAYERS, OPTIONS, SCORINGS, Edition
from engine.simulation.bench import measure
from engine.simulation.bots import BOTS
from engine.simulation.simulate import Setting, Tally, games, hands
from engine.state import ANSWER, COLOR, DRAWN, OVER, Hand, Rules
from engine.view import view_for

PROGRESS_EVERY = 2.0  # seconds
LARGEST_TARGET = 10_000  # of a game, which is held in memory until it is over
ON, OFF = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


class Problem(Exception):
    """Something the person at the keyboard can put right: one sentence, exit code 2."""


class _Parser(argparse.ArgumentParser):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("type", int, _whole_number)

    def error(self, message: str) -> Any:
        if wrong_number := re.match(r"argument (\S+): (takes .+)", message):
            raise Problem(" ".join(wrong_number.groups()))
        raise Problem(f"{self.prog}: {message}; --help says what there is.")


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"takes a whole number, not “{text}”.") from None


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < (seconds := float(text)) <= 3600:
            return seconds
    raise argparse.ArgumentTypeError("takes a number above 0, up to 3600.")


def main(argv: Sequence[str] | None = None) -> int:
    try:
        if hasattr(sys.stdout, "reconfigure"):  # whatever the terminal's language is
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        arguments = _parser().parse_args(argv)
        code = int(arguments.run(arguments) or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except (Problem, Unreadable) as exc:
        _say(str(exc))
        return 2
    except OSError as exc:  # of standard output; files have their own sentences
        with contextlib.suppress(OSError):  # what is left to be written goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(exc, BrokenPipeError):  # the reader, `head` perhaps, has seen enough
            return 0
        _say(f"The standard output cannot be written: {exc.strerror}.")
        return 2
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python3 -m engine", description="Play, replay and referee hands of UNO-family card games.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

    command = commands.add_parser("simulate", help="let bots play hands or games, and write the log")
    command.add_argument("--edition", default="classic", help=", ".join(EDITIONS))
    command.add_argument("--players", type=int, default=4, metavar="N", help=f"{MIN_PLAYERS} to {MAX_PLAYERS}")
    command.add_argument("--hands", type=int, default=1, metavar="H", help="hands, or games with --game")
    command.add_argument("--seed", default="0", metavar="S", help="the same seed plays the same hands")
    command.add_argument("--teams", action="store_true", help="seats 0 and 2 against 1 and 3")
    command.add_argument("--scoring", help=f"{', '.join(SCORINGS)}; challenge implies --game")
    command.add_argument("--target", type=int, default=DEFAULT_TARGET, metavar="T", help="points that end a game")
    command.add_argument("--options", default="", metavar="K=V,…", help=", ".join(OPTIONS))
    command.add_argument(
        "--bots",
        default="random",
        help=f"{', '.join(BOTS)}; or several, by seat: sharp,random. Random ones play some hands roughly",
    )
    command.add_argument("--game", action="store_true", help="play games to the target instead of single hands")
    command.add_argument("--log", metavar="FILE", help="where to write the log; - for standard output")
    command.set_defaults(run=_simulate)

    command = commands.add_parser("replay", help="print a hand as it stood after a move, and what each seat saw")
    command.add_argument("file", help="a log; - for standard input")
    command.add_argument("--hand", type=int, metavar="K", help="which hand; without it the first")
    command.add_argument("--move", type=int, metavar="N", help="after which line; without it the last")
    command.set_defaults(run=_replay)

    command = commands.add_parser("verify", help="hold every line of a log against the rules")
    command.add_argument("file", help="a log; - for standard input")
    command.set_defaults(run=_verify)

    command = commands.add_parser("show", help="print the editions, or the cards and rules of one")
    command.add_argument("edition", nargs="?", help=", ".join(EDITIONS))
    command.set_defaults(run=_show)

    command = commands.add_parser("bench", help="how many hands a second of CPU time plays")
    command.add_argument("--seconds", type=_seconds, default=5.0, metavar="S")
    command.add_argument("--players", default="2,4", help="one or more numbers, with commas between them")
    command.add_argument("--bots", default="random", help=", ".join(BOTS))
    command.add_argument("--edition", default="classic", help=", ".join(EDITIONS))
    command.set_defaults(run=_bench)
    return parser


# simulate


def _simulate(arguments: argparse.Namespace) -> None:
    if not arguments.seed.isprintable():  # bytes that are no UTF-8 stand in the arguments as half characters
        raise Problem("--seed takes a text without control characters.")
    scoring = arguments.scoring or "winner-takes"
    count = _from_one("--hands", arguments.hands)
    target = _from_one("--target", arguments.target, LARGEST_TARGET)
    try:
        rules = Rules(
            _edition(arguments.edition), scoring=scoring, teams=arguments.teams, options=_options(arguments.options)
        )
        setting = Setting(
            rules, arguments.players, tuple(bot.strip() for bot in arguments.bots.split(",")), arguments.seed
        )
    except ValueError as exc:
        raise Problem(str(exc)) from None
    whole_games = arguments.game or scoring == CHALLENGE
    tally, finished, told_at = Tally(), 0, time.monotonic()
    with _output(arguments.log) as out:
        for game, played in _batches(setting, count, target, whole_games):
            if game is not None:
                tally.add_game(game)
            for hand in played:
                tally.add(hand)
                if out is not None:
                    out.writelines(line + "\n" for line in lines(hand.log, tally.hands))
            finished += 1
            if time.monotonic() - told_at > PROGRESS_EVERY:
                told_at = time.monotonic()
                _say(f"{finished} of {count} {'games' if whole_games else 'hands'}")
    _say(_summary(tally))


def _batches(
    setting: Setting, count: int, target: int, whole_games: bool
) -> Iterator[tuple[Game | None, Sequence[Hand]]]:
    if whole_games:
        yield from games(setting, count, target)
    else:
        yield from ((None, [hand]) for hand in hands(setting, count))


def _summary(tally: Tally) -> str:
    played = f"{tally.games} games, {tally.hands} hands" if tally.games else f"{tally.hands} hands"
    won = ", ".join(f"{name} {count}" for name, count in sorted((tally.won_games or tally.won).items()))
    rare = ", ".join(f"{tally.kinds[kind]} {word}" for kind, word in _RARE.items())
    turns = f"{tally.turns / tally.hands:.1f} turns a hand"
    return f"{played}: {turns}; won by {won or 'nobody'}; {tally.blocked} blocked; {rare}."


_RARE = {
    "challenge": "challenges",
    "catch": "catches",
    "uno": "late calls",
    "penalty": "penalties",
    "reshuffle": "reshuffles",
}


@contextlib.contextmanager
def _output(name: str | None) -> Iterator[IO[str] | None]:
    if name is None:
        yield None
    elif name == "-":
        if sys.stdout is None:
            raise Problem("There is no standard output to write to.")
        yield sys.stdout
    else:
        try:
            with Path(name).open("w", encoding="utf-8", newline="\n") as out:
                yield out
        except OSError as exc:
            raise Problem(f"{name} cannot be written: {exc.strerror}.") from None


# replay and verify


def _verify(arguments: argparse.Namespace) -> int:
    numbers, told_at = Numbers(), time.monotonic()
    with _input(arguments.file) as text:
        for logged in read(text):
            try:
                verify(logged)
            except Fault as fault:
                print(f"FAULT {fault}")
                return 1
            numbers.add(logged.number)
            if time.monotonic() - told_at > PROGRESS_EVERY:
                told_at = time.monotonic()
                _say(f"{numbers.count} hands so far")
    print(f"OK {numbers.count} {'hand' if numbers.count == 1 else 'hands'}: {numbers}")
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    with _input(arguments.file) as text:
        logged = _find_hand(read(text), arguments.hand)
    try:
        verify(logged)
        events = [as_event(line) for line in logged.objects]
        move = len(events) - 1 if arguments.move is None else arguments.move
        if not 0 <= move < len(events):
            raise Problem(f"Hand {logged.number} has the moves 0 to {len(events) - 1}.")
        seed = bytes.fromhex(next(event for event in events if event[0] == "end")[4])
        hand = replay(events[: move + 1], seed)
    except Fault as fault:
        print(f"FAULT {fault}")
        return 1
    except (Refused, ValueError) as exc:
        raise Problem(str(exc)) from None
    print("\n".join(_describe(hand, logged.number, move, events)))
    return 0


def _find_hand(logged: Iterator[LoggedHand], number: int | None) -> LoggedHand:
    numbers = []
    for hand in logged:
        if number in (None, hand.number):
            return hand
        numbers.append(hand.number)
    raise Problem(f"There is no hand {number} in this file; it has {numbers[0]} to {numbers[-1]}.")


def _describe(hand: Hand, number: int, move: int, events: Sequence[tuple[Any, ...]]) -> Iterator[str]:
    public, edition = hand.public, hand.rules.edition
    yield f"Hand {number}, {edition.name}, after move {move} of {len(events) - 1}: {in_words(events[move])}"
    yield ""
    top = f"{edition.card_name(public.discard[-1])}" + (
        f", colour {codes.COLORS[public.color]}" if public.color else ""
    )
    way = "left" if public.direction == 1 else "right"
    yield f"On top: {top}. Draw pile: {public.pile}. Discard pile: {len(public.discard)}. Play goes {way}."
    yield _waits_for(hand)
    if public.uno:
        yield "Can be caught: " + ", ".join(public.names[seat] for seat in public.uno) + "."
    yield ""
    width = max(map(len, public.names))
    for seat, name in enumerate(public.names):
        dealt = " (dealt)" if seat == public.dealer else ""
        yield f"  {seat} {name:{width}} {len(hand.cards[seat]):3}  {' '.join(sorted(hand.cards[seat])) or '-'}{dealt}"
    yield ""
    for viewer in (*range(public.players), None):
        view = view_for(hand, viewer)
        name = "A spectator" if viewer is None else public.names[viewer]
        last = json.dumps(view["events"][-1], ensure_ascii=False)
        own = "" if viewer is None else f"holds {' '.join(sorted(view['cards'])) or 'nothing'}; "
        can = f"can play {' '.join(view['playable']) or 'nothing'}; " if view["turn"] == viewer is not None else ""
        yield f"{name} {own}{can}counts {' '.join(map(str, view['counts']))}; last seen {last}"


def _waits_for(hand: Hand) -> str:
    public = hand.public
    if public.step == OVER:
        result = result_of(hand)
        outcome = "The hand is blocked" if result.blocked else f"{result.winner_name} is out"
        return (
            f"{outcome}. Points left: {' '.join(map(str, result.points))}. Scores: {' '.join(map(str, result.scores))}."
        )
    name = public.names[public.turn]
    if public.step == ANSWER:
        return (
            f"{public.names[public.asker]} played {hand.rules.edition.card_name(public.aimed)}; {name} has to answer."
        )
    if public.step == COLOR:
        return f"{name} chooses the colour."
    return (
        f"{name} has drawn {hand.drawn} and plays it or keeps it." if public.step == DRAWN else f"It is {name}'s turn."
    )


@contextlib.contextmanager
def _input(name: str) -> Iterator[Iterator[str]]:
    if name == "-" and sys.stdin is None:
        raise Problem("There is no standard input to read.")
    try:
        with contextlib.ExitStack() as stack:
            raw = sys.stdin.buffer if name == "-" else stack.enter_context(Path(name).open("rb"))
            yield _decode(raw)
    except OSError as exc:
        raise Problem(f"{name} cannot be read: {exc.strerror}.") from None


def _decode(raw: IO[bytes]) -> Iterator[str]:
    for line, content in enumerate(raw, start=1):
        try:
            yield content.decode("utf-8")
        except UnicodeDecodeError:
            raise Unreadable(line, "this is not UTF-8 text.") from None


# show and bench


def _show(arguments: argparse.Namespace) -> None:
    if arguments.edition is None:
        for edition in EDITIONS.values():
            print(f"{edition.key:22} {len(edition.deck)} cards  {edition.name}")
        print(f"\nThe rules run {'compiled' if COMPILED else 'as Python'}.")
        return
    edition = _edition(arguments.edition)
    print(f"{edition.name} ({edition.key}), {len(edition.deck)} cards, {MIN_PLAYERS} to {MAX_PLAYERS} players\n")
    print("code  copies  points  card")
    for card in dict.fromkeys(edition.deck):
        print(f"{card:4}  {edition.deck.count(card):6}  {codes.points(card):6}  {edition.card_name(card)}")
    print("\nRules that differ between editions (docs/rules.md has all of them)")
    for line in _differences(edition):
        print(f"- {line}")


def _differences(edition: Edition) -> Iterator[str]:
    yield f"ACT-1: the draw card makes the next player draw {edition.draw_size}."
    if edition.hat_target is not None:
        target = "any other player" if edition.hat_target == "any" else "the next player"
        numbers = ", ".join(map(str, sorted(edition.gryffindor)))
        yield f"HAT: the Sorting Hat is for {target}, who draws until a {numbers} comes."
    if "WC" in edition.deck:
        yield "CRP: who draws a Creeper from the draw pile shows it and draws 3 more."
    if "WL" in edition.deck:
        yield "HOW: the Howler has another player's cards read out to the table."
    if edition.invisibility:
        yield "INV: a targeted player may cancel with Invisibility, so every targeted player must answer."
    closes = "begins, also by drawing (UNO-3)" if edition.uno_window == "turn-begins" else "is played or passed (UNO-5)"
    yield f"UNO: who forgot can be caught until the next turn {closes}."
    if edition.dealer_birthday is not None:
        month, day = edition.dealer_birthday
        yield f"DEAL-2: the player whose birthday is nearest to {day}/{month} deals first."


def _bench(arguments: argparse.Namespace) -> None:
    if arguments.bots not in BOTS:
        raise Problem(f"There is no bot “{arguments.bots}”; there are {', '.join(BOTS)}.")
    edition = _edition(arguments.edition)
    try:
        numbers = [int(part) for part in arguments.players.split(",")]
    except ValueError:
        raise Problem(f"--players takes numbers with commas between them, not “{arguments.players}”.") from None
    try:
        for players in numbers:
            Rules(edition).check_players(players)
    except ValueError as exc:
        raise Problem(str(exc)) from None
    for players in numbers:
        print(json.dumps(measure(arguments.seconds, players, arguments.bots, edition.key)), flush=True)


# Arguments


def _edition(key: str) -> Edition:
    if key not in EDITIONS:
        raise Problem(f"There is no edition “{key}”; there are {', '.join(EDITIONS)}.")
    return EDITIONS[key]


def _options(text: str) -> frozenset[str]:
    chosen = set()
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = part.partition("=")
        if value.lower() not in (*ON, *OFF, ""):
            raise Problem(f"The option {key} is true or false, not “{value}”.")
        if key not in OPTIONS:
            raise Problem(f"There is no option “{key}”; there are {', '.join(OPTIONS)}.")
        if value.lower() not in OFF:
            chosen.add(key)
    return frozenset(chosen)


def _from_one(name: str, value: int, most: int | None = None) -> int:
    if value < 1 or (most is not None and value > most):
        raise Problem(f"{name} takes a number from 1{'' if most is None else f' to {most}'}.")
    return value


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
