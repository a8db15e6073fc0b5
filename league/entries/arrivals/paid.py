"""Note who has paid the fee: one entry, or all ticked ones in one transaction. Possible also after the final standings.

Payments are private: only helpers of the tournament and the club's organisers see them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.entries.arrivals.many import mark_each, marked_in, owners_of
from league.entries.ticked import gone_in_words, ticked_entries
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict
from league.log.write import note, player_in_log
from league.models import Entry, LogEntry, Tournament, User
from league.pages.people_list import in_names

PAID, UNPAID = "paid", "undo-paid"


@dataclass(frozen=True)
class Payments:
    """The noted people by name, like `Arrivals`."""

    paid: bool
    changed: tuple[str, ...]
    before: tuple[str, ...]
    gone: tuple[str, ...]
    rows: tuple[int, int] | None


def payers(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that owe the fee: no stand-ins, no bots."""
    return [entry for entry in entries if pays(entry)]


def pays(entry: Entry) -> bool:
    return not entry.bot and entry.status != Entry.Status.STANDIN


def paid_in_words(tournament: Tournament, entries: Iterable[Entry]) -> str:
    """Return “14 of 16 paid”; empty without a fee."""
    if not tournament.fee or not (owing := payers(entries)):
        return ""
    paid = sum(entry.paid_at is not None for entry in owing)
    return ngettext("%(paid)s of %(count)s paid", "%(paid)s of %(count)s paid", len(owing)) % {
        "paid": paid,
        "count": len(owing),
    }


@transaction.atomic
def set_paid(*, entry: Entry, paid: bool, by: User) -> LogEntry | None:
    """Note that a player has paid, or with `paid=False` undo that. Return the log row; None if already noted."""
    tournament = _lock(entry.tournament)
    current = tournament.entries.select_related("player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    if not pays(current):
        raise Conflict("no-fee", _("%(name)s pays no fee.") % {"name": current})
    return _note_payment(tournament, current, paid=paid, by=by)


@transaction.atomic
def mark_paid(*, tournament: Tournament, ids: Sequence[str], paid: bool, by: User) -> Payments:
    """Note these players as paid or not. Removed players are reported; stand-ins owe nothing.

    Raises `Conflict` without a fee, and `Refused` for an unknown id.
    """
    tournament = _lock(tournament)
    ticked = ticked_entries(tournament, ids)
    owing = replace(ticked, entries=tuple(payers(ticked.entries)))
    return Payments(paid, *mark_each(owing, lambda entry: _note_payment(tournament, entry, paid=paid, by=by)))


@transaction.atomic
def undo_payments(*, tournament: Tournament, first: int, last: int, by: User) -> Payments:
    """Undo the notes of `mark_paid` in these rows, unless changed since.

    Raises `Conflict` if nothing is left to undo.
    """
    tournament = _lock(tournament)
    rows = marked_in(tournament, (PAID, UNPAID), first, last, by)
    paid = not any(row.action == PAID for row in rows)
    back = [
        entry.name
        for entry in owners_of(tournament, rows)
        if _note_payment(tournament, entry, paid=paid, by=by) is not None
    ]
    if not back:
        raise Conflict("no-way-back", _("The list has changed since, so this can’t be undone."))
    return Payments(paid, tuple(back), (), (), None)


def payments_in_words(done: Payments) -> str:
    """Return “3 people have paid: Ana, Bo and Chidi. Emil had already paid.”"""
    people = {"count": len(done.changed), "names": in_names(done.changed)}
    sentences = []
    if done.changed and done.paid:
        words = ngettext("%(names)s has paid.", "%(count)d people have paid: %(names)s.", len(done.changed))
        sentences.append(words % people)
    elif done.changed:
        words = ngettext("%(names)s has not paid.", "%(count)d people have not paid: %(names)s.", len(done.changed))
        sentences.append(words % people)
    if done.before:
        if done.paid:
            words = ngettext("%(names)s had already paid.", "%(names)s had already paid.", len(done.before))
        else:
            words = ngettext("%(names)s had not paid anyway.", "%(names)s had not paid anyway.", len(done.before))
        sentences.append(words % {"names": in_names(done.before)})
    return " ".join([*sentences, *gone_in_words(done.gone)])


def _note_payment(tournament: Tournament, entry: Entry, *, paid: bool, by: User) -> LogEntry | None:
    """Note a payment and return the log row; None if already noted."""
    if (entry.paid_at is not None) == paid:
        return None
    entry.paid_at = timezone.now() if paid else None
    entry.save(update_fields=["paid_at"])
    them = player_in_log(entry)
    action, old, new = (PAID, None, them) if paid else (UNPAID, them, None)
    return note(tournament=tournament, by=by, action=action, old=old, new=new)


def _lock(tournament: Tournament) -> Tournament:
    tournament = lock_tournament(tournament.pk)
    if not tournament.fee:
        raise Conflict("no-fee", _("This tournament has no fee. Enter one in the settings first."))
    return tournament
