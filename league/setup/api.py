"""Tournaments in the API: create them, and take the steps from the draw to the final standings."""

from collections.abc import Mapping, Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import access_to, clubs_to_hold_in, tournament_for, tournaments_of
from league.access.rights import Can
from league.api.answers import documented
from league.api.base import ANYTHING, POSITIVE, Answer, ApiView, Checked, account_of
from league.api.problems import Problem
from league.api.rows import Pages
from league.api.step import StepView, step
from league.entries.forms import notes_in_words
from league.entries.roster.rows import Roster
from league.entries.roster_api import LIST_PARSERS, is_file, roster_of, roster_of_file
from league.formats import FORMATS, Format
from league.formats.protocol import TEAMS
from league.lib.errors import Conflict
from league.models import Club, Tournament, User
from league.rounds.cut import undo_cut
from league.rounds.steps import advance, close_tournament, end_early, next_step, reopen_tournament, start
from league.setup import api_shapes as shapes
from league.setup.call_off import call_off, hold_after_all
from league.setup.count_in_club import set_counts
from league.setup.create import create_tournament
from league.setup.delete import delete_tournament
from league.setup.stages.stage_plan import set_stages

CAST = ("Ana Lucía", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë")


def _example(plays: Format) -> OpenApiExample:
    """Return an example request for eight people with the default settings."""
    settings = {setting.option: setting.default for setting in plays.settings if setting.default is not None}
    people: list[dict[str, str]] = [{"name": name} for name in CAST]
    if plays.enters == TEAMS:
        people = [row | {"team": f"Team {at // 2 + 1}"} for at, row in enumerate(people)]
    body = {"name": "Club evening", "format": plays.key, **settings, "players": people}
    return OpenApiExample(plays.name, body, request_only=True)


class Tournaments(ApiView):
    parser_classes = LIST_PARSERS
    query: Mapping[str, str] = {"page": POSITIVE}

    @extend_schema(
        operation_id="tournaments_list",
        summary="Public tournaments and, with a token, your own, newest first",
        parameters=[OpenApiParameter("page", int, description="Pages have 50 tournaments")],
        responses=documented(shapes.TournamentPage),
    )
    def get(self, request: Request) -> Response:
        pages = Pages()
        page = pages.paginate_queryset(_listed_tournaments(request), request, view=self) or []
        return pages.get_paginated_response([shapes.tournament_json(tournament) for tournament in page])

    @extend_schema(
        operation_id="tournaments_create",
        summary="Create a tournament with its players",
        description=(
            "The players are a list in JSON, or a file in multipart/form-data. Only certain rows of a file are added; "
            "`notes` says how it was read and what was skipped. Lists and objects are JSON in their parts."
        ),
        request={"application/json": shapes.TournamentIn, "multipart/form-data": shapes.TournamentFileIn},
        responses={201: documented(shapes.TournamentCreated)},
        examples=[_example(plays) for plays in FORMATS.values()],
    )
    def post(self, request: Request) -> Response:
        data, listed, notes = self._listed()
        club = _club(request, data["club"])

        def create() -> Answer:
            tournament = create_tournament(
                Tournament(owner=account_of(request), club=club, **data["columns"]),
                data["stages"],
                players=listed.rows,
                edition=data["edition"],
                shuffled=data["order"] == "shuffled",
            )
            access = access_to(account_of(request), tournament)
            return 201, shapes.TournamentCreated(**shapes.tournament_detail(access), notes=[*notes])

        return self.once(create)

    def _listed(self) -> tuple[Checked, Roster, Sequence[str]]:
        """Return the checked body, the players of its list or file, and notes on how they were read."""
        if is_file(self.request):
            data = self.read_body(shapes.TournamentFileIn)
            return data, *roster_of_file(data, of_teams=_of_teams(data))
        data = self.read_body(shapes.TournamentIn)
        listed = roster_of(data["players"], of_teams=_of_teams(data))
        return data, listed, notes_in_words(listed)


def _of_teams(data: Checked) -> bool:
    return FORMATS[data["format"]].enters == TEAMS


def _listed_tournaments(request: Request) -> QuerySet[Tournament]:
    own = tournaments_of(request.user)
    seen = Tournament.objects.listed() | Tournament.objects.filter(pk__in=own.values("pk"))
    return seen.select_related("announcement__round").prefetch_related("stages").order_by("-starts_on", "-id")


def _club(request: Request, slug: str) -> Club | None:
    """Return the club of a new tournament. Raises `Problem` if the account can't run events there."""
    if not slug:
        return None
    club = clubs_to_hold_in(request.user).filter(slug=slug).first()
    if club is None:
        sentence = _("You can’t run tournaments for a club with this address.")
        raise Problem("malformed", sentence, errors=[{"field": "club", "message": sentence}])
    return club


class TournamentView(ApiView):
    http_method_names = [*ApiView.http_method_names, "delete"]
    query_of_delete: Mapping[str, str] = {"name": ANYTHING}

    @extend_schema(
        operation_id="tournaments_read",
        summary="A tournament with its players and, for organisers, the next step",
        responses=documented(shapes.TournamentDetail),
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(shapes.tournament_detail(tournament_for(request.user, slug)))

    @extend_schema(
        operation_id="tournaments_delete",
        summary="Delete a tournament without published rounds",
        description=(
            "Only the owner can delete, permanently. 422 `name` if the name is wrong. 409 `published` once a round was "
            "published: cancel it or end it early. With the same Idempotency-Key the response is 204 again."
        ),
        parameters=[
            OpenApiParameter("name", str, required=True, description="The name of the tournament, as a confirmation")
        ],
        responses={204: None},
    )
    def delete(self, request: Request, slug: str) -> Response:
        name = request.query_params.get("name", "")

        def delete() -> Answer:  # look up in here: a repeated request finds the tournament deleted
            access = tournament_for(request.user, slug, Can.DELETE)
            delete_tournament(tournament=access.tournament, name=name, by=account_of(request))
            return 204, None

        return self.once(delete)


class Step(StepView):
    """A step of the organiser. The response is the tournament after the step."""

    answers = shapes.TournamentDetail
    right = Can.RUN

    def post(self, request: Request, slug: str) -> Response:
        access = tournament_for(request.user, slug, self.right)
        data = self.read_body(self.shape)

        def take() -> Answer:
            self.do(tournament=access.tournament, by=account_of(request), **data)
            return 200, shapes.tournament_detail(access)

        return self.once(take)


def _advance(*, tournament: Tournament, by: User, without: list[int], reason: str, step: str | None = None) -> None:
    next_one = next_step(tournament)
    if step is None and next_one.kind == "done":
        raise Conflict("done", _("The standings are final; there is no next step."))
    if step is None and next_one.kind == "players":
        raise Conflict("players", _("The number of players doesn’t fit the format yet."))
    try:
        advance(tournament=tournament, token=step or next_one.token, by=by, without=without, reason=reason)
    except Conflict as conflict:
        current: dict[str, object]
        if conflict.code == "missing":
            current = {"missing": shapes.missing_json(conflict.current)}
        elif conflict.code == "disputed":
            current = {"disputed": shapes.disputed_json(conflict.current)}
        else:
            raise
        raise Problem.of(conflict, current=current) from conflict


Start = step(Step, "tournaments_start", start, "Draw if needed, and publish round 1")
Advance = step(
    Step,
    "tournaments_advance",
    _advance,
    "The organiser's next step: draw, publish, close a round and publish the next, finish",
    description=(
        "Closing a round needs every hand; otherwise 409 with the unfinished tables in `current.missing`. "
        "With a disputed hand, 409 with its table in `current.disputed`. "
        "`without` closes the round anyway."
    ),
    shape=shapes.AdvanceIn,
    examples={"The next step": {}, "Close without table 2": {"without": [12], "reason": "Table 2 had to leave"}},
)
Close = step(Step, "tournaments_close", close_tournament, "Make the standings final; every round must be closed")
Reopen = step(
    Step,
    "tournaments_reopen",
    reopen_tournament,
    "Make final standings provisional again",
    shape=shapes.ReopenIn,
    examples={"A correction": {"reason": "Hand 2 was counted wrong"}},
)
CallOff = step(
    Step,
    "tournaments_call_off",
    call_off,
    "Cancel a tournament for a reason, until a hand counts",
    shape=shapes.ReopenIn,
    examples={"No hall": {"reason": "The hall is flooded"}},
)
HoldAfterAll = step(Step, "tournaments_hold_after_all", hold_after_all, "Reinstate a cancelled tournament")
EndEarly = step(
    Step,
    "tournaments_end_early",
    end_early,
    "End a tournament early for a reason: the standings become final",
    shape=shapes.ReopenIn,
    examples={"The hall closes": {"reason": "The hall closes at ten"}},
)


WITH_SECOND_LADDER = next(plays.key for plays in FORMATS.values() if plays.may_play_parallel)


SetStages = step(
    Step,
    "tournaments_stages",
    set_stages,
    "Set the stages after the current one, and who advances",
    description="Replaces the future stages. 422 if they can't follow each other.",
    shape=shapes.StagesIn,
    examples={"The best six into heats": {"then": [{"format": WITH_SECOND_LADDER, "takes": 6, "others_play": True}]}},
)
UndoCut = step(Step, "tournaments_undo_cut", undo_cut, "Undo a cut, until the first round after it is published")
Counts = step(
    Step,
    "tournaments_counts",
    set_counts,
    "Set whether it counts in club ratings and seasons",
    description="Only for the owner. False removes the tournament from its season; 409 if the season has ended.",
    shape=shapes.CountsInClubIn,
    right=Can.DELETE,
    examples={"Take it out": {"counts": False}},
)
