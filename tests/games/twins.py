"""Two worlds in one database: an online table whose hand is the same in all that a viewer may know, and another in what
they may not. The seed in the deal's row alone decides which of them it is: everything else of a hand follows from it.

What a viewer may know is told here once more (`known`), and not asked of engine.view: a leak there is to be found.
"""

import json
import random
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client

from engine.refused import Refused
from engine.rules import LOG_VERSION
from engine.shuffle import Shuffler, commitment, promise
from engine.state import Action, Event, Hand, Public
from games.models import Deal, Move
from games.online.play import replay as hands
from games.online.play.replay import Played, deal_out
from league.lib.versioned_cache import VersionedCache
from league.live.open_streams import STREAM
from tests.apart import run_apart
from tests.engine.played import fields_of, next_action

NOW = datetime.now(UTC)
TRIES = 60  # pairs of cards that change places in the other world, if the viewer does not notice
Swaps = dict[int, list[tuple[int, int]]]  # after which shuffle of the hand: positions


@dataclass
class Deck:
    """What a seed stands for in these tests: the shuffles and the commitment of the seed `like`, but for some swaps."""

    like: bytes
    swaps: Swaps = field(default_factory=dict)


class DeckShuffler(Shuffler):
    """In the place of the engine's stream: that of the first world, and what is swapped after each shuffle."""

    __slots__ = ("deck", "sizes")

    def __init__(self, deck: Deck, entropy: Sequence[bytes | None], taken: int = 0, sizes: Sequence[int] = ()) -> None:
        super().__init__(deck.like, entropy, taken)
        self.deck, self.sizes = deck, [*sizes]

    def copy(self) -> "DeckShuffler":
        return DeckShuffler(self.deck, self._entropy, self._taken, self.sizes)

    def shuffle(self, cards: list[str]) -> None:
        super().shuffle(cards)
        for one, other in self.deck.swaps.get(len(self.sizes), ()):
            cards[one], cards[other] = cards[other], cards[one]
        self.sizes.append(len(cards))


@contextmanager
def decks() -> Iterator[dict[bytes, Deck]]:
    """{seed: its deck}, to be filled in; seeds that are not in it are dealt as ever."""
    made: dict[bytes, Deck] = {}

    def shuffler(seed: bytes, entropy: Sequence[bytes | None] = ()) -> DeckShuffler:
        return DeckShuffler(made.get(seed) or Deck(seed), entropy)

    def commitment_of(seed: bytes) -> str:
        return commitment(made[seed].like if seed in made else seed)

    with patch("engine.hand.Shuffler", shuffler), patch("engine.hand.commitment", commitment_of):
        yield made


# What a viewer may know


def known(played: Played, seat: int | None, since: int = 0) -> tuple[Any, ...]:
    """All that somebody at a seat, or a spectator, may know of a hand, its log from line `since` on."""
    hand = played.hand
    public = {name: repr(getattr(hand.public, name)) for name in fields_of(Public) if name != "rules"}
    own = (list(hand.cards[seat]), hand.drawn if hand.public.turn == seat else None) if seat is not None else ()
    return public, own, [_heard(event, seat) for event in hand.log[since:]], played.decision, played.windows


def _heard(event: Event, seat: int | None) -> Event:
    kind, *told = event
    if kind == "deal" or kind == "draw":
        who, cards, *why = told
        return (kind, who, cards if who == seat else len(cards), *why)
    if kind == "show":
        who, to, cards, why = told
        return (kind, who, to, cards if to == "all" or seat in (who, to) else len(cards), why)
    return (kind, len(told[0])) if kind == "reshuffle" else event


# A pair of worlds


@dataclass
class Pair:
    """A hand after `actions`, as one of its players may know it, and the two seeds behind it."""

    deal: Deal
    seat: int
    actions: list[Action]
    seeds: tuple[bytes, bytes]

    def played(self, world: int) -> Played:
        self.deal.seed = self.seeds[world]
        played = deal_out(self.deal, [""] * len(self.deal.places))
        for action in self.actions:
            played.follow(action)
        return played

    def enter(self, world: int) -> None:
        """Make it the world that the database holds, and forget what was kept in memory of the other one."""
        Deal.objects.filter(pk=self.deal.pk).update(seed=self.seeds[world])
        cache.clear()
        VersionedCache.forget_all()
        hands.forget()

    def lay(self, count: int | None = None) -> None:
        """Put the hand into its row as it stands after so many of its moves."""
        deal, actions = self.deal, self.actions[:count]
        deal.seed = self.seeds[0]
        played = deal_out(deal, [""] * len(deal.places))
        deal.moves.all().delete()
        for action in actions:
            played.follow(action)
        rows = [Move(deal=deal, number=n, action=list(one), at=NOW) for n, one in enumerate(actions, 1)]
        Move.objects.bulk_create(rows)
        deal.moves_made, deal.turn, deal.asked_at = len(actions), played.hand.public.turn, NOW
        deal.due_at, deal.state, deal.dealt_at = NOW + timedelta(seconds=30), Deal.State.PLAYING, NOW
        deal.save()


def paired(deal: Deal, made: dict[bytes, Deck], seat: int, moves: int, rng: random.Random, **game: Any) -> Pair:
    """A hand of these rules after at most so many moves, and another world that its player cannot tell from it.

    Somebody else holds other cards there, and the draw pile lies in another order.
    """
    while True:
        seed, other = rng.randbytes(72), rng.randbytes(72)
        made.clear()
        made[seed], made[other] = Deck(seed), Deck(seed)
        rules = {"edition": "classic", "scoring": "winner-takes", "teams": False, "options": [], "log": LOG_VERSION}
        deal.rules = rules | game
        deal.seed, deal.commitment, deal.dealer = seed, commitment(seed), rng.randrange(len(deal.places))
        for place in deal.places:
            extra = rng.randbytes(16)
            place.update(entropy=extra.hex(), promised=promise(extra))
        played = deal_out(deal, [""] * len(deal.places))
        style = rng.choice(("any", "eager", "stubborn"))
        actions = list(_some_moves(played, moves, rng, style))
        pair = Pair(deal, seat, actions, (seed, other))
        _change(pair, made[other], played.hand.shuffler.sizes, rng)
        if _differs(pair):
            pair.lay()
            return pair


def _some_moves(played: Played, most: int, rng: random.Random, style: str) -> Iterator[Action]:
    """Of anybody, catches and a director's penalties too, and none that ends the hand."""
    for _move in range(most):
        action = next_action(played.hand, rng, style)
        if action[0] == "play" and len(played.hand.cards[action[1]]) == 1:
            return
        try:
            played.follow(action)
        except Refused:
            continue
        if played.hand.over:
            return
        yield action


def other_moves(pair: Pair, before: Sequence[Action], count: int, rng: random.Random) -> list[Action]:
    """So many that could follow, another time other ones."""
    while True:
        played = deal_out(pair.deal, [""] * len(pair.deal.places))
        for action in before:
            played.follow(action)
        if len(found := list(_some_moves(played, count, rng, "any"))) == count:
            return found


def _change(pair: Pair, deck: Deck, sizes: Sequence[int], rng: random.Random) -> None:
    """Swap cards of the other world, each time asking whether the player could tell it at any moment so far."""
    here = list(_course(pair, 0))
    for number, size in enumerate(sizes):
        for _try in range(TRIES if not number else TRIES // 4):
            swaps = deck.swaps.setdefault(number, [])
            swaps.append((rng.randrange(size), rng.randrange(size)))
            if not _same(here, _course(pair, 1)):
                swaps.pop()


def _course(pair: Pair, world: int) -> Iterator[tuple[Any, ...]]:
    """What the player knew after each of the moves."""
    pair.deal.seed = pair.seeds[world]
    played = deal_out(pair.deal, [""] * len(pair.deal.places))
    yield known(played, pair.seat)
    for action in pair.actions:
        since = len(played.hand.log)
        played.follow(action)
        yield known(played, pair.seat, since)


def _same(here: list[tuple[Any, ...]], there: Iterator[tuple[Any, ...]]) -> bool:
    try:
        return all(one == other for one, other in zip(here, there, strict=True))
    except (Refused, ValueError):
        return False


def _differs(pair: Pair) -> bool:
    one, other = (pair.played(world).hand for world in (0, 1))
    others = [seat for seat in range(one.public.players) if seat != pair.seat]
    return any(sorted(one.cards[seat]) != sorted(other.cards[seat]) for seat in others) and one.pile != other.pile


# Asking both


@contextmanager
def standing_still() -> Iterator[Callable[[], None]]:
    """One moment for every clock, and the same chances after each call of what is given."""
    chances = random.Random(0)

    def urandom(count: int) -> bytes:
        return chances.randbytes(count)

    with ExitStack() as stack:
        for name in ("os.urandom", "random._urandom"):
            stack.enter_context(patch(name, urandom))
        stack.enter_context(patch("django.utils.timezone.now", lambda: NOW))
        stack.enter_context(patch("time.time", NOW.timestamp))
        yield lambda: chances.seed(0)


@dataclass(frozen=True)
class Question:
    """A request by somebody: their cookies and headers, and what a form sends."""

    who: str
    url: str
    cookies: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    sends: Mapping[str, Any] | None = None  # None: GET

    def __str__(self) -> str:
        return f"{self.who}: {self.url} {json.dumps(self.sends) if self.sends is not None else ''}"


def asked(client: Client, question: Question, begin: Callable[[], None]) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body, to the last byte; whatever was done is undone."""
    client.cookies.clear()
    client.cookies.load(dict(question.cookies))
    begin()
    if "/live/" in question.url:
        return _stream_begins(question)
    with transaction.atomic():
        if question.sends is None:
            answer = client.get(question.url, headers=dict(question.headers))
        else:
            answer = client.post(question.url, dict(question.sends), headers=dict(question.headers))
        body = _body(answer)
        transaction.set_rollback(True)
    cookies = {f"cookie {name}": str(one) for name, one in answer.cookies.items()}
    return answer.status_code, dict(answer.headers.items()) | cookies, body


def _stream_begins(question: Question) -> tuple[int, dict[str, str], bytes]:
    """With its first event, for which a server is asked that keeps streams."""
    client = Client()
    # The page that opens a stream brought the cookie of its forms; without it the stream leaves all to the page.
    client.cookies.load({settings.CSRF_COOKIE_NAME: "a" * 32} | dict(question.cookies))
    answer = client.get(question.url, headers=dict(question.headers), **{STREAM: None})
    parts = answer.wsgi_request.META[STREAM]
    first = run_apart(_first_of(parts)) if parts is not None else answer.content
    return answer.status_code, {name: one for name, one in answer.headers.items() if name != "X-Request-ID"}, first


async def _first_of(parts: AsyncGenerator[bytes, None]) -> bytes:
    async with aclosing(parts):
        return await anext(parts)


def _body(answer: HttpResponse) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def differences(
    pair: Pair, client: Client, questions: Sequence[Question], looked_at: set[str] | None = None
) -> list[str]:
    """Whose question is answered differently in the two worlds, and where.

    What is answered without a look at deals and moves is asked once: nothing of a hand can be in it. The addresses of
    the others are added to `looked_at`.
    """
    found = []
    with standing_still() as begin:
        for question in questions:
            pair.enter(0)
            with _looked_at_a_hand() as looks:
                here = asked(client, question, begin)
            if not looks:
                continue
            if looked_at is not None:
                looked_at.add(question.url)
            pair.enter(1)
            there = asked(client, question, begin)
            if here != there:
                found.append(f"{question}: {_first_difference(here, there)}")
    pair.enter(0)
    return found


@contextmanager
def _looked_at_a_hand() -> Iterator[list[str]]:
    """The queries of deals and moves from here on."""
    found: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if "games_deal" in sql or "games_move" in sql:
            found.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield found


def _first_difference(one: tuple[Any, ...], other: tuple[Any, ...]) -> str:
    if one[:2] != other[:2]:
        return f"{one[:2]} | {other[:2]}"
    at = next((n for n, (x, y) in enumerate(zip(one[2], other[2], strict=False)) if x != y), len(one[2]))
    return f"{one[0]} from byte {at}: {one[2][at - 40 : at + 60]!r} | {other[2][at - 40 : at + 60]!r}"


def told_apart_by(pair: Pair, action: Action) -> bool:
    """Whether doing this shows the player something else in the other world: a card that is drawn, a challenge."""
    after = []
    for world in (0, 1):
        played = pair.played(world)
        try:
            played.follow(action)
        except Refused as no:
            after.append(str(no))
        else:
            after.append(known(played, pair.seat) if not played.hand.over else None)
    return after[0] != after[1] or after[0] is None


def commands(pair: Pair, rng: random.Random) -> Iterator[dict[str, Any]]:
    """What the pair's player may send, wrong and right: all that shows them nothing new."""
    played, seat, deal = pair.played(0), pair.seat, pair.deal
    hand: Hand = played.hand
    players = hand.public.players
    held, deck = sorted(set(hand.cards[seat])), hand.rules.edition.deck
    missing = sorted(set(deck) - set(held))
    kinds: list[tuple[Any, ...]] = [("draw",), ("pass",), ("accept",), ("challenge",), ("uno",), ("color", "R")]
    kinds += [("catch", at) for at in range(players)]
    kinds += [("play", card, rng.choice((None, "R", "B")), None, False) for card in rng.sample(held, min(3, len(held)))]
    kinds += [("play", card, None, None, False) for card in rng.sample(missing, 2)]
    for kind in kinds:
        answers = played.windows.get(kind[1], 0) if kind[0] == "catch" else played.decision
        if kind[0] == "uno":
            answers = played.windows.get(seat, 0)
        sent = {"deal": deal.pk, "kind": kind[0], "answers": answers}
        if kind[0] == "play":
            sent |= {"card": kind[1], "color": kind[2] or ""}
        elif kind[0] in ("color", "catch"):
            sent |= {"color" if kind[0] == "color" else "target": kind[1]}
        if not told_apart_by(pair, (kind[0], seat, *kind[1:])):
            yield sent
    yield {"deal": deal.pk, "kind": "draw", "answers": 9999}
    yield {"deal": deal.pk, "kind": "play", "answers": played.decision}
    yield {}
