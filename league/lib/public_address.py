"""The address under which links lead here: WILD_URL, for links in pages, e-mails, codes and the API alike.

Strangers may send any port, and visitors may come by another name, so links never depend on them.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

Answer = Callable[[HttpRequest], Any]


class PublicAddressMiddleware:
    """Set the request's host to that of WILD_URL, from which `build_absolute_uri` makes all links.

    Without WILD_URL: behind https, set the port that WILD_ALLOWED_HOSTS has for the host, or none. On plain http the
    port stays: it may belong to a container or a tunnel. Runs after the CSRF check, which compares the browser's
    address.
    """

    def __init__(self, get_response: Answer) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Answer, args: list[Any], kwargs: Mapping[str, Any]) -> None:
        if settings.PUBLIC_HOST:
            request.META["HTTP_HOST"] = settings.PUBLIC_HOST
            return
        if not (settings.HTTPS or settings.HOST_PORTS) or "HTTP_HOST" not in request.META:
            return
        host, _port = split_domain_port(request.META["HTTP_HOST"])
        if port := settings.HOST_PORTS.get(host):
            request.META["HTTP_HOST"] = f"{host}:{port}"
        elif settings.HTTPS:
            request.META["HTTP_HOST"] = host
