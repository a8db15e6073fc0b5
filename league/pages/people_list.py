"""A list of people as a value: rows to tick, search, views with their numbers, and what is done to all who are ticked.

A page says what its people are (`ListOf`) and shows `people_list(…)` by `{% people list %}`. A search or the next rows
come as a part (`people_part`); `league/static/league/people.js` keeps ticks meanwhile. A form of ticks is read by
`read_ticks`. Without scripts it is all links, a search form and a form of checkboxes.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.lib.errors import Refused
from league.lib.search import matches
from league.lib.translate import name_order, names
from league.pages.in_place import wants_part
from league.pages.links import Button, Link

PAGE = 20  # rows that a page begins with, and gets more
MOST_SHOWN = 2000
MOST_TICKED = 900  # in a form, which Django lets have 1000 fields
FEW = 6  # people among whom nobody needs a search
MOST_NAMED = 20  # in a message
PART = "people-list"  # what a search or the next rows replace
FIELDS = ("csrfmiddlewaretoken", "form_key", "do", "who", "back", "sure")

Person = TypeVar("Person")


@dataclass(frozen=True)
class AskedPeople:
    """What the address of a list asks for. ticked: public ids."""

    query: str = ""
    view: str = ""
    shown: int = PAGE
    ticked: frozenset[str] = frozenset()

    def encoded(self) -> str:
        """Return the query string for this search, view and length, without the ticks."""
        parts = {"q": self.query, "view": self.view, "shown": "" if self.shown == PAGE else str(self.shown)}
        return urlencode({name: value for name, value in parts.items() if value})

    def address(self, url: str) -> str:
        joined = "&" if "?" in url else "?"
        return f"{url}{joined}{encoded}" if (encoded := self.encoded()) else url


def asked_people(data: QueryDict) -> AskedPeople:
    """Read a query string. What makes no sense there is left out."""
    shown = data.get("shown", "")
    number = int(shown) if shown.isascii() and shown.isdigit() and len(shown) <= 4 else PAGE
    return AskedPeople(
        query=data.get("q", "").replace("\0", "").strip()[:80],
        view=data.get("view", "")[:20],
        shown=min(max(number, PAGE), MOST_SHOWN),
        ticked=frozenset(data.getlist("who")[:MOST_TICKED]),
    )


@dataclass(frozen=True)
class Ticks:
    """A form of ticks: what to do with whom, and the list that it came from. is_sure: a question was answered yes."""

    do: str
    who: tuple[str, ...]
    asked: AskedPeople
    is_sure: bool = False

    def fields(self, *, sure: bool = False) -> tuple[tuple[str, str], ...]:
        """Return hidden fields that send the same form again."""
        fields = [("do", self.do), ("back", self.asked.encoded()), *(("who", public_id) for public_id in self.who)]
        return (*fields, ("sure", "yes")) if sure else tuple(fields)


def read_ticks(data: QueryDict, actions: Collection[str]) -> Ticks:
    """Raises `Refused` for a field or an action that the list does not have, or if no one is ticked."""
    back = asked_people(QueryDict(data.get("back", "")[:300]))
    action = data.get("do", "")
    if set(data) - set(FIELDS) or action not in actions:
        raise Refused("unknown", _("This page is too old. Nothing was changed; load it again."))
    who = tuple(dict.fromkeys(data.getlist("who")))
    if not who:
        raise Refused("nobody-ticked", _("Tick people first, then choose what to do."))
    if len(who) > MOST_TICKED:
        raise Refused("too-many", _("Tick at most %(most)d people.") % {"most": MOST_TICKED})
    return Ticks(action, who, back, is_sure=data.get("sure") == "yes")


def asked_of_ticks(data: QueryDict) -> AskedPeople:
    """Return the list that a refused form came from, with its ticks."""
    asked = asked_people(QueryDict(data.get("back", "")[:300]))
    return replace(asked, ticked=frozenset(data.getlist("who")[:MOST_TICKED]))


@dataclass(frozen=True)
class Tap:
    """A button that is on or off and sent at once (taps.js). said_on, said_off: what a tap says."""

    url: str
    is_on: bool
    label: str
    said_on: str
    said_off: str


@dataclass(frozen=True)
class Movers:
    """Two buttons that move a row up and down."""

    url: str
    up: str
    down: str
    is_first: bool
    is_last: bool


@dataclass(frozen=True)
class PersonRow:
    """One person. line: what a phone shows below the name; cells: the columns of a wide screen, for the same facts.

    url: the person's page. mark: a word after the name, such as “(you)”. At most one of tap, movers, link, button and
    badge stands at the right; badge: a letter, badge_label: what it means. number: the place in an order that matters.
    """

    id: str
    name: str
    line: str = ""
    cells: tuple[str, ...] = ()
    url: str = ""
    mark: str = ""
    tap: Tap | None = None
    movers: Movers | None = None
    link: Link | None = None
    button: Button | None = None
    badge: str = ""
    badge_label: str = ""
    number: int | None = None
    is_ticked: bool = False


@dataclass(frozen=True)
class BulkAction:
    """A button for all who are ticked. value: as the form names it."""

    value: str
    label: str
    is_main: bool = False


@dataclass(frozen=True)
class Bulk:
    """The bar for those who are ticked: three buttons, or two and the others behind *More*."""

    url: str
    actions: tuple[BulkAction, ...]

    @property
    def first(self) -> tuple[BulkAction, ...]:
        return self.actions if len(self.actions) <= 3 else self.actions[:2]

    @property
    def more(self) -> tuple[BulkAction, ...]:
        return self.actions[len(self.first) :]


@dataclass(frozen=True)
class ViewOf(Generic[Person]):
    """A part of the people, or all in another order. is_counted: its number stands beside the label."""

    key: str
    label: str
    holds: Callable[[Person], bool] = lambda _person: True
    order: Callable[[Person], tuple[str | int, ...]] | None = None
    is_counted: bool = True


@dataclass(frozen=True)
class ListOf(Generic[Person]):
    """What a page's people are. views: the first is the usual one; none if there is only one way to look at them.

    columns: the headings of `PersonRow.cells`. bulk: None for readers. nothing: what an empty list says. key: what the
    ids of its parts begin with; people.js knows the usual one. form: the id of the page's own form to which the boxes
    belong under the name `field`; then the list is a part of a form, and the page keeps its address.
    """

    url: str
    find: str
    id_of: Callable[[Person], str]
    name_of: Callable[[Person], str]
    row: Callable[[Person], PersonRow]
    views: tuple[ViewOf[Person], ...] = ()
    columns: tuple[str, ...] = ()
    bulk: Bulk | None = None
    nothing: str = ""
    version: int | None = None
    key: str = "people"
    form: str = ""
    field: str = "who"


@dataclass(frozen=True)
class View:
    label: str
    url: str
    is_chosen: bool


@dataclass(frozen=True)
class PeopleList:
    """A page of the list, ready to show. elsewhere: who is ticked and not on the page. version: of what it shows.

    form: the id of the form to which the boxes belong, under the name `field`; empty without boxes. is_within: it is a
    form of the page. search_url: where a script looks for a name, among all.
    """

    url: str
    address: str
    find: str
    asked: AskedPeople
    views: tuple[View, ...]
    columns: tuple[str, ...]
    rows: tuple[PersonRow, ...]
    found: int
    in_all: int
    bulk: Bulk | None
    nothing: str
    elsewhere: tuple[str, ...] = ()
    version: int | None = None
    back: str = ""
    key: str = "people"
    form: str = ""
    field: str = "who"
    is_within: bool = False
    search_url: str = ""

    @property
    def is_plain(self) -> bool:
        return not self.form

    @property
    def rest(self) -> int:
        return self.found - len(self.rows)

    @property
    def next_label(self) -> str:
        count = min(self.rest, PAGE)
        return ngettext("Show %(count)d more", "Show next %(count)d", count) % {"count": count}

    @property
    def next_url(self) -> str:
        return replace(self.asked, shown=self.asked.shown + PAGE).address(self.url)

    @property
    def of_all(self) -> str:
        """“1 to 20 of 60”; what the search found."""
        if self.asked.query:
            return ngettext("%(count)s found.", "%(count)s found.", self.found) % {"count": self.found}
        return _("1 to %(last)d of %(count)d") % {"last": len(self.rows), "count": self.found}

    @property
    def says_of_all(self) -> bool:
        return bool(self.rows and (self.rest or self.asked.query or self.found > PAGE))

    @property
    def is_searched(self) -> bool:
        """Whether there are so many that a search helps."""
        return self.in_all > FEW or bool(self.asked.query)

    @property
    def selected_one(self) -> str:
        return ngettext("%(count)s selected", "%(count)s selected", 1) % {"count": 1}

    @property
    def selected_many(self) -> str:
        """With the placeholder that people.js fills."""
        return ngettext("%(count)s selected", "%(count)s selected", 2) % {"count": "{count}"}


def people_list(people: Sequence[Person], of: ListOf[Person], asked: AskedPeople) -> PeopleList:
    """Return the page that `asked` asks for: those of its view whose names match, sorted in the reader's language."""
    views = of.views or (ViewOf[Person]("", ""),)
    chosen = next((view for view in views if view.key == asked.view), views[0])
    asked = replace(asked, view="" if chosen is views[0] else chosen.key)
    found = [person for person in people if chosen.holds(person)]
    if asked.query:
        found = [person for person in found if matches(asked.query, of.name_of(person))]
    found.sort(key=lambda person: (*(chosen.order(person) if chosen.order else ()), name_order(of.name_of(person))))
    rows = tuple(of.row(person) for person in found[: asked.shown])
    ids = {of.id_of(person) for person in people}
    shown = {row.id for row in rows}
    return PeopleList(
        url=of.url,
        address="" if of.form else asked.address(of.url),
        find=of.find,
        asked=asked,
        views=tuple(_view(view, people, of, asked, chosen) for view in of.views),
        columns=of.columns,
        rows=tuple(replace(row, is_ticked=row.id in asked.ticked) for row in rows),
        found=len(found),
        in_all=len(people),
        bulk=of.bulk if people else None,
        nothing=_("No match.") if asked.query else of.nothing,
        elsewhere=tuple(sorted(asked.ticked & ids - shown)),
        version=of.version,
        back=asked.encoded(),
        key=of.key,
        form=of.form or (f"{of.key}-bulk" if of.bulk and people else ""),
        field=of.field,
        is_within=bool(of.form),
        search_url=AskedPeople(view=of.views[-1].key if of.form and of.views else "").address(of.url),
    )


def _view(
    view: ViewOf[Person], people: Sequence[Person], of: ListOf[Person], asked: AskedPeople, chosen: ViewOf[Person]
) -> View:
    label = f"{view.label} {sum(map(view.holds, people))}" if view.is_counted else view.label
    key = "" if view is of.views[0] else view.key
    return View(label, AskedPeople(asked.query, key).address(of.url), view is chosen)


def wants_people(request: HttpRequest) -> bool:
    """Whether a script asks for the rows alone, after a search or a tap on *Show next*."""
    return wants_part(request) and request.htmx.target == PART  # type: ignore[attr-defined]


def people_part(request: HttpRequest, people: PeopleList) -> HttpResponse:
    """Answer with the rows and the views; people.js then shows the address of what it got."""
    answer = render(request, "shared/_people_part.html", {"people": people, "is_part": True})
    patch_vary_headers(answer, ["HX-Request", "HX-Target"])
    return answer


def in_names(people: Sequence[str]) -> str:
    """“Ann, Bob and Chidi”; of very many the first, and how many more."""
    if len(people) <= MOST_NAMED:
        return names(people)
    more = len(people) - MOST_NAMED
    return names([*people[:MOST_NAMED], _("%(count)d more") % {"count": more}])
