"""The deals of a table: which hand is to be played, the sealed deck, who is ready, and the first card.

The order of steps is that of docs/rules.md, "The shuffle": the commitment stands in the row before anybody is asked,
browsers promise what they will add, and open it only when all have promised; then the deck is made of both.
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
from games.online.play.places import BOT_WAS, LEFT, Place, names_of, new_place, own_copy, place_of, places_of
from games.online.play.replay import deal_out, replay
from games.online.play.tell import tell_page
from league.access.table_rows import at_table, copy_row
from league.access.viewer import Attribution
from league.ledger.dealer import next_dealer
from league.ledger.progress import PLAYING, hands_in, race_of, table_now, to_be_dealt_in
from league.lib.errors import Conflict, Refused
from league.lib.prepared_sql import PreparedQuery, PreparedRow
from league.log.write import note_at_table, player_in_log
from league.models import Entry, Seat, Table, Tournament
from league.rounds import first_deal

OPENS_WITHIN = timedelta(seconds=10)  # browsers do it by themselves
MOST_REFUSALS = 2  # of one player for a hand: then it is dealt without their entropy


def settings_of(tournament: Tournament) -> OnlineSettings:
    """The settings, kept with a kept tournament (league/access/table_rows.py): every change writes a row in its log."""
    known: dict[str, OnlineSettings] = getattr(tournament, "kept", {})
    if "settings" not in known:
        row = OnlineSettings.objects.filter(tournament=tournament).first()
        known["settings"] = row or OnlineSettings(tournament=tournament)
    return known["settings"]


def open_deal(table: Table) -> Deal | None:
    """The hand that is played now, or waits for its players."""
    return table.deals.open().first()


def latest_deal(table: Table, *, locked: bool = False) -> Deal | None:
    """The open hand, else the last one that was played to its end. Look at it, but do not change it.

    It is kept with a kept tournament (league/access/table_rows.py) as long as nothing happens in play: whoever changes
    what a deal shows calls `tell_page`, or writes a row in the log. In a transaction it is read anew, since
    that may have changed it; not if the table was `locked` before its row was read, and nothing is changed yet. And
    while the tournament is paused, since its clocks are put off every second and nobody is told (pulse.py).
    """
    known: dict[str, tuple[int, Deal | None]] = getattr(table.round.tournament, "kept", {})
    version, deal = known.get(f"deal {table.pk}", (None, None))
    paused = table.round.tournament.paused_at is not None
    if version != table.play_version or paused or (connection.in_atomic_block and not locked):
        deal = _latest.first(table.pk, *_SHOWN)
        keep_deal(table, deal)
    if deal is not None:
        deal = copy_row(deal)
        deal.table = table
    return deal


def keep_deal(table: Table, deal: Deal | None) -> None:
    """Keep the table's latest deal. It must be as committed together with this state of the table's row."""
    if not connection.in_atomic_block:
        known: dict[str, tuple[int, Deal | None]] = getattr(table.round.tournament, "kept", {})
        known[f"deal {table.pk}"] = table.play_version, deal


_SHOWN = (Deal.State.WAITING.value, Deal.State.PLAYING.value, Deal.State.OVER.value)
_latest = PreparedRow(Deal, lambda: Deal.objects.filter(table=1).filter(state__in=_SHOWN).order_by("-id")[:1])


def next_deal(table: Table, *, after: Deal | None = None) -> Deal | None:
    """The hand to be played at the table now, sealed if it was not; None if none is to be played online.

    The caller holds the table's lock. Abandons a sealed deck for people who do not sit there any more, or for a hand
    that is recorded; does not touch a hand in play. after: the hand that has just been played to its end there.
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
    """The next empty hand and who is dealt in; `hands` are those that are in, as of `hands_in`."""

    number: int
    seats: list[Seat]
    hands: dict[int, list[int]]


def _next_hand(table: Table, *, settled: bool = False) -> _NextHand | None:
    """None if no hand is to be played online now. settled: the table's state has been set in this transaction."""
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
    """Whether a deck was sealed for this hand and for these people."""
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
    """Give a waiting deal its seed and its dealer, drawn from this very seed if nobody deals yet (DEAL-1).

    If the deal of an earlier draw was never dealt, draw anew, since its seed is never opened. Saves the deal.
    hands: those that are in at the table, if they are known.
    """
    deal.seed, deal.commitment, deal.dealer = seed, commitment(seed), 0
    table, here = deal.table, [seat.number for seat in seats if seat.number is not None]
    drawn = (table.first_deal or {}).get("deal")
    if drawn is not None and Deal.objects.filter(pk=drawn, dealt_at=None).exists():
        table.first_deal = None
    dealer = next_dealer(table, deal.number, here=here, hands=hands)
    if dealer is None:
        deal.save()  # its key is kept with the draw
        first_deal.decide(table, seats, below=chooser(dealer_numbers(seed)), deal=deal.pk, by=Attribution())
        dealer = next_dealer(table, deal.number, here=here, hands=hands)
    assert dealer is not None
    deal.dealer = here.index(dealer)
    deal.save()


def _bots_of(last: Deal | None) -> dict[tuple[int, int], str]:
    """{(key of the entry, member): what plays for them} of those who were absent at the end of the hand before."""
    absent = [place for place in last.places if place["bot"] and BOT_WAS not in place] if last else []
    return {(place["entry"], place.get("member", 0)): place["bot"] for place in absent}


def lock_kept_table(table_id: int) -> Table:
    """As `games.hands.locks.lock_table`, but reads the kept table where that is still right."""
    _lock.first(table_id)
    here = at_table(table_id)
    assert here is not None
    return here.table


_lock = PreparedQuery(lambda: Table.objects.select_for_update().order_by().filter(pk=1).values_list("pk"))


@transaction.atomic
def get_ready(*, table_id: int, deal_id: int, entry: Entry, promised: str | None = None) -> Deal:
    """Take somebody's word that they are there, and what they promise for the shuffle (its SHA-256, lower-case hex).

    When all are ready, those who promised are asked to open it (`open_entropy`); without promises the last one starts
    the hand. Said twice, it counts once, and the first promise stands; a promise that comes while others open theirs
    does not count. Raises `Conflict` when the hand has begun or is gone.
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
    if deal.due_at is None:  # nobody was there when the time was over: it begins with the first
        deal.asked_at = timezone.now()
        deal.due_at = waits_until(settings_of(deal.table.round.tournament), deal.asked_at, first=True)
    _start_if_ready_and_right(deal)
    tell_page(deal.table)
    return deal


@transaction.atomic
def open_entropy(*, table_id: int, deal_id: int, entry: Entry, entropy: bytes) -> Deal:
    """Take what somebody opens of their promise; the last one starts the hand. Opened twice, it counts once.

    Nothing is taken before everybody has promised: else whoever reads the database and promises last could choose the
    cards. Raises `Conflict` then and when the hand is gone, `Refused` for entropy that was not promised.
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
    tell_page(deal.table)
    return deal


@transaction.atomic
def leave(*, table_id: int, entry: Entry) -> bool:
    """Let a bot play for somebody who leaves the table, from now on and until they are back. Whether one does."""
    deal = latest_deal(lock_kept_table(table_id), locked=True)
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
    tell_page(deal.table)
    return True


def _lock_waiting(table_id: int, deal_id: int, entry: Entry) -> tuple[Deal, Place]:
    """The table's hand, with the table locked, and somebody's place in it."""
    deal = latest_deal(lock_kept_table(table_id), locked=True)
    if deal is None or deal.pk != deal_id or deal.state == Deal.State.OVER:
        raise _is_gone()
    deal.places = own_copy(deal.places)
    place = place_of(places_of(deal), entry)
    if place is None:
        raise Conflict("not-dealt-in", _("You don’t play in this hand."))
    return deal, place


def _start_if_ready_and_right(deal: Deal) -> None:
    """As `start_if_ready`; raises `Conflict` where others are to play by now, and the sweeper has not sealed for them
    yet. A deck that only waits is not asked about: that costs five queries, for each who is ready."""
    start_if_ready(deal)
    if (deal.opening or deal.state == Deal.State.PLAYING) and not _is_of(deal, _next_hand(deal.table)):
        raise _is_gone()


def _is_gone() -> Conflict:
    return Conflict("gone", _("This hand is no longer open. Check the table."))


def unopened_places(deal: Deal) -> list[dict[str, Any]]:
    """The places that promised something and have not opened it, without those that a bot plays by now."""
    return [place for place in deal.places if place.get("promised") and place["entropy"] is None and not place["bot"]]


def refused_too_often(deal: Deal, place: dict[str, Any]) -> bool:
    """Whether somebody has twice not opened their promise for this hand: then it is dealt without their entropy."""
    times = sum(
        (item["entry"], item.get("member", 0)) == (place["entry"], place.get("member", 0))
        for before in deal.table.deals.filter(number=deal.number, state=Deal.State.ABANDONED, opening=True)
        for item in before.places
        if "refused" in item
    )
    return times >= MOST_REFUSALS


def seal_anew(deal: Deal) -> None:
    """Seal a new deck, since somebody has not opened their promise; nothing was dealt. Page and log say who it was.

    Those who opened are asked by their browsers once more (`again`). The caller holds the table's lock.
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
    """Let somebody play on for whom a bot plays, or nobody. If it is their turn, their time begins now."""
    if place.is_bot or not place.bot:
        return
    mark_back(place.data)
    _restart_clock(deal)
    tell_page(deal.table)


def _restart_clock(deal: Deal) -> None:
    """Set whose time runs after a person or a bot has taken a seat in play. Saves the deal."""
    played = replay(deal, [""] * len(deal.places))
    set_clock(deal, played, settings_of(deal.table.round.tournament), timezone.now(), asked_anew=False)
    deal.save()


def start_if_ready(deal: Deal, *, anyway: bool = False) -> None:
    """Deal the cards if everybody is ready, or `anyway`. While play is paused, the sweeper does it afterwards.

    Those who promised something for the shuffle must open it first. Saves the deal; the caller holds the table's lock.
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
    """Break off a hand, which counts for nobody. The caller holds the table's lock."""
    deal.state, deal.reason, deal.ended_at = Deal.State.ABANDONED, reason[:200], timezone.now()
    deal.due_at = deal.bot_at = None
    deal.save(update_fields=["state", "reason", "ended_at", "due_at", "bot_at", "on_paper"])
    tell_page(deal.table)
