"""A member's evenings and partners over the API."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, member_for
from league.api.base import ApiView
from league.clubs.api import MemberOut, member_json
from league.seasons.member_evenings import Evening, Together, evenings_of, partners_of


class EveningOut(serializers.Serializer):
    tournament = serializers.CharField()
    player_id = serializers.CharField()
    team = serializers.CharField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    of = serializers.IntegerField()
    points = serializers.IntegerField(allow_null=True)


class PartnerOut(serializers.Serializer):
    member_id = serializers.CharField()
    name = serializers.CharField()
    evenings = serializers.IntegerField()
    hands = serializers.IntegerField()
    hands_won = serializers.IntegerField()
    points = serializers.IntegerField()


class ProfileOut(MemberOut):
    evenings = EveningOut(many=True, help_text="The latest first")
    partners = PartnerOut(many=True, help_text="Whoever most points were made with first")


class Profile(ApiView):
    @extend_schema(
        operation_id="clubs_member",
        summary="A member's evenings and partners, where the profile is public or the account is of the club",
        responses=ProfileOut,
    )
    def get(self, request: Request, club_slug: str, member_id: str) -> Response:
        access, player = member_for(request.user, club_slug, member_id)
        if not access.sees_profile(player):
            raise Http404(_("This profile is not public."))
        evenings = evenings_of(player, access.tournaments())
        return Response(
            member_json(access, player)
            | {
                "evenings": [evening_json(evening) for evening in evenings],
                "partners": [partner_json(access, partner) for partner in partners_of(player, evenings)],
            }
        )


def evening_json(evening: Evening) -> dict[str, Any]:
    played = evening.standing if evening.hands else None
    return {
        "tournament": evening.tournament.slug,
        "player_id": evening.entry.public_id,
        "team": evening.team or None,
        "rank": evening.rank,
        "of": evening.ranked,
        "points": played.total if played else None,
    }


def partner_json(access: ClubAccess, partner: Together) -> dict[str, Any]:
    figures = {"evenings": partner.evenings, "hands": partner.hands, "hands_won": partner.won, "points": partner.points}
    return member_json(access, partner.player) | figures
