"""`python -m engine.compiled.make`: compile the engine with mypyc into `load.BUILT`.

`python3 dev.py build --engine` runs this, and so does the image's build; `wild-league build-engine` compiles into the
data folder. It needs mypyc, setuptools, a C compiler and
Python's C headers; `MYPYC_OPT_LEVEL=0` compiles in a third of the time what runs more slowly.
"""

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

from engine.compiled.load import BUILT, FINGERPRINT, SOURCES, fingerprint, sources


def compile_into(target: Path) -> None:
    """Replace the folder with the compiled modules.

    Raises SystemExit, ImportError or OSError, and leaves it as it was, if that fails.
    """
    os.environ["MYPY_CACHE_DIR"] = os.devnull
    from mypyc.build import mypycify
    from setuptools import setup

    files = [source.relative_to(SOURCES.parent).as_posix() for source in sources()]
    made_of = fingerprint()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made, steps, alone = Path(folder, "engine"), Path(folder, "steps"), Path(folder, "alone")
        # In an installed package, mypy would take the sources for modules of wild_league.
        shutil.copytree(SOURCES, alone / SOURCES.name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        with contextlib.chdir(alone):
            modules = mypycify(
                ["--strict", *files],
                opt_level=os.environ.get("MYPYC_OPT_LEVEL", "3"),
                debug_level="0",
                target_dir=str(steps),
            )
            options = ["--quiet", "build_ext", f"--build-lib={made}", f"--build-temp={steps}"]
            setup(name="engine", packages=[], ext_modules=modules, script_args=options)
        (made / FINGERPRINT).write_text(made_of)
        if target.exists():
            target.rename(Path(folder, "before"))
        made.rename(target)


def main(target: Path = BUILT) -> int:
    """Compile into the folder and return the exit code."""
    try:
        compile_into(target)
    except (SystemExit, ImportError, OSError) as failed:
        print(failed, file=sys.stderr)
        print(
            "The engine was not compiled, and runs as before. It needs wild-league[compile], or mypy and setuptools; "
            "on Debian also: gcc python3-dev",
            file=sys.stderr,
        )
        return 1
    print("The engine is compiled.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
