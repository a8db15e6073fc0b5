"""Render parts of the account pages: third-party form fields, and lines that link to other pages."""

from allauth.account.adapter import get_adapter
from django import template
from django.conf import settings
from django.forms import BoundField
from django.shortcuts import resolve_url
from django.template import Context

from league.access import server

register = template.Library()


@register.inclusion_tag("account/_field.html")
def account_field(field: BoundField, label: str, hint: str = "") -> dict[str, object]:
    """Render a field with the design's class and our label, linked to its error and its hint."""
    described = [f"{field.auto_id}-error"] * bool(field.errors) + [f"{field.auto_id}-hint"] * bool(hint)
    attrs: dict[str, str | bool] = {"class": "input", "placeholder": False}
    attrs["aria-describedby"] = " ".join(described) or False
    return {"field": field, "widget": field.as_widget(attrs=attrs), "label": label, "hint": hint}


@register.inclusion_tag("account/_way.html")
def way(to: str, sign: str, words: str, about: str = "") -> dict[str, str]:
    """Render a list line that links to an address or a named page."""
    return {"address": resolve_url(to), "sign": sign, "words": words, "about": about}


@register.simple_tag
def mail_goes_out() -> bool:
    """Return False if mail only goes to the service's log (no WILD_EMAIL_URL)."""
    return bool(settings.MAIL_GOES_OUT)


register.simple_tag(server.sign_up_is_open)


@register.simple_tag(takes_context=True)
def may_sign_up(context: Context) -> bool:
    """Return whether this visitor can create an account."""
    return bool(get_adapter().is_open_for_signup(context["request"]))


register.simple_tag(server.whom_to_ask)
