"""Who gets in where: every address × method × role. A new address without a row here fails."""

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.models import Hand
from league.models import Adjustment, Tournament
from league.services import adjust
from tests import cast

pytestmark = pytest.mark.django_db

# What each role gets: (organiser, somebody else's account, nobody signed in). A redirect to the sign-in page is 302.
EVERYBODY = (200, 200, 200)
OWN = (200, 404, 404)
SIGNED_IN = (200, 200, 302)
POST_ONLY = (405, 405, 405)
POSTED_OWN = (302, 404, 404)
GET_ONLY = (405, 405, 405)

# name: (GET, POST with an empty or a usual body) on a public tournament of the organiser, in its second round.
ROWS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "healthz": (EVERYBODY, EVERYBODY),
    "readyz": (EVERYBODY, EVERYBODY),
    "login": (EVERYBODY, EVERYBODY),
    "logout": (POST_ONLY, (302, 302, 302)),
    "password_change": (SIGNED_IN, SIGNED_IN),
    "password_change_done": (SIGNED_IN, (405, 405, 302)),
    "home": (EVERYBODY, GET_ONLY),
    "credits": (EVERYBODY, GET_ONLY),
    "remove_demo": ((404, 404, 302), (404, 404, 302)),
    "new": (SIGNED_IN, (422, 422, 302)),
    "new_evening": ((405, 405, 302), SIGNED_IN),
    "tournament": (EVERYBODY, GET_ONLY),
    "seating": (EVERYBODY, GET_ONLY),
    "standings": (EVERYBODY, GET_ONLY),
    "bracket": (EVERYBODY, GET_ONLY),
    "hands": (EVERYBODY, GET_ONLY),
    "fairness": (EVERYBODY, GET_ONLY),
    "scorecard": (EVERYBODY, GET_ONLY),
    "scorecard_csv": (EVERYBODY, GET_ONLY),
    "adjustments": (EVERYBODY, (422, 404, 404)),
    "players": (EVERYBODY, (422, 404, 404)),
    "standings_csv": (EVERYBODY, GET_ONLY),
    "seating_csv": (EVERYBODY, GET_ONLY),
    "rounds_csv": (EVERYBODY, GET_ONLY),
    "hands_csv": (EVERYBODY, GET_ONLY),
    "adjustments_csv": (EVERYBODY, GET_ONLY),
    "players_csv": (EVERYBODY, GET_ONLY),
    "fairness_csv": (EVERYBODY, GET_ONLY),
    "log_csv": (OWN, GET_ONLY),
    "rounds": (OWN, GET_ONLY),
    "log": (OWN, GET_ONLY),
    "settings": (OWN, (404, 404, 404)),
    "advance": (POST_ONLY, POSTED_OWN),
    "undo_draw": (POST_ONLY, (409, 404, 404)),
    "reopen": (POST_ONLY, POSTED_OWN),
    "again": (POST_ONLY, POSTED_OWN),
    "order": (POST_ONLY, POSTED_OWN),
    "edit_player": (OWN, (422, 404, 404)),
    "remove_player": (POST_ONLY, POSTED_OWN),
    "move_player": (POST_ONLY, POSTED_OWN),
    "void_adjustment": (POST_ONLY, POSTED_OWN),
    "table": (OWN, (422, 404, 404)),
    "table_preview": (POST_ONLY, OWN),
    "confirm_table": (POST_ONLY, (409, 404, 404)),
    "correct_hand": (OWN, (422, 404, 404)),
    "void_hand": (POST_ONLY, (409, 404, 404)),
}


def addresses() -> dict[str, str]:
    """{name: pattern} of the whole URLconf."""
    found: dict[str, str] = {}

    def walk(patterns: list[URLPattern | URLResolver], before: str) -> None:
        for one in patterns:
            if isinstance(one, URLResolver):
                walk(one.url_patterns, before + str(one.pattern))
            else:
                assert one.name, f"{before}{one.pattern} has no name"
                assert one.name not in found, f"{one.name} names two addresses"
                found[one.name] = before + str(one.pattern)

    walk(get_resolver().url_patterns, "/")
    return found


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert set(ROWS) == set(addresses())


@pytest.fixture
def running() -> Tournament:
    made = cast.play(cast.tournament(), rounds=1)
    adjust(
        tournament=made, entry=cast.entry(made, "Zoë"), points=-20, reason="A tip", round_number=1, by=cast.organiser()
    )
    return made


def filled(pattern: str, tournament: Tournament) -> str:
    values = {
        "<slug:slug>": tournament.slug,
        "<str:public_id>": cast.entry(tournament, "Farah").public_id,
        "<int:table_id>": str(cast.table(tournament, 2, 1).pk),
        "<int:hand_id>": str(Hand.objects.filter(table__round__tournament=tournament).earliest("pk").pk),
        "<int:adjustment_id>": str(Adjustment.objects.get(entry__tournament=tournament).pk),
    }
    for name, value in values.items():
        pattern = pattern.replace(name, value)
    assert "<" not in pattern, f"give {pattern} a value here"
    return pattern


def clients() -> list[Client]:
    owner, other, stranger = Client(), Client(), Client()
    owner.force_login(cast.organiser())
    other.force_login(cast.someone_else())
    return [owner, other, stranger]


@pytest.mark.parametrize("name", sorted(ROWS))
def test_get_and_post_answer_each_role_as_the_table_says(name: str, running: Tournament) -> None:
    url = filled(addresses()[name], running)
    # Strangers first: what the organiser posts may change the tournament.
    for method, expected in zip(("get", "post"), ROWS[name], strict=True):
        for client, status in reversed(list(zip(clients(), expected, strict=True))):
            assert getattr(client, method)(url).status_code == status, (method, url, status)


@pytest.mark.parametrize("name", sorted(name for name, pattern in addresses().items() if "<" in pattern))
def test_a_private_tournament_is_not_there_for_anybody_else(name: str) -> None:
    private = cast.play(cast.tournament(visibility="private"), rounds=1)
    adjust(
        tournament=private, entry=cast.entry(private, "Zoë"), points=5, reason="Late", round_number=1, by=private.owner
    )
    url = filled(addresses()[name], private)
    _owner, other, stranger = clients()
    for client in (other, stranger):
        for method in ("get", "post"):
            assert getattr(client, method)(url).status_code in (404, 405), (method, url)


def test_ids_of_one_tournament_do_not_open_another() -> None:
    mine, other = cast.tournament(), cast.tournament(owner=cast.someone_else(), name="Other Pairs")
    client = clients()[0]
    foreign = cast.entry(other, "Farah").public_id
    assert client.get(f"/t/{mine.slug}/players/{foreign}/").status_code == 404
    assert client.post(f"/t/{mine.slug}/players/{foreign}/edit/", {"name": "X"}).status_code == 404
    assert client.post(f"/t/{other.slug}/players/{foreign}/remove/").status_code == 404
    assert other.entries.count() == 8


def test_drafts_are_for_the_organiser_alone() -> None:
    drawn = cast.tournament()
    owner, _other, stranger = clients()
    owner.post(f"/t/{drawn.slug}/advance/", {"step": "draw"})
    assert drawn.rounds.count() == 7
    for page in ("seating/", "bracket/", "fairness/", "seating.csv", "rounds.csv", ""):
        seen = stranger.get(f"/t/{drawn.slug}/{page}").content.decode()
        assert "Round 1</" not in seen and ",Farah" not in seen, page
    table = cast.table(drawn, 1, 1)
    assert owner.get(f"/tables/{table.pk}/").status_code == 404


def test_the_csv_of_players_gives_addresses_and_birthdays_to_the_organiser_alone() -> None:
    made = cast.tournament()
    owner, _other, stranger = clients()
    assert "ana@example.org" in owner.get(f"/t/{made.slug}/players.csv").content.decode()
    public = stranger.get(f"/t/{made.slug}/players.csv").content.decode()
    assert "Ana Lucía" in public
    assert "ana@example.org" not in public and "05-17" not in public


def test_every_page_carries_a_strict_content_security_policy(running: Tournament) -> None:
    owner = clients()[0]
    for name, pattern in addresses().items():
        answer = owner.get(filled(pattern, running))
        policy = answer.headers.get("Content-Security-Policy", "")
        assert "default-src 'self'" in policy, name
        assert "unsafe" not in policy, name
