"""The first start of a server: tell its link in the terminal, and restore a backup in a thread."""

import json
import logging
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.service import backup, older_backup
from league.access.server import has_owner
from league.accounts.first_link import begin_restore, end_restore, new_link
from league.lib.errors import Refused

logger = logging.getLogger(__name__)

FILE = "first-start-link"  # in the data folder


def tell_link(write: Callable[[str], Any], address: str, *, is_command: bool = False) -> bool:
    """Make a new link and write it to the terminal and the file. Return False if the server has an owner.

    A JSON log is often collected elsewhere, so it has the link only with WILD_PRINT_LINK. address: of the server;
    empty if it isn't known. is_command: a person wants the link, so it is printed in any case.
    """
    path = Path(settings.DATA_DIR) / FILE
    if (secret := new_link()) is None:
        path.unlink(missing_ok=True)
        return False
    link = f"{address}{reverse('first_start', args=[secret])}"
    _write_private(path, f"{link}\n")
    if is_command or not settings.LOG_AS_JSON:
        what = "link" if address else "path at its address"
        write(f"This server has no owner yet. Open this {what} to set it up; it works once, for 24 hours:")
        write(link)
        write(f"It is also in {path}")
        return True
    write(f"This server has no owner yet. The link that sets it up is in {path}")
    if settings.PRINT_LINK:
        line = {"link": link, "event": "first start", "level": "warning", "timestamp": timezone.now().isoformat()}
        sys.stderr.write(f"{json.dumps(line)}\n")
    return True


def _write_private(path: Path, text: str) -> None:
    """Replace the file by one that only its owner can read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")  # mode 0600
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(draft, path)


def forget_file() -> None:
    """Remove the file of a link that was used."""
    (Path(settings.DATA_DIR) / FILE).unlink(missing_ok=True)


def store_upload(upload: Any) -> Path:
    """Write an uploaded backup into the data folder, readable for this service only."""
    descriptor, name = tempfile.mkstemp(dir=settings.DATA_DIR, prefix="upload.", suffix=".zip")
    with os.fdopen(descriptor, "wb") as file:
        for chunk in upload.chunks():
            file.write(chunk)
    return Path(name)


def check_backup(path: Path) -> None:
    """Raise Refused if the file is no backup, or if this server isn't empty."""
    with backup.open_archive(path):
        backup.check_empty()


def start_restore(*, secret: str, path: Path, name: str) -> None:
    """Restore the stored file in a thread. name: of the file, for sentences. Raises Conflict if the link can't."""
    begin_restore(secret)
    in_background(restore_stored, path, name, translation.get_language())


def in_background(work: Callable[..., None], *args: Any) -> None:
    """Run the work in a thread, which the process doesn't wait for."""
    threading.Thread(target=work, args=args, name="restore", daemon=True).start()


def restore_stored(path: Path, name: str, language: str) -> None:
    """Restore the file, remove it, and record the result for the waiting page."""
    problem = ""
    try:
        with translation.override(language):
            try:
                older_backup.restore(path)
                if not has_owner():
                    problem = _("The backup is restored. No account in it owns this server: become the owner here.")
            except Refused as refused:
                problem = str(refused).replace(str(path), name)
            except Exception:
                logger.exception("A backup could not be restored")
                problem = _("The backup couldn’t be restored, and nothing was changed. The log says why.")
            end_restore(problem)
        if has_owner():
            forget_file()
    finally:
        path.unlink(missing_ok=True)
        if threading.current_thread() is not threading.main_thread():
            connection.close()
