"""WILD_EMAIL_URL as Django's settings of e-mail."""

from urllib.parse import parse_qsl, unquote, urlsplit

from config.variables.wrong_value import WrongValue
from engine.sentences import sentence

# Scheme: module of Django's backend, and the usual port.
SCHEMES = {
    "smtp": ("smtp", 25),
    "submission": ("smtp", 587),  # with STARTTLS
    "console": ("console", None),
    "file": ("filebased", None),
}
YES = {"1", "y", "yes", "t", "true", "on"}
SECONDS = 10  # a page waits while an e-mail is sent


def email_settings(url: str) -> dict[str, object]:
    """Return Django's settings for an address such as `submission://user:password@host:587/?timeout=5`.

    The query may have `ssl`, `tls`, `timeout`, `_default_from_email` and `_server_email`.
    Raises `WrongValue`, which never contains the password.
    """
    try:
        parts = urlsplit(url)
        options, port = dict(parse_qsl(parts.query)), parts.port
        timeout = int(options.get("timeout", SECONDS)) or SECONDS
    except ValueError:
        words = sentence(
            "%(setting)s needs whole numbers as port and timeout; in a password, write %(slash)s for / and "
            "%(bracket)s for [",
            slash="%2F",
            bracket="%5B",
        )
        raise WrongValue(words) from None
    if parts.scheme not in SCHEMES:
        raise WrongValue(sentence("%(setting)s must begin with smtp://, submission://, console:// or file://"))
    module, usual_port = SCHEMES[parts.scheme]
    implicit_tls = options.get("ssl", "").lower() in YES
    start_tls = parts.scheme == "submission" or options.get("tls", "").lower() in YES
    settings: dict[str, object] = {
        "EMAIL_BACKEND": f"django.core.mail.backends.{module}.EmailBackend",
        "EMAIL_HOST": parts.hostname or "localhost",
        "EMAIL_PORT": port or usual_port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": implicit_tls,
        "EMAIL_USE_TLS": start_tls and not implicit_tls,
        "EMAIL_TIMEOUT": timeout,
        "EMAIL_FILE_PATH": parts.path[1:],
    }
    senders = {"DEFAULT_FROM_EMAIL": "_default_from_email", "SERVER_EMAIL": "_server_email"}
    return settings | {name: options[key] for name, key in senders.items() if key in options}
