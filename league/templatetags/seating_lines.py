"""Render seats and lines of a seating. Built without a template for speed, since there is one for every player.

They contain interface texts, and user input (names), which is escaped.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django import template
from django.template import Context
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.lib.csv import Row
from league.lib.translate import names

register = template.Library()


@register.simple_tag(takes_context=True)
def ring_plan(context: Context, table: Mapping[str, Any]) -> SafeString:
    """Render a table without partners, from `tables_drawn`; `seats_of_plan` describes the context."""
    title = _("Table %(number)s, clockwise from the bottom") % {"number": table["number"]}
    return mark_safe(
        f'<div class="ring {table["ring"]}" role="group" aria-label="{escape(title)}">'
        f'<b class="board" aria-hidden="true">{table["number"]}</b>{seats_of_plan(context, table)}</div>'
    )


@register.simple_tag(takes_context=True)
def seats_of_plan(context: Context, table: Mapping[str, Any]) -> SafeString:
    """Render the seats of a table from `tables_drawn`. If partners sit opposite, screen readers get a sentence in
    place of the picture.

    Context: `found_ids` are highlighted, labelled “You” if `mine`. `gone`: why a player no longer plays. `dealer`: the
    seat that deals now; else `table.first` deals first.
    """
    found, gone, dealer = context.get("found_ids") or (), context.get("gone") or {}, context.get("dealer")
    is_own = context.get("mine") and not any(seat.get("team") for seat in table["seats"])
    deals, word = (table["first"], _("deals first")) if dealer is None else (dealer, _("deals now"))
    heard, seats = not table["ring"], []
    hidden = ' aria-hidden="true"' if heard else ""
    spoken: dict[int, str] = {}
    mine: int | None = None
    for seat in table["seats"]:
        lit, left = seat["player_id"] in found, gone.get(seat["player_id"], "")
        tint = " seat-me" if lit else " seat-out" if left else ""
        mine = seat["seat"] if lit and is_own else mine
        name = _("You") if mine == seat["seat"] else seat["player"]
        note = left or (word if seat["seat"] == deals else "")
        small = f"<small>{escape(note)}</small>" if note else ""
        seats.append(f'<div class="seat {seat["place"]}{tint}"{hidden}>{escape(name)}{small}</div>')
        spoken[seat["seat"]] = f"{name} ({left})" if left else name
    if heard and mine is not None and mine == deals:
        word = _("you deal first") if dealer is None else _("you deal now")
    sentence = f'<p class="sr">{escape(_pairs_in_words(spoken, deals, word, mine))}</p>' if heard else ""
    return mark_safe(sentence + "".join(seats))


def _pairs_in_words(spoken: dict[int, str], deals: int | None, word: str, mine: int | None) -> str:
    """Return “Ana and Chidi against Benoît and Đorđe; Ana deals first”. spoken: names at seats 0 to 3.

    mine: the seat of “You”, lower case within the sentence; `word` is then “you deal first”.
    """
    dealer = "" if deals == mine else spoken.get(deals, "") if deals is not None else ""
    if mine is not None and mine != next(seat for seat in (0, 2, 1, 3) if seat in spoken):
        spoken = spoken | {mine: spoken[mine].replace(_("You"), pgettext("within a sentence", "you"), 1)}
    one, other = ([spoken[seat] for seat in side if seat in spoken] for side in ((0, 2), (1, 3)))
    against = _("%(one)s against %(other)s") % {"one": names(one), "other": names(other)}
    if deals is None or deals not in spoken:
        return f"{against}."
    return f"{against}; {dealer} {word}." if dealer else f"{against}; {word}."


@register.simple_tag
def lines_by_name(rows: Iterable[Row], players: str, found_ids: Collection[str], without_table: str) -> SafeString:
    """Render all players with their tables. players: address prefix of player pages."""
    table, without = escape(_("Table")), escape(without_table)
    bye = f'<span class="muted small">{without}</span><span class="token token-bye" aria-hidden="true">–</span>'
    lines = []
    for row in rows:
        team = f"<p>{escape(row['team'])}</p>" if row["team"] else ""
        lit = " token-on" if row["player_id"] in found_ids else ""
        at = f'<span class="token{lit}"><span class="sr">{table} </span>{row["table"]}</span>'
        lines.append(
            f'<li><a class="main" href="{players}{row["player_id"]}/"><span>{escape(row["player"])}</span>{team}</a>'
            f"{bye if row['table'] == 'bye' else at}</li>"
        )
    return mark_safe("\n".join(lines))
