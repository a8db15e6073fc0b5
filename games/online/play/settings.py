"""Changes how a tournament's online tables play, and which tables are online."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Deal, OnlineSettings
from games.online.play.deals import abandon, open_deal, settings_of
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Table, Tournament, User
from league.rounds.tables import changeable_round, lock_tables_of
from league.setup.online import follow_online, tables_online

# Numeric columns of `OnlineSettings`: (least, most).
LIMITS = {
    "move_seconds": (5, 600),
    "bank_seconds": (0, 1800),
    "no_show_seconds": (10, 3600),
    "between_seconds": (5, 900),
    "misses": (1, 20),
    "spectator_delay": (0, 50),
}
SETTINGS = (*LIMITS, "no_show", "absent", "bot")


@transaction.atomic
def change_online(
    *,
    tournament: Tournament,
    by: User | None,
    online: str | None = None,
    options: Collection[str] | None = None,
    **settings: Any,
) -> None:
    """Set the online tables, the house rules and the clocks. None: no change.

    `online` as in `Tournament.online`; drafts follow at once, `put_online` changes single tables. `settings` are valid
    columns of `OnlineSettings`. Raises `Refused("online")`, and `Conflict("started")` for other `options` once the
    rules are fixed.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    stage = tournament.stage
    before = settings_of(tournament)
    old = {"online": tournament.online, "options": sorted(stage.options)}
    old |= {name: getattr(before, name) for name in SETTINGS}
    new = {name: settings[name] for name in SETTINGS if name in settings}
    new |= {"online": tables_online(online)} if online is not None else {}
    new |= {"options": sorted(set(options))} if options is not None else {}
    changed = [name for name, value in new.items() if value != old[name]]
    if not changed:
        return
    if "options" in changed:
        if tournament.has_begun:
            raise Conflict("started", _("Locked since round 1 was published."))
        tournament.stages.update(options=new["options"])
    if "online" in changed:
        tournament.online = new["online"]
        tournament.save(update_fields=["online"])
        follow_online(tournament)
    OnlineSettings.objects.update_or_create(
        tournament=tournament, defaults={name: new[name] for name in SETTINGS if name in new}
    )
    note(
        tournament=tournament,
        by=by,
        action="online-settings",
        old={name: old[name] for name in changed},
        new={name: new[name] for name in changed},
    )


def copy_settings(tournament: Tournament, copy: Tournament) -> None:
    """Copy the settings for “Again next week”."""
    settings = OnlineSettings.objects.filter(tournament=tournament).first()
    if settings is not None:
        OnlineSettings.objects.create(tournament=copy, **{name: getattr(settings, name) for name in SETTINGS})


@transaction.atomic
def put_online(
    *,
    tournament: Tournament,
    round_number: int,
    online: Collection[int] = (),
    paper: Collection[int] = (),
    by: User | None,
) -> None:
    """Play these tables of a round online from the next hand, and those of `paper` with real cards.

    Other tables don't change. Abandons a waiting deck at a table that leaves online play. Raises `Refused`, and
    `Conflict("in-play")` for a table with a hand in play.
    """
    tournament = lock_tournament(tournament.pk)
    played = changeable_round(tournament, round_number)
    used = played.tables.exclude(state=Table.State.VOID)
    numbers = dict(used.values_list("pk", "number"))
    if not set(numbers.values()).issuperset({*online, *paper}):
        raise Refused("table", _("Round %(number)d has no such table.") % {"number": round_number})
    tables = lock_tables_of(played, numbers.keys())
    before = _online(tables)
    for table in tables:
        mode = Table.Mode.ONLINE if table.number in online else Table.Mode.OFFLINE
        if table.number in (*online, *paper) and table.mode != mode:
            _change(table, mode)
    if before != (after := _online(tables)):
        note(
            tournament=tournament,
            by=by,
            action="put-online",
            round_number=round_number,
            old={"tables": before},
            new={"tables": after},
        )


def _online(tables: Collection[Table]) -> list[int]:
    return sorted(table.number for table in tables if table.mode == Table.Mode.ONLINE)


def _change(table: Table, mode: str) -> None:
    deal = open_deal(table)
    if deal is not None and deal.state == Deal.State.PLAYING:
        message = _("A hand is in play at table %(table)d. Wait until it ends, or cancel it.")
        raise Conflict("in-play", message % {"hand": deal.number, "table": table.number})
    table.mode = mode
    table.save(update_fields=["mode"])
    if deal is not None:
        abandon(deal, _("The table is no longer online."))
