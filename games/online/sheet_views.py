"""What lies over an open table: its rules, and the hand so far. Without scripts each is a page of its own."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.online.page.game_line import game_of
from games.online.page.picture import picture
from games.online.page.story import hand_log
from games.online.page.table_rules import table_rules
from games.online.page.viewer import viewer_of
from games.online.play.deals import latest_deal, settings_of
from league.models import Entry, Table

BARE = "games/online/_bare.html"  # an open table takes the sheet out of it


@require_safe
@never_cache
def rules(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the rules of this table."""
    _access, table, me = viewer_of(request, table_id)
    deal = latest_deal(table)
    players = len(deal.places) if deal else table.seats.count()
    context = {"rules": table_rules(game_of(table), players=players)}
    return render(request, "games/online/table_rules.html", context | _sheet_of(request, table, me))


@require_safe
@never_cache
def hand(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show all moves of the hand in play, as the viewer may see them."""
    access, table, me = viewer_of(request, table_id)
    deal = latest_deal(table)
    seen = picture(deal, me, settings_of(access.tournament)) if deal else None
    return render(request, "games/online/hand_log.html", {"log": hand_log(seen)} | _sheet_of(request, table, me))


def _sheet_of(request: HttpRequest, table: Table, me: Entry | None) -> dict[str, Any]:
    """Return the layout, and the address of the table below the sheet."""
    page = reverse("play", args=[table.pk])
    return {
        "layout": BARE if "Wild-Live" in request.headers else "base.html",
        "back": f"{page}?as={me.plays_as}" if me else page,
    }
