"""An evening of Challenge UNO on every page and print of the tournament, from the list of players to the final."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from engine.paper import SeatReport
from games.hands.correct import correct_hand
from games.hands.judge import HandInput
from games.models import Hand
from league.access import signed_links
from league.access.viewer import Attribution
from league.day.entrants import reinstate
from league.models import Entry, Round, Stage
from league.prints import documents
from league.public import snapshots
from league.public.pictures.bracket import BOX
from league.rounds.adjustments import adjust
from league.rounds.first_deal import decide_first_dealer
from league.rounds.steps import advance, next_step
from league.standings import read as ledger
from league.standings.result_in_words import result_in_words
from league.standings.round_figures import round_figures
from tests import cast, pdf_text

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PAGES = ("tournament", "seating", "race", "standings", "bracket", "hands", "players", "fairness")
ORGANISERS = ("rounds", "prints", "hall_screen", "settings", "people", "jobs", "log", "check_in", "sign_up_settings")
# What is only so of individual pairs, or where the number of rounds and hands is known.
WRONG = re.compile(
    r"individual pairs|partner|\bpair\b|across the table|round \d+ of \d|hand \d+ of none|none hands|of none\b",
    re.IGNORECASE,
)


def get(client, name, tournament, *args, **query):
    response = client.get(reverse(name, args=[tournament.slug, *args]), query)
    assert response.status_code == 200, (name, response.status_code)
    return response.content.decode()


def said(html):
    """The words of a page's own part, and what is said to who cannot see it."""
    main = html[html.index("<main") : html.index("</main>")]
    labels = re.findall(r'(?:aria-label|title)="([^"]*)"', main)
    return re.sub(r"\s+", " ", " ".join([strip_tags(main), *labels]))


@pytest.fixture
def stranger():
    return Client()


@pytest.fixture
def organiser():
    client = Client()
    client.force_login(cast.organiser())
    return client


def step(tournament):
    token = next_step(tournament).token
    advance(tournament=tournament, token=token, by=tournament.owner)
    return token


def played(players=8, *, rounds=None, name="Long Night", **settings):
    return cast.play_challenge(cast.challenge(players, name=name, **settings), rounds)


def last_round(tournament):
    return tournament.rounds.living().order_by("-number").first()


def down_to_two(tournament):
    """Played until two are left; that round is still open."""
    while len(ledger.read(tournament).race.state.still_in) > 2:
        cast.play_challenge(tournament, 1)
    return tournament


@pytest.fixture(scope="module", autouse=True)
def first_round_once(module_world):
    """To 200, with all hands of the first round in."""
    return played(target=200, rounds=1)


@pytest.fixture
def after_one(first_round_once):
    return cast.again(first_round_once)


@pytest.fixture(scope="module", autouse=True)
def two_left_once(module_world):
    """To 200, in the round that left two."""
    return down_to_two(cast.challenge(target=200, name="Longer Night"))


@pytest.fixture
def two_left(two_left_once):
    return cast.again(two_left_once)


def walk(tournament, stranger, organiser, *, prints=False):
    """Every page, and print, at this stage, for both: it is there, and says nothing that is not so."""
    player = tournament.entries.first().public_id
    for client, names in ((stranger, PAGES), (organiser, PAGES + ORGANISERS)):
        for name in names:
            assert not (wrong := WRONG.search(said(get(client, name, tournament)))), (name, wrong[0])
        for entry in (player, tournament.entries.last().public_id):
            assert not WRONG.search(said(get(client, "scorecard", tournament, entry)))
        assert not WRONG.search(said(client.get("/").content.decode()))
    screen = stranger.get(reverse("screen", args=[signed_links.screen_token(tournament)]))
    assert screen.status_code == 200
    assert not WRONG.search(said(screen.content.decode()))
    for table in ("standings", "seating", "rounds", "hands", "adjustments", "players", "fairness"):
        assert stranger.get(reverse(f"{table}_csv", args=[tournament.slug])).status_code == 200
    for key in documents.KINDS if prints else ():
        response = organiser.get(reverse(f"print_{key}", args=[tournament.slug]))
        if response.status_code == 404:
            assert response["Content-Type"].startswith("text/plain"), key
            continue
        printed = pdf_text.text(response.content)
        assert not (wrong := WRONG.search(printed)), (key, wrong[0])


def my_page(entry):
    client = Client()
    page = client.post(reverse("me", args=[signed_links.player_token(entry)]), follow=True)
    assert page.status_code == 200
    return said(page.content.decode())


# The whole evening


def test_every_page_and_print_is_right_from_the_list_of_players_to_the_final(stranger, organiser):
    tournament = cast.challenge(target=200)
    walk(tournament, stranger, organiser)
    assert step(tournament) == "draw"
    walk(tournament, stranger, organiser, prints=True)
    assert step(tournament) == "publish-1"
    down_to_two(tournament)
    walk(tournament, stranger, organiser, prints=True)
    step(tournament)
    cast.play_challenge(tournament)
    walk(tournament, stranger, organiser)
    assert step(tournament).startswith("close-")
    assert step(tournament) == "finish"
    walk(tournament, stranger, organiser)


def test_rounds_that_last_until_they_are_closed_are_right_on_every_page(stranger, organiser):
    tournament = played(9, rounds=1, table_size=5, hands_per_round=None)
    walk(tournament, stranger, organiser, prints=True)


# What is played


def test_the_head_of_every_page_says_what_is_played(stranger):
    tournament = cast.challenge(8)
    assert "Challenge UNO, 8 players at 2 tables, to 500. Classic" in said(get(stranger, "standings", tournament))


def test_the_list_of_tournaments_counts_no_rounds_that_nobody_knows(stranger):
    played(rounds=1)
    page = said(stranger.get("/").content.decode())
    assert "Round 1 · 8 players" in page


# The next step


def test_the_organiser_sees_what_closing_a_round_will_do(organiser, after_one):
    tournament = after_one
    number = last_round(tournament).number
    page = said(get(organiser, "tournament", tournament))
    left = len(ledger.read(tournament).race.state.still_in)
    assert f"Round {number} is complete" in page
    assert f"{left} are still in. Closing the round draws round {number + 1} and shows everyone the seats." in page
    down_to_two(tournament)
    number = last_round(tournament).number
    page = said(get(organiser, "tournament", tournament))
    assert "Two are left" in page
    assert f"play head to head in round {number + 1}" in page
    step(tournament)
    page = said(get(organiser, "tournament", tournament))
    assert "play until one of them is eliminated" in page
    cast.play_challenge(tournament)
    winner = ledger.read(tournament).standings()[0].entrant.name
    assert f"{winner} has won" in said(get(organiser, "tournament", tournament))


def test_tables_that_are_over_before_their_hands_say_why(organiser, stranger, two_left):
    tournament = two_left
    page = said(get(stranger, "tournament", tournament))
    assert "Stopped" in page or "Ended" in page
    assert "Two players remain in the tournament." in page or "Fewer than two players remain at the table." in page


def test_a_round_without_a_number_of_hands_is_closed_with_a_question(organiser):
    tournament = played(8, rounds=1, hands_per_round=None)
    html = get(organiser, "tournament", tournament)
    assert "4 hands recorded" in said(html)
    assert "The round lasts until you close it." in said(html)
    assert "Recorded hands count." in said(html)
    organiser.post(reverse("advance", args=[tournament.slug]), {"step": next_step(tournament).token})
    assert last_round(tournament).number == 2


def test_a_round_that_could_not_be_drawn_is_the_next_step_and_says_why(organiser):
    tournament = played(8, rounds=1, target=2000)
    entries = list(tournament.entries.all()[:5])
    Entry.objects.filter(pk__in=[entry.pk for entry in entries]).update(fixed_table=1)
    step(tournament)
    assert next_step(tournament).token == "draw-2"
    page = said(get(organiser, "tournament", tournament))
    assert "Draw round 2" in page
    answer = organiser.post(reverse("advance", args=[tournament.slug]), {"step": "draw-2"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()


# Seating


def test_tables_are_drawn_around_a_ring_with_who_is_out(stranger):
    tournament = played(8, rounds=1, target=120)
    state = ledger.read(tournament).race.state
    gone = [line for line in state.lines.values() if line.departure]
    assert gone
    html = get(stranger, "seating", tournament, round=1)
    assert html.count('class="ring k1"') == 2
    assert html.count("seat-out") == len(gone)
    assert f"eliminated, {gone[0].total}" in html


@pytest.mark.parametrize(("players", "rows"), [(3, "k1"), (5, "k2"), (7, "k3"), (10, "k4")])
def test_a_table_of_any_size_has_everybody_once(stranger, players, rows):
    tournament = cast.challenge(players, table_size=10)
    step(tournament)
    step(tournament)
    html = get(stranger, "seating", tournament)
    assert f'class="ring {rows}"' in html
    places = re.findall(r'class="seat ([^"]+)"', html)
    assert len(places) == len(set(places)) == players


def test_who_is_out_is_found_by_name_with_when_that_was(stranger):
    tournament = played(8, rounds=1, target=120)
    line = next(line for line in ledger.read(tournament).standings() if line.out_in_round)
    step(tournament)
    page = said(get(stranger, "seating", tournament, q=line.entrant.name))
    assert f"eliminated in round {line.out_in_round}, hand {line.out_in_hand}" in page


# Standings


def test_the_standings_say_who_is_out_since_when_and_who_is_in_danger(stranger):
    tournament = played(rounds=3)
    book = ledger.read(tournament)
    html = get(stranger, "standings", tournament)
    rows = re.findall(r"<tr>.*?</tr>", html[html.index("<tbody>") :], re.DOTALL)
    assert len(rows) == 8
    for line, row in zip(book.standings(), rows, strict=True):
        words = re.sub(r"\s+", " ", strip_tags(row))
        assert line.entrant.name in words
        assert f'<td class="pts">{line.total}</td>' in row
        assert "<td>" not in row  # no tie-break
        if line.out_in_round:
            assert f"eliminated in round {line.out_in_round}, hand {line.out_in_hand}" in words
        else:
            assert ("to spare" in words) == (line.total >= 400)
    assert any(line.total >= 400 and not line.out_in_round for line in book.standings())
    assert "500 points eliminate a player" in said(html)


def test_the_standings_of_an_earlier_round_do_not_know_who_was_out_later(stranger):
    tournament = played(8, rounds=3, target=200)
    assert "eliminated in round" in said(get(stranger, "standings", tournament))
    assert "eliminated in round 3" not in said(get(stranger, "standings", tournament, as_of_round=2))


def test_a_record_of_a_round_keeps_target_and_size_of_tables(stranger):
    tournament = played(rounds=1)
    kept = snapshots.freeze(last_round(tournament))
    assert kept.rules["target"] == 500
    assert kept.rules["table_size"] == 4


# Bracket


def test_the_bracket_has_totals_who_is_out_and_the_head_to_head(stranger):
    tournament = played(target=200)
    book = ledger.read(tournament)
    html = get(stranger, "bracket", tournament)
    drawn = html[html.index('<svg class="flow"') : html.index("</svg>", html.index('<svg class="flow"'))]
    gone = [line for line in book.standings() if line.out_in_round]
    assert drawn.count('class="gone"') == len(gone) == 7
    assert drawn.count('class="fin"') == 1
    for line in gone:
        assert f">{line.total}</text>" in drawn
    assert "Head to head" in drawn
    assert "eliminated at 200, with the total" in said(html)


def test_the_bracket_as_a_list_says_the_same(stranger, after_one):
    tournament = after_one
    html = get(stranger, "bracket", tournament)
    same = said(html)
    for line in ledger.read(tournament).race.state_at(1).lines.values():
        assert (f"eliminated {line.total}" if line.departure else str(line.total)) in same


def test_the_bracket_leads_a_dashed_line_to_who_is_in_again_and_says_so_in_its_list(stranger):
    tournament = played(rounds=1, target=5000)
    farah, by = cast.entry(tournament, "Farah"), {"tournament": tournament, "by": tournament.owner}
    adjust(**by, entry=farah, points=5000, reason="A very bad joke", round_number=1)
    step(tournament)
    assert 'class="past"' not in get(stranger, "bracket", tournament)
    adjust(**by, entry=farah, points=-5000, reason="The joke was good after all", round_number=2)
    reinstate(**by, entry=farah, reason="On appeal")
    cast.play_challenge(tournament, 1)
    step(tournament)
    html = get(stranger, "bracket", tournament)
    assert html.count('<path class="past"') == 1
    assert "Farah is back, last seated in round 1" in said(html)
    html = get(stranger, "bracket", tournament, player=farah.public_id)
    assert html.count('<path class="mine past"') == 1 and '<path class="past"' not in html
    printed = pdf_text.text(stranger.get(reverse("print_bracket", args=[tournament.slug])).content)
    assert "Dashed line: back" in printed


def test_the_bracket_names_where_its_newest_round_is_unless_earlier_rounds_are_asked_for(stranger):
    tournament = played(4, rounds=13, target=10_000, hands_per_round=1)
    html = get(stranger, "bracket", tournament)
    last = re.findall(r'<rect class="hit" x="(\d+)"', html)[-1]
    assert f'data-newest="{int(last) + BOX}"' in html
    assert "data-newest" not in get(stranger, "bracket", tournament, **{"from": 1})


# Hands


def test_a_hand_says_what_everybody_caught_and_who_is_out_with_it(stranger):
    tournament = cast.challenge(4, target=60)
    step(tournament)
    step(tournament)
    cast.record(cast.table(tournament, 1, 1), 1, 0, (0, 10, 20, 65))
    page = get(stranger, "hands", tournament)
    names = {seat.number: seat.entry.player.name for seat in cast.table(tournament, 1, 1).seats.all()}
    words = said(page).replace("\xa0", " ").replace("&nbsp;", " ")
    assert f"{names[1]} 10, {names[2]} 20, {names[3]} 65 eliminated" in words
    assert "against" not in words


# One player


def test_a_scorecard_adds_up_hand_by_hand(stranger):
    tournament = played(rounds=2, target=200)
    book = ledger.read(tournament)
    for line in book.standings():
        html = get(stranger, "scorecard", tournament, line.entrant.id)
        page = said(html)
        assert f"Went out in {line.hands_won} of {line.hands_played} hands" in page
        assert f'<dd class="num strong">{line.total}</dd>' in html
        if line.out_in_round:
            assert f"eliminated in round {line.out_in_round}, hand {line.out_in_hand}" in page
        else:
            assert re.search(rf"To spare</dt><dd[^>]*>{200 - line.total}</dd>", html)


def test_my_table_says_whether_i_am_in_out_or_have_won(after_one):
    tournament = after_one
    state = ledger.read(tournament).race.state
    inside = tournament.entries.get(public_id=state.still_in[0])
    assert "Distance to 200" in my_page(inside)
    down_to_two(tournament)
    line = next(line for line in ledger.read(tournament).standings() if line.out_in_round)
    step(tournament)
    page = my_page(tournament.entries.get(public_id=line.entrant.id))
    assert f"Eliminated in round {line.out_in_round}, hand {line.out_in_hand}" in page
    assert "If you’re here, tell" not in page
    last = tournament.entries.get(public_id=ledger.read(tournament).race.state.still_in[0])
    page = my_page(last)
    assert "Next: hand 1." in page
    assert "Last round" in page
    cast.play_challenge(tournament)
    winner = tournament.entries.get(public_id=ledger.read(tournament).race.state.winner)
    assert "You have won" in my_page(winner)


def test_a_hand_that_counts_for_nobody_is_struck_out(stranger):
    tournament = cast.challenge(4, target=60)
    step(tournament)
    step(tournament)
    table = cast.table(tournament, 1, 1)
    cast.record(table, 1, 0, (0, 10, 20, 30))
    cast.record(table, 2, 0, (0, 10, 20, 31))
    # A correction of the first hand leaves three out after it, so the second is for nobody.
    first = Hand.objects.living().get(table=table, number=1)
    reports = [SeatReport(seat, points_left=points) for seat, points in ((1, 61), (2, 62), (3, 63))]
    correct_hand(
        hand_id=first.pk,
        version=None,
        hand=HandInput(first.number, 0, reports),
        reason="wrong",
        by=Attribution(tournament.owner),
    )
    assert "doesn’t count" in said(get(stranger, "hands", tournament))
    player = table.seats.get(number=1).entry.public_id
    assert "count: played after" in said(get(stranger, "scorecard", tournament, player))
    figures = round_figures(ledger.read(tournament))
    assert figures[1, player]["total"] == 61
    assert figures[1, player]["hands_played"] == 1


# Fairness


def test_fairness_counts_meetings_tables_and_deals_of_every_player(stranger):
    tournament = played(9, rounds=2)
    html = get(stranger, "fairness", tournament)
    rows = list(documents.exports.fairness_rows(tournament, documents.Wanted()))
    cells = re.findall(r'<td class="num[^"]*">(\d+)</td>', html[: html.index("Tables and deals")])
    assert sorted(map(int, cells)) == sorted(row["opposed"] for row in rows)
    deals = html[html.index("Tables and deals") :]
    last = [
        int(row[-1]) for row in (re.findall(r'<td class="num">(\d+)</td>', one) for one in deals.split("<tr>")) if row
    ]
    hands = {(score.table, score.hand) for score in ledger.read(tournament).scores}
    assert sum(last) == len(hands)
    assert " 2 rounds" in said(html)
    assert "seed “cast”" in said(html)


def test_a_large_event_has_who_met_whom_in_the_csv_alone(stranger):
    tournament = cast.challenge(61)
    step(tournament)
    step(tournament)
    html = get(stranger, "fairness", tournament)
    assert "Too many players for a table here" in said(html)
    assert '<table class="matrix' not in html
    assert "Tables have 3 to 4 players." in said(html)


# Hall screen


def test_a_result_is_told_in_the_words_of_a_challenge(stranger, two_left):
    made = cast.play_challenge(two_left)
    lines = ledger.read(made).standings()
    winner, second = lines[0], lines[1]
    won = f"last player in, {winner.total}"
    assert result_in_words(winner) == won
    assert result_in_words(second).startswith("eliminated in round ")
    assert result_in_words(second).endswith(f"with {second.total}")
    assert won.capitalize() in my_page(made.entries.get(public_id=winner.entrant.id))
    assert "last player in" in said(get(stranger, "standings", made))
    while made.state != "closed":
        step(made)
        made.refresh_from_db()
    told = f"{winner.entrant.name}: {won}"
    assert told in said(stranger.get("/").content.decode())
    assert told in said(get(stranger, "tournament", made))
    assert won in screen_of(stranger, made)


def screen_of(stranger, tournament):
    return said(stranger.get(reverse("screen", args=[signed_links.screen_token(tournament)])).content.decode())


def test_the_hall_screen_shows_who_plays_who_is_out_and_the_head_to_head(stranger, two_left):
    tournament = two_left
    page = screen_of(stranger, tournament)
    assert "eliminated in round" in page
    step(tournament)
    page = screen_of(stranger, tournament)
    assert "Head to head" in page
    assert "hand 1" in page
    cast.play_challenge(tournament)
    winner = ledger.read(tournament).standings()[0].entrant.name
    assert f"{winner} has won" in screen_of(stranger, tournament)


# Prints


def printed(client, key, tournament, **query):
    response = client.get(reverse(f"print_{key}", args=[tournament.slug]), query)
    assert response.status_code == 200, response.content
    return pdf_text.pages(response.content)


def test_a_slip_has_a_line_for_everybody_who_is_still_in_and_says_who_deals(organiser):
    tournament = cast.challenge(4, target=60)
    step(tournament)
    step(tournament)
    table = cast.table(tournament, 1, 1)
    decide_first_dealer(table=table, seat=0, by=Attribution())
    cast.record(table, 1, 0, (0, 10, 20, 65))
    names = {seat.number: seat.entry.player.name for seat in table.seats.all()}
    [page] = printed(organiser, "slips", tournament)
    assert names[3] not in page.text
    assert all(names[seat] in page.text for seat in range(3))
    together = " ".join(page.text.split("\n"))
    assert f"{names[1]} deals hand 2" in together
    assert "60 points eliminate a player at once" in together


@pytest.mark.parametrize("players", [3, 7, 10])
def test_slips_and_seating_of_any_table_stay_on_the_paper(organiser, players):
    tournament = cast.challenge(players, table_size=10)
    step(tournament)
    step(tournament)
    for key in ("slips", "by_table", "by_name", "empty_slips", "pack"):
        for page in printed(organiser, key, tournament):
            assert all(0 <= one.x <= page.width and 0 <= one.y <= page.height for one in page.words)
    [slip, *_rest] = printed(organiser, "slips", tournament)
    assert all(entry.player.name in slip.text for entry in tournament.entries.all())
    [seating, *_rest] = printed(organiser, "by_table", tournament)
    assert all(entry.player.name in seating.text for entry in tournament.entries.all())


def test_printed_standings_say_who_is_out_since_when_and_what_ranks(organiser, after_one):
    tournament = after_one
    line = next(line for line in ledger.read(tournament).standings() if line.out_in_round)
    text = " ".join(" ".join(page.text.split("\n")) for page in printed(organiser, "standings", tournament))
    assert f"(eliminated in round {line.out_in_round}, hand {line.out_in_hand})" in text
    assert "200 points eliminate a player" in text


def test_the_pack_says_how_a_challenge_goes_on_by_hand(organiser, after_one):
    tournament = after_one
    text = " ".join(" ".join(page.text.split("\n")) for page in printed(organiser, "pack", tournament))
    assert "re-draw the seats of players below 200 points" in text
    assert "The target eliminates a player" in text
    number = last_round(tournament).number
    assert f"Round {number + 1}" in text


def test_a_table_without_a_number_of_hands_has_a_slip_with_room_for_several(organiser):
    tournament = played(8, rounds=1, hands_per_round=None, target=2000)
    text = " ".join(page.text for page in printed(organiser, "slips", tournament))
    assert "Round 1" in text
    assert Stage.objects.get(tournament=tournament).hands_per_round is None
    assert Round.objects.get(tournament=tournament).is_open
