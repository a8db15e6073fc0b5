"""Seating requests for undrawn rounds: a fixed table, and players who must not meet."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.day.entrants import current_entry
from league.formats import NotPossible
from league.ledger.field import field_of
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.log.write import note, player_in_log
from league.models import Entry, KeptApart, Stage, Tournament, User, entry_name
from league.rounds.draw import next_seating, wishes
from league.rounds.redraw import drafts_of, redraw_next, renumber_drafts, seating_of


def _lock_for_wishes(tournament: Tournament) -> tuple[Tournament, Stage]:
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    return tournament, tournament.stage


@transaction.atomic
def set_fixed_table(*, tournament: Tournament, entry: Entry, number: int | None, by: User | None) -> None:
    """Fix a player's table in every unpublished round; None removes the fixed table.

    Drafts are changed to fit. Raises `Refused` if there are fewer tables, or if no draw is possible.
    """
    tournament, stage = _lock_for_wishes(tournament)
    entry = current_entry(tournament, entry)
    if entry.fixed_table == number:
        return
    if number is not None and not 1 <= number <= (most := _most_tables(tournament, stage)):
        sentence = _("Choose table 1 to %(most)d.") % {"most": most}
        raise Refused("table", sentence, fields={"number": [sentence]})
    old, entry.fixed_table = entry.fixed_table, number
    entry.save(update_fields=["fixed_table"])
    _update_drafts(tournament, stage, by)
    note(
        tournament=tournament,
        by=by,
        action="fix-table" if number else "unfix-table",
        old=None if old is None else {**player_in_log(entry), "at": old},
        new={**player_in_log(entry), "at": number},
    )


def _most_tables(tournament: Tournament, stage: Stage) -> int:
    """Return the largest possible number of tables in a coming round."""
    drafts = drafts_of(tournament)
    if drafts:
        return min(draft.tables.count() for draft in drafts)
    if not stage.drawn_ahead:
        return max(1, -(-len(field_of(tournament, stage).players) // stage.table_size))
    return max(1, tournament.entries.filter(status=Entry.Status.ACTIVE).count() // 4)


@transaction.atomic
def keep_apart(*, tournament: Tournament, entry: Entry, other: Entry, apart: bool = True, by: User | None) -> None:
    """Keep two players apart in undrawn rounds; `apart=False` lets them meet again."""
    tournament, stage = _lock_for_wishes(tournament)
    if stage.has_partners and stage.drawn_ahead:
        raise Refused(
            "pairs",
            _("All players meet in this format, so no two can be separated."),
        )
    if stage.drawn_ahead:
        raise Refused("drawn-ahead", _("All players meet in this format, so no two can be separated."))
    pair = sorted((current_entry(tournament, entry), current_entry(tournament, other)), key=lambda player: player.pk)
    if pair[0] == pair[1]:
        sentence = _("Choose two different players.")
        raise Refused("same", sentence, fields={"other": [sentence]})
    rows = KeptApart.objects.filter(one=pair[0], other=pair[1])
    if rows.exists() == apart:
        return
    if apart:
        KeptApart.objects.create(one=pair[0], other=pair[1])
    else:
        rows.delete()
    _update_drafts(tournament, stage, by)
    action = "keep-apart" if apart else "let-meet"
    note(tournament=tournament, by=by, action=action, new=[player_in_log(player) for player in pair])


def _update_drafts(tournament: Tournament, stage: Stage, by: User | None) -> None:
    """Change the drafts to fit the requests. Raises `Refused` if that is impossible."""
    if stage.drawn_ahead:
        renumber_drafts(tournament)
        return
    redraw_next(tournament, stage, by, wishes_changed=True)
    field = field_of(tournament, stage)
    if stage.started_at is not None and field.another_round and not drafts_of(tournament):
        try:
            next_seating(tournament, stage, field)
        except NotPossible as exc:
            raise Refused("seating", translate(exc.sentence)) from exc


def conflicting_tables(tournament: Tournament, entry: Entry, number: int) -> list[tuple[int, str, int]]:
    """Return (round, name, table) of players with another fixed table who share a draft table with the entry."""
    fixed, _apart = wishes(tournament)
    names = dict(tournament.entries.values_list("public_id", entry_name()))
    return [
        (round_number, names[other], fixed[other])
        for round_number, tables, _byes in seating_of(drafts_of(tournament))
        for table in tables
        if entry.public_id in table
        for other in table
        if other != entry.public_id and fixed.get(other, number) != number
    ]
