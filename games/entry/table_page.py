"""What a table's page shows beside its form: the last hand, where to go on, what has just happened."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.entry import sheet
from games.entry.forms import ReportForm
from games.hands import points_game, race_game
from games.hands.disputes import may_confirm, report_of
from games.hands.seats import person
from games.models import Dispute, Hand
from league.access import Access, HeldLink
from league.formats.seating import dealer
from league.ledger.dealer import first_dealer
from league.ledger.progress import ENDED, PLAYING, TableNow, closed_early, hands_are_in_order, hands_in, tables_now
from league.ledger.race import RaceLedger
from league.models import Deadline, Entry, Seat, Table
from league.public import table_plan

NOTE = "hand_note"  # in the session: [hand, what happened to it], for the next page, which appends True
MOST_IN_THE_DOCK = 6  # players; the effect of a hand on more of them fills a phone, so it stands below the pad


def entry(
    table: Table,
    form: ReportForm,
    everyone: Sequence[Seat] = (),
    race: RaceLedger | None = None,
    me: Entry | None = None,
) -> dict[str, Any]:
    """What the fields and the pad of card faces need: those who are dealt in, where they sit, `me` at the bottom.

    `everyone` at the table, and the `race` of a Challenge UNO, tell who is out or has left, and how many points the
    others have.
    """
    stage = table.round.stage
    edition = sheet.edition_of(table)
    totals = {total.seat: total for total in totals_of(table, everyone, race)}
    rows = form.rows()
    chairs = 1 + max([row["seat"] for row in rows] + [seat.number or 0 for seat in everyone], default=0)
    first = next((seat.number or 0 for seat in everyone if me and seat.entry_id == me.pk), 0)

    def place(number: int) -> str:
        if stage.has_partners:
            return table_plan.COMPASS[number]
        return table_plan.place((number - first) % chairs, chairs)

    for row in rows:
        row |= {"at": place(row["seat"]), "total": totals.get(row["seat"])}
    away = [total for number, total in totals.items() if number not in form.by_number]
    return {
        "table": table,
        "form": form,
        "rows": rows,
        "ring": "" if stage.has_partners else table_plan.ring(chairs),
        "away": [{"at": place(total.seat), "total": total} for total in away],
        "crowded": len(rows) > MOST_IN_THE_DOCK,
        "keys": sheet.pad(edition),
        "specials": [sheet.face(edition, code) for code in edition.specials],
        "partner_free": stage.has_partners and stage.scoring == "winner-takes",
        "blocked_free": stage.scoring == "winner-takes",
    }


def totals_of(
    table: Table, seats: Sequence[Seat], race: RaceLedger | None
) -> Sequence[race_game.Total | points_game.Total]:
    """The totals of these seats where everybody plays alone; empty where there are partners."""
    return race_game.totals(table, seats, race) if race else points_game.totals(table, seats)


def empty_slots(table: Table, filled: Container[int], now: TableNow | None = None) -> list[int]:
    """The hands that may be entered: only the next one where it decides what comes after it.

    `now` is what the table has done and lacks, if that is more than a number of hands.
    """
    if now is not None and now.state != PLAYING:
        return []
    if now is not None and hands_are_in_order(table.round):
        return [now.played + 1]
    return [number for number in range(1, (table.hands_wanted or 0) + 1) if number not in filled]


def why_over(
    table: Table, empty: Sequence[int], now: TableNow | None, everyone: Sequence[Seat], race: RaceLedger | None
) -> str:
    """Why there is no next hand at a table that has not had all hands of its round; else empty."""
    if race is not None and now is not None and (sentence := race_game.why_over(now, everyone, race)):
        return sentence
    if race is None and (sentence := points_game.why_over(table)):
        return sentence
    if race is None and now is not None and now.state == ENDED:
        return _("Fewer than two players are left at this table, so it has ended.")
    return _("It was closed before all hands of the round were played.") if not empty and closed_early(table) else ""


def latest(access: Access, table: Table, hands: list[Hand], links: Sequence[HeldLink]) -> Hand | None:
    """The hand that was entered last, if the viewer may take it back; with a link, only a hand that it entered."""
    if not table.round.is_open or (table.state == Table.State.CONFIRMED and not access.corrects):
        return None
    latest = max(hands, key=lambda hand: hand.pk, default=None)
    if latest is None or access.corrects:
        return latest
    if access.link is not None and latest.scorer_link_id not in dict(links):
        return None
    if access.entry is not None and latest.player_id != access.entry.pk:
        return None
    return None if latest.pk in objections(table) else latest


def objections(table: Table) -> dict[int, list[Dispute]]:
    """The open disputes of a table, by the key of the hand."""
    by_hand: dict[int, list[Dispute]] = {}
    if table.state == Table.State.DISPUTED:
        open_ones = Dispute.objects.filter(hand__table=table, state=Dispute.State.OPEN)
        for dispute in open_ones.select_related("player__player"):
            by_hand.setdefault(dispute.hand_id, []).append(dispute)
    return by_hand


@dataclass(frozen=True)
class Sides:
    """What a player may do about a table's hands. `reported_by` is empty when it was no player.

    `confirmers` are the players who may confirm.
    """

    may_confirm: bool
    reported_by: str
    confirmers: list[str]
    may_dispute: bool


def sides(access: Access, table: Table, everyone: Sequence[Seat], hands: list[Hand]) -> Sides:
    """`everyone` at the table: who is out by now may confirm or dispute what they played too."""
    mine = next((seat for seat in everyone if access.entry and seat.entry_id == access.entry.pk), None)
    report = report_of(table, hands)
    reported = table.state == Table.State.REPORTED
    return Sides(
        may_confirm=reported and mine is not None and may_confirm(report, mine),
        reported_by=str(report.hand.player or "") if report else "",
        confirmers=list(dict.fromkeys(str(seat.entry) for seat in everyone if may_confirm(report, seat))),
        may_dispute=mine is not None and table.state != Table.State.CONFIRMED,
    )


def by_itself_at(table: Table) -> datetime | None:
    """When a reported table confirms itself if nobody objects."""
    if table.state != Table.State.REPORTED:
        return None
    clock = Deadline.objects.pending().filter(table=table, kind=Deadline.Kind.CONFIRM)
    return clock.values_list("due_at", flat=True).last()


def dealers(table: Table, dealt: Sequence[Seat], hands: Sequence[int]) -> dict[int, str]:
    """Who deals these hands, if `dealt` are dealt in for the hands to come."""
    played: dict[int, list[int]] = {}
    if not table.round.stage.drawn_ahead:
        played = hands_in([table])[table.pk]
    here = {seat.number or 0: seat for seat in dealt}
    if not here:
        return {}
    first = first_dealer(table, begun=bool(played))
    if first is None:
        return {}
    in_order = (played.get(hand, here) for hand in range(1, max(hands, default=0) + 1))
    numbers = dealer.dealers(in_order, first.seat)
    return {hand: person(here[at]) for hand, at in enumerate(numbers, start=1) if hand in hands and at in here}


def elsewhere(access: Access, table: Table, race: RaceLedger | None = None) -> list[dict[str, Any]]:
    """The other tables of the round with hands to come that the viewer may enter, the tables after this one first."""
    if access.entry is not None:
        return []
    tables = [
        progress
        for progress in tables_now(table.round, race)
        if progress.state == PLAYING and progress.table.pk != table.pk
    ]
    if access.link is not None:
        tables = [progress for progress in tables if access.link.covers(progress.table.number)]
    tables.sort(key=lambda progress: (progress.table.number < table.number, progress.table.number))
    return [{"table": progress.table, "hands": progress.played, "of": progress.hands_wanted} for progress in tables]


def note(
    request: HttpRequest, table: Table, race: RaceLedger | None = None, latest: Hand | None = None
) -> dict[str, Any] | None:
    """What just happened to a hand, told once to whoever looks. An open page that asks again keeps it while it holds.

    `latest` is the hand that the viewer may take back.
    """
    memo = request.session.get(NOTE)
    if request.method == "HEAD" or not memo:
        return None
    open_page = "Wild-Live" in request.headers
    if not open_page:
        if len(memo) > 2:
            del request.session[NOTE]
            return None
        request.session[NOTE] = [*memo, True]
    hand = Hand.objects.filter(table=table, pk=memo[0]).first()
    if hand is None:
        return None
    event = memo[1]
    if event in ("disputed", "withdrawn", "agreed"):
        return _note_of_a_side(table, hand, event)
    if hand.voided_at is not None:
        # Decided, corrected or taken back by somebody else while the page was open: another note would be needed.
        replaced = Hand.objects.living().filter(table=table, number=hand.number).exists()
        if open_page and (replaced or event not in ("void", "gone")):
            return None
        gone = _("Hand %(number)d was taken back and stays in the history. Correct it below and save it anew.")
        sent = _("This form was sent before, and its hand was taken back since. Enter hand %(number)d anew.")
        return {"text": (sent if event == "gone" else gone) % {"number": hand.number}, "hand": None}
    lines = sheet.hand_lines(table, [hand], race)
    result = lines[0].sentence if lines else ""
    sentences = {
        "saved": _("Hand %(number)d saved: %(result)s."),
        "corrected": _("Hand %(number)d corrected: %(result)s."),
        "undone": _("Hand %(number)d corrected: %(result)s. The round after it is taken back: go on under “Now”."),
        "same": _("This hand was in already, with the same result: %(result)s."),
        "unchanged": _("Nothing was changed: hand %(number)d was like this already."),
    }
    text = sentences.get(event, sentences["saved"]) % {"number": hand.number, "result": result}
    undo = event == "saved" and table.round.is_open and hand == latest
    return {"text": text, "hand": hand if undo else None}


def _note_of_a_side(table: Table, hand: Hand, event: str) -> dict[str, Any] | None:
    """A player's word on a hand, or on the whole table ("agreed"); None once that was decided or changed."""
    holds, text = {
        "disputed": (
            hand.pk in objections(table),
            _("Noted, beside what was reported. A director looks at both and decides."),
        ),
        "withdrawn": (
            hand.voided_at is None and hand.pk not in objections(table),
            _("Withdrawn. The hand stands as it was reported."),
        ),
        "agreed": (table.state == Table.State.CONFIRMED, _("Confirmed. Thank you.")),
    }[event]
    return {"text": text, "hand": None} if holds else None
