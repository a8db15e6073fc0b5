"""The command line that the package, the image and a clone share: `wild-league VERB …`.

    wild-league [serve]            the whole service in one process
    wild-league web                pages, results and API (gunicorn)
    wild-league stream             live pages and play at online tables (uvicorn)
    wild-league worker             background jobs (Celery)
    wild-league beat               the clock of the workers (Celery)
    wild-league migrate            bring the database up to date
    wild-league check              print the settings, and what is wrong with them
    wild-league backup FILE        write everything into one file
    wild-league restore FILE       fill an empty database from such a file
    wild-league resume             send e-mails again, which wait after a restore
    wild-league users ACTION …     list accounts, block or unblock one, make one an owner
    wild-league build-engine       compile the rules into the data folder; again after each upgrade
    wild-league manage COMMAND …   any other command of the service
    wild-league --version

`--data DIR` names the folder of the database and the keys, and overrides WILD_DATA. It stands before `manage`, and
before or after any other verb.
`wild-league VERB --help` lists the options of a verb. `web`, `stream`, `worker` and `beat` need DATABASE_URL and
REDIS_URL, and pass their options to the program in brackets.
"""

import os
import runpy
import signal
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import FrameType

from config.version import VERSION

PROGRAM = "wild-league"
DJANGO = ("serve", "migrate", "backup", "restore", "resume", "users")
USAGE = 2  # exit code of a command that cannot be understood
STOPPED = 130  # exit code of a command that Ctrl-C ended


class UsageError(Exception):
    """A sentence about the command line."""


def main(args: Sequence[str], *, data: Path | None = None) -> int:
    """Run one verb and return its exit code.

    data: the folder to use when neither `--data` nor WILD_DATA names one; without it, the settings choose.
    """
    try:
        words, folder = split_data(args)
        verb, rest = split_verb(words)
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return USAGE
    if folder is not None:
        os.environ["WILD_DATA"] = str(folder.absolute())
    elif data is not None and not os.environ.get("WILD_DATA"):
        os.environ["WILD_DATA"] = str(data)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if verb in ("serve", *PROGRAMS):
        stop_while_loading()
    try:
        return VERBS[verb](verb, rest)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return STOPPED


def stop_while_loading() -> None:
    """Let Ctrl-C and SIGTERM end a service at once, as a success, until it sets its own handlers.

    An exception could be lost inside an import. Without a handler, the first process of a container ignores SIGTERM.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _exit)


def _exit(number: int, frame: FrameType | None) -> None:
    os._exit(0)  # nothing is open yet


def split_data(args: Sequence[str]) -> tuple[list[str], Path | None]:
    """Take `--data DIR` out: the settings are read before any command reads its options.

    `manage` keeps its arguments: a command may have a `--data` of its own.
    """
    words, folder, todo = list[str](), None, list(args)
    while todo:
        word = todo.pop(0)
        name, equals, value = word.partition("=")
        if name != "--data":
            words.append(word)
            if words[0] == "manage":
                return [*words, *todo], folder
            continue
        if not equals and not todo:
            raise UsageError("--data needs a folder, for example --data ~/wild-league.")
        folder = Path(value if equals else todo.pop(0)).expanduser()
    return words, folder


def split_verb(words: Sequence[str]) -> tuple[str, list[str]]:
    """The verb and its arguments. Options alone belong to `serve`."""
    if not words or (words[0].startswith("-") and words[0] not in VERBS):
        return "serve", list(words)
    if words[0] not in VERBS:
        near = get_close_matches(words[0], VERBS, n=1)
        hint = f"did you mean “{near[0]}”?" if near else f"“{PROGRAM} --help” lists the verbs."
        raise UsageError(f"There is no verb “{words[0]}”; {hint}")
    return words[0], list(words[1:])


def _help(verb: str, rest: Sequence[str]) -> int:
    folder = os.environ.get("WILD_DATA")
    sys.stdout.write((__doc__ or "").strip() + (f"\n\nThe data folder is {folder}.\n" if folder else "\n"))
    return 0


def _version(verb: str, rest: Sequence[str]) -> int:
    sys.stdout.write(f"{PROGRAM} {VERSION}\n")
    return 0


def _check(verb: str, rest: Sequence[str]) -> int:
    if rest:
        sys.stdout.write("“check” has no options. “manage check --help” lists those of Django's own checks.\n")
        return 0 if rest[0] in ("--help", "-h") else USAGE
    from config.variables import check

    return check.main()


def _django(verb: str, rest: Sequence[str]) -> int:
    return _manage(verb, [verb, *rest])


def _migrate(verb: str, rest: Sequence[str]) -> int:
    """Migrate; with the newest tables, tell the link of a first start, as `serve` does."""
    code = _django(verb, rest)
    if set(rest) <= {"--verbosity=0"}:
        _manage(verb, ["users", "setup-link", "--at-start"])
    return code


def _manage(verb: str, rest: Sequence[str]) -> int:
    from league.lib.command_line import CommandLine

    CommandLine([PROGRAM, *rest]).execute()
    return 0


def _build_engine(verb: str, rest: Sequence[str]) -> int:
    if rest:
        sys.stderr.write("build-engine takes no options but --data DIR.\n")
        return USAGE
    from engine.compiled import load, make

    data = os.environ.get("WILD_DATA")
    return make.main(load.in_data(data) if data else load.BUILT)


def _program(verb: str, rest: Sequence[str]) -> int:
    """Run a program of PROGRAMS in this process: a new one would not find the folders of an installed package."""
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured

    from config.variables.read import prefer

    try:
        if verb in ("web", "stream"):
            prefer("WILD_DATABASE_KEEP", "60")  # seconds
        _ = settings.INSTALLED_APPS  # reads the settings
    except ImproperlyConfigured as fault:
        sys.stderr.write(f"The settings cannot be used: {fault}.\n")
        return USAGE
    if verb not in ("web", "stream"):
        os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they would load every page
    if not _database_fits():
        return USAGE
    sys.argv = [*PROGRAMS[verb], *rest]
    runpy.run_module(PROGRAMS[verb][0], run_name="__main__", alter_sys=True)
    return 0


def _database_fits() -> bool:
    """Return whether this version may work on the database, else write why not. Programs wait for one that is down."""
    import django
    from django.db import DatabaseError, connection

    django.setup()
    from games.service.upgrade import check_not_newer
    from league.lib.errors import Refused

    try:
        check_not_newer()
    except Refused as refused:
        sys.stderr.write(f"{refused}\n")
        return False
    except DatabaseError:
        pass
    finally:
        connection.close()  # gunicorn forks
    return True


CELERY = ("celery", "--app", "config", "--quiet")
# A module to run as `python -m` would, and its arguments.
PROGRAMS: dict[str, tuple[str, ...]] = {
    "web": ("gunicorn", "--config", "python:config.gunicorn.conf"),
    "stream": (
        *("uvicorn", "--factory", "config.web:stream", "--timeout-graceful-shutdown", "2"),
        # The proxy in front sets the client's address (docs/operations.md); the service writes its own log.
        *("--no-proxy-headers", "--lifespan", "off", "--no-access-log", "--no-server-header"),
    ),
    # Workers send each other nothing, so a new one need not wait for the others. Of three processes one is for what is
    # due (league/background/turns.py).
    "worker": (
        *(*CELERY, "worker", "--without-mingle", "--without-gossip", "--loglevel", "WARNING"),
        *("--concurrency", "3"),
    ),
    "beat": (*CELERY, "beat", "--loglevel", "WARNING"),
}
VERBS: dict[str, Callable[[str, Sequence[str]], int]] = {
    **dict.fromkeys(DJANGO, _django),
    **dict.fromkeys(PROGRAMS, _program),
    "check": _check,
    "migrate": _migrate,
    "build-engine": _build_engine,
    "manage": _manage,
    **dict.fromkeys(("--version", "-V"), _version),
    **dict.fromkeys(("--help", "-h", "help"), _help),
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
