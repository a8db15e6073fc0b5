"""What stands on a table's page beside its form: the last hand, where to go on, what has just happened."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games import sheet
from games.disputes import may_confirm, report_of
from games.forms import ReportForm
from games.models import Dispute, Hand
from league.access import Access
from league.formats import FORMATS
from league.models import Deadline, Entry, Seat, Table
from league.progress import PLAYING, is_race, missing_tables, table_now

NOTE = "hand_note"  # in the session: (hand, what happened to it), for the next page


def entry(table: Table, form: ReportForm) -> dict[str, Any]:
    """What the fields and the pad of card faces need."""
    stage = table.round.stage
    edition = sheet.edition_of(table)
    places = [row | {"at": at} for row, at in zip(form.rows(), sheet.SIDES_OF_THE_TABLE, strict=True)]
    return {
        "table": table,
        "form": form,
        "rows": places,
        "keys": sheet.pad(edition),
        "specials": [sheet.face(edition, code) for code in edition.specials],
        "partner_free": stage.has_partners and stage.scoring == "winner-takes",
    }


def empty_slots(table: Table, filled: Container[int]) -> list[int]:
    """The hands that may be entered: of a Challenge UNO the next one alone, since it decides who is dealt in after."""
    if is_race(table.round.stage):
        now = table_now(table)
        return [now.played + 1] if now.state == PLAYING else []
    return [number for number in range(1, (table.hands_wanted or 0) + 1) if number not in filled]


def latest(access: Access, table: Table, hands: list[Hand], links: Sequence[int]) -> Hand | None:
    """The hand that was entered last, if the viewer may take it back; by a link what one of theirs entered."""
    if not table.round.is_open or (table.state == Table.State.CONFIRMED and not access.corrects):
        return None
    latest = max(hands, key=lambda hand: hand.pk, default=None)
    if latest is None or access.corrects:
        return latest
    if access.link is not None and latest.scorer_link_id not in links:
        return None
    if access.entry is not None and latest.player_id != access.entry.pk:
        return None
    return None if latest.pk in objections(table) else latest


def objections(table: Table) -> dict[int, list[Dispute]]:
    """The open disputes of a table, by the key of the hand."""
    found: dict[int, list[Dispute]] = {}
    if table.state == Table.State.DISPUTED:
        open_ones = Dispute.objects.filter(hand__table=table, state=Dispute.State.OPEN)
        for one in open_ones.select_related("player__player"):
            found.setdefault(one.hand_id, []).append(one)
    return found


@dataclass(frozen=True)
class Sides:
    """What a player may do about a table's hands. `reported_by` is empty when it was no player.

    `confirmers` are the players who may confirm.
    """

    may_confirm: bool
    reported_by: str
    confirmers: list[str]
    may_dispute: bool


def sides(access: Access, table: Table, seats: list[Seat], hands: list[Hand]) -> Sides:
    mine = next((seat for seat in seats if access.entry and seat.entry_id == access.entry.pk), None)
    report = report_of(table, hands)
    reported = table.state == Table.State.REPORTED
    return Sides(
        may_confirm=reported and mine is not None and may_confirm(report, mine),
        reported_by=str(report.hand.player or "") if report else "",
        confirmers=[seat.entry.player.name for seat in seats if may_confirm(report, seat)],
        may_dispute=mine is not None and table.state != Table.State.CONFIRMED,
    )


def by_itself_at(table: Table) -> datetime | None:
    """When a reported table is confirmed if nobody objects."""
    if table.state != Table.State.REPORTED:
        return None
    clock = Deadline.objects.pending().filter(table=table, kind=Deadline.Kind.CONFIRM)
    return clock.values_list("due_at", flat=True).last()


def dealer(table: Table, seats: list[Seat], number: int | None) -> str:
    if number is None or number < 1:
        return ""
    dealer: Entry = seats[FORMATS[table.round.stage.format].dealer_seat(number)].entry
    return dealer.player.name


def elsewhere(access: Access, table: Table) -> list[dict[str, Any]]:
    """The other tables of the round that the viewer may enter, with hands to come; those after this one first."""
    if access.entry is not None:
        return []
    others = [(other, played) for other, played in missing_tables(table.round) if other.pk != table.pk]
    if access.link is not None:
        others = [(other, played) for other, played in others if access.link.covers(other.number)]
    others.sort(key=lambda one: (one[0].number < table.number, one[0].number))
    return [{"table": other, "hands": played} for other, played in others]


def note(request: HttpRequest, table: Table, seats: list[Seat]) -> dict[str, Any] | None:
    """What just happened to a hand, once: to whoever looks, and not to a script that asks what is new."""
    if request.method == "HEAD" or "Wild-Live" in request.headers:
        return None
    kept = request.session.pop(NOTE, None)
    hand = Hand.objects.filter(table=table, pk=kept[0]).first() if kept else None
    if hand is None:
        return None
    what = kept[1]
    if hand.voided_at is not None:
        gone = _("Hand %(number)d was taken back and stays in the history. Correct it below and save it anew.")
        sent = _("This form was sent before, and its hand was taken back since. Enter hand %(number)d anew.")
        return {"text": (sent if what == "gone" else gone) % {"number": hand.number}, "hand": None}
    shown = sheet.shown(table, seats, [hand])
    result = shown[0].sentence if shown else ""
    sentences = {
        "saved": _("Hand %(number)d saved: %(result)s."),
        "corrected": _("Hand %(number)d corrected: %(result)s."),
        "same": _("This hand was in already, with the same result: %(result)s."),
        "unchanged": _("Nothing was changed: hand %(number)d was like this already."),
    }
    text = sentences.get(what, sentences["saved"]) % {"number": hand.number, "result": result}
    undo = what == "saved" and table.round.is_open
    return {"text": text, "hand": hand if undo else None}
