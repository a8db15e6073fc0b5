"""The practice evening: the guide leads from the draw to the end, and nothing of it is left or counted anywhere."""

import pytest
from django.urls import reverse

from games.models import Hand
from games.service import practice
from games.service.demo import EIGHT
from league.accounts.close import close_account
from league.clubs.clubs import put_in_club
from league.lib.errors import Conflict
from league.models import Entry, HandScore, Merge, Player, Tournament
from league.rounds.steps import next_step
from league.setup.call_off import call_off
from league.setup.delete import delete_tournament
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def begin(client):
    page = client.post(reverse("practice"))["Location"]
    return page, Tournament.objects.get(kind=Tournament.Kind.PRACTICE)


def step_of(client, page):
    said = client.get(page).content.decode()
    return next((number for number in range(1, practice.STATIONS + 1) if f"step {number} of" in said), None), said


def go_on(client, page):
    made = Tournament.objects.get(kind=Tournament.Kind.PRACTICE)
    assert client.post(f"{page}advance/", {"step": next_step(made).token}).status_code == 302


def test_the_guide_leads_from_the_draw_to_final_standings(olga):
    page, made = begin(olga)
    walked = []
    for do in ("go", "go", "enter", "fill", "go", "fill", "go", "go", ""):
        number, said = step_of(olga, page)
        walked.append(number)
        assert ("Fill in the missing hands" in said) is (do == "fill")
        if do == "go":
            go_on(olga, page)
        elif do == "enter":
            cast.record(cast.table(made, 1, 1), 1)
        elif do == "fill":
            olga.post(reverse("practice_fill"))
    assert walked == [1, 2, 3, 4, 5, 6, 6, 7, 7]
    assert "Practice finished" in said
    made.refresh_from_db()
    assert made.is_final


def test_begun_twice_it_is_one_and_everybody_has_their_own(olga, client):
    page, _ = begin(olga)
    assert begin(olga)[0] == page
    client.force_login(cast.organiser("hana@example.org"))
    assert client.get(page).status_code == 404
    client.post(reverse("practice"))
    assert Tournament.objects.filter(kind=Tournament.Kind.PRACTICE).count() == 2


def test_it_goes_with_its_players_at_any_time_and_leaves_what_is_real(olga):
    real = cast.tournament()
    page, _ = begin(olga)
    go_on(olga, page)
    go_on(olga, page)
    olga.post(reverse("practice_fill"))
    assert olga.post(reverse("practice_end"))["Location"] == reverse("home")
    assert olga.get(page).status_code == 404
    assert list(Tournament.objects.all()) == [real]
    assert not Player.objects.filter(name=EIGHT[2][0]).exists()


def test_it_is_in_no_list_and_no_clubs_evening(olga):
    page, made = begin(olga)
    go_on(olga, page)
    go_on(olga, page)
    olga.post(reverse("practice_fill"))
    assert Hand.objects.filter(table__round__tournament=made).count() == 2
    olga.get(page)  # what was said is read
    for address in ("home", "api_tournaments", "clubs", "account"):
        said = olga.get(reverse(address)).content.decode()
        assert made.slug not in said.replace(f'href="{page}"', ""), address
    assert "Continue practice" in olga.get("/").content.decode()
    with pytest.raises(Conflict, match="belong to a club"):
        put_in_club(tournament=made, club=cast.club(), by=made.owner)


def test_who_is_real_stays_whoever_they_played_with(olga):
    """Entered into the practice too: somebody with an account, one who stood in elsewhere, one with a merged record."""
    _page, made = begin(olga)
    club = cast.club(members=3)
    ana, benoit, chidi = (cast.member(club, name) for name in cast.CAST[:3])
    benoit.user = cast.someone_else()
    benoit.save()
    loose = Player.objects.create(name="Ingrid")
    Merge.objects.create(kept=chidi, gone=loose)
    for number, player in enumerate((ana, benoit, chidi, loose), 20):
        Entry.objects.create(tournament=made, player=player, number=number)
    real = cast.play(cast.tournament(4), 1)
    HandScore.objects.filter(table__round__tournament=real).update(played_by=ana)
    olga.post(reverse("practice_end"))
    assert not Tournament.objects.filter(kind=Tournament.Kind.PRACTICE).exists()
    assert Player.objects.filter(pk__in=[ana.pk, benoit.pk, chidi.pk, loose.pk]).count() == 4


def test_it_goes_with_the_account_that_made_it(olga):
    begin(olga)
    close_account(user=cast.organiser())
    assert not Tournament.objects.exists()


def test_without_one_there_is_nothing_to_fill_and_a_stranger_is_asked_to_sign_in(olga, client):
    assert olga.post(reverse("practice_fill")).status_code == 404
    olga.logout()
    assert client.post(reverse("practice"))["Location"].startswith(reverse("account_login"))


def test_off_the_guides_way_it_says_so(olga):
    page, made = begin(olga)
    for entry in list(made.entries.all())[:5]:  # three are left
        olga.post(reverse("remove_player", args=[made.slug, entry.public_id]))
    number, said = step_of(olga, page)
    assert number is None and "The purple box shows your next step" in said


@pytest.mark.parametrize("refusing", [call_off, delete_tournament])
def test_it_is_neither_called_off_nor_deleted_and_the_refusal_says_how_it_goes(olga, refusing):
    _, made = begin(olga)
    with pytest.raises(Conflict, match="on its Now page"):
        refusing(tournament=made, by=made.owner, **{"reason" if refusing is call_off else "name": made.name})
