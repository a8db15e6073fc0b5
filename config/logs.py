"""How log lines look: JSON for a machine that gathers them (WILD_LOG=json), else plain words. Nothing secret gets in.

Knows no Django, so that gunicorn's configuration can use it too.
"""

import re
from collections.abc import Mapping
from typing import Any

import structlog
from structlog.types import EventDict, Processor, WrappedLogger

GONE = "[redacted]"

# The content of a field with such a name is not written.
SECRET_NAMES = re.compile(r"(?i)passw|secret|token|cookie|authorization|digest|session|csrf|api_?key|^key$|^otp$")
# Secrets that may stand inside a sentence, an address or a traceback.
SECRETS_IN_TEXT: tuple[tuple[re.Pattern[str], str], ...] = (
    # Addresses that let in whoever has them: links of invitations, scorers, players, sign-ups, screens, calendars; new
    # passwords.
    (re.compile(r"(/(?:join|s|me|screen|sign-up|calendar|reminders)/)[^/\s\"'?#<>]+"), rf"\1{GONE}"),
    (re.compile(r"(/(?:confirm-email|key)/)[^/\s\"'?#<>]+"), rf"\1{GONE}"),
    # The query of an address, and text that looks like one.
    (re.compile(r"(/[^\s\"'?<>]*)\?[^\s\"'<>]+"), rf"\1?{GONE}"),
    (re.compile(r"(?i)\b(bearer|token|basic)\s+[\w.~+/=-]{8,}"), rf"\1 {GONE}"),
    (
        re.compile(
            r"(?i)([\w-]*(?:passw(?:or)?d|secret|token|sessionid|csrf\w*)[\"']?\s*[=:]\s*)(?:\"[^\"]*\"|'[^']*'|[^\s&;,]+)"
        ),
        rf"\1{GONE}",
    ),
    # The user and password of a database's or a broker's address.
    (re.compile(r"(\w://)[^/\s@\"']+@"), rf"\1{GONE}@"),
)


def clean(text: str) -> str:
    """The text without secrets that would let its reader in."""
    for pattern, instead in SECRETS_IN_TEXT:
        text = pattern.sub(instead, text)
    return text


def redact_value(value: Any) -> Any:
    """A value of a log line without secrets, at any depth."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {
            str(name): GONE if SECRET_NAMES.search(str(name)) else redact_value(item) for name, item in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [redact_value(item) for item in value]
    return clean(repr(value))


def redact(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """The last step before a line is written."""
    return {name: GONE if SECRET_NAMES.search(name) else redact_value(value) for name, value in event.items()}


# What every line carries, ours and the libraries' alike.
SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure() -> None:
    """Send structlog's own lines the way of the standard library's."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def logging_settings(*, as_json: bool) -> dict[str, Any]:
    """The settings for `logging.config.dictConfig`. As JSON they tell each request, else only faults."""
    renderer: Processor = structlog.processors.JSONRenderer(ensure_ascii=False)
    if not as_json:
        renderer = structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
        )
    server = {"handlers": ["stderr"], "level": "INFO" if as_json else "WARNING", "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    redact,
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            # A wrong address or a refused form is an answer, not a fault; faults are told, with the request's id, by
            # config.request_log.
            "django.request": {"level": "CRITICAL"},
            # Anybody can send a wrong Host header: it is answered with 400, and no traceback for each of them.
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "django.security.RequestDataTooBig": {"level": "CRITICAL"},
            # It would write a line for each piece of an answer that is sent to somebody who has left.
            "asyncio": {"level": "ERROR"},
            "config.request_log": {"level": "INFO" if as_json else "WARNING"},
            "django_structlog": {"level": "INFO" if as_json else "WARNING"},
            "uvicorn": server,
            "uvicorn.error": {},
            "uvicorn.access": {"handlers": [], "propagate": False},
            "gunicorn.error": server,
            "gunicorn.access": {"handlers": [], "propagate": False},
        },
    }
