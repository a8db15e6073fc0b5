"""Figures for Prometheus at /metrics: requests by view, conflicts, and what the database says of hands and clocks.

For this machine alone, or with WILD_METRICS_TOKEN as a bearer token. With several processes (gunicorn) they are added
up through the folder PROMETHEUS_MULTIPROC_DIR, as prometheus-client does it.
"""

import hmac
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.db import Error
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from games.models import Deal, Hand
from league.background.deadlines import lag
from league.models import Job

REQUESTS = Counter("wild_requests", "Requests by view and status", ["method", "view", "status"])
LATENCY = Histogram(
    "wild_request_seconds", "Time to the answer", ["view"], buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
)
CONFLICTS = Counter("wild_conflicts", "Requests answered with 409: somebody was faster", ["view"])
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def metrics_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Counts every request when it is answered."""

    def answer(request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        return _count(request, get_response(request), time.perf_counter() - start)

    return answer


def _count(request: HttpRequest, response: HttpResponse, seconds: float) -> HttpResponse:
    # Views count by name, so that addresses with ids do not add up to thousands of series.
    view = (request.resolver_match.view_name if request.resolver_match else "") or "none"
    method = request.method if request.method in METHODS else "other"
    REQUESTS.labels(method, view, str(response.status_code)).inc()
    LATENCY.labels(view).observe(seconds)
    if response.status_code == 409:
        CONFLICTS.labels(view).inc()
    return response


class DatabaseFigures(Collector):
    """Figures that are the same in every process, read from the database when Prometheus asks."""

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("wild_database_up", "1 while the database answers")
        try:
            figures = list(self._figures())
        except Error:
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        yield from figures

    def _figures(self) -> Iterator[Metric]:
        yield CounterMetricFamily("wild_hands_recorded", "Hands ever recorded", value=Hand.objects.count())
        hands = GaugeMetricFamily("wild_online_hands", "Hands at online tables by state", labels=["state"])
        waiting = dict(Deal.objects.open().order_by().values_list("state").annotate(Count("pk")))
        for of_deal in (Deal.State.WAITING, Deal.State.PLAYING):
            hands.add_metric([of_deal], waiting.get(of_deal, 0))
        yield hands
        yield GaugeMetricFamily(
            "wild_deadline_lag_seconds",
            "How long the oldest due deadline waits",
            value=lag(timezone.now()).total_seconds(),
        )
        jobs = GaugeMetricFamily("wild_jobs", "Jobs by state", labels=["state"])
        counted = dict(Job.objects.order_by().values_list("state").annotate(Count("pk")))
        for state in Job.State.values:
            jobs.add_metric([state], counted.get(state, 0))
        yield jobs


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not _may_read(request):
        raise Http404
    registry = CollectorRegistry()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        registry.register(DatabaseFigures())
        text = generate_latest(registry)
    else:
        registry.register(DatabaseFigures())
        text = generate_latest(REGISTRY) + generate_latest(registry)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """Whether somebody has the token; without a token only this machine itself may read, and nobody through a proxy."""
    if token := settings.METRICS_TOKEN:
        sent = request.headers.get("Authorization", "")
        if hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            return True
    forwarded = {"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via"} & set(request.headers)
    return request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and not forwarded
