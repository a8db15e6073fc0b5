"""The changes in a log row, with old and new values in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import HandScore, LogEntry, Player, Seat, Tournament, entry_name


@dataclass(frozen=True)
class Names:
    """`sitting`: {(round, table): current names by seat}. `people`: {player_id: name}."""

    sitting: Mapping[tuple[int, int], Sequence[str]]
    people: Mapping[str, str]

    def of(self, row: LogEntry, seat: int) -> str | None:
        """Return the name of a seat in a row's hand: by the row, or by the current seats if the row has no ids."""
        hand = row.new if isinstance(row.new, dict) and "seats" in row.new else row.old
        seats: list[dict[str, Any]] = hand["seats"] if isinstance(hand, dict) else []
        line = next((item for item in seats if item["seat"] == seat), {})
        if name := self.people.get(line.get("player_id", "")):
            return name
        names = self.sitting.get((row.round or 0, row.table or 0), ())
        return names[seat] if seat < len(names) else None


FIELDS = {
    "name": gettext_lazy("name"),
    "club": gettext_lazy("club"),
    "starts_on": gettext_lazy("date"),
    "starts_at": gettext_lazy("time"),
    "time_zone": gettext_lazy("time zone"),
    "place": gettext_lazy("place"),
    "visibility": gettext_lazy("who sees it"),
    "paper": gettext_lazy("paper of prints"),
    "players_report": gettext_lazy("players may report hands"),
    "confirm_after": gettext_lazy("minutes until automatic confirmation"),
    "players_leave": gettext_lazy("players may leave without asking"),
    "shows_odds": gettext_lazy("chances are shown"),
    "fee": gettext_lazy("fee"),
    "counts_in_club": gettext_lazy("counts in ratings and seasons"),
    "edition": gettext_lazy("cards"),
    "hands_per_round": gettext_lazy("hands a round"),
    "rounds": gettext_lazy("rounds"),
    "rounds_wanted": gettext_lazy("rounds"),  # its name in older rows
    "cycles": gettext_lazy("cycles"),
    "bye_points": gettext_lazy("what a bye is worth"),
    "table_size": gettext_lazy("most players at a table"),
    "target": gettext_lazy("elimination target"),
    "tie_breaks": gettext_lazy("tie-breaks"),
    "capacity": gettext_lazy("places"),
    "note": gettext_lazy("note"),
    "opens_at": gettext_lazy("sign-up opens"),
    "closes_at": gettext_lazy("sign-up closes"),
    "check_in_opens_at": gettext_lazy("check-in opens"),
    "check_in_closes_at": gettext_lazy("check-in closes"),
}


@dataclass(frozen=True)
class Change:
    label: str
    old: str
    new: str


def names_of(tournament: Tournament) -> Names:
    """Return the names for `changes`; two queries for a whole page."""
    seats = Seat.objects.filter(round__tournament=tournament, table__isnull=False).exclude(round__state="void")
    names: dict[tuple[int, int], list[str]] = {}
    for number, table, name in seats.order_by("round__number", "table__number", "number").values_list(
        "round__number", "table__number", entry_name("entry__")
    ):
        names.setdefault((number, table), []).append(name)
    people = dict(tournament.entries.values_list("public_id", entry_name()))
    if tournament.stage.has_teams:
        played = HandScore.objects.filter(table__round__tournament=tournament).values("played_by")
        people |= dict(Player.objects.filter(pk__in=played).values_list("public_id", "name"))
    return Names(names, people)


def changes(row: LogEntry, names: Names) -> list[Change]:
    """Return the changed fields, for a hand seat by seat. Empty if the row has no old values."""
    if not isinstance(row.old, dict) or not isinstance(row.new, dict):
        return []
    if "seats" in row.old:
        return _changes_of_hand(row, row.old, row.new, names)
    return [
        Change(str(label), value_in_words(row.old.get(field)), value_in_words(row.new.get(field)))
        for field, label in FIELDS.items()
        if row.old.get(field) != row.new.get(field)
    ]


def _changes_of_hand(row: LogEntry, old: dict[str, Any], new: dict[str, Any], names: Names) -> list[Change]:
    def name(seat: int | None) -> str:
        return _("no one") if seat is None else names.of(row, seat) or str(seat)

    lines = []
    if old["went_out"] != new["went_out"]:
        lines.append(Change(_("went out"), name(old["went_out"]), name(new["went_out"])))
    for before, after in zip(old["seats"], new["seats"], strict=False):
        label = _("%(name)s, points left") % {"name": name(before["seat"])}
        if before["points_left"] != after["points_left"]:
            lines.append(Change(label, value_in_words(before["points_left"]), value_in_words(after["points_left"])))
        elif before["cards"] != after["cards"]:
            label = _("%(name)s, cards") % {"name": name(before["seat"])}
            lines.append(Change(label, value_in_words(before["cards"]), value_in_words(after["cards"])))
    return lines


def value_in_words(value: Any) -> str:
    """Return a logged value in words."""
    if isinstance(value, list):
        return " ".join(str(item) for item in value) or _("none")
    if value in ("True", "False"):
        return _("yes") if value == "True" else _("no")
    return _("nothing") if value in (None, "", "None") else str(value)


def outcome(row: LogEntry, names: Names) -> str:
    """Return for example “Ana Lucía went out” for a recorded hand; otherwise an empty string."""
    if row.action != "record" or not isinstance(row.new, dict):
        return ""
    if not row.new.get("counts", True):
        return _("Time was up: it doesn’t count")
    seat = row.new.get("went_out")
    if seat is None:
        return _("No one went out")
    name = names.of(row, seat)
    return _("%(name)s went out") % {"name": name} if name else ""
