"""How many e-mails a minute are delivered: 1,000 that are due at once, to a mail server on the same machine.

    .venv/bin/python -m benchmarks.mails [--production] [--mails N] [--delay MS] [--seed S] [--smoke]

Each of the people signed up has the news of their place. The mail server is a few lines of this program; --delay is
what each of its answers takes, as by one that is far away. Sent by `manage.py serve` on SQLite, or with --production by
docker/production.py (worker with three processes, beat) on PostgreSQL and Redis started from the test packages.

Times are on the wall, from the commit of the e-mails to each delivery. CPU is that of all processes of the service, the
databases and the mail server aside. `lost` and `doubled` count by the Message-ID. The last line is one JSON object. It
needs Linux.
"""

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.live import free_ports, served, services
from benchmarks.pages import prepare

PATIENCE = 600.0  # seconds until an e-mail is lost
AT_ONCE = 500  # rows
ANSWERS = {b"EHLO": "250-localhost\r\n250 SIZE 10000000", b"DATA": "354 Go on", b"QUIT": "221 Bye"}


@dataclass
class MailServer:
    """A mail server that takes everything. delay: seconds of each answer."""

    delay: float
    arrivals: list[tuple[str, float]] = field(default_factory=list)  # Message-ID, by time.perf_counter
    connections: int = 0

    def start(self) -> int:
        """Serve in a thread, and return the port."""
        [port] = free_ports(1)
        ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve(port, ready)), daemon=True).start()
        ready.wait()
        return port

    async def _serve(self, port: int, ready: threading.Event) -> None:
        server = await asyncio.start_server(self._talk, "127.0.0.1", port)
        ready.set()
        await server.serve_forever()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1

        async def answer(line: str) -> None:
            await asyncio.sleep(self.delay)
            writer.write(f"{line}\r\n".encode())

        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            await answer("220 localhost")
            verb = b""
            while verb != b"QUIT":
                verb = (await reader.readuntil(b"\r\n"))[:4].upper()
                await answer(ANSWERS.get(verb, "250 OK"))
                if verb == b"DATA":
                    mail = await reader.readuntil(b"\r\n.\r\n")
                    self.arrivals.append((message_id(mail), time.perf_counter()))
                    await answer("250 OK")
        writer.close()


def message_id(mail: bytes) -> str:
    return next(line for line in mail.decode().splitlines() if line.lower().startswith("message-id:"))


def main() -> None:
    parser = argparse.ArgumentParser(description="How many e-mails a minute are delivered.")
    parser.add_argument("--mails", type=int, default=1000)
    parser.add_argument("--delay", type=float, default=0.0, metavar="MS", help="of each answer of the mail server")
    parser.add_argument("--production", action="store_true", help="worker and beat, PostgreSQL and Redis")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--smoke", action="store_true", help="few e-mails: whether it runs")
    options = parser.parse_args()
    if options.smoke:
        options.mails = 10
    with tempfile.TemporaryDirectory(prefix="wild-bench-") as folder:
        result = run(Path(folder), options)
    sys.stdout.write(json.dumps({"benchmark": "mails"} | result) + "\n")


def run(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    mail_server = MailServer(options.delay / 1000)
    port = mail_server.start()
    with services(folder, options.production) as (database, redis, _postgres):
        os.environ |= redis | {"WILD_EMAIL_URL": f"smtp://127.0.0.1:{port}/", "WILD_URL": "http://cards.example.org/"}
        prepare(folder, database, smoke=options.smoke)
        from django.db import connections

        people = sign_up(options.mails, random.Random(options.seed))
        connections.close_all()
        environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "WILD_BACKUPS": "0"}
        with served(environment, 3) as serving:
            time.sleep(3)
            cpu, began = serving.cpu_seconds(), time.perf_counter()
            write(people)
            wait_for(mail_server, options.mails)
            spent = serving.cpu_seconds() - cpu
            time.sleep(3)  # for a second copy
        unsent = count_unsent()
        connections.close_all()
    return {
        "shape": "production" if options.production else "serve",
        "python": platform.python_version(),
        "seed": options.seed,
        "delay_ms": options.delay,
    } | figures(mail_server, began, spent, options.mails, unsent)


def sign_up(number: int, chance: random.Random) -> list[int]:
    """Sign people up for one tournament, and return their ids in a random order."""
    from django.utils import timezone

    from benchmarks import factory
    from league.models import SignUp

    made = factory.tournament(8, 1, 1, played=False)
    now = timezone.now()
    people = [
        SignUp(
            tournament=made,
            name=f"Player {at}",
            email=f"player{at}@example.org",
            language=chance.choice(("en", "fr", "es")),
            state=SignUp.State.PLACED,
            confirmed_at=now,
        )
        for at in range(number)
    ]
    keys = [person.pk for person in SignUp.objects.bulk_create(people, AT_ONCE)]
    chance.shuffle(keys)
    return keys


def write(people: list[int]) -> None:
    """Queue an e-mail to each, in one transaction."""
    from django.db import transaction
    from django.utils import timezone

    from league.lib.wake import call_worker_after_commit
    from league.models import Letter

    now = timezone.now()
    with transaction.atomic():
        rows = (Letter(kind="signed-up", sign_up_id=key, site="http://cards.example.org", due_at=now) for key in people)
        Letter.objects.bulk_create(rows, AT_ONCE)
        call_worker_after_commit()


def wait_for(mail_server: MailServer, number: int) -> None:
    until = time.perf_counter() + PATIENCE
    while len(mail_server.arrivals) < number and time.perf_counter() < until:
        time.sleep(0.05)


def count_unsent() -> int:
    from league.models import Letter

    return Letter.objects.exclude(state=Letter.State.SENT).count()


def figures(mail_server: MailServer, began: float, cpu: float, number: int, unsent: int) -> dict[str, Any]:
    ids = [message for message, _at in mail_server.arrivals]
    moments = sorted(at - began for _message, at in mail_server.arrivals)
    return {
        "mails": number,
        "lost": number - len(set(ids)),
        "doubled": len(ids) - len(set(ids)),
        "not_marked_as_sent": unsent,
        "first_s": round(moments[0], 2),
        "half_s": round(moments[len(moments) // 2], 2),
        "last_s": round(moments[-1], 2),
        "a_minute": round(60 * len(set(ids)) / moments[-1]),
        "cpu_ms_a_mail": round(1000 * cpu / number, 2),
        "cpu_share": round(cpu / moments[-1], 2),
        "connections": mail_server.connections,
    }


if __name__ == "__main__":
    main()
