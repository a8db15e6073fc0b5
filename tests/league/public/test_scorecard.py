"""What a scorecard says, without a request."""

import pytest

from league.public.scorecard import card_of
from tests import cast

pytestmark = pytest.mark.django_db


def test_the_seat_of_the_open_round_says_with_whom_against_whom_and_which_hand_is_next() -> None:
    made = cast.play(cast.tournament(), rounds=1)
    entry = cast.table(made, 2, 1).seats.get(number=0).entry
    now = card_of(made, entry).now
    assert now is not None and now.title == "Round 2, table 1"
    assert now.text.startswith("With ") and ", across the table. Against " in now.text
    assert now.text.endswith("Next: hand 1 of 4.")
    mine = card_of(made, entry, mine=True).now
    assert mine is not None and mine.text.endswith("Next: hand 1 of 4. You deal.")


def test_with_partners_each_hand_has_a_column_and_the_key_tells_them_apart() -> None:
    made = cast.play(cast.tournament(), rounds=2)
    hands = card_of(made, cast.entry(made, "Farah")).hands
    assert hands.columns == (1, 2, 3, 4) and hands.second_heading == "With"
    assert [item.text for item in hands.key] == ["went out", "the partner went out", "the opponents won"]
    assert hands.went_out.endswith(" of 8 hands won")


def test_in_a_race_the_facts_say_what_is_left_or_when_the_player_left() -> None:
    made = cast.play_challenge(cast.challenge(4), rounds=2)
    for entry in made.entries.all():
        card = card_of(made, entry)
        assert card.way is not None and card.hands.before is not None
        assert card.hands.before.title == "Distance to 500"
        labels = [fact.label for fact in card.hands.before.facts]
        assert labels[:2] == ["Total", "Eliminated" if card.way.departure else "To spare"]


def test_of_a_team_the_other_team_stands_beside_the_hands() -> None:
    made = cast.play(cast.teams(), rounds=1)
    entry = made.entries.order_by("number").first()
    assert entry is not None
    card = card_of(made, entry)
    assert card.hands.second_heading == "Against" and card.hands.lines[0].companion in cast.TEAMS
    assert {member.about.partition(" of ")[2] for member in card.members} == {"4 hands won", ""}
