"""Open files of a process: each connection, and so each stream, needs one."""

import contextlib
import logging

OPEN_FILES = 10_000
FOR_THE_REST = 200  # files that pages, database, Redis and log need next to the streams

logger = logging.getLogger(__name__)


def allow_open_files(wanted: int = OPEN_FILES) -> None:
    """Raise the limit of open files as far as the system allows: many begin with 256 or 1024."""
    try:
        import resource
    except ImportError:  # Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def open_files_allowed() -> int | None:
    """Return the current limit; None without one."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def room_for_streams(wanted: int, files: int | None) -> int:
    """Return how many of the wanted streams a process with this limit of open files can keep."""
    return wanted if files is None else max(0, min(wanted, files - FOR_THE_REST))


def prepare_for_streams(wanted: int) -> None:
    """Raise the limit of open files for this number of streams, and log a warning if it stays too low."""
    needed = wanted + FOR_THE_REST
    allow_open_files(max(OPEN_FILES, needed))
    files = open_files_allowed()
    if (room := room_for_streams(wanted, files)) < wanted:
        logger.warning(
            "This process may open only %d files, enough for %d of %d live pages (WILD_STREAMS); further pages "
            "check every 20 seconds. Raise the limit to %d: ulimit -n, or LimitNOFILE= of its systemd unit.",
            *(files, room, wanted, needed),
        )
