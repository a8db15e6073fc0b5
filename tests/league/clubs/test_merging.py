"""Two records of one person: made one, taken apart again, and no result the other for it."""

import pytest

from league.clubs.members import add_members, take_in
from league.clubs.merge import merge, undo_merge
from league.day.substitutes import substitute
from league.entries.list_order import add_entries, rename_entry
from league.entries.roster.rows import RosterRow
from league.erasure.erase import erase_player
from league.lib.errors import Conflict
from league.log.audit import verify
from league.models import Club, ClubLogEntry, DivisionPlayer, Entry, LogEntry, Merge, Player
from league.public import tables as exports
from league.public.tables import Wanted
from league.roles.claims import claim
from league.seasons.seasons import create_season, put_in_season
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    return cast.club(members=8)


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


@pytest.fixture
def evening(club):
    """One evening in which Farah was typed with another spelling; Ida substituted."""
    people = [RosterRow(row.line, row.name.replace("Farah", "Farrah")) for row in cast.people()]
    made = cast.play(cast.tournament(club=club, players=people), rounds=1)
    substitute(tournament=made, entry=cast.entry(made, "Farrah"), name="Ida", by=made.owner)
    cast.play(made, rounds=2, close=False)
    return made


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def both(club, evening):
    """The member, and the guest who is the same person."""
    return cast.member(club, "Farah"), cast.entry(evening, "Farrah").player


def tables(tournament):
    wanted = Wanted(everything=True)
    return {name: list(one.rows(tournament, wanted)) for name, one in exports.EXPORTS.items() if name != "log"}


def test_a_guest_becomes_the_member_and_all_tables_are_as_before_but_for_the_name(olga, club, evening):
    farah, guest = both(club, evening)
    Player.objects.filter(pk__in=(farah.pk, guest.pk)).update(club_name="")
    before = repr(tables(evening))
    page = f"/clubs/{club.slug}/players/{farah.public_id}/merge/"
    preview = said(olga.get(page, {"with": guest.public_id}))
    assert "Merge Farrah into Farah" in preview and "1 tournament moves" in preview and evening.name in preview
    assert guest.entries.count() == 1  # nothing has moved yet
    assert olga.post(page, {"with": guest.public_id}).status_code == 302
    assert repr(tables(evening)) == before.replace("Farrah", "Farah")
    log = said(olga.get(f"/t/{evening.slug}/log/"))
    assert "Farrah is the same person as Farah" in log
    assert verify(evening)[0] == []

    edit = olga.get(f"/clubs/{club.slug}/players/{farah.public_id}/edit/").content.decode()
    [merged] = Merge.objects.all()
    assert f"/merges/{merged.pk}/undo/" in edit
    assert olga.post(f"/clubs/{club.slug}/merges/{merged.pk}/undo/").status_code == 302
    assert repr(tables(evening)) == before
    guest.refresh_from_db()
    assert (guest.merged_into, guest.club) == (None, None) and guest.entries.count() == 1
    assert "Farrah and Farah are two people again" in said(olga.get(f"/t/{evening.slug}/log/"))
    words = said(olga.get(f"/clubs/{club.slug}/log/"))
    assert "Farrah and Farah are one person" in words and "Farah and Farrah are two people again" in words


def test_the_preview_names_the_seasons_whose_tables_will_add_both_up(olga, club, evening):
    farah, guest = both(club, evening)
    page = f"/clubs/{club.slug}/players/{farah.public_id}/merge/"
    season = create_season(club=club, by=club.owner, name="Autumn 2026")
    other = cast.tournament(club=club, name="Week 2")
    put_in_season(tournament=evening, season=season, by=club.owner)
    assert "Autumn 2026" not in said(olga.get(page, {"with": guest.public_id}))
    put_in_season(tournament=other, season=season, by=club.owner)
    Entry.objects.filter(pk=cast.entry(other, "Farah").pk).update(player=farah)
    assert "Both played in Autumn 2026, so its standings may change" in said(olga.get(page, {"with": guest.public_id}))


def test_two_who_play_in_one_tournament_are_two_people(olga, club, evening):
    farah, _guest = both(club, evening)
    zoe = cast.member(club, "Zoë")
    add_members(club=club, players=[RosterRow(1, "Xaver")], by=club.owner)
    xaver = cast.member(club, "Xaver")
    other = cast.tournament(club=club)
    add_entries(tournament=other, members=[xaver], by=other.owner)
    page = f"/clubs/{club.slug}/players/{zoe.public_id}/merge/"
    refused = said(olga.get(page, {"with": xaver.public_id}))
    assert "so they are two people" in refused and "Xaver and Zoë can’t be merged" in refused
    assert olga.post(page, {"with": xaver.public_id}).status_code == 409
    assert not Merge.objects.exists() and farah.entries.exists()


def test_who_played_for_somebody_in_a_round_that_the_other_played_is_somebody_else(club, evening):
    ida = Player.objects.get(name="Ida")
    with pytest.raises(Conflict) as refused:
        merge(target=cast.member(club, "Zoë"), source=ida, by=club.owner)
    assert refused.value.code == "both-play"
    # Who did not play that round may have: the hands are theirs then, and those of the entry stay the entry's.
    add_members(club=club, players=[RosterRow(1, "Ida Lund")], by=club.owner)
    lund = cast.member(club, "Ida Lund")
    before = repr(tables(evening))
    done = merge(target=lund, source=ida, by=club.owner)
    assert repr(tables(evening)) == before.replace("'Ida'", "'Ida Lund'")
    undo_merge(merge=done, by=club.owner)
    assert repr(tables(evening)) == before


def test_what_was_played_since_stays_with_who_played_it(club, evening):
    farah, guest = both(club, evening)
    done = merge(target=farah, source=guest, by=club.owner)
    later = cast.tournament(club=club, name="Later")
    assert cast.entry(later, "Farah").player == farah
    undo_merge(merge=done, by=club.owner)
    undo_merge(merge=done, by=club.owner)  # twice is once
    assert set(farah.entries.values_list("tournament", flat=True)) == {later.pk}
    assert set(guest.entries.values_list("tournament", flat=True)) == {evening.pk}


def test_a_later_merge_is_undone_first(club, evening):
    farah, guest = both(club, evening)
    first = merge(target=farah, source=guest, by=club.owner)
    add_members(club=club, players=[RosterRow(1, "Farah al-Sayed")], by=club.owner)
    whole = cast.member(club, "Farah al-Sayed")
    farah.refresh_from_db()
    second = merge(target=whole, source=farah, by=club.owner)
    with pytest.raises(Conflict) as refused:
        undo_merge(merge=first, by=club.owner)
    assert refused.value.code == "later-merge"
    undo_merge(merge=second, by=club.owner)
    undo_merge(merge=first, by=club.owner)
    assert guest.entries.count() == 1 and whole.entries.count() == 0


def test_the_account_goes_along_and_comes_back_and_two_accounts_are_two_people(club):
    farah, zoe = cast.member(club, "Farah"), cast.member(club, "Zoë")
    farah = claim(player=farah, user=cast.organiser("farah@example.org"))
    done = merge(target=zoe, source=farah, by=club.owner)
    zoe.refresh_from_db()
    assert zoe.user == farah.user
    undo_merge(merge=done, by=club.owner)
    farah.refresh_from_db()
    zoe.refresh_from_db()
    assert zoe.user is None and farah.user.email == "farah@example.org" and farah.club == club
    zoe = claim(player=zoe, user=cast.organiser("zoe@example.org"))
    with pytest.raises(Conflict) as refused:
        merge(target=zoe, source=farah, by=club.owner)
    assert refused.value.code == "two-accounts"


def test_one_division_a_season_stays_and_the_other_comes_back(club):
    farah, zoe = cast.member(club, "Farah"), cast.member(club, "Zoë")
    season = club.seasons.create(slug="s", name="S")
    high, low = (season.divisions.create(number=number, name=f"D{number}") for number in (1, 2))
    DivisionPlayer.objects.create(season=season, division=high, player=farah)
    DivisionPlayer.objects.create(season=season, division=low, player=zoe)
    done = merge(target=farah, source=zoe, by=club.owner)
    assert list(season.placed.values_list("player", "division")) == [(farah.pk, high.pk)]
    undo_merge(merge=done, by=club.owner)
    assert set(season.placed.values_list("player", "division")) == {(farah.pk, high.pk), (zoe.pk, low.pk)}
    done = merge(target=farah, source=zoe, by=club.owner)
    low.delete()
    undo_merge(merge=done, by=club.owner)  # what is no longer there does not come back
    assert list(season.placed.values_list("player", flat=True)) == [farah.pk]


def test_two_of_one_team_are_two_people(club):
    farah, zoe = cast.member(club, "Farah"), cast.member(club, "Zoë")
    team = club.teams.create(player=Player.objects.create(name="Red Foxes"))
    for number, player in enumerate((farah, zoe), 1):
        team.members.create(player=player, number=number)
    for kept, gone, code in ((farah, zoe, "one-team"), (farah, team.player, "team"), (farah, farah, "same")):
        with pytest.raises(Conflict) as refused:
            merge(target=kept, source=gone, by=club.owner)
        assert refused.value.code == code


def test_nobody_changes_names_in_tournaments_that_others_run(olga, club):
    elsewhere = cast.tournament(owner=cast.someone_else())
    guest = cast.entry(elsewhere, "Farah").player
    evening = cast.create(owner=club.owner, club=club)
    guest.name = "Farrah"
    guest.save()
    evening.entries.create(player=guest, number=1)
    farah = cast.member(club, "Farah")
    answer = olga.post(f"/clubs/{club.slug}/players/{farah.public_id}/merge/", {"with": guest.public_id})
    assert answer.status_code == 409 and not Merge.objects.exists()


def test_the_old_address_of_a_profile_leads_to_the_record_that_stayed(olga, club, evening):
    farah, guest = both(club, evening)
    take_in(club=club, players=[guest], by=club.owner)
    merge(target=farah, source=Player.objects.get(pk=guest.pk), by=club.owner)
    answer = olga.get(f"/clubs/{club.slug}/players/{guest.public_id}/")
    assert answer.url == f"/clubs/{club.slug}/players/{farah.public_id}/"


def test_who_is_erased_is_erased_under_every_name_that_they_had(club, evening):
    farah, guest = both(club, evening)
    take_in(club=club, players=[guest], by=club.owner)
    guest.refresh_from_db()
    done = merge(target=farah, source=guest, by=club.owner)
    person = erase_player(player=farah, by=club.owner)
    guest.refresh_from_db()
    assert guest.name == person.name and guest.erased_at is not None
    kept = str([*LogEntry.objects.values_list("old", "new", "reason"), *ClubLogEntry.objects.values_list("old", "new")])
    assert "Farah" not in kept and "Farrah" not in kept
    assert verify(evening)[0] == []
    with pytest.raises(Conflict):
        undo_merge(merge=done, by=club.owner)


def test_of_two_who_were_taken_apart_only_the_one_who_asks_is_erased(club, evening):
    farah, guest = both(club, evening)
    rename_entry(entry=cast.entry(evening, "Farrah"), name="Gül", club="", by=club.owner)
    guest.refresh_from_db()
    undo_merge(merge=merge(target=farah, source=guest, by=club.owner), by=club.owner)
    erase_player(player=Player.objects.get(pk=guest.pk), by=club.owner)
    rows = str(list(LogEntry.objects.filter(tournament=evening).values_list("old", "new", "reason")))
    assert "Gül" not in rows and "Farrah" not in rows and "'Farah'" in rows
    assert cast.member(club, "Farah").erased_at is None and Club.objects.get() == club
