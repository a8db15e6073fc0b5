"""What is played, in every place that says so."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats import FORMATS, challenge
from league.formats.challenge import Settings
from league.models import Stage


def rounds_in_all(stage: Stage, drawn: int) -> int | None:
    """How many rounds there will be: those that are drawn, None where each is drawn when the one before is closed."""
    return drawn if FORMATS[stage.format].DRAWN_AHEAD else None


def what_is_played(stage: Stage, players: int, rounds: int) -> str:
    """“Individual pairs, 8 players, 7 rounds”, “Challenge UNO, 8 players at 2 tables, to 500”.

    After the start tables grow fewer as people go out, so they are not counted any more.
    """
    form = FORMATS[stage.format]
    parts = [_(form.NAME)]
    if form.DRAWN_AHEAD:
        if players:
            parts.append(_players(players))
        if rounds:
            parts.append(ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds})
        return ", ".join(parts)
    if players:
        begun = stage.started_at is not None
        parts.append(_players(players) if begun else _players_at_tables(players, stage.table_size))
    return ", ".join([*parts, _("to %(target)d") % {"target": stage.target or Settings.target}])


def _players(players: int) -> str:
    return ngettext("%(count)d player", "%(count)d players", players) % {"count": players}


def _players_at_tables(players: int, table_size: int) -> str:
    tables = challenge.count_tables(players, table_size)
    words = ngettext("%(players)s at one table", "%(players)s at %(count)d tables", tables)
    return words % {"players": _players(players), "count": tables}
