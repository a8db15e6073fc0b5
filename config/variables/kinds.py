"""Kinds of settings: how text from the environment, or a value from wild.toml, becomes a value."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import available_timezones

import dj_database_url

from config.variables.email_url import email_settings
from config.variables.wrong_value import WrongValue
from engine.sentences import sentence

Raw = str | int | bool  # a variable of the environment is a str

YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}


@dataclass(frozen=True)
class Kind:
    """read: return the value, or raise WrongValue."""

    name: str
    read: Callable[[Raw], Any]
    is_secret: bool = False


def _text(raw: Raw) -> str:
    if not isinstance(raw, str):
        raise WrongValue(sentence("%(setting)s takes text in quotes"))
    return raw.strip()


def _flag(raw: Raw) -> bool:
    word = str(raw).strip().lower()
    if word not in YES | NO:
        raise WrongValue(sentence("%(setting)s takes 1 or 0, not “%(text)s”", text=raw))
    return word in YES


@dataclass(frozen=True)
class Address:
    """host: with its port, unless that is the usual one. path: begins and ends with a slash."""

    scheme: str
    host: str
    path: str = "/"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}"


PATH = re.compile(r"(/[\w.~-]+)*/")


def _url(raw: Raw) -> Address:
    text = _text(raw)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    path = f"{parts.path.rstrip('/')}/"
    rest = parts.query or parts.fragment or parts.username is not None
    if parts.scheme not in ("http", "https") or not parts.hostname or rest or not PATH.fullmatch(path):
        words = sentence("%(setting)s takes an address such as https://cards.example.org/, not “%(text)s”", text=text)
        raise WrongValue(words)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    if port not in (None, {"http": 80, "https": 443}[parts.scheme]):
        host = f"{host}:{port}"
    return Address(parts.scheme, host, path)


def _hosts(raw: Raw) -> list[str]:
    hosts = [host.strip() for host in _text(raw).split(",") if host.strip()]
    for host in hosts:
        if "/" in host:
            words = sentence(
                "%(setting)s takes host names separated by commas, without https:// and paths, not “%(text)s”",
                text=host,
            )
            raise WrongValue(words)
    return hosts


def number(lowest: int = 0) -> Kind:
    def read(raw: Raw) -> int:
        text = str(raw).strip()
        if isinstance(raw, bool) or not text.isdecimal():
            raise WrongValue(sentence("%(setting)s takes a whole number, not “%(text)s”", text=text))
        if int(text) < lowest:
            words = sentence(
                "%(setting)s takes a whole number from %(lowest)d, not “%(text)s”", lowest=lowest, text=text
            )
            raise WrongValue(words)
        return int(text)

    return Kind("whole number", read)


def choice(*words: str) -> Kind:
    def read(raw: Raw) -> str:
        word = str(raw).strip().lower()
        if word not in words:
            taken = " / ".join(words)
            raise WrongValue(sentence("%(setting)s takes %(words)s, not “%(text)s”", words=taken, text=raw))
        return word

    return Kind("choice", read)


def secret(fault: Callable[[str], WrongValue | None] = lambda _text: None) -> Kind:
    """Return the kind of a setting that a file may have, and no message repeats.

    fault: returns what is wrong with a text, or None.
    """

    def read(raw: Raw) -> str:
        text = _text(raw)
        if wrong := fault(text):
            raise wrong
        return text

    return Kind("secret", read, is_secret=True)


def database_fault(url: str) -> WrongValue | None:
    try:
        engine = dj_database_url.parse(url)["ENGINE"]
    except (ValueError, KeyError):
        engine = ""
    if engine.endswith(("postgresql", "sqlite3")):
        return None
    return WrongValue(
        sentence("%(setting)s is not an address of PostgreSQL or SQLite: write postgres://user:password@host/name")
    )


def redis_fault(url: str) -> WrongValue | None:
    if url.startswith(("redis://", "rediss://", "unix://")):
        return None
    return WrongValue(sentence("%(setting)s must begin with redis://, rediss:// or unix://"))


def email_fault(url: str) -> WrongValue | None:
    try:
        email_settings(url)
    except WrongValue as wrong:
        return wrong
    return None


def _zone(raw: Raw) -> str:
    name = _text(raw)
    if name not in available_timezones():
        near = get_close_matches(name, available_timezones(), n=1)
        words = sentence("%(setting)s takes a time zone such as Europe/Paris, not “%(text)s”", text=name)
        if near:
            words = sentence(
                "%(setting)s takes a time zone such as Europe/Paris, not “%(text)s”; the nearest is %(nearest)s",
                text=name,
                nearest=near[0],
            )
        raise WrongValue(words)
    return name


# Beginnings of addresses of mail servers; other e-mails stay on this machine.
MAIL_TO_OTHERS = ("smtp", "submission")


def trusted_origins(hosts: list[str]) -> list[str]:
    """Return the https origins of hosts; one that begins with a dot includes its subdomains."""
    origins: list[str] = []
    for host in hosts:
        if host.startswith("."):
            origins += [f"https://{host[1:]}", f"https://*{host}"]
        elif host != "*":
            origins.append(f"https://{host}")
    return list(dict.fromkeys(origins))


TEXT = Kind("text", _text)
FLAG = Kind("flag", _flag)
URL = Kind("URL", _url)
HOSTS = Kind("hosts", _hosts)
ZONE = Kind("time zone", _zone)
