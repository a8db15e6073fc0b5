"""Announcements: what may be said, who hears it, and when it ends."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.access.signed_links import player_token, screen_token
from league.announcements.announce import (
    announce,
    remove_announcement,
    restore_announcement,
    visible_announcement,
)
from league.announcements.page import page_of
from league.announcements.text import checked_text
from league.background import deadlines
from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import Announcement, Deadline, LogEntry, Role, Table, Tournament
from league.roles.scorer_links import make_scorer_links
from league.rounds.steps import start
from tests import cast
from tests.api import Program
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def running():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return made


def visible(tournament):
    announcement = visible_announcement(Tournament.objects.get(pk=tournament.pk))
    return announcement.text if announcement else ""


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("  \n ", "Write what everyone needs to know."),
        ("\u2800", "Write what everyone needs to know."),
        ("Round 5\x07", "This has characters that can’t be shown. Type it again."),
        ("Pay \u202e05.2\u202c to Ana", "This has characters that can’t be shown. Type it again."),
        ("<b>Round 5</b>", "Write plain text, without tags such as <b>."),
        ("Look <!-- here", "Write plain text, without tags such as <b>."),
        ("é" * 141, "141 characters are too many; the limit is 140."),
    ],
)
def test_a_text_that_no_page_can_show_is_refused(text, sentence):
    with pytest.raises(Refused) as refused:
        checked_text(text)
    assert str(refused.value) == sentence and list(refused.value.fields) == ["text"]


def test_a_text_is_one_tidy_line_of_at_most_140_characters():
    assert checked_text("  Round 5\r\nstarts  at 20:45 \u200b") == "Round 5 starts at 20:45"
    assert checked_text("3 < 5 & I <3 UNO") == "3 < 5 & I <3 UNO"
    assert checked_text(" " + "é" * 140 + " ") == "é" * 140


def test_a_new_announcement_replaces_the_one_before_and_the_log_has_both(running):
    for text in ("Break until 20:45", "Round 2 starts in 5 minutes"):
        announce(tournament=running, text=text, by=running.owner)
    assert visible(running) == "Round 2 starts in 5 minutes"
    assert Deadline.objects.pending().filter(kind=Deadline.Kind.ANNOUNCEMENT).count() == 1
    rows = LogEntry.objects.filter(tournament=running, action="announce").order_by("number")
    assert list(map(in_words, rows)) == ["Announced: “Break until 20:45”", "Announced: “Round 2 starts in 5 minutes”"]


def test_after_ten_minutes_it_is_over_even_before_its_deadline_wakes_open_pages(running):
    announcement = announce(tournament=running, text="Break", by=running.owner)
    just_before = announcement.announced_at + timedelta(minutes=10, seconds=-1)
    assert announcement.is_visible(just_before) and not announcement.is_visible(just_before + timedelta(seconds=1))
    assert deadlines.sweep(just_before) == 0
    assert deadlines.sweep(announcement.ends_at) == 1
    last = LogEntry.objects.filter(tournament=running).latest("number")
    assert (last.action, last.by, in_words(last)) == ("end-announcement", None, "Announcement over: “Break”")


def test_one_for_a_round_ends_with_it_and_needs_an_open_round(running):
    announce(tournament=running, text="The bar is open", until="round", by=running.owner)
    cast.play_round(running.rounds.get(number=1))
    assert visible(running) == "The bar is open"
    cast.go_on(running)
    assert visible(running) == ""
    planned = cast.tournament(name="Planned")
    with pytest.raises(Conflict, match="No round is open"):
        announce(tournament=planned, text="The bar is open", until="round", by=planned.owner)


def test_it_is_removed_once_and_a_removal_is_undone_until_its_time_is_over(running):
    first = announce(tournament=running, text="Break", by=running.owner)
    second = announce(tournament=running, text="Round 2 starts", by=running.owner)
    with pytest.raises(Conflict, match="newer announcement"):
        remove_announcement(tournament=running, by=running.owner, stamp=first.stamp)
    removals = [remove_announcement(tournament=running, by=running.owner, stamp=second.stamp) for _ in range(2)]
    assert removals == [True, False] and visible(running) == ""
    assert not Deadline.objects.pending().filter(kind=Deadline.Kind.ANNOUNCEMENT).exists()
    restore_announcement(tournament=running, by=running.owner)
    assert visible(running) == "Round 2 starts"
    assert Deadline.objects.pending().get(kind=Deadline.Kind.ANNOUNCEMENT).due_at == second.ends_at
    remove_announcement(tournament=running, by=running.owner)
    Announcement.objects.update(ends_at=timezone.now())
    with pytest.raises(Conflict, match="Its time is over"):
        restore_announcement(tournament=running, by=running.owner)


def test_undo_of_an_announcement_leaves_a_newer_one_of_another_director(running):
    client = signed_in(running.owner)
    sent = client.post(f"/t/{running.slug}/announce/", {"text": "Break", "until": "minutes"})
    undo = re.search(r'action="([^"]*announce/remove/[^"]+)"', client.get(sent["Location"]).content.decode())[1]
    announce(tournament=running, text="Fire alarm, please leave", by=None)
    assert "It stays." in said(client.post(undo, follow=True))
    assert visible(running) == "Fire alarm, please leave"


def test_the_page_offers_the_next_round_a_break_on_the_quarter_and_the_last_text(running):
    def templates():
        return [link.label for link in page_of(Tournament.objects.get(pk=running.pk)).templates]

    starts, pause, report = templates()
    assert (starts, report) == ("Round 2 starts in 5 minutes", "Please report your results")
    assert pause.startswith("Break until ") and pause[-3:] in (":00", ":15", ":30", ":45")
    announce(tournament=running, text="Lost: one key", by=running.owner)
    remove_announcement(tournament=running, by=running.owner)
    assert templates() == ["Lost: one key", starts, pause, report]


@pytest.mark.django_db(transaction=True)
def test_a_director_announces_to_every_page_and_removes_it_with_a_tap(running, settings):
    director = cast.someone_else()
    Role.objects.create(tournament=running, user=director, kind=Role.Kind.DIRECTOR)
    client, at = signed_in(director), f"/t/{running.slug}/"
    refused = client.post(f"{at}announce/", {"text": "<i>Break</i>", "until": "removed"})
    page = refused.content.decode()
    assert refused.status_code == 422 and "&lt;i&gt;Break&lt;/i&gt;</textarea>" in page
    assert 'value="removed" checked' in page and visible(running) == ""
    done = client.post(f"{at}announce/", {"text": "Break & coffee", "until": "minutes"}, follow=True)
    assert "Announced for 10 minutes." in said(done) and "Remove" in said(done)

    Table.objects.filter(round__tournament=running, number=2).update(mode=Table.Mode.ONLINE)
    one, two = running.rounds.get(number=1).tables.order_by("number")
    player, scorer, stranger = Client(), Client(), Client()
    player.post(f"/me/{player_token(cast.entry(running, 'Farah'))}/")
    [(_link, secret)] = make_scorer_links(tournament=running, tables=[None], by=running.owner)
    scorer.post(f"/s/{secret}/")
    public = [(stranger, f"{at}{rest}") for rest in ("", "players/", "seating/", "standings/", "bracket/", "hands/")]
    others = [
        (stranger, f"/screen/{screen_token(running)}/"),
        (stranger, reverse("table", args=[one.pk])),
        (stranger, reverse("play", args=[two.pk])),
        (player, f"{at}me/"),
        (scorer, reverse("scoring", args=[running.slug])),
        (scorer, reverse("table", args=[one.pk])),
    ]
    for visitor, address in public + others:
        answer = visitor.get(address)
        assert answer.status_code == 200 and "Break &amp; coffee" in answer.content.decode(), address
        assert "announce/remove/" not in answer.content.decode(), address

    # A cached page forgets it on time, without a log row and with no worker.
    Announcement.objects.update(ends_at=timezone.now())
    assert not any("Break" in stranger.get(address).content.decode() for _visitor, address in public)
    Announcement.objects.update(ends_at=timezone.now() + timedelta(minutes=5))
    assert "Break" in stranger.get(f"{at}standings/").content.decode()

    stamp = Announcement.objects.get().stamp
    removed = client.post(
        f"{at}announce/remove/", {"stamp": stamp}, headers={"referer": f"http://testserver{at}hands/"}
    )
    assert removed["Location"] == f"{at}hands/"
    again = client.get(removed["Location"])
    assert "Announcement removed." in said(again) and f"{at}announce/restore/" in again.content.decode()
    assert not any("Break" in visitor.get(address).content.decode() for visitor, address in public + others)


def test_a_program_announces_once_reads_it_with_the_tournament_and_removes_it(running):
    program, at = Program(running.owner), f"/api/v1/tournaments/{running.slug}/"
    body = {"text": "The bar is open", "until": "round"}
    made = [program.post(f"{at}announcement/", body, key="a", status=201) for _ in range(2)]
    assert made[0] == made[1] and LogEntry.objects.filter(action="announce").count() == 1
    assert Program().get(at)["announcement"] == made[0]
    assert (made[0]["text"], made[0]["round"], made[0]["ends_at"]) == ("The bar is open", 1, None)
    assert program.post(f"{at}announcement/", {"text": "Round 2 > round 1"}, status=201)["ends_at"]
    problem = program.post(f"{at}announcement/", {"text": "<b>x</b>"}, status=422)
    assert problem["code"] == "text" and problem["errors"][0]["field"] == "text"
    assert [program.ask("delete", f"{at}announcement/").status_code for _ in range(2)] == [204, 204]
    assert Program().get(at)["announcement"] is None
