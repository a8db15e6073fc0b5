"""A hand of a stage that is corrected after the cut: who would have gone on is shown first, the seats stand or go."""

import pytest
from django.test import Client

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.repair_preview import diff_of
from games.hands.repairs import KEEP, RESEAT, UNDO, Correction
from games.models import Hand
from league.access.viewer import Attribution
from league.day.entrants import drop_out
from league.lib.errors import Conflict
from league.models import Tournament
from league.rounds.cut import cut_now
from league.rounds.steps import next_step
from tests import cast
from tests.games.pages import version
from tests.league.rounds.test_cut import finals, made, play_to, press

pytestmark = pytest.mark.django_db


def gone_on(tournament: Tournament) -> set[str]:
    return set(tournament.stages.get(number=2).members.filter(ladder=1).values_list("entry__public_id", flat=True))


def other_winner(tournament: Tournament) -> Correction:
    """Another side went out at table 1 of round 2, and for many points."""
    hand = Hand.objects.living().get(table=cast.table(tournament, 2, 1))
    out = ((hand.went_out or 0) + 1) % 4
    reports = [SeatReport(seat, points_left=0 if seat == (out + 2) % 4 else 200) for seat in range(4) if seat != out]
    return Correction(hand.pk, None, HandInput(hand.number, out, reports), "Score slip", Attribution(tournament.owner))


@pytest.fixture
def played() -> Tournament:
    """The first round after the cut is published."""
    tournament = made()
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)
    return tournament


def test_a_correction_that_comes_too_late_shows_who_would_have_gone_on_and_keeps_the_seats(played: Tournament) -> None:
    before, correction = gone_on(played), other_winner(played)
    diff = diff_of(played, cast.table(played, 2, 1), correction)
    assert diff.goes_on.startswith("With this result ") and [choice.repair for choice in diff.choices] == [KEEP, UNDO]
    assert gone_on(played) == before  # it only looked
    correction.save(KEEP)
    assert gone_on(played) == before
    now = cut_now(played, played.stages.get(number=2))
    assert {one.entry for one in now.cut.advancing} != before
    with pytest.raises(Conflict, match="The results decide the seats"):
        other_winner(played).save(RESEAT)


def test_undoing_the_first_round_takes_the_cut_back_and_lets_those_go_on_who_should(played: Tournament) -> None:
    before = gone_on(played)
    other_winner(played).save(UNDO)
    played = Tournament.objects.get(pk=played.pk)
    assert next_step(played).token == "cut-2" and played.stage.number == 1
    press(played)
    assert gone_on(played) != before


def test_once_more_was_played_the_cut_stands(played: Tournament) -> None:
    play_to(played, "publish")
    press(played)
    assert played.rounds.get(number=4).is_open
    diff = diff_of(played, cast.table(played, 2, 1), other_winner(played))
    assert diff.goes_on and [choice.repair for choice in diff.choices] == [KEEP]
    with pytest.raises(Conflict, match="later rounds were played"):
        other_winner(played).save(UNDO)


def test_the_page_shows_it_before_it_is_saved(played: Tournament) -> None:
    olga = Client()
    olga.force_login(played.owner)
    correction = other_winner(played)
    typed = {f"points_{report.seat}": str(report.points_left) for report in correction.hand.reports}
    typed |= {"went_out": str(correction.hand.went_out), "version": version(cast.table(played, 2, 1))}
    page = olga.post(f"/hands/{correction.hand_id}/correct/", typed)
    assert page.status_code == 200 and "would have advanced, not" in page.content.decode()
    assert "Correct and undo round 3" in page.content.decode()
    assert Hand.objects.living().filter(pk=correction.hand_id).exists()


def test_who_would_have_been_in_another_final_is_told() -> None:
    tournament = finals()
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)
    diff = diff_of(tournament, cast.table(tournament, 2, 1), other_winner(tournament))
    assert "would have been in “Final A”." in diff.goes_on and "would have been in “Final B”." in diff.goes_on
    assert [choice.repair for choice in diff.choices] == [KEEP, UNDO]
    other_winner(tournament).save(UNDO)
    tournament = Tournament.objects.get(pk=tournament.pk)
    assert next_step(tournament).token == "cut-2"


def test_and_also_where_somebody_has_left_the_finals() -> None:
    tournament = finals()
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)
    member = tournament.stage.members.filter(group=1).last()
    assert member is not None
    drop_out(tournament=tournament, entry=member.entry, by=tournament.owner)
    diff = diff_of(tournament, cast.table(tournament, 2, 1), other_winner(tournament))
    assert member.entry.player.name not in diff.goes_on and "would have gone on" not in diff.goes_on
    assert ("would have been in" in diff.goes_on) == (len(diff.choices) == 2)
