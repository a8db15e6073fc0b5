"""Recognise browsers in which an account has signed in, by a signed cookie.

They stay usable when a stranger exhausts the account's password attempts.
"""

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from league.models import User

COOKIE = "known_device"
PATH = f"{settings.BASE_PATH}accounts/"
AGE = 365 * 24 * 60 * 60  # seconds since the last sign-in
MOST = 5  # accounts a browser


def known_device(request: HttpRequest, email: str) -> str | None:
    """Return the browser's id if this account has signed in there, else None."""
    device, accounts = _read(request)
    return device if accounts and User.objects.filter(pk__in=accounts, email=email.lower()).exists() else None


def remember_device(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    device, accounts = _read(request)
    accounts = [user.pk, *(account for account in accounts if account != user.pk)][:MOST]
    response.set_cookie(
        COOKIE,
        signing.dumps([device, accounts], salt=COOKIE),
        max_age=AGE,
        path=PATH,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> tuple[str, list[int]]:
    try:
        device, accounts = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=AGE)
    except signing.BadSignature:
        return secrets.token_hex(8), []
    return device, accounts
