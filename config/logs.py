"""Format of log lines: JSON (WILD_LOG=json), else plain text. Secrets are redacted.

Independent of Django, so that gunicorn's configuration can use it.
"""

import re
from collections.abc import Mapping
from typing import Any

import structlog
from structlog.types import EventDict, Processor, WrappedLogger

GONE = "[redacted]"

# Fields with these names are redacted.
SECRET_NAMES = re.compile(r"(?i)passw|secret|token|cookie|authorization|digest|session|csrf|api_?key|^key$|^otp$")
# Secrets inside sentences, addresses or tracebacks.
SECRETS_IN_TEXT: tuple[tuple[re.Pattern[str], str], ...] = (
    # Addresses that grant access: first starts, invitations, scorers, players, cards, sign-ups, screens, calendars,
    # passwords.
    (re.compile(r"(/(?:setup|join|s|me|member|screen|sign-up|calendar|reminders)/)[^/\s\"'?#<>]+"), rf"\1{GONE}"),
    (re.compile(r"(/(?:confirm-email|key)/)[^/\s\"'?#<>]+"), rf"\1{GONE}"),
    # Query strings, and similar text.
    (re.compile(r"(/[^\s\"'?<>]*)\?[^\s\"'<>]+"), rf"\1?{GONE}"),
    (re.compile(r"(?i)\b(bearer|token|basic)\s+[\w.~+/=-]{8,}"), rf"\1 {GONE}"),
    (
        re.compile(
            r"(?i)([\w-]*(?:passw(?:or)?d|secret|token|sessionid|csrf\w*)[\"']?\s*[=:]\s*)(?:\"[^\"]*\"|'[^']*'|[^\s&;,]+)"
        ),
        rf"\1{GONE}",
    ),
    # User and password of a database or broker address.
    (re.compile(r"(\w://)[^/\s@\"']+@"), rf"\1{GONE}@"),
)


def clean(text: str) -> str:
    """Return the text without secrets that grant access."""
    for pattern, instead in SECRETS_IN_TEXT:
        text = pattern.sub(instead, text)
    return text


def redact_value(value: Any) -> Any:
    """Return a log value without secrets, at any depth."""
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
    """Redact an event: the last step before writing."""
    return {name: GONE if SECRET_NAMES.search(name) else redact_value(value) for name, value in event.items()}


# Fields of every line, also the libraries'.
SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure() -> None:
    """Route structlog through the standard library's logging."""
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
    """Return the settings for `logging.config.dictConfig`. JSON logs each request, plain text only errors."""
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
            # A wrong address or a rejected form is no error; config.request_log logs errors with the request id.
            "django.request": {"level": "CRITICAL"},
            # Anyone can send a wrong Host header: answer 400, without a traceback.
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "django.security.RequestDataTooBig": {"level": "CRITICAL"},
            # It would log each part of a response sent to a disconnected client.
            "asyncio": {"level": "ERROR"},
            "config.request_log": {"level": "INFO" if as_json else "WARNING"},
            "uvicorn": server,
            "uvicorn.error": {},
            "uvicorn.access": {"handlers": [], "propagate": False},
            "gunicorn.error": server,
            "gunicorn.access": {"handlers": [], "propagate": False},
        },
    }
