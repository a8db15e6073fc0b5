"""The sentences and buttons of the organiser's next step, read from the value: no page is requested."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from league.models import Round, Stage, Table, Tournament
from league.pages.links import Link
from league.rounds.steps import NextStep
from league.setup.overview.next_step_card import NextStepCard, StepFacts, next_step_card
from league.setup.overview.race_now import RaceNow

THIRD = Round(number=3, state=Round.State.RUNNING)
FOURTH = Round(number=4, state=Round.State.DRAFT)
RACE = RaceNow(("Ana", "Benoît", "Chidi"), "", goes_on=True, is_head_to_head=False, next=4, some_unfinished=False)


def facts(format: str = "pairs", **more: object) -> StepFacts:
    tournament = Tournament(slug="cup", name="Cup")
    stage = Stage(tournament=tournament, format=format)
    return StepFacts(tournament=tournament, stage=stage, player_count=8, latest=THIRD, **more)  # type: ignore[arg-type]


def table(number: int, wanted: int | None = 4, mode: str = Table.Mode.OFFLINE) -> Table:
    return Table(pk=number, number=number, round=THIRD, hands_wanted=wanted, mode=mode)


def labels(card: NextStepCard) -> list[str]:
    return [action.label for action in card.actions]


def close(**more: object) -> NextStep:
    return NextStep("close-3", THIRD, **more)  # type: ignore[arg-type]


def test_a_complete_round_says_what_closing_it_does() -> None:
    cases = (
        (
            close(following=FOURTH),
            {},
            "Closing the round shows everyone the seats of round 4.",
            "Close round 3, publish round 4",
        ),
        (
            close(following=FOURTH, publishes_at=datetime(2026, 11, 28, 20, tzinfo=UTC)),
            {},
            "Round 4 is published at its set time.",
            "Close round 3",
        ),
        (
            close(),
            {"another": 4},
            "Closing the round draws round 4 and shows everyone the seats.",
            "Close round 3, publish round 4",
        ),
        (close(), {"next_stage": Stage(takes=4)}, "first shows you who advances", "Close round 3"),
        (close(), {"has_second_final": True}, "shows whether a second final follows", "Close round 3"),
        (close(), {}, "Every hand is recorded. It’s the last round.", "Close round 3"),
    )
    for step, more, sentence, label in cases:
        card = next_step_card(step, facts(**more))
        assert card.title == "Round 3 is complete"
        assert sentence in card.text[0] and labels(card) == [label], card


def test_closing_a_round_of_heats_shows_first_who_advances() -> None:
    card = next_step_card(close(), facts("heats", another=4))
    assert "first shows you who advances" in card.text[0]
    assert labels(card) == ["Close round 3"]


def test_missing_hands_lead_to_the_tables_that_lack_them_and_to_closing_without_them() -> None:
    step = close(missing=((table(1, mode=Table.Mode.ONLINE), 1), (table(2), 2), (table(5), 4)), following=FOURTH)
    card = next_step_card(step, facts())
    assert card.title == "5 hands to go in round 3"
    assert labels(card) == ["Enter scores for table 2", "Enter scores for table 5"]
    assert [action.is_main for action in card.actions] == [True, False]
    [without] = card.folds
    assert without.summary == "Close round 3 without tables 1, 2, 5…" and without.asks_reason
    assert without.hidden == (("without", "1"), ("without", "2"), ("without", "5"))
    assert without.button.value == "close-3"


def test_a_round_that_is_only_published_is_not_closed_without_its_tables() -> None:
    published = Round(number=3, state=Round.State.PUBLISHED)
    card = next_step_card(NextStep("close-3", published, missing=((table(1), 3),)), facts())
    assert card.title == "One hand to go in round 3" and not card.folds


def test_tables_without_a_number_of_hands_play_on() -> None:
    card = next_step_card(close(missing=((table(1, None), 9), (table(2, None), 2))), facts("points"))
    assert card.title == "Round 3 is being played"
    assert card.text[0].startswith("2 tables are still playing.")


def test_a_dispute_is_decided_once_all_hands_are_recorded() -> None:
    card = next_step_card(close(disputed=(table(2), table(4))), facts())
    assert card.title == "2 tables with a dispute to decide"
    assert labels(card) == ["Decide at table 2", "Decide at table 4"]
    assert "A disputed hand counts as reported until you decide." in card.folds[0].text
    still_plays = next_step_card(close(missing=((table(5), 4),), disputed=(table(2),)), facts())
    assert labels(still_plays) == ["Enter scores for table 5"]
    at_the_end = next_step_card(NextStep("finish", disputed=(table(2),)), facts())
    assert labels(at_the_end) == ["Decide round 3, table 2"] and not at_the_end.folds


@pytest.mark.parametrize(
    ("race", "title", "sentence", "label"),
    [
        (RACE, "Round 3 is complete", "3 are still in. Closing the round draws", "Close round 3, publish round 4"),
        (
            replace(RACE, still_in=("Ana", "Benoît")),
            "Two are left",
            "Ana and Benoît play head to head",
            "Close round 3, start the head to head",
        ),
        (
            replace(RACE, still_in=("Ana",), winner="Ana", goes_on=False),
            "Ana has won",
            "Close the round, then make the standings final.",
            "Close round 3",
        ),
    ],
)
def test_a_challenge_says_who_is_still_in(race: RaceNow, title: str, sentence: str, label: str) -> None:
    card = next_step_card(close(), facts("challenge", race=race))
    assert (card.title, labels(card)) == (title, [label])
    assert card.text[0].startswith(sentence)


def test_a_challenge_round_whose_tables_could_play_on_asks_before_it_is_closed() -> None:
    card = next_step_card(close(), facts("challenge", race=replace(RACE, some_unfinished=True)))
    assert card.title == "Round 3 is being played" and not card.actions
    [sure] = card.folds
    assert sure.text.startswith("Recorded hands count.") and sure.button.label == "Yes, close it now"


def test_the_first_draft_can_be_undone_and_later_ones_not() -> None:
    for number, wanted in (
        (1, ["Publish round 1", "See the draft", "Undo the draw"]),
        (4, ["Publish round 4", "See the draft"]),
    ):
        card = next_step_card(NextStep(f"publish-{number}", Round(number=number)), facts())
        assert labels(card) == wanted


def test_players_who_share_first_place_may_play_an_extra_hand() -> None:
    tied = [("Places 1 to 2", [("a", "Ana"), ("b", "Benoît")])]
    card = next_step_card(NextStep("finish"), facts("heats", tied_first=tied))
    [extra] = card.extra_hands
    assert extra.is_open and extra.summary == "Play an extra hand for first place"
    assert labels(card) == ["Make the standings final", "See the standings"]


def test_a_list_that_does_not_fit_leads_to_the_players() -> None:
    card = next_step_card(NextStep("players"), facts(possible="8 or 12 players fit."))
    assert card.text == ("On the list: 8. 8 or 12 players fit.",)
    [add] = card.actions
    assert isinstance(add, Link) and (add.label, add.url) == ("Add players", "/t/cup/players/")
    empty = next_step_card(NextStep("players"), replace(facts(), player_count=0))
    assert empty.title == "The list is empty"


def test_a_round_with_missing_hands_says_what_closing_it_will_do() -> None:
    missing = ((table(1), 2),)
    at_its_time = close(following=FOURTH, missing=missing, publishes_at=datetime(2026, 11, 28, 20, tzinfo=UTC))
    for step, sentence in (
        (
            close(following=FOURTH, missing=missing),
            "Closing the round shows everyone the seats of round 4.",
        ),
        (at_its_time, "Round 4 is published at its set time."),
        (close(missing=missing), "It’s the last round."),
    ):
        assert next_step_card(step, facts()).text == (sentence,)
