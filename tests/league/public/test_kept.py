"""Pages kept in memory: never older than the last change, and never another's."""

import pytest
from django.urls import reverse

from games.hands.correct import void_hand
from games.models import Hand
from league.access.by import By
from league.entries.list_order import rename_entry
from league.lib.remembered import Remembered
from league.models import Entry, LogHead, Tournament
from league.public import snapshots
from league.rounds.adjustments import adjust
from league.setup.create import change_details
from league.standings import page_cache as kept
from league.standings import read as ledger
from tests import cast

pytestmark = pytest.mark.django_db(transaction=True)  # in a transaction nothing is kept


@pytest.fixture(autouse=True)
def nothing_kept():
    Remembered.forget_all()


@pytest.fixture
def played():
    return cast.play(cast.tournament(), 1)


def standings(client, tournament, **query):
    response = client.get(reverse("standings", args=[tournament.slug]), query)
    assert response.status_code == 200
    return response.content.decode()


def queries_of(count, client, tournament):
    with count() as made:
        standings(client, tournament)
    return len(made)


@pytest.fixture
def count(django_assert_max_num_queries):
    return lambda: django_assert_max_num_queries(50)


def test_the_second_look_is_answered_from_memory(client, played, count):
    first = standings(client, played)
    assert queries_of(count, client, played) == 1
    assert standings(client, played) == first


def test_the_first_look_takes_six_queries_whatever_the_size(client, played, count):
    small = cast.play(cast.tournament(4, name="One table"), 1)
    assert queries_of(count, client, small) == queries_of(count, client, played) == 6


def test_a_hand_that_was_taken_back_is_gone_at_the_next_look(client, played):
    table = cast.table(played, 2, 1)
    recorded = cast.record(table, 1, 0, (0, 99, 1, 98))
    before = standings(client, played)
    table.refresh_from_db()
    void_hand(hand_id=recorded.hand.pk, version=table.version, reason="", by=By(played.owner))
    assert not Hand.objects.living().filter(table=table).exists()
    assert standings(client, played) != before


def test_a_penalty_shows_at_the_next_look(client, played):
    before = standings(client, played)
    adjust(
        tournament=played, entry=cast.entry(played, "Zoë"), points=-50, reason="Late", round_number=1, by=played.owner
    )
    assert standings(client, played) != before


def test_a_player_renamed_in_another_tournament_has_the_new_name_at_once(client, played):
    """The two tournaments share the person and not the log."""
    other = cast.tournament(4, name="Next week")
    shared = Entry.objects.create(tournament=other, player=cast.entry(played, "Zoë").player, number=5)
    assert "Zoe with an e" not in standings(client, played)
    rename_entry(entry=shared, name="Zoe with an e", club="", by=played.owner)
    assert "Zoe with an e" in standings(client, played)


def test_frozen_standings_are_linked_at_the_next_look(client, played):
    before = standings(client, played, as_of_round=1)
    assert "the record, as CSV" not in before
    snapshots.freeze(played.rounds.get(number=1))
    assert "the record, as CSV" in standings(client, played, as_of_round=1)


def test_each_round_has_a_page_of_its_own(client, played):
    assert standings(client, played, as_of_round=1) != standings(client, played, as_of_round=2)
    assert client.get(reverse("standings", args=[played.slug]), {"as_of_round": "9"}).status_code == 404


def test_who_is_signed_in_never_gets_the_page_of_the_others_and_leaves_none(client, played):
    client.force_login(cast.organiser())
    assert "Olga" in standings(client, played)
    client.logout()
    assert "Olga" not in standings(client, played)
    client.force_login(cast.organiser())
    assert "Olga" in standings(client, played)


def test_a_private_tournament_is_closed_to_strangers_from_one_moment_to_the_next(client, played):
    standings(client, played)
    played.visibility = "private"
    played.save()
    assert client.get(reverse("standings", args=[played.slug])).status_code == 404


def test_a_private_tournament_that_is_open_for_a_moment_leaves_no_page_behind(client, played, monkeypatch):
    """Who plays was read while it was private, the tournament's row when it was not."""
    read = ledger.entry_rows
    Tournament.objects.filter(pk=played.pk).update(visibility="private")

    def late(entries):
        rows = read(entries)
        Tournament.objects.filter(pk=played.pk).update(visibility="public")
        return rows

    monkeypatch.setattr(ledger, "entry_rows", late)
    standings(client, played)
    monkeypatch.undo()
    Tournament.objects.filter(pk=played.pk).update(visibility="private")
    assert client.get(reverse("standings", args=[played.slug])).status_code == 404


def test_a_change_between_two_reads_of_one_request_leaves_no_old_page_behind(client, played, monkeypatch):
    """The tournament's row was read, then its name changed, then the rest was read."""
    read = ledger.read

    def late(tournament, entries, **of):
        monkeypatch.setattr(ledger, "read", read)
        change_details(tournament=Tournament.objects.get(pk=tournament.pk), by=tournament.owner, name="Winter Pairs")
        return read(tournament, entries, **of)

    monkeypatch.setattr(ledger, "read", late)
    assert "Autumn Pairs" in standings(client, played)
    assert "Winter Pairs" in standings(client, played)


def test_a_tournament_without_a_log_is_not_kept(client, played, count):
    LogHead.objects.filter(tournament=played).delete()
    standings(client, played)
    assert queries_of(count, client, played) == 6


def test_only_the_latest_pages_are_kept(client, played, monkeypatch, count):
    monkeypatch.setattr(kept, "_pages", Remembered(1))
    standings(client, played)
    standings(client, played, as_of_round=1)
    assert queries_of(count, client, played) == 6
    assert queries_of(count, client, played) == 1
