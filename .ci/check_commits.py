#!/usr/bin/env python3
"""Warn about subjects of the newest commits that don't begin with a verb of ours, or are too long.

    python3 .ci/check_commits.py

It never fails: history stays as it is. Without git or a repository it prints nothing.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEWEST = 20
LONGEST = 72  # characters
VERBS = (
    *("Add", "Fix", "Remove", "Rename", "Move", "Change", "Replace", "Simplify", "Split", "Document"),
    *("Speed up", "Test", "Translate", "Upgrade", "Release", "Revert"),
)
_VERB = re.compile(rf"({'|'.join(VERBS)})\b")


def subjects(root: Path) -> list[str]:
    """Return the subjects of the newest commits, newest first; a shallow clone has fewer."""
    if not (root / ".git").exists():  # a folder above may be a repository of something else
        return []
    command = ["git", "-C", str(root), "log", "--no-merges", f"--max-count={NEWEST}", "--format=%s"]
    try:
        log = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:  # git is not installed
        return []
    return log.stdout.decode(errors="replace").splitlines()


def warnings(subject: str) -> list[str]:
    """Return what to change in a subject."""
    missing_verb = [] if _VERB.match(subject) else ["begin with a verb of CONTRIBUTING.md"]
    return missing_verb + ([f"at most {LONGEST} characters"] if len(subject) > LONGEST else [])


def main(root: Path = ROOT) -> int:
    for subject in subjects(root):
        if wanted := warnings(subject):
            print(f"Commit “{subject}”: {', '.join(wanted)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
