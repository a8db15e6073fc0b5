"""A list of people as a value: its views, its order, its pages, and what a form of ticks may say."""

from dataclasses import dataclass

import pytest
from django.http import QueryDict
from django.utils.translation import override

from league.lib.errors import Refused
from league.lib.translate import name_order
from league.pages.people_list import (
    Bulk,
    BulkAction,
    ListFilters,
    ListOf,
    PersonRow,
    ViewOf,
    in_names,
    list_filters,
    people_list,
    read_ticks,
)


@dataclass(frozen=True)
class Guest:
    id: str
    name: str
    is_here: bool = False


GUESTS = [Guest(f"id{number}", f"Guest {number:02}", number % 3 == 0) for number in range(1, 61)]
BULK = Bulk("/all/", tuple(BulkAction(word, word.title()) for word in ("here", "away", "remove", "join")))
OF = ListOf[Guest](
    url="/people/",
    find="Find a name",
    id_of=lambda guest: guest.id,
    name_of=lambda guest: guest.name,
    row=lambda guest: PersonRow(guest.id, guest.name),
    views=(
        ViewOf("all", "All"),
        ViewOf("missing", "Missing", lambda guest: not guest.is_here),
        ViewOf("late", "By number", order=lambda guest: (-int(guest.id[2:]),), is_counted=False),
    ),
    bulk=BULK,
    nothing="Nobody yet.",
)


def shown(people):
    return [row.name for row in people.rows]


def test_sixty_people_come_twenty_at_a_time_and_the_button_says_how_many_are_next():
    first = people_list(GUESTS, OF, ListFilters())
    assert len(first.rows) == 20 and first.of_all == "1 to 20 of 60"
    assert (first.next_label, first.next_url) == ("Show next 20", "/people/?shown=40")
    almost = people_list(GUESTS[:41], OF, ListFilters(shown=40))
    assert (almost.next_label, almost.rest) == ("Show 1 more", 1)
    assert people_list(GUESTS[:20], OF, ListFilters()).says_of_all is False


def test_views_have_their_numbers_and_keep_the_search():
    people = people_list(GUESTS, OF, ListFilters(query="est 1", view="missing"))
    assert [(view.label, view.url, view.is_chosen) for view in people.views] == [
        ("All 60", "/people/?q=est+1", False),
        ("Missing 40", "/people/?q=est+1&view=missing", True),
        ("By number", "/people/?q=est+1&view=late", False),
    ]
    assert shown(people) == [f"Guest {number}" for number in ("01", 10, 11, 13, 14, 16, 17, 19, 31, 41)]
    assert people.address == "/people/?q=est+1&view=missing" and people.of_all == "10 found."


def test_a_view_may_be_another_order_of_the_same_people():
    assert shown(people_list(GUESTS, OF, ListFilters(view="late")))[:2] == ["Guest 60", "Guest 59"]


def test_people_are_sorted_as_the_reader_s_language_does():
    names = ["Zoë", "Émilie", "Eva", "Đorđe", "Nuria", "Núñez", "Nuno", "nadia", "Ñandú", "Oto"]
    assert sorted(names, key=name_order) == [
        "Đorđe", "Émilie", "Eva", "nadia", "Ñandú", "Núñez", "Nuno", "Nuria", "Oto", "Zoë",
    ]  # fmt: skip
    with override("es"):
        assert sorted(names, key=name_order) == [
            "Đorđe", "Émilie", "Eva", "nadia", "Nuno", "Núñez", "Nuria", "Ñandú", "Oto", "Zoë",
        ]  # fmt: skip


def test_who_is_ticked_and_not_on_the_page_goes_along():
    people = people_list(GUESTS, OF, ListFilters(ticked=frozenset({"id2", "id50", "nobody"})))
    assert [row.id for row in people.rows if row.is_ticked] == ["id2"] and people.elsewhere == ("id50",)


def test_more_than_three_actions_are_two_and_the_others_behind_more():
    assert [action.value for action in BULK.first] == ["here", "away"]
    assert [action.value for action in BULK.more] == ["remove", "join"]
    assert Bulk("", BULK.actions[:3]).more == ()


def test_an_empty_list_says_so_and_has_nothing_to_do_with_anybody():
    people = people_list([], OF, ListFilters())
    assert (people.nothing, people.bulk, people.rows) == ("Nobody yet.", None, ())
    assert people_list(GUESTS, OF, ListFilters(query="Quentin")).nothing == "No match."


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("", ListFilters()),
        ("q=%20Ann%00&view=here&shown=40&who=a&who=b", ListFilters("Ann", "here", 40, frozenset("ab"))),
        ("shown=-3", ListFilters()),
        ("shown=%C2%B2", ListFilters()),
        ("shown=99999", ListFilters()),
        ("shown=9999", ListFilters(shown=2000)),
    ],
)
def test_an_address_with_nonsense_is_the_usual_list(query, filters):
    assert list_filters(QueryDict(query)) == filters


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("do=here", "nobody-ticked"),
        ("do=fly&who=a", "unknown"),
        ("who=a", "unknown"),
        ("do=here&who=a&colour=red", "unknown"),
        ("do=here&" + "&".join(f"who={number}" for number in range(901)), "too-many"),
    ],
)
def test_a_form_of_ticks_that_the_page_has_not_is_refused(sent, code):
    with pytest.raises(Refused) as refused:
        read_ticks(QueryDict(sent), ("here", "away"))
    assert refused.value.code == code


def test_a_form_of_ticks_says_whom_once_and_where_it_came_from():
    ticks = read_ticks(QueryDict("do=here&who=b&who=a&who=b&back=view%3Dmissing%26shown%3D40&form_key=x"), ("here",))
    assert (ticks.do, ticks.who) == ("here", ("b", "a"))
    assert ticks.filters.address("/people/") == "/people/?view=missing&shown=40"


def test_very_many_names_are_cut():
    assert in_names(["Ann", "Bob"]) == "Ann and Bob"
    assert in_names([str(number) for number in range(25)]).endswith("18, 19 and 5 more")
