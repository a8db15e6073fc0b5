"""The API of calls: the waiting ones, and the answer of a director."""

from typing import Annotated, TypedDict

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import call_for, tournament_for
from league.access.rights import Can
from league.api.answers import Moment, documented
from league.api.base import Answer, ApiView, account_of
from league.calls.answer import COMING, DONE, come_to_call, finish_call
from league.calls.call import is_late
from league.calls.read import CallNow, calls_of
from league.models import CallTap

ANSWERS = (COMING, DONE)


class CallAnswerIn(serializers.Serializer):
    answer = serializers.ChoiceField(choices=ANSWERS, help_text="coming: the table sees who; done: ends the call")


class CallerOut(TypedDict):
    name: Annotated[str, "A player, a scorer's link or an account"]
    player_id: Annotated[str | None, "null for others than players"]
    reason: Annotated[str, CallTap.Reason]
    text: str
    tapped_at: Annotated[Moment, "Earlier than it was sent if the phone was offline"]
    sent_late: Annotated[bool, "More than 10 minutes later"]


class CallOut(TypedDict):
    id: int
    round: int
    table: int
    opened_at: Moment
    coming: Annotated[str | None, "The director who answered"]
    callers: Annotated[list[CallerOut], "Who opened the call, then who joined it"]


class Calls(ApiView):
    reads_need_an_account = True

    @extend_schema(
        operation_id="calls_list",
        summary="Tables that call a director, the oldest call first; for directors",
        responses=documented(list[CallOut]),
    )
    def get(self, request: Request, slug: str) -> Response:
        access = tournament_for(request.user, slug, Can.CORRECT)
        return Response([call_json(now) for now in calls_of(access.tournament)])


class AnswerCall(ApiView):
    @extend_schema(
        operation_id="calls_answer",
        summary="Come to a table that calls, or end its call",
        description="The answer has the calls that still wait. 409 if the call is over or another director is coming.",
        request=CallAnswerIn,
        responses=documented(list[CallOut]),
        examples=[OpenApiExample("On the way", {"answer": COMING}, request_only=True)],
    )
    def post(self, request: Request, slug: str, call_id: int) -> Response:
        access, call = call_for(request.user, slug, call_id, Can.CORRECT)
        answer = self.read_body(CallAnswerIn)["answer"]

        def work() -> Answer:
            do = come_to_call if answer == COMING else finish_call
            do(call=call, by=account_of(request))
            return 200, [call_json(now) for now in calls_of(access.tournament)]

        return self.once(work)


def call_json(now: CallNow) -> CallOut:
    call = now.call
    return {
        "id": call.pk,
        "round": call.table.round.number,
        "table": call.table.number,
        "opened_at": call.opened_at.isoformat(),
        "coming": str(call.coming) if call.coming else None,
        "callers": [_caller_json(tap) for tap in now.callers],
    }


def _caller_json(tap: CallTap) -> CallerOut:
    return {
        "name": str(tap),
        "player_id": tap.entry.public_id if tap.entry else None,
        "reason": tap.reason,
        "text": tap.text,
        "tapped_at": tap.tapped_at.isoformat(),
        "sent_late": is_late(tap),
    }
