"""Check-in in the API: who is here and who has paid, for helpers who check players in."""

from typing import Annotated, TypedDict

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import tournament_for
from league.access.rights import Can
from league.api.answers import Moment, documented
from league.api.base import Answer, ApiView, Checked, account_of
from league.entries.arrivals.many import check_in_many
from league.entries.arrivals.paid import mark_paid, pays
from league.lib.errors import Refused
from league.models import Tournament, User
from league.pages.people_list import MOST_TICKED


class CheckInIn(serializers.Serializer):
    players = serializers.ListField(
        child=serializers.CharField(max_length=12),
        min_length=1,
        max_length=MOST_TICKED,
        help_text="Each `player_id` to change",
    )
    here = serializers.BooleanField(required=False, help_text="Whether they are here; left out: unchanged")
    paid = serializers.BooleanField(required=False, help_text="Whether they have paid the fee; left out: unchanged")


class CheckInRow(TypedDict):
    player_id: str
    player: str
    here_since: Annotated[Moment | None, "null: not checked in"]
    paid: Annotated[bool | None, "null if no fee is due"]


class CheckIn(ApiView):
    reads_need_an_account = True

    @extend_schema(
        operation_id="check_in_read",
        summary="Who is here and who has paid, for helpers who check players in",
        responses=documented(list[CheckInRow]),
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(rows_of(tournament_for(request.user, slug, Can.CHECK_IN).tournament))

    @extend_schema(
        operation_id="check_in_change",
        summary="Check players in or out, or note that they have paid",
        description=(
            "Changes all players or none. 422 for an id that was never on the list. 409 `no-fee` if the tournament has "
            "no fee, `final` for an arrival after the final standings."
        ),
        request=CheckInIn,
        responses=documented(list[CheckInRow]),
        examples=[OpenApiExample("Here and paid", {"players": ["q2m8gsj9"], "here": True, "paid": True})],
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = tournament_for(request.user, slug, Can.CHECK_IN).tournament
        data = self.read_body(CheckInIn)

        def change() -> Answer:
            _change(tournament, data, account_of(request))
            return 200, rows_of(tournament)

        return self.once(change)


@transaction.atomic
def _change(tournament: Tournament, data: Checked, by: User) -> None:
    if not {"here", "paid"} & data.keys():
        sentence = _("Say what to change: here, paid or both.")
        raise Refused("nothing", sentence, fields={"here": [sentence]})
    ids = tuple(dict.fromkeys(data["players"]))
    if "here" in data:
        check_in_many(tournament=tournament, ids=ids, here=data["here"], by=by)
    if "paid" in data:
        mark_paid(tournament=tournament, ids=ids, paid=data["paid"], by=by)


def rows_of(tournament: Tournament) -> list[CheckInRow]:
    """Return the players as they are now in the database, in the order of the list."""
    entries = tournament.entries.select_related("player", "tournament").order_by("number", "id")
    return [
        {
            "player_id": entry.public_id,
            "player": entry.name,
            "here_since": entry.checked_in_at.isoformat() if entry.checked_in_at else None,
            "paid": entry.paid_at is not None if entry.tournament.fee and pays(entry) else None,
        }
        for entry in entries
    ]
