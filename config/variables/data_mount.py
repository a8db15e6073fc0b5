"""Whether the data folder outlives its container: read from /proc/self/mountinfo, in the image only."""

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
NO_MOUNT, UNNAMED, MEMORY = "no-mount", "unnamed", "memory"
VOLUME = "start it with a named volume, such as --volume wild:/data."
SENTENCES = {
    NO_MOUNT: f"The data folder is part of the container, and is lost with it: {VOLUME}",
    UNNAMED: f"The data folder is in a volume without a name, which a new container doesn't get: {VOLUME}",
    MEMORY: f"The data folder is in memory, and is lost when the container stops: {VOLUME}",
}
UNNAMED_VOLUME = re.compile(r"/volumes/[0-9a-f]{64}(/|$)")
ESCAPE = re.compile(r"\\([0-7]{3})")


def risk_of(mounts: str, folder: str) -> str:
    """Return why the data in a folder goes with the container: NO_MOUNT, UNNAMED, MEMORY; "" if it stays.

    mounts: the text of mountinfo (proc_pid_mountinfo(5)).
    """
    root, kind, longest = "", "", ""
    for line in mounts.splitlines():
        fields, _separator, source = line.partition(" - ")
        if len(parts := fields.split(" ")) < 5 or not source:
            continue
        point = _plain(parts[4])
        # Of two mounts on one folder, the later covers the earlier.
        if _contains(point, folder) and len(point) >= len(longest):
            root, kind, longest = _plain(parts[3]), source.split(" ")[0], point
    if longest in ("", "/"):
        return NO_MOUNT
    if kind in ("tmpfs", "ramfs"):
        return MEMORY
    return UNNAMED if UNNAMED_VOLUME.search(root) else ""


def _plain(text: str) -> str:
    return ESCAPE.sub(lambda match: chr(int(match[1], 8)), text)


def _contains(point: str, folder: str) -> bool:
    return folder == point or folder.startswith(point.rstrip("/") + "/")


def risk_here(folder: Path) -> str:
    """Return the risk of a data folder in this container; "" where mounts can't be read."""
    try:
        return risk_of(MOUNTS.read_text(encoding="utf-8", errors="replace"), str(folder))
    except OSError:
        return ""
