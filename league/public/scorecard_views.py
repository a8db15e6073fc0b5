"""A player's evening, for everybody and themselves: the current seat, hands, rank over the rounds, partners."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import Access, entry_for
from league.access.session_links import players_in
from league.formats import pairs, teams
from league.formats.progression import OUT
from league.hooks import disputed_hands
from league.ledger.dealer import first_seats_in, next_dealer
from league.ledger.in_words import rounds_in_all, stage_title
from league.ledger.progress import ENDED, PLAYING, STOPPED, game_at, table_now, target_of_round
from league.ledger.race import RaceLedger
from league.lib import charts
from league.lib.csv import Row
from league.live import stream as live
from league.log.anchors import log_hash_of
from league.models import Entry, HandScore, Round, Seat, Table
from league.pages.tournament_page import render_page
from league.public import scorecard as card
from league.public import tables as exports
from league.public.seating_views import answer_of, dropout_reasons
from league.public.table_plan import tables_drawn
from league.public.tables import Wanted
from league.standings import progression_in_words, race_in_words
from league.standings import read as ledger
from league.standings.cache import standings_in
from league.standings.ranking import Standing
from league.standings.team_members import member_rows, members_in_lines


@require_safe
def scorecard(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(request.user, slug, public_id, players=players_in(request))
    version = live.version_of(access.tournament)
    context = card_of(access, entry) | {"live_version": version}
    return render_page(
        request, access, "league/public/scorecard.html", page="players", title=entry.player.name, **context
    )


def card_of(access: Access, entry: Entry) -> dict[str, Any]:
    """What a scorecard shows: published rounds only, whoever looks."""
    tournament, public_id = access.tournament, entry.public_id
    log = log_hash_of(tournament)
    book = ledger.read(tournament)
    standing = next((line for line in standings_in(book, log) if line.entrant.id == public_id), None)
    played = [
        round_.number for round_ in book.rounds if book.last_round is not None and round_.number <= book.last_round
    ]
    ranks = book.ranks_by_round(played)
    to_come = sorted({*range(1, book.planned + 1), *played})
    context: dict[str, Any] = {
        "entry": entry,
        "standing": standing,
        "rounds": book.rounds,
        "open_round": next((round_ for round_ in book.rounds if round_.is_open), None),
        "last_round": book.last_round,
        "free_round": book.stage.plays.advances,  # to sit out a round is to be through to the next
        "ranked": sum(line.rank is not None for line in standings_in(book, log)),
        "found_ids": {public_id},
        "adjustments": [row for row in exports.adjustments_rows(tournament, Wanted()) if row["player_id"] == public_id],
        "events": list(entry.events.living().select_related("round")),
        "chart": charts.rank_chart(ranks, public_id, to_come) if len(played) > 1 else None,
        "ranks": [(number, ranks[number].get(public_id)) for number in played],
        "verified": _hands_online(entry),
    }
    seats = list(exports.sitting_rows(tournament, Wanted(player_id=public_id)))
    if book.stage.has_teams:
        context["members"] = [line for line in members_in_lines(member_rows(tournament)) if line.team_id == public_id]
    before = reversed(tournament.stages.filter(number__lt=book.stage.number)) if book.stage.number > 1 else ()
    sat_in = [of for of in (book, *(ledger.read(tournament, stage=stage) for stage in before)) if _own(seats, of)]
    latest = sat_in[0] if sat_in else book  # whoever did not go on sees what they played
    context |= _hands_in(entry, latest, seats, standing)
    line = book.progression.state.lines.get(public_id) if book.progression else None
    context["is_through"] = line is not None and line.through
    # Eliminated where only some go on, or not among those who came to the stage.
    context["plays_no_more"] = (line is not None and line.status == OUT) or bool(standing and standing.stage)
    context["stage_title"] = stage_title(latest.stage) if book.stage.number > 1 else ""
    context["earlier"] = [_earlier(entry, earlier, seats) for earlier in sat_in[1:]]
    return context | _seat_now(access, context["now"])


def _own(seats: Sequence[Row], book: ledger.Ledger) -> list[Row]:
    """The seats in the rounds of a stage."""
    rounds = {played.number for played in book.rounds}
    return [row for row in seats if row["round"] in rounds]


def _hands_in(entry: Entry, book: ledger.Ledger, seats: Sequence[Row], standing: Standing | None) -> dict[str, Any]:
    """The hands of a stage, as its format shows them. seats: of all stages."""
    seats = _own(seats, book)
    if book.stage.has_teams:
        seats = _seats_of_team(entry, seats)
    if book.stage.has_partners:
        return _context_of_partners(entry, book, seats)
    if book.race is None:
        return _context_of_points(entry, book, seats, standing)
    return _context_of_race(entry, book, book.race, seats, standing)


def _earlier(entry: Entry, book: ledger.Ledger, seats: Sequence[Row]) -> dict[str, Any]:
    """The same of a stage that has ended, with its title and where they stood."""
    last = book.rounds[-1].number if book.rounds else None
    standing = next((line for line in book.standings(last) if line.entrant.id == entry.public_id), None)
    where = {"title": stage_title(book.stage), "standing": standing, "has_teams": book.stage.has_teams}
    return _hands_in(entry, book, seats, standing) | where


def _seats_of_team(entry: Entry, seats: Sequence[Row]) -> list[Row]:
    """One of the team's two seats in each round, with its opponent there."""
    opponents = _opponents(entry)
    return [
        row | {"against": next(iter(opponents.get(row["round"], ())), "")}
        for row in seats
        if (row["seat"] or 0) < teams.AT_TABLE
    ]


def _hands_online(entry: Entry) -> list[tuple[int, int, list[int]]]:
    """(round, table's key, hands) of what was played online, so that everybody can look at it and check it."""
    rows = HandScore.objects.living().filter(
        entry=entry, source=HandScore.Source.ENGINE, table__round__in=Round.objects.shown()
    )
    hands: dict[tuple[int, int], set[int]] = {}
    for number, table, hand in rows.values_list("table__round__number", "table", "hand"):
        hands.setdefault((number, table), set()).add(hand)
    return [(number, table, sorted(hand_numbers)) for (number, table), hand_numbers in sorted(hands.items())]


def _context_of_partners(entry: Entry, book: ledger.Ledger, seats: Sequence[Row]) -> dict[str, Any]:
    is_drawn = not book.stage.drawn_ahead
    own = (score.hand for score in book.scores if not is_drawn or score.entry == entry.public_id)
    hands = max(book.stage.hands_per_round or 0, max(own, default=0))
    lines = card.lines(book, entry.public_id, seats, hands, disputed_hands(entry.tournament))
    now = next((line for line in lines if line.open), None)
    now_hand = next((cell.hand for cell in now.cells if cell.now), None) if now else None
    more: dict[str, Any] = {}
    if is_drawn:
        more = {"in_all": rounds_in_all(book.stage, book.planned), "fate": _fate(entry, book)}
    if is_drawn and now is not None and not now.is_bye:
        more |= _table_context(_table_of(entry, now), None, plays=entry.status == Entry.Status.ACTIVE)
    return {
        "hand_numbers": range(1, hands + 1),
        "hands_wanted": hands,
        "lines": lines,
        "some_disputed": any(cell.disputed for line in lines for cell in line.cells),
        "hands_total": sum(line.total for line in lines),
        "now": now,
        "now_hand": now_hand,
        "dealer": pairs.dealer_seat(now_hand) if now_hand else None,
        "partners": card.partners(book, entry.public_id),
    } | more


def _context_of_race(
    entry: Entry, book: ledger.Ledger, race: RaceLedger, seats: Sequence[Row], standing: Standing | None
) -> dict[str, Any]:
    """Points caught and totals, and the points to spare, or when this player was out."""
    lines = card.race_lines(book, entry.public_id, seats, _opponents(entry), disputed_hands(entry.tournament))
    now = next((line for line in lines if line.open), None)
    line = race.state.lines.get(entry.public_id)
    context: dict[str, Any] = {
        "race": True,
        "lines": lines,
        "some_disputed": any(catch.disputed for line in lines for catch in line.catches),
        "some_for_nobody": any(not catch.counts for line in lines for catch in line.catches),
        "hands_total": sum(line.caught for line in lines),
        "now": now,
        "target": race.settings.target,
        "still_in": len(race.state.still_in),
        "place": line.place if line else None,
        "has_won": race.state.winner == entry.public_id,
        "gone": race_in_words.gone_in_round(race.state, now.seat["round"]) if now else {},
        "head_to_head": now is not None and len(now.opponents) == 1,
    }
    if standing is not None:
        context["left"] = race_in_words.left_in_words(standing, with_table=True)
        context["spare"] = race_in_words.to_spare(standing, race.settings.target)
        context["in_danger"] = race_in_words.is_in_danger(standing.total, race.settings.target)
    if now is None or now.is_bye:
        return context
    plays = entry.public_id in race.state.still_in
    return context | _table_context(_table_of(entry, now), race, plays=plays)


def _context_of_points(
    entry: Entry, book: ledger.Ledger, seats: Sequence[Row], standing: Standing | None
) -> dict[str, Any]:
    """What each hand brought, totals, and how far the game at the current table is from its end."""
    disputed = disputed_hands(entry.tournament)
    lines = card.points_lines(book, standing, seats, _opponents(entry), disputed) if standing else []
    now = next((line for line in lines if line.open), None)
    context: dict[str, Any] = {
        "singles": True,
        "lines": lines,
        "some_disputed": any(catch.disputed for line in lines for catch in line.catches),
        "some_for_nobody": any(not catch.counts for line in lines for catch in line.catches),
        "hands_total": sum(line.caught for line in lines),
        "now": now,
        "against": book.stage.lowest_wins,
        "gone": dropout_reasons(now.seat["round"], book) if now else {},
        "in_all": rounds_in_all(book.stage, book.planned),
        "fate": _fate(entry, book),
    }
    if now is None or now.is_bye:
        return context
    table = _table_of(entry, now)
    game, target = game_at(table), target_of_round(table.round)
    if game is not None and target is not None:
        has = game.totals.get(entry.public_id, 0)
        context |= {"target": target, "has": has, "spare": max(0, target - has), "is_over": game.over_in is not None}
    return context | _table_context(table, None, plays=entry.status == Entry.Status.ACTIVE)


def _fate(entry: Entry, book: ledger.Ledger) -> str:
    """Where somebody stands in heats; nothing is said of a stand-in."""
    line = book.progression.state.lines.get(entry.public_id) if book.progression else None
    return progression_in_words.line_in_words(line, book.names) if line else ""


def _table_of(entry: Entry, now: Any) -> Table:
    return Table.objects.select_related("round__stage", "round__tournament").get(
        round__in=Round.objects.living().filter(tournament=entry.tournament, number=now.seat["round"]),
        number=now.seat["table"],
    )


def _table_context(table: Table, race: RaceLedger | None, *, plays: bool) -> dict[str, Any]:
    """What is played at the current table, where more than a number of hands decides it. plays: the player plays on."""
    stands = table_now(table, race)
    goes_on = stands.state == PLAYING
    over = {ENDED: _("This table has ended."), STOPPED: _("This table is over: two are left.")}
    return {
        "table_over": over.get(stands.state, ""),
        "hands_wanted": stands.hands_wanted,
        "now_hand": stands.played + 1 if goes_on and plays else None,
        "dealer": next_dealer(table, stands.played + 1, race) if goes_on else -1,
    }


def _opponents(entry: Entry) -> dict[int, list[str]]:
    """By round, the names of the others at the player's table."""
    tables = Table.objects.filter(seats__entry=entry, round__in=Round.objects.shown())
    seats = Seat.objects.filter(table__in=tables).exclude(entry=entry).order_by("round__number", "number")
    names: dict[int, list[str]] = {}
    for number, name in seats.values_list("round__number", "entry__player__name"):
        names.setdefault(number, []).append(name)
    return names


def _seat_now(access: Access, now: Any) -> dict[str, Any]:
    """The player's table in the open round, drawn with the player at the bottom."""
    together = list(exports.sitting_rows(access.tournament, Wanted(round=now.seat["round"]))) if now else []
    own = now.seat["seat"] if now and not now.is_bye else None
    rounds = Round.objects.living().filter(tournament=access.tournament).select_related("stage")
    first = first_seats_in(rounds.get(number=now.seat["round"])) if now else {}
    drawn = tables_drawn(together, bottom=own, first=first)
    return {
        "answer": answer_of(now.seat, together, first) if now else None,
        "table": next((table for table in drawn if now and table["number"] == now.seat["table"]), None),
    }
