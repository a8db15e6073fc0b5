"""Casual tables: a tournament of one table, shared by its address and played at once.

Each player is an entry; the creator, or the first player after them, is the host. A waiting table is a planned
tournament. `end.py` describes its end and the rematch.
"""

from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from games.hands.locks import lock_table
from games.models import OnlineSettings
from games.online.casual.game import FEWEST, MOST, Game, rules_columns
from games.online.play.deals import next_deal
from league.access.viewer import Attribution
from league.accounts.close import guests
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.lib.names import looks
from league.log.write import note, player_in_log
from league.models import Entry, Player, Stage, Table, Tournament, User
from league.rounds.steps import start
from league.setup.create import create_tournament

USUAL = 4  # players, with bots for missing people
# Bots' names: as many as places at a table, so one is always free.
NAMES = ("Ada", "Biscuit", "Comet", "Domino", "Echo", "Fig", "Gizmo", "Hazel", "Iggy", "Juno")
# A game among friends waits less than an event in a hall.
CLOCKS = {"move_seconds": 30, "bank_seconds": 60, "no_show_seconds": 60, "between_seconds": 60}


@transaction.atomic
def make_casual(*, name: str, by: User | None, game: Game | None = None, bots: int = 0) -> Entry:
    """Create a table with its creator and this number of bots. `by`: the creator's account, if any."""
    game = game or Game()
    game.check()
    tournament = new_table(owner=by, game=game)
    host = _sit(tournament, name=name, by=by)
    for _bot in range(bots):
        _sit_bot(tournament, host, by)
    return host


def new_table(*, owner: User | None, game: Game) -> Tournament:
    """Create an empty casual table."""
    tournament = create_tournament(
        Tournament(
            owner=owner or guests(),
            name=_("Casual table"),
            kind=Tournament.Kind.CASUAL,
            starts_on=timezone.localdate(),
            time_zone=timezone.get_default_timezone_name(),
            visibility=Tournament.Visibility.UNLISTED,
            online="all",
            players_report=False,
            confirm_after=None,
        ),
        [game.planned_stage()],
        edition=game.edition,
    )
    Stage.objects.filter(tournament=tournament).update(options=sorted(set(game.options)))
    OnlineSettings.objects.create(tournament=tournament, bot=game.bot, **CLOCKS)
    return tournament


@transaction.atomic
def play_now(*, name: str, by: User | None, game: Game | None = None, bots: int = USUAL - 1) -> tuple[Entry, Table]:
    """Create and start a table with bots. The cards are dealt once the creator's browser has revealed its share."""
    host = make_casual(name=name, by=by, game=game, bots=bots)
    return host, begin(tournament=host.tournament, host=host, by=by)


@transaction.atomic
def join(*, tournament: Tournament, name: str, by: User | None) -> Entry:
    """Give a player a place; if all are taken, that of the last bot. Raises `Conflict` and `Refused`."""
    tournament = _lock_lobby(tournament)
    places = list(tournament.entries.order_by("number"))
    if len(places) >= MOST:
        bot = next((entry for entry in reversed(places) if entry.bot), None)
        if bot is None:
            sentence = _("All %(most)d places are taken.")
            raise Conflict("full", sentence % {"most": MOST})
        _stand_up(tournament, bot, None, by)
    return _sit(tournament, name=name, by=by)


@transaction.atomic
def add_bot(*, tournament: Tournament, host: Entry, by: User | None) -> Entry:
    tournament = _lock_lobby(tournament)
    _check_host(tournament, host)
    if tournament.entries.count() >= MOST:
        raise Conflict("full", _("All %(most)d places are taken.") % {"most": MOST})
    return _sit_bot(tournament, host, by)


@transaction.atomic
def stand_up(*, tournament: Tournament, public_id: str, entry: Entry, by: User | None) -> None:
    """Remove a player before the start; the host may remove anyone, including bots. Does nothing if already gone."""
    tournament = _lock_lobby(tournament)
    leaving = tournament.entries.select_related("player").filter(public_id=public_id).first()
    if leaving is None:
        return
    if leaving.pk != entry.pk:
        _check_host(tournament, entry)
    _stand_up(tournament, leaving, entry, by)


def game_at(tournament: Tournament) -> Game:
    """Return what is played at the table. Tables from before bots had levels have no settings of theirs."""
    settings = OnlineSettings.objects.filter(tournament=tournament).first()
    return Game.of(tournament.stage, settings or OnlineSettings())


@transaction.atomic
def choose_rules(*, tournament: Tournament, host: Entry, game: Game, by: User | None) -> None:
    """Set the game, as chosen by the host before the start. All bots play at its level."""
    game.check()
    tournament = _lock_lobby(tournament)
    _check_host(tournament, host)
    old, new = _in_log(game_at(tournament)), _in_log(game)
    if new == old:
        return
    Stage.objects.filter(pk=tournament.stage.pk).update(**rules_columns(game))
    OnlineSettings.objects.filter(tournament=tournament).update(bot=game.bot)
    tournament.entries.exclude(bot="").update(bot=game.bot)
    _note(tournament, "rules", host, by, old=old, new=new)


def _in_log(game: Game) -> dict[str, Any]:
    return {
        "edition": game.edition,
        "format": game.format,
        "target": game.target,
        "options": sorted(set(game.options)),
        "bot": game.bot,
    }


@transaction.atomic
def begin(*, tournament: Tournament, host: Entry, by: User | None, fill: bool = False) -> Table:
    """Publish the one round and seal the first deck. `fill`: add bots up to the usual number.

    If it has started, return its table. Raises `Refused("too-few")` for one player alone, and `Conflict` for anyone but
    the host.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.state == Tournament.State.PLANNED:
        _check_host(tournament, host)
        while fill and tournament.entries.count() < USUAL:
            _sit_bot(tournament, host, by)
        if tournament.entries.count() < FEWEST:
            raise Refused("too-few", _("At least two players are needed. Invite a friend or add a bot."))
        open_round(tournament, by)
    table = table_of(tournament)
    if table is None:
        raise Conflict("closed", _("This table is closed. Open a new one."))
    return table


def open_round(tournament: Tournament, by: User | None) -> None:
    """Draw and publish the first round of a waiting table, and seal its first deck."""
    start(tournament=tournament, by=by)
    table = table_of(tournament)
    assert table is not None
    next_deal(lock_table(table.pk))


def table_of(tournament: Tournament) -> Table | None:
    """Return the current or last table. The last two have their own."""
    tables = Table.objects.filter(round__in=tournament.rounds.shown())
    return tables.select_related("round__stage", "round__tournament").order_by("-round__number", "-pk").first()


def host_of(tournament: Tournament) -> Entry | None:
    """Return the first person at the table."""
    return tournament.entries.select_related("player").filter(bot="").order_by("number").first()


def _check_host(tournament: Tournament, entry: Entry) -> None:
    host = host_of(tournament)
    if host is None or host.pk != entry.pk:
        raise Conflict("not-host", _("Only the host can do this."))


def _lock_lobby(tournament: Tournament) -> Tournament:
    """Lock and return the table; it must still be waiting for players."""
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        raise Conflict("closed", _("This table is closed. Open a new one."))
    if tournament.state != Tournament.State.PLANNED:
        raise Conflict("started", _("The game has started. Watch, and join the next one."))
    return tournament


def _note(
    tournament: Tournament, action: str, entry: Entry | None, by: User | None, *, old: Any = None, new: Any = None
) -> None:
    """Log an action by the account, or else by the player."""
    note(tournament=tournament, by=Attribution(by, player=None if by else entry), action=action, old=old, new=new)


def check_name(tournament: Tournament, name: str) -> None:
    """Raise `Refused("name")` if the name looks like another one at the table."""
    taken = {looks(other) for other in tournament.entries.values_list("player__name", flat=True)}
    if looks(name) in taken:
        sentence = _("The name %(name)s is taken. Choose another one.")
        raise Refused("name", sentence % {"name": name}, fields={"name": [sentence % {"name": name}]})


def _sit(tournament: Tournament, *, name: str, by: User | None) -> Entry:
    check_name(tournament, name)
    entry = _new_entry(tournament, name)
    _note(tournament, "sit-down", entry, by, new=player_in_log(entry))
    return entry


def _sit_bot(tournament: Tournament, host: Entry, by: User | None) -> Entry:
    taken = set(tournament.entries.values_list("player__name", flat=True))
    called = (_("Bot %(name)s") % {"name": name} for name in NAMES)
    level = game_at(tournament).bot
    entry = _new_entry(tournament, next(name for name in called if name not in taken), bot=level)
    _note(tournament, "add-bot", host, by, new=player_in_log(entry))
    return entry


def _new_entry(tournament: Tournament, name: str, bot: str = "") -> Entry:
    last: int = tournament.entries.aggregate(last=Max("number"))["last"] or 0
    player = Player.objects.create(name=name)
    return Entry.objects.create(tournament=tournament, player=player, number=last + 1, bot=bot)


def _stand_up(tournament: Tournament, leaving: Entry, entry: Entry | None, by: User | None) -> None:
    them, player = player_in_log(leaving), leaving.player
    leaving.delete()
    if not player.entries.exists():
        player.delete()
    _note(tournament, "stand-up", entry, by, old=them)
