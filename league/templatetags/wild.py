"""Small pieces of markup that every page uses: icons, states, and how names and numbers are written."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.middleware.csrf import get_token
from django.template import Context
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.access.members import unlisted_members
from league.access.restore_pause import notice
from league.announcements.page import strip_of
from league.calls.page import CallBox
from league.ledger.in_words import group_title
from league.ledger.state_marks import STATES, state_mark
from league.lib.form_fields import time_zones
from league.lib.translate import figure, label_text, names, shared_rank, signed_figure
from league.lib.wall_time import moment, when
from league.log.in_words import in_words
from league.models import Entry, LogEntry, Round, Stage, Table, Tournament
from league.pages.form_key import FIELD, key_of
from league.standings.ranking import Place, Standing
from league.standings.result_in_words import result_in_words, winners_in_words

register = template.Library()
register.filter(names)
register.filter(when)
register.simple_tag(moment)
register.simple_tag(notice, name="restore_notice")


@register.simple_tag(takes_context=True)
def form_key(context: Context) -> SafeString:
    """The hidden key of a form that creates something (league/pages/form_key.py)."""
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, key_of(context["request"]))


@register.simple_tag(takes_context=True)
def call_box(context: Context, call: CallBox) -> SafeString:
    """The button that calls the director, with its sheet, or the state of the call in its place."""
    return render_to_string("league/calls/_box.html", {"call": call}, context["request"])


@register.simple_tag
def part(template_name: str, **of: Any) -> SafeString:
    """A template made of nothing but these values and the language, so that equal ones are made once.

    `{% part "games/online/play/_seat.html" seat=other.seat %}`: for what is shown again and again as it was, to several
    people. It knows no request: neither who looks nor the token of a form. The values cannot change (frozen, so that
    they have a hash).
    """
    return _made_of(template_name, get_language(), tuple(of.items()))


@lru_cache(4096)
def _made_of(template_name: str, language: str | None, of: tuple[tuple[str, Any], ...]) -> SafeString:
    return render_to_string(template_name, dict(of))


@register.simple_tag
def icon(name: str, size: str = "ico") -> SafeString:
    """An icon of the sprite, hidden from screen readers, since a word stands beside it."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>', size, static("league/cards.svg"), name
    )


@register.inclusion_tag("shared/_announcement.html", takes_context=True)
def announcement(context: Context) -> dict[str, Any]:
    """Render what a director announced, above everything. Needs the context's `tournament`."""
    tournament, strip = context["tournament"], strip_of(context["tournament"], context.get("access"))
    parts = {"strip": strip, "zone": tournament.zone}
    return parts | {"csrf": get_token(context["request"])} if strip and strip.remove_url else parts


@register.simple_tag
def members_list(tournament: Tournament) -> SafeString:
    """The options of a field with list="members": the members of the club who are not on the tournament's list."""
    names = [(player.name,) for player in unlisted_members(tournament)] if tournament.club_id is not None else []
    return format_html('<datalist id="members">{}</datalist>', format_html_join("", '<option value="{}">', names))


@register.simple_tag
def time_zones_list() -> SafeString:
    """The options of a field with list="time-zones"."""
    return format_html(
        '<datalist id="time-zones">{}</datalist>',
        format_html_join("", '<option value="{}"></option>', ((zone,) for zone in time_zones())),
    )


@register.filter
def result(line: Standing) -> str:
    """“320 points”, “won the final 129-45”, “last one in, 443”."""
    return result_in_words(line)


@register.filter
def winners(lines: Sequence[Standing]) -> str:
    """Who is first and how."""
    return winners_in_words(lines)


@register.simple_tag
def place_in_words(place: Place) -> str:
    """“Still in”, “Out in round 4, hand 3”, “Dropped”."""
    if place.out_in_round is not None and place.status == Entry.Status.OUT:
        words = {"round": place.out_in_round, "hand": place.out_in_hand}
        return (
            _("Eliminated in round %(round)d, hand %(hand)d") % words
            if place.out_in_hand
            else _("Eliminated in round %(round)d") % words
        )
    return _("Still in") if place.status == Entry.Status.ACTIVE else str(Entry.Status(place.status).label)


@register.simple_tag
def seat_in_words(table: int | None) -> str:
    """“Table 2”, “Bye”, “No seat”."""
    if table is None:
        return _("No seat")
    return _("Table %(number)d") % {"number": table} if table else _("Bye")


@register.simple_tag
def state(subject: Tournament | Round | Table) -> SafeString:
    """The state of a tournament, round or table: icon and word."""
    return marked(*state_mark(subject))


@register.simple_tag
def table_state(state: str) -> SafeString:
    """The state of a table of which no more is known: icon and word."""
    name, tint = STATES[state]
    return marked(name, str(Table.State(state).label), tint)


@register.simple_tag
def rank(number: int | None, tied: bool = False, nothing: str = "–") -> SafeString | str:
    """“3”, or “3=” if several share the rank; a screen reader says a word instead of the sign."""
    if number is None:
        return nothing
    return shared_rank(number, _("shared")) if tied else str(number)


@register.simple_tag
def group_name(group: int, stage: Stage) -> str:
    """“Group A”, “Final A”"""
    return group_title(group, by_place=stage.by_place)


@register.simple_tag
def marked(name: str, word: str, tint: str = "") -> SafeString:
    """An icon and a word. tint: live, ok, warn, bad or none."""
    return format_html('<span class="state{}">{}{}</span>', f" state-{tint}" if tint else "", icon(name, "ico-s"), word)


@register.simple_tag
def colon() -> str:
    """The colon between a label and its value, where they are not one text, with the spaces of the language."""
    return label_text("", "")


@register.filter
def signed(number: int) -> str:
    """A number with its sign, with a real minus."""
    return signed_figure(number)


@register.filter("figure")
def figure_or_words(value: Any) -> Any:
    """A number with its thousands apart; anything else unchanged."""
    return figure(value) if isinstance(value, int) else value


@register.filter
def item(mapping: dict[Any, Any], key: Any) -> Any:
    """`mapping[key]`, or None."""
    return mapping.get(key)


@register.filter
def split(text: str) -> list[str]:
    """The words of a text, for lists in templates."""
    return text.split()


@register.simple_tag
def version() -> str:
    """The version of the product, as on the command line."""
    return str(settings.VERSION)


@register.inclusion_tag("league/pages/_languages.html", takes_context=True)
def language_switch(context: Context, short: bool = False, back: str = "") -> dict[str, object]:
    """A button for each language, with its own name or, if `short`, its code. It leads `back`, else to this page, or to
    the page with the form if this one answers a form."""
    request = None if back else context.get("request")
    if request is not None:
        back = request.get_full_path()
    if request is not None and request.method not in ("GET", "HEAD"):
        back = request.META.get("HTTP_REFERER", "")
    return {"languages": settings.LANGUAGES, "current": get_language(), "back": back, "short": short}


@register.filter
def journal(entry: LogEntry) -> str:
    """A row of the log in words."""
    return in_words(entry)
