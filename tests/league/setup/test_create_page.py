"""The page on which a tournament is made, by format and from the cards that are ready: all without JavaScript."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import translation

from league.formats import FORMATS
from league.models import Player, Tournament
from league.setup.create import clone_tournament
from tests import cast
from tests.games.pages import said
from tests.test_stories import CREATE

pytestmark = pytest.mark.django_db

EIGHT = "\n".join(cast.CAST)
CHALLENGE = CREATE | {"format": "challenge", "players": EIGHT, "table_size": "4", "target": "500"}


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


def as_it_stands(client: Client, **answers: str) -> Tournament:
    """Answer and create, with the other fields as they stand on the page."""
    page = client.get("/new/")
    fields = {field.html_name: field.value() for field in page.context["form"]}
    answer = client.post("/new/", {name: value for name, value in fields.items() if value} | answers)
    assert answer.status_code == 302, answer.context["form"].errors
    return Tournament.objects.get()


def press(client: Client, made: Tournament) -> None:
    step = client.get(f"/t/{made.slug}/").context["now"].step
    assert client.post(f"/t/{made.slug}/advance/", {"step": step.token}).status_code == 302


def refused(client: Client, **changed: str) -> HttpResponse:
    answer = client.post("/new/", CHALLENGE | changed)
    assert answer.status_code == 422
    assert not Tournament.objects.exists()
    return answer


def settings(made: Tournament) -> dict[str, object]:
    return made.stages.get().settings


# Three questions


def test_challenge_uno_with_eight_at_two_tables_is_one_answer_and_can_be_drawn(olga: Client) -> None:
    made = as_it_stands(olga, ending="one-left")
    assert made.name == f"Challenge UNO, {made.starts_on.day} {made.starts_on:%B}"
    assert [str(one) for one in made.entries.all()] == [f"Player {number}" for number in range(1, 9)]
    assert settings(made) == {"hands_per_round": 4, "table_size": 4, "target": 500}
    assert made.stages.get().scoring == "challenge"
    press(olga, made)
    assert [table.seats.count() for table in made.rounds.get().tables.all()] == [4, 4]


def test_four_players_at_one_table_are_a_number_and_twelve_hands(olga: Client) -> None:
    made = as_it_stands(olga, expected="4")
    assert made.stages.get().format == "pairs"
    press(olga, made)
    assert [one.tables.get().hands_wanted for one in made.rounds.all()] == [4, 4, 4]


def test_names_count_more_than_the_number_that_was_guessed(olga: Client) -> None:
    made = as_it_stands(olga, expected="many", players=EIGHT)
    assert [str(one) for one in made.entries.all()] == list(cast.CAST)


def test_whoever_has_no_names_may_begin_with_nobody(olga: Client) -> None:
    assert not as_it_stands(olga, without_names="nobody").entries.exists()


def test_a_number_that_cannot_be_is_refused_at_its_field(olga: Client) -> None:
    page = refused(olga, format="", expected="0", players="")
    assert page.context["form"].errors["expected"] == ["Choose a number from 1 to 1000."]
    assert 'value="0"' in page.content.decode()


def test_the_page_follows_the_answers_while_it_is_filled_in(olga: Client) -> None:
    typed = CREATE | {"format": "points", "expected": "8", "ending": "points", "answered": "/points"}
    picked = olga.post("/new/evening/", typed).context["new"].suggestion
    assert picked.choice.key == "points" == picked.choice.format
    page = olga.post("/new/evening/", typed | {"ending": "one-left"})
    changed = page.context["new"].suggestion
    assert changed.choice.format == "challenge" and changed.choice.key == "", "the picked one gives way to new answers"
    html = page.content.decode()
    for part in ("suggested", "who-counts", "which-column", "in-short", "rules-line", "where-line"):
        assert f'id="{part}"' in html


def test_without_a_name_it_is_called_by_what_is_played_and_the_day(olga: Client) -> None:
    olga.post("/new/", CHALLENGE | {"name": ""})
    assert Tournament.objects.get().name == "Challenge UNO, 24 November"


def test_the_second_of_a_day_without_a_name_gets_a_number_and_a_typed_name_none(olga: Client) -> None:
    for name in ("", "", "Ours", "Ours"):
        olga.post("/new/", CHALLENGE | {"name": name})
    names = [*Tournament.objects.order_by("pk").values_list("name", flat=True)]
    assert names == ["Challenge UNO, 24 November", "Challenge UNO, 24 November (2)", "Ours", "Ours"]


@pytest.mark.parametrize(
    ("name", "copied"),
    [
        ("Challenge UNO, 24 November", "Challenge UNO, 1 December"),
        ("Challenge UNO, 24 November (2)", "Challenge UNO, 1 December"),
        ("Christmas, 24 November", "Christmas, 24 November"),
        ("Autumn Pairs", "Autumn Pairs"),
    ],
)
def test_again_next_week_gives_a_name_that_was_generated_the_new_day(olga: Client, name: str, copied: str) -> None:
    made = cast.tournament(name=name)
    olga.post(f"/t/{made.slug}/again/")
    assert Tournament.objects.latest("pk").name == copied
    clone_tournament(tournament=made, by=made.owner)
    assert Tournament.objects.latest("pk").name == (f"{copied} (2)" if copied != name else name)


def test_a_name_that_was_generated_in_french_gets_the_new_day_in_french(olga: Client) -> None:
    with translation.override("fr"):
        what = translation.gettext(FORMATS["challenge"].name)
    made = cast.tournament(name=f"{what}, 24 novembre")
    assert clone_tournament(tournament=made, by=made.owner).name == f"{what}, 1 décembre"


def test_every_field_is_on_the_page_and_says_which_format_it_belongs_to(olga: Client) -> None:
    page = olga.get("/new/").content.decode()
    form = page.partition('class="fields fields-2"')[2].partition("</section>")[0]
    groups = re.findall(r'data-of="([\w ]+)"[^>]*><span class="of-format">([^<]*)</span>(.*?)name="(\w+)"', form, re.S)
    formats = {str(number): plays for number, plays in enumerate(FORMATS.values(), 1)}
    of = {name: [formats[slot] for slot in slots.split()] for slots, _words, _label, name in groups}
    having = {name: [plays for plays in formats.values() if plays.setting(name)] for name in of}
    having |= {
        "until": [plays for plays in formats.values() if any(setting.one_of for setting in plays.settings)],
        "scoring": [plays for plays in formats.values() if len(plays.scorings) > 1],
    }
    assert of == having and {"rounds", "cycles", "bye_points", "target", "table_size"} < of.keys()
    assert all(words == ", ".join(plays.name for plays in of[name]) for _slots, words, _label, name in groups)


# Challenge UNO


def test_a_challenge_has_its_own_settings_and_nothing_of_pairs(olga: Client) -> None:
    olga.post("/new/", CHALLENGE | {"table_size": "6", "target": "300", "hands_per_round": "", "cycles": "3"})
    made = Tournament.objects.get()
    assert settings(made) == {"hands_per_round": None, "table_size": 6, "target": 300}
    assert made.stages.get().tie_breaks == []


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("players", "Ana\nBenoît", "Challenge UNO needs 3 to 1000 players, not 2."),
        ("table_size", "11", "Most players at a table: choose 3 to 10, not 11."),
        ("table_size", "2", "Most players at a table: choose 3 to 10, not 2."),
        ("target", "0", "Eliminated at: choose 1 to 10000, not 0."),
        ("target", "10001", "Eliminated at: choose 1 to 10000, not 10001."),
        (
            "hands_per_round",
            "21",
            "Hands a round: choose 1 to 20, or leave it empty (until you close the round), not 21.",
        ),
    ],
)
def test_what_a_challenge_cannot_be_is_refused_at_its_field(
    olga: Client, field: str, value: str, sentence: str
) -> None:
    assert refused(olga, **{field: value}).context["form"].errors[field] == [sentence]


def test_1001_players_are_refused(olga: Client) -> None:
    page = refused(olga, players="\n".join(f"Player {number}" for number in range(1001)))
    assert "1000" in page.context["form"].errors["players"][0]


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        ({"cycles": "2", "rounds": "3"}, "cycles", "Only a whole schedule can be repeated"),
        ({"cycles": "11"}, "cycles", "How often the schedule is played: choose 1 to 10, not 11."),
        ({"bye_points": "-5"}, "bye_points", "Points for a bye: choose 0 to 1000, not -5."),
        ({"hands_per_round": ""}, "hands_per_round", "Hands a round: choose 1 to 20."),
    ],
)
def test_what_pairs_cannot_be_is_refused_at_its_field(
    olga: Client, typed: dict[str, str], field: str, sentence: str
) -> None:
    assert refused(olga, format="pairs", **typed).context["form"].errors[field][0].startswith(sentence)


def test_what_was_typed_for_another_format_does_not_stand_in_the_way(olga: Client) -> None:
    olga.post("/new/", CHALLENGE | {"format": "pairs", "target": "many", "table_size": "99"})
    assert settings(Tournament.objects.get()) == {"hands_per_round": 4, "rounds": None, "cycles": 1, "bye_points": 0}


# Afterwards


def rules_fields(page: HttpResponse) -> set[str]:
    form = page.content.decode().partition('value="rules"')[2].partition("</form>")[0]
    return set(re.findall(r'name="([\w-]+)"', form))


def test_the_rules_of_a_challenge_can_change_until_it_starts(olga: Client) -> None:
    made = cast.tournament(format="challenge", table_size=4, target=500)
    at = f"/t/{made.slug}/settings/"
    assert rules_fields(olga.get(at)) == {"edition", "hands_per_round", "table_size", "target"}
    typed = {"form": "rules", "edition": "classic", "hands_per_round": "", "table_size": "8", "target": "250"}
    assert olga.post(at, typed).status_code == 302
    assert settings(made) == {"hands_per_round": None, "table_size": 8, "target": 250}
    refusal = olga.post(at, typed | {"table_size": "11"})
    assert refusal.status_code == 422
    assert "Most players at a table: choose 3 to 10, not 11." in refusal.content.decode()


def test_the_rules_of_pairs_have_cycles_and_byes_and_tie_breaks(olga: Client) -> None:
    made = cast.tournament(5)
    at = f"/t/{made.slug}/settings/"
    names = rules_fields(olga.get(at))
    assert {"cycles", "bye_points", "order-tb1"} <= names and not {"target", "table_size"} & names
    typed = {"form": "rules", "edition": "classic", "hands_per_round": "4", "rounds": "", "bye_points": "40"}
    assert olga.post(at, typed | {"cycles": "2"}).status_code == 302
    assert settings(made) == {"hands_per_round": 4, "rounds": None, "cycles": 2, "bye_points": 40}


def test_sign_up_for_a_challenge_takes_numbers_that_pairs_cannot(olga: Client) -> None:
    made = cast.tournament(3, format="challenge")
    page = olga.get(f"/t/{made.slug}/sign-up/settings/")
    assert "Challenge UNO needs 3 to 1000 players." in page.content.decode()
    olga.post(f"/t/{made.slug}/sign-up/settings/", {"capacity": "45"})
    assert made.sign_up_page.capacity == 45


def test_a_copy_has_the_settings_of_a_challenge() -> None:
    made = cast.tournament(format="challenge", table_size=5, target=300, hands_per_round=None)
    assert settings(clone_tournament(tournament=made, by=made.owner)) == settings(made)


def test_names_are_pasted_over_the_places_also_when_it_is_drawn_or_played(olga: Client) -> None:
    made = as_it_stands(olga, ending="one-left")
    at = f"/t/{made.slug}/players/"
    assert "8 places have no names yet" in said(olga.get(at))
    assert "Places named: 3." in said(olga.post(at, {"players": "Ana\nBenoît\nChidi"}, follow=True))
    press(olga, made)
    with translation.override("fr"):
        assert "5 places n’ont pas encore de nom" in said(olga.get(at, headers={"Accept-Language": "fr"}))
    press(olga, made)
    rest = "\n".join(["Đorđe", "Émilie", "Farah", "Goran", "Zoë"])
    assert olga.post(at, {"players": rest}).status_code == 302
    assert [str(entry) for entry in made.entries.all()] == ["Ana", "Benoît", "Chidi", *rest.split("\n")]
    assert made.rounds.get().tables.count() == 2  # the seats stand
    assert "no names yet" not in said(olga.get(at))


def test_more_names_than_places_come_at_the_end_and_after_the_start_are_refused(olga: Client) -> None:
    made = as_it_stands(olga, ending="one-left", expected="4")
    at = f"/t/{made.slug}/players/"
    answer = said(olga.post(at, {"players": "Ana\nBen\nChidi\nDora\nZoë"}, follow=True))
    assert "Places named: 4." in answer and "Added: 1." in answer
    Player.objects.filter(entries=made.entries.last()).update(name="Player 5")
    press(olga, made)
    press(olga, made)
    assert olga.post(at, {"players": "Emil\nFarah"}).status_code == 409
    assert str(made.entries.last()) == "Player 5"


def test_names_on_a_copys_places_are_the_copys_alone(olga: Client) -> None:
    made = as_it_stands(olga, ending="one-left", expected="4")
    copy = clone_tournament(tournament=made, by=made.owner)
    olga.post(f"/t/{copy.slug}/players/", {"players": "Ana\nBen\nChidi\nDora"})
    assert [str(entry) for entry in copy.entries.all()] == ["Ana", "Ben", "Chidi", "Dora"]
    assert [str(entry) for entry in made.entries.all()] == [f"Player {number}" for number in range(1, 5)]


def test_in_a_club_the_members_of_these_names_get_the_places_and_so_do_those_who_are_ticked(olga: Client) -> None:
    club = cast.club(8)
    made = as_it_stands(olga, ending="one-left", club=club.slug)
    ana, zoe = (cast.member(club, name) for name in ("Ana Lucía", "Zoë"))
    at = f"/t/{made.slug}/players/"
    olga.post(at, {"players": "Ana Lucía\nKim"})
    olga.post(at, {"what": "ticked", "member": zoe.public_id})
    people = [entry.player for entry in made.entries.select_related("player").order_by("number")]
    assert people[0] == ana and people[1].name == "Kim" and people[2] == zoe and len(people) == 8
