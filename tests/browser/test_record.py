"""Recording a hand as a scorer does: by tapping names and card faces, on a phone or desktop, also without a script."""

import re

import pytest
from django.test import Client
from playwright.sync_api import expect

from games.models import Hand
from league.models import Stage
from league.rounds.pause import pause
from league.rounds.steps import start
from tests import cast

from .conftest import PHONE
from .looking import findings, low, press, settled, width

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(live_server):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return cast.table(made, 1, 1)


def name(table, seat):
    return table.seats.get(number=seat).entry.player.name


def sign_in(page, live_server, user=None):
    client = Client()
    client.force_login(user or cast.organiser())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    return page


@pytest.fixture
def scorer(phone, live_server, table):
    """The table's page on a phone."""
    page = sign_in(phone, live_server)
    page.goto(f"/tables/{table.pk}/")
    return page


def main(page):
    return page.locator("[data-main]")


def pick(page, seat):
    """A seat of the pad; it is drawn before its script is there, and does nothing until then."""
    return settled(page).locator(f"[data-pick='{seat}']")


def tap(page, *cards):
    for card in cards:
        if card[0] in "RYGB":
            page.locator(f"[data-hue={card[0]}]").click()
        page.locator(f"[data-card={card}]").click()


def preview(page):
    return page.locator(".scorer-dock .preview")


def test_a_hand_is_tapped_and_saved(scorer, table):
    expect(main(scorer)).to_be_hidden()
    pick(scorer, 0).click()
    expect(pick(scorer, 0)).to_contain_text("went out")
    expect(pick(scorer, 1)).to_have_attribute("aria-pressed", "true")
    tap(scorer, "R7", "GD", "B6", "W")
    expect(scorer.locator("[data-sum]")).to_have_text("83")
    expect(preview(scorer)).to_contain_text("+83 so far")
    expect(main(scorer)).to_have_text(f"Next: {name(table, 3)}’s cards")
    main(scorer).click()
    tap(scorer, "G4")
    expect(preview(scorer)).to_contain_text("+87")
    expect(pick(scorer, 2)).to_contain_text("not needed")
    expect(main(scorer)).to_have_text("Save hand 1")
    main(scorer).click()
    said = f"Hand 1 saved: {name(table, 0)} and {name(table, 2)} score 87."
    expect(scorer.locator(".note").filter(has_text=said)).to_be_visible()
    expect(scorer.locator("h1")).to_contain_text("hand 2 of 4")
    hand = Hand.objects.get()
    assert (hand.went_out, [one["cards"] for one in hand.seats]) == (0, [[], ["B6", "GD", "R7", "W"], None, ["G4"]])


def test_a_hand_of_four_cards_is_eight_taps_at_most_and_its_correction_six(scorer, table):
    key = "[data-card={}]".format
    taps = [pick(scorer, 0), scorer.locator(key("R7")), scorer.locator(key("W")), main(scorer)]
    taps += [scorer.locator(key("R3")), scorer.locator(key("WD")), main(scorer)]
    assert len(taps) <= 8
    for target in taps:
        target.click()
    expect(scorer.locator(".note").filter(has_text="score 110.")).to_be_visible()
    correct = [scorer.get_by_role("link", name="Correct").first, pick(scorer, 1)]
    correct += [scorer.get_by_role("button", name="Remove Red 7"), scorer.locator(key("R9")), main(scorer)]
    assert len(correct) <= 6
    for target in correct[:-1]:
        target.click()
    scorer.get_by_label("Reason").fill("Read wrongly")
    correct[-1].click()
    expect(scorer.locator(".note").filter(has_text="score 112")).to_be_visible()


def test_a_tap_on_an_entered_card_takes_it_back(scorer):
    pick(scorer, 0).click()
    tap(scorer, "R7", "R7", "W")
    scorer.get_by_role("button", name="Remove Red 7").first.click()
    expect(scorer.locator("[data-sum]")).to_have_text("57")
    expect(pick(scorer, 1)).to_contain_text("2 cards, 57")
    expect(scorer.get_by_role("button", name="Remove Red 7")).to_be_focused()


def test_a_card_that_is_used_up_has_no_key_any_more(scorer):
    pick(scorer, 0).click()
    tap(scorer, "R7")
    main(scorer).click()
    tap(scorer, "R7")
    key = scorer.locator("[data-card=R7]")
    expect(key).to_have_attribute("aria-disabled", "true")
    key.click(force=True)
    expect(scorer.locator("[data-told]")).to_have_text("No Red 7 left in the deck")
    expect(pick(scorer, 3)).to_contain_text("1 card, 7")
    scorer.get_by_role("button", name="Remove Red 7").click()
    expect(key).to_have_attribute("aria-disabled", "false")


def test_who_went_out_can_be_changed(scorer, table):
    pick(scorer, 0).click()
    tap(scorer, "R7")
    pick(scorer, 0).click()
    expect(main(scorer)).to_be_hidden()
    pick(scorer, 3).click()
    expect(pick(scorer, 3)).to_contain_text("went out")
    expect(pick(scorer, 1)).to_contain_text("1 card, 7")
    expect(pick(scorer, 0)).to_have_attribute("aria-pressed", "true")
    expect(main(scorer)).to_have_text(f"Next: {name(table, 2)}’s cards")


def test_count_and_points_instead_of_cards(scorer, table):
    pick(scorer, 0).click()
    scorer.get_by_role("button", name="Type count and points").click()
    scorer.locator("[name=count_1]").fill("1")
    scorer.locator("[name=points_1]").fill("13")
    expect(scorer.locator(".scorer-dock")).to_contain_text("One card can’t be worth 13 points.")
    scorer.locator("[name=points_1]").fill("20")
    expect(preview(scorer)).to_contain_text("+20 so far")
    scorer.locator("[name=points_1]").press("Enter")
    expect(pick(scorer, 3)).to_have_attribute("aria-pressed", "true")
    scorer.get_by_role("button", name="Tap the cards").click()
    tap(scorer, "W")
    main(scorer).click()
    expect(scorer.locator(".note").filter(has_text="Hand 1 saved")).to_be_visible()
    assert Hand.objects.get().seats[1] == {"seat": 1, "cards": None, "cards_left": 1, "points_left": 20}


def test_switching_to_numbers_and_back_keeps_the_cards(scorer):
    pick(scorer, 0).click()
    tap(scorer, "R7", "W")
    scorer.get_by_role("button", name="Type count and points").click()
    expect(scorer.locator("[name=points_1]")).to_have_value("57")
    scorer.get_by_role("button", name="Tap the cards").click()
    expect(scorer.locator("[name=cards_1]")).to_have_value("R7 W")
    expect(scorer.locator("[name=points_1]")).to_have_value("")


def test_nobody_went_out(scorer, table):
    """Nobody scores (SCORE-6), so nothing is asked; what a second tap does stands on the button."""
    scorer.get_by_role("button", name="No one went out").click()
    expect(scorer.locator("[data-blocked]")).to_contain_text("No one went out")
    expect(scorer.locator("[data-blocked]")).to_contain_text("No one scores. Don’t enter any cards.")
    pressed = scorer.locator("button[data-nobody]").bounding_box()
    assert round(pressed["x"] + pressed["width"]) <= 360 - 16  # as a box it ends where everything does
    pick(scorer, 2).click()
    expect(scorer.locator("[data-blocked]")).to_be_visible()
    expect(pick(scorer, 2)).not_to_contain_text("went out")
    scorer.get_by_role("button", name="Someone went out").click()
    expect(scorer.locator("[data-prompt]")).to_contain_text("Who went out?")
    scorer.get_by_role("button", name="No one went out").click()
    expect(main(scorer)).to_have_text("Save hand 1")
    main(scorer).click()
    expect(scorer.locator(".note").filter(has_text="no one went out; no one scores")).to_be_visible()
    assert Hand.objects.get().went_out is None


def test_time_was_up_asks_for_nothing_and_the_table_goes_on(scorer, table):
    pick(scorer, 0).click()
    tap(scorer, "R7")
    scorer.get_by_role("button", name="Time ran out").click()
    expect(scorer.locator("[data-time-is-up]")).to_contain_text("Time was up: it doesn’t count")
    expect(scorer.locator("[data-cards-entry]")).to_be_hidden()
    scorer.get_by_role("button", name="Someone went out").click()
    expect(scorer.locator("[data-prompt]")).to_contain_text("Who went out?")
    scorer.get_by_role("button", name="Time ran out").click()
    expect(main(scorer)).to_have_text("Save as not counted")
    main(scorer).click()
    expect(scorer.locator(".note").filter(has_text="time was up, so it doesn’t count")).to_be_visible()
    expect(scorer.locator("h1")).to_contain_text("hand 2 of 4")
    assert not Hand.objects.get().counts


def test_where_own_cards_count_a_blocked_hand_is_entered_all_around_the_table(scorer, table):
    Stage.objects.update(scoring="lowest-total")
    scorer.reload()
    scorer.get_by_role("button", name="No one went out").click()
    expect(scorer.locator("[data-blocked]")).to_contain_text("Enter the cards of every player")
    scorer.get_by_role("button", name="Type count and points").click()
    for seat in (1, 2, 3, 0):  # passed over, one after the other, and not two of them in turn
        main(scorer).click()
        expect(pick(scorer, seat)).to_have_attribute("aria-pressed", "true")
    for seat, points in enumerate((331, 300, 300, 300)):
        expect(pick(scorer, seat)).to_have_attribute("aria-pressed", "true")
        scorer.locator(f"[name=points_{seat}]").fill(str(points))
        main(scorer).click()
    expect(scorer.locator(".note").filter(has_text="no one went out")).to_be_visible()
    assert Hand.objects.get().went_out is None


def test_a_refused_hand_comes_back_with_every_card_and_the_reason(scorer, table):
    pick(scorer, 0).click()
    tap(scorer, "W", "W", "W")
    main(scorer).click()
    tap(scorer, "R1")
    # What the pad does not allow, an old page could still send.
    scorer.evaluate("document.querySelector('[name=cards_3]').value = 'W W'")
    main(scorer).click()
    expect(scorer.get_by_role("alert")).to_contain_text("The deck has 4 Wild cards; 5 are entered.")
    expect(pick(scorer, 0)).to_contain_text("went out")
    expect(pick(scorer, 1)).to_contain_text("3 cards, 150")
    assert not Hand.objects.exists()
    pick(scorer, 3).click()
    scorer.get_by_role("button", name="Remove Wild").first.click()
    main(scorer).click()
    expect(scorer.locator(".note").filter(has_text="Hand 1 saved")).to_be_visible()


def test_a_refused_hand_says_why_once_and_leaves_all_keys_free(scorer, table):
    """The reason stood above and in the dock, and pushed the keys 7 to 0 below the dock."""
    scorer.set_viewport_size({"width": 360, "height": 640})
    pick(scorer, 0).click()
    scorer.get_by_role("button", name="Type count and points").click()
    for seat in (1, 3):
        if pick(scorer, seat).get_attribute("aria-pressed") == "false":
            pick(scorer, seat).click()
        scorer.locator(f"[name=count_{seat}]").fill("1")
        scorer.locator(f"[name=points_{seat}]").fill("99")
    press(main(scorer))
    expect(scorer.locator(".preview-problem")).to_contain_text("can’t be worth 99 points")
    expect(scorer.get_by_role("alert")).to_contain_text("can’t be worth 99 points")
    assert scorer.get_by_role("alert").bounding_box()["height"] <= 1
    keys, dock = scorer.locator("[data-digits]").bounding_box(), scorer.locator(".dock").bounding_box()
    assert keys["y"] + keys["height"] <= dock["y"]
    title = scorer.locator("h1").bounding_box()
    assert title["y"] >= 4 or title["y"] + title["height"] <= 0


def test_on_a_screen_as_low_as_a_zoomed_one_the_dock_scrolls_with_the_page(scorer):
    scorer.set_viewport_size({"width": 320, "height": 256})
    assert scorer.locator(".dock").evaluate("dock => getComputedStyle(dock).position") == "static"
    pick(scorer, 2).click()
    expect(pick(scorer, 2)).to_contain_text("went out")


def test_undo_brings_the_hand_back_to_the_pad(scorer, table):
    pick(scorer, 0).click()
    tap(scorer, "R7")
    main(scorer).click()
    tap(scorer, "B2")
    main(scorer).click()
    scorer.locator(".note").get_by_role("button", name="Undo").click()
    expect(scorer.locator("h1")).to_contain_text("hand 1 of 4")
    expect(pick(scorer, 1)).to_contain_text("1 card, 7")
    pick(scorer, 3).click()
    tap(scorer, "B3")
    main(scorer).click()
    expect(scorer.locator(".note").filter(has_text="score 12.")).to_be_visible()
    assert Hand.objects.filter(number=1).count() == 2


def test_the_keyboard_does_it_all(desktop, live_server, table):
    page = sign_in(desktop, live_server)
    page.goto(f"/tables/{table.pk}/")
    pick(page, 0).focus()
    page.keyboard.press("Enter")
    page.locator("[data-hue=B]").focus()
    page.keyboard.press("Space")
    page.locator("[data-card=B6]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-card=B6]")).to_be_focused()
    main(page).focus()
    page.keyboard.press("Enter")
    page.locator("[data-card=W]").focus()
    page.keyboard.press("Enter")
    main(page).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".note").filter(has_text="score 56.")).to_be_visible()


def test_a_hand_is_typed_as_lines_with_few_keys(desktop, live_server, table):
    """From one hand to the next without the mouse: who went out, then a line for each who counts."""
    page = sign_in(desktop, live_server)
    page.goto(f"/tables/{table.pk}/")
    for number in (1, 2):
        expect(pick(page, 0)).to_be_focused()
        keys = ["Tab", "Enter", *"b7 gs w wd", "Enter", *"r9", "Enter"]
        assert len(keys) <= 60
        for key in keys:
            page.keyboard.press(key)
        said = f"Hand {number} saved: {name(table, 1)} and {name(table, 3)} score"
        expect(page.locator(".note").filter(has_text=said)).to_be_visible()
    first = Hand.objects.first()
    assert [seat and seat["cards"] for seat in first.seats] == [["R9"], [], ["B7", "GS", "W", "WD"], None]


def test_a_typed_card_that_is_none_stays_and_is_named(desktop, live_server, table):
    page = sign_in(desktop, live_server)
    page.goto(f"/tables/{table.pk}/")
    pick(page, 0).press("Enter")
    page.keyboard.type("b7 xx")
    expect(page.locator(".scorer-dock")).to_contain_text("XX")
    expect(page.get_by_role("button", name="Remove XX")).to_be_visible()


def test_notes_above_leave_the_keys_free_from_the_first_tap(scorer, table):
    pause(
        tournament=table.round.tournament,
        reason="Supper is late, and the cook is sorry for that",
        by=table.round.tournament.owner,
    )
    scorer.reload()
    expect(scorer.locator(".score-notes")).to_contain_text("Supper is late")
    pick(scorer, 0).click()
    tap(scorer, "R7")
    expect(preview(scorer)).to_contain_text("+7 so far")
    pad, dock = scorer.locator(".pad").bounding_box(), scorer.locator(".dock").bounding_box()
    assert pad["y"] + pad["height"] <= dock["y"]


def test_what_was_begun_is_here_again_and_says_so(scorer, table):
    pick(scorer, 0).click()
    tap(scorer, "R7")
    expect(preview(scorer)).to_contain_text("+7 so far")
    scorer.reload()
    expect(scorer.locator("[data-kept-note]")).to_have_text("Your unfinished hand 1 is restored.")
    expect(pick(scorer, 1)).to_contain_text("1 card, 7")
    expect(main(scorer)).to_be_hidden()
    expect(scorer.locator("[data-missing]")).to_have_text(f"Enter {name(table, 3)}’s cards")


def test_a_double_tap_on_save_is_one_hand(scorer):
    pick(scorer, 0).click()
    tap(scorer, "R7")
    main(scorer).click()
    tap(scorer, "B2")
    main(scorer).dblclick()
    expect(scorer.locator(".note").filter(has_text="Hand 1 saved")).to_be_visible()
    assert Hand.objects.count() == 1


def test_without_a_connection_the_taps_stay_and_the_scores_come_later(scorer):
    pick(scorer, 0).click()
    expect(preview(scorer)).to_contain_text("so far")
    scorer.context.set_offline(True)
    tap(scorer, "R7")
    expect(scorer.locator(".scorer-dock")).to_contain_text("Your entry stays here")
    scorer.context.set_offline(False)
    tap(scorer, "R8")
    expect(preview(scorer)).to_contain_text("+15 so far")


def test_two_versions_are_shown_and_mine_kept(scorer, table):
    pick(scorer, 0).click()
    tap(scorer, "R7", "W")
    main(scorer).click()
    tap(scorer, "B2")
    cast.record(table, 1, 0, (0, 7, 0, 2))
    main(scorer).click()
    expect(scorer.get_by_role("alert")).to_contain_text("This hand was saved while you typed")
    assert findings(scorer) == []
    assert width(scorer) <= 360
    scorer.get_by_role("button", name="Keep mine").click()
    expect(scorer.locator(".note").filter(has_text="Hand 1 corrected")).to_be_visible()
    assert Hand.objects.living().get().seats[1]["points_left"] == 57


def test_a_correction_shows_what_moves_while_it_is_typed(desktop, live_server, table):
    hand = cast.record(table, 1, 0, (0, 7, 0, 2)).hand
    page = sign_in(desktop, live_server)
    page.goto(f"/hands/{hand.pk}/correct/")
    pick(page, 1).click()
    page.locator("[name=points_1]").fill("20")
    expect(page.locator("#comparison")).to_contain_text(re.compile(r"What changes.*9.*22", re.DOTALL))
    page.locator("[name=reason]").fill("A Skip was left out")
    assert findings(page) == []
    main(page).click()
    expect(page.locator(".note").filter(has_text="Hand 1 corrected")).to_be_visible()
    assert Hand.objects.living().get().replaces == hand


def test_on_a_phone_somebody_else_went_out_and_new_digits_take_the_place_of_the_old(phone, live_server, table):
    hand = cast.record(table, 1, 0, (0, 7, 0, 2)).hand
    page = sign_in(phone, live_server)
    page.goto(f"/hands/{hand.pk}/correct/")
    digits, instead = page.locator("[data-digits]"), page.locator("[data-it-was]")
    pick(page, 3).click()
    expect(instead).to_have_text(f"{name(table, 3)} went out")
    for digit in "35":  # its points are what was entered of it, and no count
        digits.get_by_role("button", name=digit, exact=True).click()
    expect(page.locator("[name=points_3]")).to_have_value("35")
    pick(page, 1).click()
    assert findings(page) == []
    assert width(page) <= 360
    instead.click()
    expect(pick(page, 1)).to_contain_text("went out")
    expect(pick(page, 0)).to_have_attribute("aria-pressed", "true")
    expect(instead).to_be_hidden()  # while somebody is still to be entered the next name is what is wanted
    digits.get_by_role("button", name="Points").click()
    digits.get_by_role("button", name="8", exact=True).click()
    page.locator("[name=reason]").fill("The other one went out")
    main(page).click()
    expect(page.locator(".note").filter(has_text="Hand 1 corrected")).to_be_visible()
    corrected = Hand.objects.living().get()
    assert (corrected.went_out, [seat and seat["points_left"] for seat in corrected.seats]) == (1, [8, 0, 0, 35])


def test_without_a_script_the_plain_fields_do_it(open_page, live_server, table):
    page = sign_in(open_page(**PHONE, java_script_enabled=False), live_server)
    page.goto(f"/tables/{table.pk}/")
    page.get_by_label(name(table, 0), exact=True).check()
    page.locator("[name=cards_1]").fill("r7 gd")
    page.locator("[name=points_3]").fill("50")
    page.get_by_role("button", name="See the scores").click()
    expect(preview(page)).to_contain_text("+77")
    page.get_by_role("button", name="Save hand 1").click()
    expect(page.locator(".note").filter(has_text="score 77.")).to_be_visible()


def test_the_page_fits_a_phone_and_axe_finds_nothing(scorer):
    pick(scorer, 0).click()
    tap(scorer, "R7", "GD", "B6", "W")
    expect(preview(scorer)).to_contain_text("+83 so far")
    assert width(scorer) <= 360
    assert low(scorer.locator("main button, main a, header a")) == []
    assert findings(scorer) == []


def test_names_of_eighty_letters_leave_room_to_tap(phone, live_server):
    made = cast.tournament()
    for player in made.entries.all():
        player.player.name = player.player.name[0] * 80
        player.player.save()
    start(tournament=made, by=made.owner)
    page = sign_in(phone, live_server)
    page.goto(f"/tables/{cast.table(made, 1, 1).pk}/")
    pick(page, 0).click()
    tap(page, "R7", "B6")
    main(page).click()
    tap(page, "G4")
    main(page).click()
    expect(page.locator(".note").filter(has_text="Hand 1 saved")).to_be_visible()
