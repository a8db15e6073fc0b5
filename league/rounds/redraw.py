"""Seat unpublished drafts again for the current players. The caller holds the lock."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.formats import NotPossible, groups
from league.formats.pairs import SEATS
from league.formats.protocol import SeatedBefore, Seating
from league.formats.seating.fixed_tables import at_fixed_tables
from league.formats.seating.late_rounds import tables_of_byes
from league.ledger.entered import entries_in, members_in
from league.ledger.field import field_of
from league.ledger.lineups import lineups_of
from league.ledger.progression import SECOND
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.log.write import note
from league.models import Adjustment, Entry, LogEntry, Round, Seat, Stage, Table, Tournament, User, mode_of
from league.rounds.draw import (
    Place,
    draw_seed,
    drawing_in_log,
    enter_seeds,
    forget_drafts,
    mark_ladders,
    next_seating,
    order_tables,
    place_of,
    places_of,
    results_of,
    seat_rounds,
    sitting_out,
    wishes,
)

# For each round: number, tables by seat, and byes, as public ids.
SeatedRounds = list[tuple[int, Sequence[Sequence[str]], Sequence[str]]]


def drafts_of(tournament: Tournament) -> list[Round]:
    return list(
        tournament.rounds.filter(state=Round.State.DRAFT).select_related("stage", "tournament").order_by("number")
    )


def seating_of(rounds: Sequence[Round]) -> SeatedRounds:
    """Return the seating in the log's form, with “.1” after the public id for a team's second place."""
    tables: dict[int, dict[int, list[str]]] = {played.pk: {} for played in rounds}
    byes: dict[int, list[str]] = {played.pk: [] for played in rounds}
    seats = Seat.objects.filter(round__in=rounds).order_by("table__number", "number", "pk")
    for key, table, public_id, member in seats.values_list("round", "table__number", "entry__public_id", "member"):
        if table is None:
            byes[key].append(public_id)
        else:
            tables[key].setdefault(table, []).append(f"{public_id}.{member}" if member else public_id)
    return [(played.number, list(tables[played.pk].values()), byes[played.pk]) for played in rounds]


def _players_of(seating: SeatedRounds) -> set[str]:
    return {player for _number, tables, byes in seating for together in (*tables, byes) for player in together}


def fingerprint(seating: SeatedRounds) -> str:
    return hashlib.sha256(json.dumps(seating).encode()).hexdigest()[:32]


def seat_again(tournament: Tournament, seating: Iterable[tuple[int, Sequence[Sequence[str]], Sequence[str]]]) -> None:
    """Replace the seating of drafts; rounds, publishing times and switched tables stay."""
    entries = {entry.public_id: entry for entry in tournament.entries.all()}
    drafts = {draft.number: draft for draft in drafts_of(tournament)}
    lineups = lineups_of(entries.values()) if any(draft.stage.has_teams for draft in drafts.values()) else {}
    seating = list(seating)
    rounds = [drafts[number] for number, _tables, _byes in seating]
    seats = Seat.objects.filter(round__in=rounds)
    playing = {
        (number, entry, member): player
        for number, entry, member, player in seats.exclude(substitute=None).values_list(
            "round__number", "entry", "member", "substitute"
        )
    }
    seats.delete()
    before = Table.objects.filter(round__in=rounds)
    switched = [table for table in before if table.mode != mode_of(tournament, table.number)]
    before.delete()
    seated = {
        number: {place_of(key, entries, lineups).player for table in tables for key in table}
        for number, tables, _byes in seating
    }

    def place(number: int, key: str) -> Place:
        usual = place_of(key, entries, lineups)
        player = playing.get((number, usual.entry.pk, usual.member), usual.player)
        return usual if player in seated[number] else usual._replace(player=player)  # no one sits twice

    seat_rounds(
        (drafts[number], [[place(number, key) for key in table] for table in tables], [entries[bye] for bye in byes])
        for number, tables, byes in seating
    )
    for table in switched:
        Table.objects.filter(round=table.round_id, number=table.number).update(mode=table.mode)


def redraw_next(tournament: Tournament, stage: Stage, by: User | None, *, wishes_changed: bool = False) -> None:
    """Adapt the draft to the current field, if rounds are drawn one by one.

    A draft stays, with swapped seats, if players, number of tables and results are the same, unless requests changed.
    Raises `Refused` if a request can't be met.
    """
    drafts = [draft for draft in drafts_of(tournament) if draft.stage_id == stage.pk]
    if stage.drawn_ahead or not drafts:
        return
    enter_seeds(tournament, stage)
    field = field_of(tournament, stage)
    if not field.plays_on:
        forget_drafts(tournament, drafts, by)
        return
    try:
        seating = next_seating(tournament, stage, field)
    except NotPossible as exc:
        raise Refused("seating", translate(exc.sentence)) from exc
    [drawn] = drafts
    before = seating_of(drafts)
    [(_number, seated, byes)] = before
    again: SeatedRounds = [(drawn.number, seating, sitting_out(seating, field))]
    same = _players_of(before) == _players_of(again) and len(seated) == len(seating)
    same = same and _of_second(drawn) == set(field.second_ladder)
    results = results_of(tournament, stage, field)
    same = same and _drawn_by(drawn) in (results, None)
    as_drawn = (seated == seating and set(byes) == set(sitting_out(seating, field))) or (same and not wishes_changed)
    if as_drawn and _have_lost(drawn) == set(field.lost):
        return
    seat_again(tournament, again)
    mark_ladders(drawn, seating, field)
    if stage.plays.is_final(seating):
        drawn.tables.update(hands_wanted=None)
    note(
        tournament=tournament,
        by=by,
        action="redraw",
        round_number=drawn.number,
        new=drawing_in_log(drawn, seating, results),
    )


def _drawn_by(drawn: Round) -> str | None:
    """Return the results a draft was drawn by (`results_of`); None if the log lacks them."""
    rows = LogEntry.objects.filter(tournament=drawn.tournament_id, round=drawn.number)
    row = rows.filter(action__in=("draw-next", "redraw")).order_by("number").last()
    return row.new.get("results", "") if row is not None and isinstance(row.new, dict) else None


def _of_second(drawn: Round) -> set[str]:
    """Return the players of the second ladder in a draft."""
    return set(Seat.objects.filter(table__round=drawn, table__ladder=SECOND).values_list("entry__public_id", flat=True))


def _have_lost(drawn: Round) -> set[str]:
    """Return the players with a loss in a draft, in a tree that forgives one."""
    return set(drawn.seats.filter(has_lost=True).values_list("entry__public_id", flat=True))


def change_number(tournament: Tournament, stage: Stage, by: User | None) -> None:
    """Remove the last drafts of a schedule, or draw more rounds in which few players meet again.

    Afterwards it has the stage's number of rounds, or a whole schedule; published rounds stay. Raises `Refused`.
    """
    living = list(stage.rounds.living().order_by("number"))
    order = _who_plays(tournament, stage, living)
    seed = f"{draw_seed(stage)}:{len(order)}:{len(living)}"
    try:
        order, drawn = _more_rounds(stage, order, None, living, seed)
        if not drawn:
            wanted = max(_wanted(stage, group, living) for group in _by_group(stage, order))
            forget_drafts(tournament, [played for played in living[wanted:] if played.state == Round.State.DRAFT], by)
            return
    except NotPossible as exc:
        raise Refused("players", translate(exc.sentence)) from exc
    last, more = living[-1].number, len(drawn)
    added = Round.objects.bulk_create(
        Round(tournament=tournament, stage=stage, number=last + at) for at in range(1, more + 1)
    )
    seating = places_of(drawn, order, of_teams=stage.has_teams)
    seat_rounds((draft, order_tables(tables), byes) for draft, (tables, byes) in zip(added, seating, strict=True))
    note(tournament=tournament, by=by, action="draw-more", new={"rounds": more, "players": len(order), "seed": seed})


def seat_newcomer(tournament: Tournament, stage: Stage, newcomer: Entry) -> dict[str, Any]:
    """Seat a newcomer in future rounds of pairs if there is no stand-in to replace.

    The seats come from byes, or from a new draw of the drafts. Return the data for `unseat`. Raises `Refused`.
    """
    drafts = drafts_of(tournament)
    if stage.groups == 1 and (at_table := _seat_with_byes(tournament, newcomer, drafts)):
        return at_table
    if not drafts:
        sentence = _("No late entry possible: every round is published and no seat is free.")
        raise Refused("no-seat", sentence)
    before = seating_of(drafts)
    players = _players_of(before)
    order = [*tournament.entries.filter(public_id__in=players).order_by("number"), newcomer]
    shown = list(stage.rounds.shown().order_by("number"))
    try:
        order, drawn = _more_rounds(stage, order, len(drafts), shown, f"{draw_seed(stage)}:{len(order)}")
    except NotPossible as exc:
        raise Refused("players", translate(exc.sentence)) from exc
    fixed, _apart = wishes(tournament)
    seating: SeatedRounds = []
    for (number, _tables, _byes), plan in zip(before, drawn, strict=True):
        tables = [[order[index].public_id for index, _member in table] for table in plan.tables]
        seating.append((number, at_fixed_tables(tables, fixed), [order[index].public_id for index in plan.byes]))
    seat_again(tournament, seating)
    return {"seat": "redrawn", "before": before, "fingerprint": fingerprint(seating_of(drafts))}


def redraw_without(tournament: Tournament, stage: Stage, gone: Entry) -> dict[str, Any]:
    """Draw the drafts again for the remaining players (teams), without stand-ins.

    Return the earlier seating and a fingerprint of the new one. With groups, only the group of `gone` is drawn. Raises
    `Refused` without drafts or with too few players.
    """
    drafts = drafts_of(tournament)
    if not drafts:
        raise Refused("plan", _("Every round is published, so none can be drawn again."))
    before = seating_of(drafts)
    rest, here = staying(stage, gone), _group_of(stage, gone)
    numbers = {entry.public_id: number for number, entry in enumerate(rest)}
    played = _history(stage, list(stage.rounds.shown().order_by("number")), numbers)
    of_group = [
        any(not here or key.partition(".")[0] in here for table in (*tables, byes) for key in table)
        for _number, tables, byes in before
    ]
    seed = f"{draw_seed(stage)}:{len(rest)}:without"
    try:
        rounds = iter(stage.plays.more_rounds(len(rest), sum(of_group), played, stage.values, seed=seed))
    except NotPossible as exc:
        raise Refused("plan", translate(exc.sentence)) from exc
    fixed, _apart = wishes(tournament)
    seating: SeatedRounds = []
    for (number, tables, byes), plays in zip(before, of_group, strict=True):
        others = [table for table in tables if here and not here.intersection(key.partition(".")[0] for key in table)]
        idle = [player for player in byes if here and player not in here]
        if plays:
            drawn = next(rounds)
            keys = [[_key(rest[index], member) for index, member in table] for table in drawn.tables]
            others, idle = [*others, *keys], [*idle, *(rest[index].public_id for index in drawn.byes)]
        seating.append((number, at_fixed_tables(others, fixed), idle))
    seat_again(tournament, seating)
    return {"before": before, "fingerprint": fingerprint(seating_of(drafts))}


def _key(entry: Entry, member: int) -> str:
    return f"{entry.public_id}.{member}" if member else entry.public_id


def staying(stage: Stage, gone: Entry) -> list[Entry]:
    """Return the players who continue in the stage without `gone`; with groups, those of its group."""
    here = _group_of(stage, gone)
    active = entries_in(stage).filter(status=Entry.Status.ACTIVE).exclude(pk=gone.pk).select_related("player")
    return [entry for entry in active if not here or entry.public_id in here]


def _group_of(stage: Stage, entry: Entry) -> set[str]:
    """Return the public ids of an entry's group; empty if there is only one."""
    members = members_in(stage) if stage.groups > 1 else {}
    group = members[entry.public_id].group if entry.public_id in members else None
    return {player for player, member in members.items() if member.group == group}


def _who_plays(tournament: Tournament, stage: Stage, living: Sequence[Round]) -> list[Entry]:
    """Return the players with a seat in the last round, or in any group, who haven't left."""
    here = (Entry.Status.ACTIVE, Entry.Status.STANDIN)
    entries = tournament.entries.filter(status__in=here).order_by("number", "pk")
    if stage.groups > 1:
        return list(entries.filter(stages__stage=stage))
    return list(entries.filter(pk__in=Seat.objects.filter(round=living[-1]).values("entry")))


def _by_group(stage: Stage, order: Sequence[Entry]) -> list[list[Entry]]:
    members = members_in(stage) if stage.groups > 1 else {}
    by_group: dict[int, list[Entry]] = {}
    for entry in order:
        by_group.setdefault(members[entry.public_id].group if members else 1, []).append(entry)
    return [by_group[group] for group in sorted(by_group)]


def _wanted(stage: Stage, group: Sequence[Entry], living: Sequence[Round]) -> int:
    """Return the number of rounds of a group."""
    return stage.values["rounds"] or stage.plays.rounds(stage.values, len(group)) or len(living)


def _more_rounds(
    stage: Stage, order: Sequence[Entry], more: int | None, rounds: Sequence[Round], seed: str
) -> tuple[list[Entry], Sequence[Seating]]:
    """Return more rounds for these entries, as indexes of the returned list, group by group.

    `more` None: as many as each group lacks; a group that is done earlier plays on in the new rounds.
    """
    of_each, drawn = _by_group(stage, order), []
    for group in of_each:
        numbers = {entry.public_id: number for number, entry in enumerate(group)}
        played = _history(stage, rounds, numbers)
        count = _wanted(stage, group, rounds) - sum(map(bool, played)) if more is None else more
        drawn.append(stage.plays.more_rounds(len(group), count, played, stage.values, seed=seed) if count > 0 else [])
    return [entry for group in of_each for entry in group], groups.together(drawn, list(map(len, of_each)))


def _history(stage: Stage, rounds: Sequence[Round], numbers: Mapping[str, int]) -> SeatedBefore:
    """Return rounds in the form of `Format.more_rounds`: tables by seat, for teams by match."""
    at_table = 2 if stage.has_teams else None  # places 0 and 1 are the two teams
    return tuple(
        tuple(
            tuple(numbers.get(player) for player in table[:at_table])
            for table in tables
            if stage.groups == 1 or not numbers.keys().isdisjoint(table)
        )
        for _number, tables, _byes in seating_of(rounds)
    )


def _seat_with_byes(tournament: Tournament, newcomer: Entry, drafts: list[Round]) -> dict[str, Any] | None:
    """Seat the newcomer with the three players who have a bye in each future round; others keep their seats."""
    active = set(tournament.entries.filter(status=Entry.Status.ACTIVE).values_list("public_id", flat=True))
    opened = tournament.rounds.filter(state=Round.State.PUBLISHED).select_related("stage")  # no hand played yet
    rounds = [*opened, *drafts]
    seating = seating_of(rounds)
    if not rounds or any(len(byes) != SEATS - 1 or not active.issuperset(byes) for _n, _tables, byes in seating):
        return None
    players = sorted(_players_of(seating))
    numbers = {player: number for number, player in enumerate([*players, newcomer.public_id])}
    player_of = {number: player for player, number in numbers.items()}
    to_come = [
        ([[numbers[player] for player in table] for table in tables], [numbers[player] for player in byes])
        for _number, tables, byes in seating
    ]
    open_numbers = {played.number for played in opened}
    past = seating_of(
        [played for played in tournament.rounds.shown().order_by("number") if played.number not in open_numbers]
    )
    history = [[[numbers.get(player) for player in table] for table in tables] for _number, tables, _byes in past]
    new_tables = tables_of_byes(to_come, numbers[newcomer.public_id], history)
    if new_tables is None:
        return None
    for played, table in zip(rounds, new_tables, strict=True):
        _seat_byes(played, newcomer, [player_of[number] for number in table])
    return {"seat": "byes", "rounds": [played.number for played in rounds]}


def _seat_byes(played: Round, newcomer: Entry, table: Sequence[str]) -> None:
    last = played.tables.order_by("-number").first()
    number = last.number + 1 if last else 1
    new_table = played.new_table(number, played.stage.hands_per_round)
    new_table.save()
    byes = {seat.entry.public_id: seat for seat in played.seats.filter(table=None).select_related("entry")}
    for number, player in enumerate(table):
        seat = byes.get(player) or Seat(round=played, entry=newcomer)
        seat.table, seat.number = new_table, number
        seat.save()
    bye_points(played, list(byes)).update(voided_at=timezone.now())


def bye_points(played: Round, players: Sequence[str]) -> QuerySet[Adjustment]:
    """Return these players' (public ids) points for a bye in a round."""
    return Adjustment.objects.filter(
        round=played, kind=Adjustment.Kind.BYE, voided_at=None, entry__public_id__in=players
    )


def unseat(tournament: Tournament, entry: Entry, how: Mapping[str, Any]) -> None:
    """Undo `seat_newcomer`. Raises `Conflict` if the seating has changed since."""
    if how["seat"] == "byes":
        seats = list(entry.seats.filter(round__in=tournament.rounds.living()).select_related("table", "round__stage"))
        for seat in seats:
            if seat.table is None or seat.table.scores.exists() or seat.table.not_counted:
                raise _changed_conflict(entry)
            table, played = seat.table, seat.round
            other_seats = list(table.seats.exclude(pk=seat.pk).select_related("entry"))
            seat.delete()
            Seat.objects.filter(pk__in=[other.pk for other in other_seats]).update(
                table=None, number=None, substitute=None
            )
            table.delete()
            if played.is_open and played.stage.bye_points:
                Adjustment.objects.bulk_create(
                    Adjustment(
                        entry=other.entry,
                        round=played,
                        kind=Adjustment.Kind.BYE,
                        points=played.stage.bye_points,
                        reason=_("Bye"),
                    )
                    for other in other_seats
                )
        return
    drafts = drafts_of(tournament)
    if fingerprint(seating_of(drafts)) != how["fingerprint"]:
        raise _changed_conflict(entry)
    seat_again(tournament, [(number, tables, byes) for number, tables, byes in how["before"]])


def _changed_conflict(entry: Entry) -> Conflict:
    message = _("The seating has changed since. Let %(name)s leave instead.")
    return Conflict("changed-since", message % {"name": entry})


def renumber_drafts(tournament: Tournament) -> None:
    """Renumber tables in drafts of pairs for players with fixed tables; each table keeps its players."""
    fixed, _apart = wishes(tournament)
    before = seating_of(drafts_of(tournament))
    seating: SeatedRounds = [(number, at_fixed_tables(tables, fixed), byes) for number, tables, byes in before]
    changed = [now for was, now in zip(before, seating, strict=True) if was != now]
    seat_again(tournament, changed)
