"""Lists of players sent by programs."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from league.api.base import Checked, JsonBody
from league.api.problems import Error, Problem
from league.entries.certain_list import read_certain
from league.entries.roster import parse as roster
from league.entries.roster import teams as team_roster
from league.entries.roster.files import MOST_SHEET_BYTES, FileError
from league.entries.roster.headers import BIRTHDAY, EMAIL
from league.entries.roster.rows import LineError, Roster
from league.lib.translate import translate


class PlayerIn(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    club = serializers.CharField(max_length=80, required=False, allow_blank=True)
    email = serializers.CharField(max_length=254, required=False, allow_blank=True)
    birthday = serializers.CharField(
        max_length=20, required=False, allow_blank=True, help_text="1991-07-30 or 07-30; the year is not stored"
    )
    team = serializers.CharField(
        max_length=80,
        required=False,
        allow_blank=True,
        help_text="Teams: whom they play for. The first of a team is its captain, the third and later ones substitutes",
    )


LIST_PARSERS = (JsonBody, MultiPartParser)


def is_file(request: Request) -> bool:
    """Return whether the list is a file."""
    return (request.content_type or "").partition(";")[0].strip().lower() == MultiPartParser.media_type


@extend_schema_field(OpenApiTypes.BINARY)
class _Binary(serializers.FileField):
    """A file, as OpenAPI describes an upload."""


class ListFileIn(serializers.Serializer):
    """A list as a file, in multipart/form-data."""

    file = _Binary(help_text="A list: .xlsx, .ods or .xls (the first sheet), .csv or a text, up to 3 MB")
    strict = serializers.BooleanField(
        default=False, help_text="Refuse a list of which anything is not certain, instead of leaving that out"
    )


def roster_of_file(data: Checked, *, of_teams: bool = False) -> tuple[Roster, Sequence[str]]:
    """Return the players or teams of a `ListFileIn`, with notes on the reading. Raises `Problem`."""
    content = data["file"].read(MOST_SHEET_BYTES + 1)
    try:
        listed, notes, doubts = read_certain(content, of_teams=of_teams, strict=data["strict"])
    except FileError as error:
        sentence = translate(error.sentence)
        raise Problem("malformed", sentence, errors=[{"field": "file", "message": sentence}]) from None
    if listed.errors:
        raise _faulty_list(listed.errors, "file")
    if doubts:
        raise doubtful_list(doubts)
    return listed, notes


def doubtful_list(doubts: Iterable[str]) -> Problem:
    """Return the refusal of a file posted with `strict`."""
    return Problem(
        "refused",
        _("No one was added: parts of the list are unclear. Correct them, or leave out strict."),
        code="doubtful-list",
        errors=[{"field": "file", "message": doubt} for doubt in doubts],
    )


def roster_of(players: list[Checked], *, of_teams: bool = False, strict: bool = False) -> Roster:
    """Return the players or teams, checked like a pasted list.

    strict: refuse an unreadable address or birthday, for responses without `notes`.
    """
    if not players:
        return Roster(())
    result = team_roster.from_rows(players) if of_teams else roster.from_rows(players)
    faults = result.errors + tuple(one for one in result.warnings if strict and one.column in (EMAIL, BIRTHDAY))
    if faults:
        raise _faulty_list(faults, "players")
    return result


def _faulty_list(faults: Iterable[LineError], field: str) -> Problem:
    errors: list[Error] = [
        {
            "line": error.line,
            "field": f"{field}.{error.column or ''}".rstrip("."),
            "message": translate(error.sentence),
        }
        for error in faults
    ]
    return Problem("malformed", _("No one was added. Correct these lines and send the list again."), errors=errors)
