#!/usr/bin/env python3
"""Take the pictures of README.md from a server with demo data.

    python3 dev.py run --port 8137 --data /tmp/pictures
    .venv/bin/python .ci/take_pictures.py http://localhost:8137 /tmp/pictures

The second argument is the server's data folder, which has the demo organiser's password. Use fresh demo data: the
pictures show a running round. Needs Chromium, as the browser tests do.
"""

import base64
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import DESKTOP, PHONE, QUIET, find_chromium  # noqa: E402

IMAGES = ROOT / "docs/images"
GAP = 24  # pixels between the overview and the phone next to it
PHONE_SIZE = {"width": 390, "height": 800}
TWO = """<body style="margin: 0; display: flex; gap: {gap}px; background: #fff">
<img src="data:image/png;base64,{left}"><img src="data:image/png;base64,{right}">"""


def open_page(browser: Browser, url: str, options: dict) -> Page:
    return browser.new_context(base_url=url, locale="en-GB", timezone_id="UTC", **options).new_page()


def sign_in(page: Page, password: str) -> None:
    page.goto("/accounts/login/")
    page.fill("input[name=login]", "demo@example.org")
    page.fill("input[name=password]", password)
    page.press("input[name=password]", "Enter")
    page.wait_for_url("/")


def overview(browser: Browser, url: str, password: str) -> None:
    """The organiser's page of a running round, next to a hand that a phone records."""
    desktop, phone = open_page(browser, url, DESKTOP), open_page(browser, url, PHONE | {"viewport": PHONE_SIZE})
    sign_in(desktop, password)
    desktop.goto("/t/autumn-pairs/")
    sign_in(phone, password)
    phone.goto("/t/autumn-pairs/")
    phone.locator("a[href^='/tables/']").first.click()
    phone.locator("[data-pick='0']").click()  # went out
    for hue, card in ("R", "R7"), ("B", "B6"), ("B", "WD"):
        phone.locator(f"[data-hue={hue}]").click()
        phone.locator(f"[data-card={card}]").click()
    phone.locator(".preview", has_text="+63").wait_for()
    two = browser.new_page(viewport={"width": 1280 + GAP + PHONE_SIZE["width"], "height": 800})
    left, right = (base64.b64encode(page.screenshot()).decode() for page in (desktop, phone))
    two.set_content(TWO.format(gap=GAP, left=left, right=right))
    two.screenshot(path=IMAGES / "overview.png")


def online_table(browser: Browser, url: str) -> None:
    """A hand against three bots, on the player's turn."""
    page = open_page(browser, url, DESKTOP)
    page.goto("/play/")
    page.get_by_role("button", name="Play against bots").click()
    page.get_by_role("button", name="Ready").click()  # of the start card
    page.locator("#play[data-mine] .fan .legal").first.wait_for(timeout=60_000)
    page.screenshot(path=IMAGES / "table.png")


def public_pages(browser: Browser, url: str) -> None:
    page = open_page(browser, url, DESKTOP)
    page.goto("/t/autumn-pairs/bracket/")
    page.locator("main select").first.select_option(index=1)  # a player's path
    with page.expect_navigation():
        page.get_by_role("button", name="Show", exact=True).click()
    page.screenshot(path=IMAGES / "bracket.png")
    page.goto("/clubs/cafe-ludo-demo/season/")
    page.screenshot(path=IMAGES / "season.png")


def main(url: str, data: str) -> None:
    password = (Path(data) / "demo_password").read_text(encoding="utf-8").strip()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=QUIET)
        overview(browser, url, password)
        online_table(browser, url)
        public_pages(browser, url)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
