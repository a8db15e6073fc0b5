"""What is read off a page once, where `expect` would look again and again: only when all of the page is there.

A click waits for the next page to begin, not for its style sheets and scripts, and on a busy machine those come seconds
later. So: `press` for a click that leads to another page or changes this one, and for a look at one the functions here.
"""

from axe_playwright_python.base import AXE_SCRIPT

# A function and not an expression: the browser would evaluate that one again later, which the pages' policy forbids.
STILL = "() => !document.getAnimations().some(one => one instanceof CSSTransition)"
HEIGHTS = "all => all.filter(one => one.offsetParent).map(one => [one.outerHTML, one.getBoundingClientRect().height])"


# Only the answer to what the control itself asks for: a preview that settles meanwhile is none.
STILL_THE_OLD = """control => {
  window.pressed = true;
  const came = () => { window.pressed = false; };
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if ([control, control.form].includes(detail.requestConfig?.elt)) came();
  });
  document.addEventListener("wild:page", came);
  document.addEventListener("wild:answer", ({ detail }) => { if (detail.refused) came(); });
}"""
IS_THERE = "() => !window.pressed && document.readyState === 'complete'"


# Where a control is not covered, from its upper left corner.
UNCOVERED = """control => {
  const { left, top, width, height } = control.getBoundingClientRect();
  for (let y = 4; y < height; y += 8) {
    for (let x = 4; x < width; x += 4) {
      if (control.contains(document.elementFromPoint(left + x, top + y))) return { x, y };
    }
  }
}"""


def click_uncovered(control):
    """Click a control where nothing lies over it: in a fan of many cards the next one covers a card's middle."""
    control.scroll_into_view_if_needed()
    control.click(position=control.evaluate(UNCOVERED))


def press(control):
    """Click what sends a form or leads on, and return when the answer is there: in this page or as another one, with
    its style sheets and scripts."""
    page = control.page
    control.wait_for()
    if not page.evaluate("() => 'htmx' in window"):  # without scripts
        with page.expect_navigation():
            control.click()
        return
    control.evaluate(STILL_THE_OLD)
    control.click()
    page.wait_for_function(IS_THERE)


def settled(page):
    """The page, when its style sheets and scripts are there. After a click, first `expect` something of the next page:
    until that has begun, it is the old one that is settled."""
    page.wait_for_load_state()
    return page


def at_top(page, selector, below=300):
    """Wait until a place of the page is at the top of the window: the browser scrolls there when it comes to it."""
    page.wait_for_function(
        "([selector, below]) => { const { top } = document.querySelector(selector).getBoundingClientRect();"
        " return 0 <= top && top < below; }",
        arg=[selector, below],
    )


def width(page):
    """How wide what is on the page is, in CSS pixels: more than the window is a page that scrolls sideways."""
    return settled(page).evaluate("document.documentElement.scrollWidth")


def low(controls):
    """Those of the controls in sight that are lower than a thumb needs."""
    settled(controls.page)
    return [html for html, height in controls.evaluate_all(HEIGHTS) if round(height) < 44]


def findings(page, themes=("light", "dark")):
    """What axe finds on a page, of any weight: [(rule, html)]. Of the dark theme it looks at the colours, and nothing
    else changes. A live page may change while axe looks: what it has it has at a second look too."""
    return _found(page, themes) and _found(page, themes)


def _found(page, themes):
    return [(one["id"], node["html"]) for one in _axe(page, themes) for node in one["nodes"]]


def _axe(page, themes):
    settled(page).evaluate(AXE_SCRIPT)
    found = []
    for theme in themes:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_function(STILL)  # a colour that fades into another would be measured half-way
        options = {"resultTypes": ["violations"]} | ({"runOnly": ["color-contrast"]} if theme == "dark" else {})
        found += page.evaluate("options => axe.run(options)", options)["violations"]
    page.emulate_media(color_scheme="light")
    return found
