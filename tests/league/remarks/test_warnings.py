"""Warnings: a director gives and withdraws them, only directors read them, and they follow the person."""

import pytest
from django.test import Client

from league.clubs.entry_person import split_entry
from league.clubs.members import add_members
from league.clubs.merge import merge, undo_merge
from league.entries.roster.rows import RosterRow
from league.erasure.erase import erase_player
from league.lib.errors import Conflict, Refused
from league.log.audit import verify
from league.models import Adjustment, ClubRole, LogEntry, Player, PlayerWarning, Role
from league.remarks.read import warnings_this_season
from league.remarks.warn import warn, withdraw
from league.rounds.adjustments import void_adjustment
from league.rounds.steps import close_tournament
from league.seasons.seasons import create_season, put_in_season
from tests import cast
from tests.games.pages import said
from tests.league.day.sheets import entry_of, preview, sheet_of

pytestmark = pytest.mark.django_db
REASON = "Shouted at a scorer"


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """The first round of a club's event, in which Chidi has a warning with points and Farah, a guest, one without."""
    made = cast.play(cast.tournament(club=cast.club(members=4)), rounds=1)
    give(made, "Chidi", points=-10, round_number=1)
    give(made, "Farah", reason="Late with Zoë")
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


@pytest.fixture
def olga(made):
    browser = Client()
    browser.force_login(made.owner)
    return browser


def give(made, name, reason=REASON, **more):
    entry = entry_of(made, name)
    return warn(entry=entry, person=entry.player, reason=reason, by=made.owner, **more)


def of(name):
    return PlayerWarning.objects.get(player__name=name)


def browser_of(made, kind, *, in_club=False):
    user = cast.organiser(f"{kind}{in_club}@example.org", "Maud")
    if in_club:
        ClubRole.objects.create(club=made.club, user=user, kind=kind, created_by=made.owner)
    else:
        Role.objects.create(tournament=made, user=user, kind=kind)
    browser = Client()
    browser.force_login(user)
    return browser


def test_a_director_warns_without_points_at_once_and_can_undo_it(made):
    maud, zoe = browser_of(made, Role.Kind.DIRECTOR), entry_of(made, "Zoë")
    url = f"{sheet_of(zoe)}?do=warn"
    assert "Only directors see it." in said(maud.get(url))
    empty = maud.post(url, {"do": "warn", "reason": " ", "points": "", "round": "1"})
    assert empty.status_code == 422 and not PlayerWarning.objects.filter(player=zoe.player).exists()
    done = maud.post(url, {"do": "warn", "reason": REASON, "points": "", "round": "1"}, follow=True)
    assert "Zoë has a warning." in said(done) and REASON in said(done)
    (message,) = done.context["messages"]
    assert "The warning to Zoë is withdrawn." in said(maud.post(message.extra_tags, follow=True))
    warning = of("Zoë")
    assert (warning.reason, warning.withdrawal, warning.adjustment) == (REASON, "Recorded by mistake", None)
    assert "Withdrawn: Recorded by mistake" in said(maud.get(url)) and REASON not in said(maud.get(sheet_of(zoe)))


def test_points_with_a_warning_have_a_preview_and_go_when_it_is_withdrawn(made, olga):
    zoe = entry_of(made, "Zoë")
    sent = preview(olga, zoe, "warn", points=-20, round=1)
    assert "Everyone sees −20 points with the reason “Decision of the director”." in said(
        olga.get(f"{sheet_of(zoe)}?do=warn&points=-20&round=1")
    )
    olga.post(f"{sheet_of(zoe)}?do=warn", sent | {"reason": REASON})
    row = Adjustment.objects.get(entry=zoe)
    assert (row.points, row.kind, row.reason) == (-20, "penalty", "Decision of the director")
    warning = of("Zoë")
    sent = preview(olga, zoe, "warn", withdraw=warning.pk)
    refused = olga.post(f"{sheet_of(zoe)}?do=warn", sent)
    assert refused.status_code == 422 and of("Zoë").withdrawn_at is None
    olga.post(f"{sheet_of(zoe)}?do=warn", sent | {"reason": "It was Farah"})
    row.refresh_from_db()
    assert row.voided_at is not None and of("Zoë").withdrawal == "It was Farah"
    assert verify(made)[0] == []


def test_a_warning_is_withdrawn_once_also_if_its_points_are_gone(made):
    warning = of("Chidi")
    void_adjustment(tournament=made, adjustment_id=warning.adjustment_id, by=made.owner)
    for reason in ("Settled", "Again"):
        withdraw(warning=warning, reason=reason, by=made.owner)
    assert of("Chidi").withdrawal == "Settled"
    assert LogEntry.objects.filter(action="withdraw-warning").count() == 1


def test_a_refusal_changes_nothing(made):
    with pytest.raises(Refused, match="at most 10,000"):
        give(made, "Zoë", points=-10_001, round_number=1)
    with pytest.raises(Conflict, match="no longer in this team"):
        warn(entry=entry_of(made, "Zoë"), person=of("Farah").player, reason=REASON, by=made.owner)
    cast.play(made)
    close_tournament(tournament=made, by=made.owner)
    with pytest.raises(Conflict, match="standings are final"):
        give(made, "Zoë", points=-10, round_number=1)
    assert (
        PlayerWarning.objects.count() == 2 and not LogEntry.objects.filter(action="adjust", new__player="Zoë").exists()
    )
    give(made, "Zoë")
    assert of("Zoë").points == 0


@pytest.mark.parametrize(
    "who", [None, *(kind for kind in Role.Kind.values if kind not in ("organiser", "director"))], ids=str
)
def test_no_one_else_reads_a_warning(made, who):
    browser = browser_of(made, who) if who else Client()
    chidi = entry_of(made, "Chidi")
    profile = f"/clubs/{made.club.slug}/players/{chidi.player.public_id}/"
    chidi.player.profile_is_public = True
    chidi.player.save()
    pages = ["", "players/", "standings/", f"players/{chidi.public_id}/", "check-in/", f"people/{chidi.public_id}/"]
    files = ["adjustments.csv?all=1", "events.csv?all=1", "log.csv", "players.csv"]
    urls = [f"/t/{made.slug}/{path}" for path in (*pages, *files)]
    urls += [profile, f"/api/v1/tournaments/{made.slug}/", f"/api/v1/tournaments/{made.slug}/adjustments/?all=1"]
    for url in urls:
        text = browser.get(url).getvalue().decode()
        assert REASON not in text and "warning" not in text.lower(), url
    assert "Decision of the director" in browser.get(f"/t/{made.slug}/adjustments.csv").getvalue().decode()


def test_the_log_and_the_files_of_organisers_say_who_was_warned_but_not_why(made, olga):
    log = olga.get(f"/t/{made.slug}/log.csv").getvalue().decode()
    assert "warn" in log and REASON not in log
    assert "Warning to Chidi" in said(olga.get(f"/t/{made.slug}/log/"))
    assert REASON not in olga.get(f"/t/{made.slug}/adjustments.csv?all=1").getvalue().decode()


def test_the_clubs_directors_read_what_counts_this_season_on_the_page_of_the_member(made):
    season = create_season(club=made.club, name="Autumn", by=made.owner)
    put_in_season(tournament=made, season=season, by=made.owner)
    later = cast.tournament(club=made.club, name="Second")
    give(later, "Chidi", reason="Late again")
    maud, chidi = browser_of(made, "director", in_club=True), entry_of(later, "Chidi")
    page = said(maud.get(f"/clubs/{made.club.slug}/players/{chidi.player.public_id}/"))
    assert "2 warnings this season" in page and f": {REASON}, −10 points, by Olga" in page
    assert ": Late again, by Olga" in page
    sheet = said(maud.get(sheet_of(chidi)))
    assert "Late again" in sheet and "1 more warning this season, at another tournament" in sheet and REASON in sheet
    of_event = browser_of(later, Role.Kind.DIRECTOR)
    assert "Late again" in said(of_event.get(sheet_of(chidi))) and REASON not in said(of_event.get(sheet_of(chidi)))
    season.closed_at = of("Farah").at
    season.save()
    create_season(club=made.club, name="Winter", by=made.owner)
    counted = warnings_this_season(made.club, [chidi.player])
    assert counted == [], "both were given before this season began"


def test_a_member_of_a_team_is_warned_and_the_points_are_the_teams(olga):
    made = cast.play(cast.teams(), rounds=1)
    entry = entry_of(made, "Blue Foxes")
    ana = Player.objects.get(name="Ana Lucía", teams__team__player=entry.player)
    url = f"{sheet_of(entry)}?do=warn"
    asked = said(olga.get(url))
    assert "Who is warned?" in asked and "Ana Lucía" in asked and "Only directors see it." not in asked
    olga.post(url, {"do": "warn", "who": ana.public_id, "reason": REASON})
    assert PlayerWarning.objects.get(tournament=made).player == ana
    assert "Ana Lucía, " in said(olga.get(sheet_of(entry))) and REASON in said(olga.get(sheet_of(entry)))


def test_a_merge_moves_warnings_and_a_split_gives_them_back(made):
    add_members(club=made.club, players=[RosterRow(1, "Farah B.")], by=made.owner)
    farah, member = of("Farah").player, cast.member(made.club, "Farah B.")
    done = merge(target=member, source=farah, by=made.owner)
    assert of("Farah B.").reason == "Late with Zoë"
    undo_merge(merge=done, by=made.owner)
    assert of("Farah").player == farah
    merge(target=member, source=farah, by=made.owner)
    new = split_entry(entry=entry_of(made, "Farah B."), by=made.owner)
    assert [warning.reason for warning in new.warnings.all()] == ["Late with Zoë"] and not member.warnings.exists()


def test_erasing_takes_the_reasons_of_the_person_and_the_name_out_of_those_of_others(made):
    withdraw(warning=of("Chidi"), reason="Chidi said sorry", by=made.owner)
    erased = erase_player(player=of("Chidi").player, by=made.owner)
    row = erased.warnings.get()
    assert (row.reason, row.withdrawal) == ("", "") and row.withdrawn_at is not None
    zoe = erase_player(player=entry_of(made, "Zoë").player, by=made.owner)
    assert of("Farah").reason == f"Late with {zoe.name}"
    assert verify(made)[0] == []
