"""The referee itself, on short hands written down by hand. A hand that need not be won ends blocked: nobody plays on.

A script is tried with one seed after the other until the cards are the ones it needs.
"""

import ast
import hashlib
import json
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest

from tests.second.referee import referee, referee_hand
from tests.second.referee_cards import EDITIONS, Stream, deck_of, points, symbol
from tests.second.referee_lines import Fault, Unreadable

NAMES = ("Ana Lucía", "Benoît", "Chidi", "Đorđe")


class Unsuited(Exception):
    """These cards do not serve the script."""


class Log:
    """Writes the lines of a hand. It knows where the cards are and nothing of whose turn it is; seat 0 begins."""

    def __init__(self, number: int, edition: str, players: int, dealer: int, scoring: str, options: dict):
        seed = hashlib.sha512(str(number).encode()).digest() + bytes(8)
        self.stream = Stream(seed + b"\xab\xcd")
        self.deck = self.stream.shuffled(deck_of(EDITIONS[edition]))
        self.seed, self.players, self.events = seed.hex(), players, []
        self.scoring = scoring
        self.write(
            "start", log=2, edition=edition, players=list(NAMES[:players]), dealer=dealer, teams=False,
            options={"scoring": scoring, **options}, commitment=hashlib.sha256(seed).hexdigest(),
            promised=[hashlib.sha256(b"\xab\xcd").hexdigest()] + [None] * (players - 1),
            entropy=["abcd"] + [None] * (players - 1),
        )  # fmt: skip
        dealt = 7 * players
        self.held = [self.deck[(seat - dealer - 1) % players : dealt : players] for seat in range(players)]
        self.pile, self.under, self.top, self.color = self.deck[dealt:], [], "", ""
        for seat in range(players):
            self.write("deal", seat=seat, cards=list(self.held[seat]))

    def need(self, condition: object) -> None:
        if not condition:
            raise Unsuited

    def write(self, kind: str, **fields: object) -> None:
        self.events.append({"hand": 1, "n": len(self.events), "type": kind, **fields})

    def turn_up(self, *kinds: str) -> None:
        """Of these kinds; a number if none are named."""
        self.top = self.pile.pop(0)
        self.color = self.top[0]
        self.need(symbol(self.top) in (kinds or "0123456789"))
        self.write("turn_up", card=self.top)

    def fits(self, card: str) -> bool:
        return card[0] in ("W", self.color) or symbol(card) == symbol(self.top)

    def fitting(self, seat: int, *kinds: str) -> str:
        """A card of this seat that can be played now; a number if no kinds are named."""
        fits = [card for card in self.held[seat] if symbol(card) in (kinds or "0123456789") and self.fits(card)]
        self.need(fits)
        return fits[0]

    def play(self, seat: int, card: str, **fields: object) -> None:
        self.need(card in self.held[seat])
        self.held[seat].remove(card)
        self.under.append(self.top)
        self.top, self.color = card, fields.get("color", card[0])
        self.write("play", seat=seat, card=card, **fields)

    def draw(self, seat: int, number: int, reason: str) -> None:
        while number and (self.pile or self.under):
            if not self.pile:
                self.pile, self.under = self.stream.shuffled(self.under), []
                self.write("reshuffle", cards=list(self.pile))
            part = self.pile[:number]
            if "WC" in part and reason != "creeper":
                part = part[: part.index("WC") + 1]
            del self.pile[: len(part)]
            self.held[seat] += part
            self.write("draw", seat=seat, cards=part, reason=reason)
            if part[-1] == "WC" and reason != "creeper":
                self.write("show", seat=seat, to="all", cards=["WC"], reason="creeper")
                self.draw(seat, 3, "creeper")
            number -= len(part)

    def show(self, seat: int, to: int | str, reason: str) -> None:
        self.write("show", seat=seat, to=to, cards=sorted(self.held[seat]), reason=reason)

    def block(self, seat: int, step: int = 1) -> None:
        """From this seat on everybody draws, keeps the card, and passes when there is no more."""
        while self.pile or self.under:
            self.draw(seat, 1, "turn")
            self.write("pass", seat=seat)
            seat = (seat + step) % self.players
        for _ in range(self.players):
            self.write("pass", seat=seat)
            seat = (seat + step) % self.players
        self.end(None)

    def play_down(self, to: int, last: str = "", call: bool = True) -> None:
        """Seat 0 of two plays until it holds `to` cards, a `last` only as the last of them; seat 1 only draws."""
        while len(self.held[0]) > to:
            self.need(len(self.pile) > 2)
            plain = [card for card in self.held[0] if symbol(card) in (*"0123456789SRW", last) and self.fits(card)]
            card = next((card for card in plain if symbol(card) != last or len(self.held[0]) == 1), None)
            if card:
                chosen = {"color": self.held[0][-1][0]} if card == "W" else {}
                self.need(chosen.get("color") != "W")
                self.play(0, card, **chosen, **({"uno": True} if len(self.held[0]) == 2 and call else {}))
            else:
                self.draw(0, 1, "turn")
                self.write("pass", seat=0)
            if len(self.held[0]) > to and not (card and symbol(card) in "SR"):
                self.draw(1, 1, "turn")
                self.write("pass", seat=1)

    def end(self, winner: int | None) -> None:
        left = [sum(map(points, cards)) for cards in self.held]
        scores = left
        if self.scoring == "winner-takes":
            scores = [sum(left) if seat == winner else 0 for seat in range(self.players)]
        self.write("end", winner=winner, points=left, scores=scores, seed=self.seed, deck=self.deck)


def hand(
    script: Callable[[Log], None],
    edition: str = "classic",
    players: int = 3,
    dealer: int | None = None,
    scoring: str = "lowest-total",
    **options: bool,
) -> list[dict]:
    """The lines of the first hand whose cards suit the script, found legal by the referee."""
    for number in range(20_000):
        log = Log(number, edition, players, players - 1 if dealer is None else dealer, scoring, options)
        try:
            script(log)
        except Unsuited:
            continue
        referee_hand(log.events)
        return log.events
    raise AssertionError("no seed suits the script")


def fault(events: list[dict], kind: str, nth: int = 0, **fields: object) -> str:
    """The rule that is cited when the nth line of a kind has these fields."""
    events = deepcopy(events)
    [line for line in events if line["type"] == kind][nth].update(fields)
    return fault_of(events)


def fault_of(events: list[dict]) -> str:
    with pytest.raises(Fault) as caught:
        referee_hand(events)
    return caught.value.rule


def without(events: list[dict], kind: str, nth: int = 0) -> list[dict]:
    line = [line for line in events if line["type"] == kind][nth]
    return numbered([other for other in events if other is not line])


def numbered(events: list[dict]) -> list[dict]:
    return [{**line, "n": n} for n, line in enumerate(events)]


def plain(log: Log) -> None:
    log.turn_up()
    log.play_down(0)
    log.end(0)


def test_a_plain_hand_is_accepted_and_what_it_claims_is_checked() -> None:
    events = hand(plain, players=2, scoring="winner-takes")
    end = events[-1]
    assert end["scores"][0] > 0
    assert fault(events, "end", winner=1) == "OUT-1"
    assert fault(events, "end", points=[0, 1]) == "SCORE-1"
    assert fault(events, "end", scores=end["scores"][::-1]) == "SCORE-2"
    assert fault(events, "end", deck=end["deck"][::-1]) == "SHUFFLE"
    assert fault(events, "end", seed="00" * 72) == "SHUFFLE"
    assert fault(events, "start", entropy=["abce", None]) == "SHUFFLE"
    promised = hashlib.sha256(b"\xab\xce").hexdigest()
    assert fault(events, "start", entropy=["abce", None], promised=[promised, None]) == "DEAL-4"
    assert fault(events, "start", entropy=["abce", None], log=1) == "DEAL-4"
    assert fault(events, "start", promised=[None, None]) == "SHUFFLE"
    assert fault(events, "start", promised=[promised.upper(), None]) == "LOG"
    assert fault(events, "start", promised=None) == "LOG"
    assert fault(events, "start", dealer=0) == "DEAL-4"
    assert fault(events, "play", seat=1) == "OPEN-1"
    assert fault(events, "play", card="ZZ") == "PLAY-1"
    assert fault(events, "play", uno=True) == "UNO-1"
    assert fault(events, "play", drawn=True) == "PLAY-2"
    assert fault(events, "draw", reason="penalty") == "PLAY-2"
    assert fault_of(without(events, "pass")) == "PLAY-1"
    assert fault_of(numbered([*events, events[-1]])) == "LOG"


def test_a_card_that_does_not_match_is_refused() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        wrong = [card for card in log.held[0] if card[0] not in ("W", log.top[0]) and card[1] != log.top[1]]
        log.need(wrong)
        log.play(0, wrong[0])
        log.block(1)

    with pytest.raises(Fault, match="PLAY-1"):
        hand(script)


def test_scores_of_teams() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.events[0]["teams"] = True
        log.block(0)
        left = log.events[-1]["points"]
        log.events[-1]["scores"] = [left[0] + left[2], left[1] + left[3]] * 2

    events = hand(script, players=4)
    assert fault(events, "start", teams=False) == "SCORE-3"


def test_a_reverse_turns_play_round_and_with_two_players_skips() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play(0, log.fitting(0, "R"))
        log.block(log.players - 1 if log.players > 2 else 0, step=-1)

    assert fault(hand(script), "draw", seat=1) == "ACT-2"
    assert fault(hand(script, players=2), "draw", seat=1) == "TWO-1"


@pytest.mark.parametrize(
    ("card", "first", "step", "rule"), [("S", 1, 1, "OPEN-4"), ("R", 2, -1, "OPEN-3"), ("D", 1, 1, "OPEN-2")]
)
def test_an_action_card_turned_up(card: str, first: int, step: int, rule: str) -> None:
    def script(log: Log) -> None:
        log.turn_up(card)
        if card == "D":
            log.draw(0, 3, "draw-card")
        log.block(first, step)

    events = hand(script, "harry-potter-fr")
    assert fault(events, "draw", nth=int(card == "D"), seat=0) == rule


def test_a_wild_draw_four_turned_up_goes_back() -> None:
    def script(log: Log) -> None:
        log.turn_up("WD")
        log.events[-1]["returned"] = True
        log.pile = log.stream.shuffled([*log.pile, "WD"])
        log.write("reshuffle", cards=list(log.pile))
        log.turn_up("W")
        log.write("color", seat=0, color="B")
        log.block(0)

    events = hand(script)
    assert fault(events, "turn_up", returned=False) == "OPEN-6"
    assert fault(events, "color", seat=1) == "OPEN-5"
    assert fault_of(without(events, "reshuffle")) == "OPEN-6"


def draws_four(guilty: bool) -> Callable[[Log], None]:
    def script(log: Log) -> None:
        log.turn_up()
        log.need(guilty == any(card[0] == log.top[0] for card in log.held[0]))
        log.play(0, "WD", color="G")
        log.write("challenge", seat=1, guilty=guilty)
        log.show(0, to=1, reason="challenge")
        log.draw(*((0, 4, "bluff") if guilty else (1, 6, "challenge-lost")))
        log.block(1 if guilty else 2)

    return script


def test_a_challenge_of_an_innocent_player() -> None:
    events = hand(draws_four(guilty=False))
    draw = next(line for line in events if line["type"] == "draw")
    assert fault(events, "challenge", guilty=True) == "WD4-2"
    assert fault(events, "show", to="all") == "WD4-3"
    assert fault_of(without(events, "show")) == "WD4-3"
    draw["cards"] = draw["cards"][:4]
    with pytest.raises(Fault, match=r"^hand 1 n 8 WD4-5: the challenger drew 4 cards instead of 6$"):
        referee_hand(events)


def test_a_challenge_of_a_guilty_player() -> None:
    events = hand(draws_four(guilty=True))
    assert fault(events, "challenge", guilty=False) == "WD4-2"
    assert fault(events, "draw", seat=1) == "WD4-4"
    assert fault(events, "draw", nth=1, seat=2) == "WD4-4"
    assert fault(events, "start", options={"scoring": "lowest-total", "no_bluff": True}) == "no_bluff"


def test_a_wild_draw_four_accepted() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play(0, "WD", color="G")
        log.write("accept", seat=1)
        log.draw(1, 4, "wild-draw-four")
        log.block(2)

    events = hand(script)
    assert fault(events, "accept", seat=2) == "WD4-1"
    assert fault_of(without(events, "accept")) == "WD4-1"


def test_stacked_draw_cards_add_up() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play(0, log.fitting(0, "D"))
        log.play(1, log.fitting(1, "D"))
        log.draw(2, 4, "draw-card")
        log.block(0)

    events = hand(script, stacking=True)
    assert fault(events, "start", options={"scoring": "lowest-total"}) == "ACT-1"


def test_a_hat_draws_until_a_gryffindor_card() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play(0, "WH", color="Y", target=1)
        found = next(at for at, card in enumerate(log.pile, 1) if symbol(card) in "1234")
        log.need(found > 1)
        log.draw(1, found, "sorting-hat")
        log.block(1)

    for edition, rule in (("harry-potter-2018", "HAT-1"), ("harry-potter-unorules", "HAT-2")):
        events = hand(script, edition)
        assert fault(events, "play", target=0) == rule
        assert fault(events, "play", color=None) == "PLAY-4"
        assert fault(events, "draw", cards=["W"]) == rule
        assert fault(events, "play", target=2) == rule


def test_a_creeper_inside_a_draw() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play(0, log.fitting(0, "D"))
        log.need(log.pile[0] == "WC")
        log.draw(1, 2, "draw-card")
        log.block(2)

    events = hand(script, "minecraft-2017")
    assert [line["type"] for line in events[6:10]] == ["draw", "show", "draw", "draw"]
    assert fault_of(without(events, "show")) == "CRP-1"
    assert fault(events, "draw", nth=1, reason="draw-card") == "CRP-1"


def test_a_howler_is_read_out_and_its_target_is_asked() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play(0, "WL", color="Y", target=2)
        log.write("accept", seat=2)
        log.show(2, to="all", reason="howler")
        log.block(1)

    events = hand(script, "harry-potter-fr")
    assert fault_of(without(events, "accept")) == "INV-4"
    assert fault(events, "show", cards=["B7"]) == "HOW-1"


@pytest.mark.parametrize("card", ["D", "S", "WD", "R"])
def test_invisibility_cancels_and_is_that_players_turn(card: str) -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play(0, log.fitting(0, card), **({"color": "R"} if card == "WD" else {}))
        log.play(1, "WI", color="Y", cancel=True)
        log.block(2 % log.players)

    events = hand(script, "harry-potter-fr", players=2 if card == "R" else 3)
    assert fault(events, "draw", seat=1) == "INV-2"
    assert fault(events, "play", nth=1, cancel=False) in ("INV-4", "ACT-1", "WD4-1")


def test_after_a_cancelled_howler_play_goes_on_after_its_player() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play(0, "WL", color="Y", target=2)
        log.play(2, "WI", color="B", cancel=True)
        log.block(1)

    assert fault(hand(script, "harry-potter-fr"), "draw", seat=0) == "HOW-1"


def one_card_left(log: Log) -> None:
    """Seat 0 of two is left with one card and has not called; seat 1 is next."""
    log.turn_up()
    log.play_down(1, call=False)
    log.need(symbol(log.top) not in "SR")


def caught(*, after: str) -> Callable[[Log], None]:
    """Caught before seat 1 begins, after its draw, or after its pass."""

    def script(log: Log) -> None:
        one_card_left(log)
        if after != "play":
            log.draw(1, 1, "turn")
        if after == "pass":
            log.write("pass", seat=1)
        log.write("catch", seat=0, by=1)
        log.draw(0, 2, "uno")
        if after == "play":
            log.draw(1, 1, "turn")
        if after != "pass":
            log.write("pass", seat=1)
        log.block(0)

    return script


def test_a_catch_just_in_time() -> None:
    events = hand(caught(after="play"), players=2)
    hand(caught(after="draw"), "harry-potter-unorules", players=2)  # UNO-5
    assert fault(events, "catch", by=0) == "UNO-2"
    assert fault(events, "catch", seat=1, by=0) == "UNO-2"
    assert fault_of(without(events, "catch")) == fault(events, "catch", type="uno")


@pytest.mark.parametrize(
    ("edition", "after"), [("classic", "draw"), ("classic", "pass"), ("harry-potter-unorules", "pass")]
)
def test_a_catch_just_too_late(edition: str, after: str) -> None:
    with pytest.raises(Fault, match="UNO-2: catch: the window of seat 0 is not open"):
        hand(caught(after=after), edition, players=2)


def test_who_has_called_is_not_caught() -> None:
    def script(log: Log) -> None:
        one_card_left(log)
        log.write("uno", seat=0)
        log.block(1)

    events = hand(script, players=2)
    call = next(at for at, line in enumerate(events) if line["type"] == "uno")
    catch = {**events[call], "type": "catch", "by": 1}
    assert fault_of(numbered([*events[: call + 1], catch, *events[call + 1 :]])) == "UNO-2"


def test_the_discard_pile_is_reshuffled_when_a_card_must_be_drawn() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play(0, log.fitting(0))
        log.play(1, log.fitting(1))
        log.block(2)

    events = hand(script)
    shuffled = next(line for line in events if line["type"] == "reshuffle")["cards"]
    assert len(shuffled) == 2
    assert fault(events, "reshuffle", cards=shuffled[::-1]) == "SHUFFLE"
    assert fault_of(without(events, "reshuffle")) == "PLAY-6"


def test_after_a_last_draw_card_the_next_player_draws() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.play_down(0, last="D")
        log.need(symbol(log.top) == "D")
        log.draw(1, 2, "draw-card")
        log.end(0)

    events = hand(script, players=2, scoring="winner-takes")
    assert events[-2]["type"] == "draw"
    assert fault_of(numbered([*events[:-2], events[-1]])) == "OUT-2"


def test_a_blocked_hand_has_no_winner() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.block(0)

    events = hand(script)
    assert fault(events, "end", winner=0) == "PLAY-7"
    assert fault_of(without(events, "pass", nth=-1)) == "OUT-1"
    assert fault(events, "start", options={"scoring": "winner-takes"}) == "SCORE-6"


def test_a_wrong_card_costs_two_and_the_turn() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        log.write("penalty", seat=0, reason="wrong-card")
        log.draw(0, 2, "penalty")
        log.write("penalty", seat=2, reason="suggestion")
        log.draw(2, 2, "penalty")
        log.block(1)

    events = hand(script, penalise_wrong_card=True)
    assert fault(events, "start", options={"scoring": "lowest-total"}) == "PEN-1"


def test_a_hand_taken_back_goes_on_from_there() -> None:
    def script(log: Log) -> None:
        log.turn_up()
        card = log.fitting(0)
        log.play(0, card)
        log.write("undo", to=len(log.events) - 2, reason="misread")
        log.held[0].append(card)
        log.top = log.under.pop()
        log.block(0)

    events = hand(script)
    assert fault(events, "undo", to=events[-1]["n"]) == "LOG"
    assert fault(events, "play", seat=1) == "OPEN-1"


def test_nobody_goes_back_in_a_hand_that_is_over() -> None:
    events = hand(plain, players=2)
    back = {"hand": events[0]["hand"], "type": "undo", "to": events[-2]["n"], "reason": "misread"}
    assert fault_of(numbered([*events, back, {**events[-1]}])) == "LOG"


def test_a_log_is_read_hand_by_hand() -> None:
    lines = [json.dumps(line) for line in hand(plain, players=2)]
    assert referee(lines + lines) == 2
    with pytest.raises(Unreadable, match="cut"):
        referee(lines + lines[:-1])
    with pytest.raises(Unreadable, match="line 3 is not JSON"):
        referee([*lines[:2], lines[2][:-1]])
    with pytest.raises(Unreadable, match="version 3"):
        referee([lines[0].replace('"log": 2', '"log": 3'), *lines[1:]])


@pytest.mark.parametrize("name", ["referee", "referee_cards", "referee_lines", "planted"])
def test_the_referee_shares_nothing_with_the_engine(name: str) -> None:
    tree = ast.parse((Path(__file__).parents[1] / "second" / f"{name}.py").read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    own = {"tests.second.referee_cards", "tests.second.referee_lines"}
    assert all(module in own or module.split(".")[0] in sys.stdlib_module_names for module in imported)
