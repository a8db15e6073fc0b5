"""The way of a tournament on the organiser's pages, by a request and by a command."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from league.formats.pairs import Pairs
from league.models import Tournament
from league.rounds.steps import next_step
from tests import cast, pdf_text
from tests.league.rounds.test_cut import made, play_to, press
from tests.test_stories import CREATE

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


AFTERWARDS = {"groups": "2", "then": "heats", "takes": "6", "carries": "0", "others_play": "on"}
SIXTEEN = {"players": "\n".join(row.name for row in cast.people(16)), "hands_per_round": "1", "rounds": "2"}


def test_the_page_of_a_new_tournament_draws_the_whole_way_and_makes_it(olga: Client) -> None:
    page = olga.post("/new/evening/", CREATE | SIXTEEN | AFTERWARDS)
    new = page.context["new"]
    columns = new.suggestion.choice.columns
    assert [column.title for column in columns] == ["Round 1", "Round 2", "Round 3", "Round 4"]
    assert columns[1].text == "The best 3 of each group advance. Eliminated players play a second ladder."
    assert columns[2].text.startswith("16 players. The best 2 of each table advance. Second ladder: The best")
    facts = {fact.label: fact.value for fact in new.plan.facts}
    assert (facts["Rounds"], facts["Hands"]) == ("4", "10 for the finalists")
    assert new.lines.then.text == (
        "2 groups. The best 3 of each group advance. Eliminated players play a second ladder. Heats and a final."
    )
    assert olga.post("/new/", CREATE | SIXTEEN | AFTERWARDS).status_code == 302
    [first, second] = Tournament.objects.get().stages.all()
    assert (first.format, first.groups) == ("pairs", 2)
    assert (second.format, second.takes, second.others_play, second.carries) == ("heats", 6, True, 0)


def test_what_cannot_follow_is_said_where_it_was_typed_and_makes_nothing(olga: Client) -> None:
    page = olga.post("/new/", CREATE | SIXTEEN | AFTERWARDS | {"takes": ""})
    assert page.status_code == 422 and page.context["form"].errors["takes"] == [
        "Choose how many players advance from the groups."
    ]
    page = olga.post("/new/", CREATE | SIXTEEN | {"groups": "2"})
    assert page.context["form"].errors["groups"] == ["Groups have no overall winner. Add a stage after them."]
    page = olga.post("/new/evening/", CREATE | SIXTEEN | AFTERWARDS | {"takes": "16"})
    assert page.context["new"].plan.impossible == "16 of 16 players can’t advance. Choose fewer."
    assert not Tournament.objects.exists()


def test_stages_are_added_changed_and_taken_off_on_their_pages(olga: Client) -> None:
    tournament = cast.tournament(8)
    at = f"/t/{tournament.slug}/stages/"
    assert olga.post(f"{at}add/heats/", {"takes": "8"}).status_code == 422
    assert olga.post(f"{at}add/heats/", {"takes": "6", "hands_per_round": "2"}).status_code == 302
    assert olga.post(at, {"groups": "2"}).status_code == 302
    assert olga.post(f"{at}2/", {"takes": "6", "do": "remove"}).status_code == 422  # groups need what comes after them
    assert olga.post(f"{at}2/", {"takes": "7", "hands_per_round": "3", "carries": "0"}).status_code == 302
    stage = tournament.stages.get(number=2)
    assert (stage.takes, stage.hands_per_round) == (7, 3)
    page = olga.get(at).content.decode()
    assert "2 groups" in page and "The best 3 of each group and the next-best 1 advance." in page
    assert olga.post(at, {"groups": ""}).status_code == 302
    assert olga.post(f"{at}2/", {"do": "remove"}).status_code == 302
    assert tournament.stages.count() == 1


def test_the_cut_is_shown_with_a_line_made_by_its_button_and_taken_back(olga: Client) -> None:
    tournament = made()
    play_to(tournament, "cut")
    page = olga.get(f"/t/{tournament.slug}/")
    the_cut = page.context["now"].cut
    assert [sum(row.goes_on for row in group.rows) for group in the_cut.groups] == [3, 3]
    assert all([row.goes_on for row in group.rows] == [True] * 3 + [False] * 5 for group in the_cut.groups)
    assert [row.last for row in the_cut.groups[0].rows].index(True) == 2
    assert "On the second ladder: 10." in the_cut.sentences
    answer = olga.post(f"/t/{tournament.slug}/advance/", {"step": "cut-2"}, follow=True)
    assert "The next round is drawn" in answer.content.decode()
    again = olga.post(f"/t/{tournament.slug}/advance/", {"step": "cut-2"}, follow=True)
    assert tournament.rounds.living().filter(number=3).count() == 1 and again.status_code == 200
    olga.post(f"/t/{tournament.slug}/stages/take-back-the-cut/")
    assert next_step(Tournament.objects.get(pk=tournament.pk)).token == "cut-2"


def test_everybody_sees_groups_who_goes_on_and_who_did_not(olga: Client) -> None:
    tournament = made(others_play=False)
    press(tournament)
    press(tournament)
    seating = Client().get(f"/t/{tournament.slug}/seating/")
    assert [heading for heading, _tables in seating.context["parts"]] == ["Group A", "Group B"]
    even = Client().get(f"/t/{tournament.slug}/fairness/?group=2")
    assert len(even.context["fairness"].seats.lines) == 8 and "Group B" in even.content.decode()
    play_to(tournament, "cut")
    page = Client().get(f"/t/{tournament.slug}/standings/")
    assert [heading for heading, _lines in page.context["parts"]] == ["Group A", "Group B"]
    assert "The best 3 of each group advance: Heats and a final." in page.content.decode()
    press(tournament)
    press(tournament)
    for table in tournament.rounds.get(number=3).tables.all():
        cast.record(table, 1, 0, (0, 5, 10))
    page = Client().get(f"/t/{tournament.slug}/standings/")
    assert [(heading, len(lines)) for heading, lines in page.context["parts"]] == [("", 6), ("Did not advance", 10)]
    assert [stage.number for stage, _title, is_shown in page.context["stages"] if is_shown] == [2]
    before = Client().get(f"/t/{tournament.slug}/standings/?stage=1")
    assert [len(lines) for _heading, lines in before.context["parts"]] == [8, 8]


def test_finals_beside_each_other_are_said_shown_at_the_cut_and_have_their_own_headings(olga: Client) -> None:
    typed = CREATE | SIXTEEN | AFTERWARDS | {"then": "points", "takes": "16", "others_play": "", "finals": "2"}
    sentences = "The best 8 of each group advance: 2 finals by place."
    assert olga.post("/new/evening/", typed).context["new"].suggestion.choice.columns[1].text == sentences
    for wrong, why in (
        ({"then": "knockout", "takes": "8"}, "Knockout can’t be played as parallel finals."),
        ({"takes": "8", "finals": "6"}, "8 players in 6 finals make a final of 1."),
    ):
        page = olga.post("/new/", typed | wrong)
        assert page.status_code == 422 and page.context["form"].errors["finals"][0].startswith(why)
        assert "groups" not in page.context["form"].errors
    assert olga.post("/new/", typed).status_code == 302
    tournament = Tournament.objects.get()
    second = tournament.stages.get(number=2)
    assert (second.groups, second.by_place, second.takes) == (2, True, 16)
    at = f"/t/{tournament.slug}/stages/"
    assert sentences in olga.get(at).content.decode() and olga.get(f"{at}2/").context["form"]["finals"].value() == 2
    assert (
        olga.post(f"{at}2/", {"takes": "16", "finals": "3", "hands_per_round": "1", "rounds": "1"}).status_code == 302
    )
    second.refresh_from_db()
    assert (second.groups, second.by_place) == (3, True)
    assert olga.post(f"{at}2/", {"takes": "", "finals": "2", "hands_per_round": "1", "rounds": "1"}).status_code == 422
    assert (
        olga.post(f"{at}2/", {"takes": "16", "finals": "2", "hands_per_round": "1", "rounds": "1"}).status_code == 302
    )
    play_to(tournament, "cut")
    told = olga.get(f"/t/{tournament.slug}/").context["now"].cut
    assert told.rule == sentences[:-1] and [line[:9] for line in told.sentences if line.startswith("Final")] == [
        "Final A: ",
        "Final B: ",
    ]
    press(tournament)
    press(tournament)
    seating = Client().get(f"/t/{tournament.slug}/seating/?round=3")
    assert [heading for heading, _tables in seating.context["parts"]] == ["Final A", "Final B"]
    play_to(tournament, "finish")
    page = Client().get(f"/t/{tournament.slug}/standings/")
    assert [(heading, len(lines)) for heading, lines in page.context["parts"]] == [("Final A", 8), ("Final B", 8)]
    assert "Final B" in pdf_text.text(olga.get(f"/t/{tournament.slug}/prints/standings.pdf").content)


def test_a_request_and_a_command_say_the_way(olga: Client, tmp_path: Path) -> None:
    then: list[dict[str, object]] = [{"format": "heats", "takes": 6, "others_play": True, "hands": 1}]
    body = {"name": "Cup", "players": [{"name": row.name} for row in cast.people(16)], "groups": 2, "then": then}
    told = olga.post("/api/v1/tournaments/", body, content_type="application/json")
    assert told.status_code == 201
    [first, second] = told.json()["stages"]
    assert (first["groups"], second["takes"], second["others_play"], second["settings"]["hands"]) == (2, 6, True, 1)
    at = f"/api/v1/tournaments/{told.json()['slug']}/"
    refused = olga.post(f"{at}stages/", {"then": []}, content_type="application/json")
    assert refused.status_code == 422 and refused.json()["errors"][0]["field"] == "groups"
    changed = {"groups": 1, "then": [{"format": "points", "takes": 4, "carries": 50, "rounds": 1}]}
    told = olga.post(f"{at}stages/", changed, content_type="application/json").json()["stages"]
    assert (told[0]["groups"], told[1]["format"], told[1]["carries"]) == (1, "points", 50)
    assert told[1]["settings"]["rounds"] == 1
    names, out = tmp_path / "names.txt", io.StringIO()
    names.write_text("\n".join(row.name for row in cast.people(16)))
    made_by = ["create_tournament", "--name", "By hand", "--players", str(names), "--groups", "2"]
    call_command(*made_by, "--then", "heats:6+others", stdout=out)
    tournament = Tournament.objects.get(slug=out.getvalue().strip())
    assert [(stage.format, stage.groups, stage.takes) for stage in tournament.stages.all()] == [
        (Pairs.key, 2, None), ("heats", 1, 6),
    ]  # fmt: skip
    with pytest.raises(CommandError, match="takes a format and number of qualifiers"):
        call_command(*made_by, "--then", "heats:six")
    with pytest.raises(CommandError, match="takes a format and number of qualifiers"):
        call_command(*made_by, "--then", "points:16+finals")
    out = io.StringIO()
    call_command(*made_by, "--then", "points:16+finals2", stdout=out)
    last = Tournament.objects.get(slug=out.getvalue().strip()).stages.get(number=2)
    assert (last.groups, last.by_place, last.takes) == (2, True, 16)
