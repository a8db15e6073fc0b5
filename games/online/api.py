"""API: settings of a tournament's online tables, and the online tables of a round."""

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.entry import api_shapes as shapes
from games.online import api_shapes as online_shapes
from games.online.play import settings as arranging
from league.access import tournament_for
from league.access.rights import Can
from league.api.answers import documented
from league.api.base import Answer, ApiView, account_of


class Settings(ApiView):
    reads_need_an_account = True

    @extend_schema(
        operation_id="online_read",
        summary="How online tables are played: which, house rules, clocks, bots",
        responses=online_shapes.OnlineOut,
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(online_shapes.online_json(tournament_for(request.user, slug, Can.RUN).tournament))

    @extend_schema(
        operation_id="online_change",
        summary="Change how online tables are played",
        description=(
            "Only what is named changes. Which tables are online follows at once for rounds that are drafts; 409 for "
            "other house rules once round 1 is published."
        ),
        request=online_shapes.OnlineIn,
        responses=online_shapes.OnlineOut,
        examples=[
            OpenApiExample("Two tables, 20 seconds a move", {"online": "1-2", "move_seconds": 20}, request_only=True),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = tournament_for(request.user, slug, Can.RUN).tournament
        data = self.read_body(online_shapes.OnlineIn)

        def change() -> Answer:
            arranging.change_online(tournament=tournament, by=account_of(request), **data)
            return 200, online_shapes.online_json(tournament)

        return self.once(change)


class Tables(ApiView):
    @extend_schema(
        operation_id="online_put_tables",
        summary="Play tables of a round online, or with real cards",
        description=(
            "Of a draft or of the round that is played, from the next hand on; 409 for a table where a hand is being "
            "played online. The answer is the round, where each table has its `mode`."
        ),
        request=online_shapes.TablesIn,
        responses=documented(shapes.RoundOut),
        examples=[OpenApiExample("Table 1 online", {"round": 1, "online": [1], "paper": [2, 3]}, request_only=True)],
    )
    def post(self, request: Request, slug: str) -> Response:
        access = tournament_for(request.user, slug, Can.CORRECT)
        data = self.read_body(online_shapes.TablesIn)
        number = data.pop("round")

        def put() -> Answer:
            arranging.put_online(tournament=access.tournament, round_number=number, by=account_of(request), **data)
            return 200, shapes.rounds_json(access.rounds().select_related("stage").filter(number=number))[0]

        return self.once(put)
