"""Facts for the sheets and the late entry: plans with their costs, current seats and line-ups."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.day.preview import Plan, try_out
from league.day.stand_in import look_at_seats
from league.day.vacancies import BYES, FEWER, REDRAW, STAND_IN, fillable, meetings_again, vacant_seats
from league.formats.progression import ACTIVE
from league.formats.tree import DUEL
from league.ledger.lineups import members_of, usual_players
from league.ledger.progress import FEWEST_AT_A_TABLE, PLAYING, table_now, to_be_dealt_in
from league.ledger.progression import read_progression
from league.ledger.race import read_race
from league.lib.errors import Refused
from league.models import Entry, Round, Seat, Stage, Tournament, entry_name
from league.rounds.redraw import drafts_of, staying

MOST_NAMES = 6  # listed players without a seat


def leaving_a_duel(entry: Entry) -> list[str]:
    """Return the consequences of a departure in a tree; empty elsewhere and for eliminated players."""
    stage = entry.tournament.stage
    if not stage.plays.in_tree or not entry.tournament.has_begun:
        return []
    words = {"name": entry.name}
    seats = Seat.objects.filter(round__in=stage.rounds.living(), entry=entry)
    seat = seats.select_related("table__round__stage").order_by("-round__number").first()
    if seat and seat.table and seat.table.round.is_open and table_now(seat.table).state == PLAYING:
        others = Seat.objects.filter(table=seat.table, member=0).exclude(entry=entry)
        other = others.select_related("entry__player").get()
        at_table = {"other": other.entry.name, "table": seat.table.number}
        return [_("%(name)s loses the duel at table %(table)d; %(other)s advances.") % (words | at_table)]
    state = read_progression(entry.tournament, stage).state
    in_play = {*state.still_in, *state.second_ladder}
    if entry.public_id in in_play and len(in_play) == DUEL and state.another_round:
        [last] = entry.tournament.entries.filter(public_id__in=in_play - {entry.public_id}).select_related("player")
        return [_("%(other)s wins.") % {"other": last.name}]
    line = state.lines.get(entry.public_id)  # None: did not qualify for the stage
    if state.another_round and line is not None and line.status == ACTIVE:
        return [_("The next opponent of %(name)s has a bye.") % words]
    return []


def fewer_at_table(entry: Entry) -> list[str]:
    """Return the consequences of a departure at the table, where rounds are drawn one by one."""
    stage = entry.tournament.stage
    if stage.drawn_ahead or stage.plays.in_tree or not entry.tournament.has_begun:
        return []
    seats = entry.seats.filter(round__in=stage.rounds.shown().exclude(state=Round.State.CLOSED)).exclude(table=None)
    seat = seats.select_related("round__stage", "round__tournament", "table").first()
    if seat is None or seat.table is None:
        return []
    table = seat.table
    table.round = seat.round
    if table_now(table).state != PLAYING:
        return []
    others = {at.entry_id: at.entry for at in to_be_dealt_in(table) if at.entry_id != entry.pk}
    words: dict[str, Any] = {"table": table.number, "round": seat.round.number, "count": len(others)}
    if len(others) < FEWEST_AT_A_TABLE:
        words |= {"name": next(iter(others.values()), entry)}
        return [_("Table %(table)d ends in round %(round)d: only %(name)s is left there.") % words] if others else []
    if stage.has_teams:
        return [_("Table %(table)d continues with %(count)d teams in round %(round)d.") % words]
    return [_("Table %(table)d continues with %(count)d players in round %(round)d.") % words]


def plans_to_leave(entry: Entry, leave: Callable[[str], object], stand_in: str = "") -> list[Plan]:
    """Return the plans for a leaving entry's seats, the usual one first; empty without a choice.

    leave: runs the departure by a plan of `vacancies.PLANS`. stand_in: the typed name.
    """
    tournament, stage = entry.tournament, entry.tournament.stage
    if not tournament.has_begun or stage.has_teams:
        return []
    if not stage.drawn_ahead:
        return _plans_for_table(entry)
    if not any(seat.table_id for seat in look_at_seats(entry)):
        return []
    with_stand_in = _after(tournament, leave, STAND_IN)
    title = _("%(name)s stands in") % {"name": stand_in} if stand_in else _("Someone stands in")
    plans = [Plan(STAND_IN, title, _cost_of_stand_in(with_stand_in))]
    by_players = _after(tournament, leave, BYES)
    if by_players.stand_ins < with_stand_in.stand_ins:
        plans.insert(
            0, Plan(BYES, _("Players who would have a bye play"), _cost(_("Only these seats change."), by_players))
        )
    drafts = [draft.number for draft in drafts_of(tournament)]
    count = len(staying(stage, entry))
    if drafts and count in stage.plays.possible() and not stage.plays.byes(count, stage.values):
        try:
            redrawn = _after(tournament, leave, REDRAW)
        except Refused:
            return plans
        title = ngettext(
            "Redraw round %(last)d for %(players)d players, no byes",
            "Redraw rounds %(first)d to %(last)d for %(players)d players, no byes",
            len(drafts),
        )
        words = {"first": drafts[0], "last": drafts[-1], "players": count}
        plans.insert(-1, Plan(REDRAW, title % words, _cost(_("All seats in these rounds change."), redrawn)))
    return plans


def _plans_for_table(entry: Entry) -> list[Plan]:
    """Return the plans for a seat at a table that has not started, if a free player could take it."""
    offer = fillable(entry.tournament.stage, entry)
    if offer is None:
        return []
    seat, players = offer
    table = seat.table.number if seat.table else 0
    names = ", ".join(str(player) for player in players[:MOST_NAMES])
    return [
        Plan(FEWER, _("Table %(table)d plays with fewer") % {"table": table}, " ".join(fewer_at_table(entry))),
        Plan(
            BYES,
            _("Fill the seat at table %(table)d") % {"table": table},
            _("Without a seat in round %(round)d: %(names)s. No other seat changes.")
            % {"round": seat.round.number, "names": names},
        ),
    ]


def plans_to_enter(stage: Stage) -> list[Plan]:
    """Return the seats a late entry can choose from; empty without a vacant seat."""
    seats = vacant_seats(stage)
    plans = {}
    for seat in seats:
        table = seat.table.number if seat.table else 0
        words = {"table": table, "name": seat.entry, "round": seat.round.number}
        plans[table] = Plan(
            f"table-{table}",
            _("Plays at table %(table)d now") % words,
            _("Takes the seat of %(name)s, who left. The table has not started.") % words,
        )
    usual = Plan("next", _("Plays from the next round on"), _("No other seat changes."))
    return [usual, *plans.values()] if plans else []


class _Seats(NamedTuple):
    """Counts of the seats to come after a change: stand-ins and byes by round, and repeated meetings."""

    stand_ins: int
    with_stand_in: list[int]
    with_both: int
    repeats: int
    partners: bool
    is_counted: bool


def _after(tournament: Tournament, leave: Callable[[str], object], plan: str) -> _Seats:
    found: list[_Seats] = []

    def leave_and_look() -> None:
        leave(plan)
        found.append(_seats_to_come(tournament))

    try_out(tournament, leave_and_look)
    return found[0]


def _seats_to_come(tournament: Tournament) -> _Seats:
    stage = tournament.stage
    active = tournament.entries.filter(status=Entry.Status.ACTIVE).count()
    stand_ins, with_stand_in, with_both = 0, [], 0
    for played in stage.rounds.living().exclude(state=Round.State.CLOSED).order_by("number"):
        at_tables = played.seats.exclude(table=None)
        here = at_tables.filter(entry__status=Entry.Status.STANDIN).count()
        if here:
            stand_ins += here
            with_stand_in.append(played.number)
            with_both += active > at_tables.filter(entry__status=Entry.Status.ACTIVE).count()
    repeats = meetings_again(stage)
    is_duel = stage.plays.table_size(stage.values) == DUEL
    return _Seats(stand_ins, with_stand_in, with_both, repeats, stage.has_partners, stage.has_partners or is_duel)


def _cost(change: str, seats: _Seats) -> str:
    sentences = [change]
    if seats.is_counted and seats.repeats and seats.partners:
        again = ngettext(
            "%(count)d pair of partners plays together again.",
            "%(count)d pairs of partners play together again.",
            seats.repeats,
        )
        sentences.append(again % {"count": seats.repeats})
    elif seats.is_counted and seats.repeats:
        again = ngettext(
            "%(count)d pair of players meets again.", "%(count)d pairs of players meet again.", seats.repeats
        )
        sentences.append(again % {"count": seats.repeats})
    elif seats.is_counted:
        sentences.append(_("No one has a partner twice.") if seats.partners else _("No two players meet twice."))
    if seats.stand_ins:
        rounds = ", ".join(map(str, seats.with_stand_in))
        sentences.append(_("Stand-in needed in round %(rounds)s.") % {"rounds": rounds})
    return " ".join(sentences)


def _cost_of_stand_in(seats: _Seats) -> str:
    sentences = [
        _("The stand-in takes this player’s seats, and no one else moves. The stand-in’s points count for no one.")
    ]
    if seats.with_both:
        again = ngettext(
            "In %(count)d round a player has a bye while the stand-in plays.",
            "In %(count)d rounds a player has a bye while the stand-in plays.",
            seats.with_both,
        )
        sentences.append(again % {"count": seats.with_both})
    return " ".join(sentences)


def still_in(tournament: Tournament) -> int:
    """Return the number of players of a Challenge UNO who are not eliminated."""
    return len(read_race(tournament, tournament.stage).state.still_in)


def has_played(entry: Entry) -> bool:
    """Return whether a hand of the entry counts."""
    return entry.scores.filter(voided_at=None).exists()


def tables_of(seats: list[Seat]) -> list[tuple[str, str]]:
    words = _("Round %(round)d, table %(table)d")
    return [
        (str(seat.table_id), words % {"round": seat.round.number, "table": seat.table.number})
        for seat in seats
        if seat.table is not None and seat.member == 0
    ]


def other_players(entry: Entry) -> list[tuple[str, str]]:
    entries = entry.tournament.entries.filter(status=Entry.Status.ACTIVE).exclude(pk=entry.pk)
    return list(entries.order_by("player__name", "addition").values_list("public_id", entry_name()))


def team_context(entry: Entry, seats: Sequence[Seat], tables: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return a team's line-ups and swaps. seats: with hands to come, by round. tables: choices of a form."""
    members = [member.player for member in members_of([entry])[entry.pk]]
    usual = {player.pk for player in usual_players(members_of([entry])[entry.pk])}
    playing = {seat.member: seat.substitute for seat in reversed(seats)}  # in the first of these rounds
    present = {player.pk for player in playing.values() if player}
    swaps = [
        (f"{place}-{player.pk}", _("%(new)s for %(name)s") % {"new": player, "name": playing[place]})
        for place in sorted(playing)
        for player in members
        if player.pk not in present
    ]
    places = [(str(place), str(player)) for place, player in sorted(playing.items(), key=lambda item: item[0])]
    by_round: dict[int, list[Seat]] = {}
    for seat in seats:
        by_round.setdefault(seat.round.number, []).append(seat)
    return {
        "lineups": [(of_round[0], [str(seat.substitute) for seat in of_round]) for of_round in by_round.values()],
        "names": [(player.pk, player.name) for player in members],
        "places": places,
        "swaps": swaps,
        "tables": tables,
        "substituted": [seat for seat in seats if seat.substitute_id not in usual],
    }
