"""The deals of a table: the next hand, the sealed deck, the players' readiness, and the first card.

The order of steps follows docs/rules.md, "The shuffle". The commitment is stored before players get ready. Browsers
commit to their shares, and reveal them only after all have committed. Both make the deck.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.rules import LOG_VERSION
from engine.shuffle import chooser, commitment, dealer_numbers, fresh_seed, promise
from games.hands.in_play import on_paper
from games.models import Deal, OnlineSettings
from games.online.play.clock import mark_back, set_clock, waits_until
from games.online.play.notify import notify_page
from games.online.play.places import BOT_WAS, LEFT, Place, names_of, new_place, own_copy, place_of, places_of
from games.online.play.replay import deal_out, replay
from league.access.table_rows import at_table, copy_row
from league.access.viewer import Attribution
from league.ledger.dealer import next_dealer
from league.ledger.progress import PLAYING, hands_in, race_of, table_now, to_be_dealt_in
from league.lib.errors import Conflict, Refused
from league.lib.prepared_sql import PreparedQuery, PreparedRow
from league.log.write import note_at_table, player_in_log
from league.models import Entry, Seat, Table, Tournament
from league.rounds import first_deal

OPENS_WITHIN = timedelta(seconds=10)  # browsers reveal automatically
MOST_REFUSALS = 2  # of a player and a hand; then the deal ignores their share


def settings_of(tournament: Tournament) -> OnlineSettings:
    """Return the settings, cached with a cached tournament (league/access/table_rows.py); each change logs a row."""
    known: dict[str, OnlineSettings] = getattr(tournament, "kept", {})
    if "settings" not in known:
        row = OnlineSettings.objects.filter(tournament=tournament).first()
        known["settings"] = row or OnlineSettings(tournament=tournament)
    return known["settings"]


def open_deal(table: Table) -> Deal | None:
    """Return the hand in play or waiting."""
    return table.deals.open().first()


def latest_deal(table: Table, *, locked: bool = False) -> Deal | None:
    """Return the open hand, else the last finished one. Callers must not change it.

    It is cached with a cached tournament (league/access/table_rows.py) until something happens in play. Code that
    changes a deal must call `notify_page` or log a row.

    Inside a transaction it is read again, since the transaction may have changed it. The exception: the table was
    `locked` before its row was read, and nothing has changed. While the tournament is paused it is always read, since
    clocks shift every second without notice (pulse.py).
    """
    known: dict[str, tuple[int, Deal | None]] = getattr(table.round.tournament, "kept", {})
    version, deal = known.get(f"deal {table.pk}", (None, None))
    paused = table.round.tournament.paused_at is not None
    if version != table.play_version or paused or (connection.in_atomic_block and not locked):
        deal = _latest.first(table.pk, *_SHOWN)
        cache_deal(table, deal)
    if deal is not None:
        deal = copy_row(deal)
        deal.table = table
    return deal


def cache_deal(table: Table, deal: Deal | None) -> None:
    """Cache the table's latest deal. It must be committed together with this state of the table's row."""
    if not connection.in_atomic_block:
        known: dict[str, tuple[int, Deal | None]] = getattr(table.round.tournament, "kept", {})
        known[f"deal {table.pk}"] = table.play_version, deal


_SHOWN = (Deal.State.WAITING.value, Deal.State.PLAYING.value, Deal.State.OVER.value)
_latest = PreparedRow(Deal, lambda: Deal.objects.filter(table=1).filter(state__in=_SHOWN).order_by("-id")[:1])


def next_deal(table: Table, *, after: Deal | None = None) -> Deal | None:
    """Return the table's current hand, sealed if needed; None if no hand is due online.

    The caller holds the table's lock. Abandons a sealed deck if its players changed or its hand is recorded; leaves a
    hand in play alone. after: the hand that has just ended there.
    """
    deal = open_deal(table) if after is None else None
    if deal is not None and deal.state == Deal.State.PLAYING:
        return deal
    following = _next_hand(table, settled=after is not None)
    if deal is not None:
        if _is_of(deal, following):
            return deal
        abandon(deal, _("The players have changed."))
    if following is None or len(following.seats) < 2:
        return None
    return _seal(table, following, after)


class _NextHand(NamedTuple):
    """The next empty hand and its players; `hands` are the recorded ones, as in `hands_in`."""

    number: int
    seats: list[Seat]
    hands: dict[int, list[int]]


def _next_hand(table: Table, *, settled: bool = False) -> _NextHand | None:
    """Return None if no hand is due online. settled: the table's state was set in this transaction."""
    played = table.round
    closed = not played.is_open or played.tournament.is_final or table.state == Table.State.VOID
    if table.mode != Table.Mode.ONLINE or closed:
        return None
    race = race_of(played)
    goes_on = settled and table.state == Table.State.PLAYING
    if not goes_on and table_now(table, race).state != PLAYING:
        return None
    hands = hands_in([table])[table.pk]
    number = next(number for number in range(1, len(hands) + 2) if number not in hands)
    if on_paper(table, number):
        return None
    return _NextHand(number, to_be_dealt_in(table, race), hands)


def _is_of(deal: Deal, following: _NextHand | None) -> bool:
    """Return whether a deck was sealed for this hand and these players."""
    return following is not None and following.number == deal.number and _same_seats(deal, following.seats)


def _same_seats(deal: Deal, seats: Sequence[Seat]) -> bool:
    sealed_for = [(place["seat"], place["entry"], place["played_by"]) for place in deal.places]
    return sealed_for == [(seat.number, seat.entry_id, seat.substitute_id) for seat in seats]


def _seal(table: Table, following: _NextHand, after: Deal | None) -> Deal:
    number, seats, hands = following
    stage, settings = table.round.stage, settings_of(table.round.tournament)
    last = after or table.deals.exclude(state=Deal.State.ABANDONED).order_by("-id").first()
    before = _bots_of(last)
    now = timezone.now()
    places = [
        new_place(seat, bank_seconds=settings.bank_seconds, bot=before.get((seat.entry_id, seat.member), ""))
        for seat in seats
    ]
    first = after is None and not table.deals.filter(state=Deal.State.OVER).exists()
    deal = Deal(
        table=table,
        number=number,
        rules={
            "edition": stage.edition,
            "scoring": stage.scoring,
            "teams": stage.has_partners,
            "options": list(stage.options),
            "log": LOG_VERSION,
        },
        places=places,
        made_at=now,
        due_at=waits_until(settings, now, first=first),
    )
    seal(deal, fresh_seed(), seats, hands)
    return deal


def seal(deal: Deal, seed: bytes, seats: Sequence[Seat], hands: dict[int, list[int]] | None = None) -> None:
    """Set the seed and the dealer of a waiting deal, and save it. The first dealer is drawn from this seed (DEAL-1).

    If the earlier draw's deal was never dealt, draw again, since its seed is never revealed. hands: the table's
    recorded hands, if known.
    """
    deal.seed, deal.commitment, deal.dealer = seed, commitment(seed), 0
    table, here = deal.table, [seat.number for seat in seats if seat.number is not None]
    drawn = (table.first_deal or {}).get("deal")
    if drawn is not None and Deal.objects.filter(pk=drawn, dealt_at=None).exists():
        table.first_deal = None
    dealer = next_dealer(table, deal.number, here=here, hands=hands)
    if dealer is None:
        deal.save()  # the draw stores its key
        first_deal.decide(table, seats, below=chooser(dealer_numbers(seed)), deal=deal.pk, by=Attribution())
        dealer = next_dealer(table, deal.number, here=here, hands=hands)
    assert dealer is not None
    deal.dealer = here.index(dealer)
    deal.save()


def _bots_of(last: Deal | None) -> dict[tuple[int, int], str]:
    """Return {(entry key, member): bot kind} for players absent at the end of the last hand."""
    absent = [place for place in last.places if place["bot"] and BOT_WAS not in place] if last else []
    return {(place["entry"], place.get("member", 0)): place["bot"] for place in absent}


def lock_cached_table(table_id: int) -> Table:
    """Lock the table like `games.hands.locks.lock_table`, but use its cached row if still valid."""
    _lock.first(table_id)
    here = at_table(table_id)
    assert here is not None
    return here.table


_lock = PreparedQuery(lambda: Table.objects.select_for_update().order_by().filter(pk=1).values_list("pk"))


@transaction.atomic
def get_ready(*, table_id: int, deal_id: int, entry: Entry, promised: str | None = None) -> Deal:
    """Record that a player is ready, and their commitment to a share of the shuffle (SHA-256, lower-case hex).

    When all are ready, committed players must reveal their share (`open_entropy`); without commitments the last one
    starts the hand. A repeated call counts once, and the first commitment stays. A commitment during the reveal does
    not count. Raises `Conflict` when the hand has begun or is gone.
    """
    deal, place = _lock_waiting(table_id, deal_id, entry)
    if deal.state == Deal.State.PLAYING:
        _come_back(deal, place)
        return deal
    was_ready = place.data["ready"] and not place.data["bot"]
    if was_ready and deal.due_at is not None:
        return deal
    if not place.is_bot:
        place.data.update(ready=True, bot="", misses=0)
        place.data.pop("again", None)
        if (
            not was_ready
            and not deal.opening
            and deal.rules.get("log", 1) > 1
            and not (promised and refused_too_often(deal, place.data))
        ):
            place.data["promised"] = promised
    if deal.due_at is None:  # no one came in time: the time starts with the first player
        deal.asked_at = timezone.now()
        deal.due_at = waits_until(settings_of(deal.table.round.tournament), deal.asked_at, first=True)
    _start_if_ready_and_right(deal)
    notify_page(deal.table)
    return deal


@transaction.atomic
def open_entropy(*, table_id: int, deal_id: int, entry: Entry, entropy: bytes) -> Deal:
    """Record the share that a player reveals; the last one starts the hand. A repeated call counts once.

    No share is accepted before all commitments: the last player could otherwise read the database and choose the cards.
    Raises `Conflict` then and when the hand is gone; `Refused` if the share doesn't match its commitment.
    """
    deal, place = _lock_waiting(table_id, deal_id, entry)
    if deal.state == Deal.State.PLAYING or place.data["entropy"] is not None:
        return deal
    if not deal.opening:
        raise Conflict("too-early", _("Too early: some players haven’t committed their share of the shuffle yet."))
    if place.data["promised"] != promise(entropy):
        raise Refused("promise", _("Your browser committed to another share of the shuffle."))
    place.data["entropy"] = entropy.hex()
    _start_if_ready_and_right(deal)
    notify_page(deal.table)
    return deal


@transaction.atomic
def leave(*, table_id: int, entry: Entry) -> bool:
    """Let a bot play for a leaving player until they return. Return whether one does."""
    deal = latest_deal(lock_cached_table(table_id), locked=True)
    if deal is None or deal.state == Deal.State.OVER:
        return False
    deal.places = own_copy(deal.places)
    place = place_of(places_of(deal), entry)
    if place is None or place.is_bot:
        return False
    place.data.update(bot=LEFT, ready=True)
    if deal.state == Deal.State.WAITING:
        start_if_ready(deal)
    else:
        _restart_clock(deal)
    notify_page(deal.table)
    return True


def _lock_waiting(table_id: int, deal_id: int, entry: Entry) -> tuple[Deal, Place]:
    """Lock the table; return its hand and the player's place."""
    deal = latest_deal(lock_cached_table(table_id), locked=True)
    if deal is None or deal.pk != deal_id or deal.state == Deal.State.OVER:
        raise _is_gone()
    deal.places = own_copy(deal.places)
    place = place_of(places_of(deal), entry)
    if place is None:
        raise Conflict("not-dealt-in", _("You don’t play in this hand."))
    return deal, place


def _start_if_ready_and_right(deal: Deal) -> None:
    """Call `start_if_ready`. Raises `Conflict` if the players have changed and the sweeper hasn't sealed again.

    Only a starting deck is checked, since the check costs five queries.
    """
    start_if_ready(deal)
    if (deal.opening or deal.state == Deal.State.PLAYING) and not _is_of(deal, _next_hand(deal.table)):
        raise _is_gone()


def _is_gone() -> Conflict:
    return Conflict("gone", _("This hand is no longer open. Check the table."))


def unopened_places(deal: Deal) -> list[dict[str, Any]]:
    """Return places with an unrevealed commitment, except those a bot plays."""
    return [place for place in deal.places if place.get("promised") and place["entropy"] is None and not place["bot"]]


def refused_too_often(deal: Deal, place: dict[str, Any]) -> bool:
    """Return whether a player failed to reveal twice for this hand; then it is dealt without their share."""
    times = sum(
        (item["entry"], item.get("member", 0)) == (place["entry"], place.get("member", 0))
        for before in deal.table.deals.filter(number=deal.number, state=Deal.State.ABANDONED, opening=True)
        for item in before.places
        if "refused" in item
    )
    return times >= MOST_REFUSALS


def reseal(deal: Deal) -> None:
    """Seal a new deck because a player didn't reveal their share. Page and log name the player.

    Browsers that revealed theirs commit again (`again`). The caller holds the table's lock.
    """
    places = places_of(deal)
    late = unopened_places(deal)
    names = [place.name for place in places if place.data in late]
    for item in late:
        item["refused"] = True
    deal.save(update_fields=["places"])
    reason = _("Not dealt: %(names)s didn’t reveal their share of the shuffle.")
    abandon(deal, reason % {"names": ", ".join(names)})
    note_at_table(
        table=deal.table,
        by=None,
        action="not-opened",
        hand=deal.number,
        new=[player_in_log(place.entry) for place in places if place.data in late],
    )
    following = next_deal(deal.table)
    if following is None or not _same_seats(following, [place.seat for place in places]):
        return
    for item, before in zip(following.places, deal.places, strict=True):
        if before["entropy"] is not None:
            item["again"] = True
        elif before["ready"] and before not in late:
            item.update(ready=True, bot=before["bot"])
    following.save(update_fields=["places"])


def _come_back(deal: Deal, place: Place) -> None:
    """Give the seat back to a player whom a bot or no one replaced. On their turn, their time starts now."""
    if place.is_bot or not place.bot:
        return
    mark_back(place.data)
    _restart_clock(deal)
    notify_page(deal.table)


def _restart_clock(deal: Deal) -> None:
    """Restart the clock after a player or bot took a seat in play. Saves the deal."""
    played = replay(deal, [""] * len(deal.places))
    set_clock(deal, played, settings_of(deal.table.round.tournament), timezone.now(), new_decision=False)
    deal.save()


def start_if_ready(deal: Deal, *, anyway: bool = False) -> None:
    """Deal the cards if all players are ready, or `anyway`. During a pause the sweeper does it afterwards.

    Committed players must reveal their share first. Saves the deal; the caller holds the table's lock.
    """
    paused = deal.paused_at or deal.table.round.tournament.paused_at
    if not paused and (anyway or deal.opening or all(place["ready"] for place in deal.places)):
        if not unopened_places(deal):
            deal.state, deal.dealt_at = Deal.State.PLAYING, timezone.now()
            played = deal_out(deal, names_of(places_of(deal)))
            set_clock(deal, played, settings_of(deal.table.round.tournament), deal.dealt_at)
        elif not deal.opening:
            deal.opening, deal.due_at = True, timezone.now() + OPENS_WITHIN
    deal.save()


def abandon(deal: Deal, reason: str) -> None:
    """Stop a hand, which then doesn't count. The caller holds the table's lock."""
    deal.state, deal.reason, deal.ended_at = Deal.State.ABANDONED, reason[:200], timezone.now()
    deal.due_at = deal.bot_at = None
    deal.save(update_fields=["state", "reason", "ended_at", "due_at", "bot_at", "on_paper"])
    notify_page(deal.table)
