"""Records that are probably one person: which pairs are offered, joining several at once, undoing, new people."""

import re
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from league.access.signed_links import player_token
from league.clubs.entry_person import link_entry, split_entry
from league.clubs.members import add_members
from league.clubs.same_people import CannotJoin, join_pairs, probable_pairs, undo_form
from league.entries.list_order import add_entries
from league.entries.roster.parse import parse
from league.entries.roster.rows import RosterRow
from league.entries.sign_up import rename_sign_up
from league.erasure.erase import erase_player
from league.lib.errors import Conflict, Refused
from league.log.audit import verify
from league.models import Club, ClubLogEntry, Entry, LogEntry, Merge, Player, Role, SignUp, Tournament
from league.roles.claims import claim
from league.seasons.seasons import create_season, put_in_season
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db

KEY = "0123456789abcdef"


@pytest.fixture
def club() -> Club:
    return cast.club()


@pytest.fixture
def olga(club: Club) -> Client:
    client = Client()
    client.force_login(club.owner)
    return client


def event(club: Club | None, *guests: str, day: int = 1, **more: object) -> Tournament:
    """An event with these people on its list, each a new record: as lists were read before names met anyone."""
    wanted = {"format": "points", "name": f"Event {day}", "starts_on": date(2026, 11, day)} | more
    made = cast.tournament([], club=club, **wanted)
    for number, name in enumerate(guests, 1):
        Entry.objects.create(tournament=made, player=Player.objects.create(name=name), number=number)
    return made


def person(made: Tournament, name: str) -> Player:
    return made.entries.get(player__name=name).player


def in_words(club: Club) -> list[tuple[str, str, str]]:
    """[(who stays, who goes, why the pair is not ticked)]"""
    return [
        (pair.target.player.name, pair.source.player.name, pair.problem or pair.doubt) for pair in probable_pairs(club)
    ]


def keys_of(club: Club) -> list[str]:
    return [pair.key for pair in probable_pairs(club) if pair.is_probable]


def join(club: Club, key: str = "") -> list[Merge]:
    pairs = [pair.public_ids for pair in probable_pairs(club) if pair.is_probable]
    return join_pairs(club=club, pairs=pairs, by=club.owner, form_key=key)


# --- which pairs are offered


def test_names_that_differ_in_case_accents_spaces_and_order_are_pairs(club: Club) -> None:
    event(club, "Chloé Martin", "Dorde Petrovic", "Ann  Schmidt", "Bo")
    event(club, "Martin, Chloé", "Đorđe Petrović", "ann schmidt", "Bea", day=2)
    assert in_words(club) == [
        ("Ann  Schmidt", "ann schmidt", ""),
        ("Chloé Martin", "Martin, Chloé", ""),
        ("Dorde Petrovic", "Đorđe Petrović", ""),
    ]


def test_the_member_stays_and_else_the_record_with_more_events(club: Club) -> None:
    event(club, "ANN")
    cid = person(event(club, "CID"), "CID")
    for day in (2, 3):
        made = event(club, "ann", "cid", day=day)
        Entry.objects.filter(tournament=made, player__name="cid").update(
            player=Player.objects.filter(name="cid").earliest("pk")
        )
    add_members(club=club, players=parse("Ann").rows, by=club.owner)
    pairs = probable_pairs(club)
    assert {pair.target.player.name for pair in pairs} == {"Ann", "cid"}
    assert [pair.source.player for pair in pairs if pair.target.player.name == "cid"] == [cid]


def test_two_who_played_in_one_event_stay_two_and_the_page_says_so(club: Club, olga: Client) -> None:
    event(club, "Jan", "jan", day=7)
    assert in_words(club) == [("Jan", "jan", "Both played on 7 November")]
    page = olga.get(f"/clubs/{club.slug}/same-people/").content.decode()
    assert "Both played on 7 November" in page and "1 pair stays separate." in page and "Merge the ticked" not in page
    assert re.search(r'name="pair"[^>]*disabled', page)


def test_a_third_record_may_be_either_of_two_and_is_not_ticked(club: Club) -> None:
    event(club, "Jan", "jan", day=7)
    event(club, "JAN", day=8)
    remarks = sorted(remark for _kept, _gone, remark in in_words(club))
    assert remarks == ["Both played on 7 November", *["Two people have this name"] * 2]


def test_other_clubs_addresses_and_public_sign_ups_are_not_ticked(club: Club) -> None:
    first, second = event(club, "Ann", "Bob", "Cid", "Dot"), event(club, "Ann", "Bob", "Cid", "Dot", day=2)
    for made, club_name, email in ((first, "SV", "one@example.org"), (second, "TSV", "two@example.org")):
        Player.objects.filter(pk=person(made, "Ann").pk).update(club_name=club_name)
        Player.objects.filter(pk=person(made, "Bob").pk).update(email=email)
        Player.objects.filter(pk=person(made, "Dot").pk).update(email="dot@example.org")
        SignUp.objects.create(tournament=made, name="Dot", email="dot@example.org", entry=cast.entry(made, "Dot"))
    SignUp.objects.create(tournament=second, name="Cid", language="en", entry=cast.entry(second, "Cid"))
    assert [remark for _kept, _gone, remark in in_words(club)] == [
        "Different clubs",
        "Different addresses",
        "Signed up on the public page",
        "",
    ]


def test_erased_people_teams_places_without_names_and_people_of_others_are_no_pairs(club: Club) -> None:
    first = event(club, "Ann", "Player 1", "Bob")
    event(club, "Ann", "Player 1", day=2)
    erase_player(player=person(first, "Ann"), by=club.owner)
    other = cast.club(name="Mira")
    add_members(club=other, players=parse("Bob").rows, by=other.owner)
    event(None, "Bob")
    assert in_words(club) == []


def test_the_member_with_an_account_stays_so_that_no_account_moves(club: Club) -> None:
    for name in ("Lee Ann", "Ann Lee"):
        Player.objects.create(club=club, name=name)
    claim(player=cast.member(club, "Ann Lee"), user=cast.someone_else())
    [done] = join(club)
    assert done.kept.name == "Ann Lee" and not done.moved["claimed"]


# --- joining


def test_three_records_of_one_person_become_one(club: Club) -> None:
    events = [event(club, name, day=day) for day, name in enumerate(("Ann", "ann", "ANN"), 1)]
    assert len(join(club)) == 2
    assert {made.entries.get().player_id for made in events} == {Player.objects.get(name="Ann").pk}
    # Pairs that hang together in a chain come to the same.
    more = [event(club, name, day=day) for day, name in enumerate(("Bob", "bob", "BOB"), 4)]
    one, two, three = (made.entries.get().player.public_id for made in more)
    assert len(join_pairs(club=club, pairs=[(three, two), (two, one)], by=club.owner)) == 2
    assert {made.entries.get().player.name for made in more} == {"Bob"}


def test_one_press_joins_all_and_a_second_press_joins_nothing_and_says_what_was_done(club: Club, olga: Client) -> None:
    event(club, "Ann", "Bob")
    event(club, "ann", "bob", day=2)
    here = f"/clubs/{club.slug}/same-people/"
    page = olga.get(here).content.decode()
    assert "2 possible duplicates. 2 are ticked." in page
    ticks = {"pair": keys_of(club), "form_key": KEY}
    for _press in range(2):
        answer = olga.post(here, ticks, follow=True)
        assert "2 pairs merged: Ann and Bob." in said(answer)
    assert Merge.objects.count() == 2
    assert f"{here}{KEY}/undo/" in answer.content.decode()
    assert ClubLogEntry.objects.filter(action="merge").count() == 2
    assert LogEntry.objects.filter(action="merge-player").count() == 2
    answer = olga.post(f"{here}{KEY}/undo/", follow=True)
    assert "Separate again: bob and ann." in said(answer)
    assert Player.objects.exclude(merged_into=None).count() == 0
    # The first form once more: it doesn't join again what was undone.
    assert "Merged, then undone" in said(olga.post(here, ticks, follow=True))
    assert Player.objects.exclude(merged_into=None).count() == 0
    # Pairs whose joining was undone are offered without a tick, and the note above a table leaves them out.
    assert {remark for _kept, _gone, remark in in_words(club)} == {"Merged before, then undone"}
    assert [pair.is_open for pair in probable_pairs(club)] == [False, False]


def test_a_second_tab_says_that_its_pairs_were_joined_before(club: Club, olga: Client) -> None:
    event(club, "Ann")
    event(club, "ann", day=2)
    here = f"/clubs/{club.slug}/same-people/"
    ticks = {"pair": keys_of(club)}
    olga.post(here, ticks | {"form_key": KEY})
    answer = olga.post(here, ticks | {"form_key": KEY[::-1]}, follow=True)
    assert "These people are already merged." in said(answer) and Merge.objects.count() == 1


def test_one_pair_that_cannot_be_joined_stops_all_and_the_ticks_stay(club: Club, olga: Client) -> None:
    event(club, "Ann", "Bob", "Cid")
    second = event(club, "ann", "bob", "cid", day=2)
    ticked = keys_of(club)[:2]
    third = event(club, day=3)
    for name in ("Bob", "bob"):
        Entry.objects.create(tournament=third, player=Player.objects.get(name=name), number=1)
    answer = olga.post(f"/clubs/{club.slug}/same-people/", {"pair": ticked, "form_key": KEY})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "bob can’t be merged with Bob" in page and "Event 3" in page
    assert "This pair can’t be merged." in page
    assert re.findall(r'value="([\w-]+)"\s+checked', page) == ticked[:1]  # Bob's tick is not possible any more
    assert not Merge.objects.exists() and person(second, "ann").merged_into is None


def test_a_form_without_a_tick_changes_nothing(club: Club, olga: Client) -> None:
    event(club, "Ann")
    event(club, "ann", day=2)
    answer = olga.post(f"/clubs/{club.slug}/same-people/", {"form_key": KEY})
    assert answer.status_code == 422 and "Tick at least one pair." in said(answer)
    assert olga.post(f"/clubs/{club.slug}/same-people/", {"pair": ["\0-x", "a-b-c"]}).status_code == 422


def test_people_who_are_not_of_the_club_cannot_be_joined(club: Club, olga: Client) -> None:
    ann = event(club, "Ann").entries.get().player
    stranger = event(None, "Ann", day=2).entries.get().player
    other = cast.club(name="Mira")
    [member] = add_members(club=other, players=parse("Ann").rows, by=other.owner)
    for someone in (stranger, member):
        answer = olga.post(
            f"/clubs/{club.slug}/same-people/", {"pair": f"{ann.public_id}-{someone.public_id}", "form_key": KEY}
        )
        assert answer.status_code == 409
    assert not Merge.objects.exists()


def test_a_guest_who_plays_where_the_organiser_runs_nothing_is_not_joined(club: Club) -> None:
    event(club, "Ann")
    guest = event(club, "ann", day=2).entries.get().player
    foreign = event(None, day=3, owner=cast.someone_else())
    Entry.objects.create(tournament=foreign, player=guest, number=1)
    helper = cast.organiser("helga@example.org")
    club.roles.create(user=helper, kind="organiser")
    pairs = [pair.public_ids for pair in probable_pairs(club)]
    with pytest.raises(CannotJoin) as refused:
        join_pairs(club=club, pairs=pairs, by=helper)
    assert refused.value.code == "not-yours"


def test_undoing_all_is_refused_as_a_whole_once_one_of_them_was_erased(club: Club) -> None:
    event(club, "Ann", "Bob")
    event(club, "ann", "bob", day=2)
    join(club, KEY)
    erase_player(player=Player.objects.get(name="Ann"), by=club.owner)
    with pytest.raises(Conflict):
        undo_form(club=club, form_key=KEY, by=club.owner)
    assert Player.objects.get(name="bob").merged_into is not None


def test_joined_guests_are_erased_together_and_the_logs_too(club: Club) -> None:
    first, second = event(club, "Chloé Martin"), event(club, "Martin, Chloé", day=2)
    join(club)
    erase_player(player=Player.objects.get(name="Chloé Martin"), by=club.owner)
    rows = [*LogEntry.objects.values_list("old", "new"), *ClubLogEntry.objects.values_list("old", "new")]
    assert "Martin" not in str(rows) and "Martin" not in str(Player.objects.values_list("name"))
    assert verify(first)[0] == [] and verify(second)[0] == []


# --- accounts, roles and links


def test_a_stranger_who_signs_up_under_a_members_name_gains_nothing_when_joined(club: Club, client: Client) -> None:
    [ann] = add_members(club=club, players=[RosterRow(1, "Ann", email="ann@example.org")], by=club.owner)
    made = event(club, "Ann")
    entry = made.entries.get()
    SignUp.objects.create(tournament=made, name="Ann", email="stranger@example.org", language="en", entry=entry)
    [pair] = probable_pairs(club)
    assert not pair.is_probable
    join_pairs(club=club, pairs=[pair.public_ids], by=club.owner)
    assert made.entries.get().player == ann
    client.force_login(cast.someone_else())
    client.post(f"/me/{player_token(made.entries.get())}/")
    assert client.post(f"/clubs/{club.slug}/players/{ann.public_id}/claim/").status_code == 404
    ann.refresh_from_db()
    assert ann.user is None


def test_a_stranger_whose_sign_up_was_joined_cannot_rename_the_member(club: Club) -> None:
    [ann] = add_members(club=club, players=parse("Ann").rows, by=club.owner)
    made = event(club, "Ann")
    state = SignUp.State.PLACED
    signed = SignUp.objects.create(
        tournament=made, name="Ann", email="stranger@example.org", entry=made.entries.get(), state=state
    )
    join_pairs(club=club, pairs=[(ann.public_id, made.entries.get().player.public_id)], by=club.owner)
    with pytest.raises(Refused, match="Ask the organiser to correct your name"):
        rename_sign_up(sign_up=signed, name="Mallory", club="")
    ann.refresh_from_db()
    assert ann.name == "Ann"


def test_no_account_and_no_role_moves_with_a_guest(club: Club) -> None:
    [ann] = add_members(club=club, players=parse("Ann").rows, by=club.owner)
    made = event(club, "Ann")
    entry, sven = made.entries.get(), cast.someone_else()
    role = Role.objects.create(tournament=made, user=sven, kind=Role.Kind.PLAYER, entry=entry)
    Player.objects.filter(pk=entry.player_id).update(user=sven)
    join_pairs(club=club, pairs=[(ann.public_id, entry.player.public_id)], by=club.owner)
    ann.refresh_from_db()
    role.refresh_from_db()
    assert ann.user is None and (role.user, role.entry) == (sven, entry)
    client = Client()
    client.force_login(sven)
    assert client.post(f"/clubs/{club.slug}/players/{ann.public_id}/claim/").status_code == 404


# --- the note, the page and the command


def test_the_note_above_a_table_is_for_those_who_keep_the_members(club: Club, olga: Client, client: Client) -> None:
    season = create_season(club=club, by=club.owner, name="Season 2026")
    event(club, "Dot", day=1)  # of no season
    event(club, "dot", day=2)
    event(club, "Ann", day=4)  # an earlier guest of the club
    made = cast.tournament(parse("ann\nBo\nCy\nDi").rows, club=club, format="points", rounds=1)
    Entry.objects.filter(tournament=made, player__name="Ann").update(player=Player.objects.create(name="ann"))
    put_in_season(tournament=made, season=season, by=club.owner)
    cast.play(made)
    address = f"/clubs/{club.slug}/same-people/?season={season.slug}"
    page = olga.get(season.get_absolute_url()).content.decode()
    assert "1 possible duplicate" in page and address in page
    assert "possible duplicate" not in client.get(season.get_absolute_url()).content.decode()
    listed = said(olga.get(address))
    assert "1 possible duplicate." in listed and "Dot" not in listed
    members = olga.get(f"/clubs/{club.slug}/players/").content.decode()
    assert re.search(r'same-people/"[\s\S]{0,300}<span class="num">2</span>', members)
    assert client.get(address).status_code == 404


def test_the_command_lists_pairs_and_changes_nothing_without_a_yes(club: Club, monkeypatch) -> None:
    event(club, "Ann", "Jan", "jan", day=7)
    event(club, "ann", day=8)

    def run(*options: str) -> tuple[str, str]:
        out, err = StringIO(), StringIO()
        call_command("same_people", club.slug, *options, stdout=out, stderr=err)
        return out.getvalue(), err.getvalue()

    out, err = run()
    assert "* ann [" in out and "- jan [" in out and "Both played on 7 November" in out
    assert "2 pairs, 1 of them probably one person" in err
    monkeypatch.setattr("builtins.input", lambda _question: "")
    assert "Nothing was changed." in run("--join")[1]
    assert not Merge.objects.exists()
    assert "1 merged." in run("--join", "--yes")[1]
    assert [(done.kept.name, done.gone.name) for done in Merge.objects.all()] == [("Ann", "ann")]
    for wrong in (["no-such-club"], [club.slug, "--yes"]):
        with pytest.raises(CommandError):
            call_command("same_people", *wrong, stdout=StringIO())


# --- an entry becomes a new person, or someone known


def test_an_entry_becomes_a_new_person_and_can_be_joined_again(club: Club, olga: Client) -> None:
    [ann] = add_members(club=club, players=parse("Ann").rows, by=club.owner)
    sven = cast.someone_else()
    claim(player=ann, user=sven)
    first, second = event(club), event(club, day=2)
    for made in (first, second):
        add_entries(tournament=made, players=parse("Ann\nBo").rows, by=club.owner)
    entry = cast.entry(second, "Ann")
    assert entry.player == ann
    page = f"/t/{second.slug}/players/{entry.public_id}/person/"
    assert page in olga.get(f"/t/{second.slug}/players/{entry.public_id}/edit/").content.decode()
    assert "Is this a different Ann?" in said(olga.get(page))
    assert "is now a new person" in said(olga.post(page, {"do": "split"}, follow=True))
    new = cast.entry(second, "Ann").player
    ann.refresh_from_db()
    assert new != ann and (new.club, new.user, ann.user) == (None, None, sven)
    assert cast.entry(first, "Ann").player == ann
    assert LogEntry.objects.filter(tournament=second, action="split-player").count() == 1
    assert ClubLogEntry.objects.filter(action="split").count() == 1
    assert "Ann is a new person" in said(olga.get(f"/t/{second.slug}/log/"))
    assert "Ann in “Event 2” is a new person" in said(olga.get(f"/clubs/{club.slug}/log/"))
    assert verify(second)[0] == []
    assert olga.post(page, {"do": "split"}).status_code == 409  # twice is once
    assert [pair.is_open for pair in probable_pairs(club)] == [False]
    assert "Linked: Ann" in said(olga.post(page, {"do": "link", "person": ann.public_id}, follow=True))
    assert cast.entry(second, "Ann").player == ann


def test_erasing_a_person_cleans_the_log_of_an_entry_that_was_split_from_them(club: Club) -> None:
    first, second = event(club), event(club, day=2)
    for made in (first, second):
        add_entries(tournament=made, players=parse("Annabel\nBo").rows, by=club.owner)
    old = cast.entry(first, "Annabel").player
    split_entry(entry=cast.entry(second, "Annabel"), by=club.owner)
    erase_player(player=old, by=club.owner)
    row = LogEntry.objects.get(tournament=second, action="split-player")
    assert row.old["name"] != "Annabel" and row.new["name"] == "Annabel"
    assert cast.entry(second, "Annabel").player.name == "Annabel"
    assert verify(first)[0] == [] and verify(second)[0] == []


def test_the_organiser_links_a_public_sign_up_with_a_known_person_and_can_undo_it(club: Club, olga: Client) -> None:
    [ann, zoe] = add_members(club=club, players=parse("Ann Schmidt\nZoë").rows, by=club.owner)
    made = event(club, "Schmidt, Ann", "Eve")
    entry = cast.entry(made, "Schmidt, Ann")
    page = f"/t/{made.slug}/players/{entry.public_id}/person/"
    shown = olga.get(page).content.decode()
    assert ann.public_id in shown and zoe.public_id not in shown
    assert zoe.public_id in olga.get(page, {"q": "zo"}).content.decode()
    assert olga.post(page, {"do": "link", "person": zoe.public_id}).status_code == 422  # not on the page that was sent
    assert olga.post(page, {"do": "link", "person": ann.public_id}).status_code == 302
    entry.refresh_from_db()
    assert entry.player == ann
    [done] = Merge.objects.all()
    undo = f"/clubs/{club.slug}/merges/{done.pk}/undo/"
    assert undo in olga.get(page).content.decode()
    olga.post(undo)
    entry.refresh_from_db()
    assert entry.player.name == "Schmidt, Ann"


def test_only_those_who_keep_the_members_meet_the_people_of_the_club(club: Club) -> None:
    [ann] = add_members(club=club, players=parse("Ann").rows, by=club.owner)
    made = event(club, "Ann")
    sven = cast.someone_else()
    Role.objects.create(tournament=made, user=sven, kind=Role.Kind.ORGANISER, created_by=club.owner)
    client = Client()
    client.force_login(sven)
    page = f"/t/{made.slug}/players/{made.entries.get().public_id}/person/"
    assert ann.public_id not in client.get(page).content.decode()
    assert client.post(page, {"do": "link", "person": ann.public_id}).status_code == 422
    assert made.entries.get().player != ann


def test_a_member_is_not_linked_with_another_one(club: Club) -> None:
    [ann, bob] = add_members(club=club, players=parse("Ann\nBob").rows, by=club.owner)
    made = event(club)
    add_entries(tournament=made, players=parse("Ann").rows, by=club.owner)
    with pytest.raises(Conflict):
        link_entry(entry=made.entries.get(), club=club, known=bob, by=club.owner, form_key="")
    assert made.entries.get().player == ann
