"""Recording through the pages: what is saved, what is refused and how the form comes back."""

import re

import pytest
from django.test import Client

from games.models import Hand, Submission
from league.models import HandScore, LogEntry, Round, Table, Tournament
from tests import cast
from tests.games.pages import CARDS, form, hidden, living, name, post, said, version

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return cast.first_table()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


@pytest.fixture(scope="module")
def asked(table_once):
    """The hidden fields of the page that asks for the first hand, as it is handed out."""
    olga = Client()
    olga.force_login(cast.organiser())
    return hidden(olga.get(f"/tables/{table_once.pk}/"))


def test_a_saved_hand_is_said_in_words_and_can_be_undone(olga, table):
    response = post(olga, table, form(olga, table))
    assert (response.status_code, response["Location"]) == (303, f"/tables/{table.pk}/")
    response = olga.get(response["Location"])
    text = said(response)
    assert f"Hand 1 saved: {name(table, 0)} and {name(table, 2)} score 83." in text
    assert "Round 1, hand 2 of 4" in text
    hand = living(table)[0]
    assert f'action="/hands/{hand.pk}/void/"' in response.content.decode()
    assert hand.source == HandScore.Source.ORGANISER
    assert hand.recorded_by == cast.organiser()


def test_what_happened_is_said_once(olga, table):
    post(olga, table, form(olga, table))
    assert "Hand 1 saved" in said(olga.get(f"/tables/{table.pk}/"))
    assert "Hand 1 saved" not in said(olga.get(f"/tables/{table.pk}/"))


def test_four_hands_fill_a_table_and_lead_on_to_the_next(olga, table):
    for number in range(1, 5):
        data = form(
            olga, table, went_out=str(number - 1), **{f"cards_{number % 4}": "R7", f"cards_{(number + 2) % 4}": "B2"}
        )
        assert data["hand"] == str(number)
        assert post(olga, table, data).status_code == 303
    table.refresh_from_db()
    assert table.state == Table.State.CONFIRMED
    response = olga.get(f"/tables/{table.pk}/")
    other = cast.table(table.round.tournament, 1, 2)
    assert "All hands recorded" in said(response)
    assert f'<a class="btn btn-main btn-big" href="/tables/{other.pk}/">Next: table 2</a>' in response.content.decode()
    assert 'name="key"' not in response.content.decode()


def test_count_and_points_or_points_alone_will_do(olga, table):
    typed = {"went_out": "0", "count_1": "3", "points_1": "33", "count_3": "", "points_3": "50"}
    assert post(olga, table, form(olga, table, **typed)).status_code == 303
    hand = living(table)[0]
    assert [one["points_left"] for one in hand.seats] == [0, 33, None, 50]
    assert not hand.checked
    assert "Points only" in said(olga.get(f"/tables/{table.pk}/"))


def test_cards_are_read_in_any_case_with_any_separator(olga, table, asked):
    post(olga, table, asked | {"went_out": "0", "cards_1": "r7,gd;  b6", "cards_3": "w"})
    assert living(table)[0].seats[1]["cards"] == ["B6", "GD", "R7"]


def test_who_went_out_may_be_given_with_nothing_left(olga, table, asked):
    typed = CARDS | {"count_0": "0", "points_0": "0"}
    assert post(olga, table, asked | typed).status_code == 303


def test_nobody_went_out_is_an_answer(olga, table):
    typed = {"went_out": "none"} | {f"points_{seat}": str(points) for seat, points in enumerate((331, 300, 300, 300))}
    response = post(olga, table, form(olga, table, **typed), follow=True)
    assert "Hand 1 saved: no one went out; no one scores." in said(response)
    assert living(table)[0].went_out is None


# What cannot be: which card or count, and why; what was typed stays.

REFUSED = {
    "nobody was chosen": ({"cards_1": "R7", "cards_3": "W"}, "Choose who went out, or that no one did."),
    "a seat too many": (CARDS | {"went_out": "7"}, "This table has 4 seats."),
    "one card worth 13": (
        {"went_out": "0", "count_1": "1", "points_1": "13", "cards_3": "W"},
        "{1}: One card can’t be worth 13 points. Possible: 9 or 20.",
    ),
    "five Wild Draw Fours": (
        CARDS | {"cards_1": "WD WD WD", "cards_3": "WD WD"},
        "The deck has 4 Wild Draw Four cards; 5 are entered.",
    ),
    "more cards than the deck has": (
        {"went_out": "0", "count_1": "80", "points_1": "800", "count_3": "80", "points_3": "400"},
        "The players can hold at most 107 of the 108 cards",
    ),
    "a winner holding cards": (CARDS | {"cards_0": "R1"}, "{0}: The player who went out has no cards."),
    "a second winner": (
        CARDS | {"cards_3": "", "count_3": "0", "points_3": "0"},
        "{3}: Only one player can go out. Enter cards for this one.",
    ),
    "a seat left out": (
        {"went_out": "0", "cards_1": "R7"},
        "{3}: Enter the cards left, or the points.",
    ),
    "a count without points": (CARDS | {"cards_3": "", "count_3": "2"}, "{3}: Enter the points too."),
    "no such card": (CARDS | {"cards_3": "B77"}, "{3}: “B77” is not a card."),
    "a card of another edition": (CARDS | {"cards_3": "WH"}, "{3}: There is no Sorting Hat in the deck of “Classic”."),
    "numbers against the cards": (
        CARDS | {"count_1": "4"},
        "{1}: Cards chosen: 3, not 4.",
    ),
    "less than nothing": (CARDS | {"cards_3": "", "points_3": "-5"}, "{3}: Cards and points can’t be negative."),
    "no number": (CARDS | {"cards_3": "", "points_3": "many"}, "{3}: Enter a whole number."),
    "a slip of the finger": (
        CARDS | {"cards_3": "", "points_3": "500000"},
        "{3}: This number is too large for one hand.",
    ),
    "nobody out, cards missing": (
        CARDS | {"went_out": "none", "cards_0": "R1", "cards_2": "R2"},
        "In a blocked hand, the players hold 103 to 107 of the 108 cards, not 6.",
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_hand_that_cannot_exist_comes_back_with_the_reason_and_what_was_typed(olga, table, asked, why):
    typed, sentence = REFUSED[why]
    sent = asked | typed
    response = post(olga, table, sent)
    assert response.status_code == 422
    assert sentence.format(*(name(table, seat) for seat in range(4))) in said(response)
    text = response.content.decode()
    assert 'role="alert"' in text
    for field, value in typed.items():
        if field == "went_out":
            assert f'name="went_out" value="{value}" checked' in text or value == "7"
        elif value:
            assert f'name="{field}" value="{value}"' in text
    assert hidden(response) == {field: sent[field] for field in ("hand", "seating_version", "key")}
    assert not Hand.objects.exists()
    assert not Submission.objects.exists()


def test_an_error_stands_beside_its_seat(olga, table, asked):
    response = post(olga, table, asked | CARDS | {"cards_3": "B77"})
    text = response.content.decode()
    assert 'data-seat="3" data-name="Đorđe" data-wrong' in text.replace(name(table, 3), "Đorđe")
    assert text.count("data-wrong") == 1
    assert re.search(r'name="cards_3"[^>]*aria-invalid="true" aria-describedby="error_3"', text)


def test_a_corrected_form_is_taken_under_the_same_key(olga, table, asked):
    sent = asked | CARDS | {"cards_3": "B77"}
    again = hidden(post(olga, table, sent)) | CARDS
    assert post(olga, table, again).status_code == 303


@pytest.mark.parametrize("missing", ["hand", "seating_version"])
def test_a_form_without_its_hidden_fields_is_refused_in_words(olga, table, asked, missing):
    sent = asked | CARDS
    del sent[missing]
    response = post(olga, table, sent)
    assert response.status_code == 422
    assert "Open the table again" in said(response)
    assert not Hand.objects.exists()


@pytest.mark.parametrize("field", ["hand", "seating_version", "key", "went_out", "cards_1", "count_1", "points_3"])
@pytest.mark.parametrize(
    "junk", ["\0", "9" * 5000, "-1", "1e3", "é" * 700], ids=["nul", "long", "minus", "e", "letters"]
)
def test_whatever_is_sent_is_answered_in_words(olga, table, asked, field, junk):
    response = post(olga, table, asked | CARDS | {field: junk})
    if (field, junk) == ("key", "1e3") or (field, junk) == ("key", "-1"):
        assert response.status_code == 303
    else:
        assert response.status_code in (409, 422)
        assert 'role="alert"' in response.content.decode()
        assert not Hand.objects.exists()


def test_names_and_typed_text_are_escaped(olga, table, asked):
    response = post(olga, table, asked | {"went_out": "0", "cards_1": '"><script>', "cards_3": "W"})
    assert response.status_code == 422
    assert "<script>" not in response.content.decode().replace("<script src=", "")


# The same hand twice, and two hands for one slot.


def test_a_form_sent_twice_is_one_hand(olga, table, asked):
    sent = asked | CARDS
    first, second = post(olga, table, sent), post(olga, table, sent)
    assert (first.status_code, second.status_code) == (303, 303)
    assert len(living(table)) == 1
    assert "Hand 1 saved" in said(olga.get(second["Location"]))


def test_an_equal_hand_from_somebody_else_is_no_conflict(olga, table):
    mine, theirs = form(olga, table), form(olga, table)
    assert mine["key"] != theirs["key"]
    post(olga, table, mine)
    response = post(olga, table, theirs)
    assert response.status_code == 303
    assert "This hand was already saved" in said(olga.get(response["Location"]))
    assert len(living(table)) == 1


def test_a_used_key_with_another_body_is_refused_and_keeps_what_was_typed(olga, table, asked):
    sent = asked | CARDS
    post(olga, table, sent)
    response = post(olga, table, sent | {"cards_3": "WD"})
    assert response.status_code == 422
    assert "This form was already sent with other values." in said(response)
    assert 'name="cards_3" value="WD"' in response.content.decode()
    assert hidden(response)["key"] != sent["key"]
    assert living(table)[0].seats[3]["cards"] == ["W"]


def test_another_result_is_shown_beside_mine_and_nothing_changes(olga, table):
    theirs, mine = form(olga, table), form(olga, table, **(CARDS | {"cards_1": "R7 GD B6 W"}))
    post(olga, table, theirs)
    response = post(olga, table, mine)
    assert response.status_code == 409
    text = said(response)
    assert "This hand was saved while you typed" in text
    assert f"The versions differ for {name(table, 1)}." in text
    assert "+83" in text
    assert "+133" in text
    html = response.content.decode()
    assert html.count('<li class="differs">') == 2
    assert html.count("card-xs extra") == 1
    assert living(table)[0].seats[1]["cards"] == ["B6", "GD", "R7"]


def test_mine_takes_the_place_of_theirs_in_one_tap(olga, table):
    theirs, mine = form(olga, table), form(olga, table, **(CARDS | {"cards_3": "WD GS"}))
    post(olga, table, theirs)
    html = post(olga, table, mine).content.decode()
    action = re.search(r'action="(/hands/\d+/correct/)"', html)[1]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))
    response = olga.post(action, fields, follow=True)
    assert f"Hand 1 corrected: {name(table, 0)} and {name(table, 2)} score 103." in said(response)
    old, new = Hand.objects.order_by("id")
    assert (old.voided_at is not None, new.replaces) == (True, old)
    assert LogEntry.objects.filter(action="correct").get().reason == "Entered twice, counted again"


def test_a_form_sent_again_after_an_undo_says_so(olga, table, asked):
    sent = asked | CARDS
    post(olga, table, sent)
    olga.post(f"/hands/{living(table)[0].pk}/void/", {"version": version(table)})
    olga.get(f"/tables/{table.pk}/")
    response = post(olga, table, sent, follow=True)
    assert "Hand 1 was undone after it was saved. Enter it again." in said(response)
    assert living(table) == []


# Closed, reseated, strange.


def test_a_seating_that_changed_asks_to_look_again(olga, table):
    sent = form(olga, table)
    Table.objects.filter(pk=table.pk).update(seating_version=5)
    response = post(olga, table, sent)
    assert response.status_code == 409
    assert "The seats of this table changed." in said(response)
    assert 'name="cards_1" value="R7 GD B6"' in response.content.decode()
    assert not Hand.objects.exists()
    assert hidden(response)["seating_version"] == "5"
    assert post(olga, table, hidden(response) | CARDS).status_code == 303


def test_a_closed_round_takes_no_hand_and_keeps_what_was_typed(olga, table, asked):
    sent = asked | CARDS
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    response = post(olga, table, sent)
    assert response.status_code == 409
    assert "Round 1 is closed." in said(response)
    assert 'name="cards_1" value="R7 GD B6"' in response.content.decode()
    assert not Hand.objects.exists()


def test_final_standings_must_be_reopened_first(olga):
    made = cast.play(cast.tournament(rounds=1))
    if not made.is_final:
        Tournament.objects.filter(pk=made.pk).update(state=Tournament.State.CLOSED)
    table = cast.table(made, 1, 1)
    response = olga.get(f"/tables/{table.pk}/")
    assert "Reopen the tournament to change a hand" in said(response)
    assert "/correct/" not in response.content.decode()
    hand = living(table)[0]
    data = CARDS | {"version": version(table), "reason": "Counted again"}
    response = olga.post(f"/hands/{hand.pk}/correct/", data)
    assert response.status_code == 409
    assert "The standings are final." in said(response)
    assert living(table)[0] == hand


def test_hands_may_be_entered_in_any_order(olga, table):
    assert post(olga, table, form(olga, table, "?hand=3")).status_code == 303
    assert [hand.number for hand in living(table)] == [3]
    assert hidden(olga.get(f"/tables/{table.pk}/"))["hand"] == "1"


@pytest.mark.parametrize(
    "query", ["?hand=x", "?hand=99", "?hand=-1", "?from=x", "?from=999999", "?hand=&from=" + "9" * 400]
)
def test_a_strange_query_shows_the_next_hand(olga, table, query):
    response = olga.get(f"/tables/{table.pk}/{query}")
    assert response.status_code == 200
    assert hidden(response)["hand"] == "1"


# Strangers.


@pytest.mark.parametrize("who", ["nobody", "another organiser"])
def test_a_stranger_finds_no_form_and_no_hand_to_change(client, table, who):
    hand = cast.record(table, 1).hand
    if who == "another organiser":
        client.force_login(cast.someone_else())
    data = CARDS | {"hand": "2", "seating_version": "1", "key": "k", "version": version(table), "reason": "x"}
    assert "Save hand" not in said(client.get(f"/tables/{table.pk}/"))
    answers = [
        client.post(f"/tables/{table.pk}/", data),
        client.post(f"/tables/{table.pk}/preview/", data),
        client.get(f"/hands/{hand.pk}/correct/"),
        client.post(f"/hands/{hand.pk}/correct/", data),
        client.post(f"/hands/{hand.pk}/void/", data),
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert living(table) == [hand]


@pytest.mark.parametrize("address", ["/tables/0/", "/hands/999999/correct/", f"/tables/{'9' * 30}/"])
def test_what_does_not_exist_is_not_found(olga, table, address):
    assert olga.get(address).status_code == 404


def test_a_table_of_a_draft_is_not_found(olga, table):
    draft = cast.table(table.round.tournament, 2, 1)
    assert olga.get(f"/tables/{draft.pk}/").status_code == 404


def test_a_form_without_its_token_is_refused(table):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.organiser())
    assert post(strict, table, CARDS | {"hand": "1", "seating_version": "1"}).status_code == 403
    assert not Hand.objects.exists()
