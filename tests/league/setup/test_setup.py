"""Making a tournament through its pages: what is taken, what is refused, and what stays on the form."""

import os
import random
import re
from datetime import date, time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from league.access import tournament_for
from league.entries.list_order import move_entry, remove_entry, rename_entry, shuffle_order
from league.lib import csv
from league.lib.errors import Conflict
from league.models import Entry, LogEntry, Player, Tournament
from league.roles.roles import accept, invite
from league.rounds.adjustments import adjust
from league.rounds.draw import draw, draw_order
from league.rounds.steps import close_tournament
from league.setup.create import clone_tournament
from tests import cast
from tests.test_stories import CREATE

pytestmark = pytest.mark.django_db

EIGHT = "\n".join(cast.CAST)


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


def seen_in(page: str) -> str:
    """Return the field by which the next request tells that the list was shown."""
    [seen] = re.findall(r'name="seen" value="(\w+)"', page)
    return seen


def refused(client: Client, **changed: object) -> HttpResponse:
    """Post the form of a new tournament, which must be refused and leave nothing behind."""
    answer = client.post("/new/", CREATE | changed)
    assert answer.status_code == 422
    assert not Tournament.objects.exists() and not Player.objects.exists()
    return answer


def upload(text: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("players.csv", text.encode() if isinstance(text, str) else text)


def test_names_are_taken_from_a_chat_with_its_numbers_and_dashes(olga: Client) -> None:
    olga.post("/new/", CREATE | {"players": "1. Ana Lucía\n2) Benoît\n- Chidi\n• Đorđe\n\n"})
    assert [str(entry) for entry in Entry.objects.all()] == ["Ana Lucía", "Benoît", "Chidi", "Đorđe"]


def test_all_settings_arrive(olga: Client) -> None:
    olga.post(
        "/new/", CREATE | {"players": EIGHT, "edition": "harry-potter-fr", "rounds": "5", "visibility": "unlisted"}
    )
    made = Tournament.objects.get()
    stage = made.stages.get()
    assert (made.name, made.place, made.time_zone) == ("Autumn Pairs", "Café Ludo", "Europe/Paris")
    assert (made.starts_on, made.starts_at, made.visibility) == (date(2026, 11, 24), time(19), "unlisted")
    assert (stage.edition, stage.values["rounds"], stage.hands_per_round) == ("harry-potter-fr", 5, 4)
    assert made.slug.startswith("autumn-pairs-") and len(made.slug) == len("autumn-pairs-") + 12


def test_only_day_and_month_of_a_birthday_are_kept(olga: Client) -> None:
    people = "name;birthday\nAna;1991-07-30\nBenoît;\nChidi;14.02.\nĐorđe;12-05\n"
    olga.post("/new/", CREATE | {"players_file": upload("\ufeff" + people)})
    birthdays = {player.name: player.birthday for player in Player.objects.all()}
    assert birthdays == {"Ana": (7, 30), "Benoît": None, "Chidi": (2, 14), "Đorđe": (12, 5)}


def test_every_faulty_line_is_named_at_once_and_what_was_typed_stays(olga: Client) -> None:
    typed = f"Name,Club\nAna,{'x' * 81}\nBen,a,b\nChidi,\x07\nZoë,\n"
    page = refused(olga, players=typed).content.decode()
    for part in ("Line 2, club", "Line 3", "Line 4, club"):
        assert part in page
    assert "Ben,a,b" in page
    assert 'value="Café Ludo"' in page
    # The sentence at the field leads to where they are.
    assert page.index("Lines to fix") < page.index("Correct these lines")


@pytest.mark.parametrize("players", [1, 2, 3, 44, 1000])
def test_a_number_of_players_that_no_schedule_fits_is_refused_with_what_is_possible(olga: Client, players: int) -> None:
    page = refused(olga, players="\n".join(f"Player {number}" for number in range(players))).content.decode()
    assert "Individual pairs need 4 to 43" in page
    assert f"not {players}." in page


def test_a_tournament_can_be_made_before_anybody_is_known(olga: Client) -> None:
    answer = olga.post("/new/", CREATE)
    made = Tournament.objects.get()
    assert answer.headers["Location"] == f"/t/{made.slug}/players/"
    assert "The list is empty" in olga.get(f"/t/{made.slug}/").content.decode()


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "a\x07b", "characters that can’t be shown"),
        ("time_zone", "Mars/Olympus", "Choose a time zone from the list"),
        ("starts_on", "0026-11-24", "Choose a day between 2000 and 2100."),
        ("starts_on", "tomorrow", "Enter a valid date."),
        ("edition", "uno-2099", "Select a valid choice."),
        ("hands_per_round", "0", "Hands a round: choose 1 to 20, not 0."),
        ("hands_per_round", "four", "Enter a whole number."),
        ("rounds", "8", "Individual pairs with 8 players have 1 to 7 rounds"),
        ("format", "chess", "Select a valid choice."),
    ],
)
def test_a_wrong_field_is_refused_with_a_sentence(olga: Client, field: str, value: str, sentence: str) -> None:
    assert sentence in refused(olga, **{"players": EIGHT, field: value}).content.decode()


def test_a_file_and_a_list_together_are_refused(olga: Client) -> None:
    assert "Use one of the two." in refused(olga, players=EIGHT, players_file=upload(EIGHT)).content.decode()


@pytest.mark.parametrize("data", [b"name\n\xff\xfe", b"PK\x03\x04zip", b"name\n" + b"x" * 1_100_000])
def test_a_file_that_is_no_list_is_refused(olga: Client, data: bytes) -> None:
    refused(olga, players_file=upload(data))


def test_an_older_file_is_shown_as_it_was_read_and_counts_when_it_is_sent_again(olga: Client) -> None:
    page = refused(olga, players_file=upload(EIGHT.replace("Đorđe", "José").encode("cp1252"))).content.decode()
    assert "The file has an old encoding (cp1252). Check the marked names." in page
    [read] = re.findall(r"<textarea[^>]*>\s*(.*?)</textarea>", page, re.S)
    olga.post("/new/", CREATE | {"players": read})
    assert "Zoë" in [str(entry) for entry in Tournament.objects.get().entries.all()]


def test_a_table_without_headings_is_asked_about_and_the_answer_counts(olga: Client) -> None:
    table = "Lyon;Ana\nNice;Benoît\nLyon;Chidi\nPau;Zoë"
    page = refused(olga, players_file=upload(table)).content.decode()
    assert page.count('name="use"') == 2 and '<option value="name" selected>Name</option>' in page
    olga.post("/new/", CREATE | {"players": table, "use": ["club", "name"], "seen": seen_in(page)})
    assert [str(entry) for entry in Tournament.objects.get().entries.all()] == ["Ana", "Benoît", "Chidi", "Zoë"]


def test_two_of_the_same_name_are_shown_first_and_then_both_taken(olga: Client) -> None:
    listed = EIGHT + "\nzoë"
    page = refused(olga, players=listed).content.decode()
    assert "“Zoë” is on lines 8, 9," in page
    olga.post("/new/", CREATE | {"players": listed, "seen": seen_in(page)})
    assert Tournament.objects.get().entries.count() == 9


def test_the_evening_is_counted_while_the_names_come_in(olga: Client) -> None:
    page = olga.post("/new/evening/", CREATE | {"players": EIGHT}).content.decode()
    for fact in ("8, no byes", "2 of 4", "28 for each player", "2 h 48", "21:48"):
        assert fact in page
    assert "1 bye a round" in olga.post("/new/evening/", CREATE | {"players": EIGHT + "\nIngrid"}).content.decode()
    assert "not 3." in olga.post("/new/evening/", CREATE | {"players": "a\nb\nc"}).content.decode()


def test_formulas_in_every_text_field_are_shown_as_text(olga: Client) -> None:
    nasty = '=HYPERLINK("#x")<script>alert(1)</script>'  # a name can hold no link
    answer = olga.post("/new/", CREATE | {"name": nasty, "place": nasty, "players": "\n".join([*cast.CAST, nasty])})
    assert answer.status_code == 302
    made = Tournament.objects.get()
    for page in ("", "players/", "settings/", "log/"):
        assert "<script>alert" not in olga.get(f"/t/{made.slug}/{page}").content.decode()


@pytest.mark.slow
def test_mutated_csv_files_never_break_the_page_and_save_nothing_when_refused(olga: Client) -> None:
    good = csv.text(
        ("name", "club", "email", "birthday"),
        [
            {"name": name, "club": "Smith, Sons & Co", "email": "a@example.org", "birthday": "07-30"}
            for name in cast.CAST
        ],
    ).encode()
    rng = random.Random(20)
    outcomes = {302: 0, 422: 0}
    for _file in range(int(os.environ.get("WILD_FUZZ") or 100)):
        data = bytearray(good)
        for _change in range(rng.randint(1, 6)):
            at = rng.randrange(len(data))
            kind = rng.randrange(4)
            if kind == 0:
                data[at] = rng.randrange(256)
            elif kind == 1:
                del data[at : at + rng.randint(1, 8)]
            elif kind == 2:
                data[at:at] = bytes(rng.choice([b'"', b",", b"\r\n", b"\x00", b"\xef\xbb\xbf", b";", b"=", b"name"]))
            else:
                data[at:at] = data[max(0, at - 20) : at]
        before = Tournament.objects.count(), Player.objects.count()
        answer = olga.post("/new/", CREATE | {"players_file": upload(bytes(data) or b" ")})
        outcomes[answer.status_code] += 1
        if answer.status_code == 422:
            assert (Tournament.objects.count(), Player.objects.count()) == before
    assert outcomes[302] and outcomes[422]


def test_the_order_is_by_hand_or_shuffled_by_a_stored_seed() -> None:
    made = cast.tournament()
    move_entry(tournament=made, entry=cast.entry(made, "Zoë"), up=True, by=None)
    assert [str(one) for one in made.entries.all()][-2:] == ["Zoë", "Xiaoming"]
    shuffle_order(tournament=made, shuffled=True, by=None)
    stage = made.stages.get()
    shuffled = draw_order(stage, list(made.entries.all()))
    assert stage.order_seed
    assert [str(one) for one in shuffled] != [str(one) for one in made.entries.all()]
    assert draw_order(stage, list(reversed(shuffled))) == shuffled
    draw(tournament=made, by=None)
    assert LogEntry.objects.filter(tournament=made, action="draw").get().new["order_seed"] == stage.order_seed


def test_a_player_can_be_renamed_at_any_time_and_removed_before_the_start(olga: Client) -> None:
    made = cast.tournament()
    zoe = cast.entry(made, "Zoë")
    olga.post(f"/t/{made.slug}/players/{zoe.public_id}/edit/", {"name": "Zoë  van der Berg", "club": ""})
    assert str(Entry.objects.get(pk=zoe.pk)) == "Zoë van der Berg"
    olga.post(f"/t/{made.slug}/players/{zoe.public_id}/remove/")
    assert not Player.objects.filter(name__startswith="Zoë").exists()


def test_a_new_name_is_in_the_log_of_every_tournament_that_shows_it() -> None:
    made = cast.tournament()
    copy = clone_tournament(tournament=made, by=made.owner)
    rename_entry(entry=cast.entry(copy, "Zoë"), name="Zoé", club="", by=copy.owner)
    for one in (made, copy):
        row = LogEntry.objects.get(tournament=one, action="rename-player")
        assert (row.old["name"], row.new["name"]) == ("Zoë", "Zoé")
        assert row.new["player_id"] == cast.entry(one, "Zoé").public_id


def test_an_organiser_who_copies_a_tournament_takes_its_people_from_nobody() -> None:
    made, sven = cast.tournament(), cast.someone_else()
    invitation, _secret = invite(to=made, kind="organiser", by=made.owner)
    accept(invitation=invitation, user=sven)
    copy = clone_tournament(tournament=made, by=sven)
    assert copy.owner == made.owner
    assert tournament_for(sven, copy.slug).organises
    assert LogEntry.objects.get(tournament=copy).new["user"] == "Sven"
    assert clone_tournament(tournament=made, by=made.owner).roles.count() == 0


@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        ("2036-03-30", "Clocks go forward on 30 March 2036 in Europe/Paris, so 02:30 doesn’t exist"),
        ("2036-10-26", "Clocks go back on 26 October 2036 in Europe/Paris, so 02:30 comes twice"),
    ],
)
def test_a_start_that_the_clocks_skip_or_show_twice_is_refused_on_the_pages_too(
    olga: Client, day: str, sentence: str
) -> None:
    start = {"starts_on": day, "starts_at": "02:30"}
    answer = refused(olga, **start)
    assert answer.context["form"].errors["starts_at"][0].startswith(sentence)
    made = cast.tournament()
    details = {field: CREATE[field] for field in ("name", "place", "time_zone", "visibility")}
    answer = olga.post(f"/t/{made.slug}/settings/", {"form": "details", **details, **start})
    assert answer.status_code == 422 and sentence in answer.content.decode()
    made.refresh_from_db()
    assert str(made.starts_on) != day


def test_details_change_at_any_time(olga: Client) -> None:
    made = cast.play(cast.tournament(), rounds=1)
    details = {field: CREATE[field] for field in ("name", "place", "starts_on", "starts_at", "time_zone")}
    olga.post(f"/t/{made.slug}/settings/", {"form": "details", "visibility": "private", **details, "place": "Hall 2"})
    made.refresh_from_db()
    assert (made.place, made.visibility) == ("Hall 2", "private")
    assert LogEntry.objects.filter(tournament=made, action="settings").get().new["place"] == "Hall 2"


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_the_known_address_of_a_tournament_ends_when_it_is_public_no_longer(olga: Client, visibility: str) -> None:
    made = cast.play(cast.tournament(), rounds=1)
    assert Client().get("/t/autumn-pairs/standings/").status_code == 200
    details = {"form": "details", "name": made.name, "starts_on": "2026-11-24", "time_zone": "UTC"}
    page = olga.post("/t/autumn-pairs/settings/", details | {"visibility": visibility}, follow=True)
    assert "The address is another one now" in page.content.decode()
    made.refresh_from_db()
    assert made.slug.startswith("autumn-pairs-")
    assert page.redirect_chain == [(f"/t/{made.slug}/settings/", 302)]
    assert {Client().get(f"/t/autumn-pairs/{at}").status_code for at in ("", "standings/", "hands.csv")} == {404}
    stays = made.slug
    olga.post(f"/t/{stays}/settings/", details | {"visibility": "public"})
    assert olga.get(f"/t/{stays}/").status_code == 200


def test_names_without_latin_letters_get_an_address_too() -> None:
    made = cast.create(name="王小明杯")
    assert made.slug
    again = cast.create(name="王小明杯")
    assert again.slug != made.slug


def test_a_file_stays_on_the_form_as_text_when_another_field_is_refused(olga: Client) -> None:
    page = refused(olga, players_file=upload(f"name\n{EIGHT}"), time_zone="Mars").content.decode()
    assert "Đorđe\nÉmilie" in page


def test_the_evening_is_counted_from_a_file_too(olga: Client) -> None:
    assert "8, no byes" in olga.post("/new/evening/", CREATE | {"players_file": upload(EIGHT)}).content.decode()


def test_a_player_with_points_beside_the_hands_stays_on_the_list(olga: Client) -> None:
    made = cast.tournament()
    zoe = cast.entry(made, "Zoë")
    adjust(tournament=made, entry=zoe, points=5, reason="Came late", round_number=None, by=cast.organiser())
    page = olga.post(f"/t/{made.slug}/players/{zoe.public_id}/remove/", follow=True).content.decode()
    assert "Zoë has points adjustments" in page
    assert made.entries.count() == 8


def test_who_was_taken_off_the_list_meanwhile_is_named_as_gone() -> None:
    made = cast.tournament()
    zoe = cast.entry(made, "Zoë")
    remove_entry(tournament=made, entry=cast.entry(made, "Zoë"), by=None)
    for again in (
        lambda: remove_entry(tournament=made, entry=zoe, by=None),
        lambda: move_entry(tournament=made, entry=zoe, up=True, by=None),
        lambda: rename_entry(entry=zoe, name="Zoe", club="", by=None),
        lambda: adjust(tournament=made, entry=zoe, points=5, reason="Late", round_number=None, by=None),
    ):
        with pytest.raises(Conflict, match="no longer on the list"):
            again()
    assert LogEntry.objects.filter(tournament=made).count() == 2


@pytest.mark.parametrize("name", ["\u200b", "\u202e", "\x85\x9f", "a\x00b"])
def test_a_name_that_nobody_could_see_is_refused_everywhere(olga: Client, name: str) -> None:
    made = cast.tournament()
    zoe = cast.entry(made, "Zoë")
    assert olga.post(f"/t/{made.slug}/players/{zoe.public_id}/edit/", {"name": name}).status_code == 422
    assert olga.post("/new/", CREATE | {"name": name}).status_code == 422
    assert str(Entry.objects.get(pk=zoe.pk)) == "Zoë"


def test_a_zero_byte_in_an_address_is_no_such_page(olga: Client) -> None:
    made = cast.tournament()
    for address in ("players/%00/", "players/%00.csv", "players/%00/edit/"):
        assert olga.get(f"/t/{made.slug}/{address}").status_code == 404


def test_a_zero_byte_in_a_reason_is_left_out(olga: Client) -> None:
    made = cast.play(cast.tournament(4, rounds=1))
    close_tournament(tournament=made, by=made.owner)
    assert olga.post(f"/t/{made.slug}/reopen/", {"reason": "Hand 2\0 was wrong"}).status_code == 302
    assert LogEntry.objects.get(tournament=made, action="reopen").reason == "Hand 2 was wrong"


def test_an_empty_list_begins_with_what_to_do_and_not_with_numbers(olga: Client) -> None:
    made = cast.tournament(0)
    for page in ("", "players/"):
        html = olga.get(f"/t/{made.slug}/{page}").content.decode().partition("The list is empty")[2]
        assert 0 < html.index("Add ") < html.find(" need", 0) % 10**9, page
