"""Count in memory shared by a process and the processes forked from it.

The memory has a fixed size and no file, so a full disk can't stop a counting process. Each process writes to its own
block, so adding needs no lock between processes. A new process takes over the block of a dead one with its counts.
"""

import ctypes
import mmap
import os
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

KEY_BYTES = 103
ROWS = 1500  # keys of a process
BLOCKS = 64  # processes


class SharedCounts:
    """`size` numbers for each key, a short text.

    A process counts nothing if all blocks are taken, and no further keys once its block is full.
    """

    def __init__(self, size: int, *, rows: int = ROWS, blocks: int = BLOCKS) -> None:
        self._most = rows
        row = _structure(key=ctypes.c_char * (KEY_BYTES + 1), numbers=ctypes.c_double * size)
        block = _structure(process=ctypes.c_int64, used=ctypes.c_int64, rows=row * rows)
        self._blocks: Any = (block * blocks).from_buffer(_memory(ctypes.sizeof(block) * blocks))
        self._made_by = os.getpid()
        self._lock = threading.Lock()
        self._claimed = False
        self._block: Any = None
        self._rows: dict[bytes, Any] = {}
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget_block)

    @property
    def are_of_one_process(self) -> bool:
        """Return whether this process created the memory, so that no other process counts in it."""
        return os.getpid() == self._made_by

    def add(self, key: str, amounts: Mapping[int, float]) -> None:
        """Add to the numbers of a key. amounts: {index: amount}"""
        with self._lock:
            if not self._claimed:
                self._claimed, self._block = True, self._claim()
                self._rows = {row.key: row for row in _used_rows(self._block)}
            row = self._row(key.encode()[:KEY_BYTES])
            for index, amount in amounts.items() if row else ():
                row.numbers[index] += amount

    def sums(self) -> dict[str, Sequence[float]]:
        """Return {key: its numbers}, added up over all processes."""
        rows_of: dict[bytes, list[Sequence[float]]] = defaultdict(list)
        for block in self._blocks:
            for row in _used_rows(block):
                rows_of[row.key].append(list(row.numbers))
        return {key.decode(errors="replace"): list(map(sum, zip(*rows, strict=True))) for key, rows in rows_of.items()}

    def _row(self, key: bytes) -> Any:
        row = self._rows.get(key)
        if row is None and self._block and self._block.used < self._most:
            row = self._rows[key] = self._block.rows[self._block.used]
            row.key = key
            self._block.used += 1  # last, so that readers see only whole rows
        return row

    def _claim(self) -> Any:
        """Return the first block that is free or whose process is dead, else None."""
        with Path(__file__).open("rb") as file:  # closing the file, also on exit, releases the lock
            _lock(file)
            for block in self._blocks:
                if not (block.process and _lives(block.process)):
                    block.process = os.getpid()
                    return block
        return None

    def _forget_block(self) -> None:
        """Start in a new process, which has no block yet."""
        self._lock = threading.Lock()
        self._claimed, self._block, self._rows = False, None, {}


def _structure(**fields: Any) -> Any:
    return type("Structure", (ctypes.Structure,), {"_fields_": list(fields.items())})


def _used_rows(block: Any) -> Any:
    return block.rows[: block.used] if block else []


def _memory(size: int) -> Any:
    """Return shared memory, or the process's own if the system has none."""
    try:
        return mmap.mmap(-1, size)
    except OSError:
        return bytearray(size)


def _lock(file: Any) -> None:
    try:
        import fcntl
    except ImportError:  # Windows, where processes don't fork
        return
    fcntl.flock(file, fcntl.LOCK_EX)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
