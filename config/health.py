"""Two addresses for whoever watches the service: is the process alive, and can it reach its database."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse


def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


def ready(request: HttpRequest) -> HttpResponse:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        response = HttpResponse("the database does not answer\n", content_type="text/plain", status=503)
        response["Retry-After"] = "5"
        return response
    return HttpResponse("ok\n", content_type="text/plain")
