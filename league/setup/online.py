"""Choose the tables that are played online: parse the input, and update drawn tables."""

import re

from django.utils.translation import gettext as _

from league.ledger.locks import lock_tables
from league.lib.errors import Refused
from league.models import Round, Table, Tournament, mode_of

MOST_CHARACTERS = 200


def tables_online(text: str) -> str:
    """Return a `Tournament.online` for text such as "1-3, 5": "all", sorted numbers ("1,2,3,5"), or empty.

    Raises `Refused("online")`.
    """
    text = text.strip().lower()
    if text in ("", "all"):
        return text
    numbers: set[int] = set()
    for part in filter(None, re.split(r"[\s,;]+", re.sub(r"\s*[-–]\s*", "-", text))):
        first, dash, last = part.partition("-")
        last = last if dash else first
        if not all(number.isascii() and number.isdigit() and len(number) < 4 for number in (first, last)):
            raise _refusal(_("Type table numbers, for example 1-4, 7."))
        numbers.update(range(int(first), int(last) + 1))
    if not numbers or min(numbers) < 1:
        raise _refusal(_("Type table numbers, for example 1-4, 7."))
    result = ",".join(map(str, sorted(numbers)))
    if len(result) > MOST_CHARACTERS:
        raise _refusal(_("That’s too many table numbers. Choose all tables instead."))
    return result


def _refusal(sentence: str) -> Refused:
    return Refused("online", sentence, fields={"online": [sentence]})


def follow_online(tournament: Tournament) -> None:
    """Set the mode of tables in drafts by `Tournament.online`. The caller holds the tournament's lock."""
    drafts = Table.objects.filter(round__tournament=tournament, round__state=Round.State.DRAFT)
    lock_tables(drafts.values_list("pk", flat=True))
    tables = list(drafts.order_by("pk"))
    for table in tables:
        table.mode = mode_of(tournament, table.number)
    Table.objects.bulk_update(tables, ["mode"])
