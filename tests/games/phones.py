"""Phones of players: browsers that exchanged a player's own link, and a table whose hands they report."""

from django.test import Client

from league.access.signed_links import player_token
from league.models import Seat, Table
from tests.games.pages import form, post

HANDS = (
    {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"},
    {"went_out": "1", "cards_0": "Y5", "cards_2": "B9 R1"},
    {"went_out": "2", "cards_1": "G8", "cards_3": "YS"},
    {"went_out": "3", "cards_0": "RR B2", "cards_2": "W"},
)


def at(table: Table, seat: int) -> Client:
    """The phone of whoever sits there: a browser that used their own link."""
    entry = Seat.objects.get(table=table, number=seat).entry
    phone = Client()
    assert phone.post(f"/me/{player_token(entry)}/").status_code == 303
    return phone


def report(phone: Client, table: Table, *hands: dict[str, str]) -> None:
    """Send these hands, or all four, one after the other."""
    for hand in hands or HANDS:
        assert post(phone, table, form(phone, table, **hand)).status_code == 303


def fresh(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)
