"""The cut between two stages: preview it, confirm it, and undo it until its round is published."""

from dataclasses import dataclass
from fractions import Fraction

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.formats import cut as cutting
from league.formats import groups
from league.formats.cut import Cut, Placed
from league.ledger.entered import entries_in, members_in
from league.ledger.field import draws_another
from league.ledger.locks import lock_tournament
from league.ledger.progression import SECOND
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.log.write import note, player_in_log
from league.models import Adjustment, Entry, Round, Stage, Tournament, User
from league.rounds.draw import clubmates, enter_stage, forget_drafts, past_rounds, wishes
from league.standings import read as ledger
from league.standings.groups import results_by_group
from league.standings.read import Ledger

FEWEST_BESIDE = 2


@dataclass(frozen=True)
class CutNow:
    """The cut before a stage by current results. `book` is of the stage before; `absent` are dropped-out players."""

    stage: Stage
    book: Ledger
    cut: Cut
    absent: tuple[str, ...]

    @property
    def second_ladder(self) -> tuple[Placed, ...]:
        """Who plays the second ladder instead."""
        return self.cut.others if self.stage.others_play and len(self.cut.others) >= FEWEST_BESIDE else ()

    @property
    def finals(self) -> list[list[Placed]]:
        """Return the advancing players, final by final; one list if they all play for the same places."""
        return groups.by_place(self.cut.advancing, self.stage.finals)


def stage_before(stage: Stage) -> Stage:
    return Stage.objects.get(tournament=stage.tournament_id, number=stage.number - 1)


def cut_now(tournament: Tournament, stage: Stage) -> CutNow:
    """Return the players who would advance to a stage now, without players who dropped out."""
    book = ledger.read(tournament, stage=stage_before(stage))
    left = set(tournament.entries.filter(status=Entry.Status.DROPPED).values_list("public_id", flat=True))
    lines = [line for line in book.standings(book.rounds[-1].number if book.rounds else None) if not line.stage]
    here = [line for line in lines if line.rank is not None and line.entrant.id not in left]
    results = results_by_group(here, book.stage.groups)
    lowest_wins = book.stage.lowest_wins
    cut = cutting.cut(results, stage.takes or 0, seed=stage.lot_seed, lowest_wins=lowest_wins, finals=stage.finals)
    absent = tuple(line.entrant.id for line in lines if line.entrant.id in left)
    return CutNow(stage, book, cut, absent)


def made_after(stage: Stage) -> Stage | None:
    """Return the next stage if its cut is confirmed."""
    after = Stage.objects.filter(tournament=stage.tournament_id, number=stage.number + 1).exclude(takes=None).first()
    return after if after is not None and after.members.exists() else None


def unseen_after(stage: Stage) -> Stage | None:
    """Return the next stage if it is drawn and not yet published."""
    if not Stage.objects.filter(pk=stage.pk, ended_at__isnull=False).exists():
        return None
    return Stage.objects.filter(tournament=stage.tournament_id, number=stage.number + 1, started_at=None).first()


def take_back_early(tournament: Tournament, stage: Stage, by: User | None) -> None:
    """Delete the unpublished next stage if current results require another round of this one. The caller holds the
    lock."""
    after = unseen_after(stage)
    if after is not None and draws_another(tournament, stage):
        take_back(tournament, after, by)


def decides_seats(stage: Stage) -> bool:
    """Return whether a late result of a stage can change seats: in a later round, or after the cut."""
    return stage.plays.seats_by_results or made_after(stage) is not None


def is_drawn(stage: Stage) -> bool:
    """Return whether the cut before a stage is confirmed but its round unpublished."""
    return stage.takes is not None and stage.started_at is None and stage.members.exists()


def is_as_made(tournament: Tournament, stage: Stage) -> bool:
    """Return whether current results give the same cut, in the same order."""
    now = cut_now(tournament, stage)
    dealt = _dealt(tournament, now)
    wanted = [(entry, group, 1) for group, entries in enumerate(dealt, 1) for entry in entries]
    wanted += [(one.entry, 1, SECOND) for one in now.second_ladder]
    return wanted == [(entry, member.group, member.ladder) for entry, member in members_in(stage).items()]


def _dealt(tournament: Tournament, now: CutNow) -> list[list[str]]:
    """Return the advancing players by group, in order of the draw; in a tree, past opponents meet late."""
    stage, before = now.stage, now.book.stage
    if stage.by_place:
        return [[one.entry for one in final] for final in now.finals]
    order = [one.entry for one in now.cut.advancing]
    if stage.plays.in_tree:
        _fixed, apart = wishes(tournament)
        of_group: dict[int, list[str]] = {}
        for entry, member in members_in(before).items() if before.groups > 1 else ():
            of_group.setdefault(member.group, []).append(entry)
        sat = [table for tables in past_rounds(stage) for table in tables]
        together = [*of_group.values(), *sat, *apart, *clubmates(tournament)]
        order = stage.plays.seeds(order, together, groups=before.groups, seed=stage.lot_seed)
    return groups.deal(order, stage.groups)


def make_cut(tournament: Tournament, stage: Stage, by: User | None) -> None:
    """End the stage before and enter the players of this one. The caller holds the lock, and then draws the first
    round.

    Raises `Refused` if the advancing players can't play the stage.
    """
    if is_drawn(stage):
        take_back(tournament, stage, by)
    now = cut_now(tournament, stage)
    goes_on = now.cut.advancing
    if why := groups.problem(stage.plays, stage.settings, len(goes_on), stage.groups, by_place=stage.by_place):
        raise Refused("cut", translate(why))
    entries = {entry.public_id: entry for entry in tournament.entries.all()}
    by_group = [[entries[entry] for entry in group] for group in _dealt(tournament, now)]
    enter_stage(stage, by_group, [entries[one.entry] for one in now.second_ladder])
    Stage.objects.filter(pk=now.book.stage.pk).update(ended_at=timezone.now())
    note(
        tournament=tournament,
        by=by,
        action="cut",
        new={
            "stage": stage.number,
            "goes_on": [one.entry for one in goes_on],
            "second_ladder": [one.entry for one in now.second_ladder],
            "by_lot": [one.entry for one in (*goes_on, *now.cut.others) if one.by_lot],
            "seed": stage.lot_seed,
        },
    )


@transaction.atomic
def undo_cut(*, tournament: Tournament, by: User | None) -> None:
    """Undo a cut whose round is unpublished; does nothing without a cut."""
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stage
    if stage.takes is None or not stage.members.exists():
        return
    if stage.started_at is not None:
        raise Conflict("started", _("The first round after the cut is published. Undo it first."))
    take_back(tournament, stage, by)


def take_back(tournament: Tournament, stage: Stage, by: User | None) -> None:
    """Delete a stage's players and drafts, and return to the stage before.

    The caller holds the lock; no round of the stage is published.
    """
    forget_drafts(tournament, list(tournament.rounds.filter(state=Round.State.DRAFT, stage=stage)), by)
    stage.members.all().delete()
    Stage.objects.filter(pk=stage.pk).update(started_at=None)
    Stage.objects.filter(tournament=tournament, number=stage.number - 1).update(ended_at=None)
    if stage.takes is not None:
        note(tournament=tournament, by=by, action="undo-cut", old={"stage": stage.number})


def take_on(stage: Stage, next_stage: Stage) -> None:
    """Enter all members of a stage in the next one."""
    if members := list(stage.members.select_related("entry").order_by("order")):
        enter_stage(next_stage, groups.deal([member.entry for member in members], next_stage.groups))


def carry_points(played: Round, by: User | None) -> None:
    """Give players in the first round after a cut their share of earlier points, rounded towards 0."""
    stage = played.stage
    if not stage.carries or stage.rounds.living().filter(number__lt=played.number).exists():
        return
    before = ledger.read(stage.tournament, stage=stage_before(stage))
    totals = {line.entrant.id: line.total for line in before.standings()}
    entries = entries_in(stage).filter(public_id__in=totals)
    carried = [
        (entry, points)
        for entry in entries.select_related("player")
        if (points := int(Fraction(totals.get(entry.public_id, 0) * stage.carries, 100)))
    ]
    reason = _("Carried from stage %(number)d") % {"number": stage.number - 1}
    Adjustment.objects.bulk_create(
        Adjustment(entry=entry, round=played, kind=Adjustment.Kind.CARRIED_ON, points=points, reason=reason)
        for entry, points in carried
    )
    note(
        tournament=stage.tournament,
        by=by,
        action="carry-points",
        round_number=played.number,
        new=[{**player_in_log(entry), "points": points} for entry, points in carried],
    )
