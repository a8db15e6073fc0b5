"""A list of people as a value: rows with checkboxes, search, views with counts, and bulk actions.

A page describes its people (`ListOf`) and shows `people_list(…)` with `{% people list %}`. A search or more rows are
loaded as a part (`people_part`), while `league/static/league/people.js` keeps the ticks. `read_ticks` reads the form.
Without scripts there are links, a search form and a form of checkboxes.
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

PAGE = 20  # rows at first, and for each “Show next”
MOST_SHOWN = 2000
MOST_TICKED = 900  # in one form: Django allows 1000 fields
FEW = 6  # people that need no search
MOST_NAMED = 20  # in a message
PART = "people-list"  # the element that a search or more rows replace
FIELDS = ("csrfmiddlewaretoken", "form_key", "do", "who", "back", "sure")

Person = TypeVar("Person")


@dataclass(frozen=True)
class ListFilters:
    """The query of a list. ticked: public ids."""

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


def list_filters(data: QueryDict) -> ListFilters:
    """Read a query string; invalid parts are ignored."""
    shown = data.get("shown", "")
    number = int(shown) if shown.isascii() and shown.isdigit() and len(shown) <= 4 else PAGE
    return ListFilters(
        query=data.get("q", "").replace("\0", "").strip()[:80],
        view=data.get("view", "")[:20],
        shown=min(max(number, PAGE), MOST_SHOWN),
        ticked=frozenset(data.getlist("who")[:MOST_TICKED]),
    )


@dataclass(frozen=True)
class Ticks:
    """A posted list: action, people, and the list it came from. is_sure: the action was confirmed."""

    do: str
    who: tuple[str, ...]
    filters: ListFilters
    is_sure: bool = False

    def fields(self, *, sure: bool = False) -> tuple[tuple[str, str], ...]:
        """Return hidden fields that send the same form again."""
        fields = [("do", self.do), ("back", self.filters.encoded()), *(("who", public_id) for public_id in self.who)]
        return (*fields, ("sure", "yes")) if sure else tuple(fields)


def read_ticks(data: QueryDict, actions: Collection[str]) -> Ticks:
    """Read the posted form. Raises `Refused` for an unknown field or action, or if no one is ticked."""
    back = list_filters(QueryDict(data.get("back", "")[:300]))
    action = data.get("do", "")
    if set(data) - set(FIELDS) or action not in actions:
        raise Refused("unknown", _("This page is too old. Nothing was changed; load it again."))
    who = tuple(dict.fromkeys(data.getlist("who")))
    if not who:
        raise Refused("nobody-ticked", _("Tick people first, then choose what to do."))
    if len(who) > MOST_TICKED:
        raise Refused("too-many", _("Tick at most %(most)d people.") % {"most": MOST_TICKED})
    return Ticks(action, who, back, is_sure=data.get("sure") == "yes")


def filters_of_ticks(data: QueryDict) -> ListFilters:
    """Return the list that a refused form came from, with its ticks."""
    filters = list_filters(QueryDict(data.get("back", "")[:300]))
    return replace(filters, ticked=frozenset(data.getlist("who")[:MOST_TICKED]))


@dataclass(frozen=True)
class Tap:
    """A toggle that is sent at once (taps.js). on, off: its words. message_on, message_off: messages after a tap.

    field: name of the form field.
    """

    url: str
    is_on: bool
    label: str
    on: str
    off: str
    message_on: str
    message_off: str
    field: str = "here"


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
    """One person. line: text below the name on phones; cells: the same facts as columns on wide screens.

    url: the person's page. mark: a word after the name, such as “(you)”. At most one of tap, movers, link, button and
    badge appears on the right, a tap next to paid. badge: a letter, badge_label: its meaning. number: the place in an
    order that matters. remark: a private note, for directors.
    """

    id: str
    name: str
    line: str = ""
    cells: tuple[str, ...] = ()
    url: str = ""
    mark: str = ""
    tap: Tap | None = None
    paid: Tap | None = None
    movers: Movers | None = None
    link: Link | None = None
    button: Button | None = None
    badge: str = ""
    badge_label: str = ""
    number: int | None = None
    remark: str = ""
    is_ticked: bool = False

    @property
    def taps(self) -> tuple[Tap, ...]:
        return tuple(tap for tap in (self.paid, self.tap) if tap)


@dataclass(frozen=True)
class BulkAction:
    """A button for all ticked people. value: as in the form."""

    value: str
    label: str
    is_main: bool = False


@dataclass(frozen=True)
class Bulk:
    """The bar for ticked people: three buttons, or two and the rest behind *More*."""

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
    """A part of the people, or all in another order. is_counted: the label shows its count."""

    key: str
    label: str
    holds: Callable[[Person], bool] = lambda _person: True
    order: Callable[[Person], tuple[str | int, ...]] | None = None
    is_counted: bool = True


@dataclass(frozen=True)
class ListOf(Generic[Person]):
    """The people of a page. views: the first is the default; none if there is only one.

    columns: headings of `PersonRow.cells`. bulk: None for readers. nothing: text of an empty list. key: prefix of the
    ids of its parts; people.js knows the default. form: id of the page's own form, whose field `field` gets the ticks;
    then the list is a part of a form, and the page keeps its address.
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
    """A page of the list, ready to render. elsewhere: ticked ids that aren't on the page. version: of the data.

    form: id of the form of the checkboxes named `field`; empty without checkboxes. is_within: it is a form of the page.
    search_url: address for a script's name search over all views.
    """

    url: str
    address: str
    find: str
    filters: ListFilters
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
    def has_payments(self) -> bool:
        return any(row.paid for row in self.rows)

    @property
    def rest(self) -> int:
        return self.found - len(self.rows)

    @property
    def next_label(self) -> str:
        count = min(self.rest, PAGE)
        return ngettext("Show %(count)d more", "Show next %(count)d", count) % {"count": count}

    @property
    def next_url(self) -> str:
        return replace(self.filters, shown=self.filters.shown + PAGE).address(self.url)

    @property
    def of_all(self) -> str:
        """Return “1 to 20 of 60”, or the number of search results."""
        if self.filters.query:
            return ngettext("%(count)s found.", "%(count)s found.", self.found) % {"count": self.found}
        return _("1 to %(last)d of %(count)d") % {"last": len(self.rows), "count": self.found}

    @property
    def says_of_all(self) -> bool:
        return bool(self.rows and (self.rest or self.filters.query or self.found > PAGE))

    @property
    def is_searched(self) -> bool:
        """Return whether the list is long enough for a search."""
        return self.in_all > FEW or bool(self.filters.query)

    @property
    def selected_one(self) -> str:
        return ngettext("%(count)s selected", "%(count)s selected", 1) % {"count": 1}

    @property
    def selected_many(self) -> str:
        """Return the label with the placeholder that people.js fills."""
        return ngettext("%(count)s selected", "%(count)s selected", 2) % {"count": "{count}"}


def people_list(people: Sequence[Person], of: ListOf[Person], filters: ListFilters) -> PeopleList:
    """Return the requested page: matching people of its view, sorted in the reader's language."""
    views = of.views or (ViewOf[Person]("", ""),)
    chosen = next((view for view in views if view.key == filters.view), views[0])
    filters = replace(filters, view="" if chosen is views[0] else chosen.key)
    found = [person for person in people if chosen.holds(person)]
    if filters.query:
        found = [person for person in found if matches(filters.query, of.name_of(person))]
    found.sort(key=lambda person: (*(chosen.order(person) if chosen.order else ()), name_order(of.name_of(person))))
    rows = tuple(of.row(person) for person in found[: filters.shown])
    ids = {of.id_of(person) for person in people}
    shown = {row.id for row in rows}
    return PeopleList(
        url=of.url,
        address="" if of.form else filters.address(of.url),
        find=of.find,
        filters=filters,
        views=tuple(_view(view, people, of, filters, chosen) for view in of.views),
        columns=of.columns,
        rows=tuple(replace(row, is_ticked=row.id in filters.ticked) for row in rows),
        found=len(found),
        in_all=len(people),
        bulk=of.bulk if people else None,
        nothing=_("No match.") if filters.query else of.nothing,
        elsewhere=tuple(sorted(filters.ticked & ids - shown)),
        version=of.version,
        back=filters.encoded(),
        key=of.key,
        form=of.form or (f"{of.key}-bulk" if of.bulk and people else ""),
        field=of.field,
        is_within=bool(of.form),
        search_url=ListFilters(view=of.views[-1].key if of.form and of.views else "").address(of.url),
    )


def _view(
    view: ViewOf[Person], people: Sequence[Person], of: ListOf[Person], filters: ListFilters, chosen: ViewOf[Person]
) -> View:
    label = f"{view.label} {sum(map(view.holds, people))}" if view.is_counted else view.label
    key = "" if view is of.views[0] else view.key
    return View(label, ListFilters(filters.query, key).address(of.url), view is chosen)


def wants_people(request: HttpRequest) -> bool:
    """Return whether a script requests only the rows, after a search or a tap on *Show next*."""
    return wants_part(request) and request.htmx.target == PART  # type: ignore[attr-defined]


def people_part(request: HttpRequest, people: PeopleList) -> HttpResponse:
    """Return the rows and the views; people.js then shows the address of the result."""
    answer = render(request, "shared/_people_part.html", {"people": people, "is_part": True})
    patch_vary_headers(answer, ["HX-Request", "HX-Target"])
    return answer


def in_names(people: Sequence[str]) -> str:
    """Return “Ann, Bob and Chidi”; of a long list, the first names and the number of others."""
    if len(people) <= MOST_NAMED:
        return names(people)
    more = len(people) - MOST_NAMED
    return names([*people[:MOST_NAMED], _("%(count)d more") % {"count": more}])
