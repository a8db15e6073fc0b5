"""A director's actions at an online table: pause, replace a player, penalise, undo, cancel, finish on paper.

Each service locks the table first and names the expected hand; `Conflict("gone")` means that another hand is there.
`plays`: the director's own entry at the table, if any, for the log. No service shows a card: directors see what
spectators see, until a hand continues with real cards (`games/online/director/position.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.view import event_for
from games.hands.in_play import on_paper
from games.hands.locks import lock_table
from games.models import Deal, Move
from games.online.page.log_in_words import in_words, story_of
from games.online.play.clock import give_back, mark_back, set_clock
from games.online.play.deals import abandon, next_deal, settings_of, start_if_ready
from games.online.play.moves import follow, store
from games.online.play.notify import notify_page
from games.online.play.places import Place, names_of, places_of
from games.online.play.pulse import stood_still
from games.online.play.replay import UNDO, Played, deal_out, replay
from league.access.viewer import Attribution
from league.day.substitutes import end_substitute, substitute
from league.ledger.locks import lock_tables, lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import note_at_table, player_in_log
from league.models import Entry, LogEntry, Table, Tournament, User
from league.rounds.tables import check_reason

MOST_REASON = 200
TO_PAPER = "to-paper"  # the log row that names the director who chose real cards


@transaction.atomic
def pause(
    *,
    table_id: int,
    deal_id: int,
    reason: str = "",
    by: User | None,
    plays: Entry | None = None,
    now: datetime | None = None,
) -> None:
    """Stop moves and clocks until `go_on`. Everyone sees the latest `reason`, which may come later."""
    deal = _lock_open_deal(table_id, deal_id)
    reason = reason.strip()[:MOST_REASON]
    was_paused = deal.paused_at is not None
    if was_paused and reason in ("", deal.pause_reason):
        return
    _stand_still(deal, reason, now)
    notify_page(deal.table)
    _note(deal, by, plays, "why-paused" if was_paused else "pause-hand", reason=reason)


@transaction.atomic
def go_on(
    *, table_id: int, deal_id: int, by: User | None, plays: Entry | None = None, now: datetime | None = None
) -> None:
    """Resume the clock with its remaining time. Does nothing if the hand is not paused."""
    deal = _lock_open_deal(table_id, deal_id)
    since = deal.paused_at
    if since is None:
        return
    now = now or timezone.now()
    stood_still(deal, now - max(since, deal.asked_at or since))
    deal.paused_at, deal.pause_reason = None, ""
    deal.save(update_fields=["paused_at", "pause_reason", "asked_at", "due_at", "bot_at"])
    notify_page(deal.table)
    _note(deal, by, plays, "resume-hand")


@transaction.atomic
def seat_bot(
    *, table_id: int, deal_id: int, at: int, reason: str = "", by: User | None, plays: Entry | None = None
) -> None:
    """Let a bot play for an absent player until they return. `at`: the place in the deal."""
    deal = _lock_open_deal(table_id, deal_id)
    place = _person_at(deal, at)
    if place.bot:
        return
    place.data.update(bot=settings_of(deal.table.round.tournament).bot, ready=True)
    _player_changed(deal)
    _note(deal, by, plays, "seat-bot", new=player_in_log(place.entry), reason=reason)


@transaction.atomic
def bring_back(*, table_id: int, deal_id: int, at: int, by: User | None, plays: Entry | None = None) -> None:
    """Let an absent player return, with the whole time for a move."""
    deal = _lock_open_deal(table_id, deal_id)
    place = _person_at(deal, at)
    if not place.bot:
        return
    mark_back(place.data)
    place.data["ready"] = deal.state == Deal.State.PLAYING
    _player_changed(deal)
    _note(deal, by, plays, "bring-back", new=player_in_log(place.entry))


@transaction.atomic
def put_substitute(
    *,
    table_id: int,
    deal_id: int,
    at: int,
    name: str,
    by: User | None,
    plays: Entry | None = None,
    another: bool = False,
) -> None:
    """Let the person of this name play for an entry at this table, which gets the points.

    Seals a waiting deck again. another: as in `league.day.substitutes.substitute`. Raises the same errors.
    """
    deal, entry = _lock_to_seat(table_id, deal_id, at)
    table = deal.table
    substitute(
        tournament=table.round.tournament,
        entry=entry,
        name=name,
        table=table,
        member=entry.member,
        by=by,
        player=plays,
        another=another,
    )
    _seat_player(deal, at, entry)


@transaction.atomic
def send_substitute_away(*, table_id: int, deal_id: int, at: int, by: User | None, plays: Entry | None = None) -> None:
    """Let the player return, at this table and wherever else a substitute plays for them."""
    deal, entry = _lock_to_seat(table_id, deal_id, at)
    end_substitute(tournament=deal.table.round.tournament, entry=entry, by=by, player=plays)
    _seat_player(deal, at, entry)


@transaction.atomic
def penalise(
    *, table_id: int, deal_id: int, at: int, reason: str, by: User | None, plays: Entry | None = None, key: str = ""
) -> None:
    """Give a player two cards for suggesting a play (PEN-2). A known `key` does nothing again."""
    deal = _lock_deal_in_play(table_id, deal_id)
    place = _place(deal, at)
    if key and deal.moves.filter(key=key).exists():
        return
    store(follow(deal, _replay_deal(deal), ("suggestion", at), key=key, by=by))
    _note(deal, by, plays, "penalise-suggestion", new=player_in_log(place.entry), reason=reason)


@transaction.atomic
def undo_to(
    *,
    table_id: int,
    deal_id: int,
    to: int,
    moves_made: int,
    reason: str,
    by: User | None,
    plays: Entry | None = None,
    now: datetime | None = None,
) -> None:
    """Undo the hand to just after line `to` of its log, one of `moves_that_stand`; pause it until `go_on`.

    Restores reserves and misses, and gives the next player the whole time for a move. Seats don't change. `moves_made`
    is the deal's as the director saw it: `Conflict("moved-on")` if it has changed.
    """
    deal = _lock_deal_in_play(table_id, deal_id)
    check_reason(reason)
    reason = reason.strip()[:MOST_REASON]
    if moves_made != deal.moves_made:
        sentence = _("The hand has moved on. Check the table and try again.")
        raise Conflict("moved-on", sentence)
    now = now or timezone.now()
    was_paused = deal.paused_at is not None
    _stand_still(deal, deal.pause_reason or reason, now)
    played, lines = _replay_with_lines(deal)
    moves = max((number for number, line in enumerate(lines) if line <= to), default=0)
    for place in deal.places:
        give_back(place, moves)
    deal.asked_at = now  # the director's time must not cost a player's reserve
    store(follow(deal, played, (UNDO, to, reason), by=by, now=now))
    number = next((move.number for move in moves_that_stand(deal) if move.line == to), 0)
    if not was_paused:
        _note(deal, by, plays, "pause-hand", reason=reason)
    _note(deal, by, plays, "undo-moves", new={"move": number, "line": to}, reason=reason)


@transaction.atomic
def void(*, table_id: int, deal_id: int, reason: str, by: User | None, plays: Entry | None = None) -> None:
    """Cancel the hand, and seal another deck for it."""
    deal = _lock_open_deal(table_id, deal_id)
    check_reason(reason)
    abandon(deal, reason.strip())
    next_deal(deal.table)
    _note(deal, by, plays, "void-deal", reason=reason)


@transaction.atomic
def to_paper(*, table_id: int, deal_id: int, reason: str, by: User | None, plays: Entry | None = None) -> None:
    """Let the hand continue with real cards; its result is then entered by hand.

    This director alone can then print its position with all cards (`took_to_paper`). Raises `Refused("plays")` for a
    director who plays there.
    """
    if plays is not None:
        sentence = _("You play at this table, so you can’t see all cards. Ask another director.")
        raise Refused("plays", sentence)
    deal = _lock_deal_in_play(table_id, deal_id)
    deal.on_paper = True
    abandon(deal, _("Finished with real cards"))
    _note(deal, by, None, TO_PAPER, new={"deal": deal.pk}, reason=reason)


@transaction.atomic
def deal_again(*, table_id: int, deal_id: int, reason: str, by: User | None, plays: Entry | None = None) -> None:
    """Deal a hand again online that was to be finished with real cards. Raises `Conflict("gone")` if it is recorded."""
    table = lock_table(table_id)
    deal = on_paper_now(table)
    if deal is None or deal.pk != deal_id:
        raise Conflict("gone", _("This hand is no longer open. Check the table."))
    check_reason(reason)
    deal.table, deal.reason, deal.on_paper = table, reason.strip()[:MOST_REASON], False
    deal.save(update_fields=["reason", "on_paper"])
    next_deal(table)
    notify_page(table)
    _note(deal, by, plays, "deal-anew", reason=reason)


def _lock_open_deal(table_id: int, deal_id: int) -> Deal:
    """Lock the table; return its hand in play or waiting."""
    table = lock_table(table_id)
    deal = table.deals.open().filter(pk=deal_id).first()
    if deal is None:
        raise Conflict("gone", _("This hand is no longer open. Check the table."))
    deal.table = table
    return deal


def _lock_deal_in_play(table_id: int, deal_id: int) -> Deal:
    deal = _lock_open_deal(table_id, deal_id)
    played = deal.table.round
    if deal.state != Deal.State.PLAYING:
        raise Conflict("not-dealt", _("The cards aren’t dealt yet."))
    if not played.is_open or played.tournament.is_final:
        raise Conflict("closed", _("Round %(number)d is closed.") % {"number": played.number})
    return deal


def _place(deal: Deal, at: int) -> Place:
    places = places_of(deal)
    if not 0 <= at < len(places):
        raise Refused("place", _("Choose a player."), fields={"at": [_("Choose a player.")]})
    return places[at]


def _person_at(deal: Deal, at: int) -> Place:
    place = _place(deal, at)
    if place.is_bot:
        raise Refused("bot", _("%(name)s is a bot. Choose a player.") % {"name": place.name})
    return place


def _player_changed(deal: Deal) -> None:
    """Continue after a change of player: restart the clock, or start if all are ready. Saves the deal."""
    if deal.state == Deal.State.WAITING:
        start_if_ready(deal)
    else:
        settings = settings_of(deal.table.round.tournament)
        set_clock(deal, _replay_deal(deal), settings, timezone.now(), new_decision=False)
        deal.save()
    notify_page(deal.table)


def _stand_still(deal: Deal, reason: str, now: datetime | None) -> None:
    """Pause a hand, or change the reason of its pause. Saves the deal."""
    deal.paused_at, deal.pause_reason = deal.paused_at or now or timezone.now(), reason
    deal.save(update_fields=["paused_at", "pause_reason"])


def _lock_to_seat(table_id: int, deal_id: int, at: int) -> tuple[Deal, Entry]:
    """Lock all rows that a substitute affects; return the hand and the entry at its place."""
    deal = Deal.objects.select_related("table__round__tournament").filter(table=table_id, pk=deal_id).first()
    if deal is None:
        raise Conflict("gone", _("This hand is no longer open. Check the table."))
    entry = _person_at(deal, at).entry
    lock_tournament(deal.table.round.tournament_id)
    lock_tables({table_id, *entry.seats.values_list("table_id", flat=True)})
    return _lock_open_deal(table_id, deal_id), entry


def _seat_player(deal: Deal, at: int, entry: Entry) -> None:
    """Let the current holder of the seat play at a place of the deal."""
    if deal.state == Deal.State.WAITING:
        next_deal(deal.table)
        notify_page(deal.table)
        return
    seat = deal.table.seats.filter(entry=entry, member=entry.member).first()
    deal.places[at]["played_by"] = seat.substitute_id if seat else None
    mark_back(deal.places[at])
    _player_changed(deal)


def _replay_deal(deal: Deal) -> Played:
    return replay(deal, names_of(places_of(deal)))


def _replay_with_lines(deal: Deal) -> tuple[Played, list[int]]:
    """Return a hand in play, and for each number of moves the log's last line."""
    played = deal_out(deal, names_of(places_of(deal)))
    lines = [len(played.hand.log) - 1]
    for action in deal.moves.order_by("number").values_list("action", flat=True):
        played.follow(tuple(action))
        lines.append(len(played.hand.log) - 1)
    return played, lines


def _note(
    deal: Deal, by: User | None, plays: Entry | None, action: str, *, new: object = None, reason: str = ""
) -> None:
    note_at_table(
        table=deal.table,
        by=Attribution(by, player=plays),
        action=action,
        hand=deal.number,
        new=new,
        reason=reason.strip()[:MOST_REASON],
    )


# Reading


@dataclass(frozen=True)
class Standing:
    """A move that was not undone, in public words; 0 is the turned-up card.

    `line`: the log's last line after it.
    """

    number: int
    line: int
    words: str


def moves_that_stand(deal: Deal) -> list[Standing]:
    """Return the moves of a hand in play, latest first. An undo can go back to each except the latest."""
    played, ends = _replay_with_lines(deal)  # lines where actions end; after other lines a forced event follows
    story = story_of([event_for(event, None) for event in played.hand.log])
    standing = {
        line.number: Standing(line.number, max(end for end in ends if end <= line.last), in_words(line, story))
        for line in story.lines
        if not line.undone and line.facts[0].kind != UNDO and line.last >= ends[0]
    }
    return list(reversed(standing.values()))


def on_paper_now(table: Table) -> Deal | None:
    """Return the hand being finished with real cards, unless it is recorded."""
    filled = table.hands.living().values("number")
    last = table.deals.filter(on_paper=True).exclude(number__in=filled).order_by("-id").first()
    return last if last is not None and on_paper(table, last.number) else None


def took_to_paper(deal: Deal, viewer: User) -> bool:
    """Return whether this director chose real cards for the hand: only they may see all cards."""
    played = deal.table.round
    rows = LogEntry.objects.filter(tournament=played.tournament, action=TO_PAPER, by=viewer)
    return deal.on_paper and rows.filter(round=played.number, new__deal=deal.pk).exists()


def clean_deal_reasons(tournament: Tournament, clean: Callable[[str], str]) -> None:
    """Remove a person's name from reasons at online tables (league.erasure.erase)."""
    for deal in Deal.objects.filter(table__round__tournament=tournament).exclude(reason="", pause_reason=""):
        reasons = {"reason": clean(deal.reason)[:MOST_REASON], "pause_reason": clean(deal.pause_reason)[:MOST_REASON]}
        if reasons != {"reason": deal.reason, "pause_reason": deal.pause_reason}:
            Deal.objects.filter(pk=deal.pk).update(**reasons)
    # An undo's reason is the only free text in a hand's log, and doesn't affect the hand.
    for move in Move.objects.filter(deal__table__round__tournament=tournament, action__0=UNDO):
        action = [*move.action[:2], clean(move.action[2])[:MOST_REASON]]
        if action != move.action:
            Move.objects.filter(pk=move.pk).update(action=action)
