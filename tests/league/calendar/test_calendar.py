"""Calendars: the moments of evenings in any zone, what moves them, and who sees what by which address."""

from datetime import UTC, date, datetime, time

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from league.access.signed_links import account_calendar_token, entry_calendar_token, player_token
from league.by_link.player_links import end_player_link
from league.clubs.members import set_privacy
from league.entries.sign_up import set_sign_up
from league.models import ClubRole, LogEntry, Tournament
from league.roles.claims import claim, let_go
from league.roles.roles import accept, invite, take_back_role
from league.setup.call_off import call_off, hold_after_all
from league.setup.create import change_details
from tests import cast

pytestmark = pytest.mark.django_db

# In 2036 the clocks go back on 26 October in Europe and on 2 November in the United States, and forward on 30 March.
SUMMER, WINTER = date(2036, 10, 25), date(2036, 10, 27)


def evening(**settings):
    return cast.tournament(**({"starts_on": SUMMER, "starts_at": time(19, 30), "time_zone": "Europe/Paris"} | settings))


def read(path, client=None, **headers):
    answer = (client or Client()).get(path, headers=headers)
    assert answer.status_code == 200, path
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(answer.content)


def events(path, client=None):
    return {str(one["SUMMARY"]): one for one in read(path, client).walk("VEVENT")}


def moment(calendar, event):
    """When it begins, by the zone that the file itself describes."""
    wall, zone = event["DTSTART"].dt.replace(tzinfo=None), event["DTSTART"].params["TZID"]
    [described] = [one for one in calendar.walk("VTIMEZONE") if one["TZID"] == zone]
    return wall.replace(tzinfo=described.to_tz()).astimezone(UTC)


@pytest.mark.parametrize(
    ("zone", "day", "at"),
    [
        ("Europe/Paris", SUMMER, datetime(2036, 10, 25, 17, 30, tzinfo=UTC)),
        ("Europe/Paris", WINTER, datetime(2036, 10, 27, 18, 30, tzinfo=UTC)),
        ("America/New_York", WINTER, datetime(2036, 10, 27, 23, 30, tzinfo=UTC)),
        ("America/New_York", date(2036, 11, 3), datetime(2036, 11, 4, 0, 30, tzinfo=UTC)),
    ],
)
def test_an_evening_begins_at_the_moment_that_its_wall_shows_on_either_side_of_a_change_of_clocks(zone, day, at):
    made = evening(time_zone=zone, starts_on=day)
    calendar = read(f"/t/{made.slug}/calendar.ics")
    [event] = calendar.walk("VEVENT")
    assert event["DTSTART"].params["TZID"] == zone
    assert event["DTSTART"].dt.astimezone(UTC) == moment(calendar, event) == at


def test_a_time_that_the_clocks_skip_and_a_day_without_a_time_are_told_as_they_are():
    skipped = evening(starts_on=date(2036, 3, 30), starts_at=time(2, 30))
    [event] = read(f"/t/{skipped.slug}/calendar.ics").walk("VEVENT")
    assert event["DTSTART"].dt.replace(tzinfo=None) == datetime(2036, 3, 30, 3, 30)
    whole_day = evening(starts_at=None)
    [event] = read(f"/t/{whole_day.slug}/calendar.ics").walk("VEVENT")
    assert event["DTSTART"].dt == SUMMER and "DURATION" not in event


def test_an_event_says_where_what_and_how_long_and_is_expected_to_last_as_long_as_its_places_make_it():
    made = evening(place="Café Ludo; 3, rue d’Enfer")
    [event] = read(f"/t/{made.slug}/calendar.ics").walk("VEVENT")
    assert (event["SUMMARY"], event["LOCATION"], event["STATUS"]) == ("Autumn Pairs", made.place, "CONFIRMED")
    assert event["URL"] == f"http://testserver/t/{made.slug}/"
    assert event["DESCRIPTION"] == "Individual pairs, 8 players."
    of_eight = event["DURATION"].dt
    assert of_eight.total_seconds() / 60 == 170  # 7 rounds of 4 hands of 6 minutes, to the next five
    set_sign_up(tournament=made, capacity=12, by=made.owner)
    [event] = read(f"/t/{made.slug}/calendar.ics").walk("VEVENT")
    assert event["DURATION"].dt > of_eight
    cast.play(made, rounds=1, close=False)
    [begun] = read(f"/t/{made.slug}/calendar.ics").walk("VEVENT")
    assert begun["DURATION"].dt == of_eight
    draw, publish = (made.log.filter(action=action).latest("number").number for action in ("draw", "publish"))
    assert begun["SEQUENCE"] == publish > draw


def test_zones_stand_in_the_order_of_their_names_so_that_every_process_writes_the_same_bytes():
    club = cast.club()
    zones = ["Asia/Tokyo", "Europe/Paris", "America/New_York", "Africa/Cairo", "Australia/Sydney"]
    for zone in zones:
        evening(club=club, time_zone=zone, players=0)
    calendar = read(f"/clubs/{club.slug}/calendar.ics")
    assert [str(one["TZID"]) for one in calendar.walk("VTIMEZONE")] == sorted(zones)
    assert [one.name for one in calendar.subcomponents] == ["VTIMEZONE"] * 5 + ["VEVENT"] * 5


def test_what_moves_an_evening_moves_the_same_event_and_a_program_that_has_it_is_told_that_nothing_changed():
    made = evening(visibility="unlisted")
    path = f"/t/{made.slug}/calendar.ics"
    first = Client().get(path)
    assert Client().get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
    [before] = Calendar.from_ical(first.content).walk("VEVENT")
    change_details(tournament=made, by=made.owner, starts_on=WINTER, place="The library")
    again = Client().get(path, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200 and again["ETag"] != first["ETag"]
    [after] = Calendar.from_ical(again.content).walk("VEVENT")
    assert after["UID"] == before["UID"] and after["DTSTART"].dt.date() == WINTER
    assert after["SEQUENCE"] > before["SEQUENCE"] and after["LAST-MODIFIED"].dt >= before["LAST-MODIFIED"].dt
    cast.play(made, rounds=1, close=False)
    [drawn] = read(path).walk("VEVENT")
    cast.play(made, rounds=1)  # hands and rounds move nothing
    [played] = read(path).walk("VEVENT")
    assert played.to_ical() == drawn.to_ical() and drawn["SEQUENCE"] > after["SEQUENCE"]


def test_an_evening_that_is_called_off_stays_in_the_calendar_as_cancelled_until_it_is_held_after_all():
    made = evening()
    seen = []

    def look():
        [event] = read(f"/t/{made.slug}/calendar.ics").walk("VEVENT")
        seen.append((event["UID"], event["STATUS"], event["SEQUENCE"], event["DESCRIPTION"]))

    look()
    call_off(tournament=made, reason="No hall", by=made.owner)
    look()
    hold_after_all(tournament=made, by=made.owner)
    look()
    assert [one[1] for one in seen] == ["CONFIRMED", "CANCELLED", "CONFIRMED"]
    assert len({one[0] for one in seen}) == 1 and seen[0][2] < seen[1][2] < seen[2][2]
    assert seen[1][3] == "Cancelled: No hall"


def test_a_club_shows_strangers_its_public_evenings_and_its_own_people_by_a_secret_address_what_they_may_see():
    club = cast.club(members=2)
    for visibility in Tournament.Visibility.values:
        evening(club=club, name=visibility, visibility=visibility, players=0)
    elsewhere = evening(name="Elsewhere", players=0)
    path = f"/clubs/{club.slug}/calendar.ics"
    assert set(events(path)) == {"public"}
    owner, member = cast.organiser(), cast.someone_else()
    of_owner = reverse("own_calendar", args=[account_calendar_token(owner, club)])
    assert set(events(of_owner)) == {"public", "unlisted", "private"}
    claim(player=cast.member(club, "Benoît"), user=member)
    of_member = reverse("own_calendar", args=[account_calendar_token(member, club)])
    assert set(events(of_member)) == {"public", "unlisted"}
    let_go(player=cast.member(club, "Benoît"), by=owner)
    assert Client().get(of_member).status_code == 404
    change_details(tournament=Tournament.objects.get(name="public"), by=owner, visibility="private")
    assert events(path) == {} and elsewhere.name not in events(of_owner)


def test_a_private_club_or_tournament_opens_only_by_an_address_of_ones_own_which_ends_at_a_press():
    club = cast.club(visibility="private")
    made = evening(visibility="private", club=club)
    page = Client()
    page.force_login(made.owner)
    for at, plain, form in (
        (f"/clubs/{club.slug}/", f"/clubs/{club.slug}/calendar.ics", f"/clubs/{club.slug}/calendar/end/"),
        (f"/t/{made.slug}/more/", f"/t/{made.slug}/calendar.ics", f"/t/{made.slug}/calendar/end/"),
    ):
        assert Client().get(plain).status_code == 404
        shown = page.get(at).context["calendar"]
        assert (
            shown.webcal == shown.address.replace("http://", "webcal://")
            and shown.webcal in page.get(at).content.decode()
        )
        assert set(events(shown.download)) == {"Autumn Pairs"}
        for _twice in range(2):  # the second press sends what is over by then
            page.post(form, {"token": shown.token})
        assert Client().get(shown.download).status_code == 404
        assert set(events(page.get(at).context["calendar"].download)) == {"Autumn Pairs"}
    assert LogEntry.objects.filter(action="end-calendar").count() == club.log.filter(action="end-calendar").count() == 1


def test_a_role_that_is_taken_back_ends_its_calendar_and_a_token_is_good_for_nothing_else():
    club = cast.club(visibility="private")
    invitation, _secret = invite(to=club, kind=ClubRole.Kind.SCORER, by=club.owner)
    helper = cast.someone_else()
    accept(invitation=invitation, user=helper)
    token = account_calendar_token(helper, club)
    assert events(reverse("own_calendar", args=[token])) == {}
    take_back_role(role=club.roles.get(), by=club.owner)
    assert Client().get(f"/calendar/{token}.ics").status_code == 404
    key, _dash, mac = account_calendar_token(club.owner, club).partition("-")
    other = f"{key[:-1]}{(int(key[-1]) + 1) % 10}"
    for forged in (f"{other}-{mac}", f"t{key[1:]}-{mac}", f"{key}-", "c1u1", "-", f"c{9**20}u1-{mac}"):
        assert Client().get(f"/calendar/{forged}.ics").status_code in (404, 429), forged


def test_a_player_has_their_evenings_with_the_same_organisers_by_an_address_that_is_not_their_own_link():
    club = cast.club(members=8)
    first = evening(club=club, visibility="private", name="First", players=cast.people())
    evening(club=club, visibility="private", name="Second", players=cast.people(), starts_on=WINTER)
    evening(club=club, name="Without her", players=cast.people(4))
    evening(name="Of nobody’s club", players=cast.people())
    zoe = cast.entry(first, "Zoë")
    phone = Client()
    phone.post(f"/me/{player_token(zoe)}/")
    shown = phone.get(f"/t/{first.slug}/me/").context["calendar"]
    assert set(events(shown.download)) == {"First", "Second"}
    assert Client().get(f"/me/{entry_calendar_token(zoe)}/").status_code in (404, 410)
    end_player_link(entry=zoe, by=first.owner)
    assert Client().get(shown.download).status_code == 404


def test_a_profile_has_a_calendar_for_everybody_where_it_is_public_and_else_for_the_member_alone():
    club = cast.club(members=8)
    for name, visibility in (("Open", "public"), ("Hidden", "private")):
        evening(club=club, name=name, visibility=visibility, players=cast.people())
    farah, sven = cast.member(club, "Farah"), cast.someone_else()
    claim(player=farah, user=sven)
    path = f"/clubs/{club.slug}/players/{farah.public_id}/"
    assert Client().get(f"{path}calendar.ics").status_code == 404
    mine = Client()
    mine.force_login(sven)
    own = mine.get(path).context["calendar"].download
    assert set(events(own)) == {"Open", "Hidden"}
    set_privacy(player=farah, by=sven, profile_is_public=True, short_name=True, is_rated=True)
    assert set(events(Client().get(path).context["calendar"].download)) == {"Open"}
    assert read(f"{path}calendar.ics")["X-WR-CALNAME"] == f"Farah, {club.name}"


def test_the_address_that_a_french_page_shows_is_in_french():
    made = evening()
    shown = Client(headers={"Accept-Language": "fr"}).get(f"/t/{made.slug}/").context["calendar"]
    assert shown.address.endswith("calendar.ics?lang=fr")
    [event] = read(shown.download).walk("VEVENT")
    assert "8 joueurs" in event["DESCRIPTION"]
    assert read(f"/t/{made.slug}/calendar.ics?lang=xx").walk("VEVENT")


def test_a_club_of_many_evenings_is_read_in_a_fixed_number_of_queries(django_assert_max_num_queries):
    club = cast.club()
    for number in range(12):
        evening(club=club, name=f"Evening {number}", players=0)
    with django_assert_max_num_queries(6):
        assert len(events(f"/clubs/{club.slug}/calendar.ics")) == 12
