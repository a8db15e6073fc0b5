"""The deals of a table: which hand is to be played, the sealed deck, who is ready, and the first card.

The order of things is that of docs/rules.md, "The shuffle": the commitment stands in the row before any browser's
entropy is taken, and the deck is made of both when everybody is ready.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.shuffle import ENTROPY_BYTES, commitment, fresh_seed
from games.in_play import on_paper
from games.models import Deal, Hand, OnlineSettings
from games.online.clock import is_back, set_clock, waits_until
from games.online.places import BOT_WAS, Place, names_of, new_place, place_of, places_of
from games.online.replay import dealt, replay
from games.online.telling import tell_page
from games.services import lock_table
from league.dealing import next_dealer
from league.errors import Conflict, Refused
from league.models import Entry, Seat, Table, Tournament
from league.progress import PLAYING, dealt_in, race_of, table_now


def settings_of(tournament: Tournament) -> OnlineSettings:
    """Kept with a tournament that is (league/at_table.py): whoever changes them writes a row in its log."""
    kept: dict[str, OnlineSettings] = getattr(tournament, "kept", {})
    if "settings" not in kept:
        found = OnlineSettings.objects.filter(tournament=tournament).first()
        kept["settings"] = found or OnlineSettings(tournament=tournament)
    return kept["settings"]


def open_deal(table: Table) -> Deal | None:
    """The hand that is played now, or waits for its players."""
    return table.deals.open().first()


def next_deal(table: Table) -> Deal | None:
    """The hand to be played at the table now, sealed if it was not; None where none is to be played online.

    The caller holds the table's lock. A sealed deck for people who do not sit there any more, or for a hand that is in,
    is abandoned; a hand in play is not touched.
    """
    deal = open_deal(table)
    if deal is not None and deal.state == Deal.State.PLAYING:
        return deal
    number, seats = _wanted(table)
    if deal is not None:
        if number == deal.number and _same_seats(deal, seats):
            return deal
        abandon(deal, _("Somebody else is to play now."))
    if number is None or len(seats) < 2:
        return None
    return _seal(table, number, seats)


def _wanted(table: Table) -> tuple[int | None, list[Seat]]:
    """The number of the next empty hand, and who is dealt in."""
    played = table.round
    closed = not played.is_open or played.tournament.is_final or table.state == Table.State.VOID
    if table.mode != Table.Mode.ONLINE or closed:
        return None, []
    race = race_of(played)
    if table_now(table, race).state != PLAYING:
        return None, []
    filled = set(Hand.objects.living().filter(table=table).values_list("number", flat=True))
    number = next(one for one in range(1, len(filled) + 2) if one not in filled)
    if on_paper(table, number):
        return None, []
    return number, dealt_in(table, number, race)


def _same_seats(deal: Deal, seats: Sequence[Seat]) -> bool:
    sealed_for = [(one["seat"], one["entry"], one["played_by"]) for one in deal.places]
    return sealed_for == [(seat.number, seat.entry_id, seat.substitute_id) for seat in seats]


def _seal(table: Table, number: int, seats: Sequence[Seat]) -> Deal:
    stage, settings = table.round.stage, settings_of(table.round.tournament)
    dealer = next_dealer(table, number)
    before = _bots_before(table)
    seed = fresh_seed()
    now = timezone.now()
    places = [
        new_place(seat, bank_seconds=settings.bank_seconds, bot=before.get((seat.entry_id, seat.member), ""))
        for seat in seats
    ]
    first = not table.deals.filter(state=Deal.State.OVER).exists()
    return Deal.objects.create(
        table=table,
        number=number,
        rules={
            "edition": stage.edition,
            "scoring": stage.scoring,
            "teams": stage.has_partners,
            "options": list(stage.options),
        },
        dealer=[seat.number for seat in seats].index(dealer),
        seed=seed,
        commitment=commitment(seed),
        places=places,
        made_at=now,
        due_at=waits_until(settings, now, first=first),
    )


def _bots_before(table: Table) -> dict[tuple[int, int], str]:
    """Who was absent at the end of the hand before still is: {(key of the entry, member): what plays for them}."""
    last = table.deals.exclude(state=Deal.State.ABANDONED).order_by("-id").first()
    absent = [one for one in last.places if one["bot"] and BOT_WAS not in one] if last else []
    return {(one["entry"], one.get("member", 0)): one["bot"] for one in absent}


@transaction.atomic
def get_ready(*, table_id: int, deal_id: int, entry: Entry, entropy: bytes | None = None) -> Deal:
    """Somebody says that they are there, and gives entropy for the shuffle. The last one starts the hand.

    Said twice, it counts once, and the first entropy stands. Raises `Conflict` when the hand has begun or is gone, and
    `Refused` for entropy of the wrong length.
    """
    if entropy is not None and not 1 <= len(entropy) <= ENTROPY_BYTES:
        raise Refused("entropy", _("A browser adds 1 to %(most)d bytes to the shuffle.") % {"most": ENTROPY_BYTES})
    table = lock_table(table_id)
    deal = next_deal(table)
    if deal is None or deal.pk != deal_id:
        raise Conflict("gone", _("This hand is not waiting any more. Look at the table as it is now."))
    place = place_of(places_of(deal), entry)
    if place is None:
        raise Conflict("not-dealt-in", _("You are not dealt in for this hand."))
    if deal.state == Deal.State.PLAYING:
        _come_back(deal, place)
        return deal
    said = place.data["ready"] and not place.data["bot"]
    if said and deal.due_at is not None:
        return deal
    if not place.is_bot:
        place.data.update(ready=True, bot="", misses=0)
        if entropy is not None and not said:
            place.data["entropy"] = entropy.hex()
    if deal.due_at is None:  # nobody was there when the time was over: it begins with the first
        deal.asked_at = timezone.now()
        deal.due_at = waits_until(settings_of(table.round.tournament), deal.asked_at, first=True)
    start_if_ready(deal)
    tell_page(table)
    return deal


def _come_back(deal: Deal, place: Place) -> None:
    """Somebody for whom a bot plays, or nobody, plays on themselves. If it is their turn, their time begins now."""
    if place.is_bot or not place.bot:
        return
    is_back(place.data)
    played = replay(deal, [""] * len(deal.places))
    set_clock(deal, played, settings_of(deal.table.round.tournament), timezone.now(), asked_anew=False)
    deal.save()
    tell_page(deal.table)


def start_if_ready(deal: Deal, *, anyway: bool = False) -> None:
    """Deal the cards if everybody is ready, or `anyway`; not while play is paused, then the sweeper does it afterwards.

    Saves the deal; the caller holds the table's lock.
    """
    paused = deal.paused_at or deal.table.round.tournament.paused_at
    if not paused and (anyway or all(one["ready"] for one in deal.places)):
        deal.state, deal.dealt_at = Deal.State.PLAYING, timezone.now()
        set_clock(deal, dealt(deal, names_of(places_of(deal))), settings_of(deal.table.round.tournament), deal.dealt_at)
    deal.save()


def abandon(deal: Deal, reason: str) -> None:
    """A hand that is not played to its end: it counts for nobody. The caller holds the table's lock."""
    deal.state, deal.reason, deal.ended_at = Deal.State.ABANDONED, reason[:200], timezone.now()
    deal.due_at = deal.bot_at = None
    deal.save(update_fields=["state", "reason", "ended_at", "due_at", "bot_at", "on_paper"])
    tell_page(deal.table)
