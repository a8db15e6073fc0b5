"""Check that a reported hand is possible, and score it. Translates between seats of a table and of the engine."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from engine.paper import CheckedHand, ImpossibleHand, SeatReport, check_hand
from engine.rules import EDITIONS
from engine.scoring import HandScores, score_hand
from games.hands.seats import person, seats_of
from games.models import Hand
from league.lib.errors import Refused
from league.lib.translate import label_text, translate
from league.models import HandScore, Seat, Table


class HandRefused(Refused):
    """An impossible hand. `seat` is the seat at fault, None for the hand as a whole."""

    def __init__(self, code: str, message: str, *, seat: int | None, name: str = "") -> None:
        super().__init__(code, label_text(name, message) if name else message)
        self.seat = seat


@dataclass(frozen=True)
class HandInput:
    """The reported result of hand `number` at a table.

    `went_out` is a seat, or None for a blocked hand. `counts` is False if time was up; there are no reports then.
    """

    number: int
    went_out: int | None = None
    reports: Sequence[SeatReport] = ()
    counts: bool = True

    @classmethod
    def of(cls, hand: Hand) -> "HandInput":
        """Return the report of a recorded hand, for all seats with known values."""
        return cls(hand.number, hand.went_out, reports_in(hand.seats, hand.went_out), hand.counts)

    @property
    def digest(self) -> str:
        """Return a digest of the content; independent of the order of reports."""
        # Sort as text, because a seat may be repeated by mistake and None isn't sortable.
        lines = sorted(
            json.dumps(
                [
                    report.seat,
                    sorted(report.cards) if report.cards is not None else None,
                    report.cards_left,
                    report.points_left,
                ]
            )
            for report in self.reports
        )
        body = [self.number, self.went_out, lines] if self.counts else [self.number, "time"]
        return hashlib.sha256(json.dumps(body).encode()).hexdigest()


@dataclass(frozen=True)
class Judged:
    """A possible report with its scores.

    `numbers` are the table's seats that are dealt in, ascending. `checked` and `scores` index these from 0, like the
    engine; `went_out` and `reports` use seats of the table.
    """

    checked: CheckedHand
    scores: HandScores
    reports: tuple[SeatReport, ...]
    numbers: tuple[int, ...]
    went_out: int | None


def judge(*, table: Table, seats: Sequence[Seat], hand: HandInput) -> Judged:
    """Check and score a hand with the engine. Read-only. Raises `HandRefused`.

    `seats` are dealt in; the hand uses their numbers at the table.
    """
    stage, went_out, reports = table.round.stage, hand.went_out, hand.reports
    teams = stage.has_partners
    numbers = tuple(seat.number for seat in seats if seat.number is not None)
    at = {number: index for index, number in enumerate(numbers)}
    if not teams:
        _check_dealt_in(table, numbers, went_out, reports)
    try:
        checked = check_hand(
            EDITIONS[stage.edition],
            players=len(seats),
            went_out=at.get(went_out, went_out) if went_out is not None else None,
            seats=[replace(report, seat=at.get(report.seat, report.seat)) for report in reports],
            teams=teams,
            scoring=stage.scoring,
            turns_counted=table.mode == Table.Mode.ONLINE,
        )
    except ImpossibleHand as exc:
        fault = seats[exc.seat] if exc.seat is not None and 0 <= exc.seat < len(seats) else None
        name, number = (person(fault), fault.number) if fault else ("", exc.seat)
        raise HandRefused(exc.code, translate(exc.sentence), seat=number, name=name) from exc
    scores = score_hand(stage.scoring, checked.points_left, checked.went_out, teams)
    return Judged(checked, scores, tuple(reports), numbers, went_out)


def _check_dealt_in(table: Table, numbers: Sequence[int], went_out: int | None, reports: Sequence[SeatReport]) -> None:
    """Raise `HandRefused` if a hand names a seat that isn't dealt in."""
    named = {report.seat for report in reports} | (set() if went_out is None else {went_out})
    if not (strangers := named.difference(numbers)):
        return
    sitting = {seat.number: seat for seat in seats_of(table)}
    for number in sorted(strangers):
        if number in sitting:
            message = (
                _("Not dealt in for this hand. Choose another player.")
                if number == went_out
                else _("Not dealt in for this hand. Leave cards and points empty.")
            )
            raise HandRefused("not-dealt-in", message, seat=number, name=person(sitting[number]))
        if number in range(len(numbers)):  # the engine would mistake it for another seat
            raise HandRefused("not-dealt-in", _("No player was dealt in at this seat. Check the seats."), seat=number)


def as_json(judged: Judged) -> list[dict[str, Any]]:
    """Return the seats with sorted cards, so that equal reports are equal values."""
    cards = {report.seat: sorted(report.cards) for report in judged.reports if report.cards is not None}
    return [
        {
            "seat": seat,
            "cards": [] if seat == judged.went_out else cards.get(seat),
            "cards_left": judged.checked.cards_left[at],
            "points_left": judged.checked.points_left[at],
        }
        for at, seat in enumerate(judged.numbers)
    ]


def reports_in(rows: Iterable[Mapping[str, Any]], went_out: int | None) -> list[SeatReport]:
    """Return the reports in rows of `as_json`, for all seats with known values."""
    return [
        SeatReport(
            row["seat"],
            None if row["cards"] is None else tuple(row["cards"]),
            row["cards_left"],
            row["points_left"],
        )
        for row in rows
        if row["seat"] != went_out and (row["cards"], row["cards_left"], row["points_left"]) != (None, None, None)
    ]


def nothing_known(seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """Return the seats of a hand that doesn't count, in the shape of `as_json`."""
    return [{"seat": seat.number, "cards": None, "cards_left": None, "points_left": None} for seat in seats]


def agrees(standing: Hand, judged: Judged | None) -> bool:
    """Return whether two reports agree; a value known to only one of them is no difference. None: it doesn't count."""
    if judged is None or not standing.counts:
        return judged is None and not standing.counts
    if standing.went_out != judged.went_out or len(standing.seats) != len(judged.numbers):
        return False
    return all(
        theirs[field] is None or mine[field] is None or theirs[field] == mine[field]
        for theirs, mine in zip(standing.seats, as_json(judged), strict=True)
        for field in ("cards", "cards_left", "points_left")
    )


def in_words(hand: Hand, seats: Sequence[Seat] | None = None) -> dict[str, Any]:
    """Return a hand for the log, with its players, or with a team's players and entry.

    The log alone must reproduce the ledger; games/hands/audit.py compares the two. `seats` were dealt in, if the hand
    has just been written.
    """
    players: list[tuple[int, str, str | None]] = []
    if hand.counts and seats is not None:
        players = [
            (dealt.number or 0, dealt.entry.public_id, dealt.substitute.public_id if dealt.substitute else None)
            for dealt in seats
        ]
    elif hand.counts:
        rows = HandScore.objects.filter(table=hand.table_id, hand=hand.number, recorded_at=hand.recorded_at)
        players = list(rows.values_list("seat", "entry__public_id", "played_by__public_id"))
    of_teams = len({entry for _seat, entry, _player in players}) < len(players)
    ids_by_seat: dict[int, dict[str, str | None]] = {}
    for seat, entry, player in players:
        if of_teams:
            ids_by_seat[seat] = {"player_id": player, "entry": entry}
        else:
            ids_by_seat[seat] = {"player_id": entry, **({"played_by": player} if player else {})}
    return {
        "went_out": hand.went_out,
        "seats": [{**ids_by_seat.get(row["seat"], {}), **row} for row in hand.seats],
        "source": hand.source,
        "recorded_at": hand.recorded_at.isoformat(),
    } | ({} if hand.counts else {"counts": False})
