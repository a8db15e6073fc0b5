"""Store the text of every page, so that a rewrite can be compared with what was there before.

    .venv/bin/python .ci/freeze_pages.py world WORLD          make the tournaments of tests/test_access.py, and the demo
    .venv/bin/python .ci/freeze_pages.py pages WORLD BEFORE   write a file for each address, viewer and language
    … change the code, then write AFTER from the same WORLD …
    diff -r BEFORE AFTER

All pages are rendered from one database and at one instant, so only the code can make a difference. A tag or a run of
text takes one line; white space between them does not count. --text leaves the tags out; --only table me writes the
addresses of these names, and the demo's pages whose address has such a part.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from django.test import Client


MOST_PAGES = 700  # of the demo, for each viewer
LINK = re.compile(r'<a [^>]*?href="(/[^"#]*)')
# What differs with each rendering and says nothing.
CHANGING = re.compile(
    r'(?<=name="csrfmiddlewaretoken" value=")[^"]*|(?<=name="key" value=")[^"]*|(?<=name="form_key" value=")[^"]*'
    r'|(?<=data-csrf=")[^"]*|(?<=&quot;at&quot;: )\d+'
)


class Lines(HTMLParser):
    """The tags and texts of a page, one a line."""

    def __init__(self, tags: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.tags, self.lines = tags, list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.tags:
            # White space inside an attribute is layout of the template, except in what people typed.
            parts = (f" {name}" if value is None else f' {name}="{" ".join(value.split())}"' for name, value in attrs)
            self.lines.append(f"<{tag}{''.join(parts)}>")
        else:
            spoken = [value for name, value in attrs if name in ("aria-label", "title", "placeholder", "alt") and value]
            self.lines += spoken

    def handle_endtag(self, tag: str) -> None:
        if self.tags:
            self.lines.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if words := " ".join(data.split()):
            self.lines.append(words)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("world", "pages"))
    parser.add_argument("world", type=Path, help="folder of the database; a new one for world")
    parser.add_argument("out", type=Path, nargs="?", help="folder for the pages")
    parser.add_argument("--text", action="store_true", help="leave the tags out")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="names of addresses, or parts of paths")
    options = parser.parse_args()
    if options.what == "world":
        options.world.mkdir(parents=True)
        use(options.world)
        make_world(options.world)
        return 0
    if options.out is None:
        parser.error("pages needs a folder to write to")
    with tempfile.TemporaryDirectory() as copy:  # so that rendering changes nothing, and two can run at once
        shutil.copytree(options.world, copy, dirs_exist_ok=True)
        use(Path(copy))
        print(f"{write_pages(Path(copy), options.out, options.only, tags=not options.text)} pages in {options.out}")
    return 0


def use(folder: Path) -> None:
    """Set Django up with the data in a folder."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "WILD_DATA": str(folder.resolve())}
    os.environ.pop("DATABASE_URL", None)
    import django
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()


def make_world(folder: Path) -> None:
    from django.core.management import call_command
    from django.utils import timezone

    from games.service.demo import DEMO_EMAIL, ensure_demo
    from league.models import User
    from tests.test_access import built

    call_command("migrate", verbosity=0)
    ensure_demo()
    world = built()
    paths = {
        visibility: {name: world.url(name, tournament) for name in _names()}
        for visibility, tournament in world.tournaments.items()
    }
    cookies = world.cookies | {"demo": _cookies_of(User.objects.get(email=DEMO_EMAIL))}
    saved = {"paths": paths, "cookies": cookies, "tokens": world.tokens, "now": timezone.now().isoformat()}
    (folder / "world.json").write_text(json.dumps(saved, indent=1), encoding="utf-8")


def _names() -> list[str]:
    from tests.test_access import ROWS

    return sorted(name for name, row in ROWS.items() if "GET" in row and name not in ("live", "metrics"))


def _cookies_of(user: Any) -> dict[str, str]:
    from django.test import Client

    client = Client()
    client.force_login(user)
    return {name: morsel.value for name, morsel in client.cookies.items()}


def write_pages(folder: Path, out: Path, only: Sequence[str], *, tags: bool) -> int:
    from datetime import datetime

    from django.test import Client

    world = json.loads((folder / "world.json").read_text(encoding="utf-8"))
    now = datetime.fromisoformat(world["now"]) + timedelta(minutes=1)
    written = 0
    with mock.patch("django.utils.timezone.now", lambda: now):
        client = Client(raise_request_exception=False)
        for name, content in _each_page(client, world, only):
            path = out / (re.sub(r"[^\w.,=-]+", "_", name)[:200] + ".txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_lines(content, tags), encoding="utf-8")
            written += 1
    return written


def _each_page(client: "Client", world: dict[str, Any], only: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(name of the file, answer) of each address × viewer × language of test_access, and of all pages of the demo."""
    for visibility, paths in world["paths"].items():
        for name, path in paths.items():
            if only and name not in only:
                continue
            for viewer in (*world["cookies"], "stranger"):
                if viewer == "demo" or (visibility != "private" and viewer not in ("owner", "stranger")):
                    continue
                for language in ("en", "fr", "es") if visibility == "public" else ("en",):
                    yield f"{name}.{visibility}.{viewer}.{language}", _ask(client, world, viewer, path, language)
    for viewer in ("demo", "stranger"):
        seen, waiting = {"/"}, ["/"]
        while waiting and len(seen) < MOST_PAGES:
            path = waiting.pop(0)
            answer = _ask(client, world, viewer, path, "en")
            if not only or any(name in path.split("/") for name in only):
                yield f"demo.{viewer}.{path}", answer
            for found in LINK.findall(answer):
                link = found.replace("&amp;", "&")
                if link not in seen and not link.startswith(("/static/", "/account/logout")):
                    seen.add(link)
                    waiting.append(link)


def _ask(client: "Client", world: dict[str, Any], viewer: str, path: str, language: str) -> str:
    from django.core.cache import cache
    from django.db import transaction

    headers = {"Accept-Language": language}
    client.cookies.clear()
    if path.startswith("/api/"):
        if viewer in world["tokens"]:
            headers["Authorization"] = f"Token {world['tokens'][viewer]}"
    else:
        client.cookies.load(world["cookies"].get(viewer, {}))
    cache.clear()
    with transaction.atomic():
        answer = client.get(path, headers=headers)
        transaction.set_rollback(True)
    head = f"{answer.status_code} {answer.headers.get('Location', '')}\n"
    kind = answer.headers.get("Content-Type", "")
    if answer.streaming or not kind.startswith(("text/html", "text/csv", "application/json", "text/calendar")):
        return head + kind
    return head + CHANGING.sub("", answer.content.decode())


def _lines(content: str, tags: bool) -> str:
    head, _, body = content.partition("\n")
    if not body.lstrip().lower().startswith(("<!doctype", "<")):
        return content + "\n"
    parser = Lines(tags)
    parser.feed(body)
    parser.close()
    return "\n".join([head, *parser.lines]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
