"""Turns of long work in a worker: one of its processes or threads stays free for what is due.

Jobs, e-mails, ratings, odds and the cleanup take turns; deadlines and online tables never wait for one. A turn is a
lock on a byte of a file that the worker's processes inherit, and a lock for threads. The system releases the locks of a
process that was killed.
"""

import mmap
import struct
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

try:
    import fcntl
except ImportError:  # Windows, where a worker has only threads
    fcntl = None  # type: ignore[assignment]

# Seconds. Beat calls several tasks at once; without waiting, one could always come second, and e-mails would wait for
# minutes. A few of these fit into the second between calls, with time left for deadlines.
PATIENCE = 0.2
TRY_EVERY = 0.02
LONG = 1.5  # seconds after which a turn is long, so that waiting for its end is useless
_TIME = struct.Struct("d")


class Turns:
    """The turns of a worker. Make it before the worker's processes are forked."""

    def __init__(self, number: int) -> None:
        self._threads = [threading.Lock() for _ in range(number)]
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._began = mmap.mmap(-1, number * _TIME.size)  # when each turn began, by time.monotonic

    @contextmanager
    def take(self) -> Iterator[bool]:
        """Take a turn during the block, and yield whether there was one."""
        until = time.monotonic() + PATIENCE
        while (place := self._free_place()) is None:
            if time.monotonic() > until or self._are_long():
                yield False
                return
            time.sleep(TRY_EVERY)
        try:
            _TIME.pack_into(self._began, place * _TIME.size, time.monotonic())
            yield True
        finally:
            if fcntl:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)
            self._threads[place].release()

    def _free_place(self) -> int | None:
        for place, thread in enumerate(self._threads):
            if not thread.acquire(blocking=False):
                continue
            try:
                if fcntl:
                    fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
                return place
            except OSError:  # another process has it
                thread.release()
        return None

    def _are_long(self) -> bool:
        """Return whether each turn that is taken began a while ago."""
        latest: float = max(moment for (moment,) in _TIME.iter_unpack(self._began[:]))
        return time.monotonic() - latest > LONG


_turns = Turns(1)


def share(*, processes: int, has_deadlines: bool) -> None:
    """Set the turns of a worker by its number of processes or threads. Called before it starts them.

    has_deadlines: it also works on the queue of deadlines.
    """
    global _turns
    _turns = Turns(max(1, processes - 1) if has_deadlines else processes)


def take() -> AbstractContextManager[bool]:
    """Take a turn of this worker, as `Turns.take` does."""
    return _turns.take()
