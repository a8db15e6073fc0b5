"""Warnings in words."""

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.lib.translate import label_text, signed_figure
from league.models import PlayerWarning


def warning_in_words(warning: PlayerWarning, *, with_event: bool = False, with_name: bool = False) -> str:
    """Return “14 Nov, 20:30: Late for the third time, −10 points”.

    with_event: day and tournament instead of the time. with_name: begin with the person, a member of a team.
    """
    here = warning.at.astimezone(warning.tournament.zone)
    if with_event:
        when = f"{day_of(warning)}, {warning.tournament.name}"
    else:
        when = date_format(here, _("j M, H:i"), use_l10n=False)
    text = label_text(when, reason_in_words(warning))
    return f"{warning.player.name}, {text}" if with_name else text


def day_of(warning: PlayerWarning) -> str:
    return date_format(warning.at.astimezone(warning.tournament.zone), _("j M Y"))


def reason_in_words(warning: PlayerWarning) -> str:
    """Return “Late for the third time, −10 points”."""
    reason = warning.reason or _("reason erased")
    if not warning.points:
        return reason
    return ", ".join((reason, _("%(points)s points") % {"points": signed_figure(warning.points)}))


def withdrawal_in_words(warning: PlayerWarning) -> str:
    """Return “Withdrawn: recorded for the wrong player”; empty for a warning that counts."""
    if warning.withdrawn_at is None:
        return ""
    return label_text(pgettext("warning", "Withdrawn"), warning.withdrawal or _("reason erased"))


def number_this_season(warnings: Sequence[PlayerWarning]) -> str:
    words = ngettext("%(count)d warning this season", "%(count)d warnings this season", len(warnings))
    return words % {"count": len(warnings)}


def number_elsewhere(warnings: Sequence[PlayerWarning]) -> str:
    words = ngettext(
        "%(count)d more warning this season, at another tournament",
        "%(count)d more warnings this season, at other tournaments",
        len(warnings),
    )
    return words % {"count": len(warnings)}
