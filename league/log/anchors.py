"""The end of a log, written down elsewhere: what shows later that the log was cut, or made anew as a whole.

    {"<public id of a tournament>": {"slug": …, "number": of the last row, "hash": of the last row}}

stands under `logs` in the manifest of a backup and of a ZIP of all exports.
"""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from league.lib.errors import Refused
from league.log.chain import Fault
from league.models import LogHead, Tournament

LOGS = "logs"
MANIFESTS = ("manifest.json", "MANIFEST")  # of a backup, of a ZIP of all exports
HEADER = "X-Log-Head"

End = Mapping[str, Any]


def ends(tournament: Tournament | None = None) -> dict[str, End]:
    """Of one log, or of all."""
    heads = (
        LogHead.objects.order_by("tournament") if tournament is None else LogHead.objects.filter(tournament=tournament)
    )
    found = heads.values_list("tournament__public_id", "tournament__slug", "number", "hash")
    return {public_id: {"slug": slug, "number": number, "hash": end} for public_id, slug, number, end in found}


def read(path: Path) -> dict[str, End]:
    """What a manifest says, by itself or in its file."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                text = archive.read(next(name for name in MANIFESTS if name in archive.namelist()))
        else:
            text = path.read_bytes()
        logs: dict[str, End] = json.loads(text)[LOGS]
        return {public_id: {key: one[key] for key in ("slug", "number", "hash")} for public_id, one in logs.items()}
    except OSError:
        raise Refused("no-file", _("There is no file %(path)s.") % {"path": path}) from None
    # What zipfile and zlib raise for damaged bytes is a long list, and not a documented one.
    except Exception:
        sentence = _("%(path)s names no end of a log: it is no manifest, or one of an earlier version.")
        raise Refused("no-manifest", sentence % {"path": path}) from None


def missing(end: End, hashes: Mapping[int, str]) -> Fault | None:
    """What is wrong where a log does not have the row any more that was its end."""
    if hashes.get(end["number"]) == end["hash"]:
        return None
    there = "is another one now" if end["number"] in hashes else "is not there any more"
    about = f"the log ended with entry {end['number']}, {end['hash']}, which {there}: it was cut or made anew since"
    return Fault(end["number"], "differs", about=about)


def log_hash_of(tournament: Tournament) -> str:
    return LogHead.objects.filter(tournament=tournament).values_list("hash", flat=True).first() or ""
