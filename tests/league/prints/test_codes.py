"""The page with all codes: what it has for whom, what it makes, and what it notes of players' links."""

import pytest
from django.test import Client

from league.access.signed_links import player_token, scorer_token, screen_token
from league.models import Role, ScorerLink, SignUpPage, Tournament
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
    assert "2 tables have their codes." in page(olga, made, do="tables")
    assert "One code opens all tables." in page(olga, made, do="all")
    assert ScorerLink.objects.count() == 3
    page(olga, made, do="tables")
    assert ScorerLink.objects.count() == 3
    shown = page(olga, made)
    assert all(f"/s/{scorer_token(link)}/" in shown for link in living_links(made))
    assert "Make a code for each table" not in shown and "Make one for all tables" not in shown
    titles = ["All tables", "Table 1", "Table 2", "For everybody", "Hall screen"]
    assert [title for title in titles if f"<h3>{title}</h3>" in shown] == titles


def test_a_link_with_a_label_is_for_one_phone_and_is_not_shown(made: Tournament, olga: Client) -> None:
    [(link, token)] = make_scorer_links(tournament=made, tables=[1], by=made.owner, label="Ana’s phone")
    assert token not in page(olga, made)
    assert link in living_links(made)


def test_players_links_are_a_list_for_a_chat_and_the_log_says_that_they_were_shown(
    made: Tournament, olga: Client
) -> None:
    zoe = cast.entry(made, "Zoë")
    assert player_token(zoe) not in page(olga, made)
    shown = page(olga, made, do="players")
    assert f"Zoë: http://testserver/me/{player_token(zoe)}/" in shown
    [row] = made.log.filter(action="list-player-links")
    assert {link["player_id"] for link in row.new} == {entry.public_id for entry in made.entries.all()}


def test_sign_up_has_its_code_while_it_can_be_signed_up(made: Tournament, olga: Client) -> None:
    assert "<h3>Sign-up</h3>" not in page(olga, made)
    SignUpPage.objects.create(tournament=made, capacity=8)
    assert f"/t/{made.slug}/sign-up/" in page(olga, made)


def test_a_private_tournament_has_no_code_for_everybody(made: Tournament, olga: Client) -> None:
    Tournament.objects.update(visibility=Tournament.Visibility.PRIVATE)
    assert "<h3>For everybody</h3>" not in page(olga, made)


def test_whoever_only_prints_gets_what_is_public(made: Tournament) -> None:
    make_scorer_links(tournament=made, tables=[1], by=made.owner)
    for kind, sees_screen in ((Role.Kind.SCORER, False), (Role.Kind.DIRECTOR, True)):
        helper = signed_in(cast.organiser(f"{kind}@example.org", str(kind)))
        Role.objects.create(tournament=made, user_id=helper.session["_auth_user_id"], kind=kind)
        shown = page(helper, made)
        assert "For everybody" in shown and "Table 1" not in shown and "own links" not in shown
        assert (screen_token(made) in shown) == sees_screen
        for do in ("tables", "all", "players"):
            assert helper.post(f"/t/{made.slug}/codes/", {"do": do}).status_code == 404


def test_what_cannot_be_made_is_said(made: Tournament, olga: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.roles.scorer_links.MOST_OPEN", 1)
    assert "There would be more than 1 links." in page(olga, made, do="tables")
    assert not ScorerLink.objects.exists()
