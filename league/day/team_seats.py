"""The seats of a team that leaves, enters late or returns. The caller holds the tournament's lock.

Opponents of a missing team have a bye. A new team meets teams with a bye; if a draft has none, the drafts are redrawn.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.day.stand_in import seats_to_come
from league.formats import NotPossible
from league.formats.seating.fixed_tables import at_fixed_tables
from league.ledger.lineups import lineups_of
from league.ledger.locks import lock_tables, tell_tables
from league.ledger.progress import started_tables
from league.ledger.scores import settle
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.models import Adjustment, Entry, Round, Seat, Stage, Table, Tournament
from league.rounds.draw import draw_seed, wishes
from league.rounds.redraw import SeatedRounds, drafts_of, fingerprint, seat_again, seating_of
from league.rounds.tables import hands_without_gap

Match = tuple[str, str]
"""The public ids of two teams; the first has the seats 0 and 2."""


def leave(tournament: Tournament, entry: Entry) -> dict[str, Any]:
    """Remove a team from all rounds to come; return the data for `give_back`.

    Its opponent meets a team with a bye, if there is one. A started table plays no more hands, and its recorded hands
    count. Raises `Refused` if a hand is missing.
    """
    seats = seats_to_come(entry)
    opened = {seat.table_id: seat for seat in seats if seat.table_id and seat.round.state != Round.State.DRAFT}
    how: dict[str, Any] = {"left": [_leave_table(seat) for seat in opened.values()]}
    if any("seats" in about for about in how["left"]):
        how |= _match_of_idle_teams(tournament) or {}
    drafts = drafts_of(tournament)
    before = seating_of(drafts)
    past = [match for match in _matches(seating_of(list(tournament.rounds.living()))) if entry.public_id not in match]
    order, lean = {team.public_id: team.number for team in tournament.entries.all()}, _lean_of(past)
    after: SeatedRounds = []
    for number, tables, byes in before:
        stay = [table for table in tables if entry.public_id not in _match(table)]
        alone = [team for table in tables for team in _match(table) if entry.public_id in _match(table)]
        alone, byes = ([team for team in teams if team != entry.public_id] for teams in (alone, byes))
        if alone and byes:
            [team] = alone
            met = _count_meetings(past, team)
            other = min(byes, key=lambda idle: (met[idle], order[idle]))
            match = _sides(lean, team, other)
            past.append(match)
            lean.update(_lean_of([match]))
            stay, alone, byes = [*stay, _places(*match)], [], [bye for bye in byes if bye != other]
        after.append((number, stay, [*byes, *alone]))
    _seat_drafts(tournament, after)
    return how | {"before": before, "fingerprint": fingerprint(seating_of(drafts_of(tournament)))}


def _match_of_idle_teams(tournament: Tournament) -> dict[str, Any] | None:
    """Seat two idle teams in the published round if it has not begun; return data for `_undo_match`."""
    opened = tournament.rounds.shown().exclude(state=Round.State.CLOSED)
    playing = Seat.objects.filter(round__in=opened).exclude(table=None)
    active = tournament.entries.filter(status=Entry.Status.ACTIVE).exclude(pk__in=playing.values("entry"))
    for team in active.select_related("player").order_by("number"):
        if match := _join_current_round(tournament, team):
            return match
    return None


def _leave_table(seat: Seat) -> dict[str, Any]:
    """Remove the team from a published table; return the table's earlier state."""
    table = seat.table
    assert table is not None
    table.round = seat.round
    about = {"round": seat.round.number, "table": table.number, "hands": table.hands_wanted}
    if started_tables([table]):
        table.hands_wanted = hands_without_gap(table)
        table.save(update_fields=["hands_wanted"])
        settle(table=table, confirms=True, disputed=table.state == Table.State.DISPUTED)
        return about
    seated = list(table.seats.select_related("entry").order_by("number"))
    Seat.objects.filter(table=table).delete()
    for other in {row.entry for row in seated} - {seat.entry}:
        _let_sit_out(seat.round, other)
    table.state = Table.State.VOID
    table.save(update_fields=["state"])
    tell_tables([table.pk])
    return about | {"seats": [[row.entry.public_id, row.member, row.substitute_id] for row in seated]}


def give_back(tournament: Tournament, entry: Entry, how: dict[str, Any]) -> None:
    """Undo `leave`. Raises `Conflict` if the seating has changed or was published since."""
    changed = Conflict(
        "changed-since", _("The seating has changed since. Let %(name)s return instead.") % {"name": entry}
    )
    if fingerprint(seating_of(drafts_of(tournament))) != how.get("fingerprint"):
        raise changed
    _undo_match(tournament, how, changed)
    for about in how["left"]:
        played = tournament.rounds.living().select_related("stage", "tournament").get(number=about["round"])
        table = played.tables.filter(number=about["table"]).first()
        if table is None or not played.is_open:
            raise changed
        lock_tables([table.pk])
        table.round = played
        if "seats" in about:
            _sit_down(played, table, about["seats"], changed)
        table.hands_wanted = about["hands"]
        table.save(update_fields=["hands_wanted"])
        settle(table=table, confirms=True, disputed=table.state == Table.State.DISPUTED)
    seat_again(tournament, how["before"])


def _sit_down(played: Round, table: Table, seats: Sequence[Sequence[Any]], changed: Conflict) -> None:
    """Restore the seats of a void table and remove the byes of its entries."""
    entries = {entry.public_id: entry for entry in played.tournament.entries.all()}
    if table.state != Table.State.VOID or any(public_id not in entries for public_id, *_who in seats):
        raise changed
    sitters = {entries[public_id] for public_id, *_who in seats}
    people = [player for _entry, _member, player in seats if player is not None]
    if played.seats.exclude(table=None).filter(Q(entry__in=sitters) | Q(substitute__in=people)).exists():
        raise changed
    played.seats.filter(entry__in=sitters).delete()
    _void_bye_points(played, sitters)
    Seat.objects.bulk_create(
        Seat(round=played, table=table, number=number, entry=entries[entry], member=member, substitute_id=player)
        for number, (entry, member, player) in enumerate(seats)
    )
    table.state = Table.State.SCHEDULED
    table.save(update_fields=["state"])
    tell_tables([table.pk])


def join(tournament: Tournament, stage: Stage, entry: Entry, *, late: bool) -> dict[str, Any]:
    """Give a team matches in the rounds to come; return the data for `unjoin`, empty without a match.

    Raises `Refused` for a late entry without a match.
    """
    drafts = drafts_of(tournament)
    before = seating_of(drafts)
    match = _join_current_round(tournament, entry)
    if not drafts and match is None:
        if not late:
            return {}
        sentence = _("All rounds are published and no team has a bye, so late entries aren’t possible.")
        raise Refused("no-seat", sentence)
    if all(byes for _number, _tables, byes in before):
        after = _match_with_idle(tournament, entry, before)
    else:
        after = _redraw(tournament, stage, entry, before)
    _seat_drafts(tournament, after)
    prints = fingerprint(seating_of(drafts_of(tournament)))
    return {"seat": "teams", "before": before, "fingerprint": prints} | (match or {})


def _join_current_round(tournament: Tournament, entry: Entry) -> dict[str, Any] | None:
    """Seat a match against a team with a bye in the published round, if that has not begun.

    Return the data for `_undo_match`.
    """
    opened = tournament.rounds.shown().exclude(state=Round.State.CLOSED)
    played = opened.select_related("stage", "tournament").order_by("number").first()
    if played is None or played.seats.filter(entry=entry).exclude(table=None).exists():
        return None
    if started_tables(list(played.tables.all())):
        return None
    idle_seats = played.seats.filter(table=None, entry__status=Entry.Status.ACTIVE).select_related("entry")
    waiting = [seat for seat in idle_seats if seat.entry_id != entry.pk]
    lineups = lineups_of([entry, *(seat.entry for seat in waiting)])
    busy = set(played.seats.values_list("substitute", flat=True))  # members may be substitutes of another team
    free = {team for team, players in lineups.items() if not busy & {player.pk for player in players}}
    idle = [seat for seat in waiting if seat.entry_id in free]
    if entry.pk not in free or not idle:
        return None
    past = _matches(seating_of(list(tournament.rounds.living())))
    met = _count_meetings(past, entry.public_id)
    other = min((seat.entry for seat in idle), key=lambda team: (met[team.public_id], team.number))
    numbers = played.tables.values_list("number", flat=True)
    number = max(numbers, default=0) + 1
    table = played.new_table(number, played.stage.hands_per_round)
    table.save()
    byes = played.seats.filter(entry__in=[entry, other], table=None)
    had_bye = list(byes.values_list("entry__public_id", flat=True))
    byes.delete()
    _void_bye_points(played, [entry, other])
    entries = {team.public_id: team for team in (entry, other)}
    for seat, key in enumerate(_places(*_sides(_lean_of(past), entry.public_id, other.public_id))):
        public_id, member = _parts(key)
        team = entries[public_id]
        player = lineups[team.pk][member]
        Seat.objects.create(round=played, table=table, number=seat, entry=team, member=member, substitute=player)
    return {"at": [played.number, number], "had_bye": had_bye}


def _undo_match(tournament: Tournament, how: dict[str, Any], changed: Conflict) -> None:
    """Undo `_join_current_round`, if `how` has one. Raises `changed` after a hand or other seating."""
    if "at" not in how:
        return
    number, at = how["at"]
    table = Table.objects.filter(round__in=tournament.rounds.living(), round__number=number, number=at).first()
    teams = {seat.entry for seat in table.seats.select_related("entry")} if table is not None else set()
    had_bye = how.get("had_bye", [])
    if table is None or started_tables([table]) or not {team.public_id for team in teams}.issuperset(had_bye):
        raise changed
    table.seats.all().delete()
    for team in sorted(teams, key=lambda team: team.number):
        if team.public_id in had_bye:
            _let_sit_out(table.round, team)
    table.state = Table.State.VOID  # pages and committed decks may use its number
    table.save(update_fields=["state"])
    tell_tables([table.pk])


def unjoin(tournament: Tournament, entry: Entry, how: dict[str, Any]) -> None:
    """Undo `join`. Raises `Conflict` if the seating has changed, or a hand is in play."""
    message = _("The seating has changed since. Let %(name)s leave instead.")
    changed = Conflict("changed-since", message % {"name": entry})
    if fingerprint(seating_of(drafts_of(tournament))) != how["fingerprint"]:
        raise changed
    if "at" in how and "had_bye" not in how:  # older log row: only one team could have had a bye
        met = Seat.objects.filter(round__in=tournament.rounds.living(), round__number=how["at"][0])
        others = met.filter(table__number=how["at"][1]).exclude(entry=entry)
        how = how | {"had_bye": list(others.values_list("entry__public_id", flat=True).distinct())}
    _undo_match(tournament, how, changed)
    seat_again(tournament, how["before"])


def _match_with_idle(tournament: Tournament, entry: Entry, drafts: SeatedRounds) -> SeatedRounds:
    """Return the drafts with a match in each round, against the idle team met least."""
    past = _matches(seating_of(list(tournament.rounds.living())))
    met, lean = _count_meetings(past, entry.public_id), _lean_of(past)
    order = {team.public_id: team.number for team in tournament.entries.all()}
    seating: SeatedRounds = []
    for number, tables, byes in drafts:
        other = min(byes, key=lambda team: (met[team], order[team]))
        match = _sides(lean, entry.public_id, other)
        met[other] += 1
        lean.update(_lean_of([match]))
        seating.append((number, [*tables, _places(*match)], [bye for bye in byes if bye != other]))
    return seating


def _redraw(tournament: Tournament, stage: Stage, entry: Entry, drafts: SeatedRounds) -> SeatedRounds:
    """Return the drafts redrawn with one more team, with few repeated meetings."""
    ids = {team for _number, tables, byes in drafts for team in (*byes, *(key for table in tables for key in table))}
    order = [*tournament.entries.filter(public_id__in=ids).order_by("number"), entry]
    numbers = {team.public_id: number for number, team in enumerate(order)}
    played = tuple(
        tuple((numbers.get(first), numbers.get(second)) for first, second in _matches([seating]))
        for seating in seating_of(list(tournament.rounds.shown().order_by("number")))
    )
    try:
        seed = f"{draw_seed(stage)}:{len(order)}"
        drawn = stage.plays.more_rounds(len(order), len(drafts), played, stage.values, seed=seed)
    except NotPossible as exc:
        raise Refused("players", translate(exc.sentence)) from exc
    return [
        (
            number,
            [[_key(order[team].public_id, member) for team, member in table] for table in plan.tables],
            [order[team].public_id for team in plan.byes],
        )
        for (number, _tables, _byes), plan in zip(drafts, drawn, strict=True)
    ]


def _seat_drafts(tournament: Tournament, seating: SeatedRounds) -> None:
    fixed, _apart = wishes(tournament)
    seat_again(tournament, [(number, at_fixed_tables(tables, fixed), byes) for number, tables, byes in seating])


def _let_sit_out(played: Round, entry: Entry) -> None:
    Seat.objects.create(round=played, entry=entry)
    if played.stage.bye_points:
        Adjustment.objects.create(
            entry=entry, round=played, kind=Adjustment.Kind.BYE, points=played.stage.bye_points, reason=_("Bye")
        )


def _void_bye_points(played: Round, entries: Iterable[Entry]) -> None:
    adjustments = Adjustment.objects.filter(round=played, kind=Adjustment.Kind.BYE, voided_at=None, entry__in=entries)
    adjustments.update(voided_at=timezone.now())


# --- seats as logged: a public id, with “.1” for a team's second place


def _key(team: str, member: int) -> str:
    return f"{team}.{member}" if member else team


def _parts(key: str) -> tuple[str, int]:
    team, _dot, member = key.partition(".")
    return team, int(member or 0)


def _match(table: Sequence[str]) -> Match:
    return _parts(table[0])[0], _parts(table[1])[0]


def _matches(seating: SeatedRounds) -> list[Match]:
    return [_match(table) for _number, tables, _byes in seating for table in tables]


def _places(first: str, second: str) -> list[str]:
    return [first, second, _key(first, 1), _key(second, 1)]


def _count_meetings(past: Iterable[Match], team: str) -> Counter[str]:
    """Return how often a team met each other team."""
    return Counter(other for match in past if team in match for other in match)


def _lean_of(past: Iterable[Match]) -> Counter[str]:
    """Return, by team, the number of first places minus second places."""
    lean = Counter[str]()
    for first, second in past:
        lean.update({first: 1, second: -1})
    return lean


def _sides(lean: Counter[str], first: str, second: str) -> Match:
    """Return the two in order: the team with fewer first places goes first."""
    return (first, second) if lean[first] <= lean[second] else (second, first)
