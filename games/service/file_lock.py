"""Let one process at a time do something, by a lock on a file in the data folder. A killed process holds no lock."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TRY_EVERY = 0.2  # seconds


@contextmanager
def only_process(path: Path, *, wait: bool) -> Iterator[bool]:
    """Lock the file during the block, and yield True. Yield False if another process has the lock and `wait` is off."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        free = _lock(descriptor)
        while wait and not free:
            time.sleep(TRY_EVERY)
            free = _lock(descriptor)
        yield free
    finally:
        os.close(descriptor)  # which ends the lock


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
