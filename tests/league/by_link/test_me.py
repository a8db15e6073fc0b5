"""A player's own link: what opens it, what it shows before, during and after the evening, how it ends."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db.models import F
from django.test import Client
from django.utils import timezone

from league import letters
from league.access import tournament_for
from league.access.signed_links import player_token, sign_up_token
from league.access.viewer import Attribution
from league.by_link.player_links import AGAIN, LIST, MAIL, SHOW, end_player_link
from league.entries.sign_up import set_sign_up, sign_up
from league.erasure.erase import erase_player
from league.live import stream as live
from league.log.in_words import in_words
from league.log.write import note
from league.models import Deadline, Entry, Letter, LogEntry, Role, Table, Tournament
from league.prints import documents
from league.roles.scorer_links import make_scorer_links
from league.rounds.steps import start
from tests import cast, pdf_text
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """A tournament of two tables whose first round has begun."""
    made = cast.tournament(place="Café Ludo")
    start(tournament=made, by=made.owner)
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


@pytest.fixture
def olga():
    browser = Client()
    browser.force_login(cast.organiser())
    return browser


def link_of(made, name="Farah"):
    return f"/me/{player_token(cast.entry(made, name))}/"


def phone_of(made, *names):
    """A browser in which these players' own links were used."""
    phone = Client()
    for name in names or ("Farah",):
        assert phone.post(link_of(made, name)).status_code == 303
    return phone


def page_of(made, phone, query=""):
    answer = phone.get(f"/t/{made.slug}/me/{query}")
    assert answer.status_code == 200
    return said(answer)


def seat_of(made, name, number=1):
    return cast.entry(made, name).seats.select_related("table").get(round__number=number)


def test_looking_at_a_link_changes_nothing_however_often(made):
    before, address = LogEntry.objects.count(), link_of(made)
    phone = Client()
    for ask in (phone.get, phone.head, phone.get):
        answer = ask(address, headers={"Sec-Purpose": "prefetch;prerender"})
        assert answer.status_code == 200 and "sessionid" not in answer.cookies
    page = said(phone.get(address))
    assert "Farah" in page and "Autumn Pairs, Café Ludo" in page and "Open my table" in page
    assert not Session.objects.exists() and LogEntry.objects.count() == before
    assert phone.get(f"/t/{made.slug}/me/").status_code == 404


def test_the_door_is_kept_by_nobody_and_told_to_nobody(made):
    address = link_of(made)
    for answer in (Client().get(address), Client().post(address), Client().get("/me/forged-one/")):
        assert answer["Referrer-Policy"] == "strict-origin"
        assert "no-store" in answer["Cache-Control"] and "noindex" in answer["X-Robots-Tag"]


def test_the_button_exchanges_a_link_for_a_cookie_that_does_not_tell_it(made, settings):
    settings.SESSION_COOKIE_SECURE = True  # as under https
    phone, address = Client(), link_of(made)
    answer = phone.post(address)
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{made.slug}/me/")
    cookie = answer.cookies["sessionid"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["secure"]
    secret = address.split("/")[2].partition("-")[2]
    assert all(secret not in str(session.get_decoded()) for session in Session.objects.all())
    again = phone.get(address)
    assert (again.status_code, again["Location"].partition("?")[0]) == (302, f"/t/{made.slug}/me/")


def test_the_cookie_is_a_new_one_and_lasts_to_the_end_of_the_evening(made):
    Tournament.objects.filter(pk=made.pk).update(starts_on=timezone.now().date() + timedelta(days=24))
    phone = Client()
    phone.get("/accounts/login/")
    phone.post(link_of(made))
    first = phone.cookies["sessionid"].value
    answer = phone.post(link_of(made, "Zoë"))
    assert phone.cookies["sessionid"].value != first
    assert 24 * 86400 < answer.cookies["sessionid"]["max-age"] <= 30 * 86400


def test_my_seat_now_is_on_top_with_the_one_button(made):
    seat = seat_of(made, "Farah")
    partner = seat.table.seats.get(number=(seat.number + 2) % 4).entry
    phone = phone_of(made)
    page = page_of(made, phone)
    assert f"Round 1, table {seat.table.number}" in page and f"With {partner}, across the table." in page
    assert "Next: hand 1 of 4." in page and "Enter hand 1" in page and "Round 2" not in page.split("Hand by hand")[1]
    assert "Then round 2 Not published yet." in page
    answer = phone.get(f"/t/{made.slug}/me/")
    assert f'href="/tables/{seat.table.pk}/"' in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]


def test_who_deals_is_told_so(made):
    table = cast.table(made, 1, 1)
    dealer = table.seats.get(number=0).entry.player.name
    other = table.seats.get(number=1).entry.player.name
    assert "You deal." in page_of(made, phone_of(made, dealer))
    assert "You deal." not in page_of(made, phone_of(made, other))


def test_the_button_says_what_there_is_to_do(made):
    phone, table = phone_of(made), seat_of(made, "Farah").table
    for hand in range(1, 5):
        cast.record(table, hand)
    assert "Enter hand" not in page_of(made, phone)
    for state, words in (
        (Table.State.REPORTED, "Check the hands"),
        (Table.State.DISPUTED, "See the dispute"),
        (Table.State.CONFIRMED, "All hands are confirmed."),
    ):
        Table.objects.filter(pk=table.pk).update(state=state)
        assert words in page_of(made, phone)


def test_where_players_do_not_report_the_page_says_who_does(made):
    Tournament.objects.filter(pk=made.pk).update(players_report=False)
    page = page_of(made, phone_of(made))
    assert "The organiser or your table’s scorer" in page and "Enter hand" not in page and "can report" not in page


def test_before_the_draw_the_page_says_that_one_is_on_the_list():
    ready = cast.tournament()
    phone = phone_of(ready)
    assert "You are on the list" in page_of(ready, phone)
    olga = Client()
    olga.force_login(ready.owner)
    olga.post(f"/t/{ready.slug}/advance/", {"step": "draw"})
    assert ready.rounds.count() == 7
    page = page_of(ready, phone)
    assert "You are on the list" in page and "table 1" not in page and "With " not in page.partition("Hand by hand")[0]


def test_a_time_that_was_set_for_the_next_round_is_told_and_its_seating_is_not(made):
    at = timezone.now() + timedelta(hours=1)
    second = made.rounds.get(number=2)
    Deadline.objects.create(kind=Deadline.Kind.PUBLISH, tournament=made, round=second, due_at=at)
    page = page_of(made, phone_of(made))
    assert "Your seat will appear at about" in page
    assert "round 2, table" not in page.casefold()


def test_the_own_page_leads_to_the_bracket_with_the_own_way_lit(made):
    farah = cast.entry(made, "Farah")
    phone = phone_of(made)
    address = f"/t/{made.slug}/bracket/?player={farah.public_id}"
    assert f'href="{address}"' in phone.get(f"/t/{made.slug}/me/").content.decode()
    chosen = [one.value for one in phone.get(address).context["bracket"].people if one.is_chosen]
    assert chosen == [farah.public_id]


def test_rank_partners_and_hands_are_those_of_the_public_scorecard():
    made = cast.play(cast.tournament(), rounds=2)
    farah = cast.entry(made, "Farah")
    mine = phone_of(made).get(f"/t/{made.slug}/me/").content.decode()
    public = Client().get(f"/t/{made.slug}/players/{farah.public_id}/").content.decode()
    for part in ("<tbody>", "Rank by round", 'class="lines partners"'):
        at_mine, at_public = mine.index(part), public.index(part)
        assert mine[at_mine : at_mine + 400] == public[at_public : at_public + 400]
    assert "Best partner" in mine and "Your page" in mine
    assert "Is this you?" in public and "Your page" not in public


def test_two_who_share_a_phone_are_both_there(made):
    phone = phone_of(made, "Zoë", "Farah")
    page = phone.get(f"/t/{made.slug}/me/").content.decode()
    zoe = cast.entry(made, "Zoë")
    assert ">Farah</h1>" in page and f'href="/t/{made.slug}/me/?player={zoe.public_id}"' in page
    assert ">Zoë</h1>" in phone.get(f"/t/{made.slug}/me/?player={zoe.public_id}").content.decode()
    chidi = cast.entry(made, "Chidi")
    assert phone.get(f"/t/{made.slug}/me/?player={chidi.public_id}").status_code == 404


def test_an_account_with_the_role_has_the_page_without_a_link(made):
    sven = cast.someone_else()
    role = Role.objects.create(tournament=made, user=sven, kind=Role.Kind.PLAYER, entry=cast.entry(made, "Farah"))
    browser = Client()
    browser.force_login(sven)
    assert "Enter hand 1" in page_of(made, browser)
    assert "Autumn Pairs: Farah" in said(browser.get("/me/"))
    Role.objects.filter(pk=role.pk).update(revoked_at=timezone.now())
    assert browser.get(f"/t/{made.slug}/me/").status_code == 404


@pytest.mark.usefixtures("one_minute")
def test_forged_links_are_told_what_to_do_and_after_ten_a_minute_to_wait(made):
    guesser, farah = Client(), cast.entry(made, "Farah")
    answers = [guesser.get(f"/me/{farah.public_id}-{number:022}/") for number in range(11)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429]
    assert "Scan your code again" in said(answers[0]) and "Autumn" not in said(answers[0])
    assert guesser.post("/me/nonsense/").status_code == 429
    assert guesser.post(link_of(made)).status_code == 303  # a good one from the same café goes on working


def test_a_token_of_one_player_opens_no_other(made):
    mine, other = player_token(cast.entry(made, "Farah")), cast.entry(made, "Zoë")
    assert Client().post(f"/me/{other.public_id}-{mine.partition('-')[2]}/").status_code == 404


def test_a_link_that_is_ended_ends_with_the_next_request(made, olga):
    farah, address = cast.entry(made, "Farah"), link_of(made)
    phone = phone_of(made)
    answer = olga.post(f"/t/{made.slug}/players/{farah.public_id}/link/end/", follow=True)
    assert "The old one no longer works" in said(answer)
    for refused in (phone.get(f"/t/{made.slug}/me/"), Client().get(address), Client().post(address)):
        assert refused.status_code == 410 and "Ask for your new link" in said(refused)
    assert "Scan the code on your name card" in said(phone.get("/me/"))
    assert made.log.get(action="end-player-link").old["player"] == "Farah"
    assert "Personal link of Farah ended" in said(olga.get(f"/t/{made.slug}/log/"))
    assert phone.post(link_of(made)).status_code == 303 and "Enter hand 1" in page_of(made, phone)


def test_whoever_had_a_link_that_was_ended_does_not_find_the_next_one_on_the_page_of_the_sign_up(olga):
    made = cast.tournament(4)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    signed, _new = sign_up(tournament=made, name="Inês", email="ines@example.org", site="http://testserver")
    address = f"/sign-up/{sign_up_token(signed)}/"
    assert player_token(cast.entry(made, "Inês")) in Client().get(address).content.decode()
    olga.post(f"/t/{made.slug}/players/{signed.public_id}/link/end/")
    assert Client().get(address).status_code == 404
    signed.refresh_from_db()
    again = Client().get(f"/sign-up/{sign_up_token(signed)}/").content.decode()
    assert player_token(cast.entry(made, "Inês")) in again


def test_a_scorers_link_does_not_shorten_the_evening_of_a_player(made):
    Tournament.objects.filter(pk=made.pk).update(starts_on=timezone.now().date() + timedelta(days=24))
    phone = phone_of(made)
    [(_link, secret)] = make_scorer_links(tournament=made, tables=[1], by=made.owner, days=1)
    assert phone.post(f"/s/{secret}/").cookies["sessionid"]["max-age"] > 24 * 86400


def test_in_a_private_tournament_the_link_opens_what_everybody_there_may_see():
    made = cast.tournament(visibility="private")
    start(tournament=made, by=made.owner)
    phone = phone_of(made)
    for page in ("me/", "", "seating/", "standings/", "bracket/", "hands/", "players/", "standings.csv", "live/"):
        assert phone.get(f"/t/{made.slug}/{page}").status_code in (200, 204), page
        assert Client().get(f"/t/{made.slug}/{page}").status_code == 404, page
    for page in ("log/", "people/", "prints/", "rounds/", "settings/"):
        assert phone.get(f"/t/{made.slug}/{page}").status_code == 404, page
    end_player_link(entry=cast.entry(made, "Farah"), by=made.owner)
    assert phone.get(f"/t/{made.slug}/standings/").status_code == 404
    assert phone.get(f"/t/{made.slug}/me/").status_code == 410


def test_when_a_link_of_a_private_tournament_is_ended_its_streams_end_and_ask_anew():
    made = cast.tournament(visibility="private")
    found = Tournament.objects.filter(pk=made.pk)
    before = live.marks(found)[made.pk].audience
    end_player_link(entry=cast.entry(made, "Farah"), by=made.owner)
    assert live.marks(found)[made.pk].audience != before


def test_an_erased_persons_links_are_ended(made):
    phone, farah = phone_of(made), cast.entry(made, "Farah")
    erase_player(player=farah.player, by=made.owner)
    answer = phone.get(f"/t/{made.slug}/me/")
    assert answer.status_code == 410 and "Farah" not in said(answer)


def test_the_log_names_who_acted_by_their_own_link_also_when_they_are_off_the_list(olga, django_assert_max_num_queries):
    made = cast.tournament()
    for name in ("Farah", "Zoë"):
        note(tournament=made, by=Attribution(player=cast.entry(made, name)), action="record")
    assert "Farah, by their own link" in said(olga.get(f"/t/{made.slug}/log/"))
    assert "Farah, by their own link" in olga.get(f"/t/{made.slug}/log.csv").content.decode()
    farah = cast.entry(made, "Farah")
    found = said(olga.get(f"/t/{made.slug}/log/?person={farah.public_id}"))
    assert "Farah, by their own link" in found and "Zoë, by" not in found
    with django_assert_max_num_queries(1):
        assert len({row.who for row in LogEntry.objects.with_who().filter(tournament=made)}) == 3
    Entry.objects.filter(pk=farah.pk).delete()
    assert made.log.get(player=farah.public_id).who == "A player, by their own link"


def link_page(made, name="Farah", what=""):
    return f"/t/{made.slug}/players/{cast.entry(made, name).public_id}/link/{what}"


def with_role(made, kind, name):
    """A browser in which somebody with this role is signed in."""
    user = cast.organiser(f"{name}@example.org".lower(), name)
    Role.objects.create(tournament=made, user=user, kind=kind)
    browser = Client()
    browser.force_login(user)
    return browser


def showings(made):
    """[(who, what the log says)] of players' links, the earliest first."""
    rows = made.log.filter(action__in=(SHOW, LIST, MAIL)).order_by("number")
    return [(row.who, in_words(row)) for row in rows]


def test_an_organiser_shows_the_code_and_nobody_else_does(made, olga):
    url = link_page(made)
    answer = olga.get(url, headers={"Host": "localhost"})
    assert f'value="http://localhost{link_of(made)}"' in answer.content.decode()
    assert "Phones can’t open" in said(answer) and "no-store" in answer["Cache-Control"]
    sheet = url.replace("/players/", "/people/").removesuffix("link/")
    assert sheet in olga.get(f"/t/{made.slug}/players/").content.decode() and url in olga.get(sheet).content.decode()
    for kind in (Role.Kind.DIRECTOR, Role.Kind.CHECK_IN, Role.Kind.SCORER):
        browser = with_role(made, kind, kind.capitalize())
        assert browser.get(url).status_code == browser.post(f"{url}end/").status_code == 404
        assert url not in browser.get(f"/t/{made.slug}/players/").content.decode()
    assert phone_of(made).get(url).status_code == 404
    assert url not in Client().get(f"/t/{made.slug}/players/").content.decode()


def test_a_link_that_is_shown_is_a_row_and_the_same_page_soon_after_is_none(made, olga):
    for _time in range(3):
        olga.get(link_page(made))
    again = with_role(made, Role.Kind.ORGANISER, "Orla")
    again.get(link_page(made))
    expected = [("Olga", "Viewed the personal link of Farah"), ("Orla", "Viewed the personal link of Farah")]
    assert showings(made) == expected
    olga.get(link_page(made, "Zoë"))
    assert showings(made)[2:] == [("Olga", "Viewed the personal link of Zoë")]
    olga.post(link_page(made, what="end/"), follow=True)  # the next one is another link, and on that page
    assert showings(made)[3:] == expected[:1]
    made.log.update(at=F("at") - AGAIN)
    olga.get(link_page(made))
    assert showings(made)[4:] == expected[:1]
    found = said(olga.get(f"/t/{made.slug}/log/?person={cast.entry(made, 'Farah').public_id}"))
    assert found.count("Viewed the personal link of Farah") == 4 and "link of Zoë" not in found


def test_place_cards_are_one_row_that_names_everybody_who_has_one(made, olga):
    url = f"/t/{made.slug}/prints/place-cards.pdf"
    for _time in range(2):
        assert olga.get(url).status_code == 200
    names = ", ".join(entry.player.name for entry in made.entries.all())
    assert showings(made) == [("Olga", f"Viewed the personal links of {names}")]
    assert [one["player_id"] for one in made.log.get(action=LIST).new] == [one.public_id for one in made.entries.all()]
    for kind in (Role.Kind.DIRECTOR, Role.Kind.SCORER):  # whose cards have no codes
        assert with_role(made, kind, kind.capitalize()).get(url).status_code == 200
    olga.get(f"/t/{made.slug}/prints/")
    olga.get(f"/t/{made.slug}/prints/pack.pdf")
    assert len(showings(made)) == 1


def test_players_read_on_their_own_page_who_was_shown_their_link(made, olga, settings):
    settings.MAIL_GOES_OUT = True
    olga.get(link_page(made, "Ana Lucía"))
    olga.get(f"/t/{made.slug}/prints/place-cards.pdf")
    olga.post(link_page(made, "Ana Lucía", "mail/"))
    made.log.update(at=datetime(2026, 11, 23, 16, 5, tzinfo=UTC))
    Tournament.objects.filter(pk=made.pk).update(time_zone="Europe/Paris")
    page = page_of(made, phone_of(made, "Ana Lucía"))
    assert page.count("Olga saw your link on 23 November, 17:05") == 2
    assert page.count("Olga e-mailed your link on 23 November, 17:05") == 1
    other = page_of(made, phone_of(made))
    assert other.count("Olga saw your link") == 1 and "e-mailed" not in other
    assert "saw your link" not in said(Client().get(f"/t/{made.slug}/players/{cast.entry(made, 'Farah').public_id}/"))


def test_an_organiser_who_opens_the_page_of_a_sign_up_is_shown_the_link_that_stands_there(olga):
    made = cast.tournament(4)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    signed, _new = sign_up(tournament=made, name="Inês", email="ines@example.org", site="http://testserver")
    address = f"/sign-up/{sign_up_token(signed)}/"
    Client().get(address)
    assert showings(made) == []
    olga.get(address)
    assert showings(made) == [("Olga", "Viewed the personal link of Inês")]


def test_a_browser_that_was_shown_a_link_opens_one_alone_also_when_nobody_is_signed_in_any_more(made, olga):
    olga.get(link_page(made))
    assert olga.post("/accounts/logout/").status_code == 302
    assert olga.get(f"/t/{made.slug}/settings/").status_code == 404
    assert olga.post(link_of(made)).status_code == 303
    for refused in (olga.get(link_of(made, "Zoë")), olga.post(link_of(made, "Zoë"))):
        assert refused.status_code == 403
        assert "This browser is used by Farah" in said(refused) and "Open my table" not in said(refused)
    assert ">Farah</h1>" in olga.get(f"/t/{made.slug}/me/").content.decode()
    elsewhere = cast.tournament(name="Winter Pairs")
    assert olga.post(link_of(elsewhere)).status_code == olga.post(link_of(elsewhere, "Zoë")).status_code == 303


def test_who_opens_the_first_of_several_links_again_with_a_role_stays_that_player(made):
    phone = phone_of(made, "Farah", "Zoë")
    phone.force_login(cast.organiser())
    assert [phone.post(link_of(made, name)).status_code for name in ("Farah", "Zoë", "Farah")] == [303, 403, 303]
    assert "is used by Farah" in said(phone.get(link_of(made, "Zoë")))
    assert "Zoë" not in page_of(made, phone).partition("Also on this phone")[2]


def test_a_helper_at_the_door_still_checks_everybody_in_whose_code_they_scan(made):
    Tournament.objects.filter(pk=made.pk).update(state=Tournament.State.PLANNED)
    helga = with_role(made, Role.Kind.CHECK_IN, "Helga")
    assert helga.post(link_of(made)).status_code == 303
    answer = helga.get(link_of(made, "Zoë"))
    assert answer.status_code == 403 and "Check in Zoë" in said(answer)


@pytest.mark.parametrize("kind", [Role.Kind.PLAYER, Role.Kind.SPECTATOR])
def test_who_may_do_no_more_than_a_player_opens_as_many_links_as_they_are_given(made, kind):
    browser = with_role(made, kind, "Sven")
    assert [browser.post(link_of(made, name)).status_code for name in ("Farah", "Zoë")] == [303, 303]


def test_the_link_is_sent_by_mail_as_it_is_when_the_mail_leaves(made, olga, mailoutbox, settings):
    settings.MAIL_GOES_OUT = True
    ana = cast.entry(made, "Ana Lucía")
    url = f"/t/{made.slug}/players/{ana.public_id}/link/"
    assert "Send to ana@example.org" in said(olga.get(url))
    assert "Link sent to Ana Lucía" in said(olga.post(f"{url}mail/", follow=True, headers={"Host": "localhost"}))
    olga.post(f"{url}end/")
    letters.send(timezone.now())
    [mail] = mailoutbox
    assert mail.to == ["ana@example.org"] and mail.subject == "Your table: Autumn Pairs"
    assert f"http://localhost{link_of(made, 'Ana Lucía')}" in mail.body
    sent = made.log.get(action="mail-player-link")
    assert "ana@example.org" not in str(sent.new) and "/me/" not in str(sent.new)
    other = f"/t/{made.slug}/players/{cast.entry(made, 'Farah').public_id}/link/"
    assert "Send to" not in said(olga.get(other))
    assert "No e-mail address is known" in said(olga.post(f"{other}mail/", follow=True))
    assert len(mailoutbox) == 1 and not Letter.objects.filter(state=Letter.State.WAITING).exists()


def test_place_cards_carry_each_players_link_for_organisers(made, olga):
    url = f"/t/{made.slug}/prints/place-cards.pdf"
    with_codes = pdf_text.pages(olga.get(url).content)
    assert sum(one.text.startswith("Scan:") for page in with_codes for one in page.words) == 8
    scorer = cast.organiser("sara@example.org", "Sara")
    Role.objects.create(tournament=made, user=scorer, kind=Role.Kind.SCORER)
    browser = Client()
    browser.force_login(scorer)
    without = pdf_text.pages(browser.get(url).content)
    assert not any(one.text.startswith("Scan:") for page in without for one in page.words)
    access = tournament_for(made.owner, made.slug)
    of = documents.Source(access, None, None, str, lambda entry: f"https://club.test/me/{player_token(entry)}/")
    [cards] = documents.place_cards(of)
    assert {name: address for name, _club, address in cards.people} == {
        entry.player.name: f"https://club.test{link_of(made, entry.player.name)}" for entry in made.entries.all()
    }


def test_my_tables_lists_those_that_go_on_first_and_tells_a_stranger_the_way(made):
    other = cast.tournament(name="Winter Pairs", starts_on=made.starts_on + timedelta(days=7))
    phone = Client()
    phone.post(link_of(other))
    phone.post(link_of(made))
    page = said(phone.get("/me/"))
    assert page.index("Autumn Pairs: Farah") < page.index("Winter Pairs: Farah")
    assert "search for your name" in said(Client().get("/me/"))


def test_the_place_now_leads_whoever_plays_to_their_table_from_every_page_and_nobody_else(made):
    phone, tab = phone_of(made), f'href="/t/{made.slug}/me/"'
    for page in ("", "seating/", "standings/", "players/"):
        assert tab in phone.get(f"/t/{made.slug}/{page}").content.decode()
        assert tab not in Client().get(f"/t/{made.slug}/{page}").content.decode()


def test_the_home_page_begins_with_my_table_while_the_evening_is_on(made):
    phone = phone_of(made)
    page = phone.get("/").content.decode()
    table = seat_of(made, "Farah").table.number
    assert "Open my table" in page and f"Round 1, table {table}" in page and "Play against bots" not in page
    assert page.index("Open my table") < page.index(f'href="/t/{made.slug}/"')
    assert "Run a tournament" in said(Client().get("/"))
    Tournament.objects.filter(pk=made.pk).update(state=Tournament.State.CLOSED)
    assert "Open my table" not in said(phone.get("/"))


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Emilie", "Émilie"), ("dorde", "Đorđe"), ("ANA  lucia", "Ana Lucía"), ("o’neil", "Chidi O'Neil")],
)
def test_a_name_typed_without_its_accents_is_found_from_the_home_page(made, typed, name):
    cast.entry(made, "Chidi").player.__class__.objects.filter(name="Chidi").update(name="Chidi O'Neil")
    entry = cast.entry(made, name)
    page = Client().get("/", {"q": typed})
    assert f'href="/t/{made.slug}/players/{entry.public_id}/"' in page.content.decode()
    answer = Client().get("/", {"q": typed}, headers={"HX-Request": "true", "HX-Target": "answer"})
    assert "<html" not in answer.content.decode() and name.replace("'", "&#x27;") in answer.content.decode()
    seating = Client().get(f"/t/{made.slug}/seating/", {"q": typed}).content.decode()
    assert f'href="/t/{made.slug}/players/{entry.public_id}/"' in seating.partition('id="answer"')[2]


def test_the_home_page_finds_all_of_that_name_and_nobody_in_what_is_not_listed(made):
    for visibility in ("unlisted", "private"):
        cast.tournament(name=f"Hidden {visibility}", visibility=visibility)
    second = cast.tournament(name="Second Pairs")
    page = Client().get("/", {"q": "farah"}).content.decode()
    answer = page.partition('id="answer"')[2].partition("</section>")[0]
    assert made.slug in answer and second.slug in answer and answer.count("<li>") == 2
    assert "in a public tournament" in said(Client().get("/", {"q": "zz"}))
