"""The page that confirms deleting, erasing or removing something, or says why that isn't possible."""

from dataclasses import dataclass

from django.forms import Form
from django.http import HttpRequest, HttpResponse

from league.access import Access, ClubAccess
from league.pages.frames import render_framed


@dataclass(frozen=True)
class Way:
    """A link that leaves the page without the action."""

    label: str
    url: str
    is_main: bool = False


@dataclass(frozen=True)
class Confirmation:
    """A confirmation, ready to render.

    button: empty if the action isn't possible; then `text` says why. ways: pages to go to instead. is_final: the action
    can't be undone; the page says so, and the button is red. is_quiet: `text` is no warning. form, typed: a form with
    the field `name`, and its hint. hidden: (name, value) of hidden fields. url: target of the form; default: this page.
    heading, where: replace the name and place of the tournament or club in the head.
    """

    title: str
    text: str
    ways: tuple[Way, ...]
    button: str = ""
    is_final: bool = False
    is_quiet: bool = False
    form: Form | None = None
    typed: str = ""
    hidden: tuple[tuple[str, str], ...] = ()
    url: str = ""
    heading: str = ""
    where: str = ""

    @property
    def role(self) -> str:
        """Return the ARIA role of `text`: a status if the action isn't possible."""
        return "" if self.button else "status"


def confirm_page(
    request: HttpRequest, access: Access | ClubAccess, ask: Confirmation, *, page: str, title: str, status: int = 200
) -> HttpResponse:
    """Render the confirmation with the head of the tournament or club. page: name of the page it belongs to."""
    return render_framed(
        request, access, "shared/confirm.html", page=page, title=title, status=status, ask=ask, form=ask.form
    )
