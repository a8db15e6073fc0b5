"""Preview a correction that affects later seats: its changes, with each possible repair."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.hands import points_game
from games.hands.repairs import KEEP, RESEAT, UNDO, Correction, can_undo, open_after
from games.hands.seats_as_played import SeatCorrection
from games.models import Hand
from league.day.preview import Moves, as_it_stands, do_as_shown, try_out
from league.formats import NotPossible, progression
from league.formats.protocol import Draw
from league.formats.race import DROPPED, OUT, State
from league.ledger.entered import members_in, seeds_in
from league.ledger.in_words import group_title
from league.ledger.progress import TableNow, race_before, race_of, tables_now
from league.ledger.progression import SECOND, ProgressionLedger, read_progression
from league.ledger.race import RaceLedger
from league.lib.errors import Refused
from league.lib.translate import names
from league.models import Entry, Round, Seat, Stage, Table, Tournament, entry_name
from league.rounds.cut import cut_now, made_after
from league.rounds.draw import draw_seed, past_rounds, wishes

MOST_NAMED = 6  # tables; above that only their number is given


@dataclass(frozen=True)
class Elsewhere:
    """A player with another table in the open round; None is no seat. `why` explains why the player wasn't moved."""

    player: str
    was: int | None
    will: int | None
    why: str


@dataclass(frozen=True)
class Choice:
    """A repair with its changes: `sentence` describes them, `button` is its label.

    `tells` is False if the list of changes adds nothing: after undoing a round that starts at 0, every player's points
    change.
    """

    repair: str
    name: str
    sentence: str
    button: str
    moves: Moves
    tells: bool = True


@dataclass(frozen=True)
class Diff:
    """The changes of a correction. The first choice keeps the seats; others follow if they apply.

    `round` is the open round after the hand's own. `elsewhere`: players who would sit at another table in it;
    `not_played`: the player who would have won before it; `alike`: its draw would be the same. `cannot`: why other
    repairs aren't possible. `back` and `out`: players who return or are eliminated. `goes_on`: players who would have
    advanced instead of others. `same`: the correction changes nothing.
    """

    choices: tuple[Choice, ...] = ()
    round: Round | None = None
    elsewhere: tuple[Elsewhere, ...] = ()
    not_played: str = ""
    alike: bool = False
    cannot: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    goes_on: str = ""
    same: bool = False

    @property
    def keeps(self) -> Choice:
        return self.choices[0]

    @property
    def only_points(self) -> bool:
        """Return whether no player returns or is eliminated."""
        return all(move.was and move.will and move.was.status == move.will.status for move in self.keeps.moves.moved)


@dataclass(frozen=True)
class Cut:
    """The players who advance from a stage by its results, final by final, and those of the second ladder.

    `stage` is the stage after it.
    """

    stage: Stage
    finals: tuple[frozenset[str], ...]
    second_ladder: frozenset[str]

    @property
    def goes_on(self) -> frozenset[str]:
        return frozenset().union(*self.finals)


Results = RaceLedger | ProgressionLedger | Cut


def is_shown_first(hand_table: Table, diff: Diff) -> bool:
    """Return whether to show the diff before saving; in an open round only if a player returns or is eliminated."""
    return not diff.same and not (hand_table.round.is_open and diff.only_points)


def diff_of(tournament: Tournament, table: Table, correction: Correction | SeatCorrection) -> Diff:
    """Return the diff of a correction. Read-only. Raises the correction's refusal."""
    tried = _try_repairs(tournament, table, correction)
    return Diff(same=True) if tried is None else _in_words(tournament, tried)


@dataclass(frozen=True)
class _Tried:
    """The result of each repair, or why it isn't possible, with the results `before` and `after`.

    `of_round` is the hand's round. `turns`: the open round would have other players. `level`: a duel is tied without a
    further hand.
    """

    moves: dict[str, Moves]
    cannot: tuple[str, ...]
    of_round: Round
    round: Round | None
    before: Results
    after: Results
    turns: bool
    level: bool


def _try_repairs(tournament: Tournament, table: Table, correction: Correction | SeatCorrection) -> _Tried | None:
    """Try each repair and roll it back. Return None if the correction changes nothing."""
    found: list[tuple[Hand, Results, bool]] = []

    def keep() -> None:
        hand = correction.save()
        played = hand.table.round  # read again: the rules may have changed since the caller read it
        found.append((hand, _results_of(played), not played.is_open and points_game.is_level(hand.table)))

    with as_it_stands(tournament) as was:
        played = Round.objects.select_related("stage", "tournament").get(pk=table.round_id)
        before = _results_of(played) if made_after(played.stage) else race_before(played) or _results_of(played)
        moves = {KEEP: try_out(tournament, keep, was)}
        cannot = []
        hand, after, level = found[0]
        if hand.pk == correction.hand_id:
            return None
        open_round = open_after(tournament, table.round)
        turns = open_round is not None and _field_of(before, open_round) != _field_of(after, open_round)
        others: tuple[str, ...] = (RESEAT, UNDO) if isinstance(after, RaceLedger) else (UNDO,)
        if open_round is not None and not can_undo(played.stage, open_round):
            others = ()
        for repair in others if turns else ():
            try:
                moves[repair] = try_out(tournament, lambda repair=repair: correction.save(repair), was)  # type: ignore[misc]
            except Refused as exc:
                cannot.append(str(exc))
    return _Tried(moves, tuple(cannot), played, open_round, before, after, turns, level)


def save(tournament: Tournament, correction: Correction, repair: str, digest: str) -> Hand:
    """Save what was previewed. Raises `Conflict("changed")` if its effect has changed since."""
    return do_as_shown(tournament, digest, lambda: correction.save(repair))


def _results_of(played: Round) -> Results:
    """Return the results, including those written in this transaction."""
    if (stage := made_after(played.stage)) is not None:
        now = cut_now(played.tournament, stage)
        finals = tuple(frozenset(one.entry for one in final) for final in now.finals)
        return Cut(stage, finals, frozenset(one.entry for one in now.second_ladder))
    return race_of(played) or read_progression(played.tournament, played.stage)


def _field_of(ledger: Results, played: Round) -> tuple[frozenset[str], ...]:
    """Return the field of a round: players in it, players with a bye in a repechage, and the second ladder."""
    if isinstance(ledger, Cut):
        return *ledger.finals, ledger.second_ladder
    state = _state_before(ledger, played)
    return frozenset(state.still_in), frozenset(_waiting(state)), frozenset(_second_ladder(state))


def _state_before(ledger: RaceLedger | ProgressionLedger, played: Round) -> State | progression.State:
    """Return the state, by results, when the round was drawn."""
    if isinstance(ledger, RaceLedger):
        return ledger.state_at(played.number - 1)
    return ledger.state_at(played.number - 1, by_results=True)


def _second_ladder(state: State | progression.State) -> tuple[str, ...]:
    return () if isinstance(state, State) else state.second_ladder


def _waiting(state: State | progression.State) -> tuple[str, ...]:
    return () if isinstance(state, State) else state.waiting


def _people(tournament: Tournament, played: Round | None) -> dict[str, int | None]:
    """Return {name: table number or None} of all with a seat in a round."""
    seats = Seat.objects.filter(round=played).select_related("entry__player", "table") if played else ()
    return {seat.entry.name: seat.table.number if seat.table else None for seat in seats}


def _in_words(tournament: Tournament, tried: _Tried) -> Diff:
    """Describe the diff; runs after the locks are released, so that tables can go on recording."""
    keeps, open_round = tried.moves[KEEP], tried.round
    diff = Diff(
        round=open_round,
        back=tuple(move.player for move in keeps.moved if move.back_in),
        out=tuple(move.player for move in keeps.moved if move.goes_out),
    )
    if isinstance(tried.after, Cut) and isinstance(tried.before, Cut):
        diff = replace(diff, goes_on=_cut_in_words(tournament, tried.before, tried.after))
    elif isinstance(tried.after, ProgressionLedger) and isinstance(tried.before, ProgressionLedger):
        diff = replace(diff, goes_on=_round_in_words(tournament, tried, tried.before, tried.after))
    keep = _keep_choice(diff, keeps, _people(tournament, open_round), level=tried.level)
    if open_round is None or not tried.turns:
        return replace(diff, choices=(keep,), alike=open_round is not None and not diff.goes_on)
    now = tables_now(open_round, race_before(open_round))
    to_cut = isinstance(tried.after, Cut)
    if not isinstance(tried.after, Cut):
        diff = _who_sits_elsewhere(tournament, open_round, tried.after, diff, now)
    return replace(
        diff, choices=(keep, *_other_choices(open_round, diff, now, tried.moves, to_cut=to_cut)), cannot=tried.cannot
    )


def _cut_in_words(tournament: Tournament, before: Cut, cut: Cut) -> str:
    """Describe who would have advanced, or reached another final, with `cut` instead of `before`; empty if no one.

    Players who have dropped out since aren't compared.
    """
    members = members_in(cut.stage)
    went_on = {entry for entry, member in members.items() if member.ladder != SECOND}
    called = dict(tournament.entries.values_list("public_id", entry_name()))
    sentences = []
    if words := _others(tournament, went_on, cut.goes_on):
        sentences.append(_("With this result %(would)s would have advanced, not %(would_not)s.") % words)
    for number, (was, will) in enumerate(zip(before.finals, cut.finals, strict=True), 1):
        came = sorted(called[entry] for entry in (will - was) & before.goes_on)
        if came and cut.stage.by_place:
            words = {"names": names(came), "final": group_title(number, by_place=True)}
            sentences.append(_("With this result %(names)s would have been in “%(final)s”.") % words)
    return " ".join(sentences)


def _round_in_words(tournament: Tournament, tried: _Tried, before: ProgressionLedger, after: ProgressionLedger) -> str:
    """Describe who would have advanced, or had the bye of a repechage, if the next round is seated."""
    number = tried.of_round.number
    if not any(played.number == number + 1 for played in after.rounds):
        return ""
    went, would = before.state_at(number), after.state_at(number, by_results=True)
    words = _others(tournament, went.still_in, would.still_in)
    sentences = [_("With this result %(would)s would have advanced, not %(would_not)s.") % words] if words else []
    if not sentences and (words := _others(tournament, went.waiting, would.waiting)):
        words |= {"number": number + 1}
        sentences = [
            _("With this result %(would)s would have had a bye in round %(number)d, not %(would_not)s.") % words
        ]
    if sentences and (tried.round is None or tried.round.number > number + 1):
        sentences.append(_("Round %(number)d is unchanged.") % {"number": number + 1})
    return " ".join(sentences)


def _others(tournament: Tournament, did: Collection[str], would: Collection[str]) -> dict[str, Any]:
    """Return the names of players who would have advanced and of those who wouldn't; empty if they are the same.

    Players who have dropped out since aren't compared.
    """
    left = set(tournament.entries.filter(status=Entry.Status.DROPPED).values_list("public_id", flat=True))
    called = dict(tournament.entries.values_list("public_id", entry_name()))
    more = sorted(called[entry] for entry in set(would) - set(did) - left)
    less = sorted(called[entry] for entry in set(did) - set(would) - left)
    return {"would": names(more), "would_not": names(less)} if more and less else {}


def _keep_choice(diff: Diff, moves: Moves, seated: Collection[str], *, level: bool) -> Choice:
    sentences = []
    if level:
        sentences.append(_("The two are then tied. Hands won decide, then a random draw."))
    if diff.round is not None:
        waiting = [name for name in diff.back if name not in seated]
        playing = [name for name in diff.back if name in seated]
        if waiting:
            message = ngettext(
                "%(names)s plays again from round %(round)d.",
                "%(names)s play again from round %(round)d.",
                len(waiting),
            )
            sentences.append(message % {"names": names(waiting), "round": diff.round.number + 1})
        if playing:
            message = ngettext("%(names)s is dealt in again.", "%(names)s are dealt in again.", len(playing))
            sentences.append(message % {"names": names(playing)})
    if diff.out:
        message = ngettext("%(names)s is no longer dealt in.", "%(names)s are no longer dealt in.", len(diff.out))
        sentences.append(message % {"names": names(diff.out)})
    first = _("No seats change.")
    if moves.reseated:
        first = _("The draft of round %(number)d is drawn again.")
        if all(seat.will is None for seat in moves.reseated):
            first = _("The draft of round %(number)d is deleted.")
        first %= {"number": moves.reseated[0].round}
    sentence = " ".join([first, *sentences])
    return Choice(KEEP, _("Correct and keep the seating"), sentence, _("Correct and keep the seating"), moves)


def _other_choices(
    played: Round, diff: Diff, now: Sequence[TableNow], moves: Mapping[str, Moves], *, to_cut: bool
) -> list[Choice]:
    """Return the other repairs that apply, those with `moves`. `to_cut`: the round to undo is the first after a cut."""
    undo = _("Correct and undo round %(number)d") % {"number": played.number}
    ways = (
        (RESEAT, _("Re-seat tables not started"), _reseat_sentence(now, diff), _reseat_button(now)),
        (UNDO, _("Undo the round"), _undo_sentence(played, now, to_cut=to_cut), undo),
    )
    starts_at_zero = played.stage.plays.advances or to_cut
    return [Choice(*way, moves[way[0]], way[0] != UNDO or not starts_at_zero) for way in ways if way[0] in moves]


def _not_started(now: Sequence[TableNow]) -> list[int]:
    """Return the numbers of tables without a hand; a table closed before its first hand stays closed."""
    return [progress.table.number for progress in now if not progress.played and progress.hands_wanted != 0]


def _reseat_sentence(now: Sequence[TableNow], diff: Diff) -> str:
    free = _not_started(now)
    begun = [progress.table.number for progress in now if progress.played]
    words = {"tables": _tables_in_words(free), "names": names(diff.back)}
    if diff.back:
        sentence = ngettext(
            "%(tables)s is drawn again with %(names)s.", "%(tables)s are drawn again with %(names)s.", len(free)
        )
    else:
        sentence = ngettext("%(tables)s is drawn again.", "%(tables)s are drawn again.", len(free))
    if not begun:
        return sentence % words
    play_on = ngettext("%(tables)s plays on; its hands count.", "%(tables)s play on; their hands count.", len(begun))
    return f"{sentence % words} {play_on % {'tables': _tables_in_words(begun)}}"


def _tables_in_words(tables: Sequence[int]) -> str:
    """Return “Table 2”, “Tables 2 and 3” or “25 tables”, for the start of a sentence."""
    if len(tables) > MOST_NAMED:
        return ngettext("%(count)d table", "%(count)d tables", len(tables)) % {"count": len(tables)}
    words = ngettext("Table %(numbers)s", "Tables %(numbers)s", len(tables))
    return words % {"numbers": names(map(str, tables))}


def _reseat_button(now: Sequence[TableNow]) -> str:
    free = len(_not_started(now))
    return ngettext("Correct and re-seat %(count)d table", "Correct and re-seat %(count)d tables", free) % {
        "count": free
    }


def _undo_sentence(played: Round, now: Sequence[TableNow], *, to_cut: bool) -> str:
    hands = sum(progress.played for progress in now)
    sentence = _("Round %(number)d becomes a draft and is drawn again.")
    if to_cut:
        sentence = _("Round %(number)d is undone. You check the cut again before it is drawn.")
    sentence %= {"number": played.number}
    if not hands:
        return sentence
    voided = ngettext(
        "Its %(count)d hand is voided and stays in the log.",
        "Its %(count)d hands are voided and stay in the log.",
        hands,
    )
    return f"{sentence} {voided % {'count': hands}}"


def _who_sits_elsewhere(
    tournament: Tournament, played: Round, ledger: RaceLedger | ProgressionLedger, diff: Diff, now: Sequence[TableNow]
) -> Diff:
    """Compare the published seats of a round with those of a new draw."""
    state = _state_before(ledger, played)
    entries = dict(tournament.entries.values_list("public_id", entry_name()))
    if state.winner is not None:
        return replace(diff, not_played=entries[state.winner])
    race = state if isinstance(state, State) else None
    second_ladder, waiting = _second_ladder(state), _waiting(state)
    plays = tuple(entry for entry in (*state.still_in, *second_ladder) if entry not in waiting)
    wanted = Draw(
        plays, past_rounds(played.stage, before=played.number), draw_seed(played.stage),
        *wishes(tournament), race, seeded=race is None, second_ladder=second_ladder, seeds=seeds_in(played.stage),
        pairs=() if isinstance(state, State) else state.pairs,
    )  # fmt: skip
    try:
        drawn = played.stage.plays.draw(wanted, played.stage.values)
    except NotPossible:
        return diff  # a fixed table was set since, which this draw couldn't meet
    would = {entry: number for number, seated in enumerate(drawn, start=1) for entry in seated}
    seats = Seat.objects.filter(round=played).select_related("entry", "table")
    sat = {seat.entry.public_id: seat.table.number if seat.table else None for seat in seats}
    hands = {progress.table.number: progress.played for progress in now}
    moved = [
        Elsewhere(entries[entry], sat.get(entry), would.get(entry), _why_elsewhere(entry, sat, would, hands, state))
        for entry in sat | would
        if sat.get(entry) != would.get(entry)
    ]
    moved.sort(key=lambda person: (person.was is not None, person.will is None, person.will or 0, person.player))
    return replace(diff, elsewhere=tuple(moved), alike=not moved)


def _why_elsewhere(
    entry: str,
    sat: dict[str, int | None],
    would: dict[str, int],
    hands: dict[int, int],
    state: State | progression.State,
) -> str:
    number = sat.get(entry)
    if number is None:
        return _("Had a bye") if entry in sat else _("Had no seat: eliminated")
    played = hands.get(number, 0)
    words = {"table": number, "count": played}
    line = state.lines.get(entry)
    if entry not in would and line is not None and line.status in (OUT, DROPPED):
        return _("Would have been eliminated")
    if not played:
        return _("Table %(table)d has not started") % words
    message = ngettext(
        "Table %(table)d has played %(count)d hand", "Table %(table)d has played %(count)d hands", played
    )
    return message % words
