"""The state of a player's own table, for pages about a finished hand."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from engine.state import OVER
from games.models import Deal
from games.online.page.clocks import in_minutes, moment, seconds_until, to_ms
from games.online.page.picture import picture
from games.online.play.deals import latest_deal, settings_of
from league.access import Access
from league.lib.translate import names
from league.live.stream import version_of_table
from league.models import Entry, Table


@dataclass(frozen=True)
class Strip:
    """`mine`: the table waits for the reader. `time_left` and `ends_ms` as of `now_ms`, if a time runs."""

    words: str
    mine: bool = False
    time_left: str = ""
    ends_ms: int = 0
    now_ms: int = 0


def strip_of(access: Access, table: Table, me: Entry | None) -> dict[str, Any]:
    """Return {"me", "live_version", "strip": None without a current hand} for a player; {"me": None} for others."""
    if me is None:
        return {"me": None}
    version = version_of_table(table)
    deal = latest_deal(table)
    seen = picture(deal, me, settings_of(access.tournament)) if deal else None
    return {"me": me, "table": table, "tournament": access.tournament, "live_version": version, "strip": _strip(seen)}


def _strip(seen: dict[str, Any] | None) -> Strip | None:
    if seen is None or seen["state"] not in (Deal.State.WAITING, Deal.State.PLAYING):
        return None
    number = {"number": seen["number"]}
    if seen["paused"]:
        return Strip(_("Hand %(number)d is paused.") % number)
    if seen["state"] == Deal.State.WAITING:
        return _waiting_strip(seen, number)
    hand, place = seen["hand"], None if seen["you"] is None else seen["places"][seen["you"]]
    if place is None or hand["step"] == OVER:
        return Strip(_("Hand %(number)d is being played.") % number)
    if place["bot"]:
        return Strip(_("A bot plays hand %(number)d for you.") % number, mine=True)
    if hand["turn"] == seen["you"]:
        return _strip_until(seen, _("Hand %(number)d: your turn.") % number, mine=True)
    words = number | {"name": seen["places"][hand["turn"]]["name"]}
    return Strip(_("Hand %(number)d: %(name)s’s turn.") % words)


def _waiting_strip(seen: dict[str, Any], number: dict[str, int]) -> Strip:
    you = seen["you"]
    if you is not None and (not seen["places"][you]["ready"] or seen["places"][you]["bot"]):
        return _strip_until(seen, _("Hand %(number)d waits for you.") % number, mine=True)
    missing = names(place["name"] for place in seen["places"] if not place["ready"])
    return _strip_until(seen, _("Hand %(number)d waits for %(names)s.") % (number | {"names": missing}), mine=False)


def _strip_until(seen: dict[str, Any], words: str, *, mine: bool) -> Strip:
    due, now = moment(seen["clock"]["due_at"]), timezone.now()
    if due is None:
        return Strip(words, mine)
    return Strip(words, mine, in_minutes(seconds_until(due, now)), to_ms(due), to_ms(now))
