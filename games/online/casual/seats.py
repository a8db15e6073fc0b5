"""Somebody who comes when a casual table has begun takes over from a bot: its seat and its points, never its cards.

A hand that is in play the bot plays to its end; the newcomer sees no more of it than who watches.
"""

from itertools import count

from django.db import transaction
from django.utils.translation import gettext as _

from games.hands.locks import lock_table
from games.models import Deal
from games.online.casual.tables import check_name, table_of
from games.online.play.places import BOT_WAS
from games.online.play.tell import tell_page
from league.ledger.locks import lock_tournament
from league.ledger.progress import race_of
from league.lib.errors import Conflict
from league.lib.search import fold
from league.log.write import note, who
from league.models import Entry, Player, Table, Tournament, User


def bot_to_replace(table: Table) -> Entry | None:
    """Whose seat a newcomer gets: of the bots who are still in, that of the one who came last."""
    race = race_of(table.round)
    if race is None or not table.round.is_open or table.round.tournament.is_final:
        return None
    still_in = Entry.objects.filter(public_id__in=race.state.still_in, seats__table=table).exclude(bot="")
    return still_in.select_related("player").order_by("-number").first()


@transaction.atomic
def take_over(*, tournament: Tournament, name: str, by: User | None) -> tuple[Entry, Table]:
    """The seat and the points of a bot are somebody's from the next hand on. Without a name they are a guest.

    Raises `Conflict` where no bot plays any more, and `Refused("name")`.
    """
    tournament = lock_tournament(tournament.pk)
    table = table_of(tournament)
    if table is None or tournament.is_final:
        raise Conflict("closed", _("This game is over. Open a new table."))
    table = lock_table(table.pk)
    entry = bot_to_replace(table)
    if entry is None:
        raise Conflict(
            "full", _("No bot plays here any more, so there is no seat to take. Watch, or open a new table.")
        )
    if name:
        check_name(tournament, name)
    bot, them = entry.player, who(entry)
    entry.player, entry.bot = Player.objects.create(name=name or _guest(tournament)), ""
    entry.link_generation += 1  # whoever had a link to the bot's seat is not this person
    entry.save(update_fields=["player", "bot", "link_generation"])
    for deal in Deal.objects.filter(table__round__tournament=tournament):
        _hand_over(deal, entry, bot.name)
    if not bot.entries.exists():
        bot.delete()
    tell_page(table)
    note(tournament=tournament, by=by, player=None if by else entry, action="take-over", old=them, new=who(entry))
    return entry, table


def _hand_over(deal: Deal, entry: Entry, bot: str) -> None:
    """Hands that were dealt remain the bot's; for one that waits its new player is asked."""
    for place in deal.places:
        if place["entry"] != entry.pk or BOT_WAS in place:
            continue
        if deal.state == Deal.State.WAITING:
            place.update(bot="", ready=False)
        else:
            place[BOT_WAS] = bot
        deal.save(update_fields=["places"])


def _guest(tournament: Tournament) -> str:
    taken = {fold(one) for one in tournament.entries.values_list("player__name", flat=True)}
    guest = _("Guest")
    names = (f"{guest} {number}" if number > 1 else guest for number in count(1))
    return next(one for one in names if fold(one) not in taken)
