"""The result of a finished hand: the winner, the cards left, and the scores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.scoring import does_not_count
from games.entry import sheet, table_state
from games.hands import points_game, race_game
from games.hands.seats import seats_of
from games.models import Deal
from games.online.director.services import on_paper_now
from games.online.page.people import position
from games.online.play.places import Place, names_of, place_of, places_of
from games.online.play.replay import replay
from games.online.proof.proof import steps_of
from league.access.session_links import online_seat
from league.ledger.progress import PLAYING, missing_tables, race_of, table_now
from league.ledger.race import RaceLedger
from league.lib.translate import figure, names
from league.models import Entry, HandScore, Round, Seat, Table


@dataclass(frozen=True)
class PlayerResult:
    """The result of one player. `total` and `note` belong to a race: “in danger”, “out”."""

    name: str
    where: str
    won: bool
    free: bool  # the points don't count
    cards: tuple[sheet.Face, ...]
    points: int
    total: int | None = None
    note: str = ""

    @property
    def now(self) -> str:
        return "" if self.total is None else _("now %(total)s") % {"total": figure(self.total)}


@dataclass(frozen=True)
class SideScore:
    """One side of a table, or one player: the total, and the points of this hand."""

    names: str
    total: int
    added: int
    won: bool


@dataclass(frozen=True)
class Ending:
    """`free_note`: why some points don't count. `gone`: the hand was undone later."""

    deal: Deal
    title: str
    text: str
    sides: tuple[SideScore, ...]
    results: tuple[PlayerResult, ...]
    free_note: str = ""
    gone: bool = False


@dataclass(frozen=True)
class Between:
    """The page between hands: the last hand, what follows without a waiting hand, why a hand was `stopped`, and whether
    the viewer is eliminated."""

    ending: Ending | None = None
    after: "After | None" = None
    stopped: str = ""
    is_out: bool = False


def between(table: Table, deal: Deal | None, viewer: Entry | None, *, elsewhere: Deal | None = None) -> Between:
    """Return the content of the page while no hand is in play.

    elsewhere: the last hand of these players at another table, shown until they finish one here.
    """
    before = table.deals.filter(state=Deal.State.OVER).select_related("hand").order_by("-id").first()
    if before is not None:
        before.table = table
    before = before or elsewhere
    ending = ending_of(before.table, before, viewer) if before and before.hand else None
    if deal is None or deal.state != Deal.State.WAITING:
        return Between(ending, after(table, viewer))
    out = _is_out(seats_of(table), viewer, race_of(table.round)) if ending else False
    stopped = table.deals.filter(number=deal.number, state=Deal.State.ABANDONED).order_by("-id")
    return Between(ending, stopped=stopped.values_list("reason", flat=True).first() or "", is_out=out)


def ending_of(table: Table, deal: Deal, viewer: Entry | None) -> Ending:
    """Return the result of a finished hand, all of it public."""
    places = places_of(deal)
    me = place_of(places, viewer)
    hand = deal.hand
    assert hand is not None
    race = race_of(table.round)
    lines = sheet.hand_lines(table, [hand], race)
    out = next((place for place in places if place.seat.number == hand.went_out), None)
    if not lines:
        return Ending(deal, _title(out, me), _("The organiser undid this hand."), (), (), gone=True)
    results = _results(table, deal, places, me, race)
    return Ending(
        deal,
        _title(out, me),
        f"{_length_in_words(deal, places)} {capfirst(lines[0].result)}.",
        _sides(table, deal, places, me) if table.round.stage.has_partners else (),
        results,
        next((_free_note(row) for row in results if row.free and row.points), ""),
    )


def _title(out: Place | None, me: Place | None) -> str:
    if out is None:
        return _("No one goes out")
    return _("You go out") if out == me else _("%(name)s goes out") % {"name": out.name}


def _length_in_words(deal: Deal, places: Sequence[Place]) -> str:
    """Return the length of the hand. Moves count as in the replay: a draw and its follow-up are one."""
    count = len(steps_of(replay(deal, names_of(places)).hand)) - 1
    moves = ngettext("%(count)s move", "%(count)s moves", count) % {"count": count}
    if deal.dealt_at is None or deal.ended_at is None:
        return f"{moves}."
    minutes = max(1, round((deal.ended_at - deal.dealt_at).total_seconds() / 60))
    return ngettext("%(moves)s in %(count)d minute.", "%(moves)s in %(count)d minutes.", minutes) % {
        "moves": moves,
        "count": minutes,
    }


def _results(
    table: Table, deal: Deal, places: Sequence[Place], me: Place | None, race: RaceLedger | None
) -> tuple[PlayerResult, ...]:
    """Return the players' results: the winner first, then in order of play from the viewer."""
    hand = deal.hand
    assert hand is not None
    seats = [place.seat for place in places]
    rules = deal.rules
    out = next((place.at for place in places if place.seat.number == hand.went_out), None)
    totals = {row.seat: row for row in race_game.totals(table, seats_of(table), race)} if race else {}
    points_here = {row.seat: row.points for row in points_game.totals(table, seats_of(table))} if not race else {}
    rows = []
    for place, line in zip(places, sheet.lines(table, seats, hand.went_out, hand.seats), strict=True):
        total = totals.get(place.seat.number or 0)
        where = position(place.at, me.at if me else None, len(places), teams=rules["teams"])
        free = does_not_count(place.at, scoring=rules["scoring"], went_out=out, teams=rules["teams"])
        rows.append(
            PlayerResult(
                name=place.name,
                where=_("you") if place == me else where,
                won=line.out,
                free=free,
                cards=line.cards or (),
                points=line.points or 0,
                total=total.points if total else points_here.get(place.seat.number or 0),
                note=(total.gone or (_("in danger") if total.in_danger else "")) if total else "",
            )
        )
    first = me.at if me else 0
    turned = rows[first:] + rows[:first]
    return tuple(sorted(turned, key=lambda row: not row.won))


def _free_note(row: PlayerResult) -> str:
    return _("%(name)s’s %(points)d points don’t count: their partner went out.") % {
        "points": row.points,
        "name": row.name,
    }


def _sides(table: Table, deal: Deal, places: Sequence[Place], me: Place | None) -> tuple[SideScore, ...]:
    """Return both sides, the viewer's first."""
    totals, added = [0, 0], [0, 0]
    rows = HandScore.objects.living().filter(table=table, seat__in=(0, 1))
    for seat, number, score in rows.values_list("seat", "hand", "score"):
        totals[seat] += score
        if number == deal.number:
            added[seat] += score
    hand = deal.hand
    out = hand.went_out if hand else None
    both = [
        SideScore(
            names=names(_("You") if place == me else place.name for place in _me_first(places[side::2], me)),
            total=totals[side],
            added=added[side],
            won=out is not None and out % 2 == side,
        )
        for side in (0, 1)
    ]
    return tuple(reversed(both) if me and me.at % 2 else both)


def _me_first(side: Sequence[Place], me: Place | None) -> list[Place]:
    return sorted(side, key=lambda place: place != me)


@dataclass(frozen=True)
class After:
    """The state of a table without a sealed deck. `out`: the viewer is eliminated.

    `broken_off`: the number of a stopped hand. `next`: the viewer's other table.
    """

    title: str
    text: str
    out: bool = False
    broken_off: int | None = None
    next: Table | None = None


def after(table: Table, viewer: Entry | None) -> After:
    """Return why no hand waits at a table, and where play continues."""
    last = table.deals.order_by("-id").first()
    broken_off = last is not None and last.state == Deal.State.ABANDONED and last.dealt_at and not last.on_paper
    seat = online_seat(viewer) if viewer else None
    return replace(
        _after(table, viewer),
        broken_off=last.number if last and broken_off else None,
        next=seat.table if seat and seat.table_id != table.pk else None,
    )


def _after(table: Table, viewer: Entry | None) -> After:
    played = table.round
    number = {"number": table.number, "round": played.number}
    race = race_of(played)
    seats = seats_of(table)
    out = _is_out(seats, viewer, race)
    if table.mode != Table.Mode.ONLINE:
        return After(_("Table %(number)d continues with real cards") % number, _("Enter the results as usual."), out)
    if not played.is_open or played.tournament.is_final:
        return After(_("Round %(round)d is closed") % number, "", out)
    if on_paper := on_paper_now(table):
        number |= {"hand": on_paper.number}
        return After(
            _("Hand %(hand)d continues with real cards") % number, _("The director gives you your cards."), out
        )
    now = table_now(table, race)
    if now.state != PLAYING:
        sentence = table_state.why_over(table, [], now, seats, race)
        title = _("Table %(number)d is done") % number
        return After(title, sentence or _all_in(played), out)
    if not table.deals.exists():  # the sweeper seals the first deck within seconds
        sentence = _("The deck is being shuffled.")
        return After(_("Table %(number)d starts in a moment") % number, sentence, out)
    return After(_("No hand at table %(number)d now") % number, _("The organiser decides what happens next."), out)


def _all_in(played: Round) -> str:
    """Return the progress of the round, for a table with all its hands."""
    unfinished = len(missing_tables(played))
    if not unfinished:
        return _("All hands of round %(round)d are recorded.") % {"round": played.number}
    return ngettext(
        "Round %(round)d continues at %(count)d other table.",
        "Round %(round)d continues at %(count)d other tables.",
        unfinished,
    ) % {"round": played.number, "count": unfinished}


def _is_out(seats: Sequence[Seat], viewer: Entry | None, race: RaceLedger | None) -> bool:
    if viewer is None or race is None:
        return False
    here = any(seat.entry_id == viewer.pk for seat in seats)
    return here and viewer.public_id not in set(race.state.still_in)
