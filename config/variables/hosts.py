"""Answer requests for an unknown host with a page that names the setting, before anything else is done for them.

Without WILD_URL and WILD_ALLOWED_HOSTS only addresses of a local network are known: links in e-mails would otherwise
lead to any name that a stranger sends.
"""

import ipaddress
import logging
import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _

from league.api.problems import Problem, is_of_the_api

logger = logging.getLogger(__name__)

PROBES = re.compile(r"/(.+/)?(healthz|readyz|metrics)")
MOST_NOTED = 100  # hosts in the log; strangers send any
_noted: set[str] = set()


def is_local(host: str) -> bool:
    """Return whether a host is an IP address, `localhost`, `*.local` or a name without a dot."""
    name, _port = split_domain_port(host)
    if "." not in name or name.endswith((".local", ".localhost")):
        return bool(name)
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def host_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    def answer(request: HttpRequest) -> Any:
        if settings.PUBLIC_HOST and PROBES.fullmatch(request.path) and is_local(request.META.get("HTTP_HOST", "")):
            # Monitors ask each process by its address. No link depends on the request's host with WILD_URL.
            request.META["HTTP_HOST"] = settings.PUBLIC_HOST
        try:
            host = request.get_host()
        except DisallowedHost:
            return _refusal(request, request.META.get("HTTP_HOST", ""))
        if settings.LOCAL_HOSTS_ONLY and not is_local(host):
            return _refusal(request, host)
        return get_response(request)

    return answer


def _refusal(request: HttpRequest, host: str) -> HttpResponse:
    host = host[:100]
    if host not in _noted and len(_noted) < MOST_NOTED:
        _noted.add(host)
        logger.warning("Requests for the unknown host %r are refused. WILD_URL sets the public address.", host)
    with override(get_language_from_request(request)):
        sentence = _("Nothing is served at %(host)s. If you run this server, set WILD_URL to its public address.")
        sentence %= {"host": host}
        if is_of_the_api(request):
            return Problem("malformed", sentence).response()
        context = {"title": _("This address is not set up"), "sentence": sentence, "status": 400}
        if settings.PUBLIC_ORIGIN:
            context |= {"leads": settings.PUBLIC_HOST, "leads_to": settings.PUBLIC_ORIGIN + settings.BASE_PATH}
        # Without the request: its user would need the database.
        return HttpResponse(render_to_string("shared/message.html", context), status=400)
