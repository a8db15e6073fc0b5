"""The warnings to a member as a card of their page, for directors of the club."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.access import ClubAccess
from league.access.rights import InClub
from league.lib.translate import label_text
from league.models import Player
from league.remarks.in_words import day_of, number_this_season, reason_in_words
from league.remarks.read import warnings_this_season


@dataclass(frozen=True)
class WarningLine:
    """title: the tournament, at `url`. text: day, reason and points. by: the director."""

    title: str
    url: str
    text: str
    by: str


@dataclass(frozen=True)
class WarningsCard:
    """title: “2 warnings this season”."""

    title: str
    lines: tuple[WarningLine, ...]


def warnings_card(access: ClubAccess, player: Player) -> WarningsCard | None:
    """Return this season's warnings, newest first; None without any, or for viewers who don't direct."""
    if not access.may(InClub.WARNINGS):
        return None
    warnings = warnings_this_season(access.club, [player])
    if not warnings:
        return None
    lines = tuple(
        WarningLine(
            warning.tournament.name,
            warning.tournament.get_absolute_url(),
            label_text(day_of(warning), reason_in_words(warning)),
            _("by %(name)s") % {"name": warning.by} if warning.by else "",
        )
        for warning in warnings
    )
    return WarningsCard(number_this_season(warnings), lines)
