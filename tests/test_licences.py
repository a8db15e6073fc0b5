"""What the packages of locks/run.lock say of their licences, and docs/operations.md of those that ask for something."""

import re
from email.message import Message
from importlib import metadata

from django.conf import settings

PACKAGE = re.compile(r"^([\w.-]+)==[\w.]+( ; .*)? \\$", re.M)
ASKS_FOR_MORE = re.compile(r"\b[AL]?GPL|\bMPL|General Public License|Mozilla Public License")
ROW = re.compile(r"^\| `([\w-]+)` \| ([^|]+) \|", re.M)


def said(package: str) -> list[str]:
    """All that a package says of its licence; nothing of one that is for other machines and so not installed."""
    try:
        of: Message = metadata.metadata(package)
    except metadata.PackageNotFoundError:
        return []
    classified = [one for one in of.get_all("Classifier", []) if one.startswith("License ::")]
    fields = [of.get("License-Expression"), of.get("License"), *classified, *of.get_all("License-File", [])]
    return [one for one in fields if one]


def packages() -> dict[str, list[str]]:
    """{name: what it says}"""
    lines = PACKAGE.findall((settings.BASE_DIR / "locks" / "run.lock").read_text())
    assert len(lines) > 40, "run.lock is written otherwise now"
    found = {name: said(name) for name, _marker in lines}
    assert all(found[name] for name, marker in lines if not marker), "one says nothing, or is not installed"
    return found


def test_the_packages_under_lgpl_and_mpl_are_named_with_their_licences() -> None:
    section = (settings.BASE_DIR / "docs" / "operations.md").read_text().partition("\n## Licences\n")[2]
    named = dict(ROW.findall(section))
    asking = {name for name, lines in packages().items() if any(map(ASKS_FOR_MORE.search, lines))}
    assert set(named) == asking
    for name, licence in named.items():
        family = licence.partition("-")[0]  # "LGPL-3.0-only" in a field, "MPL 2.0" in another
        assert any(family in one for one in said(name)), (name, said(name))
        expression = metadata.metadata(name).get("License-Expression")
        assert expression in (None, licence), name
