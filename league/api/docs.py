"""OpenAPI document, its page, and the response to unknown addresses."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.views import SpectacularAPIView

from league.api.problems import no_such_address

schema = SpectacularAPIView.as_view(authentication_classes=[], permission_classes=[])


@require_safe
def explorer(request: HttpRequest) -> HttpResponse:
    """Show Swagger UI, served from an installed package."""
    return render(request, "league/api/api_docs.html")


@csrf_exempt
def unknown_address(request: HttpRequest, rest: str) -> HttpResponse:
    return no_such_address()
