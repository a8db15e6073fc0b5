"""JSON answers to a phone that sends its stored hands once the network is back (games/static/games/queue.js).

Address, form and service are those of the page. A phone keeps a hand until one of these answers settles it. Any other
response, such as the sign-in page of a public Wi-Fi, counts as no answer.

    {"code": …, "sentence": …, "at": milliseconds}

201 recorded · 200 same (already recorded), gone (recorded, then undone) · 409 and 422 the refusal's code, `form` for a
typing error · 410 link-ended · 403 wrong-table, somebody-else · 404 not-found
"""

import json
import re
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
from games.hands import on_phones
from games.hands.judge import HandRefused
from games.hands.record import MOST_KEY, Recorded
from games.models import Hand
from league.access import Access, LinkEnded, RoundUndone, WrongTable
from league.access.session_links import identity_of
from league.access.tables import undone_in_words
from league.access.viewer import Attribution
from league.ledger.progress import hands_are_in_order, race_of, target_of_round
from league.ledger.race import RaceLedger
from league.lib.errors import Conflict, Refused
from league.models import Seat, Table

AHEAD = 20  # hands that a phone can enter offline at a table without a fixed number of hands


def now() -> int:
    """Return the server's time in milliseconds; a phone compares it to find the newer of two answers."""
    return int(time.time() * 1000)


def is_sent(request: HttpRequest) -> bool:
    """Return whether a phone's queue sent this request."""
    return request.method == "POST" and request.headers.get("Accept") == "application/json"


def answer(
    request: HttpRequest, access: Access, table: Table, form: HandForm, save: Callable[[], Recorded], by: Attribution
) -> HttpResponse:
    """Save the hand of the form and return the result as JSON. Note what the phone still holds."""
    if request.POST.get("who", "") not in ("", identity_of(request, access)):
        sentence = _("Someone else entered this hand on this phone. Send it again to count it as yours.")
        return _json_answer(403, "somebody-else", sentence)
    if not form.is_valid():
        return _json_answer(422, "form", " ".join(form.sentences()))
    if waiting := _waiting(request.POST.get("waiting", "")):
        on_phones.note_waiting(table=table, waiting=waiting, by=by)
    try:
        recorded = save()
    except HandRefused as refused:
        form.refuse(refused)
        return _json_answer(refused.status, refused.code, " ".join(form.sentences()))
    except Refused as refused:
        hold(table, form, refused, by)
        return _json_answer(refused.status, refused.code, str(refused))
    number = {"number": recorded.hand.number}
    if recorded.hand.voided_at is not None:
        return _json_answer(200, "gone", _("Hand %(number)d was undone after it was saved. Enter it again.") % number)
    result = _result(table, recorded.hand)
    if recorded.created:
        sentence = _("Hand %(number)d saved: %(result)s.") % (number | {"result": result})
        return _json_answer(200 if recorded.replayed else 201, "recorded", sentence)
    return _json_answer(200, "same", _("This hand was already saved: %(result)s.") % {"result": result})


def hold(table: Table, form: HandForm, refused: Refused, by: Attribution) -> None:
    """Note a refused hand for directors, who need no note of their own ones."""
    data = form.cleaned_data
    if by.corrects or not isinstance(refused, Conflict):
        return
    standing = refused.current if refused.code == on_phones.DIFFERS else None
    hand = form.hand_input(data["hand"])
    on_phones.note_refused(table_id=table.pk, key=data["key"], code=refused.code, hand=hand, standing=standing, by=by)


def _waiting(text: str) -> list[tuple[int, str]]:
    """Read the hands behind this one as (number, key), from “2 key 3 key”; an unreadable text has none."""
    words = text[:5000].split()
    pairs = list(zip(words[::2], words[1::2], strict=False))
    return [(int(number), key) for number, key in pairs if re.fullmatch("[0-9]{1,3}", number) and len(key) <= MOST_KEY]


def guides(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view: explain a refusal to a phone's queue as JSON. Pages use league.by_link.scorer_views."""

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
    """Return as JSON what the page needs offline. `at` is the time at which the hands were read.

    `seats` are dealt in now, `hint` replaces the scores until there are any. With a target, the phone continues hand by
    hand. It drops players who reached the target (Challenge UNO, `race`) or ends the `game` of a points race.
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
    """Return the script that caches a scorer's pages for offline reloads; its scope needs the root path."""
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
