"""The compiled engine, where `python -m engine.compiled.make` made one of these very sources; else the sources run.

Compiled modules are the sources translated by mypyc: the same rules and the same logs, in less than half of the time.
"""

import os
import sys
from collections.abc import MutableSequence
from hashlib import sha256
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1]
BUILT = SOURCES.parent / "var" / "engine"
FINGERPRINT = "fingerprint"  # the file beside the compiled modules that says what they were made of


def sources() -> list[Path]:
    """What is compiled: all but what loads, makes or runs it."""
    left_out = {SOURCES / "__init__.py", SOURCES / "__main__.py", *Path(__file__).parent.glob("*.py")}
    return sorted(set(SOURCES.rglob("*.py")) - left_out)


def fingerprint() -> str:
    """Another one for other sources and for a Python that could not load what this one compiles."""
    made_of = sha256(repr(sys.implementation.cache_tag).encode())
    for source in sources():
        made_of.update(source.relative_to(SOURCES).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return made_of.hexdigest()


def use(path: MutableSequence[str]) -> bool:
    """Let the package with this `__path__` find compiled modules first, if they are of its sources.

    `WILD_ENGINE=pure` in the environment leaves them out.
    """
    made_of = BUILT / FINGERPRINT
    if os.environ.get("WILD_ENGINE") == "pure" or not made_of.exists() or made_of.read_text() != fingerprint():
        return False
    sys.path.append(str(BUILT))  # the library that they share lies there
    path.insert(0, str(BUILT / SOURCES.name))
    return True
