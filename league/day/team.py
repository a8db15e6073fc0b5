"""What the day's page shows about one team: where it plays, who plays for it, and who could."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from league.day.forms import SubstituteForm
from league.entries.team_forms import LineUpForm
from league.ledger.lineups import members_of, usual_players
from league.models import Entry, Seat


def team_context(entry: Entry, seats: Sequence[Seat], tables: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """seats: those with hands to come, both of each round, by round. tables: as the choices of a form."""
    members = [member.player for member in members_of([entry])[entry.pk]]
    usual = {player.pk for player in usual_players(members_of([entry])[entry.pk])}
    playing = {seat.member: seat.substitute for seat in reversed(seats)}  # in the first of these rounds
    present = {player.pk for player in playing.values() if player}
    swaps = [
        (f"{place}-{player.pk}", _("%(new)s for %(name)s") % {"new": player, "name": playing[place]})
        for place in sorted(playing)
        for player in members
        if player.pk not in present
    ]
    places = [(str(place), str(player)) for place, player in sorted(playing.items(), key=lambda item: item[0])]
    by_round: dict[int, list[Seat]] = {}
    for seat in seats:
        by_round.setdefault(seat.round.number, []).append(seat)
    return {
        "lineups": [(of_round[0], [str(seat.substitute) for seat in of_round]) for of_round in by_round.values()],
        "names": [(player.pk, player.name) for player in members],
        "places": places,
        "swaps": swaps,
        "tables": tables,
        "substituted": [seat for seat in seats if seat.substitute_id not in usual],
        "lineup_form": LineUpForm(swaps=swaps, tables=tables) if swaps else None,
        "substitute_form": SubstituteForm(tables=tables, places=places) if seats else None,
    }
