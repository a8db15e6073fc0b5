"""What follows from the answers while a tournament is made, read from the value: no page is requested."""

import pytest

from league.formats import FORMATS
from league.formats.estimate import Evening
from league.setup.forms import ClubChoiceForm
from league.setup.new.form import NewTournamentForm
from league.setup.new.page import NewPage, new_page, who_counts
from league.setup.new.plan import Plan, in_short, plan_of, unread_lines
from tests import cast
from tests.test_stories import CREATE

EIGHT = "\n".join(cast.CAST)
CHALLENGE = CREATE | {"format": "challenge", "players": EIGHT, "table_size": "4", "target": "500"}


def page(typed: dict[str, str] | None = None, **more: str) -> NewPage:
    """The page after these fields were filled in."""
    sent = (CREATE | {"format": ""} if typed is None else typed) | more
    return new_page(NewTournamentForm(sent), ClubChoiceForm(sent, clubs=[]))


def facts(plan: Plan) -> dict[str, str]:
    return {fact.label: fact.value for fact in plan.facts}


@pytest.mark.parametrize(
    ("answers", "first"),
    [
        ({}, "pairs"),
        ({"partnering": "stay"}, "teams"),
        ({"partnering": "change"}, "pairs"),
        ({"partnering": "alone"}, "challenge"),
        ({"ending": "one-left"}, "challenge"),
        ({"partnering": "alone", "ending": "points"}, "points"),
        ({"expected": "3"}, "challenge"),  # too few for pairs and for two teams
    ],
)
def test_the_answers_lead_to_a_format(answers: dict[str, str], first: str) -> None:
    shown = page(**answers).suggestion
    assert shown.choice is not None and shown.choice.format == first and shown.choice.is_suggested
    others = [choice.format for choice in (*shown.others, *shown.more)]
    assert sorted((first, *others)) == sorted(FORMATS)
    assert shown.more_formats == f"{len(FORMATS) - 3} more formats"


def test_what_no_format_does_is_said_next_to_the_nearest() -> None:
    both = page(partnering="stay", ending="one-left").suggestion
    assert both.choice is not None and both.choice.format == "teams"
    assert both.note == "No format offers both. This one is closest."
    many = page(partnering="change", expected="60").suggestion
    assert many.choice is not None and many.choice.format == "challenge" and "not 60." in many.note


def test_another_format_says_how_long_it_takes_or_why_it_cannot_be() -> None:
    shown = page(expected="3").suggestion
    others = {choice.format: choice for choice in (*shown.others, *shown.more)}
    assert not others["pairs"].length and "not 3" in others["pairs"].text
    assert others["points"].length and others["points"].key == "points"


def test_the_picture_has_the_rounds_with_their_tables_and_times() -> None:
    choice = page(format="points", expected="9", starts_at="19:30").suggestion.choice
    assert choice is not None and choice.has_times
    assert [column.title for column in choice.columns] == ["Round 1", "Round 2", "Round 3"]
    assert [column.begins for column in choice.columns] == ["19:30", "19:50", "20:11"]
    assert [[len(places) for places in column.tables] for column in choice.columns] == [[3, 3, 3]] * 3
    assert [column.text for column in choice.columns] == [
        "9 at 3 tables",
        "New tables each round",
        "The highest total wins",
    ]
    in_groups = page(format="points", expected="16", groups="4", then="points", takes="8").suggestion.choice
    assert in_groups is not None and in_groups.columns[1].text == "Same people: each table is a group"
    challenge = page(format="challenge", expected="8", starts_at="").suggestion.choice
    assert challenge is not None and not challenge.has_times
    assert [column.title for column in challenge.columns] == ["Round 1", "Until two are left", "Head to head"]


def test_an_evening_that_is_too_long_is_drawn_with_its_rounds_together_and_says_how_to_shorten_it() -> None:
    shown = page(format="pairs", expected="40").suggestion
    assert shown.choice is not None
    first, between, last = shown.choice.columns
    assert (first.title, between.title, last.title) == ("Round 1", "Rounds 2 to 38", "Round 39")
    assert (len(first.tables), first.more) == (6, 4)
    assert "With 8 rounds it takes 3 h 12" in shown.warning


def test_what_is_set_is_said_in_words() -> None:
    shown = page(CHALLENGE, target="300", name="", visibility="unlisted").lines
    assert {line.id: line.text for line in shown.all} == {
        "rules-line": "Classic, 4 hands a round, to 300 points",
        "then-line": "None",
        "when-line": "24 November, 19:00, Café Ludo",
        "name-line": "Challenge UNO, 24 November",
        "seen-line": "Anyone with the link",
        "where-line": "With real cards",
    }
    assert not page(CHALLENGE, target="many").lines.rules.text, "what is not understood has no words"


def test_the_evening_of_a_challenge_is_estimated() -> None:
    shown = page(CHALLENGE, players=EIGHT + "\nIngrid").plan
    words = facts(shown)
    assert words["Players"] == "9" and words["Tables in round 1"] == "3 of 3"
    assert words["Rounds"].startswith("about ") and words["Hands"].endswith(" until one is left")
    assert shown.hints[0].startswith("Estimated from hands that bots played")
    assert facts(page(CHALLENGE, hands_per_round="").plan)["Rounds"] == "no fixed number"


def test_the_evening_counts_cycles_and_whoever_is_expected() -> None:
    shown = page(format="pairs", expected="4", cycles="2")
    assert facts(shown.plan) == {
        "Players": "4, no byes",
        "Tables": "1 of 4",
        "Rounds": "6",
        "Hands": "24 for each player",
        "Takes about": "2 h 24",
        "Ends about": "21:24",
    }
    assert shown.plan.hints == ["The whole schedule 2 times over"]
    assert (shown.in_short.players, shown.in_short.length) == ("4 players", "2 h 24, until about 21:24")


def test_each_kind_of_evening_counts_hands_in_its_own_words() -> None:
    plain = Evening(players=9, tables=((2, 4), (1, 3)), rounds=3, hands=12, minutes=50, byes=1)
    words = {
        "12 for each player": plain,
        "12 for each team": Evening(**(vars(plain) | {"of_teams": True})),
        "12 for the finalists": Evening(**(vars(plain) | {"stages": 2})),
        "about 12 at the longest tables": Evening(**(vars(plain) | {"about": True, "games": True})),
        "12 to the final": Evening(**(vars(plain) | {"plan": (((4,), None),)})),
    }
    for hands, evening in words.items():
        assert facts(plan_of(evening, ends="", meetings=""))["Hands"] == hands
    assert facts(plan_of(plain, ends="", meetings=""))["Players"] == "9, 1 bye a round"
    assert facts(plan_of(words["about 12 at the longest tables"], ends="", meetings=""))["Tables"] == "2 of 4, 1 of 3"
    teams = Evening(**(vars(plain) | {"of_teams": True, "cycles": 2}))
    assert plan_of(teams, ends="", meetings="").hints == ["Everyone meets everyone 2 times"]
    assert plan_of(teams, ends="", meetings="All meet twice.").hints == ["All meet twice."]
    assert in_short(teams, "").players == "9 teams" and in_short(teams, "").length == "50 min"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"target": "0"}, "choose 1 to 10000, not 0."),
        ({"table_size": "four"}, "Enter a whole number."),
        ({"players": "Ana\nBen"}, "not 2."),
    ],
)
def test_why_it_cannot_be_played_is_in_the_figures_under_the_format_and_by_the_button(
    typed: dict[str, str], sentence: str
) -> None:
    shown = page(CHALLENGE, **typed)
    assert sentence in shown.plan.impossible and not shown.plan.facts
    assert shown.suggestion.warning == shown.in_short.length == shown.plan.impossible


def test_without_a_number_the_page_asks_for_the_names() -> None:
    shown = page(expected="")
    assert (
        shown.plan.question.startswith("Add names or a number") and not shown.plan.facts and not shown.in_short.players
    )


def test_names_count_instead_of_the_number_that_was_typed() -> None:
    shown = page(CHALLENGE)
    assert (shown.names, shown.who_counts) == (8, "On the list: 8. This number isn’t used.")
    assert who_counts(1) == "On the list: 1. This number isn’t used."
    assert who_counts(0) == "A guess will do."


def test_lines_that_cannot_be_read_are_counted() -> None:
    assert [unread_lines(count) for count in (0, 1, 2)] == ["", "1 line cannot be read", "2 lines cannot be read"]
