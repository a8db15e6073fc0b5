"""What is wished of the rounds to be drawn: a fixed table for somebody, two who must not meet."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.day.entrants import one_of
from league.formats import FORMATS, NotPossible
from league.ledger.field import field_of
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.lib.translate import translated
from league.log.write import note, who
from league.models import Entry, KeptApart, Stage, Tournament, User
from league.rounds.draw import next_seating, wishes
from league.rounds.redraw import drafts_of, redraw_next, renumber_drafts, seating_of


def _wishing(tournament: Tournament) -> tuple[Tournament, Stage]:
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final, so nothing is drawn any more."))
    return tournament, tournament.stages.get()


@transaction.atomic
def set_fixed_table(*, tournament: Tournament, entry: Entry, number: int | None, by: User | None) -> None:
    """Let somebody sit at this table in every round that is still to be drawn or published; None: wherever.

    Rounds in draft follow. Raises `Refused` where there are not so many tables, or a draw would be impossible.
    """
    tournament, stage = _wishing(tournament)
    entry = one_of(tournament, entry)
    if entry.fixed_table == number:
        return
    if number is not None and not 1 <= number <= (most := _most_tables(tournament, stage)):
        sentence = _("There are tables 1 to %(most)d.") % {"most": most}
        raise Refused("table", sentence, fields={"number": [sentence]})
    old, entry.fixed_table = entry.fixed_table, number
    entry.save(update_fields=["fixed_table"])
    _follow(tournament, stage, by)
    note(
        tournament=tournament,
        by=by,
        action="fix-table" if number else "unfix-table",
        old=None if old is None else {**who(entry), "at": old},
        new={**who(entry), "at": number},
    )


def _most_tables(tournament: Tournament, stage: Stage) -> int:
    """As many as a round to come can have."""
    drafts = drafts_of(tournament)
    if drafts:
        return min(one.tables.count() for one in drafts)
    if not stage.drawn_ahead:
        return max(1, -(-len(field_of(tournament, stage).players) // stage.table_size))
    return max(1, tournament.entries.filter(status=Entry.Status.ACTIVE).count() // 4)


@transaction.atomic
def keep_apart(*, tournament: Tournament, entry: Entry, other: Entry, apart: bool = True, by: User | None) -> None:
    """Two must not sit at one table in rounds that are still to be drawn; with `apart` False they may again."""
    tournament, stage = _wishing(tournament)
    if FORMATS[stage.format].PARTNERS:
        raise Refused(
            "pairs",
            _("In individual pairs everybody partners and meets everybody, so nobody can be kept apart."),
        )
    pair = sorted((one_of(tournament, entry), one_of(tournament, other)), key=lambda one: one.pk)
    if pair[0] == pair[1]:
        sentence = _("Choose two different players.")
        raise Refused("same", sentence, fields={"other": [sentence]})
    found = KeptApart.objects.filter(one=pair[0], other=pair[1])
    if found.exists() == apart:
        return
    if apart:
        KeptApart.objects.create(one=pair[0], other=pair[1])
    else:
        found.delete()
    _follow(tournament, stage, by)
    action = "keep-apart" if apart else "let-meet"
    note(tournament=tournament, by=by, action=action, new=[who(one) for one in pair])


def _follow(tournament: Tournament, stage: Stage, by: User | None) -> None:
    """Bring rounds in draft in step with the wishes. Raises `Refused` where they cannot be met."""
    if stage.drawn_ahead:
        renumber_drafts(tournament)
        return
    redraw_next(tournament, stage, by, wishes_changed=True)
    field = field_of(tournament, stage)
    if stage.started_at is not None and field.another_round and not drafts_of(tournament):
        try:
            next_seating(tournament, stage, field)
        except NotPossible as exc:
            raise Refused("seating", translated(exc.sentence)) from exc


def elsewhere(tournament: Tournament, entry: Entry, number: int) -> list[tuple[int, str, int]]:
    """Rounds of pairs in draft in which somebody with another fixed table sits with an entry: (round, name, table)."""
    fixed, _apart = wishes(tournament)
    names = dict(tournament.entries.values_list("public_id", "player__name"))
    return [
        (round_number, names[other], fixed[other])
        for round_number, tables, _byes in seating_of(drafts_of(tournament))
        for table in tables
        if entry.public_id in table
        for other in table
        if other != entry.public_id and fixed.get(other, number) != number
    ]
