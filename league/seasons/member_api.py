"""API of a member's tournaments and partners."""

from typing import Annotated, TypedDict

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, member_for
from league.api.answers import documented
from league.api.base import ApiView
from league.clubs.api import MemberOut, member_json
from league.seasons.member_evenings import Evening, Together, evenings_of, partners_of


class EveningOut(TypedDict):
    tournament: str
    player_id: str
    team: str | None
    rank: int | None
    of: int
    points: int | None


class PartnerOut(TypedDict):
    member_id: str
    name: str
    evenings: int
    hands: int
    hands_won: int
    points: int


class ProfileOut(MemberOut):
    evenings: Annotated[list[EveningOut], "Latest first"]
    partners: Annotated[list[PartnerOut], "Partners with most points first"]


class Profile(ApiView):
    @extend_schema(
        operation_id="clubs_member",
        summary="A member's tournaments and partners, if the profile is public or the caller belongs to the club",
        responses=documented(ProfileOut),
    )
    def get(self, request: Request, club_slug: str, member_id: str) -> Response:
        access, player = member_for(request.user, club_slug, member_id)
        if not access.sees_profile(player):
            raise Http404(_("This profile isn’t public."))
        evenings = evenings_of(player, access.tournaments())
        return Response(
            ProfileOut(
                **member_json(access, player),
                evenings=[evening_json(evening) for evening in evenings],
                partners=[partner_json(access, partner) for partner in partners_of(player, evenings)],
            )
        )


def evening_json(evening: Evening) -> EveningOut:
    played = evening.standing if evening.hands else None
    return {
        "tournament": evening.tournament.slug,
        "player_id": evening.entry.public_id,
        "team": evening.team or None,
        "rank": evening.rank,
        "of": evening.ranked,
        "points": played.total if played else None,
    }


def partner_json(access: ClubAccess, partner: Together) -> PartnerOut:
    return {
        **member_json(access, partner.player),
        "evenings": partner.evenings,
        "hands": partner.hands,
        "hands_won": partner.won,
        "points": partner.points,
    }
