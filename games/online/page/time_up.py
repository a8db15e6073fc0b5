"""Texts about timed-out moves, and the warning before a bot takes over."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.online.page.log_in_words import MOST_NAMED, Fact, Line, Story, in_words, timed_out_in_words
from league.lib.translate import card_name

DRAWS = ("draws", "draws-on-turn", "draws-and-keeps")


def line_in_words(line: Line, story: Story, seen: dict[str, Any]) -> str:
    """Return a line of the log for the viewer of `seen`, a picture of the table."""
    say = timed_out_in_words if _is_timed_out(line, seen) else in_words
    return say(line, story, seen["you"])


def time_notice(seen: dict[str, Any], story: Story) -> str:
    """Return what was done for the viewer at their last turn, and the warning that a bot takes over next.

    Empty if there is nothing to report, or a bot already plays for them.
    """
    me = seen["you"]
    if me is None or seen["places"][me]["bot"]:
        return ""
    last = next((line for line in reversed(story.lines) if line.seat == me and not line.undone), None)
    missed = last if last is not None and _is_timed_out(last, seen) else None
    sentences = [_what_was_done(missed, story, me)] if missed else []
    if seen["misses_left"] <= 1 and (missed or seen["hand"]["turn"] == me):
        sentences.append(_("If your time runs out, a bot plays for you."))
    return " ".join(sentences)


def _is_timed_out(line: Line, seen: dict[str, Any]) -> bool:
    return any(line.first <= number <= line.last for number in seen["timed_out"])


def _what_was_done(line: Line, story: Story, me: int) -> str:
    drawn = next((fact for fact in line.facts if fact.kind in DRAWS and fact.seat == me), None)
    if drawn is None:
        return f"{timed_out_in_words(line, story, me)}."
    return _drew(drawn, story)


def _drew(drawn: Fact, story: Story) -> str:
    if 0 < len(drawn.cards) <= MOST_NAMED:
        cards = ", ".join(card_name(card, story.edition) for card in drawn.cards)
        return _("Time was up: you drew %(cards)s.") % {"cards": cards}
    return ngettext("Time was up: you drew a card.", "Time was up: you drew %(count)d cards.", drawn.count) % {
        "count": drawn.count
    }
