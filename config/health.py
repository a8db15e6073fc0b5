"""Health checks: is the process alive, and are its dependencies available."""

from collections.abc import Callable
from datetime import timedelta

import redis
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from config.variables import data_mount
from engine.sentences import Sentence, counted, sentence
from games.service import backups, upgrade
from league.background import heartbeats
from league.background.deadlines import lag
from league.lib.command import missing_migrations

RETRY_AFTER = 5  # seconds
LATE = timedelta(seconds=60)  # beat calls at once: after this delay no worker is running


class NotReady(Exception):
    """words: a sentence about a missing dependency."""

    def __init__(self, words: Sentence) -> None:
        super().__init__(words)
        self.words = words


NO_DATABASE = sentence("Unknown: the database doesn’t answer.")


def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


def database() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        raise NotReady(sentence("The database doesn’t answer.")) from None


def schema() -> None:
    """Check that all migrations of this version are applied, and that no newer version was here before the start."""
    try:
        newer = upgrade.why_too_new()
        missing = missing_migrations()
    except Error:
        raise NotReady(NO_DATABASE) from None
    if newer:
        raise NotReady(newer)
    if missing:
        raise NotReady(
            counted(
                "The database lacks %(count)d migration: run “wild-league migrate”.",
                "The database lacks %(count)d migrations: run “wild-league migrate”.",
                len(missing),
            )
        )


def broker() -> None:
    """Check Celery's broker; without REDIS_URL it is in-process memory."""
    if not settings.REDIS_URL:
        return
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2) as client:
            client.ping()
    except redis.RedisError:
        raise NotReady(sentence("Redis doesn’t answer.")) from None


def deadlines() -> None:
    """Check that a worker handles deadlines. One that failed and will be retried doesn't count."""
    try:
        waited = lag(timezone.now())
    except Error:
        raise NotReady(NO_DATABASE) from None
    if waited > LATE:
        seconds = int(waited.total_seconds())
        raise NotReady(
            sentence("A deadline has been due for %(seconds)d seconds: is a worker running?", seconds=seconds)
        )


def beat() -> None:
    """Check the heartbeat of beat, which calls the workers."""
    if heartbeats.BEAT in heartbeats.dead_parts():
        raise NotReady(sentence("Beat is silent, so nothing scheduled happens: is it running?"))


def worker() -> None:
    """Check the heartbeats of workers, by their queues."""
    if dead := [part for part in heartbeats.dead_parts() if part != heartbeats.BEAT]:
        raise NotReady(sentence("No worker takes calls of: %(queues)s. Is one running?", queues=", ".join(dead)))


CHECKS: dict[str, Callable[[], None]] = {
    "database": database,
    "schema": schema,
    "broker": broker,
    "deadlines": deadlines,
    "beat": beat,
    "worker": worker,
}


def results() -> dict[str, Sentence | None]:
    """Run the checks and return {name: why not}, None if all is well. The owner's page shows them."""
    reasons: dict[str, Sentence | None] = {}
    for name, check in CHECKS.items():
        try:
            check()
            reasons[name] = None
        except NotReady as reason:
            reasons[name] = reason.words
    return reasons


def ready(request: HttpRequest) -> HttpResponse:
    """Respond with 200 or 503: {"ready": …, "version": …, "checks": {name: {"ok": …, "why": … if not}}}.

    Data at risk in the image, and a failed automatic backup, are warnings: {"data": {"ok": true, "warning": …}}.
    """
    checks: dict[str, dict[str, bool | str]] = {
        name: {"ok": False, "why": str(why)} if why else {"ok": True} for name, why in results().items()
    }
    if settings.DATA_RISK:
        checks["data"] = {"ok": True, "warning": data_mount.SENTENCES[settings.DATA_RISK]}
    if failed := backups.last_failure():
        checks["backups"] = {"ok": True, "warning": f"The last automatic backup failed: {failed}"}
    all_well = all(result["ok"] for result in checks.values())
    response = JsonResponse(
        {"ready": all_well, "version": settings.VERSION, "checks": checks}, status=200 if all_well else 503
    )
    response["Cache-Control"] = "no-store"
    if not all_well:
        response["Retry-After"] = str(RETRY_AFTER)
    return response
