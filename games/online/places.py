"""Who sits at the places of a deal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.models import Deal
from games.seats import person
from league.models import Entry, Player, Seat

ABSENT = "absent"  # in the place of a bot's kind: nobody plays, the cards are drawn and kept


@dataclass(frozen=True)
class Place:
    """One of those who are dealt in. `at` is the engine's seat, `seat.number` the table's."""

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
        """The kind of bot that plays now, ABSENT, or empty where a person does."""
        return str(self.data["bot"])

    @property
    def is_bot(self) -> bool:
        """Whether no person will ever come."""
        return bool(self.entry.bot)


def places_of(deal: Deal) -> list[Place]:
    """By the engine's seats, as they were when the deck was sealed, whoever sits at the table now."""
    seated: dict[int, Entry] = getattr(deal.table.round.tournament, "kept", {}).get("seated", {})
    wanted = [one["entry"] for one in deal.places]
    known = all(key in seated for key in wanted)
    entries = seated if known else Entry.objects.select_related("player").in_bulk(wanted)
    substitutes = [one["played_by"] for one in deal.places if one["played_by"]]
    standing_in = Player.objects.in_bulk(substitutes) if substitutes else {}
    places = []
    for at, one in enumerate(deal.places):
        substitute = standing_in.get(one["played_by"]) if one["played_by"] else None
        seat = Seat(
            round=deal.table.round,
            table=deal.table,
            number=one["seat"],
            entry=entries.get(one["entry"]) or _gone(deal, one["entry"]),
            substitute=substitute,
        )
        places.append(Place(at, seat, substitute.name if substitute else person(seat), one))
    return places


def _gone(deal: Deal, key: int) -> Entry:
    """In the place of somebody whose own was given to another before the cards were dealt (games.in_play)."""
    return Entry(pk=key, tournament=deal.table.round.tournament, player=Player(name="–"))


def names_of(places: Sequence[Place]) -> list[str]:
    return [place.name for place in places]


def new_place(seat: Seat, *, bank_seconds: int, bot: str = "") -> dict[str, Any]:
    """An item of `Deal.places`; bots are always ready."""
    bot = seat.entry.bot or bot
    return {
        "seat": seat.number,
        "entry": seat.entry_id,
        "played_by": seat.substitute_id,
        "bot": bot,
        "ready": bool(bot),
        "entropy": None,
        "bank": bank_seconds * 1000,
        "misses": 0,
    }


def place_of(places: Sequence[Place], entry: Entry | None) -> Place | None:
    return next((place for place in places if entry is not None and place.entry.pk == entry.pk), None)
