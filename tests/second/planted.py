"""One planted change in the log of a legal hand, always of a kind that must show to whoever knows the rules.

Why each must show is said where it is planted. What need not show is not planted: a call that nobody needed left out, a
wild's other colour where the next card fits both, the order of shown cards, who else did the catching.
"""

import hashlib
import random
from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise

Line = dict
Log = list[Line]

COLORS = "RYGB"
CODES = [color + rank for color in COLORS for rank in "0123456789SRD"] + ["W", "WD", "WH", "WC", "WL", "WI"]
REASONS = ["turn", "draw-card", "wild-draw-four", "bluff", "challenge-lost", "sorting-hat", "creeper", "uno", "penalty"]
DECKS = (("harry-potter-2018", "harry-potter-unorules"), ("minecraft-2017",), ("harry-potter-fr",), ("classic",))
SEATED = ("deal", "color", "play", "draw", "pass", "accept", "challenge", "show")
ORDERED = ("turn_up", "color", "play", "draw", "pass", "accept", "challenge", "show", "reshuffle")


def plant(events: Log, rng: random.Random) -> tuple[str, Log]:
    """The kind of the change, and a changed copy of a legal hand in which nothing was undone."""
    while True:
        kind = rng.choice(list(KINDS))
        changed = KINDS[kind](deepcopy(events), rng)
        if changed is not None:
            return kind, changed


def _one(events: Log, rng: random.Random, fits: Callable[[Line], object]) -> Line | None:
    """Any line that fits; first any of the types found, so that the rare ones are not forgotten."""
    found = [line for line in events if fits(line)]
    if not found:
        return None
    kind = rng.choice(sorted({line["type"] for line in found}))
    return rng.choice([line for line in found if line["type"] == kind])


def _numbered(events: Log) -> Log:
    for n, line in enumerate(events):
        line["n"] = n
    return events


def _other(rng: random.Random, values: list | str, value: object) -> object:
    return rng.choice([other for other in values if other != value])


def _set(name: str, fits: Callable[[Line], object], value: Callable[[Line, random.Random], object]) -> Callable:
    """A kind that gives one field of one fitting line another value."""

    def change(events: Log, rng: random.Random) -> Log | None:
        line = _one(events, rng, fits)
        if line is None:
            return None
        line[name] = value(line, rng)
        return events

    return change


def _is(*kinds: str) -> Callable[[Line], bool]:
    return lambda line: line["type"] in kinds


# Cards. The seed fixes every card that is dealt, drawn, turned up or reshuffled, and their order; shown cards are held.


def another_card(events: Log, rng: random.Random) -> Log | None:
    line = _one(events, rng, lambda line: line["type"] in ("deal", "draw", "show", "reshuffle", "turn_up", "end"))
    if line["type"] == "turn_up":
        line["card"] = _other(rng, CODES, line["card"])
    else:
        cards = line["deck" if line["type"] == "end" else "cards"]
        at = rng.randrange(len(cards))
        cards[at] = _other(rng, CODES, cards[at])
    return events


def two_cards_swapped(events: Log, rng: random.Random) -> Log | None:
    places = [line["cards"] for line in events if line["type"] in ("draw", "reshuffle")] + [events[-1]["deck"]]
    cards = rng.choice([cards for cards in places if len(set(cards)) > 1])
    one = rng.randrange(len(cards))
    two = rng.choice([at for at, card in enumerate(cards) if card != cards[one]])
    cards[one], cards[two] = cards[two], cards[one]
    return events


def two_deals_swapped(events: Log, rng: random.Random) -> Log | None:
    one, two = rng.sample([line for line in events if line["type"] == "deal"], 2)
    if sorted(one["cards"]) == sorted(two["cards"]):
        return None
    one["cards"], two["cards"] = two["cards"], one["cards"]
    return events


def a_card_not_held(events: Log, rng: random.Random) -> Log | None:
    play = _one(events, rng, _is("play"))
    if play is None:
        return None
    held: list[str] = []
    for line in events[: play["n"]]:
        if line.get("seat") == play["seat"]:
            if line["type"] in ("deal", "draw"):
                held += line["cards"]
            elif line["type"] == "play":
                held.remove(line["card"])
    play["card"] = rng.choice([card for card in CODES if card not in held])
    return events


def a_draw_of_another_size(events: Log, rng: random.Random) -> Log | None:
    draw = _one(events, rng, _is("draw"))
    if draw is None:
        return None
    if rng.random() < 0.5:
        draw["cards"].pop()
    else:
        draw["cards"].append(rng.choice(CODES))
    return events


# Seats. Whose line it is follows from the lines before; a penalty's seat shows in the draw after it, if there was one.


def another_seat(events: Log, rng: random.Random) -> Log | None:
    line = _one(
        events, rng, lambda line: line["type"] in SEATED or (line["type"] == "penalty" and _draws(events, line))
    )
    line["seat"] = _other(rng, list(range(_players(events))), line["seat"])
    return events


def another_target(events: Log, rng: random.Random) -> Log | None:
    """The target draws, is asked, or shows next; not after a last card, whose target does nothing."""
    held = _left(events)
    line = _one(events, rng, lambda line: line.get("target") is not None and held[line["n"]] > 0)
    if line is None:
        return None
    line["target"] = _other(rng, list(range(_players(events))), line["target"])
    return events


def caught_by_nobody_else(events: Log, rng: random.Random) -> Log | None:
    line = _one(events, rng, _is("catch"))
    if line is None:
        return None
    line["by"] = line["seat"]
    return events


# Flags and colours


def drawn_or_not(events: Log, rng: random.Random) -> Log | None:
    return _flipped(_one(events, rng, _is("play")), "drawn", events)


def cancel_or_not(events: Log, rng: random.Random) -> Log | None:
    return _flipped(_one(events, rng, _is("play")), "cancel", events)


def returned_or_not(events: Log, rng: random.Random) -> Log | None:
    return _flipped(_one(events, rng, _is("turn_up")), "returned", events)


def guilty_or_not(events: Log, rng: random.Random) -> Log | None:
    return _flipped(_one(events, rng, _is("challenge")), "guilty", events)


def _flipped(line: Line | None, flag: str, events: Log) -> Log | None:
    if line is None:
        return None
    line[flag] = not line.get(flag, False)
    return events


def called_with_more_cards(events: Log, rng: random.Random) -> Log | None:
    held = _left(events)
    return _flipped(_one(events, rng, lambda line: line["type"] == "play" and held[line["n"]] != 1), "uno", events)


def called_twice(events: Log, rng: random.Random) -> Log | None:
    """A play that called, although its player called or was caught after it."""
    for line in rng.sample(events, len(events)):
        if line["type"] in ("uno", "catch"):
            play = [other for other in events[: line["n"]] if other["type"] == "play" and other["seat"] == line["seat"]]
            play[-1]["uno"] = True
            return events
    return None


def another_color(events: Log, rng: random.Random) -> Log | None:
    """Only where the next card played is no wild: after a wild nothing counts but the colour."""
    played = [line for line in events if line["type"] in ("color", "play")]
    wilds = [one for one, two in pairwise(played) if one.get("color") and two["card"][0] != "W"]
    if not wilds:
        return None
    line = rng.choice(wilds)
    line["color"] = _other(rng, COLORS, line["color"])
    return events


# Start and end


def another_deck(events: Log, rng: random.Random) -> Log | None:
    edition = events[0]["edition"]
    events[0]["edition"] = rng.choice([name for deck in DECKS if edition not in deck for name in deck])
    return events


def another_seed(events: Log, rng: random.Random) -> Log | None:
    """With its commitment: all that is left to show it are the cards."""
    seed = rng.randbytes(72)
    events[-1]["seed"], events[0]["commitment"] = seed.hex(), hashlib.sha256(seed).hexdigest()
    return events


def another_entropy(events: Log, rng: random.Random) -> Log | None:
    seat = rng.randrange(_players(events))
    given = events[0]["entropy"]
    given[seat] = _digit(given[seat], rng) if given[seat] else "00"
    return events


def another_promise(events: Log, rng: random.Random) -> Log | None:
    """Of who opened what was promised: another hash, or none."""
    start = events[0]
    opened = [seat for seat, extra in enumerate(start["entropy"]) if extra is not None]
    if not opened:
        return None
    seat = rng.choice(opened)
    start["promised"][seat] = rng.choice((None, _digit(start["promised"][seat], rng)))
    return events


def _digit(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] + str(_other(rng, "0123456789abcdef", text[at].lower())) + text[at + 1 :]


def a_player_left_out(events: Log, rng: random.Random) -> Log | None:
    events[0]["players"].pop()
    return events


def another_scoring(events: Log, rng: random.Random) -> Log | None:
    options = events[0]["options"]
    options["scoring"] = "lowest-total" if options["scoring"] == "winner-takes" else "winner-takes"
    return events if _scores(events) != events[-1]["scores"] else None


def teams_or_not(events: Log, rng: random.Random) -> Log | None:
    events[0]["teams"] = not events[0].get("teams", False)
    return events if _players(events) != 4 or _scores(events) != events[-1]["scores"] else None


def _scores(events: Log) -> list[int]:
    start, end = events[0], events[-1]
    points, winner = end["points"], end["winner"]
    side = [seat % 2 if start.get("teams") else seat for seat in range(len(points))]
    if start["options"]["scoring"] != "winner-takes":
        return [sum(other for at, other in enumerate(points) if side[at] == mine) for mine in side]
    if winner is None:
        return [0] * len(points)
    won = sum(other for at, other in enumerate(points) if side[at] != side[winner])
    return [won if mine == side[winner] else 0 for mine in side]


def _result(name: str) -> Callable:
    def change(events: Log, rng: random.Random) -> Log | None:
        events[-1][name][rng.randrange(_players(events))] += rng.choice((-20, -1, 1, 50))
        return events

    return change


# Whole lines


def a_missing_line(events: Log, rng: random.Random) -> Log | None:
    """Numbered anew. Not a call, nor a catch or penalty that nobody drew for.

    A play that is left out shows at once, or in its player's cards when the hand ends: where the turn stays (a skip of
    two players) the card is worth points.
    """
    events.remove(_telling(events, rng))
    return _numbered(events)


def a_doubled_line(events: Log, rng: random.Random) -> Log | None:
    line = _telling(events, rng, "uno")
    at = events.index(line)
    return _numbered([*events[:at], deepcopy(line), *events[at:]])


def _telling(events: Log, rng: random.Random, *more: str) -> Line:
    kinds = ("start", "reshuffle", "turn_up", "end", *SEATED, *more)
    return _one(
        events,
        rng,
        lambda line: line["type"] in kinds or (line["type"] in ("catch", "penalty") and _draws(events, line)),
    )


def a_gap(events: Log, rng: random.Random) -> Log | None:
    """Any line but the last left out, and the numbers left as they were."""
    events.remove(_one(events[:-1], rng, lambda line: True))
    return events


def two_lines_swapped(events: Log, rng: random.Random) -> Log | None:
    """Neighbours, numbered anew; not two plays of the same player (with two players), which may fit both ways."""
    pairs = [
        at
        for at, (one, two) in enumerate(pairwise(events))
        if one["type"] in ORDERED and two["type"] in ORDERED
        if one["type"] != "play" or two["type"] != "play" or one["seat"] != two["seat"]
    ]
    if not pairs:
        return None
    at = rng.choice(pairs)
    events[at], events[at + 1] = events[at + 1], events[at]
    return _numbered(events)


def _players(events: Log) -> int:
    return len(events[0]["players"])


def _draws(events: Log, line: Line) -> bool:
    """Whether cards were drawn for this catch or penalty; otherwise there was nothing to draw."""
    return events[line["n"] + 1]["type"] in ("draw", "reshuffle")


def _left(events: Log) -> list[int]:
    """After each line, how many cards its player holds."""
    held = dict.fromkeys(range(_players(events)), 0)
    left = []
    for line in events:
        seat = line.get("seat", 0)
        held[seat] += {"deal": 7, "draw": len(line.get("cards", "")), "play": -1}.get(line["type"], 0)
        left.append(held[seat])
    return left


def _not_a_reason(line: Line, rng: random.Random) -> object:
    reasons = {"draw": REASONS, "show": ["challenge", "howler", "creeper"], "penalty": ["wrong-card", "suggestion"]}
    return _other(rng, reasons[line["type"]], line["reason"])


KINDS: dict[str, Callable[[Log, random.Random], Log | None]] = {
    "another card": another_card,
    "two cards swapped": two_cards_swapped,
    "two deals swapped": two_deals_swapped,
    "a card not held": a_card_not_held,
    "a draw of another size": a_draw_of_another_size,
    "another reason": _set("reason", _is("draw", "show", "penalty"), _not_a_reason),
    "another seat": another_seat,
    "another target": another_target,
    "shown to another": _set("to", _is("show"), lambda line, rng: 0 if line["to"] == "all" else "all"),
    "caught by nobody else": caught_by_nobody_else,
    "drawn or not": drawn_or_not,
    "cancel or not": cancel_or_not,
    "returned or not": returned_or_not,
    "guilty or not": guilty_or_not,
    "called with more cards": called_with_more_cards,
    "called twice": called_twice,
    "another color": another_color,
    "no color": _set("color", lambda line: line.get("color"), lambda line, rng: None),
    "a color for a card that has one": _set(
        "color", lambda line: line["type"] == "play" and not line.get("color"), lambda line, rng: rng.choice(COLORS)
    ),
    "another deck": another_deck,
    "another dealer": _set(
        "dealer", _is("start"), lambda line, rng: _other(rng, list(range(len(line["players"]))), line["dealer"])
    ),
    "another seed": another_seed,
    "a digit of the seed": _set("seed", _is("end"), lambda line, rng: _digit(line["seed"], rng)),
    "a digit of the commitment": _set("commitment", _is("start"), lambda line, rng: _digit(line["commitment"], rng)),
    "another entropy": another_entropy,
    "another promise": another_promise,
    "a player left out": a_player_left_out,
    "another scoring": another_scoring,
    "teams or not": teams_or_not,
    "other points": _result("points"),
    "other scores": _result("scores"),
    "another winner": _set(
        "winner", _is("end"), lambda line, rng: _other(rng, [None, *range(len(line["points"]))], line["winner"])
    ),
    "a missing line": a_missing_line,
    "a doubled line": a_doubled_line,
    "a gap": a_gap,
    "two lines swapped": two_lines_swapped,
    "another number": _set("n", lambda line: True, lambda line, rng: line["n"] + rng.choice((-1, 1))),
}
