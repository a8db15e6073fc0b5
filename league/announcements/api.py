"""Announcements in the API: read with the tournament, posted and removed by directors."""

from typing import Annotated, TypedDict

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import tournament_for
from league.access.rights import Can
from league.announcements.announce import announce, remove_announcement, visible_announcement
from league.api.answers import Moment, documented
from league.api.base import Answer, ApiView, account_of
from league.models import Announcement, Tournament

Until = Announcement.Until


class AnnouncementIn(serializers.Serializer):
    text = serializers.CharField(trim_whitespace=False, help_text="One line of up to 140 characters, without tags")
    until = serializers.ChoiceField(
        choices=Until.values,
        default=Until.MINUTES,
        help_text="minutes: for 10 minutes; round: until the open round is closed; removed: until it is removed",
    )


class AnnouncementOut(TypedDict):
    text: str
    until: Annotated[str, tuple(Until.values)]
    round: Annotated[int | None, "The round whose end is its end"]
    announced_at: Moment
    ends_at: Annotated[Moment | None, "null unless it ends after minutes"]


class Announce(ApiView):
    http_method_names = [*ApiView.http_method_names, "delete"]

    @extend_schema(
        operation_id="announcement_create",
        summary="Announce a line on every page and on the hall screen",
        description="It replaces the one before. 422 `text` for a text that no page can show. 409 `no-round`.",
        request=AnnouncementIn,
        responses={201: documented(AnnouncementOut)},
        examples=[
            OpenApiExample("Ten minutes", {"text": "Round 5 starts in 5 minutes"}, request_only=True),
            OpenApiExample("The whole round", {"text": "The bar is open", "until": "round"}, request_only=True),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = tournament_for(request.user, slug, Can.CORRECT).tournament
        data = self.read_body(AnnouncementIn)

        def create() -> Answer:
            return 201, _json(announce(tournament=tournament, by=account_of(request), **data))

        return self.once(create)

    @extend_schema(
        operation_id="announcement_remove",
        summary="Remove the announcement",
        description="204 also if none is visible.",
        responses={204: None},
    )
    def delete(self, request: Request, slug: str) -> Response:
        tournament = tournament_for(request.user, slug, Can.CORRECT).tournament

        def remove() -> Answer:
            remove_announcement(tournament=tournament, by=account_of(request))
            return 204, None

        return self.once(remove)


def announcement_json(tournament: Tournament) -> AnnouncementOut | None:
    """Return the visible announcement."""
    announcement = visible_announcement(tournament)
    return _json(announcement) if announcement else None


def _json(announcement: Announcement) -> AnnouncementOut:
    return {
        "text": announcement.text,
        "until": announcement.until,
        "round": announcement.round.number if announcement.round else None,
        "announced_at": announcement.announced_at.isoformat(),
        "ends_at": announcement.ends_at.isoformat() if announcement.ends_at else None,
    }
