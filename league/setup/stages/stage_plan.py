"""The stage plan of a tournament: the stages after the first, and who advances to each."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.formats import FORMATS
from league.formats import groups as grouped
from league.formats.protocol import Format
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.log.write import note
from league.models import Stage, Tournament, User
from league.rounds.cut import FEWEST_BESIDE
from league.setup.stages.rules import check_rules
from league.standings import tie_breaks as registry

MOST_STAGES = 5
SHARES = (0, 50, 100)


@dataclass(frozen=True)
class PlannedStage:
    """A stage to play. takes: number of qualifiers, best first; None: everyone, as in a first stage.

    others_play: eliminated players play its second ladder. carries: percent of points carried over. by_place: its
    groups are finals, the best play the first. scoring: empty for the default. settings: only those that differ from
    the defaults.
    """

    format: str
    takes: int | None = None
    others_play: bool = False
    carries: int = 0
    groups: int = 1
    scoring: str = ""
    tie_breaks: Sequence[str] = registry.DEFAULT_ORDER
    settings: Mapping[str, int | None] = field(default_factory=dict)
    by_place: bool = False

    @property
    def finals(self) -> int:
        return self.groups if self.by_place else 1

    @classmethod
    def of(cls, stage: Stage) -> "PlannedStage":
        return cls(
            stage.format,
            stage.takes,
            stage.others_play,
            stage.carries,
            stage.groups,
            stage.scoring,
            stage.tie_breaks,
            stage.settings,
            stage.by_place,
        )


def check_stage(stage: PlannedStage, edition: str, players: int | None) -> Format:
    """Return the format. Raises `Refused` for rules that can’t be played. players: None or 0 if unknown."""
    return check_rules(
        format=stage.format,
        edition=edition,
        scoring=stage.scoring,
        settings=stage.settings,
        players=players if stage.groups == 1 else None,  # groups are checked one by one
    )


def rules_of(stage: PlannedStage) -> dict[str, Any]:
    """Return the rule columns of a `Stage`. The rules must be checked."""
    plays = FORMATS[stage.format]
    return {
        "settings": plays.complete(stage.settings),
        "scoring": stage.scoring or plays.scorings[0],
        "tie_breaks": list(stage.tie_breaks) if plays.tie_breaks else [],
    }


def check_plan(stages: Sequence[PlannedStage], edition: str, players: int | None) -> None:
    """Raise `Refused` if the stages can't follow each other.

    Examples: groups without a later stage, too many qualifiers, points that don't compare. The rules of the first stage
    must be checked. players: None or 0 if unknown.
    """
    before, number = stages[0], players
    if why := grouped.problem(FORMATS[before.format], before.settings, players, before.groups):
        raise _refused("groups", translate(why))
    if len(stages) > MOST_STAGES:
        raise _refused("then", _("A tournament has at most %(most)d stages.") % {"most": MOST_STAGES})
    for stage in stages[1:]:
        number = _check_after(before, stage, edition, number)
        before = stage
    if before.groups > 1 and not before.by_place:
        raise _refused("groups", _("Groups have no overall winner. Add a stage after them."))


def _check_after(before: PlannedStage, stage: PlannedStage, edition: str, players: int | None) -> int | None:
    """Return the number of players of the stage. Raises `Refused`."""
    there = stage.takes if stage.takes is not None else players
    plays = check_stage(stage, edition, there)
    former = check_format(before.format)
    if plays.enters != former.enters:
        raise _refused("format", _("All stages must be for players, or all for teams."))
    if before.by_place:
        raise _refused("finals", _("No stage can follow parallel finals."))
    if stage.by_place and stage.groups < 2:
        raise _refused("finals", _("Choose at least two parallel finals."))
    if stage.takes is None:
        if stage.by_place:
            raise _refused("takes", _("Choose how many players the finals take in total."))
        if before.groups > 1:
            raise _refused("takes", _("Choose how many players advance from the groups."))
        if stage.others_play:
            raise _refused("others_play", _("Everyone advances, so a second ladder has no players."))
    elif stage.takes < 2:
        raise _refused("takes", _("At least two must advance."))
    elif players and stage.takes >= players + stage.by_place:
        words = {"players": players, "takes": stage.takes}
        raise _refused("takes", _("%(takes)d of %(players)d players can’t advance. Choose fewer.") % words)
    if why := grouped.problem(plays, stage.settings, there, stage.groups, by_place=stage.by_place):
        raise _refused("finals" if stage.by_place else "groups", translate(why))
    _check_others(plays, stage, players)
    if stage.carries not in SHARES:
        raise _refused("carries", _("Choose 0, 50 or 100 percent of the points to carry over."))
    if stage.carries:
        same = (before.scoring or former.scorings[0]) == (stage.scoring or plays.scorings[0])
        if not (plays.takes_points and former.takes_points and same):
            names = {"before": _(former.name), "after": _(plays.name)}
            raise _refused(
                "carries", _("Points from “%(before)s” can’t be carried over to “%(after)s”. Choose none.") % names
            )
    return there


def _check_others(plays: Format, stage: PlannedStage, players: int | None) -> None:
    if not stage.others_play:
        return
    if not plays.may_play_parallel:
        sentence = _("Only heats can have a second ladder.")
        raise _refused("others_play", sentence)
    if plays.has_second_ladder(plays.complete(stage.settings)):
        raise _refused("others_play", _("Choose one second ladder: for eliminated players, or from round 1."))
    if players and stage.takes is not None and players - stage.takes < FEWEST_BESIDE:
        raise _refused("others_play", _("A second ladder needs at least two players."))


def check_format(format: str) -> Format:
    return check_rules(format=format, edition="classic", settings={}, players=None)


def _refused(name: str, sentence: str) -> Refused:
    return Refused("settings", sentence, fields={name: [sentence]})


def make_stages(tournament: Tournament, first: Stage, then: Sequence[PlannedStage]) -> None:
    """Create the stages after `first`, or update existing ones. They must be checked.

    A stage's random seed depends on its number, so changing the plan never re-draws. Raises `Conflict` if a removed or
    changed stage has undone hands.
    """
    there = {stage.number: stage for stage in tournament.stages.filter(number__gt=first.number)}
    for number, stage in enumerate(then, first.number + 1):
        columns: dict[str, Any] = {
            "format": stage.format,
            "edition": first.edition,
            **rules_of(stage),
            "lot_seed": sha256(f"{first.lot_seed}/stage {number}".encode()).hexdigest()[:16],
            "options": first.options,
            "groups": stage.groups,
            "by_place": stage.by_place,
            "takes": stage.takes,
            "others_play": stage.others_play,
            "carries": stage.carries,
        }
        old = there.pop(number, None)
        if old is None:
            Stage.objects.create(tournament=tournament, number=number, **columns)
            continue
        if (old.format, old.scoring) != (columns["format"], columns["scoring"]):
            _check_never_played(old)
        Stage.objects.filter(pk=old.pk).update(**columns)
    for old in there.values():
        _check_never_played(old)
        old.delete()


def _check_never_played(stage: Stage) -> None:
    if stage.rounds.exists():
        message = _("Stage %(number)d already has hands, so its format is fixed. Change who advances instead.")
        raise Conflict("was-begun", message % {"number": stage.number})


def to_come(tournament: Tournament) -> list[Stage]:
    """Return the stages after the current one."""
    number = tournament.stage.number
    return [stage for stage in tournament.stages.all() if stage.number > number]


@transaction.atomic
def set_stages(
    *, tournament: Tournament, then: Sequence[PlannedStage], groups: int | None = None, by: User | None
) -> list[Stage]:
    """Replace the stages after the current one and, before its draw, set the number of groups (None: unchanged).

    Raises `Refused`, and `Conflict` if the standings are final.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    stage = tournament.stage
    groups = stage.groups if groups is None else groups
    if groups != stage.groups and (stage.number > 1 or stage.started_at is not None or tournament.rounds.exists()):
        raise Conflict("drawn", _("Round 1 is drawn. Undo the draw to change the groups."))
    players = stage.members.count() or tournament.entries.count()
    first = PlannedStage(stage.format, groups=groups, scoring=stage.scoring, settings=stage.settings)
    check_plan([first, *then], stage.edition, players if stage.takes is None else stage.takes)
    old = [PlannedStage.of(later) for later in to_come(tournament)]
    if list(then) == old and groups == stage.groups:
        return to_come(tournament)
    Stage.objects.filter(pk=stage.pk).update(groups=groups)
    make_stages(tournament, stage, then)
    new: dict[str, Any] = {"groups": groups, "then": [_in_log(later) for later in then]}
    note(tournament=tournament, by=by, action="set-stages", old={"then": list(map(_in_log, old))}, new=new)
    return list(tournament.stages.filter(number__gt=stage.number))


def _in_log(stage: PlannedStage) -> dict[str, Any]:
    return asdict(stage) | {"settings": dict(stage.settings), "tie_breaks": list(stage.tie_breaks)}
