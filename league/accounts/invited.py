"""Invited people may create an account although sign-up is closed."""

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from league.roles.roles import invitation_of


def is_invited(request: HttpRequest) -> bool:
    """Return whether `next`, where the visitor goes after signing up, is a valid invitation."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    try:
        match = resolve(address.partition("?")[0])
    except Resolver404:
        return False
    return match.url_name == "join" and invitation_of(match.kwargs["token"]) is not None
