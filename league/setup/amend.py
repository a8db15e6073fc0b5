"""Change settings after the start. The stage stores the reason, which appears under the standings."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.formats import Chosen, Format
from league.formats.setting import AT_ONCE
from league.ledger.locks import lock_tournament
from league.ledger.scores import settle_tables
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Round, Stage, Table, Tournament, User
from league.rounds.draw import forget_drafts
from league.rounds.redraw import change_number
from league.rounds.steps import draw_following
from league.rounds.tables import check_reason
from league.setup.stages.rules import check_rules


@transaction.atomic
def amend_rules(
    *, tournament: Tournament, tie_breaks: Sequence[str] | None = None, reason: str, by: User | None, **settings: Any
) -> list[str]:
    """Change settings of a tournament that has started, and return the names of the changed fields.

    A change affects unpublished rounds, including drafts, or every round, as `Setting.amended` says; tie-breaks affect
    every round. Settings that aren't given stay.
    """
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stage
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    if not tournament.has_begun:
        raise Conflict("not-started", _("It hasn’t started yet. Change the rules instead."))
    _refuse_fixed(stage.plays, settings)
    # The number of players was valid at the start and the schedule is drawn, so don't check it again.
    check_rules(format=stage.format, edition=stage.edition, settings=_all(stage, settings), players=None)
    old: dict[str, Any] = stage.values
    new: dict[str, Any] = stage.plays.complete(_all(stage, settings))
    if tie_breaks is not None and stage.plays.tie_breaks:
        old, new = old | {"tie_breaks": stage.tie_breaks}, new | {"tie_breaks": list(tie_breaks)}
    changed = [field for field in new if new[field] != old[field]]
    if not changed:
        return []
    check_reason(reason)
    if "rounds" in changed:
        _check_rounds(stage, new["rounds"])
    at = timezone.now().isoformat()
    stage.amendments += [
        {"at": at, "field": field, "old": old[field], "new": new[field], "reason": reason.strip()[:200]}
        for field in changed
    ]
    stage.tie_breaks = new.pop("tie_breaks", stage.tie_breaks)
    stage.settings = new
    stage.save(update_fields=["settings", "tie_breaks", "amendments"])
    if any(setting.amended == AT_ONCE for setting in stage.plays.settings if setting.name in changed):
        settle_tables(tournament)
    new |= {"tie_breaks": stage.tie_breaks}
    note(
        tournament=tournament,
        by=by,
        action="amend",
        old={field: old[field] for field in changed},
        new={field: new[field] for field in changed},
        reason=reason.strip()[:200],
    )
    _bring_drafts_up_to_date(tournament, stage, changed, by)
    return changed


def _all(stage: Stage, settings: Chosen) -> Chosen:
    """Return the stage's settings with `settings` on top. Choosing one of an exclusive group unsets the rest."""
    groups = [setting.name for setting in stage.plays.settings if setting.one_of]
    unset = groups if any(settings.get(name) is not None for name in groups) else []
    return {**stage.values, **dict.fromkeys(unset), **settings}


def _refuse_fixed(plays: Format, settings: Chosen) -> None:
    """Raise `Refused` for settings that the format lacks or that are fixed from the start."""
    amended = {setting.name: setting for setting in plays.settings if setting.amended}
    for name in settings:
        if name not in amended:
            known = ", ".join(_(setting.label) for setting in amended.values())
            words = {"name": name, "known": known}
            sentence = _("“%(name)s” can’t change after the start. These can: %(known)s.") % words
            raise Refused("settings", sentence, fields={name: [sentence]})


def _check_rounds(stage: Stage, rounds: int | None) -> None:
    published = stage.rounds.shown().count()
    if rounds is not None and rounds < published:
        sentence = _("Rounds already published: %(count)d. Choose at least as many.") % {"count": published}
        raise Refused("settings", sentence, fields={"rounds": [sentence]})


def _bring_drafts_up_to_date(tournament: Tournament, stage: Stage, changed: Sequence[str], by: User | None) -> None:
    if stage.drawn_ahead and "rounds" in changed:
        change_number(tournament, stage, by)
    drafts = list(tournament.rounds.filter(state=Round.State.DRAFT))
    if not drafts:
        return
    if stage.drawn_ahead:
        if "hands_per_round" in changed:
            Table.objects.filter(round__in=drafts).update(hands_wanted=stage.hands_per_round)
        return
    if not {setting.name for setting in stage.plays.settings}.intersection(changed):
        return  # the seating doesn't depend on it
    forget_drafts(tournament, drafts, by)
    draw_following(tournament, stage, by)
