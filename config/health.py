"""Health checks: is the process alive, and are its dependencies available."""

from collections.abc import Callable
from datetime import timedelta

import redis
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from config.variables import data_mount
from games.service import backups, upgrade
from league.background import heartbeats
from league.background.deadlines import lag
from league.lib.command import missing_migrations

RETRY_AFTER = 5  # seconds
LATE = timedelta(seconds=60)  # beat calls at once: after this delay no worker is running


class NotReady(Exception):
    """Sentence about a missing dependency."""


def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


def database() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        raise NotReady("The database doesn't answer.") from None


def schema() -> None:
    """Check that all migrations of this version are applied, and that no newer version was here before the start."""
    try:
        newer = upgrade.why_too_new()
        missing = missing_migrations()
    except Error:
        raise NotReady("Unknown: the database doesn't answer.") from None
    if newer:
        raise NotReady(newer)
    if missing:
        raise NotReady(f"The database lacks migrations ({len(missing)}): run wild-league migrate.")


def broker() -> None:
    """Check Celery's broker; without REDIS_URL it is in-process memory."""
    if not settings.REDIS_URL:
        return
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2) as client:
            client.ping()
    except redis.RedisError:
        raise NotReady("Redis doesn't answer.") from None


def deadlines() -> None:
    """Check that a worker handles deadlines. One that failed and will be retried doesn't count."""
    try:
        waited = lag(timezone.now())
    except Error:
        raise NotReady("Unknown: the database doesn't answer.") from None
    if waited > LATE:
        raise NotReady(f"A deadline has been due for {int(waited.total_seconds())} seconds: is a worker running?")


def beat() -> None:
    """Check the heartbeat of beat, which calls the workers."""
    if heartbeats.BEAT in heartbeats.dead_parts():
        raise NotReady("Beat is silent, so nothing scheduled happens: is it running?")


def worker() -> None:
    """Check the heartbeats of workers, by their queues."""
    if dead := [part for part in heartbeats.dead_parts() if part != heartbeats.BEAT]:
        raise NotReady(f"No worker takes calls of: {', '.join(dead)}. Is one running?")


CHECKS: dict[str, Callable[[], None]] = {
    "database": database,
    "schema": schema,
    "broker": broker,
    "deadlines": deadlines,
    "beat": beat,
    "worker": worker,
}


def results() -> dict[str, str]:
    """Run the checks and return {name: why not}, empty if all is well. The owner's page shows them."""
    reasons: dict[str, str] = {}
    for name, check in CHECKS.items():
        try:
            check()
            reasons[name] = ""
        except NotReady as reason:
            reasons[name] = str(reason)
    return reasons


def ready(request: HttpRequest) -> HttpResponse:
    """Respond with 200 or 503: {"ready": …, "version": …, "checks": {name: {"ok": …, "why": … if not}}}.

    Data at risk in the image, and a failed automatic backup, are warnings: {"data": {"ok": true, "warning": …}}.
    """
    checks: dict[str, dict[str, bool | str]] = {
        name: {"ok": False, "why": why} if why else {"ok": True} for name, why in results().items()
    }
    if settings.DATA_RISK:
        checks["data"] = {"ok": True, "warning": data_mount.SENTENCES[settings.DATA_RISK]}
    if why := backups.last_failure():
        checks["backups"] = {"ok": True, "warning": f"The last automatic backup failed: {why}"}
    all_well = all(result["ok"] for result in checks.values())
    response = JsonResponse(
        {"ready": all_well, "version": settings.VERSION, "checks": checks}, status=200 if all_well else 503
    )
    response["Cache-Control"] = "no-store"
    if not all_well:
        response["Retry-After"] = str(RETRY_AFTER)
    return response
