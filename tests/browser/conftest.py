"""A real browser for the tests in this folder: the machine's own Chromium, driven by Playwright.

`phone` and `desktop` are pages at the two sizes the designs are made for; any address a test opens is on `live_server`.
"""

import os
import shutil

import pytest
from playwright.sync_api import Error, expect

from tests import requirements

from .fonts import script

# Playwright keeps an event loop running in the main thread, which makes Django take a test's queries for async code.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# Half the suite runs beside every test. What does not come fails all the same, only later.
expect.set_options(timeout=15_000)

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
QUIET = [
    "--no-sandbox",  # root, and most containers, cannot have it
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def find_chromium():
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    # The shell is the same browser without a window, and takes half the time of what is made to have one.
    found = (
        shutil.which(name) for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    )
    return next(filter(None, found), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    chromium = find_chromium()
    if chromium is None:
        requirements.missing("browser", "there is no chromium here (Debian: apt-get install chromium-headless-shell).")
    return {**browser_type_launch_args, "executable_path": chromium, "args": QUIET}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return {**browser_context_args, "locale": "en-GB", "timezone_id": "UTC", "service_workers": "block"}


@pytest.fixture(autouse=True)
def database(transactional_db):
    """Every test here has the test database: pytest-django misses it where a page is asked for by `getfixturevalue`."""


@pytest.fixture
def new_context(new_context):
    """Return a function that opens a browser session, with its pages in the wide font unless scripts are off."""

    def make(**options):
        context = new_context(**options)
        context.add_init_script(script())
        return context

    return make


@pytest.fixture
def open_page(new_context, live_server, request):
    """Return a function that opens a new browser session, as another device would have."""
    request.node.watched = watched = []

    def open_page(**options):
        # Without motion: a tenth of a browser's time goes into what nobody here looks at.
        page = new_context(base_url=live_server.url, **{"reduced_motion": "reduce"} | options).new_page()
        watched.append(Watched(page))
        return page

    yield open_page
    heard = [line for one in watched for line in one.heard]
    assert not [line for line in heard if "htmx:oobErrorNoTarget" in line], "a part of an answer has no place"


class Watched:
    """A page, and what went wrong in it: what to print beside a failure that comes once in a hundred runs."""

    def __init__(self, page):
        self.page, self.heard = page, []
        page.on("console", lambda message: self.heard.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.heard.append(f"error: {error}"))
        page.on("requestfailed", lambda one: self.heard.append(f"failed: {one.method} {one.url} {one.failure}"))

    def __str__(self):
        try:
            said = self.page.locator("body").inner_text(timeout=2000)
        except Error as gone:
            said = str(gone)
        return "\n".join([self.page.url, *self.heard[-10:], said[:2000]])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" and report.failed:
        report.sections += [("Page", str(one)) for one in getattr(item, "watched", [])]
    return report


@pytest.fixture
def phone(open_page):
    return open_page(**PHONE)


@pytest.fixture
def desktop(open_page):
    return open_page(**DESKTOP)
