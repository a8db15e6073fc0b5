"""Every page in a real browser: it fits 360 pixels, can be tapped, breaks no policy, and axe finds nothing in
either theme."""

import re

import pytest
from playwright.sync_api import expect

from games.models import Hand
from games.service.demo import EIGHT
from league.entries.roster.rows import RosterRow
from league.management.commands import messages
from league.models import Role
from league.rounds.steps import start
from tests import cast
from tests.browser.looking import findings, press, settled

# Controls that are too small for a thumb; running text, table cells and pictures of cards are left out. A link that
# lies over all of its row is as large as that.
SMALL = """() => [...document.querySelectorAll("a, button, select, summary, textarea, input")]
  .filter(one => !["radio", "hidden", "checkbox"].includes(one.type))
  .map(one => [one, getComputedStyle(one, "::after").position === "absolute" ? one.offsetParent : one])
  .map(([one, area]) => [one, area.getBoundingClientRect()])
  .filter(([one, box]) => box.width > 1 && box.height > 1 && (box.height < 43.5 || box.width < 24)
    && !one.closest("p, .skip, .fan, .note, td, .sr, svg"))
  .map(([one, box]) => `${one.tagName} ${one.textContent.trim().slice(0, 30)} ${box.width}x${box.height}`)"""

# On a phone innerWidth grows with a page that is too wide, and clientWidth stays.
WIDE = """() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  return scrollWidth > clientWidth && [...document.querySelectorAll("body *")]
    .filter(one => one.getBoundingClientRect().right > clientWidth + 1 && !one.closest(".scroller, .tabs, .fan, .seg"))
    .map(one => `${one.tagName}.${one.className.baseVal ?? one.className}`).slice(0, 5);
}"""

# Words that stand in more than one line, without a hyphen or space at which a line may end.
BROKEN = r"""() => {
  const broken = [];
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    if (node.parentElement.closest("code, .sr")) continue;
    for (const word of node.data.matchAll(/[^\s–-]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""

BOTH = ("light", "dark")
ORGANISER = (
    "",
    "players/",
    "rounds/",
    "hands/",
    "seating/",
    "standings/",
    "bracket/",
    "fairness/",
    "manage/",
    "day/late/",
)
ORGANISER += ("prints/", "settings/", "people/", "log/", "log/?q=recorded&table=1.1", "day/late/", "odds/")
ORGANISER += ("scorers/", "screen/", "sign-up/settings/", "jobs/")
PUBLIC = ("", "players/", "hands/", "seating/", "seating/?q=zoe", "standings/", "odds/", "bracket/", "fairness/")


@pytest.fixture
def evening():
    """Two rounds played, the third begun."""
    made = cast.play(cast.tournament(), rounds=2)
    cast.record(cast.table(made, 3, 1), hand=1)
    return made


def sign_in(page):
    page.goto("/accounts/login/")
    page.get_by_label("E-mail").fill("olga@example.org")
    page.get_by_label("Password").fill(cast.PASSWORD)
    press(page.get_by_role("button", name="Sign in", exact=True))


def faults(page, address, themes):
    """What is wrong with a page, as a list of sentences."""
    complaints = []

    def heard(message):
        if message.type == "error":
            complaints.append(message.text)

    page.on("console", heard)
    page.goto(address)
    page.remove_listener("console", heard)
    return [f"{address}: {one}" for one in complaints + faults_in_sight(page, themes)]


def faults_in_sight(page, themes=BOTH):
    """What is wrong with a page as it stands. For axe a desktop has the same markup and colours as a phone."""
    found = findings(page, themes) if themes and page.viewport_size["width"] < 600 else []
    return [f"axe: {rule} at {html[:160]}" for rule, html in found] + cramped(page)


def cramped(page):
    """What does not fit on a page, and on a phone what a thumb does not hit."""
    complaints = [f"sideways scroll: {wide}" for wide in [settled(page).evaluate(WIDE)] if wide]
    if page.viewport_size["width"] < 600:
        complaints += [f"too small: {small}" for small in page.evaluate(SMALL)]
    return complaints


def assert_faultless(page, addresses, themes=BOTH):
    """Axe takes four times what all else about a page does: where it has seen the same markup, it gets no themes."""
    found = [one for address in addresses for one in faults(page, address, themes)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_organisers_pages_have_no_fault(request, size, evening):
    page = request.getfixturevalue(size)
    sign_in(page)
    hand = Hand.objects.filter(table__round__tournament=evening).latest("pk")
    table = cast.table(evening, 3, 1)
    drawn = cast.tournament(name="Drawn Pairs")
    empty = cast.tournament(name="Empty Pairs", players=0)
    addresses = [f"/t/{evening.slug}/{one}" for one in ORGANISER]
    addresses += ["/", "/new/", f"/tables/{table.pk}/", f"/hands/{hand.pk}/correct/"]
    addresses += [f"/t/{evening.slug}/players/{cast.entry(evening, 'Zoë').public_id}/edit/"]
    assert_faultless(page, addresses)
    others = [f"/t/{drawn.slug}/{one}" for one in ("", "players/", "settings/", "standings/", "bracket/", "fairness/")]
    others += [f"/t/{empty.slug}/{one}" for one in ("", "players/", "seating/", "prints/")]
    assert_faultless(page, others, ("light",))


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_public_pages_have_no_fault(request, size, evening):
    page = request.getfixturevalue(size)
    assert_faultless(page, [f"/t/{evening.slug}/{one}" for one in PUBLIC], ("light",))  # as above, but for the forms
    addresses = [f"/t/{evening.slug}/players/{cast.entry(evening, 'Zoë').public_id}/", "/", "/credits/"]
    addresses += [f"/accounts/{one}" for one in ("login/", "signup/", "password/reset/", "password/reset/done/")]
    addresses += [f"/accounts/{one}" for one in ("inactive/", "confirm-email/none/", "password/reset/key/1-none/")]
    addresses += [cast.table(evening, number, 1).get_absolute_url() for number in (1, 3)]
    assert_faultless(page, addresses)


def test_no_name_is_broken_inside_a_word_that_a_phone_has_room_for_in_any_language(phone):
    made = cast.play(cast.tournament([RosterRow(at, name, club) for at, (name, club) in enumerate(EIGHT, 1)]), rounds=2)
    race = cast.challenge([RosterRow(at, name, club) for at, (name, club) in enumerate(EIGHT, 1)], name="Race")
    cast.play(race, rounds=1)
    sign_in(phone)
    pages = ("players/", "seating/", "standings/", "hands/", "")
    xiaoming = cast.entry(made, "Wang Xiaoming").public_id
    addresses = [f"/t/{one.slug}/{page}" for one in (made, race) for page in pages]
    addresses += [f"/t/{race.slug}/race/", f"/t/{made.slug}/players/{xiaoming}/"]
    found = {}
    for language in ("en", *messages.LANGUAGES):
        press(phone.locator(f".foot .languages button[value={language}]"))
        for address in addresses:
            phone.goto(address)
            found[language, address] = [*cramped(phone), *phone.evaluate(BROKEN)]
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_no_name_is_broken_where_everybody_sees_a_table(request, size):
    page = request.getfixturevalue(size)
    made = cast.play(cast.tournament([RosterRow(at, name, club) for at, (name, club) in enumerate(EIGHT, 1)]), rounds=1)
    for number in (1, 2):
        page.goto(cast.table(made, 2, number).get_absolute_url())
        assert [*cramped(page), *page.evaluate(BROKEN)] == []


def test_a_name_without_a_break_is_broken_before_it_makes_a_page_wide(phone):
    long = "Wolfeschlegelsteinhausenbergerdorff"
    made = cast.play(cast.tournament([RosterRow(at, f"{long}{at}") for at in range(1, 9)]), rounds=1)
    sign_in(phone)
    for page in ("players/", "seating/", "standings/", "hands/", f"players/{cast.entry(made, f'{long}1').public_id}/"):
        phone.goto(f"/t/{made.slug}/{page}")
        assert cramped(phone) == [], page


def test_the_skip_link_lands_behind_the_tabs(open_page, evening):
    page = open_page()
    page.goto(f"/t/{evening.slug}/standings/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#page') !== null")
    page.goto("/rules/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(
        "document.activeElement.closest('nav') === null && document.activeElement.closest('main') !== null"
    )


@pytest.mark.parametrize("players", [4, 13, 43])
def test_the_pictures_fit_a_phone_for_few_and_for_many(phone, players):
    made = cast.tournament(players=players, rounds=3 if players == 4 else 5)
    cast.play(made, rounds=2)
    addresses = [f"/t/{made.slug}/{one}" for one in ("bracket/", "fairness/", "standings/", "seating/", "hands/")]
    assert_faultless(phone, addresses, BOTH if players == 4 else ())


def test_a_tournament_is_made_on_a_phone_and_counts_along(phone):
    cast.organiser()
    sign_in(phone)
    phone.goto("/new/")
    names = phone.get_by_label("Names, one per line")
    assert names.bounding_box()["y"] < phone.viewport_size["height"]
    expect(phone.get_by_text("If you enter no names")).to_be_visible()
    names.fill("\n".join(cast.CAST))
    expect(phone.get_by_text("On the list: 8. This number isn’t used.")).to_be_visible()
    expect(phone.get_by_text("If you enter no names")).to_be_hidden()
    phone.get_by_role("radio", name="Last one standing").check()
    expect(phone.get_by_text("until one is left")).to_be_visible()
    phone.locator("summary", has_text="Rules:").click()
    expect(phone.get_by_role("spinbutton", name="Eliminated at")).to_be_visible()
    expect(phone.get_by_label("How often the schedule is played")).to_be_hidden()
    phone.get_by_role("radio", name="Individual pairs").check()
    expect(phone.get_by_role("spinbutton", name="Eliminated at")).to_be_hidden()
    expect(phone.get_by_role("radio", name="Individual pairs")).to_be_checked()
    phone.get_by_role("radio", name="Most points").check()
    expect(phone.get_by_text("28 for each player")).to_be_visible()
    phone.locator("summary", has_text="Name:").click()
    phone.get_by_label("Name (optional)").fill("Autumn Pairs")
    expect(phone.locator("#name-line")).to_have_text("Autumn Pairs")
    expect(phone.get_by_role("button", name="Create tournament")).to_be_in_viewport()
    phone.get_by_role("button", name="Create tournament").click()
    expect(phone.get_by_role("heading", name="Autumn Pairs")).to_be_visible()


@pytest.mark.parametrize("answer", ["", "Last one standing"])
def test_from_eight_people_to_a_published_round_it_is_four_taps_at_most(phone, answer):
    """With names one field and three taps; a Challenge UNO without any field four."""
    cast.organiser()
    sign_in(phone)
    phone.goto("/new/")
    taps = [phone.get_by_role("radio", name=answer)] if answer else []
    if not answer:
        phone.get_by_label("Names, one per line").fill("\n".join(cast.CAST))
    taps += [phone.get_by_role("button", name=name) for name in ("Create tournament", "Draw the seating")]
    taps += [phone.get_by_role("button", name="Publish round 1")]
    assert len(taps) <= 4
    for target in taps:
        target.click()
    expect(phone.get_by_role("heading", name="8 hands to go in round 1")).to_be_visible()


@pytest.mark.browser_context_args(timezone_id="America/Bogota")
def test_new_clubs_and_events_begin_in_the_zone_of_the_browser(desktop):
    """Practising first made an event in UTC, from which the next one took its zone."""
    cast.tournament(kind="practice", visibility="private")
    sign_in(desktop)
    for address in ("/new/", "/clubs/new/"):
        desktop.goto(address)
        expect(desktop.locator("[name=time_zone]")).to_have_value("America/Bogota")
    cast.tournament(time_zone="Europe/Paris")
    desktop.goto("/clubs/new/")
    expect(desktop.locator("[name=time_zone]")).to_have_value("Europe/Paris")


GAPS = """all => {
  const words = all.map(one => { const range = document.createRange(); range.selectNodeContents(one); return range; });
  const boxes = words.map(word => word.getBoundingClientRect());
  return boxes.slice(1).map((box, at) => box.left - boxes[at].right);
}"""
BROKEN_IN_LABELS = """all => all.flatMap(one => [...one.childNodes].filter(node => node.nodeType === 3).flatMap(text =>
  [...text.data.matchAll(/[^\\s]+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word)))"""


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_labels_on_a_small_phone_touch_nothing_and_no_word_breaks(phone, language):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    sign_in(phone)
    phone.context.set_extra_http_headers({"Accept-Language": language})
    phone.set_viewport_size({"width": 320, "height": 640})
    phone.goto(f"/t/{made.slug}/")
    gaps = settled(phone).locator(".five a span").evaluate_all(GAPS)
    assert len(gaps) >= 3 and min(gaps) >= 4
    phone.goto("/new/")
    assert settled(phone).locator(".formats-3 b").evaluate_all(BROKEN_IN_LABELS) == []


def test_moments_on_a_page_have_one_style(desktop):
    """The server wrote day before month, and the browser then month before day and without the year."""
    made = cast.tournament()
    Role.objects.create(tournament=made, user=cast.someone_else(), kind=Role.Kind.ORGANISER)
    sign_in(desktop)
    desktop.goto(f"/t/{made.slug}/people/")
    desktop.get_by_label("E-mail").fill("ingrid@example.org")
    press(desktop.get_by_role("button", name="Invite"))
    moments = settled(desktop).locator("main time").all_inner_texts()
    assert len(moments) == 3 and all(re.fullmatch(r"\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d", one) for one in moments)


def test_more_formats_stay_open_when_the_names_are_counted(phone):
    """A tap on them leaves the box of names, which counts the names; its answer folded them away again."""
    cast.organiser()
    sign_in(phone)
    phone.goto("/new/")
    names = phone.get_by_label("Names, one per line")
    names.fill("\n".join(cast.CAST))
    names.press_sequentially("\nIngrid")
    expect(phone.locator("#in-short")).to_contain_text("9 players")
    with phone.expect_response("**/new/evening/"):
        phone.locator("summary", has_text="more formats").click()
    phone.wait_for_function("() => !document.querySelector('.htmx-request, .htmx-settling')")
    expect(phone.locator("#more-formats")).to_have_attribute("open", "")


def test_odds_as_a_table_stay_open_while_they_are_counted(phone):
    made = cast.tournament()
    cast.play(made, rounds=2)
    phone.goto(f"/t/{made.slug}/odds/")
    phone.locator("summary", has_text="Show as a table").click()
    phone.evaluate("htmx.ajax('GET', '', { target: '#odds', select: '#odds', swap: 'outerHTML' }).then(() => 0)")
    expect(phone.locator("#odds-table")).to_have_attribute("open", "")
    expect(phone.locator("#odds-table table")).to_be_visible()


def test_the_number_goes_up_and_down_by_buttons(phone):
    cast.organiser()
    sign_in(phone)
    phone.goto("/new/")
    for _tap in range(4):
        phone.get_by_role("button", name="One more").click()
    phone.get_by_role("button", name="One fewer").click()
    expect(phone.get_by_label("How many players?")).to_have_value("11")
    expect(phone.locator("#in-short")).to_contain_text("11 players")
