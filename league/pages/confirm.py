"""The page that asks before something is deleted, erased, removed or given up, or says why that is not possible."""

from dataclasses import dataclass

from django.forms import Form
from django.http import HttpRequest, HttpResponse

from league.access import Access, ClubAccess
from league.pages.frames import render_framed


@dataclass(frozen=True)
class Way:
    """A link that leads on without doing it."""

    label: str
    url: str
    is_main: bool = False


@dataclass(frozen=True)
class Confirmation:
    """What a page asks, ready to show.

    button: empty if it can't be done; then `text` says why. ways: the pages to go to instead.
    is_final: it can't be undone; the page says so, and the button is red. is_quiet: `text` is no warning.
    form, typed: a form with the field `name`, and the hint what to type there. hidden: (name, value) of fields that are
    sent along. url: where the form goes, if not to the address of the page. heading, where: instead of the name and
    place of the tournament or club on top.
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
        """The ARIA role of `text`: the answer to someone who wanted to do it, or a part of the page."""
        return "" if self.button else "status"


def confirm_page(
    request: HttpRequest, access: Access | ClubAccess, ask: Confirmation, *, page: str, title: str, status: int = 200
) -> HttpResponse:
    """Render the question with the head of the tournament or club. `page` is the name of the page it belongs to."""
    return render_framed(
        request, access, "shared/confirm.html", page=page, title=title, status=status, ask=ask, form=ask.form
    )
