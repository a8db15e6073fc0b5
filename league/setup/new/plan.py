"""The estimate of a new tournament in words: players, tables, rounds, hands, length."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats.estimate import Evening
from league.setup.new.suggest import length_in_words

FOUR = 4  # players at a table in a schedule that is drawn ahead


@dataclass(frozen=True)
class Fact:
    label: str
    value: str


@dataclass(frozen=True)
class Plan:
    """The estimate, or why there is none yet.

    unread: number of unreadable lines. impossible: why it can’t be played. question: missing input. warnings: about the
    names.
    """

    facts: Sequence[Fact] = ()
    hints: Sequence[str] = ()
    unread: str = ""
    impossible: str = ""
    question: str = ""
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class InShort:
    """The estimate next to the button on a phone: “8 players”, “2 h 24, until about 21:24”, or why there is none."""

    players: str = ""
    length: str = ""


def plan_of(evening: Evening, *, ends: str, meetings: str, warnings: Sequence[str] = ()) -> Plan:
    """ends: estimated end; meetings: how often players meet. Both may be empty."""
    is_estimate = evening.about and not evening.games
    facts = [
        Fact(_("Teams") if evening.of_teams else _("Players"), _players(evening)),
        Fact(_("Tables in round 1") if is_estimate else _("Tables"), _tables(evening)),
        Fact(_("Rounds"), _rounds(evening)),
        Fact(_("Hands"), _hands(evening)),
        Fact(_("Takes about"), length_in_words(evening.minutes)),
    ]
    if ends:
        facts.append(Fact(_("Ends about"), ends))
    return Plan(facts, _hints(evening, meetings), warnings=warnings)


def in_short(evening: Evening, ends: str) -> InShort:
    players = _("%(count)s teams") if evening.of_teams else _("%(count)s players")
    until = _("until about %(time)s") % {"time": ends}
    length = length_in_words(evening.minutes)
    return InShort(players % {"count": evening.players}, f"{length}, {until}" if ends else length)


def unread_lines(count: int) -> str:
    words = ngettext("%(count)s line cannot be read", "%(count)s lines cannot be read", count)
    return words % {"count": count} if count else ""


def _players(evening: Evening) -> str:
    """Return “9, 1 bye a round”; only the number if the byes aren't known."""
    if evening.about:
        return str(evening.players)
    byes = _("no byes")
    if evening.byes:
        byes = ngettext("%(count)s bye a round", "%(count)s byes a round", evening.byes) % {"count": evening.byes}
    return f"{evening.players}, {byes}"


def _tables(evening: Evening) -> str:
    """“2 of 4, 1 of 3”"""
    exact = not (evening.about or evening.games)
    sizes = [(count, FOUR if exact else size) for count, size in evening.tables]
    return ", ".join(_("%(count)s of %(size)s") % {"count": count, "size": size} for count, size in sizes)


def _rounds(evening: Evening) -> str:
    if evening.open_rounds:
        return _("no fixed number")
    if evening.about and not evening.games:
        return _("about %(count)s") % {"count": evening.rounds}
    return str(evening.rounds)


def _hands(evening: Evening) -> str:
    if evening.stages > 1:
        words = _("%(count)s for the finalists")
    elif evening.about and evening.games:
        words = _("about %(count)s at the longest tables")
    elif evening.about:
        words = _("about %(count)s until one is left")
    elif evening.plan:
        words = _("%(count)s to the final")
    elif evening.of_teams:
        words = _("%(count)s for each team")
    else:
        words = _("%(count)s for each player")
    return words % {"count": evening.hands}


def _hints(evening: Evening, meetings: str) -> list[str]:
    hints = []
    if evening.about:
        hints.append(_("Estimated from hands that bots played with these cards."))
    elif evening.cycles > 1 and not meetings:
        hints.append(_cycles(evening))
    return [*hints, meetings] if meetings else hints


def _cycles(evening: Evening) -> str:
    if evening.of_teams:
        sentence = ngettext(
            "Everyone meets everyone %(count)s time", "Everyone meets everyone %(count)s times", evening.cycles
        )
    else:
        sentence = ngettext(
            "The whole schedule %(count)s time", "The whole schedule %(count)s times over", evening.cycles
        )
    return sentence % {"count": evening.cycles}
