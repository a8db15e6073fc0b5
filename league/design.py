"""Serve /design/: all page components in both themes, for page authors."""

from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

from django.conf import settings
from django.forms import BooleanField, CharField, ChoiceField, Form, RadioSelect
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import RequestContext, Template
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from league.lib.form_fields import dress
from league.pages.people_list import (
    Bulk,
    BulkAction,
    ListFilters,
    ListOf,
    PeopleList,
    PersonRow,
    ViewOf,
    people_list,
)
from league.public.pictures import table_plan
from league.public.pictures.table_plan import tables_drawn
from league.templatetags import components, wild

NAMES = ("Ada", "Bo", "Chen", "Dora", "Emil", "Farah")

# By name: purpose, and samples of markup.
COMPONENTS: dict[str, tuple[str, ...]] = {
    "note": (
        components.note.__doc__ or "",
        '{% note icon="i-search" %}Nobody in this round is called “Ada”.{% endnote %}',
        '{% note "ok" role="status" undo="#" version=3 %}Hand 2 of table 1 is saved.{% endnote %}',
        '{% note "warn" %}<b>Reported, not confirmed yet</b> Look the hands over.{% endnote %}',
        '{% note "bad" role="alert" %}<b>Nothing was saved yet</b> Look at the fields marked below.{% endnote %}',
    ),
    "row": (
        components.row.__doc__ or "",
        '<ul class="lines">'
        '{% row "Ada and Chen" "3 of 4 hands are in" href="#" token=1 %}'
        '{% marked "i-play" "Playing" "live" %}'
        "{% endrow %}"
        '{% row "Dora" "Hoa Club" %}<button class="btn btn-quiet">Take back</button>{% endrow %}'
        "</ul>",
    ),
    "choice_card": (
        components.choice_card.__doc__ or "",
        '<div class="formats">'
        '{% choice_card theme "one" "one" "Four players, one table" "Everybody partners everybody, 12 hands" %}'
        '<svg viewBox="0 0 140 74" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2">'
        '<rect x="62" y="29" width="16" height="16" rx="4"/><circle cx="70" cy="19" r="4"/>'
        '<circle cx="70" cy="55" r="4"/><circle cx="52" cy="37" r="4"/><circle cx="88" cy="37" r="4"/></g></svg>'
        "{% endchoice_card %}</div>",
    ),
    "one_line": (
        components.one_line.__doc__ or "",
        '{% one_line "Name" theme "Autumn Cup, 24 November" %}Its fields.{% endone_line %}',
    ),
    "field": (
        components.field.__doc__ or "",
        '{% field form.name hint="For example Autumn 2026" optional=True %}',
        "{% field refused.name %}",
    ),
    "tick": (
        components.tick.__doc__ or "",
        "{% tick form.is_public %}",
    ),
    "segments": (
        components.segments.__doc__ or "",
        "{% segments form.scope %}",
    ),
    "address": (
        components.address.__doc__ or "",
        '{% address "Address" "https://play.example/t/autumn-cup/" %}',
    ),
    "csv": (
        components.csv.__doc__ or "",
        "<div class=\"sheet-head\"><h2>Hands</h2>{% csv 'home' %}</div>",
        "{% csv 'home' button=True %}",
    ),
    "plan": (
        table_plan.__doc__ or "",
        '{% include "components/plan.html" with table=pairs %}',
        '{% include "components/plan.html" with table=ring %}',
    ),
    "people": (
        components.people.__doc__ or "",
        "{% people guests %}",
    ),
    "podium": (
        components.podium.__doc__ or "",
        '<div class="next felt">{% podium steps %}</div>',
    ),
    "classes": (
        components.classes.__doc__ or "",
        "<span class=\"{% classes 'token' 'token-on' True 'token-bye' False %}\">4</span>",
    ),
    "marked": (
        wild.marked.__doc__ or "",
        '{% marked "i-check" "Confirmed" "ok" %} {% marked "i-wait" "Reported" "warn" %} '
        '{% marked "i-warn" "Disputed" "bad" %} {% marked "i-play" "Playing" "live" %}',
    ),
}


THEMES = ("light", "dark")
TITLE = "Components"
ABOUT = "What pages are made of; docs/components.md says when to use which. In English, as the code is."


@dataclass(frozen=True)
class Sample:
    source: str
    by_theme: dict[str, SafeString]


class SampleForm(Form):
    name = CharField(label="Name")
    scope = ChoiceField(label="Visible to", choices=[("a", "Everyone"), ("b", "The club")], widget=RadioSelect)
    is_public = BooleanField(label="Public profile", help_text="Without it only members do.")


@require_safe
def design(request: HttpRequest) -> HttpResponse:
    """Available with WILD_DESIGN, or to a superuser; else 404."""
    if not settings.DESIGN_PAGE and not request.user.is_superuser:
        raise Http404
    contexts = {theme: RequestContext(request, _samples_context(theme)) for theme in THEMES}
    rows = [
        {
            "name": name,
            "about": cleandoc(about),
            "samples": [
                Sample(source, {theme: Template(source).render(contexts[theme]) for theme in THEMES})
                for source in sources
            ],
        }
        for name, (about, *sources) in COMPONENTS.items()
    ]
    return render(request, "components/design.html", {"title": TITLE, "about": ABOUT, "components": rows})


def _samples_context(theme: str) -> dict[str, Any]:
    """Return the context of the samples. Field names include the theme, so that none repeats on the page."""
    form = SampleForm(prefix=theme)
    refused = SampleForm({}, prefix=f"refused-{theme}")
    for each in (form, refused):
        dress(each)
    (pairs,) = tables_drawn([_seat(seat, partner=True) for seat in range(4)], first={1: 0})
    (ring,) = tables_drawn([_seat(seat, partner=False) for seat in range(6)], first={1: 0})
    return {
        "theme": theme,
        "form": form,
        "refused": refused,
        "pairs": pairs,
        "steps": [{"rank": rank, "name": NAMES[rank], "result": f"{400 - 90 * rank}"} for rank in (1, 2, 3)],
        "ring": ring,
        "found_ids": ["Bo"],
        "guests": _guests(theme),
        "gone": {},
    }


def _guests(theme: str) -> PeopleList:
    guests = ListOf[str](
        url="#",
        find="Find a name",
        id_of=str,
        name_of=str,
        row=lambda name: PersonRow(
            f"{theme}-{name}", name, "Hoa Club", ("Hoa Club",), url="#", badge="A", badge_label="Division A"
        ),
        views=(ViewOf("all", "All"), ViewOf("a", "From A", lambda name: name.startswith("A"))),
        columns=("Club",),
        bulk=Bulk("#", (BulkAction("here", "Mark here", is_main=True), BulkAction("away", "Mark missing"))),
        key=f"{theme}-people",
    )
    return people_list(NAMES, guests, ListFilters())


def _seat(seat: int, *, partner: bool) -> dict[str, Any]:
    """Return a row of seating.csv."""
    name = NAMES[seat]
    return {"table": 1, "seat": seat, "player": name, "player_id": name, "partner_id": "yes" if partner else ""}
