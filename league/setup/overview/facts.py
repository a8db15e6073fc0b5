"""Read the facts that the page *Now* depends on, once for all its parts."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.entries.sign_up import Line as SignUpLine
from league.entries.sign_up import line_of
from league.formats.knockout import TWO
from league.ledger.field import draws_another
from league.ledger.in_words import rounds_in_all
from league.lib.translate import round_title, translate
from league.models import Round, Seat, Stage, Tournament
from league.rounds.draw import clubmates
from league.rounds.extra_hand import level_at_the_cut, tied_in_a_final
from league.rounds.steps import NextStep, next_step
from league.rounds.time_left import RoundClock, clock_of, usual_minutes
from league.setup.overview.card import Group
from league.setup.overview.next_step_card import StepFacts
from league.setup.overview.race_now import RaceNow, race_now
from league.setup.stages.cut_page import CutPage
from league.standings import read as ledger
from league.standings.progression_in_words import cut_in_words
from league.standings.ranking import Standing
from league.standings.table_lines import TableLine, lines_of, with_reporters


@dataclass(frozen=True)
class NowFacts:
    """The state of a tournament.

    Three rounds can differ: `latest` was published last, even if it is closed; `step.round` is the one that the next
    step closes or publishes; `scored` is the number of the last round with results, or 0.

    round_title, step_title: “Round 3 of 7”, of `latest` and of `step.round`, or empty.
    stage: the one with visible standings. lines: tables of the latest round. byes: names with page URLs.
    usual_minutes: suggested clock time, for viewers who may correct hands.
    names_at: base address of the players' pages.
    """

    tournament: Tournament
    stage: Stage
    step: NextStep
    latest: Round | None = None
    scored: int = 0
    player_count: int = 0
    round_title: str = ""
    step_title: str = ""
    lines: Sequence[TableLine] = ()
    byes: Sequence[tuple[str, str]] = ()
    race: RaceNow | None = None
    standings: Sequence[Standing] = ()
    clock: RoundClock | None = None
    usual_minutes: int = 0
    sign_up: SignUpLine | None = None
    names_at: str = ""


def read_facts(tournament: Tournament, book: ledger.Ledger, *, corrects: bool, names_at: str = "") -> NowFacts:
    """corrects: whether the viewer may correct hands, and so sees reporters and disputes."""
    latest = tournament.rounds.shown().select_related("stage").order_by("-number").first()
    lines = lines_of(latest, book) if latest else []
    is_off = tournament.is_called_off
    step = NextStep("off") if is_off else next_step(tournament)
    in_all = rounds_in_all(book.stage, book.planned)
    byes = Seat.objects.filter(round=latest, table=None).select_related("entry__player") if latest else ()
    return NowFacts(
        tournament=tournament,
        stage=book.stage,
        step=step,
        latest=latest,
        scored=book.last_round or 0,
        player_count=len(book.entrants),
        round_title=round_title(latest.number, in_all) if latest else "",
        step_title=round_title(step.round.number, in_all) if step.round else "",
        lines=with_reporters(latest, lines) if latest and corrects else lines,
        byes=[(seat.entry.name, f"{names_at}{seat.entry.public_id}/") for seat in byes],
        race=race_now(book, latest, lines),
        standings=book.standings(book.last_round) if book.last_round else (),
        clock=None if is_off else clock_of(latest),
        usual_minutes=usual_minutes(tournament, book.stage) if corrects else 0,
        sign_up=line_of(tournament),
        names_at=names_at,
    )


def step_facts(facts: NowFacts, book: ledger.Ledger, cut: CutPage | None) -> StepFacts:
    """Read the further facts that the words of the next step need."""
    tournament, step, latest = facts.tournament, facts.step, facts.latest
    return StepFacts(
        tournament=tournament,
        stage=facts.stage,
        player_count=facts.player_count,
        possible=translate(facts.stage.plays.describe_possible()),
        latest=latest,
        another=latest.number + 1 if latest and draws_another(tournament, facts.stage) else None,
        next_stage=tournament.stage_and_next[1],
        has_second_final=_may_have_a_second_final(book, step),
        race=facts.race,
        cut=cut,
        cut_words=_cut_in_words(book, step),
        level=_level(book, step),
        tied_first=_tied(book, step, first=True),
        tied_others=_tied(book, step, first=False),
        standings=facts.standings,
    )


def _cut_in_words(book: ledger.Ledger, step: NextStep) -> list[str]:
    """Return who advances to the round that is published next, or how the first round of a bracket was drawn."""
    if book.progression is None:
        return []
    is_first = step.kind == "publish" and not book.progression.rounds
    if is_first and book.stage.plays.in_tree and clubmates(book.tournament):
        return [_("Players of the same club meet as late as possible.")]
    return cut_in_words(book.progression.state, book.names)


def _level(book: ledger.Ledger, step: NextStep) -> list[Group]:
    """Return players who can play an extra hand instead of a random tie-break: by table, then across tables."""
    if book.progression is None or step.kind != "publish":
        return []
    state = book.progression.state
    tables: dict[int, list[tuple[str, str]]] = {}
    for entry in level_at_the_cut(book.stage, state):
        tables.setdefault(state.lines[entry].table or 0, []).append((entry, book.names[entry]))
    level: list[Group] = [
        (_("Table %(number)d") % {"number": table}, here) for table, here in sorted(tables.items()) if len(here) > 1
    ]
    others = [player for _table, here in sorted(tables.items()) if len(here) == 1 for player in here]
    return [*level, *([(_("Next-best players"), others)] if others else [])]


def _tied(book: ledger.Ledger, step: NextStep, *, first: bool) -> list[Group]:
    """Return the places that finalists share, each with its players: first place, or all others."""
    if book.progression is None or step.kind == "done":
        return []
    state = book.progression.state
    tied: list[Group] = []
    for players in tied_in_a_final(book.stage, state):
        rank = state.lines[players[0]].rank
        if (rank == 1) == first:
            title = _("Places %(first)d to %(last)d") % {"first": rank, "last": rank + len(players) - 1}
            tied.append((title, [(entry, book.names[entry]) for entry in players]))
    return tied


def _may_have_a_second_final(book: ledger.Ledger, step: NextStep) -> bool:
    """Return whether the current round is a final after which a second one may follow."""
    if book.progression is None or step.round is None or book.stage.values.get("losses") != TWO:
        return False
    state = book.progression.state
    return state.final == step.round.number and len(state.lost) == 1
