"""Serve the bracket as a page and as a file, and the fairness page."""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.access import Access, entries_held, tournament_for
from league.access.session_links import visitor_of
from league.formats.seating.dealer import dealers
from league.ledger.dealer import first_seats
from league.ledger.entered import members_in
from league.lib.translate import translate
from league.live import stream as live
from league.models import Entry, HandScore, Round, Table, Tournament
from league.pages.cached_page import cached_page
from league.pages.query import current_round, number_in_query
from league.pages.tournament_page import render_page
from league.public import tables as exports
from league.public.bracket_page import BracketFacts, bracket_page
from league.public.bracket_rows import columns_of
from league.public.crosstables import Crosstable, crosstables_of
from league.public.fairness_page import FairnessFacts, fairness_page
from league.public.pictures import bracket_svg
from league.public.pictures.bracket import Person
from league.public.tables import Wanted
from league.standings import read as ledger
from league.standings.read import Ledger
from league.standings.result_in_words import progress_in_words
from league.standings.text import text_of

COLUMNS = 12  # most rounds in one view of the bracket


@require_safe
@cached_page("from")
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Show rounds as columns of tables; a long tournament is split into parts."""
    access = tournament_for(visitor_of(request), slug)
    version = live.version_of(access.tournament)
    shown = bracket_page(_read_bracket(request, access))
    template, title = "league/public/bracket.html", _("Round by round")
    return render_page(request, access, template, page="bracket", title=title, live_version=version, bracket=shown)


@require_safe
@cached_page("from")
def bracket_svg_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the picture as a standalone file."""
    access = tournament_for(visitor_of(request), slug)
    facts = _read_bracket(request, access)
    drawing = bracket_svg.drawing_of(access.tournament.name, facts.ladders, facts.picture)
    answer = render(request, "league/public/bracket.svg", {"drawing": drawing}, content_type="image/svg+xml")
    answer["Content-Disposition"] = f'inline; filename="{slug}_bracket.svg"'
    return answer


def _read_bracket(request: HttpRequest, access: Access) -> BracketFacts:
    """Read the selected rounds and the highlighted player."""
    rounds = list(access.rounds().select_related("stage").order_by("number"))
    windows, current = _windows(rounds), current_round(rounds)
    from_round = number_in_query(request, "from") or (current.number if current else 0)
    window = next((window for window in reversed(windows) if window[0] <= from_round), windows[0] if windows else [])
    drawn = [round_ for round_ in rounds if round_.number in window]
    entries = access.tournament.entries.select_related("player").order_by("number", "id")
    players = [Person(entry.public_id, entry.name) for entry in entries]
    way_of = next((person for person in players if person.id == _asked_player(request, access)), None)
    book = ledger.read(access.tournament)
    columns = columns_of(drawn, exports.seating_rows(access.tournament, Wanted(everything=access.sees_drafts)), book)
    return BracketFacts(
        slug=access.tournament.slug,
        columns=columns,
        windows=windows,
        window=window,
        current=current.number if current else None,
        players=players,
        way_of=way_of,
        way_text=_way_text(book, way_of),
        to_come=() if columns else _way_to_come(book),
        printable=any(round_.state != Round.State.DRAFT for round_ in rounds),
        target=text_of(book).target,
        changes_partners=book.stage.plays.changes_partners,
        crosstables=_crosstables(book, drawn),
    )


def _asked_player(request: HttpRequest, access: Access) -> str | None:
    """Return the highlighted player: the selected one, else the account's own. Other visitors share one cached page."""
    selected = request.GET.get("player")
    if selected is None and request.user.is_authenticated:
        return next((entry.public_id for entry in entries_held(request.user, access.tournament)), None)
    return selected


def _crosstables(book: Ledger, drawn: Sequence[Round]) -> list[Crosstable]:
    """Return the crosstables of the stages of these rounds. book: ledger of the current stage."""
    stages = dict.fromkeys(round_.stage for round_ in drawn if round_.stage.drawn_ahead)
    books = [book if stage == book.stage else ledger.read(book.tournament, stage=stage) for stage in stages]
    return [table for of_stage in books for table in crosstables_of(of_stage)]


def _way_text(book: Ledger, way_of: Person | None) -> str:
    """Return the progress of the highlighted player."""
    if way_of is None:
        return ""
    lines = (line for line in book.standings() if line.entrant.id == way_of.id)
    return next((progress_in_words(line, book.names) for line in lines), "")


def _way_to_come(book: Ledger) -> list[str]:
    """Return the planned rounds for the current entries before round 1 is published, if their tables differ."""
    stage, players = book.stage, sum(entrant.status == Entry.Status.ACTIVE for entrant in book.entrants)
    if (
        book.tournament.is_called_off
        or players not in stage.plays.possible()
        or stage.plays.problems(stage.settings, players)
    ):
        return []
    plan = stage.plays.evening(players, stage.values, stage.edition, stage.scoring).plan
    words = _("Round %(number)d: %(tables)s. %(what)s.")
    return [
        words
        % {
            "number": number,
            "tables": ngettext("%(count)d table", "%(count)d tables", len(sizes)) % {"count": len(sizes)},
            "what": translate(after),
        }
        for number, (sizes, after) in enumerate(plan, stage.rounds_before + 1)
    ]


def _windows(rounds: Sequence[Round]) -> list[Sequence[int]]:
    """Split rounds into parts of about equal length that fit the picture. A tree stays whole, because its matches
    align.
    """
    if 0 < len(rounds) <= COLUMNS:
        return [[round_.number for round_ in rounds]]
    windows: list[Sequence[int]] = []
    for in_tree, together in itertools.groupby(rounds, lambda round_: round_.stage.plays.in_tree):
        numbers = [round_.number for round_ in together]
        length = len(numbers) if in_tree else math.ceil(len(numbers) / math.ceil(len(numbers) / COLUMNS))
        windows += [numbers[start : start + length] for start in range(0, len(numbers), length)]
    return windows


# --- fairness


@require_safe
@cached_page("group")
def fairness(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(visitor_of(request), slug)
    shown = fairness_page(read_facts(access.tournament, number_in_query(request, "group") or 1))
    template = "league/public/fairness.html"
    return render_page(request, access, template, page="fairness", title=_("Fairness"), fairness=shown)


def read_facts(tournament: Tournament, group: int) -> FairnessFacts:
    """group: the selected group; each group is measured alone."""
    stage = tournament.stage_shown
    plan = [row for row in exports.seating_rows(tournament, Wanted(everything=True)) if row["stage"] == stage.number]
    seated = {row["player_id"] for row in plan}
    entries = tournament.entries.select_related("player").order_by("number", "id")
    players = [Person(entry.public_id, entry.name) for entry in entries]
    if stage.number > 1 or stage.ended_at is not None:
        players = [person for person in players if person.id in seated]
    if stage.groups > 1 and stage.started_at is not None:
        here = {entry for entry, member in members_in(stage).items() if member.group == group}
        plan = [row for row in plan if row["player_id"] in here]
        players = [person for person in players if person.id in here]
    hands = HandScore.objects.living().filter(table__round__stage=stage)
    sources = Counter(source for *_hand, source in hands.values_list("table_id", "hand", "source").distinct())
    deals = Counter[str]() if stage.has_partners or stage.has_teams else _deals(tournament)
    return FairnessFacts(tournament.slug, stage, players, plan, group, sources, deals)


def _deals(tournament: Tournament) -> Counter[str]:
    """Return how many recorded hands each player dealt."""
    rows = HandScore.objects.living().filter(table__round__tournament=tournament)
    hands: dict[int, dict[int, dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
    for table, hand, seat, player in rows.values_list("table_id", "hand", "seat", "entry__public_id"):
        hands[table][hand][seat] = player
    dealt: Counter[str] = Counter()
    first = first_seats(Table.objects.filter(pk__in=hands).select_related("round__stage"))
    for table, of_table in hands.items():
        if table not in first:  # the first dealer isn't recorded
            continue
        in_order = [seats for _hand, seats in sorted(of_table.items())]
        dealt.update(seats[dealer] for dealer, seats in zip(dealers(in_order, first[table]), in_order, strict=True))
    return dealt
