"""The steps from the draw to final standings.

The tournament's row is the lock for every step, so a repeated press works once.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import hooks
from league.formats import NotPossible, groups
from league.ledger.field import draws_another
from league.ledger.lineups import check_no_one_sits_twice
from league.ledger.locks import lock_tournament
from league.ledger.progress import counts_a_hand, missing_tables
from league.ledger.scores import note_byes
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import (
    Adjustment,
    Deadline,
    Entry,
    HandScore,
    Round,
    Seat,
    Stage,
    StageEntry,
    Table,
    Tournament,
    User,
)
from league.rounds.cut import carry_points, is_as_made, is_drawn, make_cut, take_back, take_on
from league.rounds.draw import draw_next, draw_rounds
from league.rounds.pause import check_not_called_off


class NotYet(Exception):
    """A scheduled action must wait; the message says why. This is no failure."""


@dataclass(frozen=True)
class NextStep:
    """The step of the primary button.

    A form sends the `token` of its step, so no step is taken twice. `missing`: tables that lack hands, as (table,
    recorded hands). `disputed`: tables with an open dispute, of the round or, before final standings, of all rounds.
    `publishes_at`: the time at which the following round is published, not earlier even if this one is closed.
    """

    token: str  # off | players | draw | draw-N | cut-STAGE | publish-N | close-N | finish | done
    round: Round | None = None
    following: Round | None = None
    missing: tuple[tuple[Table, int], ...] = field(default=())
    disputed: tuple[Table, ...] = field(default=())
    publishes_at: datetime | None = None

    @property
    def kind(self) -> str:
        return self.token.partition("-")[0]

    @property
    def missing_numbers(self) -> str:
        return ", ".join(str(table.number) for table, _hands in self.missing)

    @property
    def tables_offered(self) -> list[Table]:
        """Return two tables that lack hands; paper tables first, since online tables record their own."""
        tables = [table for table, _hands in self.missing]
        return sorted(tables, key=lambda table: table.mode == Table.Mode.ONLINE)[:2]

    @property
    def open_tables(self) -> list[Table]:
        """Return the tables missing from the round if it is closed now, by number."""
        return sorted({*self.disputed, *(table for table, _hands in self.missing)}, key=lambda table: table.number)

    @property
    def open_numbers(self) -> str:
        return ", ".join(str(table.number) for table in self.open_tables)

    @property
    def hands_missing(self) -> int | None:
        """Return the number of hands left in the round; None if it is open-ended."""
        if any(table.hands_wanted is None for table, _hands in self.missing):
            return None
        return sum((table.hands_wanted or 0) - hands for table, hands in self.missing)


def next_step(tournament: Tournament) -> NextStep:
    """Return the next step, derived from the state of the rounds."""
    if tournament.is_final:
        return NextStep("done")
    rounds = list(tournament.rounds.living().order_by("number"))
    stage, next_stage = tournament.stage_and_next
    if not rounds:
        players = tournament.entries.count()
        wrong = not players or groups.problem(stage.plays, stage.settings, players, stage.groups)
        return NextStep("players" if wrong else "draw")
    following = next((played for played in rounds if played.state == Round.State.DRAFT), None)
    open_round = next((played for played in rounds if played.is_open), None)
    publishes_at = _publishing_time(following) if following is not None else None
    if open_round is not None:
        disputed, missing = disputed_tables(tournament, open_round), missing_tables(open_round)
        return NextStep(f"close-{open_round.number}", open_round, following, missing, disputed, publishes_at)
    if is_drawn(stage) and (following is None or not is_as_made(tournament, stage)):
        return NextStep(f"cut-{stage.number}", following=following, disputed=disputed_tables(tournament))
    if following is not None:
        return NextStep(f"publish-{following.number}", following, following, publishes_at=publishes_at)
    if next_stage is not None and next_stage.takes is not None and _is_over(tournament, stage, rounds):
        return NextStep(f"cut-{next_stage.number}", disputed=disputed_tables(tournament))
    if next_stage is not None or not _is_over(tournament, stage, rounds):
        return NextStep(f"draw-{rounds[-1].number + 1}")
    return NextStep("finish", disputed=disputed_tables(tournament))


def _is_over(tournament: Tournament, stage: Stage, rounds: Sequence[Round]) -> bool:
    """Return whether a stage has no further round. All `rounds` are closed."""
    if not any(played.stage_id == stage.pk for played in rounds):
        return False
    return not draws_another(tournament, stage)


def _stage_to_draw(tournament: Tournament) -> Stage:
    """Return the stage to draw: the next one if the current stage is over, which this call ends."""
    stage, next_stage = tournament.stage_and_next
    if next_stage is None or not _is_over(tournament, stage, list(tournament.rounds.living())):
        return stage
    Stage.objects.filter(pk=stage.pk).update(ended_at=timezone.now())
    take_on(stage, next_stage)
    return next_stage


def _publishing_time(drawn: Round) -> datetime | None:
    """Return the time at which a round is published automatically, or None."""
    pending = Deadline.objects.pending().filter(round=drawn, kind=Deadline.Kind.PUBLISH, due_at__gt=timezone.now())
    return pending.values_list("due_at", flat=True).first()


def disputed_tables(tournament: Tournament, played: Round | None = None) -> tuple[Table, ...]:
    """Return the tables with an open dispute, of one round or of all."""
    tables = Table.objects.filter(round__tournament=tournament, state=Table.State.DISPUTED)
    tables = tables.filter(round=played) if played else tables.exclude(round__state=Round.State.VOID)
    return tuple(tables.select_related("round").order_by("round__number", "number"))


@transaction.atomic
def start(*, tournament: Tournament, by: User | None) -> Tournament:
    """Publish round 1, drawn first if necessary. From here on list and rules are fixed."""
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stage
    if tournament.has_begun:
        return tournament
    if not tournament.rounds.exists():
        draw_rounds(tournament, stage, by)
    _publish(tournament, tournament.rounds.get(number=1), by)
    return tournament


def _publish(tournament: Tournament, played: Round, by: User | None) -> None:
    """Publish a round. Raises `Conflict` if a person has two seats in it."""
    check_not_called_off(tournament)
    check_no_one_sits_twice(played)
    now = timezone.now()
    Stage.objects.filter(pk=played.stage_id, started_at=None).update(started_at=now)
    if tournament.state == Tournament.State.PLANNED:
        tournament.state = Tournament.State.RUNNING
        tournament.save(update_fields=["state"])
    played.state, played.published_at = Round.State.PUBLISHED, now
    played.save(update_fields=["state", "published_at"])
    set_before = Deadline.objects.pending().filter(round=played, kind=Deadline.Kind.PUBLISH)
    set_before.update(state=Deadline.State.CANCELLED)
    give_bye_points(played)
    note(tournament=tournament, by=by, action="publish", round_number=played.number)
    carry_points(played, by)
    if played.stage.bye_points:
        note_byes(tournament, by, now)


def give_bye_points(played: Round) -> None:
    """Give the players with a bye in a round its points."""
    if not played.stage.bye_points:
        return
    byes = Seat.objects.filter(round=played, table=None).exclude(entry__status=Entry.Status.STANDIN)
    Adjustment.objects.bulk_create(
        Adjustment(
            entry_id=entry, round=played, kind=Adjustment.Kind.BYE, points=played.stage.bye_points, reason=_("Bye")
        )
        for entry in byes.values_list("entry", flat=True)
    )


def publish_round(*, tournament: Tournament, played: Round) -> None:
    """Publish a drawn round at its set time. The caller holds the tournament's lock and a transaction.

    Does nothing if it is published. Raises `NotYet` while the previous round is open.
    """
    if played.state != Round.State.DRAFT:
        return
    before = tournament.rounds.living().filter(number=played.number - 1).exclude(state=Round.State.CLOSED).first()
    if before is not None:
        message = _("Round %(before)s isn’t closed yet. Then round %(number)s is published.")
        raise NotYet(message % {"before": before.number, "number": played.number})
    if is_drawn(played.stage) and not is_as_made(tournament, played.stage):
        message = _("Results changed since the cut. Confirm it again to publish round %(number)s.")
        raise NotYet(message % {"number": played.number})
    try:
        check_no_one_sits_twice(played)
    except Conflict as why:
        raise NotYet(str(why)) from why
    _publish(tournament, played, by=None)


@transaction.atomic
def advance(
    *, tournament: Tournament, token: str, by: User | None, without: Collection[int] = (), reason: str = ""
) -> NextStep:
    """Take the step named by `token`, unless it is taken, and return the step that follows.

    Closing a round needs all hands and no disputes. Otherwise it raises `Conflict("missing")` with the tables that lack
    hands as `current`, or `Conflict("disputed")`. `without`: ids of tables to close the round without; the log has them
    and the reason. Standings aren't final while a hand is disputed.
    """
    tournament = lock_tournament(tournament.pk)
    step = next_step(tournament)
    if step.token != token:
        return step
    if without and step.kind != "close":
        raise Refused("tables", _("Only a running round can be closed without a table."))
    stage = tournament.stage
    if step.kind == "draw":
        draw_rounds(tournament, _stage_to_draw(tournament), by)
    elif step.kind == "cut":
        if step.disputed:
            raise _disputed_conflict(step.disputed)
        cut_stage = tournament.stages.get(number=int(token.partition("-")[2]))
        make_cut(tournament, cut_stage, by)
        draw_rounds(tournament, cut_stage, by)
    elif step.kind == "publish" and step.round is not None:
        _publish(tournament, step.round, by)
    elif step.kind == "close" and step.round is not None:
        _close(tournament, step.round, by, without, reason)
        for react in hooks.after_closing:
            react(tournament, step.round)
        drafts = tournament.rounds.filter(state=Round.State.DRAFT).order_by("number")
        following = drafts.first() or draw_following(tournament, stage, by)
        # If closing eliminates players, don't publish yet: the organiser can fix a mistake before anyone sees it.
        looked_at = stage.plays.advances or (following is not None and is_drawn(following.stage))
        if following is not None and step.publishes_at is None and not looked_at and _can_publish(following):
            _publish(tournament, following, by)
    elif step.kind == "finish":
        _finish(tournament, by)
    return next_step(tournament)


def _can_publish(drawn: Round) -> bool:
    """Return whether each person has one seat. If not, publishing stays the next step and reports the error."""
    try:
        check_no_one_sits_twice(drawn)
    except Conflict:
        return False
    return True


def is_taken(tournament: Tournament, token: str) -> bool:
    """Return whether the step named by `token` has been taken."""
    kind, _dash, number = token.partition("-")
    if kind == "finish":
        return Tournament.objects.filter(pk=tournament.pk, state=Tournament.State.CLOSED).exists()
    living = tournament.rounds.living()
    if kind == "draw" and not number:
        return living.exists()
    if kind not in ("draw", "cut", "publish", "close") or not number.isdecimal() or len(number) > 4:
        return False
    if kind == "cut":
        return StageEntry.objects.filter(stage__tournament=tournament, stage__number=number).exists()
    if kind == "publish":
        living = living.exclude(state=Round.State.DRAFT)
    elif kind == "close":
        living = living.filter(state=Round.State.CLOSED)
    return living.filter(number=number).exists()


def draw_following(tournament: Tournament, stage: Stage, by: User | None) -> Round | None:
    """Draw the next round if it is drawn now.

    Return None if there is none, or if a request can't be met; then drawing is the next step and reports the error.
    """
    if not draws_another(tournament, stage):
        return None
    try:
        return draw_next(tournament, stage, by)
    except NotPossible:
        return None


def _close(
    tournament: Tournament, played: Round, by: User | None, without: Collection[int] = (), reason: str = ""
) -> None:
    check_not_called_off(tournament)
    # Lock the tables: a concurrent hand either counts, or waits and finds the round closed.
    tables = {table.pk for table in played.tables.select_for_update().order_by("pk")}
    if not tables.issuperset(without):
        sentence = _("Round %(number)d has no such table.") % {"number": played.number}
        raise Refused("tables", sentence, fields={"without": [sentence]})
    missing = missing_tables(played)
    if waiting := tuple(row for row in missing if row[0].pk not in without):
        numbers = ", ".join(str(table.number) for table, _in in waiting)
        message = ngettext(
            "Table %(numbers)s still has hands to play in round %(round)d.",
            "Tables %(numbers)s still have hands to play in round %(round)d.",
            len(waiting),
        )
        raise Conflict("missing", message % {"numbers": numbers, "round": played.number}, current=waiting)
    disputed = disputed_tables(tournament, played)
    if undecided := tuple(table for table in disputed if table.pk not in without):
        raise _disputed_conflict(undecided)
    left_out = [table.number for table, _in in missing]
    about = ({"without": left_out} if left_out else {}) | (
        {"disputed": [table.number for table in disputed]} if disputed else {}
    )
    played.state, played.closed_at = Round.State.CLOSED, timezone.now()
    played.save(update_fields=["state", "closed_at"])
    note(
        tournament=tournament,
        by=by,
        action="close-round",
        round_number=played.number,
        new=about or None,
        reason=reason.strip()[:200] if about else "",
    )
    _ask_for_snapshot(tournament, played)


def _disputed_conflict(tables: Sequence[Table]) -> Conflict:
    numbers = ", ".join(str(table.number) for table in tables)
    message = ngettext(
        "A hand of table %(numbers)s is disputed. Decide it first.",
        "Hands of tables %(numbers)s are disputed. Decide them first.",
        len(tables),
    )
    return Conflict("disputed", message % {"numbers": numbers}, current=tuple(tables))


def _ask_for_snapshot(tournament: Tournament, played: Round) -> None:
    """Request a snapshot of the standings with a row, so that it is taken once, despite broker failures."""
    Deadline.objects.create(kind=Deadline.Kind.SNAPSHOT, tournament=tournament, round=played, due_at=timezone.now())


@transaction.atomic
def close_tournament(*, tournament: Tournament, by: User | None) -> Tournament:
    """Make the standings final. Every round must be closed."""
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        return tournament
    if next_step(tournament).kind != "finish":
        raise Conflict("unfinished", _("There are rounds left to play. Close the last round first."))
    _finish(tournament, by)
    return tournament


@transaction.atomic
def end_early(*, tournament: Tournament, reason: str, by: User | None) -> Tournament:
    """Make the standings final before the end: recorded hands count, and totals rank the remaining players.

    An open round is closed without its missing hands. The tournament leaves the first page. Raises `Conflict`, also
    while a hand is disputed.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        return tournament
    if why_not := why_it_goes_on(tournament):
        raise why_not
    stage = tournament.stage
    hands = HandScore.objects.living().filter(table__round__stage=stage)
    if stage.number > 1 and stage.started_at is not None and not hands.exists():
        sentence = _("This stage has no hands yet. Undo its round first to keep the earlier places.")
        raise Conflict("no-hands", sentence)
    if is_drawn(stage):
        take_back(tournament, stage, by)  # unpublished, and never to be played
    step = next_step(tournament)
    if step.kind == "close" and step.round is not None:
        _close(tournament, step.round, by, [table.pk for table, _hands in step.missing], reason)
    publishing = Deadline.objects.pending().filter(tournament=tournament, kind=Deadline.Kind.PUBLISH)
    publishing.update(state=Deadline.State.CANCELLED)
    _finish(tournament, by, early=True, reason=reason)
    return tournament


def why_it_goes_on(tournament: Tournament) -> Conflict | None:
    """Return a refusal to end a tournament early, with what to do instead; None if it can end."""
    if tournament.is_final:
        return Conflict("closed", _("The standings are already final."))
    if tournament.is_called_off or tournament.state != Tournament.State.RUNNING:
        return Conflict("not-running", _("Nothing has been played yet."))
    if tournament.kind == Tournament.Kind.EVENT and not counts_a_hand(tournament):
        return Conflict("no-hands", _("No hand counts yet. Cancel the tournament in Settings instead."))
    return None


def _finish(tournament: Tournament, by: User | None, *, early: bool = False, reason: str = "") -> None:
    """Make the standings final. `early`: rounds are left to play."""
    check_not_called_off(tournament)
    list(Table.objects.filter(round__tournament=tournament).select_for_update().order_by("pk"))
    if disputed := disputed_tables(tournament):
        raise _disputed_conflict(disputed)
    tournament.state, tournament.closed_at = Tournament.State.CLOSED, timezone.now()
    tournament.paused_at, tournament.pause_reason, tournament.ended_early = None, "", early
    tournament.save(update_fields=["state", "closed_at", "paused_at", "pause_reason", "ended_early"])
    note(tournament=tournament, by=by, action="end-early" if early else "close", reason=reason.strip()[:200])
    if last := tournament.rounds.filter(state=Round.State.CLOSED).order_by("-number").first():
        _ask_for_snapshot(tournament, last)  # again, with corrections since it was closed


@transaction.atomic
def reopen_tournament(*, tournament: Tournament, reason: str, by: User | None) -> Tournament:
    """Make final standings provisional again, for a correction. The reason stays in the log."""
    tournament = lock_tournament(tournament.pk)
    if not tournament.is_final:
        return tournament
    if tournament.kind == Tournament.Kind.CASUAL:
        raise Conflict("casual", _("This game is over. Start another one."))
    tournament.state, tournament.closed_at, tournament.ended_early = Tournament.State.RUNNING, None, False
    tournament.save(update_fields=["state", "closed_at", "ended_early"])
    note(tournament=tournament, by=by, action="reopen", reason=reason.strip()[:200])
    return tournament
