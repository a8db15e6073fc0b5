"""A temporary folder without space stops neither pages nor metrics."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.faults.test_slow_bodies import Web
from tests.served import Visitor

# A mount that only the command behind it sees.
SMALL = 'mount -t tmpfs -o size=1m tmpfs "$0" && TMPDIR=$0 exec "$@"'
PAGES = ("/", "/rules/", "/accounts/login/", "/new/", "/no/such/page", "/api/v1/tournaments/")


def may_mount() -> bool:
    """Whether this machine lets a test mount a folder of its own."""
    if not shutil.which("unshare"):
        return False
    probe = ["unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(probe, stderr=subprocess.DEVNULL).returncode == 0


def fill(path: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        path.write_bytes(bytes(2_000_000))


@pytest.mark.skipif(not may_mount(), reason="needs a mount of its own")
def test_web_answers_and_counts_while_the_temporary_folder_is_full(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    data = tmp_path / "data"
    data.mkdir()
    web = Web(data, "web", before=["unshare", "--map-root-user", "--mount", "sh", "-c", SMALL, str(small)])
    try:
        fill(Path(f"/proc/{web.process.pid}/root{small}/full"))
        for path in PAGES * 3:
            status, _text = Visitor(web.port).get(path)
            assert status in (200, 302, 404), path
        _status, text = Visitor(web.port).get("/metrics")
    finally:
        web.end()
    assert re.search(r'^wild_requests_total\{method="GET",status="404",view="none"\} 3\.0$', text, re.M), text
    assert not re.search("SIGBUS|Traceback", web.errors.read_text())
