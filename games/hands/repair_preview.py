"""What a correction moves where results decide who plays on, with each repair that applies, before it is saved."""

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

MOST_NAMED = 6  # tables; of more than these only the number is told


@dataclass(frozen=True)
class Elsewhere:
    """A player who would have had another table of the open round; None is no seat. `why` is what prevents it."""

    player: str
    was: int | None
    will: int | None
    why: str


@dataclass(frozen=True)
class Choice:
    """A repair with what it moves. `sentence` says what becomes of whom, `button` names it. `tells`: whether the moves
    say more than that; when a round is undone in which all began at 0, everybody has other points."""

    repair: str
    name: str
    sentence: str
    button: str
    moves: Moves
    tells: bool = True


@dataclass(frozen=True)
class Diff:
    """What a correction moves. The first choice keeps the seats, the others are there if they apply.

    `round` is the open round after the hand's own, `elsewhere` who would have sat at another table in it, `not_played`
    who had won before it; `alike`: nobody would have. `cannot` says why a repair is not among the choices. `back` are
    in again, `out` are out with it. `goes_on`: who would have gone on from the round or to the next stage, where others
    did. `same`: the hand was like this already.
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
        """Whether nobody comes in or goes out."""
        return all(move.was and move.will and move.was.status == move.will.status for move in self.keeps.moves.moved)


@dataclass(frozen=True)
class Cut:
    """Who would go on from the stage by its results, final by final, and who would play the second ladder. stage: the
    one after it."""

    stage: Stage
    finals: tuple[frozenset[str], ...]
    beside: frozenset[str]

    @property
    def goes_on(self) -> frozenset[str]:
        return frozenset().union(*self.finals)


Results = RaceLedger | ProgressionLedger | Cut


def is_shown_first(hand_table: Table, diff: Diff) -> bool:
    """Whether an organiser sees the diff before it is saved: in an open round only if somebody comes in or goes out."""
    return not diff.same and not (hand_table.round.is_open and diff.only_points)


def diff_of(tournament: Tournament, table: Table, correction: Correction | SeatCorrection) -> Diff:
    """The diff of a correction where results decide who plays on. Changes nothing; raises the correction's refusal."""
    tried = _try_repairs(tournament, table, correction)
    return Diff(same=True) if tried is None else _in_words(tournament, tried)


@dataclass(frozen=True)
class _Tried:
    """What each repair moves, or why it cannot be done; `before` and `after` are the race, or who plays on, as it is
    and as it would be.

    of_round: that of the hand. turns: whether others would have been seated in the open round. level: a duel that no
    hand parts any more.
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
    """Do and take back each repair that applies; None if the correction changes nothing."""
    found: list[tuple[Hand, Results, bool]] = []

    def keep() -> None:
        hand = correction.save()
        played = hand.table.round  # not the caller's: its rules may be others by now
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
    """Do what was shown. Raises `Conflict("changed")` if that would be something else by now."""
    return do_as_shown(tournament, digest, lambda: correction.save(repair))


def _results_of(played: Round) -> Results:
    """With all that this transaction has written."""
    if (stage := made_after(played.stage)) is not None:
        now = cut_now(played.tournament, stage)
        finals = tuple(frozenset(one.entry for one in final) for final in now.finals)
        return Cut(stage, finals, frozenset(one.entry for one in now.beside))
    return race_of(played) or read_progression(played.tournament, played.stage)


def _field_of(ledger: Results, played: Round) -> tuple[frozenset[str], ...]:
    """Who was to be seated in a round: those who were in after the round before it, who of them sits out a repechage,
    and who plays beside them."""
    if isinstance(ledger, Cut):
        return *ledger.finals, ledger.beside
    state = _state_before(ledger, played)
    return frozenset(state.still_in), frozenset(_waiting(state)), frozenset(_beside(state))


def _state_before(ledger: RaceLedger | ProgressionLedger, played: Round) -> State | progression.State:
    """As its results say that it was when a round was drawn."""
    if isinstance(ledger, RaceLedger):
        return ledger.state_at(played.number - 1)
    return ledger.state_at(played.number - 1, by_results=True)


def _beside(state: State | progression.State) -> tuple[str, ...]:
    return () if isinstance(state, State) else state.second_ladder


def _waiting(state: State | progression.State) -> tuple[str, ...]:
    return () if isinstance(state, State) else state.waiting


def _people(tournament: Tournament, played: Round | None) -> dict[str, int | None]:
    """{name: number of the table, or None} of everybody with a seat in a round."""
    seats = Seat.objects.filter(round=played).select_related("entry__player", "table") if played else ()
    return {seat.entry.name: seat.table.number if seat.table else None for seat in seats}


def _in_words(tournament: Tournament, tried: _Tried) -> Diff:
    """Drawn and told after all was let go: others may go on recording."""
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
    """Who would have gone on by the results as they would be, and who would not, or to which final; empty where it is
    the same people. Who has left since is not compared. before: by the results as they are."""
    members = members_in(cut.stage)
    went_on = {entry for entry, member in members.items() if member.ladder != SECOND}
    called = dict(tournament.entries.values_list("public_id", entry_name()))
    said = []
    if words := _others(tournament, went_on, cut.goes_on):
        said.append(_("By these results %(would)s would have gone on, and not %(would_not)s.") % words)
    for number, (was, will) in enumerate(zip(before.finals, cut.finals, strict=True), 1):
        came = sorted(called[entry] for entry in (will - was) & before.goes_on)
        if came and cut.stage.by_place:
            words = {"names": names(came), "final": group_title(number, by_place=True)}
            said.append(_("By these results %(names)s would have been in “%(final)s”.") % words)
    return " ".join(said)


def _round_in_words(tournament: Tournament, tried: _Tried, before: ProgressionLedger, after: ProgressionLedger) -> str:
    """Who would have gone on from a round of which the next one is seated, or sat that out, a repechage."""
    number = tried.of_round.number
    if not any(played.number == number + 1 for played in after.rounds):
        return ""
    went, would = before.state_at(number), after.state_at(number, by_results=True)
    words = _others(tournament, went.still_in, would.still_in)
    said = [_("By these results %(would)s would have gone on, and not %(would_not)s.") % words] if words else []
    if not said and (words := _others(tournament, went.waiting, would.waiting)):
        words |= {"number": number + 1}
        said = [_("By these results %(would)s would have sat out round %(number)d, and not %(would_not)s.") % words]
    if said and (tried.round is None or tried.round.number > number + 1):
        said.append(_("Round %(number)d stands as it was played.") % {"number": number + 1})
    return " ".join(said)


def _others(tournament: Tournament, did: Collection[str], would: Collection[str]) -> dict[str, Any]:
    """The names of those who would have and of those who would not; empty where it is the same people. Who has left
    since is not compared."""
    left = set(tournament.entries.filter(status=Entry.Status.DROPPED).values_list("public_id", flat=True))
    called = dict(tournament.entries.values_list("public_id", entry_name()))
    more = sorted(called[entry] for entry in set(would) - set(did) - left)
    less = sorted(called[entry] for entry in set(did) - set(would) - left)
    return {"would": names(more), "would_not": names(less)} if more and less else {}


def _keep_choice(diff: Diff, moves: Moves, seated: Collection[str], *, level: bool) -> Choice:
    sentences = []
    if level:
        sentences.append(_("The two are then level and no hand follows: hands won decide, then the lot."))
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
        message = ngettext("%(names)s is dealt in no more.", "%(names)s are dealt in no more.", len(diff.out))
        sentences.append(message % {"names": names(diff.out)})
    first = _("Nobody moves.")
    if moves.reseated:
        first = _("Round %(number)d, which nobody has seen yet, is drawn again.")
        if all(seat.will is None for seat in moves.reseated):
            first = _("Round %(number)d, which nobody has seen yet, is not needed any more.")
        first %= {"number": moves.reseated[0].round}
    sentence = " ".join([first, *sentences])
    return Choice(KEEP, _("Correct and keep the seating"), sentence, _("Correct and keep the seating"), moves)


def _other_choices(
    played: Round, diff: Diff, now: Sequence[TableNow], moves: Mapping[str, Moves], *, to_cut: bool
) -> list[Choice]:
    """The repairs beside keeping that apply: those with moves. to_cut: the round to undo is the first after a cut."""
    undo = _("Correct and undo round %(number)d") % {"number": played.number}
    ways = (
        (RESEAT, _("Re-seat tables not started"), _reseat_sentence(now, diff), _reseat_button(now)),
        (UNDO, _("Undo the round"), _undo_sentence(played, now, to_cut=to_cut), undo),
    )
    begins_anew = played.stage.plays.advances or to_cut
    return [Choice(*way, moves[way[0]], way[0] != UNDO or not begins_anew) for way in ways if way[0] in moves]


def _not_started(now: Sequence[TableNow]) -> list[int]:
    """The numbers of these tables; a table that was closed before its first hand stays closed."""
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
    """“Table 2”, “Tables 2 and 3”, “25 tables”: for the beginning of a sentence."""
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
    sentence = _("Round %(number)d goes back to a draft, drawn anew.")
    if to_cut:
        sentence = _("Round %(number)d is taken back, and you look again at who goes on before it is drawn.")
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
    """Compare the seats of a round as published with those that would have been drawn for it."""
    state = _state_before(ledger, played)
    entries = dict(tournament.entries.values_list("public_id", entry_name()))
    if state.winner is not None:
        return replace(diff, not_played=entries[state.winner])
    race = state if isinstance(state, State) else None
    beside, waiting = _beside(state), _waiting(state)
    plays = tuple(entry for entry in (*state.still_in, *beside) if entry not in waiting)
    wanted = Draw(
        plays, past_rounds(played.stage, before=played.number), draw_seed(played.stage),
        *wishes(tournament), race, seeded=race is None, second_ladder=beside, seeds=seeds_in(played.stage),
        pairs=() if isinstance(state, State) else state.pairs,
    )  # fmt: skip
    try:
        drawn = played.stage.plays.draw(wanted, played.stage.values)
    except NotPossible:
        return diff  # somebody got a fixed table since then, which could not have been met
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
        return _("Had a free round") if entry in sat else _("Was eliminated, so had no seat")
    played = hands.get(number, 0)
    words = {"table": number, "count": played}
    line = state.lines.get(entry)
    if entry not in would and line is not None and line.status in (OUT, DROPPED):
        return _("Would have been eliminated, so without a seat")
    if not played:
        return _("Table %(table)d has not started") % words
    message = ngettext(
        "Table %(table)d has played %(count)d hand", "Table %(table)d has played %(count)d hands", played
    )
    return message % words
