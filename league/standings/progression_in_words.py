"""What pages say where only some go on from a round: who is through, who went out where, what ranks."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats.ladder import rung_in_words
from league.formats.progression import ACTIVE, DROPPED, EXTRA_HAND, HANDS_WON, LOT, OUT, Line, State
from league.lib.translate import names, translate
from league.models import Stage


def line_in_words(line: Line, name_of: Mapping[str, str]) -> str:
    """“through”, “through as one of the best of the others”, “eliminated in round 1, place 3 at table 2”,
    “eliminated in round 2, by Ana”, “second ladder: through”."""
    said = _place_in_words(line, name_of)
    if said and line.lost:
        return _("%(said)s, with one loss") % {"said": said}
    if not said or not line.second or line.status == DROPPED:
        return said
    return _("second ladder: %(said)s") % {"said": said}


def _place_in_words(line: Line, name_of: Mapping[str, str]) -> str:
    if line.round is None:
        return _("dropped out") if line.status == DROPPED else ""
    words = {"round": line.round, "table": line.table, "place": line.place}
    if line.status == DROPPED:
        return _("dropped out in round %(round)d") % words
    if line.for_third:
        said = _("plays for third place")
    elif line.status == ACTIVE:
        if line.table is None and not line.through:
            return _("a free round in round %(round)d") % words
        if not line.through and line.place is None:
            return ""
        if not line.through:
            said = _("place %(place)d at table %(table)d") % words
        elif line.again:
            said = _("plays once more")
        else:
            said = _("through as one of the best of the others") if line.lucky else _("through")
    elif line.by is not None and line.by in name_of:
        said = _("eliminated in round %(round)d, by %(name)s") % {"round": line.round, "name": name_of[line.by]}
    elif line.by is not None:
        said = _("eliminated in round %(round)d") % words
    else:
        said = _("eliminated in round %(round)d, place %(place)d at table %(table)d") % words
    if line.by_lot:
        return _("%(said)s, by lot") % {"said": said}
    if line.decided_by in (HANDS_WON, EXTRA_HAND) and not line.through:
        return f"{said}, {decided_in_words(line.decided_by)}"
    return said


def decided_in_words(code: str) -> str:
    """What broke a tie, for the end of a line: “by lot”."""
    return {HANDS_WON: _("by hands won"), EXTRA_HAND: _("by an extra hand"), LOT: _("by lot")}.get(code, "")


def cut_in_words(state: State, name_of: Mapping[str, str]) -> list[str]:
    """Who goes on from the round that was closed last, and who moves up for somebody who does not come."""
    lines = state.lines.values()
    lost = [line for line in lines if line.through and line.lost]
    through = [line for line in lines if line.through and not line.second and not line.lost]
    beside = [line for line in lines if line.through and line.second]
    if lost:
        said = [_("Without a loss: %(names)s.") % _named(through, name_of)] if through else []
        said.append(_("With one loss: %(names)s.") % _named(lost, name_of))
        return [*said, *_by_lot([*through, *lost], name_of)]
    second = [_("%(names)s go on in the second ladder.") % _named(beside, name_of)] if beside else []
    second += _by_lot(beside, name_of)
    if not through:
        return second
    lucky, again = ([name_of[line.entry] for line in through if getattr(line, how)] for how in ("lucky", "again"))
    by_place = [line for line in through if not (line.lucky or line.again)]
    if again:
        said = [_("%(names)s sit out the next round.") % _named(by_place, name_of)]
        said.append(_("%(names)s play once more.") % {"names": names(again)})
    else:
        said = [_("%(names)s go on.") % _named(by_place, name_of)]
    if lucky:
        said.append(
            ngettext(
                "%(names)s goes on as one of the best of the others.",
                "%(names)s go on as the best of the others.",
                len(lucky),
            )
            % {"names": names(lucky)}
        )
    if again:
        by_lot = [name_of[line.entry] for line in by_place if line.by_lot]
        level = _("Level with somebody who plays once more, so decided by lot: %(names)s.")
        said += [level % {"names": names(by_lot)}] if by_lot else []
    else:
        said += _by_lot(through, name_of)
    last = through[0].round
    waiting = (line for line in lines if line.round == last and line.status != DROPPED)
    reserve = next((line for line in waiting if line.status == OUT or line.second or line.again), None)
    if state.rungs and reserve is not None:  # in a tree nobody moves up
        words = {"name": name_of[reserve.entry]}
        if again:
            said.append(_("Next in line to wait: %(name)s.") % words)
        else:
            said.append(_("If somebody does not come, %(name)s moves up.") % words)
    if third := [name_of[line.entry] for line in lines if line.for_third and line.through]:
        said.append(_("%(names)s play for third place.") % {"names": names(third)})
    return [*said, *second]


def _by_lot(lines: Iterable[Line], name_of: Mapping[str, str]) -> list[str]:
    by_lot = [name_of[line.entry] for line in lines if line.by_lot]
    sentence = _("Level with somebody who does not, so decided by lot: %(names)s.")
    return [sentence % {"names": names(by_lot)}] if by_lot else []


def _named(lines: Iterable[Line], name_of: Mapping[str, str]) -> dict[str, str]:
    return {"names": names(name_of[line.entry] for line in lines)}


def order_in_words(state: State, stage: Stage) -> str:
    """What decides who goes on from the round that was seated last, in a few sentences."""
    in_tree = stage.plays.in_tree
    said = [_("Whoever wins a duel goes on; a level one is played on, one hand at a time.")] if in_tree else []
    if stage.plays.forgives(stage.values):
        said.append(_("Whoever has lost once plays on against others who have; a second loss eliminates."))
    if state.rungs:
        rung = state.rungs[-1]
        said.append(translate(rung_in_words(rung)) + ".")
        if not in_tree and rung.tables > 1:
            said.append(_("Tables are compared by place, then by points divided by the mean of the table."))
    said.append(_("Everybody begins each round at 0: the points are those of the last round that somebody played."))
    if in_tree:
        said.append(_("In a duel that was closed level: hands won, then the drawn lot."))
    else:
        said.append(_("Equal points at a table: hands won, then the drawn lot."))
        said.append(_("In the final tied players share the place, unless they play an extra hand."))
    said.append(_("Who leaves in the same round shares the place."))
    return " ".join(said)
