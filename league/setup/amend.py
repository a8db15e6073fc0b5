"""Change settings after the start, with a reason that is stored in the stage and shown under the standings."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats import FORMATS, Wanted
from league.ledger.locks import lock_tournament
from league.ledger.scores import settle_tables
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Round, Stage, Table, Tournament, User
from league.rounds.draw import forget_drafts
from league.rounds.steps import draw_following
from league.rounds.tables import check_reason
from league.setup.create import check_rules

# The fields that may still change, by format; rounds that were drawn, cards and scoring may not.
AMENDABLE = {
    "pairs": ("hands_per_round", "bye_points", "tie_breaks"),
    "teams": ("hands_per_round", "bye_points", "tie_breaks"),
    "challenge": ("hands_per_round", "table_size", "target"),
    "points": ("hands_per_round", "table_size", "target", "rounds_wanted", "tie_breaks"),
}


@transaction.atomic
def amend_rules(
    *,
    tournament: Tournament,
    hands_per_round: int | None,
    table_size: int | None = None,
    target: int | None = None,
    bye_points: int | None = None,
    rounds: int | None = None,
    tie_breaks: Sequence[str] | None = None,
    reason: str,
    by: User | None,
) -> list[str]:
    """Change settings of a tournament that has started, and return the fields that did change.

    Hands, rounds, table size, the worth of a bye and the target of a points race hold for rounds that are not published
    yet, including drafts. Tie-breaks and the target of a Challenge UNO hold for everything at once, so they may change
    ranks, and who is out. None leaves a setting as it is, with two exceptions: as `hands_per_round` it means as long as
    the round lasts, and as a points race's `target` a number of hands. Settings that the format lacks are ignored.
    """
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stages.get()
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    if stage.started_at is None:
        raise Conflict("not-started", _("It has not started yet: change the rules themselves."))
    values: dict[str, Any] = {
        "table_size": table_size,
        "target": target,
        "bye_points": bye_points,
        "rounds_wanted": rounds,
        "tie_breaks": None if tie_breaks is None else list(tie_breaks),
    }
    new = {"hands_per_round": hands_per_round} | {field: value for field, value in values.items() if value is not None}
    if stage.format == "points":
        new |= {"target": target, "hands_per_round": None if target else hands_per_round}
    new = {field: value for field, value in new.items() if field in AMENDABLE[stage.format]}
    old = {field: getattr(stage, field) for field in new}
    changed = [field for field in new if new[field] != old[field]]
    if not changed:
        return []
    check_reason(reason)
    _check(stage, new)
    _check_rounds(tournament, new.get("rounds_wanted"))
    at = timezone.now().isoformat()
    for field in changed:
        setattr(stage, field, new[field])
        stage.amendments.append(
            {"at": at, "field": field, "old": old[field], "new": new[field], "reason": reason.strip()[:200]}
        )
    stage.save(update_fields=[*changed, "amendments"])
    if "target" in changed:
        settle_tables(tournament)
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


def _check(stage: Stage, new: dict[str, Any]) -> None:
    def value(field: str) -> Any:
        return new.get(field, getattr(stage, field))

    choices = Wanted(
        value("hands_per_round"),
        value("rounds_wanted"),
        stage.cycles,
        value("table_size"),
        value("target"),
        value("bye_points"),
        stage.scoring,
    )
    # The number of players is not checked: it was enough for the start, and a drawn schedule stands.
    check_rules(format=stage.format, edition=stage.edition, choices=choices, players=None)
    if new.get("hands_per_round", 1) is None and FORMATS[stage.format].PARTNERS:
        sentence = _("Give a number of hands.")
        raise Refused("settings", sentence, fields={"hands_per_round": [sentence]})


def _check_rounds(tournament: Tournament, rounds: int | None) -> None:
    published = tournament.rounds.shown().count()
    if rounds is not None and rounds < published:
        sentence = ngettext(
            "%(count)d round has been published: choose as many, or more.",
            "%(count)d rounds have been published: choose as many, or more.",
            published,
        )
        sentence %= {"count": published}
        raise Refused("settings", sentence, fields={"rounds": [sentence]})


SEATS = frozenset({"hands_per_round", "table_size", "target", "rounds_wanted"})
"""Fields that decide the seating and the length of rounds."""


def _bring_drafts_up_to_date(tournament: Tournament, stage: Stage, changed: Sequence[str], by: User | None) -> None:
    drafts = list(tournament.rounds.filter(state=Round.State.DRAFT))
    if not drafts:
        return
    if stage.drawn_ahead:
        if "hands_per_round" in changed:
            Table.objects.filter(round__in=drafts).update(hands_wanted=stage.hands_per_round)
        return
    if SEATS.isdisjoint(changed):
        return
    forget_drafts(tournament, drafts, by)
    draw_following(tournament, stage, by)
