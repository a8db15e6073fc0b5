"""Describe what is played."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats.groups import name_of
from league.formats.seating.golfers import count_tables
from league.ledger.field import rounds_planned
from league.lib.translate import translate
from league.models import Stage


def rounds_in_all(stage: Stage, drawn: int) -> int | None:
    """Return the number of the last round, drawn or planned; None if unknown.

    `drawn` is the tournament's number of rounds, including earlier stages.
    """
    if stage.drawn_ahead:
        return drawn
    rounds = rounds_planned(stage)
    return None if rounds is None else max(drawn, stage.rounds_before + rounds)


def stage_title(stage: Stage) -> str:
    """Return “Groups”, “Finals”, or the format's name, as the title of one of several stages."""
    if stage.groups > 1:
        return _("Finals") if stage.by_place else _("Groups")
    return _(stage.plays.name)


def group_title(group: int, *, by_place: bool = False) -> str:
    """Return “Group A”, or “Final A” for parallel finals."""
    words = _("Final %(name)s") if by_place else _("Group %(name)s")
    return words % {"name": name_of(group)}


def second_title(stage: Stage) -> str:
    """Return the title of tables outside the first ladder or tree."""
    if stage.plays.forgives(stage.values):
        return _("Losers’ side")
    return _("Third place") if stage.plays.in_tree else _("Second ladder")


def what_is_played(stage: Stage, players: int, rounds: int, tables: int = 0) -> str:
    """Return for example “Individual pairs, 8 players, 7 rounds” or “Points race, 8 players at 2 tables, 3 rounds of 4
    hands”.

    `tables` is the current number of tables after the start; 0 omits it.
    """
    parts = [_(stage.plays.name)]
    who = entries_in_words(stage, players)
    if stage.drawn_ahead:
        if players:
            parts.append(who)
        if rounds := rounds - stage.rounds_before:
            parts.append(ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds})
        return ", ".join(parts)
    if players:
        if stage.started_at is None:
            tables = count_tables(players, stage.table_size)
        parts.append(_at_tables(who, tables) if tables else who)
    return ", ".join([*parts, *map(translate, stage.plays.rounds_in_words(stage.values, stage.scoring))])


def entries_in_words(stage: Stage, count: int) -> str:
    """Return “6 teams” or “8 players”."""
    return teams_in_words(count) if stage.has_teams else _players(count)


def teams_in_words(teams: int) -> str:
    return ngettext("%(count)d team", "%(count)d teams", teams) % {"count": teams}


def _players(players: int) -> str:
    return ngettext("%(count)d player", "%(count)d players", players) % {"count": players}


def _at_tables(who: str, tables: int) -> str:
    words = ngettext("%(players)s at one table", "%(players)s at %(count)d tables", tables)
    return words % {"players": who, "count": tables}
