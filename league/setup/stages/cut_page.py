"""A cut before it is made, as the organiser sees it: groups, qualifiers, and who moves up."""

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.formats.cut import Placed, cut_in_words
from league.formats.groups import problem
from league.ledger.in_words import group_title, stage_title
from league.lib.translate import names, translate
from league.models import Stage, Tournament
from league.rounds.cut import CutNow, cut_now
from league.rounds.steps import NextStep


@dataclass(frozen=True)
class Row:
    """last: the last qualifier of the group by place, above the line. note: what broke a tie, if anything."""

    name: str
    points: int
    goes_on: bool
    last: bool
    note: str = ""


@dataclass(frozen=True)
class Group:
    name: str
    rows: tuple[Row, ...]


class Station(NamedTuple):
    """A stop of the bar above the next step."""

    word: str
    here: bool
    done: bool


@dataclass(frozen=True)
class CutPage:
    """A cut before it is made. number: of qualifiers. said: sentences about them. cannot: why the cut is impossible, or
    empty."""

    stage: Stage
    number: int
    rule: str
    groups: tuple[Group, ...]
    sentences: tuple[str, ...]
    cannot: str
    path: tuple[Station, ...]

    @property
    def several(self) -> bool:
        return len(self.groups) > 1


def cut_of_page(tournament: Tournament, step: NextStep) -> CutPage | None:
    """Return the cut for a step that makes one; None for every other step."""
    if step.kind != "cut":
        return None
    stage = tournament.stages.get(number=int(step.token.partition("-")[2]))
    now = cut_now(tournament, stage)
    name_of_entry = {entrant.id: entrant.name for entrant in now.book.entrants}
    why = problem(stage.plays, stage.settings, len(now.cut.advancing), stage.groups, by_place=stage.by_place)
    return CutPage(
        stage=stage,
        number=len(now.cut.advancing),
        rule=translate(cut_in_words(stage.takes or 0, now.book.stage.groups, stage.finals)),
        groups=tuple(_groups(now, name_of_entry)),
        sentences=tuple(_sentences(now, name_of_entry)),
        cannot=translate(why) if why else "",
        path=_path(tournament, stage.number),
    )


def _groups(now: CutNow, called: dict[str, str]) -> list[Group]:
    goes_on = {one.entry for one in now.cut.advancing}
    finals = {one.entry: number for number, final in enumerate(now.finals, 1) for one in final}
    by_group: dict[int, list[Placed]] = {}
    for one in (*now.cut.advancing, *now.cut.others):
        by_group.setdefault(one.group, []).append(one)
    groups = []
    for number, placed in sorted(by_group.items()):
        placed.sort(key=lambda one: one.place)
        rows = tuple(
            Row(
                called[one.entry],
                one.result.points,
                one.entry in goes_on,
                one.entry in goes_on and not any(other.entry in goes_on for other in placed[at:]),
                _note(one, now, finals.get(one.entry)),
            )
            for at, one in enumerate(placed, 1)
        )
        several = now.book.stage.groups > 1
        title = group_title(number) if several else _("Standings")
        groups.append(Group(title, rows))
    return groups


def _note(one: Placed, now: CutNow, final: int | None) -> str:
    """final: number of the player's final, None for players who don't advance."""
    if now.stage.by_place and final:
        title = group_title(final, by_place=True)
        return _("%(title)s, by random tie-break") % {"title": title} if one.by_lot else title
    if one.by_lot:
        return _("by random tie-break")
    if final and one.place > now.cut.best:
        return _("next best")
    return ""


def _sentences(now: CutNow, called: dict[str, str]) -> list[str]:
    """Return sentences on qualifiers by comparison or random tie-break, on who moves up, left, or plays on."""

    def listed(ones: tuple[Placed, ...] | list[Placed]) -> str:
        return names(called[one.entry] for one in ones)

    sentences = []
    if lucky := now.cut.lucky:
        message = _("Next best, by points per hand: %(names)s.")
        sentences.append(message % {"names": listed(lucky)})
    if now.stage.by_place:
        sentences += [
            f"{group_title(number, by_place=True)}: {listed(final)}." for number, final in enumerate(now.finals, 1)
        ]
    if by_lot := [one for one in now.cut.advancing if one.by_lot]:
        sentences.append(_("Random tie-break: %(names)s.") % {"names": listed(by_lot)})
    if now.cut.others:
        name = called[now.cut.others[0].entry]
        sentences.append(_("If a player is missing, %(name)s moves up.") % {"name": name})
    if now.absent:
        left = names(called[entry] for entry in now.absent if entry in called)
        sentences.append(_("Already left: %(names)s.") % {"names": left})
    if now.second_ladder:
        sentences.append(_("On the second ladder: %(count)d.") % {"count": len(now.second_ladder)})
    return sentences


def _path(tournament: Tournament, number: int) -> tuple[Station, ...]:
    """Return the stages as stops, with the cut between its two stages."""
    stations = []
    for stage in tournament.stages.all():
        if stage.number == number:
            stations.append(Station(_("The cut"), here=True, done=False))
        stations.append(Station(stage_title(stage), here=False, done=stage.number < number))
    return tuple(stations)
