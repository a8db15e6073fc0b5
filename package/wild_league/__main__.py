"""The command `wild-league` of an installed package."""

import sys
from pathlib import Path

import platformdirs

APP = Path(__file__).resolve().parent / "app"


def main() -> int:
    sys.path.insert(0, str(APP))
    from config.verbs import main as run_verb  # type: ignore[import-not-found, unused-ignore]

    # An upgrade replaces the package, so data never lie inside it.
    return int(run_verb(sys.argv[1:], data=Path(platformdirs.user_data_dir("wild-league", appauthor=False))))


if __name__ == "__main__":
    sys.exit(main())
