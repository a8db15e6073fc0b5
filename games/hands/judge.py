"""Whether a reported hand can exist, and what it scores: between the engine, which counts seats, and tables."""

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
    """A hand that cannot exist. `seat` is the one at fault, or None when it is the hand as a whole."""

    def __init__(self, code: str, message: str, *, seat: int | None, name: str = "") -> None:
        super().__init__(code, label_text(name, message) if name else message)
        self.seat = seat


@dataclass(frozen=True)
class HandInput:
    """What was reported of hand `number` at a table.

    `went_out`: a seat; None if nobody went out (blocked). `counts`: False for a hand that time was up for, which has
    no reports.
    """

    number: int
    went_out: int | None = None
    reports: Sequence[SeatReport] = ()
    counts: bool = True

    @classmethod
    def of(cls, hand: Hand) -> "HandInput":
        """What was reported of a recorded hand: all seats of which something is known."""
        return cls(hand.number, hand.went_out, reports_in(hand.seats, hand.went_out), hand.counts)

    @property
    def digest(self) -> str:
        """What an idempotency key stands for: the same content gives the same digest, in whatever order it was sent."""
        # As text: a seat may wrongly come twice, and None sorts with nothing.
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
    """A report that can exist, with what it scores.

    `numbers` are the seats of the table that are dealt in, ascending. `checked` and `scores` count these from 0, as the
    engine does, which does not know who is out; `went_out` and `reports` name seats of the table.
    """

    checked: CheckedHand
    scores: HandScores
    reports: tuple[SeatReport, ...]
    numbers: tuple[int, ...]
    went_out: int | None


def judge(*, table: Table, seats: Sequence[Seat], hand: HandInput) -> Judged:
    """Ask the engine whether such a hand can exist and what it scores. Changes nothing. Raises `HandRefused`.

    `seats` are those that are dealt in; the hand names them by their number at the table.
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
    """Raises `HandRefused` for a hand that names a seat of the table where nobody is dealt in."""
    named = {report.seat for report in reports} | (set() if went_out is None else {went_out})
    if not (strangers := named.difference(numbers)):
        return
    sitting = {seat.number: seat for seat in seats_of(table)}
    for number in sorted(strangers):
        if number in sitting:
            message = (
                _("Not dealt in for this hand: choose who did go out.")
                if number == went_out
                else _("Not dealt in for this hand: leave their cards and points empty.")
            )
            raise HandRefused("not-dealt-in", message, seat=number, name=person(sitting[number]))
        if number in range(len(numbers)):  # the engine would take it for another seat
            raise HandRefused("not-dealt-in", _("Nobody was dealt in at this seat: look again who plays."), seat=number)


def as_json(judged: Judged) -> list[dict[str, Any]]:
    """By seat, with the cards sorted, so that equal reports are equal values."""
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
    """Return what was reported, from rows as `as_json` writes them: all seats of which something is known."""
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
    """Who was dealt in for a hand that does not count, in the shape of `as_json`."""
    return [{"seat": seat.number, "cards": None, "cards_left": None, "points_left": None} for seat in seats]


def agrees(standing: Hand, judged: Judged | None) -> bool:
    """Whether two reports say the same; what only one of them says is no difference. None: it does not count."""
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
    """A hand as the log keeps it, with who played it, since others may sit there when the row is read; for teams, whom
    they sent. The ledger follows from this alone: games/hands/audit.py compares them. seats: who was dealt in, where
    the hand has just been written."""
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
