"""Tags for pages of a tournament that tell of its online tables."""

from collections.abc import Iterable
from typing import Any

from django import template

from games.online.overview import in_play
from league.models import Table, Tournament

register = template.Library()


@register.inclusion_tag("games/online/_in_play.html")
def online_tables(tournament: Tournament, tables: Iterable[Table]) -> dict[str, Any]:
    return {"tournament": tournament, "lines": in_play(tournament, tables)}
