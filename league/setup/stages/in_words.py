"""The stage plan in words."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats import FORMATS
from league.formats.cut import cut_in_words
from league.lib.translate import translate
from league.models import Stage
from league.setup.stages.stage_plan import PlannedStage


def groups_in_words(groups: int) -> str:
    return ngettext("%(count)d group", "%(count)d groups", groups) % {"count": groups}


def who_in_words(stage: PlannedStage | Stage, groups: int) -> str:
    """Return who advances to a stage from `groups` groups: “The best 2 of each group go on. …”"""
    parts = [_("Everyone advances")]
    if stage.takes is not None:
        parts = [translate(cut_in_words(stage.takes, groups, stage.finals))]
    if stage.carries:
        parts.append(_("all points carried over") if stage.carries == 100 else _("half the points carried over"))
    words = ", ".join(parts) + "."
    second_ladder = _("Eliminated players play a second ladder.")
    return f"{words} {second_ladder}" if stage.others_play else words


def plan_in_words(groups: int, then: Sequence[PlannedStage]) -> str:
    """Return “4 groups. The best 2 of each group go on. Heats and a final.”"""
    parts = [f"{groups_in_words(groups)}."] if groups > 1 else []
    for stage in then:
        parts += [who_in_words(stage, groups), f"{_(FORMATS[stage.format].name)}."]
        groups = stage.groups
    return " ".join(parts) or _("None")
