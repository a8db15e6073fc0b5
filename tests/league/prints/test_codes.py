"""The page with all codes: what it has for whom, what it makes, and what it notes of players' links."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from league.access.signed_links import player_token, scorer_token, screen_token
from league.by_link.links_to_send import links_to_send
from league.erasure.erase import erase_player
from league.ledger.same_names import tell_apart
from league.models import Entry, Letter, Player, Role, ScorerLink, SentMail, SignUpPage, Tournament
from league.roles.scorer_links import living_links, make_scorer_links
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Tournament:
    return cast.tournament()


@pytest.fixture
def olga(made: Tournament) -> Client:
    return signed_in(made.owner)


def signed_in(user: object) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, made: Tournament, **post: str) -> str:
    at = f"/t/{made.slug}/codes/"
    return (client.post(at, post, follow=True) if post else client.get(at)).content.decode()


def test_codes_of_tables_are_made_once_and_shown_again(made: Tournament, olga: Client) -> None:
    assert "Put a code on each table" in page(olga, made)
    assert "2 tables have codes." in page(olga, made, do="tables")
    assert "One code opens all tables." in page(olga, made, do="all")
    assert ScorerLink.objects.count() == 3
    page(olga, made, do="tables")
    assert ScorerLink.objects.count() == 3
    shown = page(olga, made)
    assert all(f"/s/{scorer_token(link)}/" in shown for link in living_links(made))
    assert "Create a code for each table" not in shown and "Create one code for all tables" not in shown
    titles = ["All tables", "Table 1", "Table 2", "Tournament page", "Hall screen"]
    assert [title for title in titles if f"<h3>{title}</h3>" in shown] == titles


def test_a_link_with_a_label_is_for_one_phone_and_is_not_shown(made: Tournament, olga: Client) -> None:
    [(link, token)] = make_scorer_links(tournament=made, tables=[1], by=made.owner, label="Ana’s phone")
    assert token not in page(olga, made)
    assert link in living_links(made)


def test_each_player_has_a_message_with_their_own_link_and_the_log_says_that_they_were_shown(
    made: Tournament, olga: Client
) -> None:
    zoe = cast.entry(made, "Zoë")
    assert player_token(zoe) not in page(olga, made)
    shown = page(olga, made, do="players")
    copied = [unescape(text) for text in re.findall(r'data-copy="([^"]*/me/[^"]*)"', shown)]
    assert len(copied) == 8 and all(text.count("/me/") == 1 for text in copied)
    [text] = [text for text in copied if f"http://testserver/me/{player_token(zoe)}/" in text]
    assert (
        text.startswith("Autumn Pairs, ")
        and "24 November 2026" in text
        and "Only for Zoë: your seat, hands and rank." in text
    )
    [row] = made.log.filter(action="list-player-links")
    assert {link["player_id"] for link in row.new} == {entry.public_id for entry in made.entries.all()}


def test_the_file_of_links_is_for_organisers_and_noted_like_the_list(made: Tournament, olga: Client) -> None:
    at = f"/t/{made.slug}/codes/links.csv"
    answer = olga.get(at)
    head, first, *others = answer.content.decode().splitlines()
    ana = cast.entry(made, "Ana Lucía")
    assert head == "name,email,link" and len(others) == 7
    assert first == f"Ana Lucía,ana@example.org,http://testserver/me/{player_token(ana)}/"
    assert "no-store" in answer["Cache-Control"]
    assert made.log.filter(action="list-player-links").count() == 1
    assert Client().get(at).status_code == 404


def test_the_address_of_a_member_is_for_those_who_keep_the_members(olga: Client) -> None:
    club = cast.club(members=8)
    made = cast.tournament(club=club)
    assert "ana@example.org" in olga_of(club.owner, made)
    sven = cast.someone_else()
    Role.objects.create(tournament=made, user=sven, kind=Role.Kind.ORGANISER)
    text = olga_of(sven, made)
    assert "ana@example.org" not in text and "Ana Lucía,," in text


def olga_of(user: object, made: Tournament) -> str:
    return signed_in(user).get(f"/t/{made.slug}/codes/links.csv").content.decode()


def test_stand_ins_bots_and_erased_people_have_no_message_and_two_of_one_name_are_told_apart(
    made: Tournament, olga: Client
) -> None:
    Entry.objects.filter(pk=cast.entry(made, "Chidi").pk).update(status=Entry.Status.STANDIN)
    Entry.objects.filter(pk=cast.entry(made, "Farah").pk).update(bot="careful")
    erased = erase_player(player=cast.entry(made, "Benoît").player, by=made.owner)
    Player.objects.filter(pk=cast.entry(made, "Émilie").player_id).update(name="Zoë", club_name="SV Lokstedt")
    tell_apart(made)
    links = links_to_send(made.owner, made, lambda entry: entry.public_id)
    names = [person.name for person in links.people]
    assert len(names) == len(set(names)) == 5 and not {"Chidi", "Farah", erased.name} & set(names)


def test_of_a_cancelled_event_nothing_is_sent(made: Tournament, olga: Client, settings: Any) -> None:
    Tournament.objects.filter(pk=made.pk).update(is_called_off=True)
    shown = page(olga, made, do="players")
    assert "This tournament is cancelled." in shown and "/me/" not in shown
    assert "This tournament is cancelled" in page(olga, made, do="mail")
    assert not Letter.objects.exists()


def test_a_team_has_one_message_with_the_link_of_the_team(olga: Client) -> None:
    made = cast.teams()
    links = links_to_send(made.owner, made, lambda entry: entry.public_id)
    assert [person.name for person in links.people] == [*cast.TEAMS]


def test_links_are_mailed_to_everyone_with_an_address_once_and_noted(
    made: Tournament, olga: Client, settings: Any
) -> None:
    assert "Send by e-mail" not in page(olga, made, do="players")
    settings.MAIL_GOES_OUT = True
    shown = page(olga, made, do="players")
    assert "E-mail 1 person" in shown
    assert "1 link sent." in page(olga, made, do="mail")
    [letter] = Letter.objects.all()
    assert (letter.kind, letter.entry) == ("own-link", cast.entry(made, "Ana Lucía"))
    assert made.log.filter(action="mail-player-link").count() == 1


def test_an_account_that_sent_its_mails_of_the_day_sends_none(made: Tournament, olga: Client, settings: Any) -> None:
    settings.MAIL_GOES_OUT = True
    SentMail.objects.bulk_create(SentMail(sender=made.owner) for _mail in range(200))
    assert "You can send at most 200 e-mails a day." in page(olga, made, do="mail")
    assert not Letter.objects.exists()


def test_one_link_is_mailed_from_the_list_and_leads_back_to_it(made: Tournament, olga: Client, settings: Any) -> None:
    settings.MAIL_GOES_OUT = True
    ana = cast.entry(made, "Ana Lucía")
    answer = olga.post(f"/t/{made.slug}/players/{ana.public_id}/link/mail/", {"back": "codes"})
    assert answer["Location"] == f"/t/{made.slug}/codes/" and Letter.objects.count() == 1


def test_a_director_neither_sees_nor_mails_links(made: Tournament) -> None:
    sven = cast.someone_else()
    Role.objects.create(tournament=made, user=sven, kind=Role.Kind.DIRECTOR)
    for do in ("players", "mail", "nonsense"):
        assert signed_in(sven).post(f"/t/{made.slug}/codes/", {"do": do}).status_code == 404


def test_sign_up_has_its_code_while_it_can_be_signed_up(made: Tournament, olga: Client) -> None:
    assert "<h3>Sign-up</h3>" not in page(olga, made)
    SignUpPage.objects.create(tournament=made, capacity=8)
    assert f"/t/{made.slug}/sign-up/" in page(olga, made)


def test_a_private_tournament_has_no_code_for_everybody(made: Tournament, olga: Client) -> None:
    Tournament.objects.update(visibility=Tournament.Visibility.PRIVATE)
    assert "<h3>Tournament page</h3>" not in page(olga, made)


def test_whoever_only_prints_gets_what_is_public(made: Tournament) -> None:
    make_scorer_links(tournament=made, tables=[1], by=made.owner)
    for kind, sees_screen in ((Role.Kind.SCORER, False), (Role.Kind.DIRECTOR, True)):
        helper = signed_in(cast.organiser(f"{kind}@example.org", str(kind)))
        Role.objects.create(tournament=made, user_id=helper.session["_auth_user_id"], kind=kind)
        shown = page(helper, made)
        assert "Tournament page" in shown and "Table 1" not in shown and "own links" not in shown
        assert (screen_token(made) in shown) == sees_screen
        for do in ("tables", "all", "players"):
            assert helper.post(f"/t/{made.slug}/codes/", {"do": do}).status_code == 404


def test_what_cannot_be_made_is_said(made: Tournament, olga: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.roles.scorer_links.MOST_OPEN", 1)
    assert "At most 1 links can be active." in page(olga, made, do="tables")
    assert not ScorerLink.objects.exists()
