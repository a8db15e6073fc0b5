"""A second referee for logs of hands. It was written from the rule book alone and shares nothing with the engine.

Read it beside the rule book, with `referee_cards` (decks and shuffle) and `referee_lines` (reading): `Hand` plays a log
through line by line, in the order of the rules, and every check names the rule that it stands on. Two names are added
to the rule ids: LOG is the form of the log, SHUFFLE what is said there of commitment, seed, stream and deck. A fault
against a house option carries the option's name.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable

from tests.second.referee_cards import COLORS, EDITIONS, Stream, deck_of, is_gryffindor, points, symbol
from tests.second.referee_lines import Cut, Fault, Line, Lines, Unreadable, as_bytes, is_whole

SCORINGS = ("winner-takes", "lowest-total", "challenge")
OPTIONS = ("penalise_wrong_card", "stacking", "draw_until_playable", "no_bluff", "must_play")
SENT_BACK = ("WD", "WL", "WI")  # OPEN-6


def referee(lines: Iterable[str]) -> int:
    """Referee the JSON lines of any number of hands, one after the other; the number of hands accepted."""
    accepted, hand = 0, []
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
        except ValueError:
            raise Unreadable(f"line {number} is not JSON") from None
        if not isinstance(line, dict) or not is_whole(line.get("hand")) or not is_whole(line.get("n")):
            raise Unreadable(f"line {number} is not a line of a hand")
        if hand and (line["hand"] != hand[0]["hand"] or (line.get("type"), hand[-1].get("type")) == ("start", "end")):
            referee_hand(hand)
            accepted, hand = accepted + 1, []
        hand.append(line)
    if hand:
        referee_hand(hand)
        accepted += 1
    return accepted


def referee_hand(events: list[Line]) -> None:
    """Referee one hand: raise Fault on the first line that the rules do not allow, Unreadable if the hand is cut."""
    if not events:
        raise Unreadable("there is no hand")
    live: list[Line] = []
    undone: list[list[Line]] = []
    for n, line in enumerate(events):
        if line.get("hand") != events[0].get("hand") or line.get("n") != n:
            raise Fault(events[0]["hand"], n, "LOG", "the lines of a hand carry one number and count from 0")
        if line.get("type") == "undo":
            to = line.get("to")
            over = any(kept.get("type") == "end" for kept in live)
            if over or not any(kept["n"] == to for kept in live) or not isinstance(line.get("reason"), str):
                raise Fault(line["hand"], n, "LOG", f"the hand cannot be taken back to {to}")
            undone.append(live)
            live = [kept for kept in live if kept["n"] <= to]
        else:
            live.append(line)
    end = next((line for line in live if line.get("type") == "end"), None)
    if end is None:
        raise Unreadable(f"hand {events[0]['hand']} is cut: it has no end")
    for lines in undone:  # void now, but legal when it happened
        Hand(lines, end).run()
    Hand(live, end).run()


class Hand(Lines):
    """One hand, played through by its log. `end` is the line that tells the seed."""

    def __init__(self, lines: list[Line], end: Line):
        super().__init__(lines)
        self.end_line = end
        self.direction = 1
        self.windows: set[int] = set()  # UNO-2: the seats that may call and be caught
        self.passes = 0  # PLAY-7: in a row, with nothing to draw
        self.turns = 0  # PLAY-8: that have come up
        self.scarce = 0  # PLAY-8: turns in a row with so few cards that nobody holds
        self.winner: int | None = None

    def run(self) -> None:
        try:
            self.start()
            self.deal()
            self.open()
            while (why := self.why_over()) is None:
                self.turn()
            self.end(why)
        except Cut:  # only what a director took back stops before its end
            pass

    def why_over(self) -> str | None:
        """The rule by which the hand is over instead of a turn that comes up; None, and the turn counts."""
        if self.winner is not None:
            return "OUT-1"
        if self.passes == self.players:
            return "PLAY-7"
        if self.version > 1:
            self.scarce = self.scarce + 1 if len(self.pile) + len(self.discard) <= 5 else 0
            if self.scarce == 10 * self.players or self.turns == 500 * self.players:
                return "PLAY-8"
        self.turns += 1
        return None

    # Where play goes

    def after(self, seat: int) -> int:
        return (seat + self.direction) % self.players

    def go(self, seat: int, why: str) -> None:
        """It is this seat's turn, by this rule."""
        self.on_turn, self.why = seat % self.players, why

    # Setup

    def start(self) -> None:
        line = self.take("start", "LOG")
        self.version = line.get("log")
        if not is_whole(self.version) or self.version not in (1, 2):
            raise Unreadable(f"hand {line['hand']} is written in version {line.get('log')} of the log, not 1 or 2")
        edition, names = line.get("edition"), line.get("players")
        if not isinstance(edition, str) or edition not in EDITIONS:
            raise Unreadable(f"hand {line['hand']} is of an unknown edition, {edition}")
        if not isinstance(names, list) or not 2 <= len(names) <= 10:
            raise Unreadable(f"hand {line['hand']} is not for 2 to 10 players")
        self.edition, self.players, self.dealer = EDITIONS[edition], len(names), 0
        self.must(all(isinstance(name, str) for name in names), "LOG", "players is a list of names")
        self.dealer = self.seat("dealer")
        self.teams = self.flag("teams")
        self.must(not self.teams or self.players == 4, "TEAM-3", "teams are four players")
        options = line.get("options")
        self.must(isinstance(options, dict), "LOG", "options is an object")
        self.scoring = options.get("scoring")
        self.must(self.scoring in SCORINGS, "LOG", f"{self.scoring} is no scoring")
        self.must(all(isinstance(options.get(name, False), bool) for name in OPTIONS), "LOG", "an option is on or off")
        on = {name for name, value in options.items() if name != "scoring" and value is not False}
        self.must(on <= set(OPTIONS), "LOG", f"there is no option {', '.join(sorted(on - set(OPTIONS)))}")
        self.options = on
        self.commit(line)

    def commit(self, line: Line) -> None:
        """SHUFFLE: the seed is the one committed to, and key and first shuffle follow from it."""
        entropy = line.get("entropy")
        self.must(isinstance(entropy, list) and len(entropy) == self.players, "LOG", "entropy is a list by seat")
        given = [as_bytes(text) for text in entropy if text is not None]
        fits = all(part is not None and len(part) <= 32 for part in given)
        self.must(fits, "LOG", "entropy is up to 32 bytes or null")
        if self.version > 1:
            self.promises(line.get("promised"), entropy)
        commitment = as_bytes(line.get("commitment"))
        self.must(commitment is not None, "LOG", "the commitment is hexadecimal")
        self.line = self.end_line
        seed = as_bytes(self.end_line.get("seed"))
        self.must(seed is not None and len(seed) == 72, "SHUFFLE", "the seed is not 72 bytes")
        self.must(hashlib.sha256(seed).digest() == commitment, "SHUFFLE", "the seed is not the one committed to")
        self.stream = Stream(seed + b"".join(given))
        self.deck = self.stream.shuffled(deck_of(self.edition))

    def promises(self, promised: object, entropy: list[str | None]) -> None:
        """SHUFFLE: what a seat opened is what it had promised, and who promised nothing opened nothing."""
        self.must(isinstance(promised, list) and len(promised) == self.players, "LOG", "promised is a list by seat")
        for seat, (promise, opened) in enumerate(zip(promised, entropy, strict=True)):
            told = promise is None or (isinstance(promise, str) and re.fullmatch("[0-9a-f]{64}", promise))
            self.must(bool(told), "LOG", "what was promised is a SHA-256 in lower-case hexadecimal, or null")
            kept = opened is None or (promise and hashlib.sha256(as_bytes(opened)).hexdigest() == promise)
            self.must(bool(kept), "SHUFFLE", f"seat {seat} opened what it had not promised")

    def deal(self) -> None:
        """DEAL-4. The lines may stand in any order."""
        dealt = 7 * self.players
        self.pile, self.discard = self.deck[dealt:], []
        self.held = [self.deck[(seat - self.dealer - 1) % self.players : dealt : self.players] for seat in self.seats()]
        missing = set(self.seats())
        while missing:
            self.take("deal", "DEAL-4")
            seat = self.seat()
            self.must(seat in missing, "DEAL-4", f"seat {seat} was dealt cards twice")
            missing.remove(seat)
            self.must(self.cards() == self.held[seat], "DEAL-4", f"seat {seat} was dealt other cards than the deck's")

    def seats(self) -> range:
        return range(self.players)

    def open(self) -> None:
        card = self.turn_up()
        while card in SENT_BACK:
            self.reshuffle([*self.pile, card], "OPEN-6")
            card = self.turn_up()
        self.discard, self.color = [card], card[0]
        left = self.dealer + 1
        match symbol(card):
            case "D":  # INV-5: nobody is asked
                self.draws(left % self.players, self.edition.draw_card, "draw-card", "OPEN-2")
                self.go(left + 1, "OPEN-2")
            case "R":
                self.direction = -1
                self.go(self.dealer, "OPEN-3")
            case "S":
                self.go(left + 1, "OPEN-4")
            case "W" | "WH" | "WC":
                self.go(left, "OPEN-5")
                self.take("color", "OPEN-5")
                self.by(self.on_turn, "OPEN-5")
                self.color = self.chosen("OPEN-5")
            case _:
                self.go(left, "OPEN-1")

    def turn_up(self) -> str:
        line, card = self.take("turn_up", "DEAL-4"), self.pile.pop(0)
        self.must(line.get("card") == card, "DEAL-4", f"the top card of the draw pile is {card}")
        self.must(self.flag("returned") == (card in SENT_BACK), "OPEN-6", f"{card} and `returned` do not fit")
        return card

    def chosen(self, rule: str) -> str:
        color = self.line.get("color")
        self.must(isinstance(color, str) and color in tuple(COLORS), rule, "a wild card needs a colour")
        return color

    # A turn

    def turn(self) -> None:
        self.calls()
        self.must(not self.next_is("end"), "OUT-1", "nobody is out of cards and the hand is not blocked")
        seat, drawn = self.on_turn, None
        if self.next_is("draw", "reshuffle"):
            drawn = self.turn_draw(seat)
            self.calls()
        if self.next_is("play"):
            self.effect(seat, *self.play(seat, self.why, drawn=drawn))
        elif self.next_is("penalty"):
            self.wrong_card(seat, drawn)
        else:
            self.end_turn(seat, drawn)

    def turn_draw(self, seat: int) -> str:
        """PLAY-2: one card, or with `draw_until_playable` as many as it takes; the card that may be played."""
        if self.line["type"] == "draw":
            self.by(seat, self.why)
        self.must(self.left_to_draw(), "PLAY-7", "there is nothing to draw")
        self.obliged(seat, self.held[seat], "drew")
        if not self.edition.late_window:
            self.windows.clear()  # UNO-3
        if "draw_until_playable" in self.options:
            return self.draws(seat, None, "turn", "draw_until_playable", lambda card: self.playable(seat, card))[-1]
        return self.draws(seat, 1, "turn", "PLAY-2")[-1]

    def end_turn(self, seat: int, drawn: str | None) -> None:
        self.take("pass", self.why)
        self.by(seat, self.why)
        if drawn is None:
            self.must(not self.left_to_draw(), "PLAY-7", f"seat {seat} passed though there is a card to draw")
            self.obliged(seat, self.held[seat], "passed")
            self.passes += 1
        else:
            self.obliged(seat, [drawn], "kept the card drawn")
            self.passes = 0
        self.windows.clear()  # UNO-3, UNO-5
        self.go(self.after(seat), "PLAY-3")

    def obliged(self, seat: int, cards: list[str], did: str) -> None:
        """`must_play`: who can play must; never a Wild Draw Four that would be a bluff (WD4-2)."""
        free = "must_play" not in self.options or not any(
            self.playable(seat, card) and not (card == "WD" and self.holds_color(seat)) for card in cards
        )
        self.must(free, "must_play", f"a player who could play {did}")

    def wrong_card(self, seat: int, drawn: str | None) -> None:
        """PEN-1, in place of the play."""
        self.take("penalty", self.why)
        self.must(self.line.get("reason") == "wrong-card", "LOG", "a penalty is for a wrong card or a suggestion")
        self.must("penalise_wrong_card" in self.options, "PEN-1", "wrong cards are not penalised at this table")
        self.by(seat, self.why)
        held = self.held[seat]
        could = any(not self.playable(seat, card) for card in held) or (drawn is not None and len(held) > 1)
        self.must(could, "PEN-1", f"seat {seat} has no wrong card")
        self.windows.clear()  # UNO-3
        self.passes = 0
        self.draws(seat, 2, "penalty", "PEN-1")
        self.go(self.after(seat), "PEN-1")

    def calls(self) -> None:
        """What may stand before a turn, between the turn's draw and its play or pass, and before an answer."""
        while self.next_is("uno", "catch", "penalty"):
            if self.line["type"] == "penalty" and self.line.get("reason") != "suggestion":
                return
            self.at += 1
            seat = self.seat()
            if self.line["type"] == "penalty":
                self.draws(seat, 2, "penalty", "PEN-2")
                continue
            self.must(seat in self.windows, "UNO-2", f"{self.line['type']}: the window of seat {seat} is not open")
            self.windows.remove(seat)  # UNO-4
            if self.line["type"] == "catch":
                self.must(self.seat("by") != seat, "UNO-2", "nobody catches themselves")
                self.draws(seat, 2, "uno", "UNO-2")

    # Playing a card

    def playable(self, seat: int, card: str) -> bool:
        """PLAY-1, PLAY-4, PLAY-5. A Wild Draw Four can be a bluff (WD4-2) unless `no_bluff`."""
        if card[0] == "W":
            return not (card == "WD" and "no_bluff" in self.options and self.holds_color(seat))
        return card[0] == self.color or symbol(card) == symbol(self.discard[-1])

    def holds_color(self, seat: int) -> bool:
        """WD4-2: a card of the colour in play; no wild is."""
        return any(card[0] == self.color for card in self.held[seat])

    def play(
        self, seat: int, rule: str, *, drawn: str | None = None, cancel: bool = False, begins: bool = True
    ) -> tuple[str, bool, int | None]:
        """A card onto the discard pile; the card, whether it would be a guilty Wild Draw Four, its target."""
        line = self.take("play", rule)
        self.by(seat, rule)
        card, held = line.get("card"), self.held[seat]
        self.must(card in held, "PLAY-1", f"seat {seat} does not hold {card}")
        self.must(self.flag("cancel") == cancel, "INV-1", "`cancel` is for Invisibility against a card")
        self.must(not cancel or card == "WI", "INV-1", f"{card} cancels nothing")
        self.must(self.flag("drawn") == (drawn is not None), "PLAY-2", "`drawn` is for the card of the turn's draw")
        self.must(drawn in (None, card), "PLAY-2", f"after drawing only the card drawn may be played, {drawn}")
        refused = "no_bluff" if card == "WD" else "PLAY-1"
        self.must(self.playable(seat, card), refused, f"{card} cannot be played on {self.discard[-1]} {self.color}")
        guilty = self.holds_color(seat)
        held.remove(card)
        self.discard.append(card)
        self.color = self.color_of(card)
        target = self.target_of(seat, card)
        self.must(len(held) == 1 or not self.flag("uno"), "UNO-1", f"UNO with {len(held)} cards left")
        if begins:
            self.windows.clear()  # UNO-3, and before the effects of the card: UNO-5
        if len(held) == 1 and not self.flag("uno"):
            self.windows.add(seat)  # UNO-2
        if not held:
            self.winner = seat  # OUT-1
        self.passes = 0
        return card, guilty, target

    def color_of(self, card: str) -> str:
        if card[0] == "W":
            return self.chosen("PLAY-4")
        self.must(self.line.get("color") is None, "LOG", "a colour is chosen for a wild card only")
        return card[0]

    def target_of(self, seat: int, card: str) -> int | None:
        rule = {"WH": self.edition.hat_rule, "WL": "HOW-1"}.get(card)
        if rule is None or (not self.held[seat] and self.line.get("target") is None):
            self.must(self.line.get("target") is None, "LOG", f"{card} has no target")
            return None
        target = self.seat("target")
        self.must(target != seat, rule, "the target is another player")
        self.must(rule != "HAT-2" or target == self.after(seat), rule, "the target is the next player")
        return target

    # What a card does

    def effect(self, seat: int, card: str, guilty: bool, target: int | None, due: int = 0) -> None:
        """The effect of a card that was played; `due` cards are passed on to it (`stacking`)."""
        kind, following = symbol(card), self.after(seat)
        if kind in ("D", "WD"):
            self.draw_effect(seat, card, guilty, due)
        elif self.winner is not None:
            pass  # OUT-2: other effects do not happen
        elif kind == "R" and self.players > 2:
            self.direction = -self.direction
            self.go(self.after(seat), "ACT-2")
        elif kind in ("S", "R"):  # TWO-1
            if self.answer(following, card, "INV-4") == "cancel":
                self.cancel(following)
            else:
                self.go(self.after(following), "ACT-3" if kind == "S" else "TWO-1")
        elif kind == "WH":
            self.draws(target, None, "sorting-hat", self.edition.hat_rule, is_gryffindor)
            self.go(following, self.edition.hat_rule)
        elif kind == "WL":
            if self.answer(target, card, "INV-4") == "cancel":  # not that player's turn: INV-2
                self.play(target, "INV-1", cancel=True, begins=False)
            else:
                self.show(target, "all", self.held[target], "howler", "HOW-1")
            self.go(following, "HOW-1")
        else:
            self.go(following, "PLAY-1")

    def draw_effect(self, seat: int, card: str, guilty: bool, due: int) -> None:
        """ACT-1 and WD4-1 to WD4-6; `stacking`."""
        wild, victim = card == "WD", self.after(seat)
        due += 4 if wild else self.edition.draw_card
        reason, rule = ("wild-draw-four", "WD4-1") if wild else ("draw-card", "ACT-1")
        if self.winner is not None:
            self.draws(victim, due, reason, "OUT-2")
            return
        answer = self.answer(victim, card, rule)
        if answer == "cancel":
            self.cancel(victim)
        elif answer == "stack":
            self.effect(victim, *self.play(victim, "stacking"), due)
        elif answer == "challenge":
            self.challenge(victim, seat, guilty, due)
        else:
            self.draws(victim, due, reason, rule)
            self.go(self.after(victim), rule)

    def answer(self, seat: int, card: str, rule: str) -> str:
        """What the player does at whom a card is aimed: accept (said only if asked), challenge, cancel or stack."""
        wild = card == "WD"
        asked = wild or self.edition.asks  # WD4-3, INV-4
        stacking = "stacking" in self.options and symbol(card) in ("D", "WD")
        if not asked and not stacking:
            return "accept"
        self.calls()
        if self.next_is("play"):
            if self.edition.asks and self.flag("cancel"):
                return "cancel"
            if not asked and not self.left_to_draw() and self.line.get("seat") != seat:
                return "accept"  # nothing was left to draw, so no line says so
            self.by(seat, rule)
            answer = self.line.get("card")
            same = answer in self.held[seat] and symbol(answer) == symbol(card)
            self.must(stacking and same, rule, f"seat {seat} has to answer {card} first")
            return "stack"
        if wild and self.next_is("challenge"):
            return "challenge"
        if asked:
            self.take("accept", rule)
            self.by(seat, rule)
        return "accept"

    def cancel(self, seat: int) -> None:
        """INV-2: it is that player's turn; the next player goes on."""
        self.play(seat, "INV-1", cancel=True)
        self.go(self.after(seat), "INV-2")

    def challenge(self, challenger: int, seat: int, guilty: bool, due: int) -> None:
        self.take("challenge", "WD4-3")
        self.by(challenger, "WD4-3")
        self.must(self.flag("guilty") == guilty, "WD4-2", f"seat {seat} is {'guilty' if guilty else 'innocent'}")
        self.show(seat, challenger, self.held[seat], "challenge", "WD4-3")
        if guilty:
            self.draws(seat, due, "bluff", "WD4-4", who="the challenged player")
            self.go(challenger, "WD4-4")
        else:
            self.draws(challenger, due + 2, "challenge-lost", "WD4-5", who="the challenger")
            self.go(self.after(challenger), "WD4-5")

    def show(self, seat: int, to: int | str, cards: list[str], reason: str, rule: str) -> None:
        line = self.take("show", rule)
        self.by(seat, rule)
        self.must(line.get("reason") == reason, rule, f"the reason of this show is {reason}")
        self.must(line.get("to") == to, rule, f"these cards are shown to {to}")
        self.must(sorted(self.cards()) == sorted(cards), rule, f"seat {seat} does not hold the cards shown")

    # Drawing

    def left_to_draw(self) -> bool:
        return bool(self.pile) or len(self.discard) > 1

    def draws(
        self,
        seat: int,
        count: int | None,
        reason: str,
        rule: str,
        until: Callable[[str], bool] | None = None,
        who: str = "",
    ) -> list[str]:
        """A draw with all its parts: of `count` cards, or until one fits, or of what there is (PLAY-7, HAT-4)."""
        drawn: list[str] = []
        while len(drawn) != count and self.left_to_draw():
            if not self.pile:  # PLAY-6
                self.discard, under = self.discard[-1:], self.discard[:-1]
                self.reshuffle(under, "PLAY-6")
            part: list[str] = []
            found = creeper = False
            while self.pile and len(drawn) + len(part) != count and not found and not creeper:
                part.append(self.pile.pop(0))
                self.held[seat].append(part[-1])
                creeper = part[-1] == "WC" and reason != "creeper"  # CRP-1, CRP-2
                found = until is not None and until(part[-1])
            self.one_draw(seat, part, reason, rule, who or f"seat {seat}")
            drawn += part
            if creeper:  # before the rest of the draw
                self.show(seat, "all", ["WC"], "creeper", "CRP-1")
                self.draws(seat, 3, "creeper", "CRP-1")
            if found:
                break
        return drawn

    def one_draw(self, seat: int, part: list[str], reason: str, rule: str, who: str) -> None:
        line = self.take("draw", rule)
        self.by(seat, rule)
        self.must(line.get("reason") == reason, rule, f"the reason of this draw is {reason}")
        cards = self.cards()
        plural = "" if len(cards) == 1 else "s"
        self.must(len(cards) == len(part), rule, f"{who} drew {len(cards)} card{plural} instead of {len(part)}")
        self.must(cards == part, rule, f"{who} drew other cards than the next ones of the draw pile")

    def reshuffle(self, cards: list[str], rule: str) -> None:
        self.pile = self.stream.shuffled(cards)
        self.take("reshuffle", rule)
        self.must(self.cards() == self.pile, "SHUFFLE", "the new draw pile is not in the order of the stream")

    # The end

    def end(self, why: str) -> None:
        line = self.take("end", why)
        self.must("winner" in line and line["winner"] == self.winner, why, f"the winner is {self.winner}")
        left = [sum(points(card) for card in cards) for cards in self.held]
        self.must(line.get("points") == left, "SCORE-1", f"the points left are {left}")
        scores, rule = self.scores(left)
        self.must(line.get("scores") == scores, rule, f"the scores are {scores}")
        self.must(line.get("deck") == self.deck, "SHUFFLE", "the deck is not in the order of the stream")
        if self.at < len(self.lines):
            self.peek()
            self.fault("LOG", "nothing follows the end of a hand")

    def scores(self, left: list[int]) -> tuple[list[int], str]:
        """The hand's scores by seat, and the rule they follow from."""
        sides = [{seat, (seat + 2) % 4} if self.teams else {seat} for seat in self.seats()]
        if self.scoring != "winner-takes":  # SCORE-3, SCORE-4, SCORE-6
            return [sum(left[mate] for mate in side) for side in sides], "SCORE-3"
        if self.winner is None:
            return [0] * self.players, "SCORE-6"
        taken = sum(left[seat] for seat in self.seats() if seat not in sides[self.winner])
        return [taken if self.winner in side else 0 for side in sides], "TEAM-3" if self.teams else "SCORE-2"
