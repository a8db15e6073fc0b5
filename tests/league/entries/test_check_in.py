"""Check-in: who is here, by whom it is said, and who takes the place of somebody who did not come."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from league import letters
from league.access.signed_links import player_token, sign_up_token
from league.entries.check_in import check_in, put_back, replace_no_show
from league.entries.sign_up import set_sign_up, sign_up, withdraw
from league.erasure.erase import erase_sign_up
from league.models import Entry, LogEntry, Player, Role, SignUp, SignUpPage, Table
from league.rounds.adjustments import adjust
from league.rounds.draw import draw
from league.rounds.steps import advance, close_tournament, start
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """Eight players, two who wait."""
    made = cast.tournament()
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    for name in ("Inês", "Jonas"):
        sign_up(tournament=made, name=name, email=f"{name[0]}@example.org".lower(), site="http://testserver")
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


@pytest.fixture
def olga():
    browser = Client()
    browser.force_login(cast.organiser())
    return browser


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


def at(made, name, what):
    return f"/t/{made.slug}/players/{cast.entry(made, name).public_id}/{what}/"


def of_list(made, name, what):
    return f"/t/{made.slug}/sign-up/{made.sign_ups.get(name=name).public_id}/{what}/"


def names(made):
    return list(made.entries.order_by("number").values_list("player__name", flat=True))


def here(made):
    return set(made.entries.exclude(checked_in_at=None).values_list("player__name", flat=True))


def player(made, name):
    """A phone on which a player's own link was opened."""
    phone = Client()
    assert phone.post(f"/me/{player_token(cast.entry(made, name))}/").status_code == 303
    return phone


def window(opens, closes):
    now, minutes = timezone.now(), timedelta(minutes=1)
    SignUpPage.objects.update(check_in_opens_at=now + opens * minutes, check_in_closes_at=now + closes * minutes)


def seats_of(entry):
    return list(entry.seats.order_by("round__number").values_list("round__number", "table__number", "number"))


def test_a_helper_checks_players_in_and_takes_it_back(made, maud):
    seen = said(maud.get(page(made)))
    assert "0 of 8 are here" in seen and "All 8 Missing 8 Here 0" in seen
    for _twice in range(2):
        assert maud.post(at(made, "Farah", "here"), {"here": "yes"}).status_code == 302
    assert here(made) == {"Farah"}
    assert "1 of 8 are here" in said(maud.get(page(made)))
    assert maud.post(at(made, "Farah", "here"), {"here": "no"}).status_code == 302
    assert here(made) == set()
    assert [row.action for row in LogEntry.objects.order_by("number") if "check-in" in row.action] == [
        "check-in",
        "undo-check-in",
    ]


def test_a_tap_by_script_answers_with_the_lists_alone_and_a_search_finds_a_name(made, maud):
    script = {"hx-request": "true", "hx-target": "check-in-lists"}
    answer = maud.post(at(made, "Farah", "here"), {"here": "yes", "q": ""}, headers=script)
    text = answer.content.decode()
    assert answer.status_code == 200 and "<html" not in text and "1 of 8 are here" in said(answer)
    found = said(maud.get(f"{page(made)}?q=emilie", headers=script))
    assert "Émilie" in found and "Chidi" not in found


def test_a_helper_sees_the_page_and_neither_settings_nor_drafts(made, maud):
    seen = maud.get(page(made)).content.decode()
    assert f"/t/{made.slug}/sign-up/settings/" not in seen
    assert maud.get(f"/t/{made.slug}/sign-up/settings/").status_code == 404
    assert Client().get(page(made)).status_code == 404


def test_players_check_themselves_in_on_their_own_page_while_the_window_is_open(made):
    phone = player(made, "Farah")
    answer = phone.post(at(made, "Farah", "here"), follow=True)  # no window is set
    assert here(made) == set() and "Check-in isn’t open now" in said(answer)
    window(10, 60)
    phone.post(at(made, "Farah", "here"))
    window(-60, -10)
    phone.post(at(made, "Farah", "here"))
    assert here(made) == set()
    window(-10, 10)
    answer = phone.post(at(made, "Farah", "here"), follow=True)
    assert here(made) == {"Farah"} and "You are checked in" in said(answer)
    row = LogEntry.objects.get(action="check-in")
    assert row.by is None and row.player == cast.entry(made, "Farah").public_id
    phone.post(at(made, "Farah", "here"), {"here": "no"})  # that is for the desk
    assert here(made) == {"Farah"}


def test_nobody_checks_somebody_else_in(made):
    window(-10, 10)
    assert player(made, "Farah").post(at(made, "Chidi", "here")).status_code == 404
    assert Client().post(at(made, "Chidi", "here")).status_code == 404
    ended = player(made, "Zoë")
    Entry.objects.filter(player__name="Zoë").update(link_generation=2)
    assert ended.post(at(made, "Zoë", "here")).status_code == 404
    assert here(made) == set()


def test_a_player_of_a_private_tournament_checks_in_by_their_link(made):
    made.visibility = "private"
    made.save()
    window(-10, 10)
    player(made, "Farah").post(at(made, "Farah", "here"))
    assert here(made) == {"Farah"}


def test_after_a_tap_one_is_back_where_one_was_and_nowhere_else(made, maud):
    there = maud.post(at(made, "Farah", "here"), {"next": "/rules/"})
    assert there["Location"] == "/rules/"
    away = maud.post(at(made, "Farah", "here"), {"next": "https://evil.example/"})
    assert away["Location"] == page(made)


def test_the_first_who_waits_takes_the_place_of_a_no_show_with_one_tap(made, maud):
    assert "Replace gives the place to Inês" in said(maud.get(page(made)))
    assert maud.post(at(made, "Chidi", "replace")).status_code == 302
    assert names(made) == ["Ana Lucía", "Benoît", "Inês", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë"]
    assert made.sign_ups.get(name="Chidi").state == SignUp.State.REPLACED
    row = LogEntry.objects.get(action="replace")
    assert row.old["player"] == "Chidi" and row.new["player"] == "Inês" and row.old["player_id"] and row.by
    letters.send(timezone.now())
    # Chidi was entered by the organiser and left no address; that Inês waits is not true any more.
    sent = {one.to[0]: one.subject.partition(":")[0] for one in mail.outbox}
    assert sent == {"i@example.org": "You now have a place", "j@example.org": "You are on the waiting list"}


def test_who_waits_in_the_hall_goes_before_who_was_first(made, maud):
    assert maud.post(of_list(made, "Jonas", "waits-here"), {"here": "yes"}).status_code == 302
    assert "Jonas, the first one in the hall" in said(maud.get(page(made)))
    maud.post(at(made, "Chidi", "replace"))
    assert "Jonas" in names(made) and "Inês" not in names(made)
    assert here(made) == {"Jonas"}
    assert maud.post(of_list(made, "Jonas", "waits-here"), {"here": "yes"}).status_code == 409


def close(browser, made, missing=None, follow=False):
    """End check-in, as the page shows who is missing."""
    shown = shown_as_missing(browser, made) if missing is None else missing
    return browser.post(f"{page(made)}close/", {"missing": " ".join(shown)}, follow=follow)


def shown_as_missing(browser, made):
    return browser.get(page(made)).context["check_in"].card.missing


def test_check_in_ends_with_the_draw_of_those_who_are_here(made, maud, olga):
    """Jonas waits in the hall and gets the place of the first who is missing; the others come off the list."""
    for name in ("Ana Lucía", "Benoît", "Chidi", "Zoë"):
        maud.post(at(made, name, "here"), {"here": "yes"})
    maud.post(of_list(made, "Jonas", "waits-here"), {"here": "yes"})
    assert "4 missing players are removed" in said(olga.get(page(made)))
    maud_may_not = close(maud, made)
    assert maud_may_not.status_code == 404 and len(names(made)) == 8
    answer = close(olga, made, follow=True)
    assert "The seating is drawn." in said(answer) and "3 missing players were removed." in said(answer)
    assert set(names(made)) == {"Ana Lucía", "Benoît", "Chidi", "Zoë", "Jonas"}
    assert [round_.state for round_ in made.rounds.all()] == ["draft"] * 5
    assert SignUpPage.objects.get().closed and made.sign_ups.get(name="Inês").state == "waiting"
    assert close(olga, made).status_code == 302  # drawn anew, and nobody else is gone
    assert len(names(made)) == 5


def test_where_too_few_are_here_nothing_is_drawn_and_nobody_is_gone(made, maud, olga):
    maud.post(at(made, "Zoë", "here"), {"here": "yes"})
    answer = close(olga, made)
    assert answer.status_code == 422 and "not 1" in said(answer)
    assert len(names(made)) == 8 and not SignUpPage.objects.get().closed


def test_where_everybody_is_here_one_button_closes_and_draws(made, maud, olga):
    for name in names(made):
        maud.post(at(made, name, "here"), {"here": "yes"})
    assert "Remove them and draw" not in said(olga.get(page(made)))
    close(olga, made)
    assert len(names(made)) == 8 and made.rounds.count() == 7


def test_who_signs_up_after_the_page_was_seen_is_not_taken_off_by_it(made, olga):
    shown = shown_as_missing(olga, made)
    cast.entry(made, "Zoë").delete()
    assert close(olga, made, shown).status_code == 409
    assert len(names(made)) == 7 and not made.rounds.exists()


def test_a_no_show_of_the_list_is_told_and_their_link_says_so(made, maud, olga):
    maud.post(at(made, "Chidi", "replace"))
    letters.send(timezone.now())
    assert maud.post(at(made, "Inês", "replace")).status_code == 302
    letters.send(timezone.now())
    assert ["i@example.org"] in [one.to for one in mail.outbox if "given away" in one.subject]
    link = f"/sign-up/{sign_up_token(made.sign_ups.get(name='Inês'))}/"
    assert "You were replaced" in said(Client().get(link))
    assert "Inês did not come, Jonas plays" in said(olga.get(f"/t/{made.slug}/log/"))


def test_a_replacement_after_round_1_is_published_gets_every_seat_and_the_tables_know(made, maud):
    start(tournament=made, by=made.owner)
    chidi = cast.entry(made, "Chidi")
    before, round_1 = seats_of(chidi), chidi.seats.get(round__number=1).table
    assert len(before) == 7
    maud.post(at(made, "Chidi", "replace"))
    assert seats_of(cast.entry(made, "Inês")) == before
    assert Table.objects.get(pk=round_1.pk).seating_version == round_1.seating_version + 1
    # A hand that was typed for the old seating is refused; one for the new one is taken.
    cast.play(made, rounds=1)
    assert "Inês" in said(Client().get(f"/t/{made.slug}/standings/"))


def test_who_has_a_hand_or_points_keeps_the_place(made, maud):
    start(tournament=made, by=made.owner)
    table = cast.entry(made, "Chidi").seats.get(round__number=1).table
    cast.record(table, 1)
    answer = maud.post(at(made, "Chidi", "replace"))
    assert answer.status_code == 409 and "already has hands or points" in said(answer)
    other = next(one for one in made.entries.all() if one.seats.get(round__number=1).table_id != table.pk)
    adjust(tournament=made, entry=other, points=-5, reason="Late", round_number=None, by=made.owner)
    assert maud.post(at(made, other.player.name, "replace")).status_code == 409
    assert len(names(made)) == 8 and "Inês" not in names(made)
    assert not LogEntry.objects.filter(action="replace").exists()


def test_who_has_a_hand_is_here_and_their_place_is_not_offered(made, maud):
    start(tournament=made, by=made.owner)
    table = cast.entry(made, "Chidi").seats.get(round__number=1).table
    cast.record(table, 1)
    answer = maud.get(page(made))
    seen, chidi = answer.content.decode(), cast.entry(made, "Chidi").public_id
    assert (
        "4 of 8 are here" in said(answer)
        and "Missing 4 Here 4" in said(answer)
        and said(answer).count("Has played") == 4
    )
    assert f"{chidi}/here/" not in seen and seen.count("/here/") == 4
    missing = said(maud.get(f"{page(made)}?view=missing"))
    assert "Chidi" not in missing


def test_when_nobody_waits_whoever_walked_in_is_typed_and_plays(made, maud):
    made.sign_ups.filter(state="waiting").delete()
    answer = maud.post(at(made, "Chidi", "replace"))
    assert answer.status_code == 409 and "No one is waiting" in said(answer)
    assert "Name of the replacement" in said(answer)
    assert maud.post(at(made, "Chidi", "replace"), {"walk-in": "yes", "name": " "}).status_code == 422
    assert maud.post(at(made, "Chidi", "replace"), {"walk-in": "yes", "name": "Quentin"}).status_code == 302
    assert names(made)[2] == "Quentin" and here(made) == {"Quentin"}


def test_who_is_here_is_not_replaced(made, maud):
    check_in(entry=cast.entry(made, "Chidi"), by=made.owner)
    answer = maud.post(at(made, "Chidi", "replace"))
    assert answer.status_code == 409 and "is here" in said(answer)
    assert "Chidi" in names(made)


def test_somebody_who_came_after_all_gets_place_seats_and_link_back(made, maud):
    Entry.objects.filter(player__name="Chidi").update(link_generation=3)
    start(tournament=made, by=made.owner)
    chidi = cast.entry(made, "Chidi")
    before, link = seats_of(chidi), player_token(chidi)
    maud.post(at(made, "Chidi", "replace"))
    assert "Replaced by Inês" in said(maud.get(page(made)))
    assert maud.post(of_list(made, "Chidi", "put-back")).status_code == 302
    back = cast.entry(made, "Chidi")
    assert seats_of(back) == before and player_token(back) == link
    waiting = list(made.sign_ups.filter(state="waiting").order_by("id"))
    assert [one.name for one in waiting] == ["Inês", "Jonas"] and waiting[0].here_at
    again = maud.post(of_list(made, "Chidi", "put-back"))
    assert again.status_code == 409 and "can’t be undone" in said(again)


def test_a_link_that_was_ended_stays_ended_when_its_player_gets_a_place_again(made, maud, olga):
    start(tournament=made, by=made.owner)
    maud.post(at(made, "Chidi", "replace"))
    first = f"/me/{player_token(cast.entry(made, 'Inês'))}/"
    olga.post(at(made, "Inês", "link/end"))
    assert Client().get(first).status_code == 410
    maud.post(of_list(made, "Chidi", "put-back"))
    maud.post(at(made, "Farah", "replace"))
    assert "Inês" in names(made)
    assert Client().get(first).status_code == 410
    assert Client().get(f"/me/{player_token(cast.entry(made, 'Inês'))}/").status_code == 200


def test_who_makes_room_for_somebody_who_came_after_all_gets_a_place_that_is_free(made, maud):
    for waiting in made.sign_ups.all():
        withdraw(sign_up=waiting, by=made.owner)
    maud.post(at(made, "Chidi", "replace"), {"name": "Walter"})
    set_sign_up(tournament=made, capacity=9, by=made.owner)
    maud.post(of_list(made, "Chidi", "put-back"))
    assert {"Chidi", "Walter"} <= set(names(made))
    assert not made.sign_ups.filter(state="waiting").exists()


def test_once_they_have_played_the_place_is_not_given_back(made, maud):
    start(tournament=made, by=made.owner)
    maud.post(at(made, "Chidi", "replace"))
    cast.record(cast.entry(made, "Inês").seats.get(round__number=1).table, 1)
    assert of_list(made, "Chidi", "put-back") not in maud.get(page(made)).content.decode()
    answer = maud.post(of_list(made, "Chidi", "put-back"))
    assert answer.status_code == 409 and "Inês" in names(made)


def test_now_names_missing_players_where_check_in_is_used_and_drawing_goes_on(made, olga):
    assert "hasn’t checked in" not in said(olga.get(f"/t/{made.slug}/"))
    for name in ("Farah", "Zoë", "Chidi", "Benoît", "Ana Lucía"):
        check_in(entry=cast.entry(made, name), by=made.owner)
    assert "hasn’t checked in" in said(olga.get(f"/t/{made.slug}/"))
    advance(tournament=made, token="draw", by=made.owner)
    assert "hasn’t checked in" in said(olga.get(f"/t/{made.slug}/"))
    assert olga.post(f"/t/{made.slug}/advance/", {"step": "publish-1"}).status_code == 302
    assert "hasn’t checked in" not in said(olga.get(f"/t/{made.slug}/"))


def test_when_the_standings_are_final_check_in_is_over(made, maud):
    cast.play(made)
    close_tournament(tournament=made, by=made.owner)
    answer = maud.post(at(made, "Farah", "here"), {"here": "yes"})
    assert answer.status_code == 409 and "check-in is over" in said(answer)


def test_ids_of_another_tournament_open_nothing(made, maud):
    other = cast.tournament(name="Other")
    theirs = cast.entry(other, "Farah").public_id
    assert maud.post(f"/t/{made.slug}/players/{theirs}/here/").status_code == 404
    assert maud.post(f"/t/{made.slug}/players/{theirs}/replace/").status_code == 404
    assert maud.post(f"/t/{made.slug}/sign-up/nothere/put-back/").status_code == 404
    assert maud.post(f"/t/{other.slug}/players/{theirs}/here/").status_code == 404


def test_a_player_sees_the_button_on_their_own_page_while_check_in_is_open(made):
    phone, page_of_theirs = player(made, "Farah"), f"/t/{made.slug}/me/"
    assert "Check in" not in said(phone.get(page_of_theirs))
    window(-10, 10)
    text = phone.get(page_of_theirs).content.decode()
    assert "Check in" in text and at(made, "Farah", "here") in text
    answer = phone.post(at(made, "Farah", "here"), {"here": "yes", "next": page_of_theirs}, follow=True)
    assert "You checked in at" in said(answer) and "Check in" not in said(answer)


def test_a_helper_who_scans_a_players_code_checks_them_in_there(made, maud):
    code = f"/me/{player_token(cast.entry(made, 'Farah'))}/"
    assert "Check in" not in said(Client().get(code))
    text = maud.get(code).content.decode()
    assert "Check in Farah" in text and here(made) == set()
    assert maud.post(at(made, "Farah", "here"), {"here": "yes", "next": code})["Location"] == code
    assert here(made) == {"Farah"} and "Farah checked in at" in said(maud.get(code))


@pytest.mark.parametrize("published", [False, True])
def test_who_takes_a_place_in_a_knockout_takes_the_seed_and_meets_whom_it_met(published):
    cup = cast.tournament(5, format="knockout", name="Cup", hands_per_round=1)
    (start if published else draw)(tournament=cup, by=cup.owner)
    seeds = list(cup.stage.members.order_by("order").values_list("entry__player__name", flat=True))
    replace_no_show(entry=cast.entry(cup, "Đorđe"), name="Jo", by=cup.owner)
    now = list(cup.stage.members.order_by("order").values_list("entry__player__name", flat=True))
    assert now == ["Jo" if name == "Đorđe" else name for name in seeds]
    if not published:
        start(tournament=cup, by=cup.owner)
    cast.record(cast.table(cup, 1, 1), 1, 0, (10, 10))
    for path in ("", "bracket/", "standings/"):
        assert Client().get(f"/t/{cup.slug}/{path}").status_code == 200


def test_who_gets_their_place_back_is_the_same_person():
    made = cast.tournament()
    ana = cast.entry(made, "Ana Lucía")
    replace_no_show(entry=ana, by=made.owner, name="Walk In")
    gone = SignUp.objects.get(name="Ana Lucía")
    back = put_back(sign_up=gone, by=made.owner)
    assert (back.player_id, back.player.email, back.player.birthday) == (ana.player_id, "ana@example.org", (5, 17))
    walk_in = SignUp.objects.get(name="Walk In")
    waits = walk_in.person
    withdraw(sign_up=walk_in, by=made.owner)
    assert not Player.objects.filter(pk=waits.pk).exists(), "nobody is kept who waits no more"


def test_who_gets_their_place_back_is_the_player_again_by_their_account():
    made, sven = cast.tournament(), cast.someone_else()
    ana = cast.entry(made, "Ana Lucía")
    made.roles.create(user=sven, kind=Role.Kind.PLAYER, entry=ana)
    replace_no_show(entry=ana, by=made.owner, name="Walk In")
    assert not made.roles.exists()
    back = put_back(sign_up=SignUp.objects.get(name="Ana Lucía"), by=made.owner)
    assert list(made.roles.values_list("user", "kind", "entry", "revoked_at")) == [(sven.pk, "player", back.pk, None)]


def test_who_did_not_come_is_erased_with_the_person_who_was_kept_for_them():
    made = cast.tournament()
    ana = cast.entry(made, "Ana Lucía")
    replace_no_show(entry=ana, by=made.owner, name="Walk In")
    erase_sign_up(sign_up=SignUp.objects.get(name="Ana Lucía"), by=made.owner)
    assert not Player.objects.filter(pk=ana.player_id).exists() and not SignUp.objects.filter(name="Ana Lucía").exists()
