"""From a log back to the hand: replay of any prefix, undo, and `verify`, which checks every line by the rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.hand import apply, deal
from engine.log import FIELDS, LoggedHand, NotThisShape, as_event, as_object
from engine.refused import Refused
from engine.rules import EDITIONS, OPTIONS
from engine.state import ANSWER, TURN, Action, Event, Hand, Rules

MOST_CARDS = 12  # of a list that a sentence shows


class Fault(ValueError):
    """The first line of a hand that does not follow from the rules; `str()` is `hand 3 n 57 WD4-5: …`."""

    def __init__(self, hand: int, n: int, rule: str, sentence: str) -> None:
        super().__init__(f"hand {hand} n {n} {rule}: {sentence}")
        self.hand = hand
        self.n = n
        self.rule = rule
        self.sentence = sentence


class _Wrong(Exception):
    def __init__(self, n: int, rule: str, sentence: str) -> None:
        self.n, self.rule, self.sentence = n, rule, sentence


def replay(log: Sequence[Event], seed: bytes) -> Hand:
    """Return the hand as it stood after these events: the first ones of a log, which may hold undos.

    If they stop between a card and what it forces, the hand stands after what it forces. Raises `Refused` or ValueError
    for a log that is not of a hand dealt with this seed; it does not compare every line (`verify` does).
    """
    if not log or log[0][0] != "start":
        raise ValueError("A log begins with its start.")
    standing = standing_events(log)
    hand = deal_again(log[0], seed)
    dealt = len(hand.log)
    done = dealt
    while done < len(standing):
        _follow(hand, standing[done][1])
        done = len(hand.log)
    hand.log[: len(standing)] = log
    return hand


def undo(hand: Hand, to: int, reason: str) -> Hand:
    """Return the hand just after line `to` of its log; its own log has all lines and the undo.

    Raises `Refused` if there is no such line, it is void, or a forced event follows it. Also raises if the hand is
    over, since then its seed and draw pile are public.
    """
    if hand.over:
        raise Refused("over")
    standing = [n for n, _ in standing_events(hand.log)]
    if to not in standing or to == standing[-1]:
        raise Refused("undo-nothing" if to not in standing else "undo-here", to=to)
    before = [*hand.log[: to + 1]]
    earlier = replay(before, hand.seed)
    if len(earlier.log) != len(before):
        raise Refused("undo-mid-move", to=to)
    earlier.log = [*hand.log, ("undo", to, reason)]
    return earlier


def deal_again(start: Event, seed: bytes) -> Hand:
    """Deal the hand of a `start` line. Raises ValueError."""
    _, version, edition, names, dealer, teams, options, _, promised, entropy = start
    if edition not in EDITIONS:
        raise ValueError(f"There is no edition “{edition}”.")
    options = dict(options)
    scoring = options.pop("scoring", None)
    for key, on in options.items():
        if not isinstance(on, bool) or (on and key not in OPTIONS):
            raise ValueError(f"There is no option “{key}”." if key not in OPTIONS else f"“{key}” is true or false.")
    chosen = [key for key, on in options.items() if on]
    rules = Rules(EDITIONS[edition], scoring=scoring, teams=teams, options=chosen, log=version)
    if promised is None and version > 1:
        raise ValueError("the start lacks “promised”.")
    extra = [bytes.fromhex(part) if part is not None else None for part in entropy]
    return deal(rules, names, dealer=dealer, seed=seed, entropy=extra, promised=promised)


def action_of(hand: Hand, event: Event) -> Action:
    """Return the action of the next event. Raises `Refused` for an event that only follows from an action."""
    kind = event[0]
    if kind == "reshuffle" and hand.public.step in (TURN, ANSWER):  # it is logged before the draw that needs it
        return ("draw" if hand.public.step == TURN else "accept", hand.public.turn)
    if kind == "play":
        return event[:6]
    if kind == "draw" and event[3] == "turn":
        return event[:2]
    if kind == "draw" and event[3] == "draw-card":  # of a draw card that could have been handed on (`stacking`)
        return ("accept", event[1])
    if kind == "catch":
        return ("catch", event[2], event[1])
    if kind == "challenge":
        return event[:2]
    if kind == "penalty" and event[2] in ("wrong-card", "suggestion"):
        return (event[2], event[1])
    if kind in ("color", "pass", "accept", "uno"):
        return event
    raise Refused("nothing-forces", kind=kind)


def _follow(hand: Hand, event: Event) -> None:
    """Apply the action that an event stands for. Raises `Refused`."""
    public = hand.public
    begins = event[0] in ("play", "pass", "end") or (event[0] == "penalty" and event[2] == "wrong-card")
    if public.step == ANSWER and not public.can_draw and begins and event[1] != public.turn:
        apply(hand, ("accept", public.turn))  # with `stacking`, drawing nothing for a draw card leaves no line
        if hand.over:  # PLAY-8, at once
            return
    apply(hand, action_of(hand, event))


def standing_events(log: Sequence[Event]) -> list[tuple[int, Event]]:
    """Return the events that no undo made void, with their `n`. Raises ValueError for an undo to nowhere."""
    standing: list[tuple[int, Event]] = []
    for n, event in enumerate(log):
        if event[0] != "undo":
            standing.append((n, event))
            continue
        while standing and standing[-1][0] > event[1]:
            standing.pop()
        if not standing or standing[-1][0] != event[1]:
            raise ValueError(f"There is no line {event[1]} to go back to.")
    return standing


def verify(logged: LoggedHand) -> Hand:
    """Check a logged hand by the rules: commitment, shuffles, every line. Returns the hand. Raises `Fault`."""
    try:
        return _verify_lines(logged.number, logged.objects)
    except _Wrong as wrong:
        raise Fault(logged.number, wrong.n, wrong.rule, wrong.sentence) from None


def _verify_lines(number: int, objects: Sequence[Mapping[str, Any]]) -> Hand:
    events = [_event(number, n, record) for n, record in enumerate(objects)]
    hand = _deal_of(events)
    _compare(_deals_in_order(hand.log, events), hand.log, 0)
    while len(hand.log) < len(events):
        n = len(hand.log)
        event = events[n]
        try:
            if event[0] == "undo":
                hand = undo(hand, event[1], event[2])
            else:
                _follow(hand, event)
        except Refused as refused:
            raise _Wrong(n, refused.rule, str(refused)) from None
        _compare(events, hand.log, n)
    if not hand.over:
        raise _Wrong(len(events) - 1, "OUT-1", "the log goes on after its end, and the hand is not over.")
    return hand


def _event(number: int, n: int, record: Mapping[str, Any]) -> Event:
    if type(record.get("n")) is not int or record["n"] != n or record["hand"] != number:
        raise _Wrong(n, "LOG", f"this line is numbered hand {record['hand']} n {record.get('n')}.")
    try:
        return as_event(record)
    except NotThisShape as exc:
        raise _Wrong(n, "LOG", f"{exc}.") from None


def _deal_of(events: Sequence[Event]) -> Hand:
    ends = [n for n, event in enumerate(events) if event[0] == "end"]
    try:
        seed = bytes.fromhex(events[ends[0]][4])
    except ValueError:
        raise _Wrong(ends[0], "SHUFFLE", "the seed is not hexadecimal.") from None
    try:
        return deal_again(events[0], seed)
    except (ValueError, TypeError) as exc:
        raise _Wrong(0, "LOG", str(exc)) from None


def _deals_in_order(log: Sequence[Event], events: Sequence[Event]) -> list[Event]:
    """Return the events with the deal lines sorted by seat, since their order means nothing."""
    players = sum(event[0] == "deal" for event in log)
    deals = events[1 : players + 1]
    if any(event[0] != "deal" for event in deals):
        return list(events)
    return [*events[:1], *sorted(deals, key=lambda event: event[1]), *events[players + 1 :]]


def _compare(events: Sequence[Event], rightful: Sequence[Event], start: int) -> None:
    for n in range(start, len(rightful)):
        if n >= len(events):
            raise _Wrong(n, _rule(rightful, n), f"here belongs {in_words(rightful[n])}.")
        if _meaning(events[n]) != _meaning(rightful[n]):
            raise _difference(rightful, events, n)


def _meaning(event: Event) -> Event:
    """Normalise the event: sort the cards of `show`, drop false options, lower-case the seed."""
    if event[0] == "show":
        return (*event[:3], sorted(event[3]), *event[4:])
    if event[0] == "start":
        options = {name: value for name, value in event[6].items() if value is not False}
        entropy = [part.lower() if part is not None else None for part in event[9]]
        return (*event[:6], options, event[7].lower(), event[8] if event[1] > 1 else None, entropy)
    if event[0] == "end":
        return (*event[:4], event[4].lower(), event[5])
    return event


def _difference(rightful: Sequence[Event], events: Sequence[Event], n: int) -> _Wrong:
    right, wrong = rightful[n], events[n]
    if right[0] != wrong[0]:
        return _Wrong(n, _rule(rightful, n), f"the rules give {in_words(right)}, not {in_words(wrong)}.")
    names = [
        name
        for name, expected, actual in zip(FIELDS[right[0]], _meaning(right)[1:], _meaning(wrong)[1:], strict=True)
        if expected != actual
    ]
    if names[0] in ("seed", "commitment", "deck"):
        sentence = f"the {names[0]} is not the one that the hand was shuffled with."
        return _Wrong(n, "SHUFFLE", sentence)
    return _Wrong(n, _rule(rightful, n), f"the rules give {in_words(right, names)}, not {in_words(wrong, names)}.")


def in_words(event: Event, only: Sequence[str] = ()) -> str:
    """Return an event in one line: type, seat, and its fields or only some of them. Long lists of cards are cut."""
    fields = as_object(event)
    shown = ({"seat", *only} if only else fields.keys()) - {"type", "seed", "deck"}
    return " ".join([event[0], *(f"{name}={_word(fields[name])}" for name in fields if name in shown)])


def _word(value: object) -> str:
    if not isinstance(value, list):
        return str(value)
    return " ".join(map(str, value[:MOST_CARDS])) + (" …" if len(value) > MOST_CARDS else "")


_RULES = {
    "start": "SHUFFLE",
    "deal": "DEAL-4",
    "color": "OPEN-5",
    "play": "PLAY-1",
    "pass": "PLAY-3",
    "accept": "WD4-1",
    "challenge": "WD4-2",
    "uno": "UNO-1",
    "catch": "UNO-2",
    "penalty": "PEN-1",
    "reshuffle": "PLAY-6",
    "end": "SCORE-1",
}
_RULES_BY_REASON = {
    "turn": "PLAY-2",
    "draw-card": "ACT-1",
    "wild-draw-four": "WD4-1",
    "bluff": "WD4-4",
    "challenge-lost": "WD4-5",
    "sorting-hat": "HAT-3",
    "creeper": "CRP-1",
    "uno": "UNO-2",
    "penalty": "PEN-1",
    "challenge": "WD4-3",
    "howler": "HOW-1",
}


def _rule(log: Sequence[Event], n: int) -> str:
    """Return the rule that an event follows from."""
    event, before = log[n], log[n - 1]
    if before[0] == "turn_up" and event[0] in ("draw", "reshuffle"):
        return "OPEN-2" if event[0] == "draw" else "OPEN-6"
    if event[0] == "draw" and before[0] == "penalty":
        return "PEN-1" if before[2] == "wrong-card" else "PEN-2"
    if event[0] in ("draw", "show"):
        return _RULES_BY_REASON[event[-1]]
    if event[0] == "turn_up":
        return "OPEN-6" if event[2] else "DEAL-4"
    return _RULES.get(event[0], "LOG")
