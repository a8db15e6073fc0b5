"""Whose turn it is, or why the viewer can't act, shown next to the cards."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.online.page.choices import Controls
from games.online.page.people import Other


@dataclass(frozen=True)
class Notice:
    """A text in place of a player's buttons. `button`: takes the seat back."""

    title: str
    text: str
    reason: str = ""
    button: str = ""


@dataclass(frozen=True)
class Turn:
    """`label`: of the viewer's section. `spoken`: text for screen readers on the viewer's turn. `watching`: text for
    spectators."""

    label: str
    spoken: str
    words: str
    time_notice: str  # after a timeout, or before a bot takes over
    notice: Notice | None
    watching: str = ""


def turn_of(
    seen: dict[str, Any],
    me: Other | None,
    controls: Controls | None,
    *,
    name: str,
    time_notice: str,
    called_off: bool,
    late: int,
) -> Turn:
    """Return the texts for the viewer of `seen`, a hand in play. `name`: the player whose turn it is. `late`: the
    spectators' delay in moves."""
    paused, mine = seen["paused"], controls is not None and controls.mine
    if controls is None:
        words = _("%(name)s’s turn") % {"name": name}
    else:
        words = _("Your turn") if mine else _("%(name)s’s turn") % {"name": name}
    return Turn(
        label=words,
        spoken=_spoken(controls) if controls is not None and not paused else "",
        words=words,
        time_notice="" if paused else time_notice,
        notice=_paused(seen["pause_reason"], called_off) if paused else _bot_plays() if me and me.away else None,
        watching=_watching(late) if controls is None else "",
    )


def _watching(late: int) -> str:
    """Return the text for a spectator who sees the table `late` moves late."""
    if not late:
        return _("You are watching. Players’ cards stay hidden.")
    return ngettext(
        "You are watching, %(count)s move behind. Players’ cards stay hidden.",
        "You are watching, %(count)s moves behind. Players’ cards stay hidden.",
        late,
    ) % {"count": late}


def _spoken(controls: Controls) -> str:
    if controls.question is not None:
        return f"{controls.question.title} {controls.question.text}"
    your_turn = _("Your turn")
    return f"{your_turn}. {controls.fits}" if controls.mine else ""


def _paused(reason: str, called_off: bool) -> Notice:
    if called_off:
        text = _("The hand doesn’t count. If the tournament is reinstated, it continues here.")
        return Notice(_("Cancelled"), text, reason)
    return Notice(_("Paused"), _("The clocks are stopped. This page continues automatically."), reason)


def _bot_plays() -> Notice:
    return Notice(_("A bot plays for you"), _("The cards are still yours."), button=_("Come back"))
