"""The compiled engine, where `make.py` made one of these very sources; else the sources run.

Compiled modules are the sources translated by mypyc: the same rules and the same logs, in less than half of the time.
"""

import os
import sys
import sysconfig
from collections.abc import MutableSequence
from hashlib import sha256
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1]
BUILT = SOURCES.parent / "var" / "engine"
MAKER = Path(__file__).with_name("make.py")
FINGERPRINT = "fingerprint"  # the file next to the compiled modules that names their sources


def sources() -> list[Path]:
    """Return the modules to compile: all except those that load, make or run them."""
    left_out = {SOURCES / "__init__.py", SOURCES / "__main__.py", *Path(__file__).parent.glob("*.py")}
    return sorted(path for path in set(SOURCES.rglob("*.py")) - left_out if not path.name.startswith("."))


def fingerprint() -> str:
    """Another one for other sources, another way of making them, and a Python that could not load these."""
    made_of = sha256(repr((sysconfig.get_config_var("EXT_SUFFIX"), sysconfig.get_platform())).encode())
    for source in (*sources(), MAKER):
        made_of.update(source.relative_to(SOURCES).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return made_of.hexdigest()


def in_data(folder: str) -> Path:
    """Return where an installed package has its compiled modules: an upgrade replaces the package, not its data."""
    return Path(folder, "engine")


def use(path: MutableSequence[str]) -> bool:
    """Let the package with this `__path__` find compiled modules first, if they are of its sources.

    They lie below the project (a clone, the image) or in the data folder (an installed package).
    `WILD_ENGINE=pure` in the environment leaves them out.
    """
    if os.environ.get("WILD_ENGINE") == "pure":
        return False
    data = os.environ.get("WILD_DATA")
    for built in [BUILT, in_data(data)] if data else [BUILT]:
        try:
            if (built / FINGERPRINT).read_text() != fingerprint():
                continue
        except OSError:  # missing, or owned by another user
            continue
        sys.path.append(str(built))  # the library that they share lies there
        path.insert(0, str(built / SOURCES.name))
        return True
    return False
