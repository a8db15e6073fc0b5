"""Ends a casual table when its game is over or abandoned, and makes the rematch."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from games.hands.locks import lock_table
from games.models import Deal, Move
from games.online.casual.game import FEWEST
from games.online.casual.seats import still_in
from games.online.casual.tables import game_at, new_table, open_round, table_of
from games.online.play.deals import abandon, next_deal
from games.online.play.notify import notify_page
from games.online.play.places import BOT_WAS
from league.access.viewer import Attribution
from league.ledger.locks import lock_tables, lock_tournament
from league.ledger.progress import PLAYING, race_of, table_now
from league.ledger.race import RaceLedger
from league.lib.errors import Conflict
from league.log.write import note
from league.models import Entry, LogEntry, Round, Table, Tournament, User
from league.rounds.steps import advance, end_early, next_step

logger = logging.getLogger(__name__)

QUIET = timedelta(hours=24)  # an unused table is closed after this time
ABSENT_HANDS = 2  # hands in a row without a person, before a game ends


@transaction.atomic
def go_on(*, tournament_id: int) -> None:
    """After a hand, open the table of the last two, make the standings final, or deal the next hand.

    Ends the game early if only bots are left, or no player was present for two hands.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.kind != Tournament.Kind.CASUAL or tournament.state != Tournament.State.RUNNING:
        return
    played = tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING)).first()
    if played is None:
        return
    table, race = played.tables.get(), race_of(played)
    continues = table_now(table, race).state == PLAYING
    if (race.state.has_more if race else continues) and (why := _why_abandoned(tournament, table, race)):
        end(tournament, why)
    elif continues:
        next_deal(lock_table(table.pk))
    else:
        _clear(lock_table(table.pk))  # the log's end is the last lock, so clear first
        step = next_step(tournament)
        while step.kind in ("close", "finish"):
            step = advance(tournament=tournament, token=step.token, by=None)
            following = table_of(tournament)
            if following is not None and following.pk != table.pk:
                next_deal(lock_table(following.pk))
                return


def _why_abandoned(tournament: Tournament, table: Table, race: RaceLedger | None) -> str:
    """Return why a continuing game has no players left; empty if it has."""
    people = set(still_in(table, race).filter(bot="").values_list("pk", flat=True))
    if not people:
        return _("Only bots are left.")
    last = table.deals.filter(state=Deal.State.OVER).order_by("-id")[:ABSENT_HANDS]
    # A newcomer who took over a bot's seat is present, although the bot played that hand to its end.
    absent = [
        [place["bot"] and BOT_WAS not in place for place in deal.places if place["entry"] in people] for deal in last
    ]
    played_by_bots = [all(places) for places in absent]
    if len(played_by_bots) == ABSENT_HANDS and all(played_by_bots):
        return _("No player was present for two hands.")
    return ""


def end(tournament: Tournament, why: str) -> None:
    """Make the standings final as they are. The caller holds the tournament's lock."""
    keys = list(Table.objects.filter(round__tournament=tournament).values_list("pk", flat=True))
    lock_tables(keys)
    for table in Table.objects.filter(pk__in=keys).select_related("round"):
        _clear(table, why)
    end_early(tournament=tournament, reason=why, by=None)


def _clear(table: Table, why: str = "") -> None:
    """Stop dealing at the table, and refresh its pages. The caller holds the table's lock."""
    for deal in table.deals.open():
        deal.table = table
        abandon(deal, why)
    notify_page(table)


def rematch_of(tournament: Tournament) -> Tournament | None:
    """Return the rematch, once a player has started it."""
    row = LogEntry.objects.filter(tournament=tournament, action="rematch").first()
    return Tournament.objects.filter(slug=row.new["to"]).first() if row and isinstance(row.new, dict) else None


@transaction.atomic
def rematch(*, tournament: Tournament, entry: Entry, by: User | None) -> tuple[Entry, Table]:
    """Give the player their seat in the rematch; the first player to call this creates it.

    Raises `Conflict` while the game continues, and for players without a seat in the rematch.
    """
    tournament = lock_tournament(tournament.pk)
    if not tournament.is_final or table_of(tournament) is None:
        raise Conflict("goes-on", _("This game isn’t over yet."))
    following = rematch_of(tournament)
    if following is None:
        for key in Table.objects.filter(round__tournament=tournament).order_by("pk").values_list("pk", flat=True):
            notify_page(lock_table(key))  # invite the other players
        following = _make_rematch(tournament, entry, by)
    mine = following.entries.select_related("player").filter(player=entry.player_id).first()
    table = table_of(following)
    if mine is None or table is None:
        raise Conflict("gone", _("You have no seat in the next game. Watch, or open a new table."))
    return mine, table


def _make_rematch(tournament: Tournament, entry: Entry, by: User | None) -> Tournament:
    """Create a game with the same players, bots and rules, and seal its first deck."""
    new_game = new_table(owner=tournament.owner, game=game_at(tournament))
    staying = tournament.entries.filter(status=Entry.Status.ACTIVE, player__erased_at=None).order_by("number")
    Entry.objects.bulk_create(
        Entry(tournament=new_game, player_id=old.player_id, number=old.number, bot=old.bot) for old in staying
    )
    if len(staying) < FEWEST:
        raise Conflict("alone", _("The other players have left. Open a new table."))
    note(tournament=new_game, by=by, action="clone", new={"from": tournament.slug, "players": len(staying)})
    note(
        tournament=tournament,
        by=Attribution(by, player=None if by else entry),
        action="rematch",
        new={"to": new_game.slug},
    )
    open_round(new_game, by)
    return new_game


def next_due() -> datetime | None:
    """Return when `tidy` has something to watch: since the first open casual table."""
    tables = Tournament.objects.filter(kind=Tournament.Kind.CASUAL).exclude(state=Tournament.State.CLOSED)
    return tables.order_by("created_at").values_list("created_at", flat=True).first()


def tidy(now: datetime) -> int:
    """Continue games that stopped after a hand, close tables unused for a day, and return the number of both."""
    casual = Tournament.objects.filter(kind=Tournament.Kind.CASUAL)
    open_deal = Deal.objects.open().filter(table__round__tournament=OuterRef("pk"))
    stuck = casual.filter(~Exists(open_deal), state=Tournament.State.RUNNING).values_list("pk", flat=True)
    followed_up = _do_at_each(stuck, go_on)
    before = now - QUIET
    rows = LogEntry.objects.filter(tournament=OuterRef("pk"), at__gte=before)
    moves = Move.objects.filter(deal__table__round__tournament=OuterRef("pk"), at__gte=before)
    quiet = casual.exclude(state=Tournament.State.CLOSED).filter(~Exists(rows), ~Exists(moves), created_at__lt=before)
    return followed_up + _do_at_each(quiet.values_list("pk", flat=True), _close_quiet)


def _do_at_each(keys: Iterable[int], do: Callable[..., None]) -> int:
    """Call `do` for each table and return the number of successes; a failure doesn't stop the rest."""
    done = 0
    for key in list(keys):
        try:
            do(tournament_id=key)
            done += 1
        except (OperationalError, InterfaceError):
            raise  # the database, not the table
        except Exception:
            logger.exception("A casual table could not be tidied: %s", key)
    return done


@transaction.atomic
def _close_quiet(*, tournament_id: int) -> None:
    tournament = lock_tournament(tournament_id)
    if tournament.state == Tournament.State.RUNNING:
        end(tournament, _("No moves for a day."))
    elif tournament.state == Tournament.State.PLANNED:
        tournament.state, tournament.closed_at = Tournament.State.CLOSED, timezone.now()
        tournament.save(update_fields=["state", "closed_at"])
        note(tournament=tournament, by=None, action="close-lobby")
