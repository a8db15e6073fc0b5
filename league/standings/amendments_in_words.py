"""Word rule changes made after the start, for the standings page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Stage
from league.standings.tie_breaks import TIE_BREAKS

WORDS = {
    "hands_per_round": gettext_lazy("%(new)s hands a round instead of %(old)s"),
    "table_size": gettext_lazy("at most %(new)s players at a table, instead of %(old)s"),
    "target": gettext_lazy("target %(new)s instead of %(old)s"),
    "rounds": gettext_lazy("%(new)s rounds instead of %(old)s"),
    "bye_points": gettext_lazy("a bye is worth %(new)s instead of %(old)s"),
    "tie_breaks": gettext_lazy("ties are broken by %(new)s instead of %(old)s"),
}


@dataclass(frozen=True)
class Amendment:
    """A change, for example “Since 21:05: target 400 instead of 500. We have to leave by eleven.”"""

    at: datetime
    field: str
    change: str
    reason: str

    def sentence(self, zone: ZoneInfo) -> str:
        at = self.at.astimezone(zone)
        words = {"at": date_format(at, "H:i"), "what": self.change, "reason": self.reason}
        return _("Since %(at)s: %(what)s. %(reason)s") % words


def amendments_of(stage: Stage) -> list[Amendment]:
    """Return the amendments, oldest first."""
    amendments = []
    for record in stage.amendments:
        words = WORDS.get(record["field"])
        if words is not None:
            values = {
                "old": _value_in_words(record["field"], record["old"]),
                "new": _value_in_words(record["field"], record["new"]),
            }
            reason = record["reason"].rstrip()
            ended = reason if reason.endswith((".", "!", "?", "…")) else f"{reason}."
            amendments.append(
                Amendment(datetime.fromisoformat(record["at"]), record["field"], str(words) % values, ended)
            )
    return amendments


def sentences_of(stage: Stage, zone: ZoneInfo) -> list[str]:
    return [amendment.sentence(zone) for amendment in amendments_of(stage)]


def _value_in_words(field: str, value: Any) -> str:
    if field == "tie_breaks":
        return _in_order(value)
    if field == "hands_per_round" and value is None:
        return _("unlimited")
    if field == "rounds" and value is None:
        return _("all rounds of the schedule")
    if field == "target" and value is None:
        return _("none")
    return str(value)


def _in_order(codes: Sequence[str]) -> str:
    return ", ".join(_(TIE_BREAKS[code].name) if code in TIE_BREAKS else code for code in codes) or _("nothing")
