"""The list of a tournament: who is on it, in which order, and what is done to everyone who is ticked."""

import pytest
from django.test import Client

from league.entries.list_order import remove_entry
from league.entries.sign_up import set_sign_up, sign_up
from league.models import Entry, LogEntry
from league.rounds.adjustments import adjust
from league.rounds.draw import draw
from league.rounds.steps import start
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
def olga():
    browser = Client()
    browser.force_login(cast.organiser())
    return browser


def page(made):
    return f"/t/{made.slug}/players/"


def people(browser, made, query=""):
    return browser.get(page(made) + query).context["people"]


def ids(made, *names):
    return [cast.entry(made, name).public_id for name in names]


def tick(browser, made, do, who, **more):
    return browser.post(f"{page(made)}ticked/", {"do": do, "who": who, **more}, follow=True)


def on_the_list(made):
    return set(made.entries.values_list("player__name", flat=True))


def test_visitors_read_sixty_people_twenty_at_a_time_and_tick_nobody(made):
    shown = people(Client(), made)
    assert len(shown.rows) == 20 and shown.bulk is None and shown.next_label == "Show next 20"
    assert shown.rows[0].line == "Café Ludo" and shown.rows[0].url == f"{page(made)}{shown.rows[0].id}/"
    assert [row.name for row in people(Client(), made, "?q=zoe").rows] == ["Zoë"]


def test_several_are_taken_off_after_a_question_that_names_them(made, olga):
    farah, zoe = ids(made, "Farah", "Zoë")
    asked = tick(olga, made, "remove", [zoe, farah], back="q=a")
    assert "Remove 2 players from the list?" in said(asked) and "Farah and Zoë. An unpublished draw is undone" in said(
        asked
    )
    assert {"Farah", "Zoë"} <= on_the_list(made)
    ask = asked.context["ask"]
    done = olga.post(ask.url, dict(ask.hidden) | {"who": [zoe, farah]}, follow=True)
    assert (
        "Farah and Zoë are no longer on the list." in said(done) and done.redirect_chain[-1][0] == f"{page(made)}?q=a"
    )
    assert len(on_the_list(made)) == 58


def test_who_has_points_stays_and_who_is_gone_already_is_named(made, olga):
    adjust(tournament=made, entry=cast.entry(made, "Zoë"), points=-5, reason="Late", round_number=None, by=made.owner)
    farah, chidi, zoe = ids(made, "Farah", "Chidi", "Zoë")
    remove_entry(tournament=made, entry=cast.entry(made, "Chidi"), by=made.owner)
    text = said(tick(olga, made, "remove", [farah, chidi, zoe], sure="yes"))
    assert "Farah is no longer on the list." in text and "Zoë has points adjustments" in text
    assert "Chidi is no longer on the list." in text
    assert "Farah" not in on_the_list(made) and "Zoë" in on_the_list(made)
    alone = tick(olga, made, "remove", [chidi])
    assert alone.status_code == 409 and "Chidi is no longer on the list." in said(alone)


def test_who_waits_moves_up_once_for_each_place_and_the_draft_is_forgotten(made, olga):
    set_sign_up(tournament=made, capacity=60, by=made.owner)
    sign_up(tournament=made, name="Inês", email="i@example.org", site="http://testserver")
    draw(tournament=made, by=made.owner)
    tick(olga, made, "remove", ids(made, "Farah", "Zoë"), sure="yes")
    assert "Inês" in on_the_list(made) and len(on_the_list(made)) == 59
    assert not made.rounds.living().exists()


def test_a_double_tap_takes_off_once(made, olga):
    who = ids(made, "Farah")
    for _twice in range(2):
        assert "Farah is no longer on the list." in said(tick(olga, made, "remove", who, sure="yes", form_key="k"))
    assert LogEntry.objects.filter(action="remove-player").count() == 1


def test_they_are_checked_in_together_and_undo_leads_back_to_the_list(made, olga):
    answer = tick(olga, made, "here", ids(made, "Farah", "Zoë"))
    assert "2 people are here: Farah and Zoë." in said(answer)
    (message,) = answer.context["messages"]
    assert olga.post(message.extra_tags)["Location"] == page(made)
    assert not made.entries.exclude(checked_in_at=None).exists()


def test_unknown_people_and_fields_and_nobody_at_all_are_refused_and_the_ticks_stay(made, olga):
    farah = ids(made, "Farah")
    for answer in (tick(olga, made, "here", []), tick(olga, made, "fly", farah), tick(olga, made, "here", ["x9"])):
        assert answer.status_code == 422 and answer.context["refusal"]
    assert tick(olga, made, "here", farah, colour="red").context["people"].filters.ticked == frozenset(farah)


def test_after_the_start_the_list_is_for_reading_and_says_who_left(made, olga):
    start(tournament=made, by=made.owner)
    assert people(olga, made).bulk is None
    assert tick(olga, made, "remove", ids(made, "Farah"), sure="yes").status_code == 409
    Entry.objects.filter(player__name="Farah").update(status=Entry.Status.DROPPED)
    shown = people(olga, made, "?view=out")
    assert [view.label for view in shown.views] == ["All 60", "Playing 59", "Others 1"]
    assert [row.line for row in shown.rows] == ["Withdrawn"]


def test_where_the_order_of_the_list_is_the_draw_it_is_shown_and_changed(olga):
    pairs = cast.tournament(name="Pairs")
    shown = people(olga, pairs)
    assert [(view.label, view.is_chosen) for view in shown.views] == [("As listed", True), ("By name", False)]
    assert [row.number for row in shown.rows] == [1, 2, 3, 4, 5, 6, 7, 8]
    first = shown.rows[0]
    assert first.movers.is_first and first.movers.down == f"Move {first.name} down"
    olga.post(first.movers.url, {"to": "down"})
    assert people(olga, pairs).rows[1].name == first.name
    by_name = people(olga, pairs, "?view=name")
    assert by_name.rows[0].name == first.name and by_name.rows[0].number == 2
    assert people(Client(), pairs).rows[0].movers is None


def test_teams_are_found_with_their_members(olga):
    evening = cast.tournament(cast.team_rows(), format="teams", name="Teams")
    row = people(olga, evening, "?view=name").rows[0]
    assert "Ana Lucía" in " ".join(one.line for one in people(olga, evening).rows) and row.cells[0] == row.line
