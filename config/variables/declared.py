"""Every setting of the service. The table in docs/operations.md is made from this (`python -m config.variables`)."""

from dataclasses import dataclass
from typing import Any

from config.variables import kinds
from config.variables.kinds import FLAG, HOSTS, TEXT, URL, ZONE, Kind, choice, number, secret


@dataclass(frozen=True)
class Setting:
    """meaning, without: Markdown for the table; `without` says in words what counts if the setting isn't set.

    usual: the value then. in_file: whether wild.toml may have it.
    """

    name: str
    kind: Kind
    meaning: str
    without: str
    usual: Any = ""
    in_file: bool = True


SETTINGS = (
    Setting(
        "WILD_DATA",
        TEXT,
        "The data directory; `--data DIR` overrides it.",
        "[Install](#install); `var/` in a clone",
        in_file=False,
    ),
    Setting(
        "DATABASE_URL",
        secret(kinds.database_fault),
        "The database, for example `postgres://user:password@host/name`.",
        "SQLite in the data directory",
    ),
    Setting(
        "REDIS_URL",
        secret(kinds.redis_fault),
        "The broker for worker and beat: `redis://host:6379/0`, `rediss://…`, or `unix:///path/redis.sock`.",
        "both run inside `serve`",
    ),
    Setting("WILD_SECRET_KEY", secret(), "The secret key.", "created at the first start, in the data directory"),
    Setting(
        "WILD_URL",
        URL,
        "The [public address](#the-public-address): `https://cards.example.org/`, also with a port or a path. Links in "
        "pages, e-mails and codes begin with it, and `https` counts as `WILD_HTTPS`.",
        "only addresses of a local network are served; no e-mail leaves",
        None,
    ),
    Setting(
        "WILD_ALLOWED_HOSTS",
        HOSTS,
        "More host names, separated by commas; `.example.org` includes subdomains. Without `WILD_URL`, links use the "
        "visitor's host. With `WILD_HTTPS` they have port 443, or the port after a name: `cards.example.org:8443`.",
        "only the host of `WILD_URL`",
        [],
    ),
    Setting(
        "WILD_HTTPS",
        FLAG,
        "`1` behind an https proxy: secure cookies, HSTS, redirects. The proxy must set `X-Forwarded-Proto`.",
        "as in `WILD_URL`; else plain http",
        False,
    ),
    Setting(
        "WILD_EMAIL_URL",
        secret(kinds.email_fault),
        "The mail server: `submission://user:password@mail.example.org:587/?_default_from_email=cards@example.org`, "
        "or `smtp://host:25/…`. Use no encryption only inside your own network.",
        "e-mail is written to stderr; pages show links instead",
    ),
    Setting(
        "WILD_SIGNUP",
        FLAG,
        "`1`: anyone can create an account, `0`: only invited people can. It overrides the switch on the owner's page.",
        "the owner decides ([The first account](#the-first-account))",
        None,
    ),
    Setting(
        "WILD_TIME_ZONE",
        ZONE,
        "The time zone where a club's, an event's or a visitor's is unknown, such as `Europe/Paris`. New clubs and "
        "events begin with it.",
        "`UTC`",
        "UTC",
    ),
    Setting("WILD_API_RATE", number(), "Writing requests of a token in a minute; more get 429.", "600", 600),
    Setting(
        "WILD_PLAY_RATE",
        number(),
        "Requests of a player at an online table to one process in ten seconds; more get 429.",
        "200",
        200,
    ),
    Setting(
        "WILD_STREAMS",
        number(),
        "Live pages of one process; further pages check every 20 seconds ([open files](#open-files)). A browser opens "
        "at most 6.",
        "2000",
        2000,
    ),
    Setting(
        "WILD_STREAM_PROCESSES",
        number(1),
        "Processes for live pages and play at online tables, with `docker/production.py` or Compose "
        "([scaling.md](scaling.md#stream-processes)).",
        "1",
        1,
    ),
    Setting(
        "WILD_STREAMS_AN_ADDRESS",
        number(),
        "Live pages that one address keeps when 80 % are taken; until then it may open all. Set it to `WILD_STREAMS` "
        "if all visitors share an address, as behind a proxy without `WILD_HTTPS`.",
        "an equal share, at most half",
        0,
    ),
    Setting(
        "WILD_DESIGN",
        FLAG,
        "`1`: anyone can see `/design/`, the [components](components.md) of the pages.",
        "only superusers",
        False,
    ),
    Setting(
        "WILD_LOG",
        choice("json", "plain"),
        "`json`: one JSON line for each request. `plain`: readable lines, errors only.",
        "`plain`; `json` in the image",
        "plain",
    ),
    Setting(
        "WILD_BACKUPS",
        number(),
        "Daily backups to keep in `backups/` in the data directory ([backup](#backup)); `0`: none are written.",
        "14",
        14,
    ),
    Setting(
        "WILD_PRINT_LINK",
        FLAG,
        "`1`: a JSON log has the link of the first start too.",
        "only the file `first-start-link` in the data directory",
        False,
    ),
    Setting("WILD_METRICS_TOKEN", secret(), "A bearer token for `/metrics` from other machines.", "only this machine"),
    Setting(
        "WILD_DATABASE_KEEP",
        number(),
        "Seconds to reuse a database connection.",
        "60 with `serve`, `web` and `stream`; otherwise one connection a request",
        0,
    ),
    Setting(
        "WILD_DATABASE_POOLED",
        FLAG,
        "`1` behind a pool by transaction, such as PgBouncer ([scaling.md](scaling.md)).",
        "connections reuse prepared statements",
        False,
    ),
    Setting("WILD_STATIC", TEXT, "The folder of `collectstatic`; the image sets it.", "files are served from the apps"),
    Setting(
        "WILD_IN_IMAGE",
        FLAG,
        "The image sets it: `/readyz` and the page *Now* warn if the data folder would be lost with its container.",
        "no warning",
        False,
        in_file=False,
    ),
    Setting("WILD_BIND", TEXT, "Address and port of `web`.", "`0.0.0.0:8000`", "0.0.0.0:8000"),
    Setting("WILD_WEB_PROCESSES", number(1), "Processes of `web`.", "2", 2),
    Setting(
        "WILD_WEB_THREADS",
        number(),
        "Threads of each process of `web`, `stream` or `serve` that answer requests.",
        "4; 10 with `stream` and `serve`",
        0,
    ),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}

# Variables that tests, tools and docker/ read, which are no settings of the service.
_OTHERS = """
WILD_COMMANDS WILD_ENGINE WILD_EVENING WILD_FUZZ WILD_GOLDEN WILD_HANDS WILD_HOST WILD_IMAGE WILD_KILLS WILD_LOGS
WILD_MEETINGS WILD_PLANTED WILD_PLAYERS WILD_REQUESTS WILD_REQUIRE WILD_ROUNDS WILD_RUNS WILD_SCHEME WILD_SCREENS
WILD_SEED WILD_SITE WILD_SLOW_SECONDS WILD_SNAPSHOTS WILD_TABLES WILD_TEST_SHARED WILD_TOURNAMENTS WILD_TRIES
WILD_TWINS WILD_VERIFIED WILD_WALK WILD_WITHIN
"""
OTHER_NAMES = frozenset(_OTHERS.split())


def table() -> str:
    """Return the table of docs/operations.md."""
    head = "| Setting | Kind | Meaning | Without it |\n| --- | --- | --- | --- |\n"
    rows = (f"| `{s.name}` | {s.kind.name} | {s.meaning} | {s.without} |\n" for s in SETTINGS)
    return head + "".join(rows)
