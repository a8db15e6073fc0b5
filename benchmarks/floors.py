"""The least that Django can do for a request of each kind, and the views that only a benchmark needs.

They run in the product's process, behind its middleware, so a ratio to a floor is the product's own code.
"""

import json
import os
from collections.abc import Callable
from typing import Any

from django.core.cache import caches
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.views.decorators.csrf import csrf_exempt

from benchmarks.models import Item, Move
from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_hand
from league.access.viewer import Attribution
from league.lib.versioned_cache import VersionedCache
from league.models import User

LINES = 64


def count_queries(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: tells how many queries a request made, and forgets the kept pages before it, if it asks for that."""

    def counted(request: HttpRequest) -> HttpResponse:
        if "X-Forget" in request.headers:
            VersionedCache.forget_all()
            caches["pages"].clear()
        if "X-Count-Queries" not in request.headers:
            return get_response(request)
        statements: list[str] = []

        def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
            statements.append(sql)
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            response = get_response(request)
        response["X-Queries"] = str(len(statements))
        return response

    return counted


def process(request: HttpRequest) -> HttpResponse:
    """The id of the process that serves: the one whose CPU time is read."""
    return HttpResponse(str(os.getpid()))


def hello(request: HttpRequest) -> HttpResponse:
    return HttpResponse("hello")


def row(request: HttpRequest) -> HttpResponse:
    return HttpResponse(get_object_or_404(Item, pk=1).name)


def rows(request: HttpRequest) -> HttpResponse:
    return render(request, "floor_rows.html", _lines())


def _lines() -> dict[str, Any]:
    return {"items": Item.objects.order_by("-points", "pk")[:LINES]}


_kept: dict[int, str] = {}


def cached(request: HttpRequest) -> HttpResponse:
    """A finished list from memory, as good as the row's version says."""
    version = get_object_or_404(Item, pk=1).version
    if version not in _kept:
        _kept[version] = render_to_string("floor_rows.html", _lines())
    return HttpResponse(_kept[version])


@csrf_exempt
def write(request: HttpRequest, number: int) -> HttpResponse:
    """Lock, update, insert, commit."""
    with transaction.atomic():
        item = Item.objects.select_for_update().get(pk=1 + number % LINES)
        item.version += 1
        item.save(update_fields=["version"])
        Move.objects.create(item=item, number=number, data=json.loads(request.body))
    return HttpResponse("kept")


@csrf_exempt
def record(request: HttpRequest, table_id: int) -> HttpResponse:
    """`games.hands.record.record_hand` without a page around it."""
    sent = json.loads(request.body)
    reports = [SeatReport(seat, cards=tuple(cards)) for seat, cards in sent["cards"]]
    recorded = record_hand(
        table_id=table_id,
        hand=HandInput(sent["hand"], sent["went_out"], reports),
        by=Attribution(User.objects.get(pk=sent["by"])),
        key=sent["key"],
    )
    return HttpResponse(str(recorded.hand.pk))
