"""Signing up: places, the waiting list that moves up by itself, and a player's own link."""

import re
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.utils import timezone

from league import letters
from league.access.signed_links import player_token, sign_up_token
from league.entries.list_order import add_entries
from league.entries.roster.rows import RosterRow
from league.entries.sign_up import MOST_WAITING, set_sign_up, sign_up, withdraw
from league.erasure.erase import erase_player, erase_sign_up
from league.letters.limits import MOST_TO_AN_ADDRESS
from league.lib.errors import Refused
from league.models import Entry, Letter, LogEntry, Player, SentMail, SignUp, SignUpPage
from league.roles.claims import claim
from league.rounds.adjustments import adjust
from league.rounds.steps import advance, start
from league.setup.create import change_details, clone_tournament
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db

SITE = "http://testserver"


@pytest.fixture(autouse=True)
def _mail_goes_out(settings):
    settings.MAIL_GOES_OUT = True


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """A tournament of nobody yet, that takes eight."""
    made = cast.tournament(players=0)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


@pytest.fixture
def olga():
    browser = Client()
    browser.force_login(cast.organiser())
    return browser


def address(made):
    return f"/t/{made.slug}/sign-up/"


def typed(name, **more):
    return {"name": name, "email": f"{name.lower().replace(' ', '.')}@example.org"} | more


def joins(made, name, browser=None, **more):
    """Somebody signs up on their phone; the page that they then see."""
    phone = browser or Client()
    answer = phone.post(address(made), typed(name, **more))
    assert answer.status_code == 303, said(answer)
    return phone.get(answer["Location"])


def confirms(made, name, browser=None):
    """Somebody opens their own link and confirms there; the page that they then see."""
    phone, link = browser or Client(), own(signed(made, name))
    assert "confirm" in said(phone.get(link)).lower()
    assert phone.post(link, {"what": "confirm"}).status_code == 302
    return phone.get(link)


def signed(made, name):
    return made.sign_ups.get(name=name)


def joined(made, count):
    return [
        sign_up(tournament=made, name=f"P{number}", email=f"p{number}@example.org", site=SITE, is_certain=True)[0]
        for number in range(1, count + 1)
    ]


def own(one):
    return f"/sign-up/{sign_up_token(one)}/"


def mailed():
    """Every mail that is due goes out; who got one, and what about."""
    before = len(mail.outbox)
    letters.send(timezone.now())
    return [(one.to[0].partition("@")[0], one.subject.partition(":")[0]) for one in mail.outbox[before:]]


def link_in(message):
    [link] = re.findall(r"http://testserver(/sign-up/\S+/)", message.body)
    return link


def names(made):
    return list(made.entries.order_by("number").values_list("player__name", flat=True))


def test_whoever_signs_up_has_a_place_sees_it_and_gets_their_own_link_by_mail(made):
    phone = Client()
    seen = said(phone.get(address(made)))
    assert "8 of 8 places are free" in seen and "Places are free: you get one" in seen
    seen = said(joins(made, "Farah", phone, club="Café Ludo"))
    assert "Confirm your sign-up" in seen and "farah@example.org" in seen and "7 of 8 places are free" in seen
    assert "Confirm your sign-up" in said(phone.get(address(made)))  # also after a reload
    assert "Confirm your sign-up" not in said(Client().get(address(made)))
    farah = cast.entry(made, "Farah")
    assert (farah.player.club_name, farah.player.email) == ("Café Ludo", "farah@example.org")
    assert mailed() == [("farah", "Confirm your sign-up")]
    page = said(phone.get(link_in(mail.outbox[-1])))
    assert "Your place is reserved until" in page and "Withdraw" in page
    assert phone.post(link_in(mail.outbox[-1]), {"what": "confirm"}).status_code == 302
    page = said(phone.get(link_in(mail.outbox[-1])))
    assert "You have a place" in page and "Withdraw" in page
    assert "You have a place" in said(phone.get(address(made)))
    assert mailed() == []
    assert f"/me/{player_token(farah)}/" in phone.get(link_in(mail.outbox[-1])).content.decode()
    row = LogEntry.objects.get(tournament=made, action="sign-up")
    assert row.new == {"player_id": farah.public_id, "player": "Farah"}


def test_where_no_mail_goes_out_no_address_is_needed_and_the_own_link_is_shown(made, settings):
    settings.MAIL_GOES_OUT = False
    for name in ("Zoë", "Zoë", "Ana"):  # two of one name are two people
        phone = Client()
        page = phone.post(address(made), {"name": name, "email": ""}, follow=True)
        assert "You have a place" in said(page) and "Open my own link" in said(page)
        assert "You have a place" in said(phone.get(address(made)))
        phone.post(address(made), {"name": name, "email": ""})  # pressed twice
    assert names(made) == ["Zoë", "Zoë", "Ana"]
    assert not Letter.objects.exists()
    settings.MAIL_GOES_OUT = True
    assert Client().post(address(made), {"name": "Ben", "email": ""}).status_code == 422


def test_without_an_address_nobody_signs_up_as_a_member_of_the_club(settings):
    settings.MAIL_GOES_OUT = False
    club = cast.club(2)
    member = club.members.order_by("pk").first()
    made = cast.tournament(players=0, club=club)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    Client().post(address(made), {"name": member.name, "email": ""})
    assert names(made) == [member.name] and made.entries.get().player_id != member.pk


def test_who_comes_after_the_last_place_waits_and_moves_up_when_somebody_withdraws(made, olga):
    first, *_others = joined(made, 8)
    phone = Client()
    assert "All 8 places are taken" in said(phone.get(address(made)))
    assert "You would be number 1 on the waiting list" in said(phone.get(address(made)))
    assert "Confirm your sign-up" in said(joins(made, "Zoë", phone, email="zoe@example.org"))
    assert "You are number 1 on the waiting list" in said(confirms(made, "Zoë"))
    joins(made, "Chidi")
    assert "number 2 on the waiting list" in said(Client().get(own(signed(made, "Chidi"))))
    mailed()
    answer = Client().post(own(first), {"what": "withdraw", "sure": "yes"})
    assert answer.status_code == 302
    assert names(made) == [f"P{number}" for number in range(2, 9)] + ["Zoë"]
    assert not Player.objects.filter(name="P1").exists()
    assert mailed() == [("p1", "You’re no longer on the list"), ("zoe", "You now have a place")]
    assert "You have a place" in said(phone.get(address(made)))
    assert "number 1 on the waiting list" in said(Client().get(own(signed(made, "Chidi"))))
    log = said(olga.get(f"/t/{made.slug}/log/"))
    assert "P1 withdrew" in log and "Zoë moved up from the waiting list" in log


def test_withdrawing_asks_first_and_twice_is_once(made):
    [one] = joined(made, 1)
    phone = Client()
    answer = phone.post(own(one), {"what": "withdraw"})
    assert answer.status_code == 200 and "Give up your place" in said(answer)
    assert names(made) == ["P1"]
    for _again in range(2):
        assert phone.post(own(one), {"what": "withdraw", "sure": "yes"}).status_code == 302
        assert "You are no longer on the list" in said(phone.get(own(one)))
    assert names(made) == []
    assert LogEntry.objects.filter(action="withdraw").count() == 1
    assert mailed() == [("p1", "You’re no longer on the list")]


def test_looking_at_a_page_or_a_link_changes_nothing_however_often(made):
    [one] = joined(made, 1)
    before = LogEntry.objects.count(), Letter.objects.count(), list(SignUp.objects.values())
    phone = Client()
    for where in (address(made), own(one)):
        for ask in (phone.get, phone.head, phone.get):
            answer = ask(where, headers={"Sec-Purpose": "prefetch;prerender"})
            assert answer.status_code == 200
            assert "sessionid" not in answer.cookies
    assert (LogEntry.objects.count(), Letter.objects.count(), list(SignUp.objects.values())) == before


def test_the_same_address_twice_is_one_place_and_the_mail_comes_again_after_some_minutes(made):
    joins(made, "Farah")
    assert mailed() == [("farah", "Confirm your sign-up")]
    joins(made, "Farah Again", email="FARAH@example.org")
    assert names(made) == ["Farah"] and mailed() == []
    Letter.objects.update(created_at=timezone.now() - timedelta(minutes=6))
    joins(made, "Farah", email="farah@example.org")
    assert names(made) == ["Farah"]
    assert mailed() == [("farah", "Confirm your sign-up")]
    confirms(made, "Farah")
    Letter.objects.update(created_at=timezone.now() - timedelta(minutes=6))
    joins(made, "Farah", email="farah@example.org")
    assert mailed() == [("farah", "You have a place")]


@pytest.mark.parametrize("name", ["J. R. Smith", "Anne-Marie O'Neil Jr.", "St.John A.B. Smith", "@nick", "Zoë 2.0"])
def test_names_with_dots_are_names(made, name):
    joins(made, name, email="one@example.org")
    assert names(made) == [name]


def test_a_mailbox_is_one_in_both_spellings_of_its_domain(made):
    joins(made, "Jörg", email="Joerg@MÜNCHEN.example")
    joins(made, "Jörg", email="joerg@xn--mnchen-3ya.example")
    assert names(made) == ["Jörg"]


def test_where_nobody_can_sign_up_an_address_on_the_list_gets_the_answer_that_any_other_gets(made):
    joined(made, 8)
    Letter.objects.update(created_at=timezone.now() - timedelta(hours=1))

    def asks(name):
        answer = Client().post(address(made), {"name": "Eve", "email": f"{name}@example.org"})
        return answer.status_code, "is full" in said(answer), "is closed" in said(answer), "has started" in said(answer)

    SignUp.objects.bulk_create(SignUp(tournament=made, name=f"W{number}") for number in range(MOST_WAITING))
    assert asks("p1") == asks("nobody") == (409, True, False, False)
    SignUpPage.objects.update(closed=True)
    assert asks("p1") == asks("nobody") == (409, False, True, False)
    start(tournament=made, by=made.owner)
    assert asks("p1") == asks("nobody") == (409, False, False, True)
    assert Letter.objects.count() == 8


def test_nobody_gets_more_than_some_mails_a_day_because_somebody_typed_their_address(made):
    others = [cast.tournament(players=0, name=f"Evening {number}") for number in range(MOST_TO_AN_ADDRESS)]
    for one in others:
        set_sign_up(tournament=one, capacity=8, by=one.owner, many_at_once=True)
        joins(one, "Farah")
    SignUpPage.objects.update(many_at_once=True)
    joins(made, "Farah")
    Letter.objects.update(created_at=timezone.now() - timedelta(minutes=6))
    joins(others[0], "Farah")
    assert names(made) == ["Farah"] and len(mailed()) == MOST_TO_AN_ADDRESS
    Letter.objects.update(created_at=timezone.now() - timedelta(hours=25))
    SentMail.objects.update(at=timezone.now() - timedelta(hours=25))
    joins(made, "Farah")
    [message] = mail.outbox[MOST_TO_AN_ADDRESS:] if mailed() else []
    assert link_in(message) == own(signed(made, "Farah"))


def test_who_types_the_address_of_somebody_else_learns_nothing_of_them(made):
    joined(made, 8)
    joins(made, "Farah")
    stranger = Client()
    answer = stranger.post(address(made), typed("Mallory", email="farah@example.org"))
    assert answer.status_code == 303
    [note] = re.findall(r'<div class="note note-ok.*?</div></div>', stranger.get(address(made)).content.decode())
    assert "Farah" not in note and "number" not in note and "Mallory" not in note
    assert "farah@example.org" in note  # as it was typed
    assert signed(made, "Farah").state == SignUp.State.WAITING


def test_a_letter_sent_again_goes_to_the_site_of_the_first_one(made, settings):
    settings.ALLOWED_HOSTS, settings.LOCAL_HOSTS_ONLY = ["testserver", "evil.example"], False
    joins(made, "Farah")
    Letter.objects.update(created_at=timezone.now() - timedelta(minutes=6))
    Client().post(address(made), typed("Farah"), headers={"host": "evil.example"})
    assert list(Letter.objects.values_list("site", flat=True)) == [SITE, SITE]


def test_somebody_whom_the_organiser_entered_with_an_address_gets_their_link_and_no_second_place():
    made = cast.tournament()
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    joins(made, "Ana", email="Ana@Example.org")
    assert len(names(made)) == 8
    assert mailed() == [("ana", "You have a place")]
    assert signed(made, "Ana Lucía").entry == cast.entry(made, "Ana Lucía")
    assert signed(made, "Ana Lucía").state == SignUp.State.PLACED


def test_two_of_the_same_name_both_come(made):
    joins(made, "Ana")
    joins(made, "Ana", email="ana2@example.org", club="Club Dos")
    assert names(made) == ["Ana", "Ana"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"email": ""}, "This field is required"),
        ({"email": "zoe@nowhere"}, "Type an address like name@example.org"),
        ({"name": " \u200b "}, "This field is required"),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"website": "http://spam.example"}, "send it again"),
        ({"name": "Win at evil.example/spam"}, "put a space after the dot"),
        ({"name": "Win at evil。example"}, "put a space after the dot"),
        ({"name": "ｗｗｗ．ｅｖｉｌ．ｅｘａｍｐｌｅ"}, "put a space after the dot"),
        ({"club": "http://spam"}, "put a space after the dot"),
        ({"email": f"zoe@{'.'.join(['x' * 60] * 4)}.example"}, "at most 254 characters"),
        ({"email": "zoe@ex\u2028ample.org"}, "Type an address like name@example.org"),
        ({"email": "zoe@example.org\nBcc: eve@example.org"}, "Type an address like name@example.org"),
    ],
)
def test_what_cannot_be_read_is_said_and_what_was_typed_stays(made, fields, sentence):
    answer = Client().post(address(made), typed("Zoe") | fields)
    assert answer.status_code == 422
    assert sentence in said(answer)
    assert 'value="zoe@' in answer.content.decode() or "email" in fields
    assert "spam" not in answer.content.decode() or "website" not in fields
    assert names(made) == [] and not Letter.objects.exists()


def test_sign_up_opens_and_closes_by_the_clock(made):
    page = SignUpPage.objects.get()
    hour = timedelta(hours=1)
    page.opens_at = timezone.now() + hour
    page.save()
    phone = Client()
    assert "Sign-up opens on" in said(phone.get(address(made)))
    answer = phone.post(address(made), typed("Farah"))
    assert answer.status_code == 409 and "isn’t open yet" in said(answer)
    page.opens_at, page.closes_at = timezone.now() - 2 * hour, timezone.now() - hour
    page.save()
    assert "Sign-up is closed" in said(phone.get(address(made)))
    answer = phone.post(address(made), typed("Farah"))
    assert answer.status_code == 409 and "Ask the organiser" in said(answer) and 'value="Farah"' in str(answer.content)
    page.closes_at = timezone.now() + hour
    page.save()
    joins(made, "Farah")
    assert names(made) == ["Farah"]


def test_after_the_start_nobody_signs_up_and_who_plays_cannot_withdraw_by_link(made):
    people = joined(made, 9)
    advance(tournament=made, token="draw", by=made.owner)
    advance(tournament=made, token="publish-1", by=made.owner)
    assert "The tournament has started" in said(Client().get(address(made)))
    assert Client().post(address(made), typed("Late")).status_code == 409
    answer = Client().post(own(people[0]), {"what": "withdraw", "sure": "yes"})
    assert answer.status_code == 409 and "Tell the organiser" in said(answer)
    assert len(names(made)) == 8
    # Who only waits may leave the list.
    assert Client().post(own(people[8]), {"what": "withdraw", "sure": "yes"}).status_code == 302
    assert signed(made, "P9").state == SignUp.State.WITHDRAWN and len(names(made)) == 8


def test_a_drawn_draft_is_taken_back_when_the_list_changes(made):
    people = joined(made, 8)
    advance(tournament=made, token="draw", by=made.owner)
    assert made.rounds.exists()
    withdraw(sign_up=people[3])
    assert not made.rounds.exists()


@pytest.mark.usefixtures("one_minute")
def test_a_link_that_is_forged_or_ended_says_what_to_do_and_too_many_have_to_wait(made):
    [one] = joined(made, 1)
    token = sign_up_token(one)
    for wrong in ("x", token[:-1] + ("A" if token[-1] != "A" else "B"), "abc-" + "A" * 22, "%00", "é"):
        answer = Client().post(f"/sign-up/{wrong}/", {"what": "withdraw", "sure": "yes"})
        assert answer.status_code == 404 and "sign up again" in said(answer), wrong
    SignUp.objects.update(link_generation=2)
    assert Client().get(f"/sign-up/{token}/").status_code == 404
    for _try in range(10):
        Client().get("/sign-up/x/")
    assert Client().get("/sign-up/x/").status_code == 429
    assert Client().get(own(SignUp.objects.get())).status_code == 200
    assert names(made) == ["P1"]


def test_the_page_behind_the_own_link_is_kept_by_nobody(made):
    [one] = joined(made, 1)
    answer = Client().get(own(one))
    assert "no-store" in answer["Cache-Control"] and answer["X-Robots-Tag"] == "noindex"
    assert answer["Referrer-Policy"] == "strict-origin"


def test_a_name_can_be_corrected_by_the_own_link_with_a_place_and_without(made):
    people = joined(made, 9)
    for one in (people[0], people[8]):
        answer = Client().post(own(one), {"what": "name", "name": f"{one.name} Right", "club": "Club"})
        assert answer.status_code == 302
        one.refresh_from_db()
        assert (one.name, one.club_name) == (f"{one.name}", "Club") and one.name.endswith("Right")
    assert "P1 Right" in names(made)
    assert Client().post(own(people[0]), {"what": "name", "name": ""}).status_code == 422
    assert LogEntry.objects.filter(action="rename-player").count() == 2


def test_the_sign_up_of_a_private_tournament_is_not_there_for_strangers(olga):
    made = cast.tournament(players=0, visibility="private")
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    assert Client().get(address(made)).status_code == 404
    assert Client().post(address(made), typed("Farah")).status_code == 404
    assert olga.get(address(made)).status_code == 200


def test_a_tournament_without_a_page_takes_no_sign_ups():
    made = cast.tournament(players=0)
    assert Client().get(address(made)).status_code == 404
    assert Client().post(address(made), typed("Farah")).status_code == 404


@pytest.mark.usefixtures("one_minute")
def test_one_browser_waits_after_some_tries_and_one_address_after_ten_times_as_many(made, monkeypatch):
    monkeypatch.setattr("league.by_link.sign_up_views.SIGN_UPS_A_MINUTE", 2)
    phone = Client()
    assert [phone.post(address(made), {}).status_code for _try in range(3)] == [422, 422, 429]
    for _try in range(20 - 2):
        assert Client().post(address(made), {}).status_code == 422
    stranger = Client()
    answer = stranger.post(address(made), typed("Farah"))
    assert answer.status_code == 429 and int(answer["Retry-After"]) <= 60
    assert names(made) == [] and "sessionid" not in stranger.cookies


def test_the_waiting_list_ends_somewhere(made):
    joined(made, 8)
    SignUp.objects.bulk_create(SignUp(tournament=made, name=f"W{number}") for number in range(MOST_WAITING))
    answer = Client().post(address(made), typed("Farah"))
    assert answer.status_code == 409 and "waiting list is full" in said(answer)


def test_removing_a_player_by_hand_moves_the_list_up_too(made, olga):
    joined(made, 9)
    mailed()
    gone = cast.entry(made, "P4")
    assert olga.post(f"/t/{made.slug}/players/{gone.public_id}/remove/").status_code == 302
    assert names(made)[-1] == "P9" and "P4" not in names(made)
    assert mailed() == [("p4", "You’re no longer on the list"), ("p9", "You now have a place")]


def test_more_places_are_filled_from_the_list_at_once(made, olga):
    joined(made, 11)
    answer = olga.post(f"{address(made)}settings/", {"capacity": "9"})
    assert answer.status_code == 302
    assert names(made) == [f"P{number}" for number in range(1, 10)]
    assert [one.name for one in made.sign_ups.filter(state="waiting")] == ["P10", "P11"]


@pytest.mark.parametrize(("capacity", "sentence"), [("7", "need"), ("4", "8 players are already on the list")])
def test_only_numbers_that_can_be_played_and_hold_everybody_are_taken(made, olga, capacity, sentence):
    joined(made, 8)
    answer = olga.post(f"{address(made)}settings/", {"capacity": capacity})
    assert answer.status_code == 422 and sentence in said(answer)
    assert SignUpPage.objects.get().capacity == 8


def test_times_are_on_the_wall_of_the_zone_and_those_that_do_not_exist_are_named(olga):
    made = cast.tournament(time_zone="Europe/Paris")
    where = f"{address(made)}settings/"
    gap = {"capacity": "8", "opens_at": "2027-03-28T02:30"}
    answer = olga.post(where, gap)
    assert answer.status_code == 422 and "02:30 doesn’t exist" in said(answer)
    twice = {"capacity": "8", "closes_at": "2027-10-31T02:30"}
    answer = olga.post(where, twice)
    assert answer.status_code == 422 and "comes twice" in said(answer)
    assert 'name="closes_at_fold"' in answer.content.decode()
    assert olga.post(where, twice | {"closes_at_fold": "1"}).status_code == 302
    assert SignUpPage.objects.get(tournament=made).closes_at.isoformat() == "2027-10-31T01:30:00+00:00"
    past = {"capacity": "8", "closes_at": "2020-01-01T10:00"}
    assert "has passed" in said(olga.post(where, past))
    nonsense = {"capacity": "8", "closes_at": "tomorrow"}
    assert "Type day and time like this" in said(olga.post(where, nonsense))
    order = {"capacity": "8", "opens_at": "2027-05-02T10:00", "closes_at": "2027-05-01T10:00"}
    assert "Closing comes before opening" in said(olga.post(where, order))
    assert SignUpPage.objects.get(tournament=made).opens_at is None


def test_a_time_that_has_passed_since_may_stay_when_the_page_is_saved_again(made, olga):
    passed = timezone.now().replace(second=0, microsecond=0) - timedelta(hours=1)
    SignUpPage.objects.update(opens_at=passed)
    kept = {"capacity": "9", "opens_at": f"{passed:%Y-%m-%dT%H:%M}"}
    assert olga.post(f"{address(made)}settings/", kept).status_code == 302
    assert SignUpPage.objects.get(tournament=made).opens_at == passed


def test_the_organiser_closes_and_opens_by_hand(made, olga):
    where = f"{address(made)}settings/"
    SignUpPage.objects.update(closes_at=timezone.now() + timedelta(hours=1))
    for _again in range(2):
        assert olga.post(where, {"what": "close"}).status_code == 302
    assert "Sign-up is closed" in said(Client().get(address(made)))
    SignUpPage.objects.update(closes_at=timezone.now() - timedelta(hours=1))
    assert olga.post(where, {"what": "open"}).status_code == 302
    assert "Places are free: you get one" in said(Client().get(address(made)))
    assert LogEntry.objects.filter(action="close-sign-up").count() == 1
    assert "sign-up opened" in said(olga.get(f"/t/{made.slug}/log/")).lower()


def test_the_organiser_sees_the_code_the_list_and_takes_people_off_it(made, olga):
    joined(made, 9)
    where = f"{address(made)}settings/"
    page = olga.get(where).content.decode()
    assert f"http://testserver{address(made)}" in page and "<svg" in page and "P9" in page
    last = signed(made, "P9")
    assert olga.post(f"{address(made)}{last.public_id}/remove/").status_code == 302
    last.refresh_from_db()
    assert last.state == SignUp.State.WITHDRAWN
    assert olga.post(f"{address(made)}{last.public_id}/remove/").status_code == 302
    assert not SignUp.objects.filter(name="P9").exists()
    assert not any("P9" in f"{row.old}{row.new}" for row in LogEntry.objects.all())
    first = signed(made, "P1")
    assert "has a place" in said(olga.post(f"{address(made)}{first.public_id}/remove/", follow=True))
    assert "P1" in names(made)


def test_the_first_page_and_the_overview_say_that_places_are_left(made, olga):
    joined(made, 7)
    assert "1 place left" in said(Client().get("/"))
    assert f'href="{address(made)}"' in Client().get("/").content.decode()
    assert "1 place left" in said(Client().get(f"/t/{made.slug}/"))
    assert "Places taken: 7 of 8" in said(olga.get(f"/t/{made.slug}/"))
    SignUpPage.objects.update(closed=True)
    assert "place left" not in said(Client().get("/"))


def test_an_erased_person_stands_in_no_sign_up_and_no_letter(made):
    joins(made, "Farah Secret", email="farah@secret.example")
    link = own(signed(made, "Farah Secret"))
    erase_player(player=cast.entry(made, "Farah Secret").player, by=made.owner)
    everything = str(list(SignUp.objects.values())) + str(list(LogEntry.objects.values("old", "new", "reason")))
    assert "Secret" not in everything and "secret" not in everything
    assert not Letter.objects.exists() and mailed() == []
    assert Client().get(link).status_code == 404


def test_of_an_erased_person_no_address_stays_in_the_session_of_their_phone(made):
    phone = Client()
    joins(made, "Farah Secret", phone, email="farah@secret.example")
    erase_player(player=cast.entry(made, "Farah Secret").player, by=made.owner)
    assert "secret" not in str([one.get_decoded() for one in Session.objects.all()])
    assert "secret" not in said(phone.get(address(made)))


def test_somebody_who_withdrew_is_forgotten_with_the_names_they_had_before(made):
    [one] = joined(made, 1)
    Client().post(own(one), {"what": "name", "name": "Other Name"})
    withdraw(sign_up=one)
    one.refresh_from_db()
    erase_sign_up(sign_up=one, by=made.owner)
    rows = str(list(LogEntry.objects.values("old", "new")))
    assert "P1" not in rows and "Other Name" not in rows


def test_a_copy_takes_players_along_and_no_sign_up(made):
    joined(made, 9)
    copy = clone_tournament(tournament=made, by=made.owner)
    assert copy.entries.count() == 8
    assert not copy.sign_ups.exists() and not SignUpPage.objects.filter(tournament=copy).exists()


def test_who_has_points_beside_the_hands_cannot_withdraw_by_link(made):
    people = joined(made, 8)
    entry = Entry.objects.get(player__name="P1")
    adjust(tournament=made, entry=entry, points=-5, reason="Late", round_number=None, by=made.owner)
    answer = Client().post(own(people[0]), {"what": "withdraw", "sure": "yes"})
    assert answer.status_code == 409 and len(names(made)) == 8


def test_a_round_that_started_closes_the_door_also_while_the_form_was_open(made):
    joined(made, 4)
    set_sign_up(tournament=made, capacity=5, by=made.owner)
    phone = Client()
    phone.get(address(made))
    start(tournament=made, by=made.owner)
    answer = phone.post(address(made), typed("Farah"))
    assert answer.status_code == 409 and len(names(made)) == 4


def test_times_keep_their_place_on_the_wall_when_the_zone_or_the_day_changes(made, olga):
    page = SignUpPage.objects.get()
    day = timezone.now().replace(year=2027, month=1, day=10, hour=12, minute=0, second=0, microsecond=0)
    made.starts_on = day.date()
    made.save()
    page.opens_at, page.closes_at = day, day.replace(hour=18)
    page.save()
    change_details(tournament=made, by=made.owner, time_zone="Europe/Paris")
    page.refresh_from_db()
    assert (page.opens_at, page.closes_at) == (day.replace(hour=11), day.replace(hour=17))
    change_details(tournament=made, by=made.owner, starts_on=day.date() + timedelta(days=7))
    page.refresh_from_db()
    assert (page.opens_at, page.closes_at) == (day.replace(hour=11), day.replace(day=17, hour=17))
    # 28 March 2027, 02:30 does not exist in Paris.
    SignUpPage.objects.update(closes_at=day.replace(day=28, hour=1, minute=30))
    with pytest.raises(Refused, match="02:30 doesn’t exist"):
        change_details(tournament=made, by=made.owner, starts_on=day.date() + timedelta(days=66))


def test_check_in_that_opened_earlier_today_is_open_from_now_on_and_is_not_refused(made, olga):
    now = timezone.now().replace(second=0, microsecond=0)
    here = now.astimezone(made.zone)
    today = {"capacity": "8", "check_in_opens_at": f"{here:%Y-%m-%d}T00:00"}
    assert olga.post(f"{address(made)}settings/", today).status_code == 302
    page = SignUpPage.objects.get()
    assert now <= page.check_in_opens_at <= timezone.now() and page.check_in_is_open
    long_ago = {"capacity": "8", "check_in_opens_at": "2020-01-01T10:00"}
    assert "has passed" in said(olga.post(f"{address(made)}settings/", long_ago))


def test_where_no_mail_goes_out_whoever_signs_up_gets_their_link_on_the_screen_and_only_they(made, olga, settings):
    settings.MAIL_GOES_OUT = False
    phone = Client()
    page = joins(made, "Ana", phone)
    link = f'href="/sign-up/{sign_up_token(signed(made, "Ana"))}/"'
    assert link in page.content.decode()
    assert "no e-mails are sent" in said(page) and "was sent to" not in said(page)
    again = joins(made, "Ana", Client())
    assert link not in again.content.decode() and "Ask the organiser for your own link" in said(again)
    assert "No e-mails are sent" in said(olga.get(f"{address(made)}settings/"))
    settings.MAIL_GOES_OUT = True
    page = phone.get(address(made))
    assert link not in page.content.decode() and "was sent to ana@example.org" in said(page)
    assert "This service sends no e-mail" not in said(olga.get(f"{address(made)}settings/"))


def test_one_person_gets_one_place_whichever_address_they_give():
    club = cast.club(members=8)
    uma = cast.organiser("uma@example.org", "Uma")
    claim(player=cast.member(club, "Benoît"), user=uma)
    made = cast.tournament(club=club, players=4)
    set_sign_up(tournament=made, capacity=5, by=made.owner)
    known, new = sign_up(tournament=made, name="Benoît", email="uma@example.org", site=SITE)
    assert not new and known.entry == cast.entry(made, "Benoît") and made.entries.count() == 4


def test_who_waits_and_is_put_on_the_list_has_that_place_with_their_own_link():
    made = cast.tournament(players=4)
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    waits, _new = sign_up(tournament=made, name="Wanda", email="wanda@example.org", site=SITE, is_certain=True)
    other, _new = sign_up(tournament=made, name="Wim", email="wim@example.org", site=SITE, is_certain=True)
    add_entries(tournament=made, players=[RosterRow(1, "wanda", email="Wanda@example.org")], by=made.owner)
    set_sign_up(tournament=made, capacity=9, by=made.owner)
    waits.refresh_from_db()
    assert made.entries.filter(player__name__iexact="Wanda").count() == 1
    assert waits.state == "placed" and waits.entry.public_id == waits.public_id
    other.refresh_from_db()
    assert other.state == "placed" and made.entries.count() == 6
