"""How online tables of a tournament are played, and which tables of the open round are."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Deal, OnlineSettings
from games.online.deals import abandon, open_deal, settings_of
from league.errors import Conflict, Refused
from league.models import Round, Table, Tournament, User
from league.services.locks import lock_tournament
from league.services.log import note
from league.services.online import follow_online, tables_online

SETTINGS = (
    "move_seconds",
    "bank_seconds",
    "no_show_seconds",
    "between_seconds",
    "no_show",
    "absent",
    "misses",
    "bot",
    "spectator_delay",
)


@transaction.atomic
def change_online(
    *, tournament: Tournament, by: User | None, online: str, options: Collection[str] | None = None, **settings: Any
) -> None:
    """Which tables are played online, by which options of the rules, and how their clocks run.

    `online` as in `Tournament.online`; tables that are drafts follow at once, those of a round that is being played are
    changed by `put_online`. `settings` are the columns of `OnlineSettings`, each of them valid. Raises
    `Refused("online")`, and `Conflict("started")` for other `options` once the rules stand.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    stage = tournament.stages.get()
    before = settings_of(tournament)
    old = {"online": tournament.online, "options": sorted(stage.options)}
    old |= {name: getattr(before, name) for name in SETTINGS}
    new = {name: settings[name] for name in SETTINGS if name in settings} | {"online": tables_online(online)}
    new |= {"options": sorted(options)} if options is not None else {}
    changed = [name for name, value in new.items() if value != old[name]]
    if not changed:
        return
    if "options" in changed:
        if stage.started_at is not None:
            raise Conflict("started", _("The options of the rules were fixed when round 1 was published."))
        stage.options = new["options"]
        stage.save(update_fields=["options"])
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
    """“Again next week” takes them along."""
    settings = OnlineSettings.objects.filter(tournament=tournament).first()
    if settings is not None:
        OnlineSettings.objects.create(tournament=copy, **{name: getattr(settings, name) for name in SETTINGS})


@transaction.atomic
def put_online(*, tournament: Tournament, round_number: int, numbers: Collection[int], by: User | None) -> None:
    """Play these tables of the open round online from the next hand on, and all others with real cards.

    A deck that waits at a table that is not online any more is abandoned. Raises `Refused`, and `Conflict("in-play")`
    for a table where a hand is being played online.
    """
    tournament = lock_tournament(tournament.pk)
    played = tournament.rounds.filter(number=round_number).exclude(state=Round.State.VOID).first()
    if played is None or not played.is_open or tournament.is_final:
        raise Conflict("closed", _("Round %(number)d is not being played.") % {"number": round_number})
    played.tournament = tournament
    tables = list(played.tables.select_for_update().exclude(state=Table.State.VOID).order_by("pk"))
    if not {table.number for table in tables}.issuperset(numbers):
        raise Refused("table", _("Round %(number)d has no such table.") % {"number": round_number})
    before = _online(tables)
    for table in tables:
        mode = Table.Mode.ONLINE if table.number in numbers else Table.Mode.OFFLINE
        if table.mode != mode:
            table.round = played
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
        message = _(
            "Hand %(hand)d of table %(table)d is being played online. Wait until it is over, or let it be voided."
        )
        raise Conflict("in-play", message % {"hand": deal.number, "table": table.number})
    table.mode = mode
    table.save(update_fields=["mode"])
    if deal is not None:
        abandon(deal, _("The table is not played online any more."))
