"""Ends a casual table by itself, as soon as nobody has anything more to play; and makes the next game of its people."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from games.hands.locks import lock_table
from games.models import Deal, Move
from games.online.casual.tables import FEWEST, SHORT, new_table, open_round, table_of
from games.online.play.deals import abandon, next_deal
from games.online.play.places import BOT_WAS
from games.online.play.tell import tell_page
from league.access.viewer import Attribution
from league.ledger.locks import lock_tables, lock_tournament
from league.ledger.progress import PLAYING, race_of, table_now
from league.ledger.race import RaceLedger
from league.lib.errors import Conflict
from league.log.write import note
from league.models import Entry, LogEntry, Round, Table, Tournament, User
from league.rounds.steps import advance, end_early, next_step

logger = logging.getLogger(__name__)

QUIET = timedelta(hours=24)  # a table that nobody touched for so long is closed
ABSENT_HANDS = 2  # hands in a row without any person end a game


@transaction.atomic
def go_on(*, tournament_id: int) -> None:
    """After a hand, open the table of the last two or make the standings final; else the game goes on as it is.

    It ends early when only bots have something left to play, or nobody was there for two hands.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.kind != Tournament.Kind.CASUAL or tournament.state != Tournament.State.RUNNING:
        return
    played = tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING)).first()
    if played is None:
        return
    table, race = played.tables.get(), race_of(played)
    assert race is not None
    if race.state.has_more and (why := _why_nobody_plays(tournament, table, race)):
        end(tournament, why)
    elif table_now(table, race).state == PLAYING:
        next_deal(lock_table(table.pk))
    else:
        _clear(lock_table(table.pk))  # before the end of the log, which is the last lock
        step = next_step(tournament)
        while step.kind in ("close", "finish"):
            step = advance(tournament=tournament, token=step.token, by=None)
            following = table_of(tournament)
            if following is not None and following.pk != table.pk:
                next_deal(lock_table(following.pk))
                return


def _why_nobody_plays(tournament: Tournament, table: Table, race: RaceLedger) -> str:
    """Why nobody is left to play a game that goes on; empty if somebody is."""
    people = set(tournament.entries.filter(bot="").values_list("pk", "public_id"))
    still_in = {key for key, public_id in people if public_id in race.state.still_in}
    if not still_in:
        return _("Only bots are left.")
    last = table.deals.filter(state=Deal.State.OVER).order_by("-id")[:ABSENT_HANDS]
    # Whoever took over a seat during a hand is there, although the bot played that hand to its end.
    absent = [
        [place["bot"] and BOT_WAS not in place for place in deal.places if place["entry"] in still_in] for deal in last
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
    """Deal nothing more there, and tell its pages. The caller holds the table's lock."""
    for deal in table.deals.open():
        deal.table = table
        abandon(deal, why)
    tell_page(table)


def rematch_of(tournament: Tournament) -> Tournament | None:
    """The next game of the same people, once somebody has asked for it."""
    row = LogEntry.objects.filter(tournament=tournament, action="rematch").first()
    return Tournament.objects.filter(slug=row.new["to"]).first() if row and isinstance(row.new, dict) else None


@transaction.atomic
def rematch(*, tournament: Tournament, entry: Entry, by: User | None) -> tuple[Entry, Table]:
    """The next game: whoever asks first makes it, the others take their seats in it.

    Raises `Conflict` while the game goes on, and for players who are not in the next one.
    """
    tournament = lock_tournament(tournament.pk)
    if not tournament.is_final or table_of(tournament) is None:
        raise Conflict("goes-on", _("This game isn’t over yet."))
    following = rematch_of(tournament)
    if following is None:
        for key in Table.objects.filter(round__tournament=tournament).order_by("pk").values_list("pk", flat=True):
            tell_page(lock_table(key))  # the others are asked to come along
        following = _make_rematch(tournament, entry, by)
    mine = following.entries.select_related("player").filter(player=entry.player_id).first()
    table = table_of(following)
    if mine is None or table is None:
        raise Conflict("gone", _("You have no seat in the next game. Watch, or open a new table."))
    return mine, table


def _make_rematch(tournament: Tournament, entry: Entry, by: User | None) -> Tournament:
    """A new game of the same people and bots by the same rules, with its first deck sealed."""
    stage = tournament.stage
    new_game = new_table(
        owner=tournament.owner, edition=stage.edition, target=stage.values["target"] or SHORT, options=stage.options
    )
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


def tidy(now: datetime) -> int:
    """Go on where nothing followed the end of a hand, close tables that nobody touched for a day, and count them."""
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
    """Do it at each table and count them; a table where it fails holds up no other."""
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
