"""The API of a tournament's reminder."""

from typing import Annotated, TypedDict

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import tournament_for
from league.access.rights import Can
from league.api.answers import Moment, documented
from league.api.base import Answer, ApiView, account_of
from league.entries import reminders
from league.entries.places import page_of
from league.models import Deadline, Tournament

WHEN = (*reminders.CHOICES, reminders.NONE)


class ReminderIn(serializers.Serializer):
    reminder = serializers.ChoiceField(choices=WHEN, help_text="How long before the start; none: no reminders")


class ReminderOut(TypedDict):
    reminder: Annotated[str | None, WHEN, "null without a sign-up page"]
    goes_out_at: Annotated[Moment | None, "null where none waits"]
    went_out_at: Annotated[Moment | None, "The last one"]


class Reminder(ApiView):
    reads_need_an_account = True

    @extend_schema(
        operation_id="reminder_read",
        summary="When those who signed up are reminded by mail",
        responses=documented(ReminderOut),
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(reminder_json(tournament_for(request.user, slug, Can.RUN).tournament))

    @extend_schema(
        operation_id="reminder_change",
        summary="Set or cancel the reminder",
        description="409 without a sign-up page. 422 for a time that has passed.",
        request=ReminderIn,
        responses=documented(ReminderOut),
        examples=[
            OpenApiExample("Two days before", {"reminder": "2-days"}, request_only=True),
            OpenApiExample("No reminders", {"reminder": "none"}, request_only=True),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = tournament_for(request.user, slug, Can.RUN).tournament
        choice = self.read_body(ReminderIn)["reminder"]

        def change() -> Answer:
            reminders.choose_reminder(tournament=tournament, choice=choice, by=account_of(request))
            return 200, reminder_json(tournament)

        return self.once(change)


def reminder_json(tournament: Tournament) -> ReminderOut:
    """Return the reminder read from the database."""
    now = Tournament.objects.get(pk=tournament.pk)
    waits = reminders.waiting_reminder(now)
    went = now.deadlines.filter(kind=Deadline.Kind.REMIND, state=Deadline.State.DONE).order_by("pk").last()
    return {
        "reminder": reminders.current_choice(now) if page_of(now) else None,
        "goes_out_at": waits.due_at.isoformat() if waits else None,
        "went_out_at": went.done_at.isoformat() if went and went.done_at else None,
    }
