"""API of clubs: create a club, read its events and members, add members and teams."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypedDict

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, access_to_club, club_for, clubs_of, team_for
from league.access.members import members_of
from league.access.rights import InClub
from league.api.answers import documented, filled
from league.api.base import POSITIVE, Answer, ApiView, account_of
from league.api.rows import PageOut, Pages
from league.clubs.clubs import found_club
from league.clubs.forms import ClubForm
from league.clubs.members import MOST_MEMBERS, Joined, guests_in_words, join_members
from league.clubs.teams import TeamOut, put_together, take_apart, team_line, teams_of
from league.entries.roster.rows import RosterRow
from league.entries.roster_api import (
    LIST_PARSERS,
    ListFileIn,
    PlayerIn,
    doubtful_list,
    is_file,
    roster_of,
    roster_of_file,
)
from league.lib.translate import names
from league.models import Club, Player, Visibility

CLUB = {"name": "Café Ludo", "place": "Lyon", "time_zone": "Europe/Paris"}
TEAM = {"players": [{"team": "Blue Foxes", "name": name} for name in ("Ana", "Ben", "Cara")]}
MEMBERS = {"players": [{"name": "Ana Lucía Núñez"}, {"name": "Benoît Lefèvre"}]}


OF_A_FILE = (
    "For a file in multipart/form-data, the response is an object. Certain rows are added; `notes` says how the file "
    "was read and which rows were left out."
)


def _either(name: str, *shapes: Any) -> PolymorphicProxySerializer:
    """Document a response that depends on the request: a list for JSON, an object for a file."""
    return PolymorphicProxySerializer(
        component_name=name, serializers=list(map(documented, shapes)), resource_type_field_name=None, many=False
    )


class ClubIn(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    place = serializers.CharField(max_length=100, default="", allow_blank=True)
    time_zone = serializers.CharField(max_length=64, default=settings.TIME_ZONE, help_text="For example Europe/Paris")
    about = serializers.CharField(max_length=600, default="", allow_blank=True)
    visibility = serializers.ChoiceField(choices=Visibility.choices, default="public")

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return `details`: the values as the page's form cleans them."""
        form = ClubForm(data)
        if not form.is_valid():
            raise serializers.ValidationError(
                {field: [str(error) for error in errors] for field, errors in form.errors.items()}
            )
        return {"details": form.cleaned_data}


class MembersIn(serializers.Serializer):
    players = serializers.ListField(child=PlayerIn(), max_length=MOST_MEMBERS)


NotesOnFile = Annotated[list[str], "How the file was read, and which rows were left out"]


class ClubOut(TypedDict):
    slug: str
    name: str
    place: str
    time_zone: str
    about: str
    visibility: Annotated[str, Visibility]


class ClubDetail(ClubOut):
    members: int
    tournaments: Annotated[list[str], "Slugs, latest first"]


class ClubPage(PageOut):
    results: list[ClubOut]


class MemberOut(TypedDict):
    member_id: Annotated[str, "Stable across tournaments; a player_id belongs to one tournament"]
    name: Annotated[str, "First name and initial for strangers, if the member chose that"]


class MembersOfFile(TypedDict):
    added: list[MemberOut]
    notes: NotesOnFile


class TeamsOfFile(TypedDict):
    teams: list[TeamOut]
    notes: NotesOnFile


class Clubs(ApiView):
    query: Mapping[str, str] = {"page": POSITIVE}

    @extend_schema(
        operation_id="clubs_list",
        summary="Public clubs by name; with a token also your own",
        parameters=[OpenApiParameter("page", int, description="50 clubs a page")],
        responses=documented(ClubPage),
    )
    def get(self, request: Request) -> Response:
        seen = Club.objects.filter(visibility=Visibility.PUBLIC) | clubs_of(request.user)
        pages = Pages()
        page = pages.paginate_queryset(seen.distinct().order_by("name", "pk"), request, view=self) or []
        return pages.get_paginated_response([filled(ClubOut, club) for club in page])

    @extend_schema(
        operation_id="clubs_create",
        summary="Create a club",
        request=ClubIn,
        responses={201: documented(ClubDetail)},
        examples=[OpenApiExample("A club", CLUB, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        data = self.read_body(ClubIn)

        def create() -> Answer:
            club = found_club(owner=account_of(request), **data["details"])
            return 201, club_detail(access_to_club(account_of(request), club))

        return self.once(create)


class ClubView(ApiView):
    @extend_schema(operation_id="clubs_read", summary="A club and its tournaments", responses=documented(ClubDetail))
    def get(self, request: Request, club_slug: str) -> Response:
        return Response(club_detail(club_for(request.user, club_slug)))


class _WithList(ApiView):
    """Base of views that take a list of people, as JSON or as a file."""

    parser_classes = LIST_PARSERS
    is_strict = False

    def read_list(self, *, of_teams: bool = False) -> tuple[Sequence[RosterRow], Sequence[str] | None]:
        """Return the rows and the notes on a file. Notes are None for JSON, whose response has no place for them."""
        if is_file(self.request):
            data = self.read_body(ListFileIn)
            self.is_strict = data["strict"]
            listed, notes = roster_of_file(data, of_teams=of_teams)
            return listed.rows, notes
        return roster_of(self.read_body(MembersIn)["players"], of_teams=of_teams, strict=True).rows, None


class Members(_WithList):
    @extend_schema(
        operation_id="clubs_members", summary="The members of a club, by name", responses=documented(list[MemberOut])
    )
    def get(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug)
        return Response([member_json(access, player) for player in members_of(access.club)])

    @extend_schema(
        operation_id="clubs_add_members",
        summary="Add members; names of existing members are skipped",
        description=(
            "The response lists the added members. A guest of the club becomes a member if the match is certain. "
            f"{OF_A_FILE}"
        ),
        request={"application/json": MembersIn, "multipart/form-data": ListFileIn},
        responses={201: _either("MembersAdded", list[MemberOut], MembersOfFile)},
        examples=[OpenApiExample("Two members", MEMBERS, request_only=True)],
    )
    def post(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug, InClub.MEMBERS)
        players, notes = self.read_list()

        @transaction.atomic
        def add() -> Answer:
            joined = join_members(club=access.club, players=players, by=account_of(request))
            if self.is_strict and (doubts := [*_doubts_of(joined)]):
                raise doubtful_list(doubts)
            members = [member_json(access, player) for player in joined.members]
            return 201, members if notes is None else MembersOfFile(added=members, notes=[*notes, *_notes_on(joined)])

        return self.once(add)


def _notes_on(joined: Joined) -> Iterator[str]:
    """Yield notes on the added people, for a program that can't ask its user."""
    if joined.guests:
        yield guests_in_words(joined.guests)
    yield from _doubts_of(joined)


def _doubts_of(joined: Joined) -> Iterator[str]:
    if joined.apart:
        sentence = _("Added as new people, though the club has guests with these names: %(names)s.")
        yield sentence % {"names": names(joined.apart)}
    if joined.almost:
        sentence = _("Not added, because members have similar names: %(names)s.")
        yield sentence % {"names": names(joined.almost)}


class Teams(_WithList):
    @extend_schema(
        operation_id="clubs_teams", summary="The teams of a club, by name", responses=documented(list[TeamOut])
    )
    def get(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug)
        return Response([team_line(access, team) for team in teams_of(access.club)])

    @extend_schema(
        operation_id="clubs_put_together",
        summary="Create teams, or change the players of existing ones",
        description=(
            "The first player of a team is its captain; the third and later ones are substitutes. Former players of an "
            "existing team become substitutes too. All players become members of the club. 409 for a team in an open "
            "tournament. " + OF_A_FILE
        ),
        request={"application/json": MembersIn, "multipart/form-data": ListFileIn},
        responses={201: _either("TeamsTogether", list[TeamOut], TeamsOfFile)},
        examples=[OpenApiExample("A team", TEAM, request_only=True)],
    )
    def post(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug, InClub.TEAMS)
        rows, notes = self.read_list(of_teams=True)

        def put() -> Answer:
            keys = {team.pk for team in put_together(club=access.club, rows=rows, by=account_of(request))}
            teams = [team_line(access, team) for team in teams_of(access.club) if team.pk in keys]
            return 201, teams if notes is None else TeamsOfFile(teams=teams, notes=[*notes])

        return self.once(put)


class TeamView(ApiView):
    http_method_names = [*ApiView.http_method_names, "delete"]

    @extend_schema(
        operation_id="clubs_take_apart",
        summary="Delete a team; its players stay members",
        description="Its results stay. 409 while it plays in an open tournament.",
        responses={204: None},
    )
    def delete(self, request: Request, club_slug: str, team_id: str) -> Response:
        _access, team = team_for(request.user, club_slug, team_id, InClub.TEAMS)
        take_apart(team=team, by=account_of(request))
        return Response(status=204)


def club_detail(access: ClubAccess) -> ClubDetail:
    evenings = access.tournaments().order_by("-starts_on", "-pk")
    return filled(
        ClubDetail,
        access.club,
        members=members_of(access.club).count(),
        tournaments=list(evenings.values_list("slug", flat=True)),
    )


def member_json(access: ClubAccess, player: Player) -> MemberOut:
    return {"member_id": player.public_id, "name": access.name_of(player)}
