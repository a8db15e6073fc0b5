"""Links for scorers: what opens them, where they let somebody in, how they end; nothing is kept that opens them."""

import base64
import json
import re
import zipfile
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.models import Hand
from games.service import backup as archive
from games.service.demo import remove_demo
from league.access.secrets import digest_of
from league.access.session_links import use_link
from league.access.signed_links import scorer_token
from league.erasure.erase import erase_player
from league.ledger.scores import confirm_table
from league.lib import qr
from league.lib.errors import Conflict, Refused
from league.models import HandScore, LogEntry, Role, ScorerLink, Table
from league.public import tables as exports
from league.roles.roles import take_back_role
from league.roles.scorer_links import MOST_OPEN, last_moment, make_scorer_links, revoke_scorer_link
from league.rounds.steps import start
from tests import cast
from tests.games.pages import form, living, post, said, version

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """A tournament of two tables whose first round has begun."""
    made = cast.tournament()
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


def link_to(made, table=1, **more):
    [(link, secret)] = make_scorer_links(tournament=made, tables=[table], by=made.owner, **more)
    return link, f"/s/{secret}/"


def phone_with(*addresses):
    """A browser in which these links were used."""
    phone = Client()
    for address in addresses:
        assert phone.post(address).status_code == 303
    return phone


def test_looking_at_a_link_changes_nothing_however_often(made):
    link, address = link_to(made)
    before = LogEntry.objects.count()
    phone = Client()
    for ask in (phone.get, phone.head, phone.get):
        answer = ask(address, headers={"Sec-Purpose": "prefetch;prerender"})
        assert answer.status_code == 200
        assert "sessionid" not in answer.cookies
    assert "Table 1" in said(phone.get(address)) and "Score at this table" in said(phone.get(address))
    link.refresh_from_db()
    assert link.last_used_at is None and not Session.objects.exists() and LogEntry.objects.count() == before
    assert "Save hand" not in said(phone.get(cast.table(made, 1, 1).get_absolute_url()))


def test_the_page_of_a_link_is_kept_by_nobody_and_told_to_nobody(made):
    _link, address = link_to(made)
    for answer in (Client().get(address), Client().post(address), Client().get("/s/forged/")):
        assert answer["Referrer-Policy"] == "strict-origin"  # which never has a path
        assert "no-store" in answer["Cache-Control"] and "noindex" in answer["X-Robots-Tag"]
    # Only the switch of languages has it, which leads back to this very page.
    back = f'<input type="hidden" name="next" value="{address}">'
    assert address not in Client().get(address).content.decode().replace(back, "")


def test_the_button_exchanges_a_link_for_a_cookie_and_goes_to_the_table(made, settings):
    link, address = link_to(made, 2)
    settings.SESSION_COOKIE_SECURE = True  # as under https
    phone = Client()
    answer = phone.post(address)
    table = cast.table(made, 1, 2)
    assert (answer.status_code, answer["Location"]) == (303, table.get_absolute_url())
    cookie = answer.cookies["sessionid"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["secure"]
    assert address.split("/")[2] not in str(answer.cookies)
    link.refresh_from_db()
    assert link.last_used_at


def test_the_cookie_lasts_as_long_as_the_link(made):
    _link, address = link_to(made, days=30)
    cookie = Client().post(address).cookies["sessionid"]
    assert 29 * 86400 < cookie["max-age"] <= 30 * 86400


def test_a_post_from_another_site_is_refused(made):
    _link, address = link_to(made)
    assert Client(enforce_csrf_checks=True).post(address).status_code == 403


def test_the_session_that_was_there_before_does_not_score(made):
    """Who planted a session in somebody's browser must not share what they exchange in it."""
    _link, address = link_to(made)
    planted = Client()
    planted.session.save()
    planted.session["x"] = 1
    session = planted.session
    session.save()
    planted.cookies["sessionid"] = session.session_key
    victim = Client()
    victim.cookies["sessionid"] = session.session_key
    victim.post(address)
    url = cast.table(made, 1, 1).get_absolute_url()
    assert "Save hand" in said(victim.get(url)) and "Save hand" not in said(planted.get(url))


def test_a_scorer_by_link_records_undoes_and_goes_on_to_the_next_hand(made):
    link, address = link_to(made)
    table = cast.table(made, 1, 1)
    phone = phone_with(address)
    page = phone.get(table.get_absolute_url())
    assert page.status_code == 200 and "hand 1 of 4" in said(page)
    for offered in ("Open the tournament", "Correct", "Confirm", "Other tables", "Sign in"):
        assert offered not in said(page).replace("Correct it", ""), offered  # that one is for hands that wait
    saved = post(phone, table, form(phone, table), follow=True)
    assert "Hand 1 saved" in said(saved) and "hand 2 of 4" in said(saved)
    hand = Hand.objects.get()
    assert (hand.source, hand.recorded_by, hand.scorer_link) == (HandScore.Source.SCORER, None, link)
    assert "Scorer link, table 1" in said(saved)
    undone = phone.post(f"/hands/{hand.pk}/void/", {"version": version(table)}, follow=True)
    assert "undone" in said(undone) and living(table) == []
    assert post(phone, table, form(phone, table)).status_code == 303


def test_a_phone_with_two_links_takes_back_what_either_entered(made):
    _link, address = link_to(made)
    table = cast.table(made, 1, 1)
    phone = phone_with(address)
    post(phone, table, form(phone, table))
    phone.post(link_to(made)[1])
    assert "Undo" in said(phone.get(table.get_absolute_url()))
    phone.post(f"/hands/{living(table)[0].pk}/void/", {"version": version(table)})
    assert living(table) == []


def test_the_log_names_the_link_that_did_it(made, olga):
    _link, address = link_to(made, label="Zoë’s phone")
    table = cast.table(made, 1, 1)
    phone = phone_with(address)
    post(phone, table, form(phone, table))
    phone.post(f"/hands/{living(table)[0].pk}/void/", {"version": version(table)})
    assert [row.who for row in made.log.all()[:3]] == ["Scorer link, table 1 (Zoë’s phone)"] * 2 + ["Olga"]
    assert made.log.first().by is None
    page = said(olga.get(f"/t/{made.slug}/log/"))
    assert "Scorer link, table 1 (Zoë’s phone)" in page
    assert "Scorer link created: table 1 (Zoë’s phone)" in page
    found = olga.get(f"/t/{made.slug}/log.csv?q=scorer+link").content.decode()
    assert found.count("Scorer link, table 1 (Zoë’s phone)") == 2


def test_whose_link_it_was_is_part_of_the_chain(made, capsys):
    _link, address = link_to(made)
    other, _address = link_to(made, 2)
    table = cast.table(made, 1, 1)
    phone = phone_with(address)
    post(phone, table, form(phone, table))
    call_command("audit", "verify")
    row = made.log.first()
    LogEntry.objects.filter(pk=row.pk).update(scorer_link=other)
    with pytest.raises(SystemExit):
        call_command("audit", "verify")
    assert f"entry {row.number} was changed" in capsys.readouterr().out


def test_a_link_that_is_revoked_ends_with_the_next_request(made, olga):
    link, address = link_to(made)
    table = cast.table(made, 1, 1)
    phone = phone_with(address)
    data = form(phone, table)
    assert olga.post(f"/t/{made.slug}/scorers/{link.pk}/revoke/").status_code == 302
    answer = post(phone, table, data)
    assert answer.status_code == 410 and "Ask for a new one" in said(answer)
    page = phone.get(table.get_absolute_url())
    assert "This link no longer works" in said(page) and "Save hand" not in said(page)
    assert phone.get(f"/t/{made.slug}/scoring/").status_code == 410
    assert phone.post(f"/tables/{table.pk}/preview/", data).status_code == 410
    assert phone.get(address).status_code == phone.post(address).status_code == 410
    assert not Hand.objects.exists()
    last = made.log.first()
    assert (last.action, last.old) == ("revoke-scorer-link", {"scorer_table": 1})
    olga.post(f"/t/{made.slug}/scorers/{link.pk}/revoke/")
    assert made.log.filter(action="revoke-scorer-link").count() == 1


def test_a_link_revoked_while_a_hand_is_being_saved_saves_nothing(made):
    link, _address = link_to(made)
    use_link(link)
    ScorerLink.objects.filter(pk=link.pk).update(revoked_at=timezone.now())
    with pytest.raises(Conflict, match="Ask for a new one"):
        use_link(link)


def test_a_link_ends_by_itself(made):
    link, address = link_to(made)
    phone = phone_with(address)
    table = cast.table(made, 1, 1)
    assert phone.get(table.get_absolute_url()).status_code == 200
    ScorerLink.objects.filter(pk=link.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    page = phone.get(table.get_absolute_url())
    assert "It has expired" in said(page) and "Save hand" not in said(page)
    for answer in (Client().get(address), Client().post(address)):
        assert answer.status_code == 410 and "It has expired" in said(answer)


def test_the_default_end_is_the_day_after_the_tournament_in_its_own_zone(made):
    made.time_zone, made.starts_on = "America/New_York", date(2026, 11, 24)
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert last_moment(made, now) == datetime(2026, 11, 25, 23, 59, 59, tzinfo=ZoneInfo("America/New_York"))
    late = datetime(2026, 11, 30, 3, tzinfo=UTC)  # the 29th in New York; the evening was moved
    assert last_moment(made, late) == datetime(2026, 11, 30, 23, 59, 59, tzinfo=ZoneInfo("America/New_York"))
    assert last_moment(made, datetime(2026, 6, 1, tzinfo=UTC)) == datetime(2026, 7, 1, tzinfo=UTC)


def test_at_the_wrong_table_the_page_says_so_and_leads_to_the_right_one(made):
    _link, address = link_to(made, 2)
    phone = phone_with(address)
    mine, other = cast.table(made, 1, 2), cast.table(made, 1, 1)
    before = LogEntry.objects.count()
    pages = phone.get(other.get_absolute_url()), post(phone, other, form(phone, mine) | {"went_out": "0"})
    assert [answer.status_code for answer in pages] == [200, 403]
    for answer in pages:
        assert "This is table 1" in said(answer) and f'href="{mine.get_absolute_url()}"' in answer.content.decode()
    theirs = cast.record(other, 1).hand
    assert phone.post(f"/hands/{theirs.pk}/void/", {"version": version(other)}).status_code == 403
    assert living(other) == [theirs] and LogEntry.objects.count() == before + 1


def test_a_link_opens_no_draft_and_no_table_of_another_tournament(made):
    elsewhere = cast.tournament(owner=cast.someone_else(), name="Other Pairs")
    start(tournament=elsewhere, by=elsewhere.owner)
    _link, address = link_to(made, None)
    phone = phone_with(address)
    assert phone.get(cast.table(made, 2, 1).get_absolute_url()).status_code == 404
    page = phone.get(cast.table(elsewhere, 1, 1).get_absolute_url())
    assert page.status_code == 200 and "Save hand" not in said(page)
    assert phone.get(f"/t/{elsewhere.slug}/scoring/").status_code == 404


def test_in_a_private_tournament_a_link_opens_its_table_and_nothing_else():
    made = cast.tournament(visibility="private")
    start(tournament=made, by=made.owner)
    _link, address = link_to(made)
    phone = phone_with(address)
    assert phone.get(cast.table(made, 1, 1).get_absolute_url()).status_code == 200
    for page in ("", "standings/", "seating/", "hands.csv", "log/", "scorers/"):
        assert phone.get(f"/t/{made.slug}/{page}").status_code == 404, page
    assert phone.get(f"/api/v1/tables/{cast.table(made, 1, 1).pk}/").status_code == 404


def test_a_scorer_by_link_confirms_and_corrects_nothing(made):
    _link, address = link_to(made)
    table = cast.table(made, 1, 1)
    phone = phone_with(address)
    for _hand in range(4):
        post(phone, table, form(phone, table))
    table.refresh_from_db()
    assert table.state == Table.State.REPORTED
    hand = living(table)[0]
    for url in (f"/hands/{hand.pk}/correct/", f"/tables/{table.pk}/confirm/"):
        assert phone.post(url, {"version": version(table), "reason": "x"}).status_code == 404, url
    page = said(phone.get(table.get_absolute_url()))
    assert "All hands recorded" in page and "until the table is confirmed" in page
    confirm_table(table_id=table.pk, version=version(table), by=made.owner)
    answer = phone.post(f"/hands/{living(table)[3].pk}/void/", {"version": version(table)})
    assert answer.status_code == 409 and "This table is confirmed" in said(answer)
    assert len(living(table)) == 4


def test_a_scorer_takes_back_only_what_was_entered_with_the_same_link(made):
    _link, address = link_to(made)
    _other, others_address = link_to(made)
    table = cast.table(made, 1, 1)
    cast.record(table, 1)
    mine, theirs = phone_with(address), phone_with(others_address)
    post(theirs, table, form(theirs, table))
    by_olga, by_link = living(table)
    for hand in (by_olga, by_link):
        answer = mine.post(f"/hands/{hand.pk}/void/", {"version": version(table)})
        assert answer.status_code == 409 and "Someone else entered this hand" in said(answer)
    assert "Undo hand" not in mine.get(table.get_absolute_url()).content.decode()
    assert "Undo hand 2" in theirs.get(table.get_absolute_url()).content.decode()


def test_two_phones_that_say_different_things_see_both_and_no_button_that_is_not_theirs(made):
    _link, address = link_to(made)
    table = cast.table(made, 1, 1)
    one, two = phone_with(address), phone_with(address)
    first, second = form(one, table), form(two, table, went_out="1", cards_0="R7", cards_2="W")
    assert post(one, table, first).status_code == 303
    answer = post(two, table, second)
    assert answer.status_code == 409
    assert "show this page to the organiser" in said(answer) and "Keep mine" not in said(answer)
    assert len(living(table)) == 1


def test_the_same_form_sent_twice_is_one_hand(made):
    _link, address = link_to(made)
    table = cast.table(made, 1, 1)
    phone = phone_with(address)
    data = form(phone, table)
    assert [post(phone, table, data).status_code for _try in range(3)] == [303] * 3
    assert Hand.objects.count() == 1


def test_one_link_for_all_tables_lets_choose_the_table(made):
    _link, address = link_to(made, None)
    phone = Client()
    answer = phone.post(address, follow=True)
    page = said(answer)
    assert answer.redirect_chain[-1][0] == f"/t/{made.slug}/scoring/"
    assert "Choose your table" in page and "Table 1:" in page and "Table 2:" in page and "0 of 4 hands recorded" in page
    for number in (1, 2):
        assert phone.get(cast.table(made, 1, number).get_absolute_url()).status_code == 200


def test_between_rounds_the_scorers_page_says_to_look_again(made):
    ready = cast.tournament(name="Not begun")
    [(_link, secret)] = make_scorer_links(tournament=ready, tables=[2], by=ready.owner)
    phone = Client()
    page = said(phone.post(f"/s/{secret}/", follow=True))
    assert "No round is open now" in page and "Refresh" in page
    start(tournament=ready, by=ready.owner)
    assert "Table 2:" in said(phone.get(f"/t/{ready.slug}/scoring/"))


def test_one_browser_holds_links_of_several_tables(made):
    _one, first = link_to(made, 1)
    _two, second = link_to(made, 2)
    phone = phone_with(first, second)
    assert [phone.get(cast.table(made, 1, number).get_absolute_url()).status_code for number in (1, 2)] == [200, 200]


def test_who_has_an_account_with_the_right_acts_by_it(made, olga):
    _link, address = link_to(made)
    table = cast.table(made, 1, 1)
    olga.post(address)
    post(olga, table, form(olga, table))
    assert (Hand.objects.get().recorded_by, Hand.objects.get().scorer_link) == (made.owner, None)


@pytest.mark.usefixtures("one_minute")
def test_forged_links_are_told_what_to_do_and_after_ten_a_minute_to_wait(made):
    _link, address = link_to(made)
    guesser = Client()
    answers = [guesser.get(f"/s/forged-{number}/") for number in range(11)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429]
    assert "Scan your table’s code again" in said(answers[0])
    assert 1 <= int(answers[10]["Retry-After"]) <= 60
    assert guesser.post("/s/forged/").status_code == 429
    assert guesser.post(address).status_code == 303  # a good one from the same café goes on working


def test_nothing_is_kept_that_opens_also_not_in_a_backup(made, tmp_path, settings):
    [(link, token)] = make_scorer_links(tournament=made, tables=[1], by=made.owner)
    phone_with(f"/s/{token}/")
    key, _dash, mac = token.partition("-")
    assert (key, len(base64.urlsafe_b64decode(f"{mac}=="))) == (str(link.pk), 16)
    for kept in (ScorerLink, LogEntry, Session):
        assert mac not in str(list(kept.objects.values_list())), kept
    assert all(mac not in str(session.get_decoded()) for session in Session.objects.all())
    for table in exports.EXPORTS:
        assert mac not in str(list(exports.EXPORTS[table].rows(made, exports.Wanted(everything=True))))
    archive.back_up(tmp_path / "wild.zip")
    with zipfile.ZipFile(tmp_path / "wild.zip") as file:
        text = "".join(file.read(name).decode() for name in file.namelist())
    assert '"league.scorerlink"' in text and mac not in text
    settings.SECRET_KEY = "of whoever found the backup"  # without the key, nothing in it makes a link
    assert scorer_token(link) != token
    assert Client().post(f"/s/{token}/").status_code == 404


def from_before(made, secret, **more):
    """A link as it was made before links were signed: by the hash of a random secret."""
    more |= {"created_by": made.owner, "expires_at": timezone.now() + timedelta(days=1)}
    return ScorerLink.objects.create(tournament=made, table=1, digest=digest_of(secret), **more)


@pytest.mark.parametrize("secret", ["x" * 32, "12-secret-with-a-key-before-a-dash"])
def test_a_link_from_before_they_were_signed_goes_on_until_it_ends(made, olga, secret):
    link, table = from_before(made, secret), cast.table(made, 1, 1)
    phone = phone_with(f"/s/{secret}/")
    other = Client()
    session = other.session
    session["scorer_links"] = [link.pk]  # of a browser that exchanged it before
    session.save()
    other.cookies["sessionid"] = session.session_key
    for browser in (phone, other):
        assert "Save hand" in said(browser.get(table.get_absolute_url()))
    [(_host, path)] = codes_on(olga.get(f"/t/{made.slug}/scorers/?show={link.pk}"))
    signed = phone_with(path)
    revoke_scorer_link(link=link, by=made.owner)
    for browser in (phone, other, signed):
        assert "This link no longer works" in said(browser.get(table.get_absolute_url()))
    for address in (f"/s/{secret}/", path):
        assert Client().post(address).status_code == 410


def test_a_token_of_one_link_opens_no_other(made):
    link, address = link_to(made)
    other, _address = link_to(made, 2)
    mac = address.split("/")[2].partition("-")[2]
    for forged in (f"{other.pk}-{mac}", f"0{link.pk}-{mac}", f"{'9' * 30}-{mac}", f"{link.pk}-{mac[:-1]}", f"x-{mac}"):
        assert Client().post(f"/s/{forged}/").status_code == 404, forged


def test_ending_a_link_counts_its_generation_up_and_what_was_given_out_before_opens_nothing(made):
    link, address = link_to(made)
    phone, table = phone_with(address), cast.table(made, 1, 1)
    revoke_scorer_link(link=link, by=made.owner)
    ScorerLink.objects.filter(pk=link.pk).update(revoked_at=None)  # by whatever mistake
    link.refresh_from_db()
    assert link.generation == 2 and scorer_token(link) not in address
    assert "This link no longer works" in said(phone.get(table.get_absolute_url()))
    assert Client().post(address).status_code == 410
    link.generation = 1
    with pytest.raises(Conflict, match="Ask for a new one"):
        use_link(link)


def codes_on(answer):
    return re.findall(r'value="http://([^/"]+)(/s/[^"]+/)"', answer.content.decode())


def test_a_sheet_has_a_code_for_each_table_and_shows_it_again(made, olga):
    answer = olga.post(f"/t/{made.slug}/scorers/", {"table": "each"}, headers={"Host": "localhost"})
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    codes = codes_on(answer)
    assert [host for host, _path in codes] == ["localhost"] * 2 and "Phones can’t open" in said(answer)
    page = answer.content.decode()
    assert all(qr.drawing(f"http://{host}{path}") in page for host, path in codes) and "style=" not in page
    phone = Client()
    assert phone.post(codes[1][1])["Location"] == cast.table(made, 1, 2).get_absolute_url()
    again = olga.get(f"/t/{made.slug}/scorers/")
    assert codes_on(again) == [] and "Last used" in said(again) and "Not used yet" in said(again)
    first, second = ScorerLink.objects.order_by("pk")
    for asked, shown in {"all": codes, f"{first.pk}": codes[:1], f"{second.pk}": codes[1:], "": [], "x": []}.items():
        answer = olga.get(f"/t/{made.slug}/scorers/?show={asked}", headers={"Host": "localhost"})
        assert codes_on(answer) == shown, asked
    assert f'href="?show={first.pk}"' in again.content.decode()
    revoke_scorer_link(link=first, by=made.owner)
    assert codes_on(olga.get(f"/t/{made.slug}/scorers/?show={first.pk}")) == []
    elsewhere = cast.tournament(name="Other Pairs", owner=made.owner)
    assert codes_on(olga.get(f"/t/{elsewhere.slug}/scorers/?show={second.pk}")) == []


def test_a_link_for_one_table_or_all_is_made_with_a_word_to_tell_it_by(made, olga):
    assert len(codes_on(olga.post(f"/t/{made.slug}/scorers/", {"table": "2", "label": " Émilie ", "days": "7"}))) == 1
    assert len(codes_on(olga.post(f"/t/{made.slug}/scorers/", {"table": "all"}))) == 1
    everywhere, second = ScorerLink.objects.order_by("-pk")
    assert (everywhere.table, second.table, second.label) == (None, 2, "Émilie")
    assert second.expires_at - second.created_at == timedelta(days=7)
    ended = olga.post(f"/t/{made.slug}/scorers/{second.pk}/revoke/", follow=True)
    assert "Turned off: Scorer link, table 2 (Émilie)." in said(ended)
    assert '<option value="2" selected>' in ended.content.decode()


@pytest.mark.parametrize("typed", [{}, {"table": "9"}, {"table": "1", "days": "31"}, {"table": "1", "label": "x" * 41}])
def test_a_form_that_asks_for_what_is_not_there_makes_nothing(made, olga, typed):
    assert olga.post(f"/t/{made.slug}/scorers/", typed).status_code == 422
    assert not ScorerLink.objects.exists()


def test_there_is_an_end_to_links(made):
    with pytest.raises(Refused, match="1 to 30 days"):
        make_scorer_links(tournament=made, tables=[1], by=made.owner, days=31)
    with pytest.raises(Refused, match="Choose a table"):
        make_scorer_links(tournament=made, tables=[3], by=made.owner)
    make_scorer_links(tournament=made, tables=[1, 2] * (MOST_OPEN // 2), by=made.owner)
    with pytest.raises(Refused, match="Turn some off first"):
        make_scorer_links(tournament=made, tables=[1], by=made.owner)


def test_the_links_of_an_organiser_end_with_the_role(made):
    sven = cast.someone_else()
    role = Role.objects.create(tournament=made, user=sven, kind=Role.Kind.ORGANISER)
    [(theirs, _secret)] = make_scorer_links(tournament=made, tables=[1], by=sven)
    ours, _address = link_to(made)
    take_back_role(role=role, by=made.owner)
    theirs.refresh_from_db(), ours.refresh_from_db()
    assert theirs.revoked_at and not ours.revoked_at


def test_an_erased_person_is_gone_from_the_words_on_links_too(made):
    link, address = link_to(made, label="Farah’s phone")
    table = cast.table(made, 1, 1)
    phone = phone_with(address)
    post(phone, table, form(phone, table))
    erase_player(player=cast.entry(made, "Farah").player, by=made.owner)
    link.refresh_from_db()
    assert "Farah" not in link.label
    assert "Farah" not in json.dumps([[row.who, row.old, row.new] for row in made.log.all()])


def test_demo_data_go_with_their_links_and_what_was_entered_with_them(made):
    _link, address = link_to(made)
    table = cast.table(made, 1, 1)
    phone = phone_with(address)
    post(phone, table, form(phone, table))
    made.is_demo = True
    made.save()
    assert remove_demo() == 1
    assert not ScorerLink.objects.exists() and not Hand.objects.exists()


def test_a_link_is_not_shown_to_who_may_not_invite(made):
    director = cast.organiser("dora@example.org", "Dora")
    Role.objects.create(tournament=made, user=director, kind=Role.Kind.DIRECTOR)
    browser = Client()
    browser.force_login(director)
    assert browser.get(f"/t/{made.slug}/scorers/").status_code == 404
    assert browser.get(f"/t/{made.slug}/scoring/").status_code == 200


def test_ending_a_link_twice_is_ending_it_once(made):
    link, _address = link_to(made)
    for _try in range(2):
        revoke_scorer_link(link=link, by=made.owner)
    assert made.log.filter(action="revoke-scorer-link").count() == 1


def test_a_scorer_finds_the_seating_where_everybody_may_see_it(made):
    link = make_scorer_links(tournament=made, tables=[None], by=made.owner)[0][1]
    scorer, seating = Client(), f'href="/t/{made.slug}/seating/"'
    scorer.post(f"/s/{link}/")
    pages = (f"/t/{made.slug}/scoring/", f"/tables/{cast.table(made, 1, 1).pk}/")
    assert all(seating in scorer.get(page).content.decode() for page in pages)
    made.visibility = "private"
    made.save()
    assert not any(seating in scorer.get(page).content.decode() for page in pages)
