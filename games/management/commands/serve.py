"""`manage.py serve`: the whole service in one process, for a laptop at the venue or a small server."""

import contextlib
import errno
import io
import os
import signal
import socket
import struct
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any, TextIO

import segno
import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection

from games.online.play import pulse
from games.server.first_start import tell_link
from games.service.demo import DEMO_EMAIL, PASSWORD_FILE, Demo, first_demo
from games.service.one_process import Clock
from games.service.updating import answers_updating
from games.service.upgrade import needs_migrations
from league.access.server import server_address
from league.lib.command import SentenceCommand
from league.live.open_files import prepare_for_streams
from league.live.stream import hub

EVERYWHERE = ("0.0.0.0", "::")
KEEP = 60  # seconds that a thread keeps its connection to the database


class Command(SentenceCommand):
    uses_database = False  # it migrates only when it listens
    requires_system_checks = "__all__"
    help = "Bring the database up to date and serve Wild League."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for the local network")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-demo", action="store_true", help="start with no demo tournament")
        parser.add_argument("--no-backup", action="store_true", help="upgrade the database without a backup before it")
        parser.add_argument(
            "--with-worker",
            action="store_true",
            help="run worker and beat in this process although REDIS_URL names a broker for others",
        )

    def handle(
        self,
        *args: Any,
        host: str,
        port: int,
        no_demo: bool,
        with_worker: bool = False,
        no_backup: bool = False,
        **options: Any,
    ) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            # Stopping is no failure. From `serve()` on, uvicorn is told instead.
            signal.signal(number, stop)
        if not 0 <= port <= 65535:
            raise CommandError(f"There is no port {port}; choose one from 1024 to 65535 with --port.", returncode=2)
        try:
            # Listen before migrating: of two servers that start together only one touches the database.
            listener = listen(host, port)
        except OSError as error:
            raise CommandError(why_no_listener(error, host, port), returncode=2) from None
        try:
            with answers_updating(listener) if needs_migrations() else contextlib.nullcontext():
                call_command("migrate", verbosity=0, interactive=False, no_backup=no_backup)
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {' '.join(str(error).split())}.", returncode=2) from None
        port = listener.getsockname()[1]
        addresses = lan_addresses() if host in EVERYWHERE else [host]
        self.tell_organiser(first_demo(with_demo=not no_demo))
        tell_link(self.stdout.write, first_address(host, port))
        self.tell_addresses(host, port, addresses)
        # Without a shared broker this process does everything; with one, other processes are worker and beat.
        clock = Clock() if with_worker or not settings.REDIS_URL else contextlib.nullcontext()
        pulse.beat()
        with clock:
            serve(listener)

    def tell_organiser(self, demo: Demo | None) -> None:
        """Tell how to sign in as the demo organiser while there is one."""
        if demo:
            self.stdout.write(f"Demo tournaments are ready. Their organiser signs in as {demo.email}, password")
            self.stdout.write(f"{demo.password} (kept in {demo.password_file}).")
        elif (password_file := settings.DATA_DIR / PASSWORD_FILE).exists():
            self.stdout.write(f"The demo organiser signs in as {DEMO_EMAIL}; the password is in {password_file}.")

    def tell_addresses(self, host: str, port: int, addresses: list[str]) -> None:
        path = settings.BASE_PATH
        self.stdout.write(f"Wild League is at {local_address(host, port)}{path} (Ctrl-C stops it)")
        if settings.PUBLIC_ORIGIN:
            self.stdout.write(f"Visitors open {settings.PUBLIC_ORIGIN}{path}")
        elif host in EVERYWHERE:
            for address in addresses:
                self.stdout.write(f"On the local network: http://{in_url(address)}:{port}/")
            if not addresses:
                self.stdout.write("This machine has no address on a local network now.")
            elif can_draw_qr(sys.stdout if self.stdout.isatty() else None):
                self.stdout.write(
                    f"Phones in the same network scan this:\n{qr(f'http://{in_url(addresses[0])}:{port}/')}"
                )
        self.stdout.flush()


def local_address(host: str, port: int) -> str:
    """Return the address for this machine. Browsers keep passkeys for `localhost`, but for no IP address."""
    return f"http://{in_url('localhost' if host in (*EVERYWHERE, '127.0.0.1') else host)}:{port}"


def first_address(host: str, port: int) -> str:
    """Return the address for the link of the first start: the one that the settings name, else a local one."""
    return local_address(host, port) if settings.LOCAL_HOSTS_ONLY else server_address(port)


def stop(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def serve(listener: socket.socket) -> None:
    prepare_for_streams(settings.LIVE_STREAMS)
    if "WILD_DATABASE_KEEP" not in settings.GIVEN:
        # It has few threads, which live as long as it does; opening a connection takes a fifth of a request's time.
        connection.settings_dict["CONN_MAX_AGE"] = KEEP
    config = uvicorn.Config(
        "config.web:one_process",
        factory=True,
        lifespan="off",
        access_log=False,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,  # an open page must not hold up the stop
        backlog=128,  # asyncio tries as many at once, and with no file left complains once for each
    )
    server = Server(config)
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn sets it itself only inside its loop, and raises the signal again when it has stopped.
        signal.signal(number, server.handle_exit)
    server.run(sockets=[listener])


class Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        hub.end()  # else live pages hold up the stop until they are cut off
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    if os.name == "posix":
        # So a port is free as soon as it is left. On Windows this option would let two servers share the port.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def why_no_listener(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program; choose a free one, for example --port {port + 1}."
    return f"Cannot listen on {host}, port {port}: {error.strerror or error}."


def can_draw_qr(terminal: TextIO | None) -> bool:
    """Whether a QR code can be shown: a log file is no terminal, and not every terminal has the characters."""
    try:
        "▀▄█".encode((terminal and terminal.encoding) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def qr(address: str) -> str:
    """The code with its ground in white, whatever the terminal's colours are: readers need the ground to be lighter."""
    drawn = io.StringIO()
    segno.make_qr(address).terminal(out=drawn, border=2, compact=True)
    return "".join(f"\033[97;40m{line}\033[0m\n" for line in drawn.getvalue().splitlines())


def lan_addresses() -> list[str]:
    """This machine's own addresses on its networks, the one of the default route first."""
    addresses: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which address a packet would leave from
        addresses.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):  # the machine's own name may be unknown to its resolver
        addresses += socket.gethostbyname_ex(socket.gethostname())[2]
    return reachable(addresses) or reachable(interface_addresses())


def reachable(addresses: Iterable[str]) -> list[str]:
    """The addresses that others can reach, each once."""
    return [address for address in dict.fromkeys(addresses) if not address.startswith(("127.", "0."))]


def interface_addresses() -> Iterator[str]:
    """On Linux the addresses of its interfaces: a router without a way out gives no default route."""
    if sys.platform != "linux":
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # one without an address
                answer = fcntl.ioctl(probe, 0x8915, struct.pack("256s", name.encode()))  # SIOCGIFADDR
                yield socket.inet_ntoa(answer[20:24])


def in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
