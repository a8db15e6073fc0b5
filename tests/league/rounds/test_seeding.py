"""Drawing by rating: order numbers of pairs, the strong spread over tables, and a log by which it can be repeated."""

from itertools import combinations

import pytest

from league.entries.list_order import order_by_rating
from league.formats import challenge
from league.formats.seating import golfers
from league.ledger.field import field_of
from league.lib.errors import Refused
from league.models import Club, LogEntry, Player, RatingPoint, Seat
from league.ratings.compute import recompute_ratings
from league.rounds.draw import draw, draw_order, draw_seed, past_rounds
from league.rounds.seeding import figures_of, pots
from league.rounds.steps import start
from tests import cast
from tests.games.pages import said
from tests.league.ratings.test_ratings import evening

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    """The cast is rated 1660, 1640 … 1520, in its order."""
    made = Club.objects.create(slug="ludo", name="Café Ludo", owner=cast.organiser())
    Player.objects.bulk_create(Player(name=name, club=made) for name in cast.CAST)
    evening(made, players=8)
    recompute_ratings(club=made)
    for place, name in enumerate(cast.CAST):
        RatingPoint.objects.filter(player__name=name).update(mu=33.0 - place)
    return made


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


def backwards(club, **settings):
    """A new evening with the cast listed from the weakest to the strongest, drawn by rating."""
    listed = cast.people()[::-1]
    wanted = {"owner": club.owner, "name": "Autumn", "players": listed, "club": club}
    made = cast.create(**(wanted | settings))
    order_by_rating(tournament=made, by=made.owner)
    return made


def drawn_tables(tournament):
    seats = Seat.objects.filter(round__tournament=tournament, round__number=1).select_related("entry__player", "table")
    tables = {}
    for seat in seats.order_by("table__number", "number"):
        tables.setdefault(seat.table.number, []).append(seat.entry.player.name)
    return tables


def ratings_in_log(tournament, action):
    row = LogEntry.objects.filter(tournament=tournament, action=action).latest("pk")
    names = dict(tournament.entries.values_list("public_id", "player__name"))
    return [(names[one["player_id"]], one["rating"]) for one in row.new["ratings"]]


def test_pairs_get_their_order_numbers_by_rating_and_the_log_says_by_which(club):
    made = backwards(club)
    by_hand = cast.tournament(8, club=club)
    for one in (made, by_hand):
        draw(tournament=one, by=one.owner)
    assert drawn_tables(made) == drawn_tables(by_hand), "as if the list had been typed in this order"
    assert ratings_in_log(made, "draw") == [(name, 1660 - 20 * place) for place, name in enumerate(cast.CAST)]
    assert "ratings" not in LogEntry.objects.filter(tournament=by_hand, action="draw").latest("pk").new


def test_who_hides_a_rating_or_has_none_is_seeded_as_somebody_new(club):
    Player.objects.filter(name=cast.CAST[0]).update(is_rated=False)
    made = backwards(club)
    order = draw_order(made.stages.get(), list(made.entries.select_related("player")))
    assert [one.player.name for one in order] == [*cast.CAST[1:], cast.CAST[0]]


def test_a_team_is_seeded_by_the_mean_of_its_two(club):
    made = cast.teams(4, club=club)
    order_by_rating(tournament=made, by=made.owner)
    assert figures_of(made.stages.get(), list(made.entries.all())) == dict(
        zip(made.entries.values_list("public_id", flat=True), [1650, 1610, 1570, 1530], strict=True)
    )


def test_a_challenge_spreads_the_strong_over_its_tables_and_can_be_drawn_again_from_the_log(club):
    made = backwards(club, format="challenge", table_size=4, target=500, hands_per_round=1)
    draw(tournament=made, by=made.owner)
    tables = drawn_tables(made)
    for strong, next_strong in (cast.CAST[at : at + 2] for at in range(0, 8, 2)):
        assert not any({strong, next_strong} <= set(table) for table in tables.values())
    # Again, from the log's ratings and the seed.
    stage = made.stages.get()
    strongest_first = [name for name, _rating in ratings_in_log(made, "draw-next")]
    public = dict(made.entries.values_list("player__name", "public_id"))
    played = field_of(made, stage).race
    again = challenge.next_round(
        played.settings,
        played.state,
        [pots([public[name] for name in strongest_first], 2)],
        seed=draw_seed(stage),
    )
    assert [[public[name] for name in tables[number]] for number in sorted(tables)] == again
    # What was a pot is forgotten afterwards: round 2 asks only who met.
    start(tournament=made, by=made.owner)
    assert len(past_rounds(made.stage)) == 1


def test_tables_of_many_get_one_of_each_pot(club):
    players = [f"p{number}" for number in range(23)]
    drawn = golfers.next_round(players, 6, [pots(players, 6)], seed="x")
    together = {frozenset(pair) for table in drawn for pair in combinations(table, 2)}
    assert not any(frozenset(pair) in together for pot in pots(players, 6) for pair in combinations(pot, 2))


def test_the_page_offers_it_where_there_are_ratings_and_shows_what_is_drawn_by(club, client):
    client.force_login(club.owner)
    without = cast.tournament(8)
    assert "By rating" not in said(client.get(f"/t/{without.slug}/players/"))
    made = cast.tournament(8, club=club)
    address = f"/t/{made.slug}/players/"
    assert "By rating" in said(client.get(address))
    client.post(f"/t/{made.slug}/order/", {"order": "rating"})
    page = said(client.get(address))
    assert "By rating, strongest first." in page
    assert f"{cast.CAST[0]} 1660, {cast.CAST[1]} 1640" in page
    assert "Order by rating" in said(client.get(f"/t/{made.slug}/log/"))
    client.post(f"/t/{made.slug}/order/", {"order": "list"})
    assert "As listed. Move names up or down, or shuffle." in said(client.get(address))


def test_a_tournament_of_no_club_cannot_be_drawn_by_rating():
    made = cast.tournament(8)
    with pytest.raises(Refused, match="Only a club has ratings"):
        order_by_rating(tournament=made, by=made.owner)
    assert made.stages.get().order_seed == ""
