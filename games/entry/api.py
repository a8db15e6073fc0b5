"""API of tables and hands. Every hand ends in games/hands/record.py, like those of the pages."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.entry import api_shapes as shapes
from games.hands.correct import void_hand
from games.hands.judge import HandRefused
from games.hands.record import record_hand
from games.hands.repairs import repair_hand
from games.models import Hand
from league.access import Access, table_for, tournament_for
from league.access.rights import Can
from league.access.viewer import Attribution
from league.api.answers import documented, filled
from league.api.base import REPLAYED, Answer, ApiView, Checked, account_of, key_reused
from league.api.problems import Problem
from league.lib.csv import cell
from league.lib.errors import Conflict, Refused
from league.models import HandScore
from league.rounds.first_deal import decide_first_dealer

BY_CARDS = {
    "hand": 1,
    "went_out": 0,
    "seats": [{"seat": 1, "cards": ["B7", "GR", "W"]}, {"seat": 3, "cards_left": 2, "points_left": 24}],
}


class Rounds(ApiView):
    @extend_schema(
        operation_id="tournaments_rounds",
        summary="The rounds with their tables, seats and hands; drafts for who may see them",
        responses=documented(list[shapes.RoundOut]),
    )
    def get(self, request: Request, slug: str) -> Response:
        access = tournament_for(request.user, slug)
        return Response(shapes.rounds_json(access.rounds().select_related("stage").order_by("number")))


class TableView(ApiView):
    @extend_schema(
        operation_id="tables_read",
        summary="A table of a published round with its seats and hands",
        responses=documented(shapes.TableDetail),
    )
    def get(self, request: Request, table_id: int) -> Response:
        _access, table = table_for(request.user, table_id)
        return Response(shapes.table_detail(table))


class FirstDealer(ApiView):
    @extend_schema(
        operation_id="tables_first_dealer",
        summary="Draw for the first deal of a paper table, or say who deals",
        description=(
            "Where no schedule says it: points races, Challenge UNO at one table. What was drawn stays: a second draw "
            "answers with the first one, and only a `seat` takes its place. 409 once a hand of the table is in."
        ),
        request=shapes.FirstDealerIn,
        responses=documented(shapes.FirstDealerOut),
    )
    def post(self, request: Request, table_id: int) -> Response:
        _access, table = table_for(request.user, table_id, Can.RECORD)
        data = self.read_body(shapes.FirstDealerIn)

        def decide() -> Answer:
            try:
                first = decide_first_dealer(table=table, seat=data.get("seat"), by=Attribution(account_of(request)))
            except Refused as refused:
                raise _problem(refused) from refused
            return 200, filled(shapes.FirstDealerOut, first)

        return self.once(decide)


class TableHands(ApiView):
    @extend_schema(
        operation_id="tables_record_hand",
        summary="Record a hand",
        description=(
            "201 when this request filled the slot, 200 when an equal hand was in already, 409 with that hand as "
            "`current` when another one is. The same Idempotency-Key and body get the same answer again, with "
            "`Idempotency-Replayed: true`, whatever happened since."
        ),
        request=shapes.HandIn,
        responses={201: documented(shapes.HandOut), 200: documented(shapes.HandOut)},
        examples=[
            OpenApiExample("Seat 0 went out", BY_CARDS, request_only=True),
            OpenApiExample(
                "Points alone",
                {
                    "hand": 2,
                    "went_out": 3,
                    "seats": [{"seat": 0, "points_left": 31}, {"seat": 2, "points_left": 8}],
                },
                request_only=True,
            ),
            OpenApiExample("Time ran out", {"hand": 3, "state": "not_counted"}, request_only=True),
        ],
    )
    def post(self, request: Request, table_id: int) -> Response:
        access, table = table_for(request.user, table_id, Can.RECORD)
        data = self.read_body(shapes.HandIn)
        key = self.key()
        try:
            recorded = record_hand(
                table_id=table.pk,
                hand=shapes.hand_input(data, data["hand"]),
                by=_author_of(request, access),
                # Two programs may both number their keys from 1.
                key=f"{account_of(request).pk}:{key}" if key else "",
                seating_version=data.get("seating_version"),
            )
        except Refused as refused:
            raise _problem(refused) from refused
        return Response(
            shapes.hand_json(recorded.hand),
            status=201 if recorded.created else 200,
            headers={REPLAYED: "true"} if recorded.replayed else None,
        )


class HandStep(ApiView):
    """A change of a recorded hand. A correction creates a new id, so the id identifies the state."""

    shape: type[Any]
    right: Can

    def post(self, request: Request, hand_id: int) -> Response:
        access, hand = _hand_or_404(request, hand_id, self.right)
        data = self.read_body(self.shape)

        def step() -> Answer:
            try:
                return self.take(access, hand, data, request)
            except Refused as refused:
                raise _problem(refused) from refused

        return self.once(step)

    def take(self, access: Access, hand: Hand, data: Checked, request: Request) -> Answer:
        raise NotImplementedError


@extend_schema_view(
    post=extend_schema(
        operation_id="hands_correct",
        summary="Replace a hand in one step",
        description="201 with the new hand; 200 with the hand as it is when nothing differs.",
        request=shapes.CorrectIn,
        responses={201: documented(shapes.HandOut), 200: documented(shapes.HandOut)},
        examples=[
            OpenApiExample(
                "A slip",
                {
                    "went_out": 0,
                    "seats": [{"seat": 1, "cards": ["B7", "GR", "W"]}, {"seat": 3, "points_left": 42}],
                    "reason": "Seat 3 had 42, not 24",
                },
                request_only=True,
            )
        ],
    )
)
class Correct(HandStep):
    shape = shapes.CorrectIn
    right = Can.CORRECT

    def take(self, access: Access, hand: Hand, data: Checked, request: Request) -> Answer:
        if data.get("hand", hand.number) != hand.number:
            sentence = _("This is hand %(number)d. A correction can’t change its number.") % {"number": hand.number}
            raise Problem("malformed", sentence, errors=[{"field": "hand", "message": sentence}])
        new_hand = repair_hand(
            hand_id=hand.pk,
            version=data.get("version"),
            hand=shapes.hand_input(data, hand.number),
            reason=data["reason"],
            repair=data["repair"],
            by=_author_of(request, access),
        )
        return 200 if new_hand.pk == hand.pk else 201, shapes.hand_json(new_hand)


@extend_schema_view(
    post=extend_schema(
        operation_id="hands_void",
        summary="Take a hand back; it stays in the history",
        request=shapes.VoidIn,
        responses=documented(shapes.VoidedOut),
        examples=[OpenApiExample("Undo", {"reason": "Entered at the wrong table"}, request_only=True)],
    )
)
class Void(HandStep):
    shape = shapes.VoidIn
    right = Can.RECORD

    def take(self, access: Access, hand: Hand, data: Checked, request: Request) -> Answer:
        voided = void_hand(
            hand_id=hand.pk,
            version=data.get("version"),
            reason=data["reason"],
            by=_author_of(request, access),
        )
        voided_at, reason = cell(voided.voided_at), voided.void_reason
        return 200, shapes.VoidedOut(**shapes.hand_json(voided), voided_at=voided_at, reason=reason)


def _author_of(request: Request, access: Access) -> Attribution:
    return Attribution(account_of(request), source=HandScore.Source.API, corrects=access.corrects)


def _hand_or_404(request: Request, hand_id: int, right: Can) -> tuple[Access, Hand]:
    hand = get_object_or_404(Hand, pk=hand_id)
    access, _table = table_for(request.user, hand.table_id, right)
    return access, hand


def _problem(refused: Refused) -> Problem:
    """Return a service's refusal as a problem, with the current hand of the slot."""
    if isinstance(refused, HandRefused):
        where = {"field": "seats", "seat": refused.seat} if refused.seat is not None else {"field": "seats"}
        return Problem("impossible-hand", str(refused), code=refused.code, errors=[where | {"message": str(refused)}])
    if isinstance(refused, Conflict):
        standing = refused.current
        if isinstance(standing, Hand) and standing.voided_at is not None:
            # The id belongs to a corrected hand, so return its replacement.
            standing = Hand.objects.living().filter(table=standing.table_id, number=standing.number).first()
        return Problem.of(refused, current=shapes.hand_json(standing) if isinstance(standing, Hand) else None)
    return key_reused() if refused.code == "key-reused" else Problem.of(refused)
