"""Serve the race of a Challenge UNO: a lane for each player, hand by hand, from the first hand to the winner."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import Access, entries_held
from league.access.session_links import visitor_of
from league.format_pages import lanes as picture
from league.formats.race import HEAD_TO_HEAD, State
from league.lib.search import MOST_FOUND, matches
from league.pages.query import number_in_query
from league.pages.tournament_page import render_page, summary
from league.standings import read as ledger
from league.standings.race_in_words import IN_DANGER, is_in_danger, left_in_words, to_spare
from league.standings.ranking import Standing

MOST_WIDE_LANES = 10  # with more players lanes are lower
MOST_LANES = 24  # with more players, show only some lanes unless all are requested
FIRST = 10
NAMED = 4  # names in the line of players eliminated in a round


@dataclass(frozen=True)
class Runner:
    """A lane and its labels. `exit_words`: when the player left; empty for active players."""

    line: Standing
    lane: picture.Lane
    exit_words: str
    spare: str
    in_danger: bool
    mine: bool

    @property
    def id(self) -> str:
        return self.line.entrant.id

    @property
    def name(self) -> str:
        return self.line.entrant.name

    @property
    def is_in(self) -> bool:
        return self.line.out_in_round is None

    @property
    def is_out(self) -> bool:
        return not self.is_in

    def hands(self, rounds: Sequence[int]) -> list[str]:
        """Return the penalty points of each round, hand by hand."""
        caught: dict[int, list[str]] = defaultdict(list)
        for block in self.lane.blocks:
            if not block.is_adjustment:
                caught[block.round].append(str(block.points))
        return [" + ".join(caught[number]) for number in rounds]


def race(request: HttpRequest, access: Access, book: ledger.Ledger, version: int) -> HttpResponse:
    if book.race is None:
        raise Http404
    state, target = book.race.state, book.race.settings.target
    own = {entry.public_id for entry in entries_held(visitor_of(request), access.tournament)}
    runners = _runners(book, state, target, own)
    round_now = book.rounds[-1].number if book.rounds else 0
    heads = _heads(runners, state)
    behind = [runner for runner in runners if runner not in heads]
    context: dict[str, Any] = {
        "live_version": version,
        "target": target,
        "wide": picture.WIDE,
        "high": picture.HIGH,
        "scale": [target * 2 // 5, -(-target * IN_DANGER // 100)],
        "begun": bool(state.race),
        "round_now": round_now,
        "heads": heads,
        "heads_title": _heads_title(heads, state, round_now),
        "still_in": [runner for runner in behind if runner.is_in],
        "out": [runner for runner in behind if not runner.is_in],
        "in_danger": sum(runner.in_danger for runner in runners),
        "has_adjustments": any(block.is_adjustment for runner in runners for block in runner.lane.blocks),
        "hands_played": len({(step.round, step.table, step.hand) for step in state.race}),
        "many": len(runners) > MOST_WIDE_LANES,
        "count_in": len(state.still_in),
        "count_out": len(runners) - len(state.still_in),
        "summary": summary(access, book.stage, book.players, book.planned),
    }
    context |= _parts(request, runners, state, target, round_now) if len(runners) > MOST_LANES else {}
    listed = context.get("shown", runners)
    rounds = sorted({step.round for step in state.race})
    context["rounds"] = rounds
    context["rows"] = [(runner, runner.hands(rounds)) for runner in listed]
    title = _("Race to %(target)d") % {"target": target}
    return render_page(request, access, "league/format_pages/challenge.html", page="race", title=title, **context)


def _runners(book: ledger.Ledger, state: State, target: int, own: Iterable[str]) -> list[Runner]:
    lanes = picture.lanes(state, target)
    runners = []
    for line in book.standings():
        if line.stage:
            continue  # did not advance to this stage
        spare = to_spare(line, target)
        is_in = line.out_in_round is None
        runners.append(
            Runner(
                line=line,
                lane=lanes[line.entrant.id],
                exit_words=left_in_words(line, with_table=True),
                spare=ngettext("%(count)d point to spare", "%(count)d points to spare", spare) % {"count": spare},
                in_danger=is_in and state.winner is None and is_in_danger(line.total, target),
                mine=line.entrant.id in own,
            )
        )
    return runners


def _heads(runners: Sequence[Runner], state: State) -> list[Runner]:
    """Return the two of the head to head, also once decided; the winner alone if the race ended differently."""
    if not state.race or len(state.still_in) > HEAD_TO_HEAD:
        return []
    heads = [runner for runner in runners if runner.line.rank is not None and runner.line.rank <= HEAD_TO_HEAD]
    return heads if len(heads) == HEAD_TO_HEAD else [runner for runner in runners if runner.is_in]


def _heads_title(heads: Sequence[Runner], state: State, round_now: int) -> str:
    if state.winner is not None:
        winner = next((runner.name for runner in heads if runner.is_in), "")
        return _("%(name)s has won") % {"name": winner}
    of_round = [step for step in state.race if step.round == round_now]
    if any(step.entry not in state.still_in for step in of_round):
        return _("Head to head")  # in the next round
    return _("Head to head, hand %(number)d") % {"number": max((step.hand for step in of_round), default=0) + 1}


def _parts(
    request: HttpRequest, runners: Sequence[Runner], state: State, target: int, round_now: int
) -> dict[str, Any]:
    """Return the parts of a large event's page: the whole field, and lanes of leaders, a player's neighbours, or a
    round.
    """
    if request.GET.get("all") == "1":
        return {"all": True}
    query = request.GET.get("q", "").strip()[:80]
    hits = [runner for runner in runners if (matches(query, runner.name) if query else runner.mine)]
    open_round = number_in_query(request, "out")
    around = _neighbours(runners, hits[:MOST_FOUND])
    first = [runner for runner in runners if runner.is_in][:FIRST]
    gone: dict[int, list[Runner]] = defaultdict(list)
    for runner in runners:
        if runner.line.out_in_round is not None:
            gone[runner.line.out_in_round].append(runner)
    opened = gone.get(open_round, []) if open_round is not None else []
    shown_ids = {runner.id for runner in (*first, *around, *opened)}
    return {
        "field": picture.field(state, target, round_now, [runner.id for runner in hits]),
        "tall": picture.TALL,
        "levels": [target * fifth // 5 for fifth in range(5, -1, -1)],
        "query": query,
        "found": hits[:MOST_FOUND],
        "found_count": len(hits),
        "around": around,
        "first": first,
        "gone": [
            (number, of_round, [runner.name for runner in of_round[:NAMED]], len(of_round) - NAMED)
            for number, of_round in sorted(gone.items(), reverse=True)
        ],
        "open_round": open_round if opened else None,
        "opened": opened,
        "shown": [runner for runner in runners if runner.id in shown_ids],
    }


def _neighbours(runners: Sequence[Runner], hits: Sequence[Runner]) -> list[Runner]:
    """Return a single hit with its neighbours, or several hits alone."""
    if len(hits) != 1:
        return list(hits)
    at = runners.index(hits[0])
    return list(runners[max(0, at - 1) : at + 2])
