"""Settings of Wild League. config/variables/ finds those that differ by machine (docs/operations.md)."""

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dj_database_url
from django.contrib.messages import constants as messages
from django.core.exceptions import ImproperlyConfigured
from django.http.request import split_domain_port

from config import logs
from config.variables import data_mount
from config.variables.email_url import email_settings
from config.variables.kinds import MAIL_TO_OTHERS, trusted_origins
from config.variables.read import BASE_DIR, Machine
from config.version import VERSION as VERSION  # for pages and rooms below: settings.VERSION

MACHINE = Machine()
MACHINE.refuse_faults()
# Names of the settings that this machine sets.
GIVEN = MACHINE.names_given()
DATA_DIR = MACHINE.data_folder


def _stored_secret_key() -> str:
    """Return the key from the environment, else from a file in the data directory, created once for its owner only."""
    if key := MACHINE.text("WILD_SECRET_KEY"):
        return key
    with _data_folder():
        return _read_or_make_key(DATA_DIR / "secret_key")


@contextlib.contextmanager
def _data_folder() -> Iterator[None]:
    """Make the data folder if it is missing, for its owner only: it contains people's addresses."""
    try:
        DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise ImproperlyConfigured(
            f"the data folder {DATA_DIR} cannot be used: {error.strerror or error}. Make it writable for the user who "
            "runs this, or name another one in WILD_DATA"
        ) from None


def _read_or_make_key(path: Path) -> str:
    if not path.exists():
        descriptor, draft = tempfile.mkstemp(dir=DATA_DIR, prefix="secret_key.")  # mode 0600
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(48))
        # If two processes start at once, the first link wins, and both read the same complete key.
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        os.unlink(draft)
    return path.read_text(encoding="utf-8").strip()


DEBUG = False
SECRET_KEY = _stored_secret_key()
# The public address: https://cards.example.org, its host, and the path of all pages. Empty if it isn't set.
_ADDRESS = MACHINE.address("WILD_URL")
PUBLIC_ORIGIN = _ADDRESS.origin if _ADDRESS else ""
PUBLIC_HOST = _ADDRESS.host if _ADDRESS else ""
BASE_PATH = _ADDRESS.path if _ADDRESS else "/"
HTTPS = _ADDRESS.scheme == "https" if _ADDRESS else MACHINE.flag("WILD_HTTPS")
DESIGN_PAGE = MACHINE.flag("WILD_DESIGN")  # whether /design/ is public
_HOSTS = [*filter(None, [PUBLIC_HOST]), *MACHINE.hosts("WILD_ALLOWED_HOSTS")]
# Then config/variables/hosts.py refuses all others.
LOCAL_HOSTS_ONLY = not _HOSTS
# Ports, if any: {"cards.example.org": "8443"}
HOST_PORTS = {host: port for host, port in map(split_domain_port, _HOSTS) if port}
ALLOWED_HOSTS = [split_domain_port(host)[0] or host for host in _HOSTS] or ["*"]
if PUBLIC_HOST:  # links don't depend on the request's host, so programs of this machine are welcome
    ALLOWED_HOSTS += ["localhost", "127.0.0.1", "[::1]"]

INSTALLED_APPS = [
    "league",
    "games",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.csp.PolicyMiddleware",
    "config.static.Files",
    "config.request_log.RequestLogMiddleware",
    "config.metrics.metrics_middleware",
    "config.private.private_middleware",
    "config.variables.hosts.host_middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.languages.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "league.lib.public_address.PublicAddressMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "league.pages.in_place.in_place_middleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "loaders": [("django.template.loaders.cached.Loader", ["league.lib.template_loader.Loader"])],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "league.templatetags.wild",
                "league.templatetags.components",
            ],
        },
    }
]

# Note style of each message level (league/templatetags/components.py:note).
MESSAGE_TAGS = {
    messages.DEBUG: "ok",
    messages.INFO: "ok",
    messages.SUCCESS: "ok",
    messages.WARNING: "warn",
    messages.ERROR: "warn",
}

# SQLite: lock for writing at BEGIN, so that a transaction never fails half-way for a late lock. FULL: confirmed
# data survives a power loss. A request that waits longer than the timeout gets a 503 (config/unavailable.py).
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 3,  # seconds
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}
DATABASE_URL = MACHINE.text("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'wild.sqlite3'}"
# Persistent connections are checked before reuse, so a database restart needs no restart here.
DATABASE_KEEP = MACHINE.number("WILD_DATABASE_KEEP")
PREPARE_AFTER = 5  # uses before a statement is prepared, once a connection (league/lib/prepared_sql.py)
DATABASES: dict[str, dict[str, Any]] = {
    "default": dict(dj_database_url.parse(DATABASE_URL, conn_max_age=DATABASE_KEEP, conn_health_checks=True))
}
if DATABASES["default"]["ENGINE"].endswith("postgresql"):
    DATABASES["default"]["ENGINE"] = "config.postgresql"
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
    # Seconds; after a minute of silence a machine is gone, and a thread needn't wait for its answer.
    for name, value in {"keepalives_idle": 20, "keepalives_interval": 10, "keepalives_count": 3}.items():
        DATABASES["default"]["OPTIONS"].setdefault(name, value)
    # PgBouncer in transaction mode may send the next statement to another connection.
    POOLED = MACHINE.flag("WILD_DATABASE_POOLED")
    DATABASES["default"]["OPTIONS"].setdefault("prepare_threshold", None if POOLED else PREPARE_AFTER)
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = POOLED
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    with _data_folder():
        DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS

# Why the data folder would be lost with its container; "" if it stays, or has neither database nor key.
_KEEPS_DATA = DATABASES["default"]["ENGINE"].endswith("sqlite3") or "WILD_SECRET_KEY" not in GIVEN
DATA_RISK = data_mount.risk_here(DATA_DIR) if _KEEPS_DATA and MACHINE.flag("WILD_IN_IMAGE") else ""

# Automatic backups to keep in the data folder; 0: none are written (games/service/backups.py).
BACKUPS = MACHINE.number("WILD_BACKUPS")

# Broker of worker and beat (config/celery.py). Empty: they run inside `manage.py serve`, in memory.
REDIS_URL = MACHINE.text("REDIS_URL")

# With Redis, all web processes share rate limits (league/lib/rate_limits.py), presence at online tables
# (games/online/play/presence.py), and in "default" allauth's wrong passwords and spent codes.
_OWN_MEMORY: dict[str, object] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "OPTIONS": {"MAX_ENTRIES": 10_000},
}
CACHES: dict[str, dict[str, object]] = {
    "default": _OWN_MEMORY,
    "limits": _OWN_MEMORY,
    "presence": _OWN_MEMORY | {"LOCATION": "presence"},
    # A page of 1000 players has 30 kB (league/pages/cached_page.py).
    "pages": _OWN_MEMORY | {"LOCATION": "pages", "OPTIONS": {"MAX_ENTRIES": 500}},
    "moves": _OWN_MEMORY | {"LOCATION": "moves"},  # one a process
}
if REDIS_URL:
    _REDIS: dict[str, object] = {"LOCATION": REDIS_URL, "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1}}
    CACHES["limits"] = CACHES["presence"] = CACHES["pages"] = _REDIS | {"BACKEND": "config.cache.RedisCache"}
    CACHES["default"] = _REDIS | {"BACKEND": "config.cache.FallbackCache"}

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "league.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
PASSWORD_HASHERS = [
    f"django.contrib.auth.hashers.{name}"
    for name in ("Argon2PasswordHasher", "PBKDF2PasswordHasher", "ScryptPasswordHasher")
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# Mail goes to stderr, for the operator, unless a server is set.
EMAIL_URL = MACHINE.text("WILD_EMAIL_URL")
# Without a known public address, links in e-mails would lead to any host that a visitor sends.
MAIL_GOES_OUT = bool(EMAIL_URL) and not (LOCAL_HOSTS_ONLY and EMAIL_URL.startswith(MAIL_TO_OTHERS))
EMAIL_BACKEND = "config.mail.StderrBackend"
DEFAULT_FROM_EMAIL = "Wild League <wild-league@localhost>"
if MAIL_GOES_OUT:
    globals().update(email_settings(EMAIL_URL))

# Accounts (django-allauth): users sign in by e-mail. Verification is optional: a café's LAN has no mail server. With
# mail, new accounts wait for it (league/accounts/verify_first.py), and the second step needs it, so that no one locks
# another person's address.
# True or False: WILD_SIGNUP. None: the owner decides (league/access/server.py).
SIGN_UP_OPEN: bool | None = MACHINE.value("WILD_SIGNUP")
ACCOUNT_ADAPTER = "league.accounts.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_FORMS = {
    "signup": "league.accounts.allauth_forms.SignUpForm",
    "reset_password": "league.accounts.allauth_forms.ForgottenPasswordForm",
}
ACCOUNT_SIGNUP_FORM_CLASS = "league.accounts.forms.SignUpFields"
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # in the browser that signed up
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_CONFIRMATION_AUTHENTICATED_REDIRECT_URL = f"{BASE_PATH}accounts/"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
# All 429 limits end within a minute, as the page says.
ACCOUNT_RATE_LIMITS = {
    "login": None,  # ours are below (league/accounts/adapter.py)
    "login_failed": "10/m/ip,5/m/key",  # codes of the second step, by account
    "sign_in": "30/m/ip",
    "wrong_address": "10/m/ip",
    "wrong": "5/m/key",  # by account and address
    "wrong_account": "30/m/key",
    # In browsers known to the account.
    "sign_in_known": "30/m/key",
    "wrong_known": "5/m/key",
}
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if HTTPS else 0
MFA_ADAPTER = "league.accounts.adapter.MfaAdapter"
MFA_FORMS = {
    "authenticate": "league.accounts.allauth_forms.CodeForm",
    "reauthenticate": "league.accounts.allauth_forms.CodeAgainForm",
    "add_webauthn": "league.accounts.allauth_forms.AddForm",
    "authenticate_webauthn": "league.accounts.allauth_forms.AuthenticateForm",
    "login_webauthn": "league.accounts.allauth_forms.LoginForm",
    "reauthenticate_webauthn": "league.accounts.allauth_forms.ReauthenticateForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_TOTP_ISSUER = "Wild League"
MFA_TOTP_TOLERANCE = 1  # half a minute, for inaccurate clocks
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # browsers allow it only for localhost
MFA_ALLOW_UNVERIFIED_EMAIL = not MAIL_GOES_OUT

# The API (docs/api.md). What its views share is in league/api/base.py.
REST_FRAMEWORK: dict[str, object] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "EXCEPTION_HANDLER": "league.api.problems.handle",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "league.api.schema.Operations",
    "DEFAULT_VERSIONING_CLASS": None,
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
}
# Streams of a process (league/live/stream.py); each is an open file. Other pages poll every 20 s.
LIVE_STREAMS = MACHINE.number("WILD_STREAMS")
# Share of an address once most streams are taken (league/live/open_streams.py); 0: equal shares.
LIVE_STREAMS_AN_ADDRESS = MACHINE.number("WILD_STREAMS_AN_ADDRESS")
WEB_THREADS = MACHINE.number("WILD_WEB_THREADS")  # of a process; 0: as many as suit it (config/web.py)
API_WRITES_A_MINUTE = MACHINE.number("WILD_API_RATE")  # a token
PLAY_RATE = MACHINE.number("WILD_PLAY_RATE")  # moves of a player in ten seconds (games/online/play/limits.py)
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Wild League",
    "VERSION": VERSION,
    "DESCRIPTION": "Tournaments of UNO-family card games: seating, hands, standings.",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "TournamentState": "league.models.Tournament.State",
        "RoundState": "league.models.Round.State",
        "TableState": "league.models.Table.State",
        "HandState": "games.entry.api_shapes.HAND_STATES",
        "Scoring": "league.setup.api_shapes.ALL_SCORINGS",
    },
    "PREPROCESSING_HOOKS": ["league.api.schema.only_the_api"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "league.api.schema.with_problems_and_keys",
    ],
}

USE_TZ = True
TIME_ZONE = MACHINE.text("WILD_TIME_ZONE")  # of new clubs and events; all moments are stored in UTC
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français"), ("es", "Español")]  # by their own names
LOCALE_PATHS = [BASE_DIR / "league" / "locale"]
# Set by the switch on every page; without it, the browser's language counts.
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS

STATIC_URL = f"{BASE_PATH}static/"
# Served from the packages, so nothing must be collected before the first start. Addresses contain a content hash
# (config/static.py); without it, browsers revalidate after a minute.
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.PlainStorage"},
}
if STATIC_ROOT := MACHINE.text("WILD_STATIC"):
    # Images contain collected files, named by their content, cached forever.
    WHITENOISE_USE_FINDERS = False
    STORAGES["staticfiles"] = {"BACKEND": "config.static.HashedStorage"}
# Player lists are small; larger bodies are rejected unread.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 3_000_000  # the body limit (config/web.py), so uploads need no temporary file
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "league.pages.answers.forbidden"
SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# The domain's owner decides on both: subdomains may still use http, and only the owner may request preloading.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REDIRECT_EXEMPT = ["^(.+/)?(healthz|readyz|metrics)$"]
SECURE_SSL_HOST = PUBLIC_HOST or None
CSRF_TRUSTED_ORIGINS = [PUBLIC_ORIGIN] if PUBLIC_ORIGIN else []
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    CSRF_TRUSTED_ORIGINS = trusted_origins(_HOSTS)
# Other services of the same host have other cookies, even at the paths above.
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = BASE_PATH
if BASE_PATH != "/":
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, LANGUAGE_COOKIE_NAME = "wild_sessionid", "wild_csrftoken", "wild_language"

# Required for /metrics from other machines.
METRICS_TOKEN = MACHINE.text("WILD_METRICS_TOKEN")
LOG_AS_JSON = MACHINE.text("WILD_LOG") == "json"
PRINT_LINK = MACHINE.flag("WILD_PRINT_LINK")  # of the first start, also in a JSON log
LOGGING = logs.logging_settings(as_json=LOG_AS_JSON)
logs.configure()
