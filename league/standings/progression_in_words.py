"""Word elimination stages: qualifiers, eliminations and ranking rules."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats.ladder import rung_in_words
from league.formats.progression import ACTIVE, DROPPED, EXTRA_HAND, HANDS_WON, LOT, OUT, Line, State
from league.lib.translate import names, translate
from league.models import Stage


def line_in_words(line: Line, name_of: Mapping[str, str]) -> str:
    """Return a line's state: “qualified”, “qualified as next best”, “eliminated in round 1, place 3 at table 2”,
    “eliminated in round 2, by Ana” or “second ladder: qualified”.
    """
    state = _place_in_words(line, name_of)
    if state and line.lost:
        return _("%(state)s, with one loss") % {"state": state}
    if not state or not line.second or line.status == DROPPED:
        return state
    return _("second ladder: %(state)s") % {"state": state}


def _place_in_words(line: Line, name_of: Mapping[str, str]) -> str:
    if line.round is None:
        return _("withdrawn") if line.status == DROPPED else ""
    words = {"round": line.round, "table": line.table, "place": line.place}
    if line.status == DROPPED:
        return _("withdrew in round %(round)d") % words
    if line.for_third:
        state = _("plays for third place")
    elif line.status == ACTIVE:
        if line.table is None and not line.through:
            return _("a bye in round %(round)d") % words
        if not line.through and line.place is None:
            return ""
        if not line.through:
            state = _("place %(place)d at table %(table)d") % words
        elif line.again:
            state = _("plays again")
        else:
            state = _("qualified as next best") if line.lucky else _("qualified")
    elif line.by is not None and line.by in name_of:
        state = _("eliminated in round %(round)d, by %(name)s") % {"round": line.round, "name": name_of[line.by]}
    elif line.by is not None:
        state = _("eliminated in round %(round)d") % words
    else:
        state = _("eliminated in round %(round)d, place %(place)d at table %(table)d") % words
    if line.by_lot:
        return _("%(state)s, by random tie-break") % {"state": state}
    if line.decided_by in (HANDS_WON, EXTRA_HAND) and not line.through:
        return f"{state}, {decided_in_words(line.decided_by)}"
    return state


def decided_in_words(code: str) -> str:
    """Return what broke a tie, for the end of a line: “by random tie-break”."""
    words = {HANDS_WON: _("by hands won"), EXTRA_HAND: _("by an extra hand"), LOT: _("by random tie-break")}
    return words.get(code, "")


def cut_in_words(state: State, name_of: Mapping[str, str]) -> list[str]:
    """Return the qualifiers of the round closed last, and the next in line if a player is missing."""
    lines = state.lines.values()
    lost = [line for line in lines if line.through and line.lost]
    through = [line for line in lines if line.through and not line.second and not line.lost]
    second_ladder = [line for line in lines if line.through and line.second]
    if lost:
        sentences = [_("No losses: %(names)s.") % _named(through, name_of)] if through else []
        sentences.append(_("One loss: %(names)s.") % _named(lost, name_of))
        return [*sentences, *_by_lot([*through, *lost], name_of)]
    second = [_("Second ladder: %(names)s.") % _named(second_ladder, name_of)] if second_ladder else []
    second += _by_lot(second_ladder, name_of)
    if not through:
        return second
    lucky, again = ([name_of[line.entry] for line in through if getattr(line, how)] for how in ("lucky", "again"))
    by_place = [line for line in through if not (line.lucky or line.again)]
    if again:
        sentences = [_("Bye in the next round: %(names)s.") % _named(by_place, name_of)]
        sentences.append(_("Play again: %(names)s.") % {"names": names(again)})
    else:
        sentences = [_("Qualified: %(names)s.") % _named(by_place, name_of)]
    if lucky:
        sentences.append(
            ngettext(
                "Qualified as next best: %(names)s.",
                "Qualified as next best: %(names)s.",
                len(lucky),
            )
            % {"names": names(lucky)}
        )
    if again:
        by_lot = [name_of[line.entry] for line in by_place if line.by_lot]
        level = _("Tied with a player who plays again; a random tie-break decided: %(names)s.")
        sentences += [level % {"names": names(by_lot)}] if by_lot else []
    else:
        sentences += _by_lot(through, name_of)
    last = through[0].round
    waiting = (line for line in lines if line.round == last and line.status != DROPPED)
    reserve = next((line for line in waiting if line.status == OUT or line.second or line.again), None)
    if state.rungs and reserve is not None:  # a tree has no reserve
        words = {"name": name_of[reserve.entry]}
        if again:
            sentences.append(_("Next in line for a bye: %(name)s.") % words)
        else:
            sentences.append(_("If a player is missing, %(name)s moves up.") % words)
    if third := [name_of[line.entry] for line in lines if line.for_third and line.through]:
        sentences.append(_("Play for third place: %(names)s.") % {"names": names(third)})
    return [*sentences, *second]


def _by_lot(lines: Iterable[Line], name_of: Mapping[str, str]) -> list[str]:
    by_lot = [name_of[line.entry] for line in lines if line.by_lot]
    sentence = _("Tied with a player who didn’t qualify; a random tie-break decided: %(names)s.")
    return [sentence % {"names": names(by_lot)}] if by_lot else []


def _named(lines: Iterable[Line], name_of: Mapping[str, str]) -> dict[str, str]:
    return {"names": names(name_of[line.entry] for line in lines)}


def order_in_words(state: State, stage: Stage) -> str:
    """Return sentences about how players advance from the round seated last."""
    in_tree = stage.plays.in_tree
    sentences = [_("The winner of a duel advances; a tie is played on, one hand at a time.")] if in_tree else []
    if stage.plays.forgives(stage.values):
        sentences.append(_("A player with one loss continues on the losers’ side; a second loss eliminates."))
    if state.rungs:
        rung = state.rungs[-1]
        sentences.append(translate(rung_in_words(rung)) + ".")
        if not in_tree and rung.tables > 1:
            sentences.append(
                _("Players of different tables are ranked by place, then by points divided by their table’s mean.")
            )
    sentences.append(_("Each round starts at 0; the points shown are of the player’s last round."))
    if in_tree:
        sentences.append(_("In a duel closed with a tie: hands won, then a random tie-break."))
    else:
        sentences.append(_("Equal points at a table: hands won, then a random tie-break."))
        sentences.append(_("Players tied in the final share the place, unless they play an extra hand."))
    sentences.append(_("Players eliminated in the same round share a place."))
    return " ".join(sentences)
