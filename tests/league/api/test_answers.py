"""Shapes of answers: what is answered, and what the OpenAPI document says about it."""

from types import SimpleNamespace
from typing import Annotated, TypedDict

from drf_spectacular.openapi import AutoSchema

from league.api.answers import Day, Moment, documented, filled
from league.models import Round


class Seat(TypedDict):
    number: int
    player: Annotated[str | None, "null: empty"]


class Table(TypedDict):
    label: str
    state: Annotated[str, Round.State]
    by: Annotated[str | None, ("cards", "word")]
    day: Day
    ended: Annotated[Moment | None, "null while it lasts"]
    points: dict[str, int | None]
    draws: list[list[str]]
    seats: Annotated[list[Seat], "In order"]
    dealer: Seat | None


class Larger(Table):
    chance: float


def described(field):
    return AutoSchema()._map_serializer_field(field, "response")


def test_the_document_describes_each_type_and_what_its_annotation_adds():
    fields = documented(Table).fields
    assert list(fields) == list(Table.__annotations__)
    assert [name for name, field in fields.items() if field.allow_null] == ["by", "ended", "dealer"]
    assert described(fields["state"])["enum"] == Round.State.values
    assert described(fields["by"])["enum"] == ["cards", "word", None]
    assert described(fields["day"]) == {"type": "string", "format": "date"}
    assert described(fields["ended"])["format"] == "date-time"
    assert fields["ended"].help_text == "null while it lasts"
    assert described(fields["points"])["additionalProperties"]["type"] == ["integer", "null"]
    assert described(fields["draws"])["items"] == {"type": "array", "items": {"type": "string"}}
    assert (fields["seats"].many, fields["seats"].help_text) == (True, "In order")
    assert type(fields["seats"].child) is type(fields["dealer"]) is type(documented(Seat))


def test_a_list_of_a_shape_and_a_larger_shape_are_described_too():
    assert type(documented(list[Seat]).child) is type(documented(Seat))
    assert list(documented(Larger).fields) == [*Table.__annotations__, "chance"]


def test_an_answer_has_the_fields_of_its_shape_in_their_order():
    value = SimpleNamespace(player="Ana", number=1, secret="of nobody's business")
    assert list(filled(Seat, value).items()) == [("number", 1), ("player", "Ana")]
    assert list(filled(Seat, value, number=2).items()) == [("number", 2), ("player", "Ana")]
