"""Try the services that settings name: data folder, database, Redis and mail server. Nothing is changed or sent.

Each function yields what is wrong, a sentence each, without its last point.
"""

import os
import smtplib
import sqlite3
import ssl
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import dj_database_url
import psycopg
import redis

from config.variables.email_url import email_settings
from config.variables.read import Machine, SettingFault
from engine.sentences import Sentence, sentence

PATIENCE = 3  # seconds for each step


def folder_faults(machine: Machine) -> Iterator[Sentence]:
    """Check that the data folder can be written, or made."""
    folder = machine.data_folder
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    why = None if os.access(folder, os.W_OK | os.X_OK) else sentence("this user may not write there")
    if not folder.is_dir():
        why = sentence("%(folder)s is not a folder", folder=folder)
    if why:
        yield sentence(
            "WILD_DATA: the data folder %(folder)s cannot be used: %(why)s. "
            "Make it writable for the user who runs this, or name another one",
            folder=machine.data_folder,
            why=why,
        )


def database_faults(machine: Machine) -> Iterator[Sentence]:
    url = machine.text("DATABASE_URL")
    if not url or not dj_database_url.parse(url)["ENGINE"].endswith("postgresql"):
        path = dj_database_url.parse(url)["NAME"] if url else machine.data_folder / "wild.sqlite3"
        yield from _sqlite_faults(str(path))
        return
    try:
        with _connected(url) as first, _connected(url) as second:
            if not machine.flag("WILD_DATABASE_POOLED") and _share_a_server(first, second):
                yield sentence(
                    "DATABASE_URL leads to a pool by transaction, such as PgBouncer, so prepared statements will fail: "
                    "set WILD_DATABASE_POOLED to 1"
                )
    except psycopg.Error as error:
        yield sentence("DATABASE_URL: the database does not answer: %(why)s", why=_one_line(error))


def _sqlite_faults(path: str) -> Iterator[Sentence]:
    if not os.path.exists(path):
        return  # the first start makes it
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=PATIENCE) as database:
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        database.close()
    except sqlite3.Error as error:
        yield sentence("DATABASE_URL: the database %(file)s cannot be used: %(why)s", file=path, why=_one_line(error))
        return
    if not os.access(path, os.W_OK):
        yield sentence("DATABASE_URL: the database %(file)s cannot be written by this user", file=path)


def _connected(url: str) -> "psycopg.Connection[Any]":
    parts = dict[str, Any](dj_database_url.parse(url))
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    values = {ours: parts[theirs] for theirs, ours in names.items() if parts.get(theirs)}
    options = dict(parts.get("OPTIONS", {})) | {"connect_timeout": PATIENCE}
    return psycopg.connect(**values, **options, autocommit=True, prepare_threshold=None)


def _share_a_server(first: "psycopg.Connection[Any]", second: "psycopg.Connection[Any]") -> bool:
    """Return whether a pool gives each transaction the server process that is free.

    A direct connection, or a pool by session, keeps its process. In a pool by transaction, the process that the first
    connection has left serves the second one, and another one then serves the first.
    """
    before = _server_process(first)
    with second.transaction():
        other = _server_process(second)
        return other == before or _server_process(first) != before


def _server_process(connection: "psycopg.Connection[Any]") -> int:
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    return int(row[0]) if row else 0


def redis_faults(machine: Machine) -> Iterator[Sentence]:
    if not (url := machine.text("REDIS_URL")):
        return
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        yield sentence("REDIS_URL: Redis does not answer: %(why)s", why=_one_line(error))


def mail_faults(machine: Machine) -> Iterator[Sentence]:
    """Connect to the mail server and sign in, but send nothing."""
    if not (url := machine.text("WILD_EMAIL_URL")):
        return
    mail: dict[str, Any] = email_settings(url)
    if not mail["EMAIL_BACKEND"].endswith("smtp.EmailBackend"):
        return
    host, port = mail["EMAIL_HOST"] or "localhost", mail["EMAIL_PORT"] or 25
    address = f"{host}:{port}"
    try:
        with _mail_server(mail, host, port) as server:
            if mail.get("EMAIL_USE_TLS"):
                server.starttls(context=ssl.create_default_context())
            if mail["EMAIL_HOST_USER"]:
                server.login(mail["EMAIL_HOST_USER"], mail["EMAIL_HOST_PASSWORD"] or "")
    except smtplib.SMTPAuthenticationError:
        yield sentence("WILD_EMAIL_URL: the mail server %(address)s refuses user or password", address=address)
    except (OSError, smtplib.SMTPException) as error:
        yield sentence(
            "WILD_EMAIL_URL: the mail server %(address)s does not answer as it should: %(why)s",
            address=address,
            why=_one_line(error),
        )


def _mail_server(mail: dict[str, Any], host: str, port: int) -> smtplib.SMTP:
    if mail.get("EMAIL_USE_SSL"):
        return smtplib.SMTP_SSL(host, port, timeout=PATIENCE, context=ssl.create_default_context())
    return smtplib.SMTP(host, port, timeout=PATIENCE)


def _one_line(error: BaseException) -> str:
    text = str(error).partition("Is the server running")[0]
    return " ".join(text.split()).rstrip(".") or type(error).__name__


def faults(machine: Machine) -> Iterator[Sentence]:
    """Try all services. A service whose setting can't be read was reported with the settings."""
    for check in (folder_faults, database_faults, redis_faults, mail_faults):
        with suppress(SettingFault):
            yield from check(machine)
