"""A table that is played online, for tests: its players get ready and play legal moves."""

import random

from django.db import transaction
from django.utils import timezone

from engine.legal import playable
from engine.shuffle import commitment, promise
from engine.simulation.bots import BOTS
from engine.state import ANSWER, DRAWN, TURN
from games.hands.locks import lock_table
from games.models import Deal, Move
from games.online.play.clock import set_clock
from games.online.play.deals import get_ready, next_deal, open_entropy, settings_of
from games.online.play.moves import Moved, follow, play, store
from games.online.play.notify import notify_page
from games.online.play.places import BOT_WAS, names_of, places_of
from games.online.play.replay import Played, deal_out, replay
from league.models import Entry, Table
from tests.engine.played import next_action


def put_online(table: Table) -> Deal:
    """Make an open round's table an online one; its first deck is sealed."""
    Table.objects.filter(pk=table.pk).update(mode=Table.Mode.ONLINE)
    with transaction.atomic():
        deal = next_deal(lock_table(table.pk))
    assert deal is not None
    return deal


def everybody_ready(deal: Deal, *, entropy: bool = True) -> Deal:
    """With what each adds to the shuffle: promised, and opened when all have."""
    for at, place in enumerate(deal.places):
        if not place["bot"]:
            deal = says_ready(deal, at, added_by(at) if entropy else None)
    return open_all(deal)


def open_all(deal: Deal) -> Deal:
    """As browsers do by themselves, if everybody has promised."""
    if deal.opening:
        for at, place in enumerate(deal.places):
            if place["promised"]:
                deal = opens(deal, at, added_by(at))
    return deal


def added_by(at: int) -> bytes:
    return bytes([at + 1] * 16)


def says_ready(deal: Deal, at: int, extra: bytes | None = None) -> Deal:
    """Somebody says that they are there, and promises this for the shuffle."""
    promised = promise(extra) if extra is not None else None
    return get_ready(table_id=deal.table_id, deal_id=deal.pk, entry=at_place(deal, at), promised=promised)


def opens(deal: Deal, at: int, extra: bytes) -> Deal:
    return open_entropy(table_id=deal.table_id, deal_id=deal.pk, entry=at_place(deal, at), entropy=extra)


def at_place(deal: Deal, at: int) -> Entry:
    entry = Entry.objects.get(pk=deal.places[at]["entry"])
    entry.member = deal.places[at].get("member", 0)
    return entry


def standing(deal: Deal):
    """The hand as it stands: `Played`."""
    deal.refresh_from_db()
    return replay(deal, names_of(places_of(deal)))


def next_move(deal: Deal, bot=None, key: str = "") -> Moved:
    """Whoever the hand waits for makes a move that a bot would make; whoever can call UNO or catch does not."""
    played = standing(deal)
    return _make(deal, played, _chosen(deal, played, bot), key)


def _chosen(deal: Deal, played: Played, bot):
    public, hand = played.hand.public, played.hand
    seat = public.turn
    bot = bot or BOTS["careful"](random.Random(played.moves))
    action = bot.choose(public, seat, hand.cards[seat], hand.drawn if public.step == DRAWN else None)
    assert public.step != ANSWER or action[0] in ("accept", "challenge", "play")
    return action


def _make(deal: Deal, played: Played, action, key: str = "") -> Moved:
    place = deal.places[played.hand.public.turn]
    if BOT_WAS in place:  # whoever has the seat since does not play this hand
        with transaction.atomic():
            deal.table = lock_table(deal.table_id)
            store(follow(deal, played, action, bot=place["bot"]))
        return Moved(deal, played)
    return play(
        table_id=deal.table_id,
        deal_id=deal.pk,
        entry=Entry.objects.get(pk=place["entry"]),
        action=(action[0], *action[2:]),
        answers=played.decision,
        key=key,
    )


def play_out(deal: Deal, bot=None) -> Deal:
    """To the last card of the hand; returns the deal, which is over. Only the last move is made as a player makes it:
    the others are stored as they would be, for a hand has seventy."""
    played, moves = standing(deal), []
    while not played.hand.over:
        turn, action = played.hand.public.turn, _chosen(deal, played, bot)
        moves.append(Move(deal=deal, number=played.moves + 1, action=list(action), bot=_bot_of(deal.places[turn])))
        played.follow(action)
    Move.objects.bulk_create(moves[:-1])
    deal.moves_made = played.moves - 1
    before = replay(deal, names_of(places_of(deal)))
    set_clock(deal, before, settings_of(deal.table.round.tournament), timezone.now())
    deal.save()
    notify_page(deal.table)
    _make(deal, before, action)
    deal.refresh_from_db()
    return deal


def play_out_one_by_one(deal: Deal, bot=None) -> Deal:
    """The same, each move made as its player makes it."""
    for _move in range(2000):
        if next_move(deal, bot).deal.state != Deal.State.PLAYING:
            break
    deal.refresh_from_db()
    return deal


def _bot_of(place: dict) -> str:
    return place["bot"] if BOT_WAS in place else ""


def put_into(deal: Deal, wanted, seed: int = 0) -> Deal:
    """Deal the waiting hand and play it at random until it is as wanted (of `Played`), from whatever deck it takes."""
    rng = random.Random(seed)
    for place in deal.places:
        extra = rng.randbytes(16)
        place.update(ready=True, promised=promise(extra), entropy=extra.hex())
    while True:
        deal.seed = rng.randbytes(72)
        played, actions = deal_out(deal, [""] * len(deal.places)), []
        while not wanted(played):
            action = next_action(played.hand, rng, "eager")
            if played.hand.over or (action[0] == "play" and len(played.hand.cards[action[1]]) == 1):
                break
            played.follow(action)
            actions.append(list(action))
        else:
            break
    deal.commitment, deal.moves_made = commitment(deal.seed), len(actions)
    deal.state, deal.dealt_at = Deal.State.PLAYING, timezone.now()
    set_clock(deal, played, settings_of(deal.table.round.tournament), timezone.now())
    deal.save()
    Move.objects.bulk_create(Move(deal=deal, number=n, action=action) for n, action in enumerate(actions, 1))
    return deal


def somebody_can_be_caught(played) -> bool:
    return any(seat != played.hand.public.turn for seat in played.hand.public.uno)


def last_card_fits(played) -> bool:
    """Whoever is asked goes out with the card that they hold, which needs neither colour nor anything else."""
    public, hand = played.hand.public, played.hand
    if public.step != TURN or len(hand.cards[public.turn]) != 1:
        return False
    [card] = hand.cards[public.turn]
    return card[0] != "W" and card in playable(public, [card], None)
