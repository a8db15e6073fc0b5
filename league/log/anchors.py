"""Ends of logs, stored outside the database: they show later whether a log was cut or rewritten as a whole.

    {"<public id of a tournament>": {"slug": …, "number": of the last row, "hash": of the last row}}

This is `logs` in the manifest of a backup and of a ZIP of all exports.
"""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.lib.errors import Refused
from league.log.chain import Fault
from league.models import LogHead, Tournament

LOGS = "logs"
MANIFESTS = ("manifest.json", "MANIFEST")  # of a backup, of a ZIP of all exports
HEADER = "X-Log-Head"

End = Mapping[str, Any]


def ends(tournament: Tournament | None = None) -> dict[str, End]:
    """Return the end of one log, or of all logs."""
    return ends_at(
        LogHead.objects.order_by("tournament") if tournament is None else LogHead.objects.filter(tournament=tournament)
    )


def ends_at(heads: QuerySet[Any]) -> dict[str, End]:
    """Return the ends that these rows of `LogHead` name. Their model may be that of an older database."""
    rows = heads.values_list("tournament__public_id", "tournament__slug", "number", "hash")
    return {public_id: {"slug": slug, "number": number, "hash": end} for public_id, slug, number, end in rows}


def read(path: Path) -> dict[str, End]:
    """Return the ends in a manifest, which is a file or part of a ZIP. Raises `Refused`."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                text = archive.read(next(name for name in MANIFESTS if name in archive.namelist()))
        else:
            text = path.read_bytes()
        logs: dict[str, End] = json.loads(text)[LOGS]
        return {public_id: {key: end[key] for key in ("slug", "number", "hash")} for public_id, end in logs.items()}
    except OSError:
        raise Refused("no-file", _("File %(path)s doesn’t exist.") % {"path": path}) from None
    # zipfile and zlib raise many undocumented errors for damaged bytes.
    except Exception:
        sentence = _("%(path)s isn’t a manifest, or comes from an earlier version.")
        raise Refused("no-manifest", sentence % {"path": path}) from None


def missing_end(end: End, hashes: Mapping[int, str]) -> Fault | None:
    """Return a fault if a log no longer has the row that was its end."""
    if hashes.get(end["number"]) == end["hash"]:
        return None
    state = "is another one now" if end["number"] in hashes else "is not there any more"
    about = f"the log ended with entry {end['number']}, {end['hash']}, which {state}: it was cut or rewritten since"
    return Fault(end["number"], "differs", about=about)


def log_hash_of(tournament: Tournament) -> str:
    return LogHead.objects.filter(tournament=tournament).values_list("hash", flat=True).first() or ""
