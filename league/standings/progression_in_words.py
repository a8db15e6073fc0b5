"""What pages say where only some go on from a round: who is through, who went out where, what ranks."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats.ladder import rung_in_words
from league.formats.progression import ACTIVE, DROPPED, OUT, Line, State
from league.lib.translate import names, translate


def line_in_words(line: Line) -> str:
    """“through”, “through as one of the best of the others”, “eliminated in round 1, place 3 at table 2”, “second
    ladder: through”."""
    said = _place_in_words(line)
    if not said or not line.second or line.status == DROPPED:
        return said
    return _("second ladder: %(said)s") % {"said": said}


def _place_in_words(line: Line) -> str:
    if line.round is None:
        return _("dropped out") if line.status == DROPPED else ""
    words = {"round": line.round, "table": line.table, "place": line.place}
    if line.status == DROPPED:
        return _("dropped out in round %(round)d") % words
    if line.status == ACTIVE:
        if not line.through:
            return _("place %(place)d at table %(table)d") % words
        said = _("through as one of the best of the others") if line.lucky else _("through")
    else:
        said = _("eliminated in round %(round)d, place %(place)d at table %(table)d") % words
    return _("%(said)s, by lot") % {"said": said} if line.by_lot else said


def cut_in_words(state: State, name_of: Mapping[str, str]) -> list[str]:
    """Who goes on from the round that was closed last, and who moves up for somebody who does not come."""
    lines = state.lines.values()
    through = [line for line in lines if line.through and not line.second]
    beside = [line for line in lines if line.through and line.second]
    if not through:
        return [_("%(names)s go on in the second ladder.") % _named(beside, name_of)] if beside else []
    lucky = [name_of[line.entry] for line in through if line.lucky]
    said = [_("%(names)s go on.") % {"names": names(name_of[line.entry] for line in through if not line.lucky)}]
    if lucky:
        said.append(
            ngettext(
                "%(names)s goes on as one of the best of the others.",
                "%(names)s go on as the best of the others.",
                len(lucky),
            )
            % {"names": names(lucky)}
        )
    if by_lot := [name_of[line.entry] for line in through if line.by_lot]:
        said.append(_("Level with somebody who does not, so decided by lot: %(names)s.") % {"names": names(by_lot)})
    last = through[0].round
    if reserve := next((line for line in lines if line.round == last and (line.status == OUT or line.second)), None):
        said.append(_("If somebody does not come, %(name)s moves up.") % {"name": name_of[reserve.entry]})
    if beside:
        said.append(_("%(names)s go on in the second ladder.") % _named(beside, name_of))
    return said


def _named(lines: Iterable[Line], name_of: Mapping[str, str]) -> dict[str, str]:
    return {"names": names(name_of[line.entry] for line in lines)}


def order_in_words(state: State) -> str:
    """What decides who goes on from the round that was seated last, in a few sentences."""
    said = []
    if state.rungs:
        rung = state.rungs[-1]
        said.append(translate(rung_in_words(rung)) + ".")
        if rung.lucky:
            said.append(
                _("The others are compared by their places, then by their points against the mean of their table.")
            )
    said.append(_("Everybody begins each round at 0: the points are those of the last round that somebody played."))
    said.append(_("Equal points at a table: hands won, then the drawn lot."))
    said.append(_("Who leaves in the same round shares the place."))
    return " ".join(said)
