"""Late entries, departures and returns.

Each is a dated event; standings and later seats follow from it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.viewer import Attribution
from league.day.stand_in import check_listed, forget_idle, hand_over, new_entry, stand_ins_to_come
from league.day.team_seats import join as join_teams
from league.day.team_seats import leave
from league.day.vacancies import BYES, PLANS, fill_table, restore, take_vacant_seat, vacate
from league.entries.teams import team_of
from league.formats import NotPossible, challenge
from league.formats.race import HEAD_TO_HEAD, LATE, RETURN
from league.ledger.entered import join, members_in
from league.ledger.field import field_of
from league.ledger.lineups import check_name
from league.ledger.locks import lock_tables, lock_tournament
from league.ledger.progress import PLAYING, STOPPED, tables_now
from league.ledger.progression import read_progression
from league.ledger.race import RACE_KIND, RaceLedger, read_race, settings_of
from league.ledger.scores import MOST_POINTS, note_byes, settle
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.log.write import note, player_in_log
from league.models import Adjustment, Entry, EntryEvent, Round, Seat, Stage, Tournament, User
from league.rounds.cut import is_drawn
from league.rounds.redraw import drafts_of, redraw_next, seat_newcomer
from league.rounds.tables import check_reason
from league.standings import read as ledger

Kind = EntryEvent.Kind
LEAVES = (Kind.DROP, Kind.NO_SHOW)
ACTIONS = {
    Kind.LATE: "late-entry",
    Kind.DROP: "drop-out",
    Kind.NO_SHOW: "no-show",
    Kind.RETURN: "come-back",
    Kind.REINSTATED: "reinstate",
}


def lock_begun(tournament: Tournament) -> tuple[Tournament, Stage]:
    """Lock the tournament. Raises `Conflict` if it has not begun or is final."""
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stage
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    if not tournament.has_begun:
        raise Conflict("not-begun", _("No round is published yet. Change the list of players instead."))
    return tournament, stage


def current_entry(tournament: Tournament, entry: Entry) -> Entry:
    """Return the entry read again under the lock. Raises `Conflict` if it is gone or a stand-in."""
    current = tournament.entries.select_related("player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    if current.status == Entry.Status.STANDIN:
        raise Conflict(
            "stand-in", _("%(name)s is a stand-in. Do this for the player they replace.") % {"name": current}
        )
    current.tournament = tournament
    return current


class Confirmed(NamedTuple):
    """The organiser's answers about a typed name.

    another: the name is not that of the listed person. who: the known person, as for `person_called`.
    """

    another: bool = False
    who: str = ""


UNCONFIRMED = Confirmed()


@transaction.atomic
def enter_late(
    *,
    tournament: Tournament,
    name: str,
    club: str = "",
    members: Sequence[str] = (),
    total: int | None = None,
    reason: str = "",
    confirmed: Confirmed = UNCONFIRMED,
    table: int | None = None,
    by: User | None,
) -> EntryEvent:
    """Add an entry after the start, with `total` points or else `usual_total`.

    The entry plays from the next drawn round, or takes a vacant seat at `table`, which has not started. Where all
    rounds are drawn ahead, it takes a stand-in's seats. Without one it plays with entries that have a bye, or the
    drafts are redrawn. members: of a team, the captain first. Raises `Refused`.
    """
    tournament, stage = lock_begun(tournament)
    if not name.strip():
        raise Refused("name", _("Type a name."), fields={"name": [_("Type a name.")]})
    if stage.eliminates:
        points = _late_total(tournament, stage, total)
    else:
        points = usual_total(tournament, stage) if total is None else total
        if abs(points) > MOST_POINTS:
            sentence = _("Choose at most %(most)d points.") % {"most": MOST_POINTS}
            raise Refused("total", sentence, fields={"total": [sentence]})
    if why := why_no_late_entry(stage):
        raise Refused("no-seat", why)
    if points and stage.number > 1 and stage.started_at is None:
        sentence = _("Every player starts the next stage with 0 points. Add points once its first round is published.")
        raise Refused("total", sentence, fields={"total": [sentence]})
    if not stage.drawn_ahead:
        _check_seat_to_come(tournament, stage)
    if not confirmed.another:
        check_listed(tournament, name, field="name")
        rounds = tournament.rounds.living().exclude(state=Round.State.CLOSED)
        check_name(name, rounds.values_list("pk", flat=True), field="name")
    person = team_of(tournament, name, club, members) if stage.has_teams else None
    entry = new_entry(tournament, name=name, club=club, person=person, by=by, who=confirmed.who)
    if not stage.drawn_ahead:
        join(stage, entry)
    now = timezone.now()
    if points:
        Adjustment.objects.create(
            entry=entry,
            round=current_round(tournament),
            kind=Adjustment.Kind.LATE,
            points=points,
            reason=reason.strip()[:200] or _("Late entry"),
            recorded_at=now,
        )
    event = _record_event(entry, Kind.LATE, reason, by, now)
    how: dict[str, Any] = {}
    if stage.drawn_ahead:
        how = _give_seats(tournament, stage, entry, {}, late=True)
    elif table is not None:
        how = take_vacant_seat(stage, entry, table)
    return _log_event(event, stage, how | {"total": points})


def why_no_late_entry(stage: Stage) -> str:
    """Return why a stage takes no late entries, in a sentence; empty if it takes them."""
    if stage.plays.advances:
        return _("Results decide who advances, so late entries aren’t possible.")
    if stage.takes is not None or (stage.has_teams and stage.groups > 1):
        return _("The players of this stage are already set, so late entries aren’t possible.")
    return ""


def _check_seat_to_come(tournament: Tournament, stage: Stage) -> None:
    """Raise `Refused` if the format takes no more players, or if every round has been played."""
    field = field_of(tournament, stage)
    if min(map(len, field.groups or (field.players,))) + 1 not in stage.plays.possible():
        raise Refused("players", translate(stage.plays.describe_possible()))
    following = tournament.stage_and_next[1]
    continues = field.another_round or (following is not None and following.takes is None)
    if not continues and not tournament.rounds.living().exclude(state=Round.State.CLOSED).exists():
        raise Refused("no-seat", _("All rounds have been played, so late entries aren’t possible."))


def usual_total(tournament: Tournament, stage: Stage, race: RaceLedger | None = None) -> int:
    """Return the starting points of a late entry.

    Where the lowest total wins, these are the highest total of the active players; elsewhere 0. race: of a Challenge
    UNO, if already read.
    """
    if stage.eliminates:
        return challenge.late_total(settings_of(stage), (race or read_race(tournament, stage)).state)
    if not stage.lowest_wins:
        return 0
    lines = ledger.read(tournament, stage=stage).standings()
    return max((line.total for line in lines if line.entrant.status == Entry.Status.ACTIVE), default=0)


def _late_total(tournament: Tournament, stage: Stage, total: int | None) -> int:
    settings = settings_of(stage)
    _check(stage, tournament, None, Kind.LATE)
    points = usual_total(tournament, stage) if total is None else total
    if not 0 <= points < settings.target:
        sentence = _("Choose 0 to %(most)d points: with %(target)d a player is eliminated.") % {
            "most": settings.target - 1,
            "target": settings.target,
        }
        raise Refused("total", sentence, fields={"total": [sentence]})
    return points


@transaction.atomic
def drop_out(
    *,
    tournament: Tournament,
    entry: Entry,
    came: bool = True,
    reason: str = "",
    stand_in: str = "",
    another: bool = False,
    plan: str = "",
    by: User | None,
    player: Entry | None = None,
) -> EntryEvent:
    """Remove an entry from the rounds to come; `came=False` marks a no-show. Recorded hands still count.

    Where rounds are drawn one by one, the table plays with fewer. Opponents of a team have a bye. Elsewhere players
    with a bye take the seats and a stand-in the rest: the one named `stand_in`, or a free one, or a new one. plan: of
    `vacancies.PLANS`. another: `stand_in` is no listed person. player: the entry, if it leaves without a director.
    """
    tournament, stage = lock_begun(tournament)
    entry = current_entry(tournament, entry)
    kind = Kind.DROP if came else Kind.NO_SHOW
    if not came and entry.scores.filter(voided_at=None).exists():
        message = _("%(name)s has already played: let them leave instead.")
        raise Conflict("has-played", message % {"name": entry})
    _check(stage, tournament, entry, kind)
    if plan not in ("", *PLANS):
        raise Refused("plan", _("Choose what happens to the seats."))
    if is_drawn(stage):  # the cut is unpublished, so it is made again without the entry
        return _log_event(_record_event(entry, kind, reason, by), stage, {}, player)
    if not stage.drawn_ahead:
        playing = _tables_in_state(tournament, PLAYING) if stage.eliminates else set()
        event = _record_event(entry, kind, reason, by)
        filled = fill_table(tournament, stage, entry) if plan == BYES else []
        event = _log_event(event, stage, {"filled": filled} if filled else {}, player)
        if stage.eliminates:
            _note_if_stopped(tournament, stage, playing)
        return event
    event = _record_event(entry, kind, reason, by)
    if stage.has_teams:
        return _log_event(event, stage, leave(tournament, entry), player)
    how = vacate(tournament, stage, entry, plan=plan, stand_in=stand_in, another=another)
    return _log_event(event, stage, how, player)


def _is_in(tournament: Tournament, stage: Stage, entry: Entry) -> bool:
    """Return whether the entry is still in, or has won because no one else is left."""
    state = read_progression(tournament, stage).state
    return entry.public_id in {*state.still_in, *state.second_ladder}


@transaction.atomic
def come_back(*, tournament: Tournament, entry: Entry, reason: str = "", by: User | None) -> EntryEvent:
    """Let an entry that dropped out play again, with its old total.

    It plays from the next drawn round. Where all rounds are drawn ahead, it gets unplayed seats, its own first.
    """
    tournament, stage = lock_begun(tournament)
    entry = current_entry(tournament, entry)
    _check(stage, tournament, entry, Kind.RETURN)
    if is_drawn(stage):
        return _log_event(_record_event(entry, Kind.RETURN, reason, by), stage, {})
    if not stage.drawn_ahead:
        event = _record_event(entry, Kind.RETURN, reason, by)
        if stage.plays.advances and not _is_in(tournament, stage, entry):
            sentence = _("%(name)s can’t return: results decide who advances.")
            raise Conflict("no-effect", sentence % {"name": entry})
        return _log_event(event, stage, {})
    departure = log_of(entry.events.living().filter(kind__in=LEAVES).last())
    event = _record_event(entry, Kind.RETURN, reason, by)
    return _log_event(event, stage, _give_seats(tournament, stage, entry, departure, late=False))


@transaction.atomic
def reinstate(*, tournament: Tournament, entry: Entry, reason: str, by: User | None) -> EntryEvent:
    """Reinstate an eliminated player of a Challenge UNO whose total is below the target again."""
    tournament, stage = lock_begun(tournament)
    entry = current_entry(tournament, entry)
    if not stage.eliminates:
        raise Refused("format", _("No one is eliminated in this format, so no one can be reinstated."))
    check_reason(reason)
    _check(stage, tournament, entry, Kind.REINSTATED)
    return _log_event(_record_event(entry, Kind.REINSTATED, reason, by), stage, {})


def _check(stage: Stage, tournament: Tournament, entry: Entry | None, kind: EntryEvent.Kind) -> None:
    """Raise `Conflict` if the event has no effect, or if a Challenge UNO has only two players left."""
    if entry is not None:
        _check_plays(stage, entry)
    if not stage.eliminates:
        return _check_status(entry, kind)
    state = read_race(tournament, stage).state
    try:
        challenge.check_change(settings_of(stage), state, entry.public_id if entry else "", RACE_KIND[kind])
    except NotPossible as exc:
        raise Conflict("no-effect", translate(exc.sentence)) from exc
    if RACE_KIND[kind] in (LATE, RETURN) and len(state.still_in) <= HEAD_TO_HEAD:
        sentence = _("Only two players are left, so late entries aren’t possible.")
        if kind == Kind.RETURN:
            sentence = _("Only two players are left. If this player left by mistake, undo that instead.")
        raise Conflict("two-left", sentence)


def _check_plays(stage: Stage, entry: Entry) -> None:
    """Raise `Conflict` if the entry did not qualify for the stage."""
    if stage.takes is not None and stage.started_at is not None and entry.public_id not in members_in(stage):
        raise Conflict("not-in-stage", _("%(name)s did not qualify for this stage.") % {"name": entry})


def _check_status(entry: Entry | None, kind: EntryEvent.Kind) -> None:
    if entry is None:
        return
    if kind in LEAVES and entry.status == Entry.Status.DROPPED:
        raise Conflict("dropped", _("%(name)s has dropped out already.") % {"name": entry})
    if kind == Kind.RETURN and entry.status != Entry.Status.DROPPED:
        raise Conflict("not-dropped", _("%(name)s has not dropped out.") % {"name": entry})


def current_round(tournament: Tournament) -> Round | None:
    """Return the latest published round."""
    return tournament.rounds.shown().order_by("-number").first()


def _record_event(
    entry: Entry, kind: EntryEvent.Kind, reason: str, by: User | None, at: datetime | None = None
) -> EntryEvent:
    event = EntryEvent.objects.create(
        entry=entry,
        kind=kind,
        round=current_round(entry.tournament),
        reason=reason.strip()[:200],
        at=at or timezone.now(),
        by=by,
    )
    set_status(entry)
    return event


def set_status(entry: Entry) -> None:
    """Set the entry's status from its latest event."""
    last = entry.events.living().last()
    entry.status = Entry.Status.DROPPED if last and last.kind in LEAVES else Entry.Status.ACTIVE
    entry.save(update_fields=["status"])


def _log_event(event: EntryEvent, stage: Stage, how: Mapping[str, Any], player: Entry | None = None) -> EntryEvent:
    """Update tables and drafts, then log the event; `how` describes the seating. player: as for `drop_out`."""
    tournament = event.entry.tournament
    if not stage.drawn_ahead and not is_drawn(stage):  # an unpublished cut is made again
        update_tables(event.entry, stage, event.by)
    how = dict(how)
    note(
        tournament=tournament,
        by=Attribution(event.by, player=player),
        action=ACTIONS[Kind(event.kind)],
        round_number=event.round.number if event.round else None,
        old={"seating": before} if (before := how.pop("before", None)) else None,
        new={"event": event.pk, **player_in_log(event.entry), **how},
        reason=event.reason,
    )
    note_byes(tournament, event.by, event.at)
    return event


def log_of(event: EntryEvent | None) -> dict[str, Any]:
    """Return the log's data about an event; `before` is the earlier seating of the drafts, if any."""
    if event is None:
        return {}
    row = event.entry.tournament.log.filter(new__event=event.pk, action=ACTIONS[Kind(event.kind)]).first()
    if row is None or not isinstance(row.new, dict):
        return {}
    return {**row.new, "before": row.old["seating"] if row.old else []}


def update_tables(entry: Entry, stage: Stage, by: User | None) -> None:
    """Update the entry's open tables and the drafted round after a change of players."""
    seats = entry.seats.filter(round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING)).exclude(table=None)
    open_tables = [seat.table for seat in seats.select_related("table__round__stage", "table__round__tournament")]
    tables = sorted((table for table in open_tables if table is not None), key=lambda table: table.pk)
    lock_tables(table.pk for table in tables)
    for table in tables:
        table.refresh_from_db(fields=["state", "version"])
        reported = table.state == table.State.REPORTED
        settle(table=table, confirms=not reported, disputed=table.state == table.State.DISPUTED)
    redraw_next(entry.tournament, stage, by)


def _tables_in_state(tournament: Tournament, state: str) -> set[int]:
    played = current_round(tournament)
    if played is None or not played.is_open:
        return set()
    return {table_now.table.number for table_now in tables_now(played) if table_now.state == state}


def _note_if_stopped(tournament: Tournament, stage: Stage, playing: set[int]) -> None:
    """Log the tables where play ends because only two players are left."""
    played = current_round(tournament)
    if played is None or len(read_race(tournament, stage).state.still_in) != HEAD_TO_HEAD:
        return
    if stopped := playing & _tables_in_state(tournament, STOPPED):
        note(tournament=tournament, by=None, action="last-two", round_number=played.number, new=sorted(stopped))


def _give_seats(
    tournament: Tournament, stage: Stage, entry: Entry, departure: Mapping[str, Any], *, late: bool
) -> dict[str, Any]:
    """Give an entry seats of stand-ins, then seats in the drafts; return data for the log.

    departure: the log of its departure, so that it gets its own seats first.
    """
    if stage.has_teams:
        return join_teams(tournament, stage, entry, late=late)
    taken = _take_from_stand_ins(tournament, stage, entry, departure)
    drafts = drafts_of(tournament)
    missing = [draft for draft in drafts if not entry.seats.filter(round=draft).exists()]
    if taken and len(missing) < len(drafts):
        Seat.objects.bulk_create(Seat(round=draft, entry=entry) for draft in missing)
    elif drafts or (late and not taken):
        join(stage, entry)
        more = restore(tournament, entry, departure) or seat_newcomer(tournament, stage, entry)
        return {"seat": "mixed"} if taken else more
    return taken[0] if len(taken) == 1 and not missing else {"seat": "mixed"} if taken else {}


def _take_from_stand_ins(
    tournament: Tournament, stage: Stage, entry: Entry, departure: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Give an entry stand-ins' seats in rounds where it has none, beginning with its own former seats."""
    own = departure.get("stand_in", {}).get("player_id")
    members = members_in(stage) if stage.groups > 1 else {}
    group = members[entry.public_id].group if entry.public_id in members else None  # an entry stays in its group
    taken = []
    for stand_in, seats in sorted(stand_ins_to_come(tournament), key=lambda pair: pair[0].public_id != own):
        if group is not None and members[stand_in.public_id].group != group:
            continue
        if free := _free_for(entry, seats):
            taken.append(_take_over(stage, stand_in, free, entry))
            group = members_in(stage)[entry.public_id].group if stage.groups > 1 else None
    return taken


def _free_for(entry: Entry, seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats in whose rounds the entry has no seat and no bye."""
    taken = set(entry.seats.values_list("round", flat=True))
    return [seat for seat in seats if seat.round_id not in taken]


def _take_over(stage: Stage, stand_in: Entry, seats: Sequence[Seat], entry: Entry) -> dict[str, Any]:
    join(stage, entry, group_of=stand_in)
    hand_over(seats, entry)
    how = {"seat": "stand-in", "stand_in": player_in_log(stand_in), "seats": len(seats)}
    forget_idle(stand_in)
    return how
