"""What happened, as pictures and sentences: the newest moves on the table, and the whole hand.

`log_in_words.py` has the sentences. An effect repeats the most important part of one: “+2 → Zoë”.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.online.page.colors import COLOR_CLASSES
from games.online.page.log_in_words import Fact, Line, Story, color_in_words, story_so_far
from games.online.page.time_up import line_in_words
from league.lib.translate import card_name, label_text
from league.rulebook.editions import symbol

BACK = "back"
NEWEST = 3  # lines on the table; smaller screens show fewer
_ANSWERS = ("accepts", "waits", "challenge", "chooses")  # moves that are about the card before


@dataclass(frozen=True)
class Effect:
    """A `figure` or an `icon` of the sprite, an arrow to the player it hits (`hits`), and words."""

    words: str
    figure: str = ""
    icon: str = ""
    hits: bool = False
    on_me: bool = False


@dataclass(frozen=True)
class StoryLine:
    """A move. `number` is empty for a line that is no move; `mine`: of the viewer; `undone`: by a director."""

    key: str
    number: str
    symbol: str
    text: str
    effect: Effect | None = None
    mine: bool = False
    undone: bool = False


@dataclass(frozen=True)
class HandLog:
    """The hand so far, newest move first."""

    title: str
    text: str
    lines: tuple[StoryLine, ...] = ()


def newest(seen: Mapping[str, Any], story: Story) -> tuple[StoryLine, ...]:
    """Return the last moves for the viewer of `seen`, a picture of the table, newest first."""
    last = len(story.lines) - 1
    return tuple(_story_line(at, seen, story) for at in range(last, max(-1, last - NEWEST), -1))


def hand_log(seen: Mapping[str, Any] | None) -> HandLog:
    """Return all moves of the hand in play for the viewer of `seen`."""
    title = _("This hand so far")
    if seen is None or "hand" not in seen:
        return HandLog(title, _("No hand is in play."))
    of = seen["deal"], seen["commitment"], seen["you"]
    with story_so_far(of, seen["hand"]["events"], [place["name"] for place in seen["places"]]) as story:
        lines = tuple(_story_line(at, seen, story) for at in range(len(story.lines) - 1, -1, -1))
        count = max((line.number for line in story.lines), default=0)
    text = ngettext("%(count)d move. Newest first.", "%(count)d moves. Newest first.", count)
    return HandLog(title, text % {"count": count}, lines)


def _story_line(at: int, seen: Mapping[str, Any], story: Story) -> StoryLine:
    line, me = story.lines[at], seen["you"]
    aimed = seen["hand"].get("aimed") if at == len(story.lines) - 1 else None
    return StoryLine(
        key=f"{line.first}",
        number=f"{line.number or ''}",
        symbol=_symbol(at, story),
        text=line_in_words(line, story, seen),
        effect=pending(aimed, seen["hand"]["turn"], story, me) if aimed else effect_of(line, story, me),
        mine=me is not None and line.seat == me,
        undone=line.undone,
    )


def _symbol(at: int, story: Story) -> str:
    fact = story.lines[at].facts[0]
    if fact.kind in _ANSWERS and at:
        return _symbol(at - 1, story)
    return symbol(fact.card, story.edition) if fact.card else BACK


def pending(aimed: Mapping[str, Any], target: int, story: Story, me: int | None) -> Effect:
    """Return the effect of a card that its target has not answered yet."""
    on_me = target == me
    words = _("you decide") if on_me else _("%(name)s decides") % {"name": story.names[target]}
    icon = "" if aimed["stake"] else "i-cards" if aimed["card"] == "WL" else "i-skip"
    return Effect(words, f"+{aimed['stake']}" if aimed["stake"] else "", icon, hits=True, on_me=on_me)


def effect_of(line: Line, story: Story, me: int | None = None) -> Effect | None:
    """Return the most important effect of a move; None if it has none."""
    effects = ((_RANKS[fact.kind], at, fact) for at, fact in enumerate(line.facts) if fact.kind in _RANKS)
    for _rank, _at, fact in sorted(effects, key=lambda effect: effect[:2]):
        if effect := _effect(fact, story, me):
            return effect
    return None


# Kinds of facts with an effect, the most important first.
_RANKS = {
    kind: rank
    for rank, kind in enumerate(
        ("challenge", "draws", "cancels", "waits", "shows", "turns", "plays", "draws-and-plays", "chooses", "called",
         "calls", "one-left")
    )
}  # fmt: skip


def _effect(fact: Fact, story: Story, me: int | None) -> Effect | None:
    on_me = fact.seat == me and me is not None
    name = _("you") if on_me else story.names[fact.seat]
    if fact.kind in ("challenge", "draws"):
        seat = fact.other if fact.kind == "challenge" and fact.guilty else fact.seat
        hit = seat == me and me is not None
        name = _("you") if hit else story.names[seat]
        return Effect(name, f"+{fact.count}", hits=True, on_me=hit) if fact.count else None
    if fact.kind == "cancels":
        return Effect(_("%(card)s has no effect") % {"card": card_name(fact.card, story.edition)}, icon="i-cross")
    if fact.kind == "turns":
        return Effect(_("to the left") if fact.count > 0 else _("to the right"), icon="i-turn")
    if fact.kind in ("waits", "shows"):
        return Effect(name, icon="i-skip" if fact.kind == "waits" else "i-cards", hits=True, on_me=on_me)
    if fact.kind in ("called", "calls"):
        return Effect(name, "UNO")
    if fact.kind == "one-left":
        return Effect(label_text(name, _("no UNO")), "1", on_me=on_me)
    color = fact.color
    return Effect(color_in_words(color), icon=f"pip-{COLOR_CLASSES[color]}") if color else None
