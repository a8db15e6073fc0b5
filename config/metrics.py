"""Prometheus metrics at /metrics: requests by view, conflicts, hands, jobs, e-mails and clocks.

Only for this machine, or with WILD_METRICS_TOKEN as a bearer token. Forked processes share counters in memory
(docs/decisions/0031-metrics-are-counted-in-memory.md).
"""

import contextlib
import hmac
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from django.conf import settings
from django.db import Error
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString
from redis import RedisError

from config.idle.queues import QUEUES, messages_waiting
from games.models import Deal, Hand
from games.service import backups
from league.background import heartbeats
from league.background.deadlines import lag
from league.lib.shared_counts import SharedCounts
from league.live.open_streams import open_streams
from league.models import Job, Letter

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)  # seconds
# By method, status and view: total seconds, then requests up to each bound, then slower ones.
REQUESTS = SharedCounts(1 + len(BOUNDS) + 1)
UNSENT = (Letter.State.WAITING, Letter.State.FAILED)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def metrics_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Count every answered request."""

    def answer(request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        return _count(request, get_response(request), time.perf_counter() - start)

    return answer


def _count(request: HttpRequest, response: HttpResponse, seconds: float) -> HttpResponse:
    # Count by view name: addresses with ids would add up to thousands of series.
    view = (request.resolver_match.view_name if request.resolver_match else "") or "none"
    method = request.method if request.method in METHODS else "other"
    key = f"{method} {response.status_code} {view}"
    REQUESTS.add(key, {0: seconds, 1 + bisect_left(BOUNDS, seconds): 1})
    return response


class RequestFigures(Collector):
    """Answered requests of all processes."""

    def collect(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(
            "wild_requests", "Requests by view and status", labels=["method", "view", "status"]
        )
        conflicts: dict[str, float] = defaultdict(float)
        of_views: dict[str, list[Sequence[float]]] = defaultdict(list)
        for key, numbers in sorted(REQUESTS.sums().items()):
            method, status, view = key.split(" ", 2)
            answered = sum(numbers[1:])
            requests.add_metric([method, view, status], answered)
            conflicts[view] += answered if status == "409" else 0
            of_views[view].append(numbers)
        yield requests
        seconds = HistogramMetricFamily("wild_request_seconds", "Time to the answer", labels=["view"])
        refused = CounterMetricFamily(
            "wild_conflicts", "Requests answered with 409: another was faster", labels=["view"]
        )
        for view, rows in of_views.items():
            total, *within = map(sum, zip(*rows, strict=True))
            names = [*map(floatToGoString, BOUNDS), "+Inf"]
            seconds.add_metric([view], list(zip(names, accumulate(within), strict=True)), total)
            if conflicts[view]:
                refused.add_metric([view], conflicts[view])
        yield seconds
        yield refused


class DatabaseFigures(Collector):
    """Values read from the database on request, equal in every process."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("wild_build", "The version that runs", value={"version": settings.VERSION})
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
        emails = GaugeMetricFamily("wild_emails", "E-mails not sent, by state", labels=["state"])
        unsent = Letter.objects.filter(state__in=UNSENT).order_by().values_list("state")
        numbers = dict(unsent.annotate(Count("pk")))
        for of_letter in UNSENT:
            emails.add_metric([of_letter], numbers.get(of_letter, 0))
        yield emails


class ServiceFigures(Collector):
    """Values of Redis, the data folder and this process."""

    def collect(self) -> Iterator[Metric]:
        with contextlib.suppress(RedisError):
            yield from self._background()
        if (age := backups.age(timezone.now())) is not None:
            seconds = age.total_seconds()
            yield GaugeMetricFamily("wild_backup_age_seconds", "Age of the newest backup of any kind", value=seconds)
        yield GaugeMetricFamily("wild_streams", "Live pages open in this process", value=open_streams.taken)
        yield CounterMetricFamily(
            "wild_streams_refused", "Live pages that this process had no room for", value=open_streams.refused
        )

    def _background(self) -> Iterator[Metric]:
        calls = GaugeMetricFamily("wild_queue_calls", "Calls that no worker has taken", labels=["queue"])
        for queue in QUEUES:
            calls.add_metric([queue], messages_waiting(queue))
        ages = GaugeMetricFamily("wild_heartbeat_age_seconds", "Since the last heartbeat", labels=["part"])
        for part, seconds in heartbeats.silence().items():
            ages.add_metric([part], seconds)
        yield calls
        yield ages


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not _may_read(request):
        raise Http404
    registry = CollectorRegistry()
    registry.register(RequestFigures())
    registry.register(DatabaseFigures())
    registry.register(ServiceFigures())
    own = generate_latest(REGISTRY) if REQUESTS.are_of_one_process else b""  # memory and files of this process
    text = own + generate_latest(registry)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """Return whether the request has the token, or comes directly from this machine without a proxy."""
    if token := settings.METRICS_TOKEN:
        sent = request.headers.get("Authorization", "")
        if hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            return True
    forwarded = {"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via"} & set(request.headers)
    return request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and not forwarded
