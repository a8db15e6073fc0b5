"""A table's page as a test reads and fills it in."""

import re

from django.contrib.auth.models import AnonymousUser

from games.entry.forms import ReportForm
from games.entry.page import Occasion, page_of
from games.entry.preview import text_of_form
from games.entry.table_state import state_of
from games.models import Hand
from league.access import Visitor, table_for
from league.access.rights import Can
from league.ledger.progress import dealt_in, race_of
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


def page(table, seat=None, **occasion):
    """The value of a table's page as its organiser sees it, or the player of a seat; without a request."""
    table = Table.objects.select_related("round__tournament__owner", "round__stage").get(pk=table.pk)
    if seat is None:
        visitor = Visitor(table.round.tournament.owner)
    else:
        entry = table.seats.get(number=seat).entry
        visitor = Visitor(AnonymousUser(), players=((entry.public_id, entry.link_generation),))
    access, table = table_for(visitor, table.pk, Can.RECORD)
    return page_of(state_of(access, table, visitor), Occasion(identity="", at=0, **occasion))


def preview(table, hand=1, **typed):
    """What a typed hand would score, in words."""
    table = Table.objects.select_related("round__tournament", "round__stage").get(pk=table.pk)
    race = race_of(table.round)
    return text_of_form(table, hand, ReportForm(typed, seats=dealt_in(table, hand, race)), race)


def caught(text):
    """The lines of a preview where everybody plays alone: “Ana 50 total 110, eliminated”."""
    return [f"{line.name} {line.points} {line.total}" for line in text.caught]


def notices(page):
    """The texts of a page's notices, with their titles and lines."""
    return [" ".join(filter(None, [notice.title, notice.text, *notice.lines])) for notice in page.notices]
