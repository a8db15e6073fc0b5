"""Online tables under load: players with open streams, and what they and those who serve them spend."""

import asyncio
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from benchmarks.live import Serving
from benchmarks.live import spread as times
from benchmarks.players import TOKEN, Tally, play

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

MOST_HANDS = 500
WARM_UP = 3.0  # seconds of play before anything is counted

Seats = list[tuple[int, str, str]]
"""(table's key, slug, cookie) for every player, by table."""


def online_table(tables: int, seed: int) -> Seats:
    """A tournament whose tables are all online, and its players."""
    from django.conf import settings
    from django.contrib.sessions.backends.base import SessionBase
    from django.db import transaction
    from django.utils.module_loading import import_string

    from benchmarks import factory
    from games.hands.locks import lock_table
    from games.models import OnlineSettings
    from games.online.play.deals import get_ready, next_deal
    from league.access.session_links import SESSION
    from league.models import Seat, Stage, Table

    made = factory.tournament(4 * tables, 1, seed, played=False)
    Stage.objects.filter(tournament=made).update(settings={"hands_per_round": MOST_HANDS})
    of_it = Table.objects.filter(round__tournament=made)
    of_it.update(hands_wanted=MOST_HANDS, mode=Table.Mode.ONLINE)
    OnlineSettings.objects.create(tournament=made, move_seconds=3600, no_show_seconds=3600, between_seconds=3600)
    deals = {}
    for key in of_it.values_list("pk", flat=True):
        with transaction.atomic():
            deals[key] = next_deal(lock_table(key))
    players = []
    for seat in Seat.objects.filter(round__tournament=made).select_related("entry").order_by("table", "number"):
        session: SessionBase = import_string(f"{settings.SESSION_ENGINE}.SessionStore")()
        session[SESSION] = [[seat.entry.public_id, seat.entry.link_generation]]
        session.save()
        cookie = f"{settings.SESSION_COOKIE_NAME}={session.session_key}; {settings.CSRF_COOKIE_NAME}={TOKEN}"
        players.append((seat.table_id, made.slug, cookie))
        get_ready(table_id=seat.table_id, deal_id=deals[seat.table_id].pk, entry=seat.entry)
    return players


def serving_all(seats: Seats) -> dict[str, str]:
    """The environment of what serves them: the streams of one load may not be gone when those of the next one come.
    All are from one address."""
    streams = str(4 * len(seats))
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "WILD_STREAMS": streams,
        "WILD_STREAMS_AN_ADDRESS": streams,
    }


class Spent:
    """CPU seconds between "begin" and "end": of what serves, of PostgreSQL if there is one, and of the players."""

    def __init__(self, serving: Serving, postgres: "PostgresServer | None", players: Callable[[], float]) -> None:
        self.serving = serving
        self._clocks = {"serving": serving.cpu_seconds, "players": players}
        if postgres is not None and postgres.process is not None:
            self._clocks["database"] = Serving(0, (), postgres.process.pid).cpu_seconds
        self._found: dict[str, dict[str, float]] = {}

    def at(self, when: str) -> None:
        self._found[when] = {name: clock() for name, clock in self._clocks.items()}

    def of(self, name: str) -> float:
        return self._found["end"].get(name, 0.0) - self._found["begin"].get(name, 0.0)


def under_load(
    serving: Serving,
    seats: Seats,
    pace: float | None,
    seconds: float,
    postgres: "PostgresServer | None",
    *,
    html: bool = False,
) -> dict[str, Any]:
    spent = Spent(serving, postgres, time.process_time)
    playing = play(seats, serving.streams, pace=pace, warm_up=WARM_UP, seconds=seconds, at=spent.at, html=html)
    tally = asyncio.run(playing)
    return figures(tally, spent, pace, seconds)


def figures(tally: Tally, spent: Spent, pace: float | None, seconds: float) -> dict[str, Any]:
    moves = max(1, tally.moves)
    return {
        "asked_moves_per_s": pace,
        "moves_per_s": round(tally.moves / seconds, 1),
        "late": tally.late,
        "refused": tally.refused,
        "looks_a_move": round(tally.looks / moves, 2),
        "sent_to_answer_ms": times(tally.answered or [0.0]),
        "sent_to_others_ms": times(tally.seen or [0.0]),
        "seen": len(tally.seen),
        "pages": tally.pages,
        "cpu_ms_a_move": round(1000 * spent.of("serving") / moves, 1),
        "cpu_share": round(spent.of("serving") / seconds, 2),
        "database_cpu_ms_a_move": round(1000 * spent.of("database") / moves, 1),
        "players_cpu_share": round(spent.of("players") / seconds, 2),
        "memory_mb": spent.serving.memory_mb(),
        "load": os.getloadavg()[0],
    }
