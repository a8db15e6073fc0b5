"""The day, for people: substitutes, tables and byes, and every action by its page: previewed, done, undone."""

from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from league.day.byes import value_bye
from league.day.entrants import drop_out, enter_late
from league.day.substitutes import end_substitute, substitute
from league.day.undo import undo_event
from league.day.wishes import keep_apart, set_fixed_table
from league.lib.errors import Conflict, Refused
from league.log.audit import verify
from league.log.in_words import in_words
from league.models import Adjustment, Entry, EntryEvent, KeptApart, LogEntry, Player, Tournament
from league.public import tables as exports
from league.rounds.adjustments import adjust
from league.rounds.steps import start
from tests import cast
from tests.league.the_day import by, drawn_and_waiting, last_words, line, seats_of, whole_seating

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


# --- substitutes, tables, byes ---------------------------------------------------------------------------------------


def test_a_substitute_plays_and_the_points_go_to_the_entry(pairs: Tournament) -> None:
    farah = cast.entry(pairs, "Farah")
    at = pairs.rounds.get(number=2).seats.get(entry=farah).table
    assert at is not None

    substitute(**by(pairs), entry=farah, name="Gül", table=at)
    cast.record(at, 1)
    end_substitute(**by(pairs), entry=farah)
    cast.record(at, 2)

    hands = [row for row in exports.EXPORTS["hands"].rows(pairs, exports.Wanted(round=2)) if row["player"] == "Farah"]
    assert [(row["hand"], row["played_by"]) for row in hands] == [(1, "Gül"), (2, None)]
    assert line(pairs, "Farah").hands_played == 6
    assert last_words(pairs) != "Gül no longer plays for Farah"  # a hand came after it
    assert in_words(pairs.log.get(action="end-substitute")) == "Gül no longer plays for Farah"


def test_a_substitute_for_all_rounds_to_come_keeps_to_seats_with_hands_to_come() -> None:
    made = cast.play(cast.tournament(rounds=3), rounds=1)
    seats = substitute(**by(made), entry=cast.entry(made, "Farah"), name="Gül")
    assert [seat.round.number for seat in seats] == [2, 3]
    cast.play(made)
    with pytest.raises(Conflict, match="Zoë has no hands left there"):
        substitute(**by(made), entry=cast.entry(made, "Zoë"), name="Gül")


def test_a_player_with_a_fixed_table_sits_there_in_every_round_that_nobody_has_seen() -> None:
    made = cast.play(cast.tournament(12), rounds=1)
    before = seats_of(made, "Farah")

    set_fixed_table(**by(made), entry=cast.entry(made, "Farah"), number=1)

    after = seats_of(made, "Farah")
    assert (after[1], after[2]) == (before[1], before[2])
    assert {table for number, (table, _seat) in after.items() if number > 2} == {1}  # type: ignore[misc]
    assert [seat for _table, seat in after.values()] == [seat for _table, seat in before.values()]  # type: ignore[misc]
    with pytest.raises(Refused, match="Choose table 1 to 3"):
        set_fixed_table(**by(made), entry=cast.entry(made, "Zoë"), number=4)


def test_a_table_that_is_fixed_before_the_start_is_kept_by_the_draw() -> None:
    made = cast.tournament(12)
    set_fixed_table(**by(made), entry=cast.entry(made, "Farah"), number=2)
    start(tournament=made, by=made.owner)
    assert {table for table, _seat in seats_of(made, "Farah").values()} == {2}  # type: ignore[misc]


def test_two_who_must_not_meet_are_at_different_tables_of_the_next_round(race: Tournament) -> None:
    later = drawn_and_waiting(race)
    one, other = later.tables.order_by("number")[0].seats.order_by("number")[:2]

    keep_apart(**by(race), entry=one.entry, other=other.entry)

    tables = dict(later.seats.values_list("entry", "table__number"))
    assert tables[one.entry.pk] != tables[other.entry.pk]
    keep_apart(**by(race), entry=other.entry, other=one.entry, apart=False)
    assert not KeptApart.objects.exists()


def test_nobody_is_kept_apart_in_pairs() -> None:
    made = cast.tournament()
    with pytest.raises(Refused, match="no two can be separated"):
        keep_apart(**by(made), entry=cast.entry(made, "Farah"), other=cast.entry(made, "Zoë"))


def test_a_single_bye_is_given_its_points() -> None:
    made = cast.play(cast.tournament(9), rounds=1)
    sits_out = made.rounds.get(number=1).seats.get(table=None).entry
    value_bye(**by(made), entry=sits_out, round_number=1, points=120, reason="The average")
    value_bye(**by(made), entry=sits_out, round_number=1, points=100, reason="A better average")

    [points] = Adjustment.objects.filter(voided_at=None)
    assert (points.kind, points.points, points.reason) == ("bye", 100, "A better average")
    assert Adjustment.objects.count() == 2
    with pytest.raises(Refused, match="has no bye in round 2"):
        value_bye(**by(made), entry=sits_out, round_number=2, points=100, reason="")
    value_bye(**by(made), entry=sits_out, round_number=1, points=0, reason="")
    assert not Adjustment.objects.filter(voided_at=None).exists()


# --- the pages -------------------------------------------------------------------------------------------------------


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def preview(client: Client, url: str, **fields: Any) -> dict[str, Any]:
    """The form of the preview that answers a POST, as the button would send it. Nothing was changed by it."""
    made = LogEntry.objects.count()
    answer = client.post(url, fields)
    assert answer.status_code == 200, text_of(answer)
    assert LogEntry.objects.count() == made
    return {**dict(answer.context["sent"]), "shown": answer.context["moves"].digest}


def test_an_organiser_lets_somebody_in_sees_before_who_sits_elsewhere_and_undoes_it(olga: Client) -> None:
    made = cast.play(cast.tournament(), rounds=2)
    before = whole_seating(made)
    page = f"/t/{made.slug}/day/late/"
    assert "Add a player" in text_of(olga.get(page))

    shown = olga.post(page, {"name": "Gül", "club": "Café Ludo"})
    assert shown.status_code == 200
    assert "Add Gül" in text_of(shown)
    assert {move.round for move in shown.context["moves"].reseated} == {4, 5, 6, 7}
    assert whole_seating(made) == before

    sent = preview(olga, page, name="Gül", club="Café Ludo")
    assert olga.post(page, sent).status_code == 302
    assert set(seats_of(made, "Gül")) == {4, 5, 6, 7}
    after = text_of(olga.get(page))
    assert "Late entry, round 3" in after

    undo = f"/t/{made.slug}/day/events/{EntryEvent.objects.get().pk}/undo/"
    assert olga.post(undo).status_code == 302
    assert whole_seating(made) == before
    assert "Joined and left" not in text_of(olga.get(page))


def test_names_on_the_page_of_late_entries_are_escaped(olga: Client, pairs: Tournament) -> None:
    name = "<b>Gül</b>"
    enter_late(**by(pairs), name=name)
    set_fixed_table(**by(pairs), entry=cast.entry(pairs, name), number=1)
    shown = text_of(olga.get(f"/t/{pairs.slug}/day/late/"))
    assert name not in shown
    assert escape(name) in shown


def test_the_page_of_late_entries_shows_who_left_stands_in_plays_for_others_and_sits_at_a_fixed_table(
    olga: Client, pairs: Tournament
) -> None:
    farah, zoe = cast.entry(pairs, "Farah"), cast.entry(pairs, "Zoë")
    drop_out(**by(pairs), entry=farah, reason="Unwell")
    substitute(**by(pairs), entry=zoe, name="Gül")
    set_fixed_table(**by(pairs), entry=zoe, number=2)
    page = text_of(olga.get(f"/t/{pairs.slug}/day/late/"))
    assert "Withdrew, round 2" in page and "Unwell" in page
    assert "They fill empty seats and aren’t ranked." in page
    assert "Gül for Zoë" in page and f"/people/{zoe.public_id}/?do=end-substitute" in page
    assert "Sits at table 2" in page and f"/people/{zoe.public_id}/?do=table" in page
    undo = f"/t/{pairs.slug}/day/events/{EntryEvent.objects.get().pk}/undo/"
    back = olga.post(undo, headers={"Referer": f"http://testserver/t/{pairs.slug}/day/late/"})
    assert back["Location"] == f"/t/{pairs.slug}/day/late/"
    assert "Joined and left" not in text_of(olga.get(f"/t/{pairs.slug}/day/late/"))


def test_addresses_of_earlier_releases_lead_to_the_pages_of_today(olga: Client, pairs: Tournament) -> None:
    farah = cast.entry(pairs, "Farah").public_id
    moved = {"day/": "manage/", f"day/players/{farah}/": f"people/{farah}/", "adjustments/": "standings/"}
    for old, new in moved.items():
        answer = olga.get(f"/t/{pairs.slug}/{old}")
        assert (answer.status_code, answer["Location"]) == (301, f"/t/{pairs.slug}/{new}")


def test_before_the_start_nobody_is_late_and_the_page_says_what_to_do(olga: Client) -> None:
    made = cast.tournament()
    assert "Change the list of players instead" in text_of(olga.get(f"/t/{made.slug}/day/late/"))
    answer = olga.post(f"/t/{made.slug}/day/late/", {"name": "Gül"})
    assert answer.status_code == 409


def test_every_page_shows_who_stands_in_who_left_and_who_came(olga: Client, pairs: Tournament) -> None:
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))
    substitute(**by(pairs), entry=cast.entry(pairs, "Zoë"), name="Hana")
    cast.play(pairs, rounds=2)
    enter_late(**by(pairs), name="Gül")
    enter_late(**by(pairs), name="Ivo")
    cast.play(pairs, rounds=4)
    pages = (
        "",
        "seating/",
        "standings/",
        "bracket/",
        "hands/",
        "fairness/",
        "players/",
        "rounds/",
        "log/",
        "check-in/",
    )
    for page in (*pages, "standings.csv", "seating.csv", "fairness.csv", "prints/standings.pdf", "prints/by-table.pdf"):
        assert olga.get(f"/t/{pairs.slug}/{page}").status_code == 200, page
    for one in pairs.entries.all():
        assert olga.get(f"/t/{pairs.slug}/players/{one.public_id}/").status_code == 200
    assert "withdrew after round 1" in text_of(olga.get(f"/t/{pairs.slug}/standings/"))
    assert "9 players" in text_of(olga.get(f"/t/{pairs.slug}/standings/"))  # without Farah
    roster = [row["name"] for row in exports.EXPORTS["players"].rows(pairs, exports.Wanted())]
    assert roster == [*cast.CAST, "Gül", "Ivo"]


def test_the_name_of_a_substitute_is_erased_from_the_seats_the_hands_and_the_log(
    olga: Client, pairs: Tournament
) -> None:
    farah = cast.entry(pairs, "Farah")
    substitute(**by(pairs), entry=farah, name="Gül")
    at = pairs.rounds.get(number=2).seats.get(entry=farah).table
    assert at is not None
    cast.record(at, 1)
    drop_out(**by(pairs), entry=cast.entry(pairs, "Zoë"), reason="Gül took the car")
    person = Player.objects.get(name="Gül")
    url = f"/t/{pairs.slug}/day/substitutes/{person.pk}/erase/"

    assert olga.post(url, {"name": "gul"}).status_code == 302

    person.refresh_from_db()
    assert person.name.startswith("Player ")
    rows = pairs.log.values_list("old", "new", "reason")
    assert not any("Gül" in str(row) for row in rows)
    assert not EntryEvent.objects.filter(reason__contains="Gül").exists()
    played_by = {row["played_by"] for row in exports.EXPORTS["hands"].rows(pairs, exports.Wanted(round=2))}
    assert played_by == {None, person.name}
    assert verify(pairs)[0] == []


def test_after_the_end_the_pages_say_that_the_tournament_can_be_reopened(olga: Client) -> None:
    made = cast.play(cast.tournament(rounds=1))
    cast.go_on(made)
    assert "The standings are final. Reopen the tournament to change them." in text_of(
        olga.get(f"/t/{made.slug}/day/late/")
    )
    assert "Reopen the tournament under Now" in text_of(olga.get(f"/t/{made.slug}/manage/"))


def test_a_stand_in_with_points_beside_the_hands_stays_on_the_list_when_nobody_needs_them() -> None:
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    left = drop_out(tournament=made, entry=cast.entry(made, "Zoë"), by=made.owner)
    stand_in = made.entries.get(status=Entry.Status.STANDIN)
    adjust(tournament=made, entry=stand_in, points=10, reason="Helped", round_number=1, by=made.owner)
    undo_event(tournament=made, event=left, by=made.owner)
    assert cast.entry(made, "Zoë").status == Entry.Status.ACTIVE
    assert made.entries.filter(pk=stand_in.pk).exists() and not stand_in.seats.exists()
