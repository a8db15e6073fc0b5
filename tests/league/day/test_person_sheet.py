"""The sheet of a player over HTTP: every action is shown, done as it was shown, and undone."""

from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from league.day.entrants import drop_out, enter_late
from league.day.wishes import set_fixed_table
from league.models import Adjustment, Entry, EntryEvent, KeptApart, LogEntry, Seat, Tournament
from league.rounds.adjustments import adjust
from league.rounds.steps import start
from league.standings import read as ledger
from tests import cast
from tests.league.day.sheets import entry_of, preview, sheet_of, step_of, tap, text_of
from tests.league.the_day import by, line, seats_of, whole_seating

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def once(module_world: None) -> tuple[Tournament, Tournament]:
    """Pairs and a Challenge UNO, each with round 1 closed."""
    return cast.play(cast.tournament(), rounds=1), cast.play_challenge(cast.challenge(8, target=5000), rounds=1)


@pytest.fixture
def pairs(once: tuple[Tournament, Tournament]) -> Tournament:
    return cast.again(once[0])


@pytest.fixture
def race(once: tuple[Tournament, Tournament]) -> Tournament:
    return cast.again(once[1])


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


def status_of(tournament: Tournament, name: str) -> str:
    return str(cast.entry(tournament, name).status)


def test_a_player_leaves_and_returns_and_each_can_be_undone(olga: Client, pairs: Tournament) -> None:
    farah, before = entry_of(pairs, "Farah"), whole_seating(pairs)
    page = text_of(olga.get(f"{sheet_of(farah)}?do=leave"))
    assert "Let someone stand in for Farah" in page
    assert "You can undo this until play continues." in page
    tap(olga, farah, "leave", stand_in="Olga", reason="Unwell")
    assert status_of(pairs, "Farah") == "dropped"
    assert EntryEvent.objects.get().reason == "Unwell"
    after = text_of(olga.get(sheet_of(farah)))
    assert "Farah has dropped out." in after
    assert "Has left." in after and "Returns" in after and "Swap seats" not in after

    undo = f"/t/{pairs.slug}/day/events/{EntryEvent.objects.get().pk}/undo/"
    assert undo in after
    assert olga.post(undo).status_code == 302
    assert whole_seating(pairs) == before

    tap(olga, farah, "leave")
    tap(olga, farah, "return")
    assert status_of(pairs, "Farah") == "active"
    assert whole_seating(pairs) == before


def test_who_has_left_already_is_told_so_and_the_list_shows_what_is_possible(olga: Client, pairs: Tournament) -> None:
    farah = entry_of(pairs, "Farah")
    sent = preview(olga, farah, "leave")
    drop_out(**by(pairs), entry=farah)
    again = olga.post(f"{sheet_of(farah)}?do=leave", {**sent, "form_key": "another"})
    assert again.status_code == 409
    assert "Farah has dropped out already." in text_of(again)
    assert "Returns" in text_of(again)


def test_a_second_tap_leads_to_what_the_first_did(olga: Client, pairs: Tournament) -> None:
    farah = entry_of(pairs, "Farah")
    sent = preview(olga, farah, "leave")
    for _tap in range(2):
        assert olga.post(f"{sheet_of(farah)}?do=leave", sent).status_code == 302
    assert EntryEvent.objects.count() == 1


def test_an_outcome_that_is_out_of_date_is_shown_anew_and_nothing_is_done(olga: Client, pairs: Tournament) -> None:
    farah = entry_of(pairs, "Farah")
    sent = preview(olga, farah, "leave")
    drop_out(**by(pairs), entry=cast.entry(pairs, "Zoë"))
    answer = olga.post(f"{sheet_of(farah)}?do=leave", sent)
    assert answer.status_code == 409
    assert "Something has changed since" in text_of(answer)
    assert status_of(pairs, "Farah") == "active"
    assert olga.post(f"{sheet_of(farah)}?do=leave", step_of(answer)).status_code == 302


def test_another_plan_than_the_shown_one_is_shown_before_it_is_done(olga: Client) -> None:
    made = cast.play(cast.tournament(9), rounds=1)
    farah = entry_of(made, "Farah")
    sent = preview(olga, farah, "leave")
    [question] = olga.get(f"{sheet_of(farah)}?do=leave").context["step"].draft.questions
    other = next(option.value for option in question.options if not option.picked)
    answer = olga.post(f"{sheet_of(farah)}?do=leave", {**sent, "plan": other})
    assert answer.status_code == 200
    assert "Something changed" not in text_of(answer)
    assert status_of(made, "Farah") == "active"
    assert step_of(answer)["plan"] == other
    assert olga.post(f"{sheet_of(farah)}?do=leave", step_of(answer)).status_code == 302
    assert status_of(made, "Farah") == "dropped"


def test_a_stand_in_with_the_name_of_a_player_is_refused_beside_what_was_typed(olga: Client, pairs: Tournament) -> None:
    farah = entry_of(pairs, "Farah")
    answer = olga.post(f"{sheet_of(farah)}?do=leave", {"do": "leave", "stand_in": "Zoë", "reason": "Ill", "plan": ""})
    page = text_of(answer)
    assert answer.status_code == 422
    assert 'value="Zoë"' in page and 'value="Ill"' in page
    assert "This is another person with the same name" in page
    assert status_of(pairs, "Farah") == "active"


def test_a_player_sits_out_and_has_their_own_seats_after_they_return(olga: Client, pairs: Tournament) -> None:
    farah, before = entry_of(pairs, "Farah"), seats_of(pairs, "Farah")
    assert "A stand-in plays until they return" in text_of(olga.get(f"{sheet_of(farah)}?do=late"))
    tap(olga, farah, "late")
    assert status_of(pairs, "Farah") == "dropped"
    tap(olga, farah, "return")
    assert seats_of(pairs, "Farah") == before


def test_that_a_player_did_not_come_is_offered_until_they_have_played(olga: Client) -> None:
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    zoe = entry_of(made, "Zoë")
    assert "Did not come" in text_of(olga.get(f"{sheet_of(zoe)}?do=late"))
    tap(olga, zoe, "late", how="no-show")
    assert EntryEvent.objects.get().kind == "no-show"
    cast.play_round(made.rounds.get(number=1))
    ana = entry_of(made, "Ana Lucía")
    assert "Did not come" not in text_of(olga.get(f"{sheet_of(ana)}?do=late"))


def test_a_substitute_comes_and_goes(olga: Client, pairs: Tournament) -> None:
    farah = entry_of(pairs, "Farah")
    assert olga.get(f"{sheet_of(farah)}?do=substitute").context["step"].button == "Preview"
    tap(olga, farah, "substitute", name="Gül")
    assert "Gül plays now" in text_of(olga.get(sheet_of(farah)))
    tap(olga, farah, "end-substitute")
    assert not Seat.objects.exclude(substitute=None).exists()
    nameless = olga.post(f"{sheet_of(farah)}?do=substitute", {"do": "substitute", "name": ""})
    assert nameless.status_code == 422
    assert "This field is required." in text_of(nameless)


def test_two_swap_seats_and_the_message_swaps_them_back(olga: Client, pairs: Tournament) -> None:
    farah, before = entry_of(pairs, "Farah"), whole_seating(pairs)
    step = olga.get(f"{sheet_of(farah)}?do=swap").context["step"]
    assert not step.button
    other = next(pick for pick in step.draft.picks if pick.text != f"Table {seats_of(pairs, 'Farah')[2][0]}")
    shown = olga.get(other.url)
    assert f"Swap Farah and {other.name.split()[0]}" in text_of(shown)
    assert olga.post(f"{sheet_of(farah)}?do=swap", step_of(shown)).status_code == 302
    assert seats_of(pairs, "Farah")[2] != before
    assert in_round_2(pairs, farah) == other.text
    undo = f"{sheet_of(farah)}swap-back/2/{cast.entry(pairs, other.name).public_id}/"
    assert undo in text_of(olga.get(sheet_of(farah)))
    assert olga.post(undo).status_code == 302
    assert whole_seating(pairs) == before


def in_round_2(tournament: Tournament, entry: Entry) -> str:
    return f"Table {Seat.objects.get(entry=entry, round__number=2).table.number}"


def test_a_fixed_table_says_whom_it_meets_who_needs_another(olga: Client, pairs: Tournament) -> None:
    set_fixed_table(**by(pairs), entry=cast.entry(pairs, "Zoë"), number=2)
    farah = entry_of(pairs, "Farah")
    shown = text_of(olga.get(f"{sheet_of(farah)}?do=table&number=1"))
    assert "Zoë also has a fixed table (2): one of the two moves." in shown
    tap(olga, farah, "table", number="1")
    assert cast.entry(pairs, "Farah").fixed_table == 1
    assert "Table 1 in every round" in text_of(olga.get(sheet_of(farah)))
    too_far = olga.post(f"{sheet_of(farah)}?do=table", {"do": "table", "number": "9"})
    assert too_far.status_code == 422
    assert "Choose table 1 to 2." in text_of(too_far)
    tap(olga, farah, "table", number="")
    assert cast.entry(pairs, "Farah").fixed_table is None


def test_two_are_kept_apart_and_let_meet(olga: Client, race: Tournament) -> None:
    zoe, farah = cast.entry(race, "Zoë"), entry_of(race, "Farah")
    tap(olga, farah, "apart", other=zoe.public_id)
    assert KeptApart.objects.exists()
    tap(olga, farah, "apart", other=zoe.public_id, apart="no")
    assert not KeptApart.objects.exists()


def test_a_bye_gets_its_points(olga: Client) -> None:
    made = cast.play(cast.tournament(9), rounds=1)
    sits_out = entry_of(made, made.rounds.get(number=1).seats.get(table=None).entry.player.name)
    assert "Round 1: 0" in text_of(olga.get(sheet_of(sits_out)))
    tap(olga, sits_out, "bye", round="1", points="80")
    assert line(made, sits_out.player.name).total == 80


def test_a_penalty_that_puts_somebody_out_shows_it_first_and_is_taken_back(olga: Client, race: Tournament) -> None:
    farah = entry_of(race, "Farah")
    fields = {"points": "5000", "reason": "A joke", "round": "1"}
    assert "A penalty adds points" in text_of(olga.get(f"{sheet_of(farah)}?do=adjust"))
    shown = olga.post(f"{sheet_of(farah)}?do=adjust", {"do": "adjust", **fields})
    [out] = [move for move in shown.context["step"].preview.moves.moved if move.goes_out]
    assert out.player == "Farah"
    assert "Eliminated in round 1, hand 4" in text_of(shown)
    assert line(race, "Farah").entrant.status == "active"
    tap(olga, farah, "adjust", **fields)
    assert line(race, "Farah").entrant.status == "out"
    [row] = Adjustment.objects.filter(voided_at=None)
    page = text_of(olga.get(f"{sheet_of(farah)}?do=adjust"))
    assert "Round 1: A joke" in page
    tap(olga, farah, "adjust", void=row.pk)
    assert line(race, "Farah").entrant.status == "active"


def test_points_need_a_reason_and_a_number_other_than_0(olga: Client, pairs: Tournament) -> None:
    farah = entry_of(pairs, "Farah")
    for fields, said in (
        ({"points": "-20", "reason": ""}, "This field is required."),
        ({"points": "0", "reason": "x"}, "Enter points other than 0"),
    ):
        answer = olga.post(f"{sheet_of(farah)}?do=adjust", {"do": "adjust", "round": "", **fields})
        assert answer.status_code == 422
        assert said in text_of(answer)
    assert not Adjustment.objects.exists()


def test_a_player_is_reinstated_only_with_a_reason(olga: Client, race: Tournament) -> None:
    farah = entry_of(race, "Farah")
    for points in (5000, -5000):
        adjust(**by(race), entry=farah, points=points, reason="A joke", round_number=1)
    assert "Reinstate" in text_of(olga.get(sheet_of(farah)))
    sent = preview(olga, farah, "reinstate")
    assert olga.post(f"{sheet_of(farah)}?do=reinstate", {**sent, "reason": ""}).status_code == 422
    tap(olga, farah, "reinstate", reason="On appeal")
    assert line(race, "Farah").entrant.status == "active"


def test_names_on_a_sheet_are_escaped(olga: Client, pairs: Tournament) -> None:
    name = "<b>Gül</b>"
    enter_late(**by(pairs), name=name)
    for query in ("", "?do=leave", "?do=swap", "?do=adjust"):
        shown = text_of(olga.get(sheet_of(entry_of(pairs, name)) + query))
        assert name not in shown
        assert escape(name) in shown


def test_two_people_with_one_name_have_a_sheet_each_and_are_called_by_their_whole_names(olga: Client) -> None:
    made = cast.play(cast.tournament(), rounds=1)
    enter_late(**by(made), name="Farah al-Sayed")
    other = entry_of(made, "Farah al-Sayed")
    assert "Farah al-Sayed" in olga.get(f"{sheet_of(other)}?do=leave").context["step"].button


def test_what_cannot_be_done_is_not_offered_and_an_old_link_to_it_shows_the_sheet(olga: Client) -> None:
    made = cast.tournament(rounds=1)
    farah = entry_of(made, "Farah")
    planned = text_of(olga.get(sheet_of(farah)))
    assert "Leaves" not in planned and "Fixed table" in planned
    cast.play(made)
    cast.go_on(made)
    closed = text_of(olga.get(f"{sheet_of(farah)}?do=leave"))
    assert "The standings are final." in closed
    assert "Points adjustment" not in closed and "Scorecard" in closed


def test_a_tap_on_a_name_gets_the_sheet_alone_and_the_public_the_scorecard(olga: Client, pairs: Tournament) -> None:
    farah = entry_of(pairs, "Farah")
    part = olga.get(sheet_of(farah), headers={"HX-Request": "true", "HX-Target": "sheet"})
    assert text_of(part).lstrip().startswith('<section class="panel">')
    assert "HX-Target" in part["Vary"]
    for page in ("", "standings/", "seating/", "players/"):
        assert f'href="{sheet_of(farah)}"' in text_of(olga.get(f"/t/{pairs.slug}/{page}")), page
        public = text_of(Client().get(f"/t/{pairs.slug}/{page}"))
        assert "/people/" not in public and "sheet.js" not in public, page
    assert f'href="/t/{pairs.slug}/players/{farah.public_id}/"' in text_of(Client().get(f"/t/{pairs.slug}/standings/"))


def test_an_unknown_action_changes_nothing(olga: Client, pairs: Tournament) -> None:
    made = LogEntry.objects.count()
    answer: Any = olga.post(sheet_of(entry_of(pairs, "Farah")), {"do": "dance"})
    assert answer.status_code == 422
    assert LogEntry.objects.count() == made


def test_a_round_that_was_published_meanwhile_shows_the_new_outcome(olga: Client) -> None:
    made = cast.play(cast.tournament(9, rounds=5), rounds=1, close=False)
    farah = entry_of(made, "Farah")
    sent = preview(olga, farah, "leave", plan="redraw")
    cast.go_on(made)
    answer = olga.post(f"{sheet_of(farah)}?do=leave", sent)
    assert answer.status_code == 409
    assert "Something has changed since" in text_of(answer)
    assert "Redraw rounds 3 to 5" in text_of(answer)
    assert status_of(made, "Farah") == "active"


def test_a_tournament_that_was_closed_meanwhile_is_not_changed(olga: Client) -> None:
    made = cast.play(cast.tournament(rounds=2), rounds=1)
    farah = entry_of(made, "Farah")
    sent = preview(olga, farah, "leave")
    cast.play(made)
    cast.go_on(made)
    answer = olga.post(f"{sheet_of(farah)}?do=leave", sent)
    assert answer.status_code == 409
    assert "The standings are final." in text_of(answer)
    assert status_of(made, "Farah") == "active"


def test_an_eliminated_player_of_a_challenge_has_a_sheet_that_says_so(olga: Client) -> None:
    made = cast.play_challenge(cast.challenge(players=8, target=100), rounds=1)
    gone = next(line.entrant.name for line in ledger.read(made).standings() if line.entrant.status == "out")
    page = text_of(olga.get(sheet_of(entry_of(made, gone))))
    assert "Eliminated in round 1" in page
    assert "Leaves" not in page and "Substitute" not in page and "Points adjustment" in page
    refused = olga.post(f"{sheet_of(entry_of(made, gone))}?do=leave", {"do": "leave"})
    assert refused.status_code == 409


def test_a_team_sits_out_and_returns(olga: Client) -> None:
    made = cast.play(cast.teams(4), rounds=1)
    team = entry_of(made, made.entries.earliest("pk").player.name)
    assert "Their opponents have a bye until they return." in text_of(olga.get(f"{sheet_of(team)}?do=late"))
    tap(olga, team, "late")
    tap(olga, team, "return")
    assert made.entries.get(pk=team.pk).status == "active"


def test_an_undo_returns_to_the_page_with_the_message_and_to_no_other_service(olga: Client, pairs: Tournament) -> None:
    for referer, back in ((f"http://testserver/t/{pairs.slug}/standings/", "standings/"), ("http://other.org/x/", "")):
        tap(olga, entry_of(pairs, "Farah"), "leave")
        undo = f"/t/{pairs.slug}/day/events/{EntryEvent.objects.living().get().pk}/undo/"
        assert olga.post(undo, headers={"Referer": referer})["Location"] == f"/t/{pairs.slug}/{back}"


def test_a_table_is_stopped_when_a_player_leaves_in_the_middle_and_one_tap_undoes_both(olga: Client) -> None:
    made = cast.play(cast.tournament(9, rounds=5), rounds=1)
    table = cast.table(made, 2, 1)
    for hand in (1, 2):
        cast.record(table, hand)
    before, leaver = whole_seating(made), entry_of(made, table.seats.earliest("number").entry.player.name)
    [question] = olga.get(f"{sheet_of(leaver)}?do=leave").context["step"].draft.questions
    stop = question.options[-1]
    assert (stop.value, stop.label) == ("stop", "Stop table 1 now")
    assert stop.hint == "2 hands count, 2 aren’t played. The rounds to come are redrawn."

    tap(olga, leaver, "leave", plan="stop")

    table.refresh_from_db()
    assert (table.state, table.hands_wanted) == ("confirmed", 2)
    assert not made.entries.filter(status="stand-in").exists()
    assert not Seat.objects.filter(entry=leaver, round__number__gt=2).exists()
    undo = f"/t/{made.slug}/day/events/{EntryEvent.objects.get().pk}/undo/2/1/"
    assert undo in text_of(olga.get(sheet_of(leaver)))
    assert olga.post(undo).status_code == 302
    table.refresh_from_db()
    assert table.hands_wanted == 4
    assert whole_seating(made) == before
    assert status_of(made, leaver.name) == "active"
