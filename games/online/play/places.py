"""The players at the places of a deal."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from games.hands.seats import person
from games.models import Deal
from league.access.table_rows import read_once, rows_stand
from league.models import Entry, Player, Seat

# Key in items of `Deal.places`: the bot that plays this hand, although its seat is now a person's.
BOT_WAS = "bot_was"
ABSENT = "absent"  # in place of a bot's kind: no one plays; each turn draws a card
LEFT = "left"  # in place of a bot's kind: the player left, and a careful bot plays until they return


@dataclass(frozen=True)
class Place:
    """The place of a player in a deal. `at` is the engine's seat, `seat.number` the table's."""

    at: int
    seat: Seat
    name: str
    data: dict[str, Any]  # its item of `Deal.places`

    @property
    def entry(self) -> Entry:
        entry: Entry = self.seat.entry
        return entry

    @property
    def bot(self) -> str:
        """Return the kind of bot that plays now, ABSENT, LEFT, or empty if a person plays."""
        return str(self.data["bot"])

    @property
    def is_bot(self) -> bool:
        """Return whether no person will ever play this place."""
        return bool(self.entry.bot) or BOT_WAS in self.data


def places_of(deal: Deal) -> list[Place]:
    """Return the places by engine seat, as when the deck was sealed, even if other players sit there now."""
    tournament = deal.table.round.tournament
    seated: dict[int, Entry] = getattr(tournament, "kept", {}).get("seated", {})
    keys = [item["entry"] for item in deal.places]
    entries = seated if all(key in seated for key in keys) else None
    substitutes = [item["played_by"] for item in deal.places if item["played_by"]]
    if entries is not None and not substitutes and rows_stand():  # readers share the seats
        seats = read_once(tournament, f"seats of {deal.table_id}", deal.pk, lambda: _seats(deal, seated, {}))
    else:
        if entries is None:
            entries = Entry.objects.select_related("player").in_bulk(keys)
        seats = _seats(deal, entries, Player.objects.in_bulk(substitutes) if substitutes else {})
    return [
        Place(at, seat, item.get(BOT_WAS) or name, item)
        for at, ((seat, name), item) in enumerate(zip(seats, deal.places, strict=True))
    ]


def _seats(deal: Deal, entries: Mapping[int, Entry], substitutes: Mapping[int, Player]) -> list[tuple[Seat, str]]:
    """Return (seat, name of its player) for each place."""
    seats = []
    for item in deal.places:
        entry = entries.get(item["entry"]) or _gone_entry(deal, item["entry"])
        if entry.member != (member := item.get("member", 0)):
            entry = copy(entry)
            entry.member = member
        substitute = substitutes.get(item["played_by"]) if item["played_by"] else None
        seat = Seat(
            round=deal.table.round,
            table=deal.table,
            number=item["seat"],
            entry=entry,
            member=member,
            substitute=substitute,
        )
        seats.append((seat, substitute.name if substitute else person(seat)))
    return seats


def _gone_entry(deal: Deal, key: int) -> Entry:
    """Return a substitute for an entry that lost its place before the deal (games.hands.in_play)."""
    return Entry(pk=key, tournament=deal.table.round.tournament, player=Player(name="–"))


def names_of(places: Sequence[Place]) -> list[str]:
    return [place.name for place in places]


def new_place(seat: Seat, *, bank_seconds: int, bot: str = "") -> dict[str, Any]:
    """Return an item of `Deal.places`; bots are always ready."""
    bot = seat.entry.bot or bot
    return {
        "seat": seat.number,
        "entry": seat.entry_id,
        "member": seat.member,
        "played_by": seat.substitute_id,
        "bot": bot,
        "ready": bool(bot),
        "promised": None,
        "entropy": None,
        "bank": bank_seconds * 1000,
        "misses": 0,
    }


def own_copy(places: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a deep copy of `Deal.places` to change, since others read the cached ones."""
    return [{name: list(value) if isinstance(value, list) else value for name, value in at.items()} for at in places]


def place_of(places: Sequence[Place], entry: Entry | None) -> Place | None:
    return next((place for place in places if entry is not None and plays(place.data, entry)), None)


def plays(place: dict[str, Any], entry: Entry) -> bool:
    """Return whether an item of `Deal.places` is this entry's own. A bot's place stays the bot's for the hand."""
    return place["entry"] == entry.pk and place.get("member", 0) == entry.member and BOT_WAS not in place
