"""Tags for the practice evening: the guide above its next step, and the way to it."""

from typing import Any

from django import template
from django.template.context import RequestContext

from games.service.practice import STATIONS, practice_of, station_of
from league.rounds.steps import NextStep

register = template.Library()


@register.inclusion_tag("games/service/_guide.html", takes_context=True)
def guide(context: RequestContext, step: NextStep) -> dict[str, Any]:
    return {"station": station_of(step), "stations": STATIONS, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("games/service/_practise.html", takes_context=True)
def practise(context: RequestContext) -> dict[str, Any]:
    """A button that begins a practice evening, or goes on with it; nothing for who is signed out."""
    user = context["user"]
    begun = practice_of(user) if user.is_authenticated else None
    return {"begun": begun, "user": user, "csrf_token": context.get("csrf_token"), "request": context["request"]}
