"""Texts about timed-out moves, and the warning before a bot takes over."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.online.page.log_in_words import Line, Story, in_words, timed_out_in_words


def line_in_words(line: Line, story: Story, seen: Mapping[str, Any]) -> str:
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
    sentences = [f"{timed_out_in_words(missed, story, me)}."] if missed else []
    if seen["misses_left"] <= 1 and (missed or seen["hand"]["turn"] == me):
        sentences.append(_("If your time runs out, a bot plays for you."))
    return " ".join(sentences)


def _is_timed_out(line: Line, seen: Mapping[str, Any]) -> bool:
    return any(line.first <= number <= line.last for number in seen["timed_out"])
