"""What is done to everyone who is ticked at check-in: once, together, and said by name."""

import pytest
from django.test import Client

from league.entries.check_in import check_in, replace_no_show
from league.entries.list_order import remove_entry
from league.entries.sign_up import set_sign_up, sign_up
from league.models import LogEntry, Role
from league.rounds.steps import close_tournament, start
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    return cast.tournament(60, format="swiss")


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


@pytest.fixture
def maud(made):
    """A browser in which a helper for check-in is signed in."""
    user = cast.organiser("maud@example.org", "Maud")
    Role.objects.create(tournament=made, user=user, kind=Role.Kind.CHECK_IN)
    browser = Client()
    browser.force_login(user)
    return browser


def page(made):
    return f"/t/{made.slug}/check-in/"


def ids(made, *names):
    return [cast.entry(made, name).public_id for name in names]


def tick(browser, made, do, who, follow=True, **more):
    return browser.post(f"{page(made)}ticked/", {"do": do, "who": who, **more}, follow=follow)


def undo_of(answer):
    """The address of the button that takes back what the page says was done."""
    (message,) = answer.context["messages"]
    return message.extra_tags


def here(made):
    return set(made.entries.exclude(checked_in_at=None).values_list("player__name", flat=True))


def test_several_are_checked_in_together_and_undone_together(made, maud):
    check_in(entry=cast.entry(made, "Zoë"), by=made.owner)
    answer = tick(maud, made, "here", ids(made, "Farah", "Zoë", "Player 55"), back="view=missing&shown=40")
    assert answer.redirect_chain == [(f"{page(made)}?view=missing&shown=40", 302)]
    assert "2 people are here: Farah and Player 55. Zoë was already here." in said(answer)
    assert here(made) == {"Farah", "Zoë", "Player 55"}
    undone = maud.post(undo_of(answer), follow=True)
    assert "2 people are not here: Farah and Player 55." in said(undone) and here(made) == {"Zoë"}
    again = maud.post(undo_of(answer), follow=True)
    assert "this can’t be undone" in said(again) and here(made) == {"Zoë"}


def test_not_here_is_undone_as_well_and_leaves_alone_who_came_since(made, maud):
    for name in ("Farah", "Chidi"):
        check_in(entry=cast.entry(made, name), by=made.owner)
    answer = tick(maud, made, "away", ids(made, "Farah", "Chidi"))
    assert "2 people are not here: Chidi and Farah." in said(answer)
    check_in(entry=cast.entry(made, "Chidi"), by=made.owner)
    assert "Farah is here." in said(maud.post(undo_of(answer), follow=True))
    assert here(made) == {"Farah", "Chidi"}


def test_a_double_tap_does_it_once(made, maud):
    form = {"form_key": "one", "back": ""}
    first = tick(maud, made, "here", ids(made, "Farah"), **form)
    second = tick(maud, made, "here", ids(made, "Farah"), **form)
    assert said(first).count("Farah is here.") == said(second).count("Farah is here.") == 1
    assert undo_of(first) == undo_of(second)
    assert LogEntry.objects.filter(action="check-in").count() == 1


def test_nobody_ticked_and_fields_or_ids_that_the_page_has_not_change_nothing(made, maud):
    farah, other = ids(made, "Farah"), cast.entry(cast.tournament(name="Other"), "Chidi").public_id
    assert "Tick people first" in said(tick(maud, made, "here", []))
    for answer in (
        tick(maud, made, "fly", farah),
        tick(maud, made, "here", farah, colour="red"),
        tick(maud, made, "here", [*farah, other]),
        tick(maud, made, "here", [*farah, "a' OR 1"]),
        tick(maud, made, "here", [*farah, "\0"]),
    ):
        assert answer.status_code == 422 and "This page is too old." in said(answer)
    assert here(made) == set()


def test_a_refused_form_keeps_its_ticks_over_all_pages(made, maud):
    answer = tick(maud, made, "fly", ids(made, "Ana Lucía", "Zoë"))
    people = answer.context["check_in"].people
    assert [row.name for row in people.rows if row.is_ticked] == ["Ana Lucía"]
    assert people.elsewhere == tuple(ids(made, "Zoë"))
    text = answer.content.decode()
    assert f'<input type="hidden" name="who" value="{people.elsewhere[0]}">' in text


def test_who_was_taken_off_the_list_meanwhile_is_named_and_the_others_are_checked_in(made, maud):
    farah, chidi = ids(made, "Farah", "Chidi")
    remove_entry(tournament=made, entry=cast.entry(made, "Chidi"), by=made.owner)
    answer = tick(maud, made, "here", [farah, chidi])
    assert "Farah is here. Chidi is no longer on the list." in said(answer)
    assert here(made) == {"Farah"}
    alone = tick(maud, made, "here", [chidi])
    assert "Chidi is no longer on the list." in said(alone)


def test_two_people_of_one_name_are_two(made, maud):
    for name in ("Farah", "Chidi"):
        person = cast.entry(made, name).player
        person.name = "Jan Novák"
        person.save()
    one, other = made.entries.filter(player__name="Jan Novák").order_by("number")
    tick(maud, made, "here", [one.public_id])
    one.refresh_from_db()
    other.refresh_from_db()
    assert one.checked_in_at and not other.checked_in_at
    people = maud.get(f"{page(made)}?q=novak").context["check_in"].people
    assert [(row.name.startswith("Jan Novák"), row.tap.is_on) for row in people.rows] == [(True, True), (True, False)]


def test_sixty_people_are_shown_in_three_steps_and_found_by_any_part_of_a_name(made, maud):
    first = maud.get(page(made)).context["check_in"].people
    assert len(first.rows) == 20 and first.next_label == "Show next 20"
    second = maud.get(first.next_url).context["check_in"].people
    assert len(second.rows) == 40 and second.rows[:20] == first.rows
    part = {"hx-request": "true", "hx-target": "people-list"}
    answer = maud.get(f"{page(made)}?q=ER+55&view=missing", headers=part)
    text = answer.content.decode()
    assert "<html" not in text and "Player 55" in said(answer) and "Player 54" not in said(answer)
    assert f'data-address="{page(made)}?q=ER+55&amp;view=missing"' in text
    assert 'id="people-views"' in text and "hx-swap-oob" in text


def test_those_who_wait_take_the_places_of_those_who_are_ticked_in_their_order(made, maud):
    set_sign_up(tournament=made, capacity=60, by=made.owner)
    for name in ("Inês", "Jonas"):
        sign_up(tournament=made, name=name, email=f"{name[0]}@example.org".lower(), site="http://testserver")
    check_in(entry=cast.entry(made, "Zoë"), by=made.owner)
    answer = tick(maud, made, "replace", ids(made, "Farah", "Chidi", "Zoë", "Benoît"))
    text = said(answer)
    assert "Inês replaces Benoît. Jonas replaces Chidi." in text
    assert "No one is left to take the place of Farah." in text and "Zoë is here." in text
    names = set(made.entries.values_list("player__name", flat=True))
    assert {"Inês", "Jonas", "Farah", "Zoë"} <= names and not {"Chidi", "Benoît"} & names


def test_where_nobody_waits_one_person_leads_to_the_page_that_asks_who_plays_instead(made, maud):
    (farah,) = ids(made, "Farah")
    answer = tick(maud, made, "replace", [farah])
    assert answer.redirect_chain == [(f"/t/{made.slug}/players/{farah}/replace/", 302)]
    assert "Name of the replacement" in said(answer)
    two = tick(maud, made, "replace", ids(made, "Farah", "Chidi"))
    assert two.status_code == 409 and "Tick one person to type a replacement." in said(two)
    done = maud.post(f"/t/{made.slug}/players/{farah}/replace/", {"walk-in": "yes", "name": "Quentin"}, follow=True)
    assert "Quentin replaces Farah." in said(done)
    gone = tick(maud, made, "here", [farah])
    assert "Farah is no longer on the list." in said(gone)


def test_strangers_and_other_helpers_get_nowhere(made):
    sven = Client()
    sven.force_login(cast.someone_else())
    for browser in (Client(), sven):
        assert tick(browser, made, "here", ids(made, "Farah"), follow=False).status_code == 404
    assert here(made) == set()


def test_when_the_standings_are_final_nobody_can_be_ticked(maud):
    cup = cast.tournament(name="Cup")
    Role.objects.create(tournament=cup, user=cast.organiser("maud@example.org"), kind=Role.Kind.CHECK_IN)
    start(tournament=cup, by=cup.owner)
    cast.play(cup)
    close_tournament(tournament=cup, by=cup.owner)
    assert maud.get(page(cup)).context["check_in"].people.bulk is None
    answer = tick(maud, cup, "here", ids(cup, "Farah"))
    assert answer.status_code == 409 and "check-in is over" in said(answer)


def test_a_name_leads_where_the_viewer_can_do_something_about_it(made, maud):
    (farah,) = ids(made, "Farah")
    olga = Client()
    olga.force_login(cast.organiser())

    def leads(browser):
        rows = browser.get(f"{page(made)}?q=farah").context["check_in"].people.rows
        return rows[0].url

    assert leads(maud) == f"/t/{made.slug}/players/{farah}/"
    assert leads(olga) == f"/t/{made.slug}/people/{farah}/"


def test_replacing_by_name_still_needs_one(made, maud):
    replace_no_show(entry=cast.entry(made, "Farah"), name="Quentin", by=made.owner)
    assert "Quentin" in here(made)
