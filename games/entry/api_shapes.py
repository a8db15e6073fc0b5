"""API shapes of tables and hands."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Annotated, Any, TypedDict

from django.urls import reverse
from rest_framework import serializers

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.repairs import KEEP, REPAIRS
from games.models import Hand
from league.api.answers import Moment, filled
from league.api.rows import LARGEST
from league.ledger.dealer import BIRTHDAY, CARDS, SCHEDULE, WORD, first_dealer, next_dealer
from league.ledger.progress import COMPLETE, ENDED, PLAYING, STOPPED, dealt_in, race_of, table_now, target_of_round
from league.lib import csv
from league.models import HandScore, Round, Seat, Table, seats_by_table

MOST_SEATS = 10
MOST_CARDS = 200  # no edition's deck has as many
MOST_NUMBER = 99_999
COUNTED, NOT_COUNTED = HAND_STATES = ("counted", "not_counted")


def _number(**settings: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=MOST_NUMBER, **settings)


# --- in --------------------------------------------------------------------------------------------------------------


class SeatIn(serializers.Serializer):
    seat = serializers.IntegerField(min_value=0, max_value=MOST_SEATS - 1)
    cards = serializers.ListField(
        child=serializers.CharField(max_length=8),
        required=False,
        allow_null=True,
        max_length=MOST_CARDS,
        help_text="Codes of the cards left, as B7 or WD",
    )
    cards_left = _number(required=False, allow_null=True)
    points_left = _number(required=False, allow_null=True)


class ReportIn(serializers.Serializer):
    went_out = serializers.IntegerField(
        min_value=0, max_value=MOST_SEATS - 1, allow_null=True, help_text="A seat; null if no one went out (blocked)"
    )
    seats = serializers.ListField(
        child=SeatIn(),
        max_length=MOST_SEATS,
        help_text="Cards, or their number and points, or the points alone. Seats that count for no one may be left out",
    )


class HandIn(ReportIn):
    state = serializers.ChoiceField(
        choices=HAND_STATES,
        default=COUNTED,
        help_text="`not_counted`: time was up before the hand ended. Its slot is closed and no one scores; leave out "
        "`went_out` and `seats`",
    )
    went_out = serializers.IntegerField(
        min_value=0,
        max_value=MOST_SEATS - 1,
        allow_null=True,
        required=False,
        help_text="A seat; null if no one went out (blocked)",
    )
    seats = serializers.ListField(
        child=SeatIn(),
        max_length=MOST_SEATS,
        required=False,
        help_text="Cards, or their number and points, or the points alone. Seats that count for no one may be left out",
    )
    hand = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER, help_text="Its number in the round, from 1")
    seating_version = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST,
        required=False,
        allow_null=True,
        help_text="The table's; 409 if the seating has changed since",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["state"] == COUNTED and (missing := [name for name in ("went_out", "seats") if name not in attrs]):
            required = self.fields["hand"].error_messages["required"]
            raise serializers.ValidationError({name: [required] for name in missing})
        return {"went_out": None, "seats": []} | attrs


class CorrectIn(ReportIn):
    hand = serializers.IntegerField(
        min_value=1,
        max_value=MOST_NUMBER,
        required=False,
        help_text="Its number, as it was recorded. May be left out; a correction can't change it",
    )
    reason = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="Stays in the log")
    repair = serializers.ChoiceField(
        choices=REPAIRS,
        default=KEEP,
        help_text="What is done about seats of the open round, where who is out hangs on this hand: `keep` them, "
        "`reseat` the tables without a hand, or `undo` the round",
    )
    version = serializers.IntegerField(
        min_value=0, max_value=LARGEST, required=False, allow_null=True, help_text="The table's; another is a conflict"
    )


class VoidIn(serializers.Serializer):
    reason = serializers.CharField(max_length=200, default="", allow_blank=True)
    version = serializers.IntegerField(
        min_value=0, max_value=LARGEST, required=False, allow_null=True, help_text="The table's; another is a conflict"
    )


def hand_input(data: Mapping[str, Any], number: int) -> HandInput:
    """Return the content of a checked body as hand `number`."""
    return HandInput(number, data["went_out"], _reports(data["seats"]), data.get("state", COUNTED) == COUNTED)


def _reports(seats: Iterable[dict[str, Any]]) -> list[SeatReport]:
    """Return a report for each seat; skip a seat without values, like an empty field of the page."""
    seat_reports = []
    for seat in seats:
        cards, cards_left, points = seat.get("cards"), seat.get("cards_left"), seat.get("points_left")
        if cards is not None or cards_left is not None or points is not None:
            codes = None if cards is None else tuple(code.strip().upper() for code in cards)
            seat_reports.append(SeatReport(seat["seat"], codes, cards_left, points))
    return seat_reports


class FirstDealerIn(serializers.Serializer):
    seat = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        help_text="The dealer, chosen by the players; without it a draw decides",
    )


# --- out -------------------------------------------------------------------------------------------------------------


class SeatOut(TypedDict):
    seat: int
    player_id: str
    player: str
    played_by: Annotated[str | None, "Who plays there for the player, who gets the points"]
    partner_id: str | None


class HandSeatOut(SeatOut):
    cards: list[str] | None
    cards_left: int | None
    points_left: int | None
    score: int


class HandOut(TypedDict):
    id: int
    table_id: int
    hand: int
    state: Annotated[str, HAND_STATES, "`not_counted`: time was up, so it has no seats and no one scores"]
    went_out: int | None
    source: Annotated[str, HandScore.Source]
    checked: Annotated[bool, "False where a seat gave points alone"]
    recorded_at: Moment
    replaces: Annotated[int | None, "The hand that this one corrects"]
    seats: list[HandSeatOut]


class VoidedOut(HandOut):
    voided_at: Moment
    reason: str


class TableOut(TypedDict):
    id: int
    number: int
    ladder: Annotated[
        int, "2: of the second ladder of heats, of the losers’ side, or the match for third place; else 1"
    ]
    state: Annotated[str, Table.State]
    version: Annotated[int, "Counts every write; send it with corrections"]
    seating_version: Annotated[int, "Counts changes of who sits where; send it with hands"]
    mode: Annotated[str, Table.Mode]
    play: Annotated[
        str | None,
        "Of an online table that is published: the path of its page, which gives the state of play as JSON",
    ]
    seats: list[SeatOut]
    hands: list[HandOut]


class FirstDealerOut(TypedDict):
    seat: int
    by: Annotated[str, (SCHEDULE, CARDS, BIRTHDAY, WORD), "word: chosen by the players"]
    draws: Annotated[
        tuple[tuple[tuple[int, str], ...], ...],
        list[list[list]],
        "Rounds of [seat, card]: what each drew for it, those who tied once more",
    ]


class TableDetail(TableOut):
    tournament: Annotated[str, "Its slug"]
    round: int
    hands_per_round: Annotated[int | None, "Of this table; null: as long as it lasts"]
    target: Annotated[int | None, "Points race: of the game that it plays; else null"]
    progress: Annotated[
        str,
        (PLAYING, COMPLETE, ENDED, STOPPED),
        "Ended: one player is left here; stopped: the rest of the event is over (Challenge UNO)",
    ]
    next_hand: Annotated[int | None, "The first hand that is not in"]
    dealt_in: Annotated[list[int], "The seats of the next hand"]
    first_dealer: Annotated[FirstDealerOut | None, "Null until it is drawn or chosen"]
    dealer: Annotated[int | None, "The seat that deals the next hand, where it is known"]


class RoundOut(TypedDict):
    number: int
    stage: Annotated[int, "The number of its stage"]
    state: Annotated[str, Round.State]
    tables: list[TableOut]
    byes: Annotated[list[str], "player_id of who sits out"]


def rounds_json(rounds: Iterable[Round]) -> list[RoundOut]:
    """Return rounds with tables, seats and living hands, in six queries. Expects loaded stages."""
    rounds = list(rounds)
    used = Table.objects.filter(round__in=rounds).exclude(state=Table.State.VOID)
    tables = list(used.select_related("round__stage").order_by("number"))
    tables_by_key = dict(zip((table.pk for table in tables), tables_json(tables), strict=True))
    sitting_out = Seat.objects.filter(round__in=rounds, table=None).select_related("entry").order_by("entry__number")
    byes = [(seat.round_id, seat.entry.public_id) for seat in sitting_out]
    return [
        {
            "number": played.number,
            "stage": played.stage.number,
            "state": played.state,
            "tables": [tables_by_key[table.pk] for table in tables if table.round_id == played.pk],
            "byes": [player_id for round_id, player_id in byes if round_id == played.pk],
        }
        for played in rounds
    ]


def tables_json(tables: Sequence[Table]) -> list[TableOut]:
    seats = seats_by_table(Seat.objects.filter(table__in=tables).select_related("entry__player", "substitute"))
    hands: dict[int, list[HandOut]] = {table.pk: [] for table in tables}
    for hand in hands_json(Hand.objects.living().filter(table__in=tables).order_by("number")):
        hands[hand["table_id"]].append(hand)
    return [
        filled(
            TableOut,
            table,
            play=_play_address(table),
            seats=_seats_json(table, seats.get(table.pk, [])),
            hands=hands[table.pk],
        )
        for table in tables
    ]


def _play_address(table: Table) -> str | None:
    has_page = table.mode == Table.Mode.ONLINE and table.round.state != Round.State.DRAFT
    return reverse("play", args=[table.pk]) if has_page else None


def table_detail(table: Table) -> TableDetail:
    """Return one table. Expects its round, stage and tournament to be loaded."""
    detail = tables_json([table])[0]
    race, first = race_of(table.round), first_dealer(table, begun=bool(detail["hands"]))
    now = table_now(table, race)
    played = {hand["hand"] for hand in detail["hands"]}
    following = next(hand for hand in count(1) if hand not in played) if now.state == PLAYING else None
    return {
        **detail,
        "tournament": table.round.tournament.slug,
        "round": table.round.number,
        "hands_per_round": table.hands_wanted,
        "target": target_of_round(table.round),
        "progress": now.state,
        "next_hand": following,
        "dealt_in": [seat.number or 0 for seat in dealt_in(table, following, race)] if following else [],
        "first_dealer": filled(FirstDealerOut, first) if first else None,
        "dealer": next_dealer(table, following, race) if following else None,
    }


def _seats_json(table: Table, seats: Sequence[Seat]) -> list[SeatOut]:
    ids = {seat.number: seat.entry.public_id for seat in seats}
    partners = table.round.stage.has_partners
    return [
        {
            "seat": number,
            "player_id": seat.entry.public_id,
            "player": seat.entry.name,
            "played_by": seat.substitute.name if seat.substitute else None,
            "partner_id": ids.get((number + 2) % 4) if partners else None,
        }
        for seat in seats
        if (number := seat.number) is not None
    ]


def hands_json(hands: Iterable[Hand]) -> list[HandOut]:
    """Return hands, living or voided, with the players and scores of each seat.

    The result doesn't depend on later voids or seatings, so a repeated request gets the same answer.
    """
    hands = list(hands)
    scores: dict[tuple[int, int, Any], dict[int, HandScore]] = {}
    rows = HandScore.objects.filter(table__in={hand.table_id for hand in hands})
    for score in rows.select_related("entry__player", "partner", "played_by"):
        scores.setdefault((score.table_id, score.hand, score.recorded_at), {})[score.seat] = score
    return [_hand_json(hand, scores.get((hand.table_id, hand.number, hand.recorded_at), {})) for hand in hands]


def hand_json(hand: Hand) -> HandOut:
    return hands_json([hand])[0]


def _hand_json(hand: Hand, scores: dict[int, HandScore]) -> HandOut:
    return {
        "id": hand.pk,
        "table_id": hand.table_id,
        "hand": hand.number,
        "state": COUNTED if hand.counts else NOT_COUNTED,
        "went_out": hand.went_out,
        "source": hand.source,
        "checked": hand.checked,
        "recorded_at": csv.cell(hand.recorded_at),
        "replaces": hand.replaces_id,
        "seats": [_hand_seat(seat, scores[seat["seat"]]) for seat in hand.seats if seat["seat"] in scores],
    }


def _hand_seat(reported: dict[str, Any], score: HandScore) -> HandSeatOut:
    return {
        "seat": score.seat,
        "player_id": score.entry.public_id,
        "player": score.entry.name,
        "played_by": score.played_by.name if score.played_by else None,
        "partner_id": score.partner.public_id if score.partner else None,
        "cards": reported["cards"],
        "cards_left": score.cards_left,
        "points_left": score.points_left,
        "score": score.score,
    }
