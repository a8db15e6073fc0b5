"""Lets a newcomer take over a bot's seat and points, never its cards.

The bot finishes a hand in play; until then the newcomer sees what watchers see.
"""

from itertools import count

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.hands.locks import lock_table
from games.models import Deal
from games.online.casual.tables import check_name, table_of
from games.online.play.notify import notify_page
from games.online.play.places import BOT_WAS
from league.access.viewer import Attribution
from league.ledger.locks import lock_tournament
from league.ledger.progress import race_of
from league.ledger.race import RaceLedger
from league.lib.errors import Conflict
from league.lib.names import looks
from league.log.write import note, player_in_log
from league.models import Entry, Player, Table, Tournament, User


def bot_to_replace(table: Table) -> Entry | None:
    """Return the bot whose seat a newcomer gets: the last one added of those still in."""
    if not table.round.is_open or table.round.tournament.is_final:
        return None
    bots = still_in(table, race_of(table.round)).exclude(bot="")
    return bots.select_related("player").order_by("-number").first()


def still_in(table: Table, race: RaceLedger | None) -> QuerySet[Entry]:
    """Return the players of the table who aren't eliminated. race: None if the game eliminates no one."""
    seated = Entry.objects.filter(seats__table=table)
    return seated if race is None else seated.filter(public_id__in=race.state.still_in)


@transaction.atomic
def take_over(*, tournament: Tournament, name: str, by: User | None) -> tuple[Entry, Table]:
    """Give a newcomer a bot's seat and points from the next hand. An empty name makes a guest.

    Raises `Conflict` if no bot plays, and `Refused("name")`.
    """
    tournament = lock_tournament(tournament.pk)
    table = table_of(tournament)
    if table is None or tournament.is_final:
        raise Conflict("closed", _("This table is closed. Open a new one."))
    table = lock_table(table.pk)
    entry = bot_to_replace(table)
    if entry is None:
        raise Conflict("full", _("No seat is free. Watch, or open a new table."))
    if name:
        check_name(tournament, name)
    bot, them = entry.player, player_in_log(entry)
    entry.player, entry.bot = Player.objects.create(name=name or _guest(tournament)), ""
    entry.link_generation += 1  # old links to the bot's seat are not this person's
    entry.save(update_fields=["player", "bot", "link_generation"])
    for deal in Deal.objects.filter(table__round__tournament=tournament):
        _hand_over(deal, entry, bot.name)
    if not bot.entries.exists():
        bot.delete()
    notify_page(table)
    note(
        tournament=tournament,
        by=Attribution(by, player=None if by else entry),
        action="take-over",
        old=them,
        new=player_in_log(entry),
    )
    return entry, table


def _hand_over(deal: Deal, entry: Entry, bot: str) -> None:
    """Leave dealt hands to the bot; a waiting hand waits for the new player."""
    for place in deal.places:
        if place["entry"] != entry.pk or BOT_WAS in place:
            continue
        if deal.state == Deal.State.WAITING:
            place.update(bot="", ready=False)
        else:
            place[BOT_WAS] = bot
        deal.save(update_fields=["places"])


def _guest(tournament: Tournament) -> str:
    taken = {looks(name) for name in tournament.entries.values_list("player__name", flat=True)}
    guest = _("Guest")
    names = (f"{guest} {number}" if number > 1 else guest for number in count(1))
    return next(name for name in names if looks(name) not in taken)
