"""Which tables of a tournament are played online: how that is written, and what follows for tables that are drawn."""

import re

from django.utils.translation import gettext as _

from league.ledger.locks import lock_tables
from league.lib.errors import Refused
from league.models import Round, Table, Tournament

MOST_CHARACTERS = 200


def tables_online(text: str) -> str:
    """As `Tournament.online` keeps it: "all", numbers in their order ("1,2,3"), or empty. Reads "1-3, 5" too.

    Raises `Refused("online")`.
    """
    text = text.strip().lower()
    if text in ("", "all"):
        return text
    numbers: set[int] = set()
    for part in filter(None, re.split(r"[\s,;]+", re.sub(r"\s*[-–]\s*", "-", text))):
        first, dash, last = part.partition("-")
        last = last if dash else first
        if not all(one.isascii() and one.isdigit() and len(one) < 4 for one in (first, last)):
            raise _refused(_("Type numbers of tables, for example 1-4, 7."))
        numbers.update(range(int(first), int(last) + 1))
    if not numbers or min(numbers) < 1:
        raise _refused(_("Type numbers of tables, for example 1-4, 7."))
    written = ",".join(map(str, sorted(numbers)))
    if len(written) > MOST_CHARACTERS:
        raise _refused(_("These are too many tables to name one by one. Choose all of them instead."))
    return written


def _refused(sentence: str) -> Refused:
    return Refused("online", sentence, fields={"online": [sentence]})


def follow_online(tournament: Tournament) -> None:
    """Tables of rounds that are drafts are played as the tournament says now. The caller holds its lock."""
    drafts = Table.objects.filter(round__tournament=tournament, round__state=Round.State.DRAFT)
    lock_tables(drafts.values_list("pk", flat=True))
    tables = list(drafts.order_by("pk"))
    for table in tables:
        table.mode = tournament.mode_of(table.number)
    Table.objects.bulk_update(tables, ["mode"])
