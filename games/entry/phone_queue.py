"""The answers to a phone that sends its hands by itself when the network is back (games/static/games/queue.js).

The same address, form and service as the page's; only the answer is JSON. A phone keeps a hand until one of these
answers decides about it; whatever else comes back (the sign-in page of somebody's Wi-Fi) means that nobody has read it.

    {"code": …, "sentence": …, "at": milliseconds}

201 recorded · 200 same (it was in already), gone (it was in, and was taken back since) · 409 and 422 the code of the
refusal, `form` where a field was typed wrongly · 410 link-ended · 403 wrong-table, somebody-else · 404 not-found
"""

import json
import time
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.entry import sheet, table_state
from games.entry.forms import HandForm
from games.hands.judge import HandRefused
from games.hands.record import Recorded
from games.models import Hand
from league.access import Access, LinkEnded, RoundUndone, WrongTable
from league.access.tables import undone_in_words
from league.ledger.progress import hands_are_in_order, race_of, target_of_round
from league.ledger.race import RaceLedger
from league.lib.errors import Refused
from league.models import Seat, Table

AHEAD = 20  # hands that a phone goes on for without a network, where a table has no number of hands


def now() -> int:
    """The server's time, as pages and answers carry it, so that a phone knows which of two is newer."""
    return int(time.time() * 1000)


def is_sent(request: HttpRequest) -> bool:
    """Whether a phone's queue sent this request, and not a form."""
    return request.method == "POST" and request.headers.get("Accept") == "application/json"


def identity_of(request: HttpRequest, access: Access) -> str:
    """For whom a page was made: a hand that waited is sent in the name of whoever typed it, or not at all.

    All scorer's links count as one: a table's new link takes the place of one that ended.
    """
    if access.link:
        return "link"
    return f"player {access.entry.public_id}" if access.entry else f"account {request.user.pk}"


def answer(
    request: HttpRequest, access: Access, table: Table, form: HandForm, save: Callable[[], Recorded]
) -> HttpResponse:
    """Save what the form asks for and say in JSON how it went."""
    if request.POST.get("who", "") not in ("", identity_of(request, access)):
        sentence = _("This hand was typed while somebody else used this phone. Sent again, it counts as yours.")
        return _json_answer(403, "somebody-else", sentence)
    if not form.is_valid():
        return _json_answer(422, "form", " ".join(form.sentences()))
    try:
        recorded = save()
    except HandRefused as refused:
        form.refuse(refused)
        return _json_answer(refused.status, refused.code, " ".join(form.sentences()))
    except Refused as refused:
        return _json_answer(refused.status, refused.code, str(refused))
    number = {"number": recorded.hand.number}
    if recorded.hand.voided_at is not None:
        return _json_answer(200, "gone", _("Hand %(number)d was sent before and taken back since.") % number)
    result = _result(table, recorded.hand)
    if recorded.created:
        sentence = _("Hand %(number)d saved: %(result)s.") % (number | {"result": result})
        return _json_answer(200 if recorded.replayed else 201, "recorded", sentence)
    return _json_answer(
        200, "same", _("This hand was in already, with the same result: %(result)s.") % {"result": result}
    )


def guides(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Says in JSON why a phone that sends its queue is not let in; pages are guided by league.by_link.scorer_views."""

    @wraps(view)
    def guarded_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Http404 as missing:
            if not is_sent(request):
                raise
            return _refusal_answer(missing)

    return guarded_view


def facts(
    table: Table,
    seats: Sequence[Seat],
    empty: Sequence[int],
    *,
    at: int,
    bound: bool,
    identity: str,
    hint: str,
    race: RaceLedger | None = None,
) -> str:
    """What the page needs to go on without the server, as JSON; `at` is when the hands were read.

    `seats` are those that are dealt in now, `hint` stands where the scores appear. With a target the phone goes on hand
    after hand: by what was typed into it, it leaves out players who have reached the target (Challenge UNO, `race`), or
    ends the `game` of a points race.
    """
    empty = list(empty)
    if empty and hands_are_in_order(table.round):
        empty = list(range(empty[0], (table.hands_wanted or empty[0] + AHEAD) + 1))
    last = table.hands_wanted or max(empty, default=0)
    data = {
        "table": table.pk,
        "url": table.get_absolute_url(),
        "number": table.number,
        "round": table.round.number,
        "tournament": table.round.tournament.name,
        "of": table.hands_wanted,
        "empty": empty,
        "dealers": table_state.dealers(table, seats, range(1, last + 1)),
        "at": at,
        "bound": bound,
        "who": identity,
        "hint": hint,
    }
    if hands_are_in_order(table.round):
        totals = {total.seat: total.points for total in table_state.totals_of(table, seats, race)}
        data |= {"totals": totals, "target": race.settings.target if race else target_of_round(table.round)}
    if race is None and "target" in data:
        data["game"] = table.round.stage.scoring
    return json.dumps(data)


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that keeps a scorer's pages for a reload without a network. It is at the root for its scope."""
    return render(request, "games/entry/sw.js", content_type="text/javascript; charset=utf-8")


def _result(table: Table, hand: Hand) -> str:
    lines = sheet.hand_lines(table, [hand], race_of(table.round))
    return lines[0].sentence if lines else ""


def _refusal_answer(missing: Http404) -> HttpResponse:
    if isinstance(missing, LinkEnded):
        return _json_answer(410, "link-ended", _("The link to this table has ended."))
    if isinstance(missing, WrongTable):
        return _json_answer(
            403, "wrong-table", _("This phone is for table %(number)d now.") % {"number": missing.link.table}
        )
    if isinstance(missing, RoundUndone):
        return _json_answer(409, "undone", undone_in_words(missing.table))
    return _json_answer(404, "not-found", _("This phone may not enter hands here any more."))


def _json_answer(status: int, code: str, sentence: str) -> HttpResponse:
    return JsonResponse({"code": code, "sentence": sentence, "at": now()}, status=status)
