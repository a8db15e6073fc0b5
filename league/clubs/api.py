"""Clubs over the API: founding one, its evenings, its members."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, access_to_club, club_for, clubs_of, team_for
from league.access.members import members_of
from league.access.rights import InClub
from league.api.base import Answer, ApiView, account_of
from league.api.rows import Pages
from league.clubs.clubs import DETAILS, found_club
from league.clubs.forms import ClubForm
from league.clubs.members import MOST_MEMBERS, add_members
from league.clubs.teams import put_together, take_apart, team_line, teams_of
from league.entries.roster_api import PlayerIn, roster_of
from league.models import Club, Player, Visibility

CLUB = {"name": "Café Ludo", "place": "Lyon", "time_zone": "Europe/Paris"}
TEAM = {"players": [{"team": "Blue Foxes", "name": name} for name in ("Ana", "Ben", "Cara")]}
MEMBERS = {"players": [{"name": "Ana Lucía Núñez"}, {"name": "Benoît Lefèvre"}]}


class ClubIn(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    place = serializers.CharField(max_length=100, default="", allow_blank=True)
    time_zone = serializers.CharField(max_length=64, default="UTC", help_text="As Europe/Paris")
    about = serializers.CharField(max_length=600, default="", allow_blank=True)
    visibility = serializers.ChoiceField(choices=Visibility.choices, default="public")

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return `details`: the values as the form of the page cleans them."""
        form = ClubForm(data)
        if not form.is_valid():
            raise serializers.ValidationError(
                {field: [str(error) for error in errors] for field, errors in form.errors.items()}
            )
        return {"details": form.cleaned_data}


class MembersIn(serializers.Serializer):
    players = serializers.ListField(child=PlayerIn(), max_length=MOST_MEMBERS)


class ClubOut(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    place = serializers.CharField()
    time_zone = serializers.CharField()
    about = serializers.CharField()
    visibility = serializers.ChoiceField(choices=Visibility.choices)


class ClubDetail(ClubOut):
    members = serializers.IntegerField()
    tournaments = serializers.ListField(child=serializers.CharField(), help_text="Their slugs, the latest first")


class ClubPage(serializers.Serializer):
    count = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = ClubOut(many=True)


class TeamOut(serializers.Serializer):
    team_id = serializers.CharField(help_text="Lasts over tournaments, as a member_id does")
    name = serializers.CharField()
    plays = serializers.ListField(child=serializers.CharField(), help_text="The captain first")
    substitutes = serializers.ListField(child=serializers.CharField())


class MemberOut(serializers.Serializer):
    member_id = serializers.CharField(help_text="Lasts over tournaments; a player_id is of one of them")
    name = serializers.CharField(help_text="To strangers, where the member wants it, first name and initial")


class Clubs(ApiView):
    @extend_schema(
        operation_id="clubs_list",
        summary="Public clubs, and with a token one's own, by name",
        parameters=[OpenApiParameter("page", int, description="Pages have 50 clubs")],
        responses=ClubPage,
    )
    def get(self, request: Request) -> Response:
        seen = Club.objects.filter(visibility=Visibility.PUBLIC) | clubs_of(request.user)
        pages = Pages()
        page = pages.paginate_queryset(seen.distinct().order_by("name", "pk"), request, view=self) or []
        return pages.get_paginated_response([club_json(club) for club in page])

    @extend_schema(
        operation_id="clubs_create",
        summary="Found a club",
        request=ClubIn,
        responses={201: ClubDetail},
        examples=[OpenApiExample("A club", CLUB, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        data = self.read_body(ClubIn)

        def create() -> Answer:
            club = found_club(owner=account_of(request), **data["details"])
            return 201, club_detail(access_to_club(account_of(request), club))

        return self.once(create)


class ClubView(ApiView):
    @extend_schema(operation_id="clubs_read", summary="A club and its evenings", responses=ClubDetail)
    def get(self, request: Request, club_slug: str) -> Response:
        return Response(club_detail(club_for(request.user, club_slug)))


class Members(ApiView):
    @extend_schema(
        operation_id="clubs_members", summary="The members of a club, by name", responses=MemberOut(many=True)
    )
    def get(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug)
        return Response([member_json(access, player) for player in members_of(access.club)])

    @extend_schema(
        operation_id="clubs_add_members",
        summary="Add members; whose name a member has already is left out",
        description="The answer has those who were added.",
        request=MembersIn,
        responses={201: MemberOut(many=True)},
        examples=[OpenApiExample("Two members", MEMBERS, request_only=True)],
    )
    def post(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug, InClub.MEMBERS)
        players = roster_of(self.read_body(MembersIn)["players"])

        def add() -> Answer:
            added = add_members(club=access.club, players=players, by=account_of(request))
            return 201, [member_json(access, player) for player in added]

        return self.once(add)


class Teams(ApiView):
    @extend_schema(operation_id="clubs_teams", summary="The teams of a club, by name", responses=TeamOut(many=True))
    def get(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug)
        return Response([team_line(access, team) for team in teams_of(access.club)])

    @extend_schema(
        operation_id="clubs_put_together",
        summary="Put teams together; one of a name that the club has gets these players",
        description=(
            "The first of a team is its captain, the third and later ones are substitutes, and so is whom the club's "
            "team had besides. Who is no member of the club becomes one. 409 for a team of a tournament that goes on."
        ),
        request=MembersIn,
        responses={201: TeamOut(many=True)},
        examples=[OpenApiExample("A team", TEAM, request_only=True)],
    )
    def post(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug, InClub.TEAMS)
        rows = roster_of(self.read_body(MembersIn)["players"], of_teams=True)

        def put() -> Answer:
            keys = {team.pk for team in put_together(club=access.club, rows=rows, by=account_of(request))}
            return 201, [team_line(access, team) for team in teams_of(access.club) if team.pk in keys]

        return self.once(put)


class TeamView(ApiView):
    http_method_names = [*ApiView.http_method_names, "delete"]

    @extend_schema(
        operation_id="clubs_take_apart",
        summary="Take a team apart; its players stay members",
        description="What it played stays. 409 while it plays a tournament that goes on.",
        responses={204: None},
    )
    def delete(self, request: Request, club_slug: str, team_id: str) -> Response:
        _access, team = team_for(request.user, club_slug, team_id, InClub.TEAMS)
        take_apart(team=team, by=account_of(request))
        return Response(status=204)


def club_json(club: Club) -> dict[str, Any]:
    return {field: getattr(club, field) for field in ("slug", *DETAILS)}


def club_detail(access: ClubAccess) -> dict[str, Any]:
    evenings = access.tournaments().order_by("-starts_on", "-pk")
    return club_json(access.club) | {
        "members": members_of(access.club).count(),
        "tournaments": list(evenings.values_list("slug", flat=True)),
    }


def member_json(access: ClubAccess, player: Player) -> dict[str, Any]:
    return {"member_id": player.public_id, "name": access.name_of(player)}
