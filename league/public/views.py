"""The rounds side by side, as a page and as a file; and whether the seating treats everybody alike."""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

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
from league.pages.asked import asked_number, current_round
from league.pages.kept import kept
from league.pages.tournament_page import render_page
from league.public import tables as exports
from league.public.bracket_rows import columns_of
from league.public.crosstables import Crosstable, crosstables_of
from league.public.fairness_page import FairnessFacts, fairness_page
from league.public.pictures import bracket as picture
from league.public.pictures import bracket_svg
from league.public.pictures.bracket import Column, Person, Picture
from league.public.pictures.ladder_picture import Ladder, ladders_of
from league.public.tables import Wanted
from league.standings import read as ledger
from league.standings.read import Ledger
from league.standings.result_in_words import progress_in_words
from league.standings.text import text_of

COLUMNS = 12  # rounds that the bracket shows at a time


@dataclass(frozen=True)
class _Shown:
    """What is asked for: some of the rounds, as pictures, and whose way is lit."""

    book: Ledger
    windows: Sequence[Sequence[int]]
    window: Sequence[int]
    current: Round | None
    rounds: Sequence[Round]
    players: Sequence[Entry]
    way_of: Entry | None
    columns: Sequence[Column]
    crosstables: Sequence[Crosstable]

    @property
    def ladders(self) -> list[Ladder]:
        return ladders_of(self.columns, self.way_of.public_id if self.way_of else None)

    @property
    def followed(self) -> list[Column]:
        return [column for column in self.columns if column.ladder is None]

    @property
    def picture(self) -> Picture | None:
        """Of the rounds in which everybody is followed."""
        way_of = self.way_of.public_id if self.way_of else None
        return picture.draw(self.followed, way_of) if self.followed else None

    @property
    def query(self) -> str:
        """What the address of the same picture as a file asks for."""
        asked = {
            "from": self.window[0] if len(self.windows) > 1 else None,
            "player": self.way_of.public_id if self.way_of else None,
        }
        return urlencode({name: value for name, value in asked.items() if value})


def _shown(request: HttpRequest, access: Access) -> _Shown:
    rounds = list(access.rounds().select_related("stage").order_by("number"))
    windows = _windows(rounds)
    current = current_round(rounds)
    from_round = asked_number(request, "from") or (current.number if current else 0)
    window = next((window for window in reversed(windows) if window[0] <= from_round), windows[0] if windows else [])
    drawn_rounds = [round_ for round_ in rounds if round_.number in window]
    players = list(access.tournament.entries.select_related("player").order_by("number", "id"))
    asked = request.GET.get("player")
    if asked is None and request.user.is_authenticated:  # for everybody else the page is the same, and kept
        asked = next((entry.public_id for entry in entries_held(request.user, access.tournament)), None)
    book = ledger.read(access.tournament)
    rows = exports.seating_rows(access.tournament, Wanted(everything=access.sees_drafts))
    ahead = {round_.stage: None for round_ in drawn_rounds if round_.stage.drawn_ahead}
    books = [book if stage == book.stage else ledger.read(access.tournament, stage=stage) for stage in ahead]
    return _Shown(
        book,
        windows,
        window,
        current,
        rounds,
        players,
        next((entry for entry in players if entry.public_id == asked), None),
        columns_of(drawn_rounds, rows, book),
        [table for of_stage in books for table in crosstables_of(of_stage)],
    )


def _way_to_come(book: Ledger) -> list[str]:
    """Before anything is published: the rounds for those who are there, where each has other tables."""
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


@require_safe
@kept("from")
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Rounds as columns of tables; a long tournament is shown some rounds at a time."""
    access = tournament_for(visitor_of(request), slug)
    version = live.version_of(access.tournament)
    shown = _shown(request, access)
    book, current, drawn = shown.book, shown.current, shown.picture
    placed = drawn.columns if drawn else ()
    return render_page(
        request,
        access,
        "league/public/bracket.html",
        page="bracket",
        title=_("Round by round"),
        live_version=version,
        way_to_come=[] if shown.columns else _way_to_come(book),
        windows=[{"start": window[0], "last": window[-1]} for window in shown.windows],
        start=shown.window[0] if shown.window else None,
        # Each column has the people who sit again in it, with the round in which they sat last.
        columns=[(column, _again_in(column, shown.followed)) for column in shown.columns],
        picture=drawn,
        ladders=shown.ladders,
        crosstables=shown.crosstables,
        cuts=[column for column in shown.columns if column.cut],
        current=current,
        newest=next((one.end for one in placed if current and one.column.number == current.number), None),
        printable=any(round_.state != Round.State.DRAFT for round_ in shown.rounds),
        box=picture.BOX,
        players=shown.players,
        way_of=shown.way_of,
        way_said=_way_said(shown),
        query=shown.query,
        target=text_of(book).target,
        partners=book.stage.plays.changes_partners,
    )


@require_safe
@kept("from")
def bracket_svg_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of the page as a file that needs nothing else."""
    access = tournament_for(visitor_of(request), slug)
    shown = _shown(request, access)
    drawing = bracket_svg.drawing_of(access.tournament.name, shown.ladders, shown.picture)
    answer = render(request, "league/public/bracket.svg", {"drawing": drawing}, content_type="image/svg+xml")
    answer["Content-Disposition"] = f'inline; filename="{slug}_bracket.svg"'
    return answer


def _again_in(column: Column, followed: Sequence[Column]) -> list[tuple[Person, int]]:
    """Who sits again in a round after others without a seat, with the round in which they sat last."""
    return [
        (absence.person, followed[absence.before].number)
        for absence in picture.find_missed(followed)
        if followed[absence.after] is column
    ]


def _way_said(shown: _Shown) -> str:
    """Where the one stands whose way is lit."""
    if shown.way_of is None:
        return ""
    lines = (line for line in shown.book.standings() if line.entrant.id == shown.way_of.public_id)
    return next((progress_in_words(line, shown.book.names) for line in lines), "")


def _windows(rounds: Sequence[Round]) -> list[Sequence[int]]:
    """The rounds in runs of about the same length, none longer than a picture has room for. A tree is never cut, since
    its matches stand where those before them lead."""
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
@kept("group")
def fairness(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(visitor_of(request), slug)
    shown = fairness_page(read_facts(access.tournament, asked_number(request, "group") or 1))
    template = "league/public/fairness.html"
    return render_page(request, access, template, page="fairness", title=_("Fairness"), fairness=shown)


def read_facts(tournament: Tournament, group: int) -> FairnessFacts:
    """group: which one is shown, where the stage has groups: each is as even as it is by itself."""
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
    """How many of the recorded hands each player dealt."""
    rows = HandScore.objects.living().filter(table__round__tournament=tournament)
    hands: dict[int, dict[int, dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
    for table, hand, seat, player in rows.values_list("table_id", "hand", "seat", "entry__public_id"):
        hands[table][hand][seat] = player
    dealt: Counter[str] = Counter()
    first = first_seats(Table.objects.filter(pk__in=hands).select_related("round__stage"))
    for table, of_table in hands.items():
        if table not in first:  # nobody said who deals first
            continue
        in_order = [seats for _hand, seats in sorted(of_table.items())]
        dealt.update(seats[dealer] for dealer, seats in zip(dealers(in_order, first[table]), in_order, strict=True))
    return dealt
