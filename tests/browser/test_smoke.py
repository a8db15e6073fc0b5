"""That a browser reaches the service at all, at both sizes, with the content security policy in force."""

from .looking import width


def open_first_page(page):
    """Open / and return what the browser complained about."""
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    response = page.goto("/")
    assert response.status == 200
    assert "content-security-policy" in response.headers
    return complaints


def test_the_first_page_fits_a_phone(phone):
    assert open_first_page(phone) == []
    assert width(phone) <= 360


def test_the_first_page_opens_on_a_desktop(desktop):
    assert open_first_page(desktop) == []
    assert width(desktop) <= 1280
