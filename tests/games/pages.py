"""A table's page as a test reads and fills it in."""

import re

from games.models import Hand
from league.models import Table

CARDS = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"}


def hidden(response):
    """The hidden fields of the form on a page, without the token."""
    text = response.content.decode()
    return {
        name: value
        for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text)
        if name in ("hand", "seating_version", "key")
    }


def form(olga, table, query="", **typed):
    """The form as the page hands it out, with what was typed."""
    return hidden(olga.get(f"/tables/{table.pk}/{query}")) | (typed or CARDS)


def post(olga, table, data, **more):
    return olga.post(f"/tables/{table.pk}/", data, **more)


def said(response):
    """A page's text without its tags, in one line."""
    return " ".join(re.sub("<[^>]+>", " ", response.content.decode()).split())


def name(table, seat):
    return table.seats.get(number=seat).entry.player.name


def version(table):
    return Table.objects.get(pk=table.pk).version


def living(table):
    return list(Hand.objects.living().filter(table=table).order_by("number"))
