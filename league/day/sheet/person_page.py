"""The sheet of a player: current seat and rank, and all possible actions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import Access
from league.day import people
from league.day.byes import byes_of
from league.day.sheet import lasting, leaving, paying, playing, remarks
from league.day.sheet.playing import address
from league.day.sheet.values import Draft, Line, QuietLink, Sheet, StepRequest
from league.day.vacancies import fillable
from league.formats.race import OUT
from league.ledger.in_words import rounds_in_all
from league.ledger.race import read_race
from league.lib.translate import figure, names, rank_in_words, round_title, signed_figure
from league.models import Entry, LeaveRequest, Round, Seat, User
from league.standings import read as ledger
from league.standings.ranking import Standing
from league.standings.result_in_words import points_in_words, result_in_words

DRAFTS: Mapping[str, Callable[[Entry, StepRequest], Draft]] = {
    "leave": leaving.leave_draft,
    "late": leaving.late_draft,
    "return": leaving.return_draft,
    "reinstate": leaving.reinstate_draft,
    "lineup": playing.line_up_draft,
    "substitute": playing.substitute_draft,
    "end-substitute": playing.end_substitute_draft,
    "swap": playing.swap_draft,
    "table": lasting.table_draft,
    "apart": lasting.apart_draft,
    "adjust": lasting.adjust_draft,
    "bye": lasting.bye_draft,
    "paid": paying.paid_draft,
    remarks.WARN: remarks.warn_draft,
    remarks.NOTE: remarks.note_draft,
}


@dataclass(frozen=True)
class PersonFacts:
    """Facts that decide the lines of a player's sheet.

    status: active, dropped, or out of a Challenge UNO. is_running: the tournament has begun and is not final.
    can_reinstate: eliminated, but below the target. swap_rounds: numbers of the rounds with a swappable seat. apart:
    names of the players they must not meet. points: of the adjustments that count.
    """

    name: str
    status: str
    is_running: bool = True
    is_final: bool = False
    is_stand_in: bool = False
    has_teams: bool = False
    drawn_ahead: bool = False
    in_tree: bool = False
    has_partners: bool = False
    has_played: bool = False
    may_miss: bool = False
    can_fill: bool = False
    can_reinstate: bool = False
    plays_at: str = ""
    substitutes: tuple[str, ...] = ()
    line_up: tuple[str, ...] = ()
    can_change_line_up: bool = False
    swap_rounds: tuple[int, ...] = ()
    fixed_table: int | None = None
    apart: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    byes: tuple[tuple[int, int], ...] = ()

    @property
    def is_in(self) -> bool:
        return self.status == Entry.Status.ACTIVE and not self.is_stand_in

    @property
    def plays(self) -> bool:
        return self.is_running and self.is_in


def page_of(entry: Entry, access: Access, viewer: User) -> Sheet:
    """Return a player's sheet for a director."""
    facts = read_person(entry)
    book = ledger.read(entry.tournament)
    noted = remarks.remarks_of(entry, access, viewer)
    payment = paying.payment_button(entry)
    line = next((line for line in book.standings() if line.entrant.id == entry.public_id), None)
    return Sheet(
        heading=entry.name,
        where=_where(entry, rounds_in_all(book.stage, book.planned)),
        rank=_rank(line),
        lines=lines_of(facts, address(entry)),
        links=(*noted.links, *_links(entry, access)),
        url=address(entry),
        note=_note(facts),
        remarks=noted.lines,
        buttons=(payment,) if payment else (),
    )


def read_person(entry: Entry) -> PersonFacts:
    tournament = entry.tournament
    stage = tournament.stage
    is_running = tournament.has_begun and not tournament.is_final
    race = read_race(tournament, stage) if stage.eliminates else None
    line = race.state.lines.get(entry.public_id) if race else None
    status = line.status if line else entry.status
    at_tables = playing.seats_of(entry) if is_running else []
    plays = is_running and status == Entry.Status.ACTIVE and entry.status != Entry.Status.STANDIN
    team = people.team_context(entry, at_tables, people.tables_of(at_tables)) if stage.has_teams else None
    substituted = team["substituted"] if team else [seat for seat in at_tables if seat.substitute]
    return PersonFacts(
        name=entry.name,
        status=status,
        is_running=is_running,
        is_final=tournament.is_final,
        is_stand_in=entry.status == Entry.Status.STANDIN,
        has_teams=stage.has_teams,
        drawn_ahead=stage.drawn_ahead,
        in_tree=stage.plays.in_tree,
        has_partners=stage.has_partners,
        has_played=people.has_played(entry),
        may_miss=plays and leaving.may_miss(entry),
        can_fill=plays and not stage.drawn_ahead and fillable(stage, entry) is not None,
        can_reinstate=bool(
            race
            and line
            and is_running
            and race.state.winner is None
            and line.status == OUT
            and line.total < race.settings.target
        ),
        plays_at=", ".join(words for _pk, words in people.tables_of(at_tables)[:1]),
        substitutes=tuple(dict.fromkeys(str(seat.substitute) for seat in substituted)),
        line_up=tuple(team["lineups"][0][1]) if team and team["lineups"] else (),
        can_change_line_up=bool(team and team["swaps"]),
        swap_rounds=tuple(round_.number for round_ in playing.rounds_to_swap(entry)) if is_running else (),
        fixed_table=entry.fixed_table,
        apart=tuple(other.name for other in lasting.apart_from(entry)),
        points=tuple(row.points for row in lasting.adjustments_of(entry)),
        byes=tuple(byes_of(entry)) if is_running else (),
    )


def lines_of(facts: PersonFacts, url: str) -> tuple[Line, ...]:
    """Return the possible actions, the most urgent first. url: of the sheet."""
    offers = (
        (facts.is_running and facts.status == Entry.Status.DROPPED, "return", "i-back", _("Returns"), _returns(facts)),
        (facts.can_reinstate, "reinstate", "i-back", _("Reinstate"), _("Below the target again")),
        (facts.plays, "leave", "i-leave", _("Leaves"), _leaves(facts)),
        (
            facts.plays and (facts.may_miss or not facts.has_played),
            "late",
            "i-wait",
            _("Late or absent"),
            _late(facts),
        ),
        (facts.can_change_line_up, "lineup", "i-people", _("Line-up"), _line_up(facts)),
        (
            facts.is_running and bool(facts.substitutes),
            "end-substitute",
            "i-people",
            _("Plays again"),
            _("%(names)s plays now") % {"names": names(facts.substitutes)},
        ),
        (
            facts.is_running and bool(facts.plays_at),
            "substitute",
            "i-people",
            _("Substitute"),
            _("Someone plays for them"),
        ),
        (bool(facts.swap_rounds), "swap", "i-swap", _("Swap seats"), _swaps(facts)),
        (facts.is_in and not facts.is_final, "table", "i-pin", _("Fixed table"), _fixed(facts)),
        (
            facts.is_in and not facts.is_final and not facts.drawn_ahead,
            "apart",
            "i-apart",
            _("Must not meet"),
            names(facts.apart) or _("No one so far"),
        ),
        (not facts.is_final, "adjust", "i-pen", _("Points adjustment"), _points(facts)),
        (bool(facts.byes), "bye", "i-minus", _("Points for a bye"), _byes(facts)),
    )
    return tuple(
        Line(icon, title, text, f"{url}?do={do}", do) for possible, do, icon, title, text in offers if possible
    )


def _leaves(facts: PersonFacts) -> str:
    if facts.has_teams and facts.drawn_ahead:
        return _("Their opponents have a bye")
    if facts.drawn_ahead:
        return _("Their seats are redrawn, or someone stands in")
    if facts.in_tree:
        return _("Loses the current or next match")
    if facts.can_fill:
        return _("The table plays with fewer, or someone takes the seat")
    return _("The table plays with fewer")


def _line_up(facts: PersonFacts) -> str:
    return _("%(names)s play") % {"names": names(facts.line_up)}


def _late(facts: PersonFacts) -> str:
    if not facts.may_miss:
        return _("Did not come")
    return _("Misses a round and returns") if facts.has_played else _("Misses a round and returns, or did not come")


def _returns(facts: PersonFacts) -> str:
    return _("Keeps all points")


def _swaps(facts: PersonFacts) -> str:
    if len(facts.swap_rounds) > 1:
        rounds = {"first": facts.swap_rounds[0], "last": facts.swap_rounds[-1]}
        return _("With anyone in round %(first)d or %(last)d") % rounds
    return _("With anyone in round %(number)d") % {"number": facts.swap_rounds[0]} if facts.swap_rounds else ""


def _fixed(facts: PersonFacts) -> str:
    if facts.fixed_table is None:
        return _("The same table in every round")
    return _("Table %(number)d in every round") % {"number": facts.fixed_table}


def _points(facts: PersonFacts) -> str:
    return ", ".join(map(signed_figure, facts.points)) or _("None so far")


def _byes(facts: PersonFacts) -> str:
    words = _("Round %(number)d: %(points)s")
    return ", ".join(words % {"number": number, "points": figure(points)} for number, points in facts.byes)


def _note(facts: PersonFacts) -> str:
    if facts.is_final:
        return _("The standings are final. Reopen the tournament under Now to change something.")
    if facts.is_stand_in:
        return _("A stand-in. Set substitutes and seats for the missing player.")
    return ""


def _links(entry: Entry, access: Access) -> tuple[QuietLink, ...]:
    """Return links to the player's other pages, as far as the viewer may open them."""
    at = [entry.tournament.slug, entry.public_id]
    links = [QuietLink("i-podium", _("Scorecard"), reverse("scorecard", args=at))]
    if access.organises:
        links.append(QuietLink("i-phone", _("Own link"), reverse("player_link", args=at)))
        links.append(QuietLink("i-pen", _("Edit"), reverse("edit_player", args=at)))
    if request := _accepted_departure(entry):
        label = _("Leaves after round %(number)d") % {"number": request.round_number}
        url = reverse("undo_leave_answer", args=[entry.tournament.slug, request.pk])
        links.append(QuietLink("i-leave", label, url))
    return tuple(links)


def _accepted_departure(entry: Entry) -> LeaveRequest | None:
    """Return the request of a player who leaves when the round closes."""
    if entry.status != Entry.Status.ACTIVE or entry.tournament.is_final:
        return None
    kind, state = LeaveRequest.Kind.AFTER, LeaveRequest.State.ACCEPTED
    return entry.leave_requests.filter(kind=kind, state=state, event=None).order_by("-id").first()


def _where(entry: Entry, rounds: int | None) -> str:
    """“Table 2, round 4 of 7”"""
    if entry.status == Entry.Status.DROPPED:
        return _("Has left")
    shown = entry.tournament.rounds.shown().exclude(state=Round.State.CLOSED)
    seats = Seat.objects.filter(entry=entry, round__in=shown).select_related("table", "round")
    seat = seats.order_by("-round__number").first()
    if seat is None:
        return ""
    title = round_title(seat.round.number, rounds)
    if seat.table is None:
        return _("Bye, %(round)s") % {"round": title[:1].lower() + title[1:]}
    words = {"table": seat.table.number, "round": title[:1].lower() + title[1:]}
    return _("Table %(table)d, %(round)s") % words


def _rank(line: Standing | None) -> str:
    """Return “Rank 3 with 480 points”, or the player's final result."""
    if line is None:
        return ""
    if line.ending is not None and line.entrant.status != Entry.Status.ACTIVE:
        result = result_in_words(line)
        return result[:1].upper() + result[1:]
    if line.rank is None or not line.hands_played:
        return points_in_words(line.total) if line.total else ""
    words = {"rank": rank_in_words(line.rank, tied=line.tied), "points": points_in_words(line.total)}
    return _("Rank %(rank)s with %(points)s") % words
