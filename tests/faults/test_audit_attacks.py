"""What somebody does past the service, by SQL, and what `audit verify` says to it: alone, and with the ends of the logs
that were written down before. docs/operations.md has the same table, held against this one."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.utils import timezone

from engine.paper import SeatReport
from games.hands.correct import correct_hand, void_hand
from games.hands.judge import HandInput
from games.models import Hand
from league.access.viewer import Attribution
from league.day.entrants import drop_out
from league.day.substitutes import substitute
from league.day.undo import undo_event
from league.erasure.erase import erase_player
from league.log import anchors, chain
from league.log.write import note
from league.models import (
    Adjustment,
    EntryEvent,
    HandScore,
    LogEntry,
    LogHead,
    Player,
    Snapshot,
    Stage,
    Tournament,
)
from league.public.snapshots import freeze
from league.rounds.adjustments import adjust, void_adjustment
from league.setup.create import change_details
from tests import cast

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Attack:
    """`of`: the row of the table in docs/operations.md. `says`: what is said of it, a pattern."""

    change: Callable[[Tournament], None]
    of: str
    says: str
    by_itself: bool

    @property
    def name(self) -> str:
        return self.change.__name__


ATTACKS: list[Attack] = []
BY_ITSELF, WITH_AN_END = "by itself", "only with an end that was kept"


def attack(of: str, says: str, *, by_itself: bool = True) -> Callable[[Callable[[Tournament], None]], None]:
    """`by_itself`: found without anything that was kept elsewhere."""

    def add(change: Callable[[Tournament], None]) -> None:
        ATTACKS.append(Attack(change, of, says, by_itself))

    return add


def sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def rows(made: Tournament) -> Any:
    return LogEntry.objects.filter(tournament=made).order_by("number")


def row_of(made: Tournament, action: str) -> LogEntry:
    return rows(made).filter(action=action).first()


def scores(made: Tournament) -> Any:
    return HandScore.objects.filter(table__round__tournament=made).order_by("pk")


def hands(made: Tournament) -> Any:
    return Hand.objects.filter(table__round__tournament=made).order_by("pk")


def other_than(made: Tournament) -> Tournament:
    return Tournament.objects.exclude(pk=made.pk).get()


def cut(made: Tournament, last: int) -> None:
    """The log ends with row `last`, as if there had never been another."""
    sql("DELETE FROM league_logentry WHERE tournament_id = %s AND number > %s", made.pk, last)
    head = {"number": last, "hash": rows(made).get(number=last).hash}
    LogHead.objects.filter(tournament=made).update(**head)


def make_anew(made: Tournament, *, records: bool = False) -> None:
    """All hashes as if the rows had been written as they stand; and perhaps those in the records of standings."""
    previous = made.public_id
    for number, row in enumerate(rows(made), 1):
        row.number, row.previous = number, previous
        row.digest = chain.content_digest(row.salt, row.old, row.new, row.reason)
        row.hash = previous = chain.link_hash(chain.link_of(row))
        kept = {name: getattr(row, name) for name in ("number", "previous", "digest", "hash")}
        LogEntry.objects.filter(pk=row.pk).update(**kept)
    LogHead.objects.filter(tournament=made).update(number=rows(made).count(), hash=previous)
    for record in Snapshot.objects.filter(round__tournament=made) if records else ():
        told = rows(made).get(number=record.log_number)
        Snapshot.objects.filter(pk=record.pk).update(log_hash=told.hash)


def rewrite(row: LogEntry, **content: Any) -> str:
    """Other content with another salt, as an erasure leaves a row; returns the digest that it names."""
    content = {"old": row.old, "new": row.new, "reason": row.reason} | content
    LogEntry.objects.filter(pk=row.pk).update(salt="0" * 32, **content)
    return chain.content_digest("0" * 32, content["old"], content["new"], content["reason"])


def raised(new: dict[str, Any]) -> dict[str, Any]:
    """A hand as the log has it, in which one seat holds more."""
    seats = [dict(seat) for seat in new["seats"]]
    seats[1]["points_left"] += 5
    return new | {"seats": seats}


# --- rows of the log

COLUMN = "A column of a row: time, account, player, action, place, content, salt or a hash"
for column, value in (
    ("at", "2020-01-01 00:00:00+00:00"),
    ("by_id", None),
    ("player", "bcdfghjk"),
    ("action", "void"),
    ("round", 9),
    ('"table"', 9),
    ("hand", 9),
    ("old", '{"points": 1}'),
    ("new", '{"points": 1}'),
    ("new", '{"went_out": [], "seats": [1, {"seat": {}}], "recorded_at": 7}'),
    ("reason", "No reason"),
    ("salt", "0" * 32),
    ("digest", "0" * 64),
    ("previous", "0" * 64),
    ("hash", "0" * 64),
):

    def edit(made: Tournament, column: str = column, value: Any = value) -> None:
        sql(f"UPDATE league_logentry SET {column} = %s WHERE id = %s", value, row_of(made, "record").pk)

    edit.__name__ = f"{column.strip(chr(34))}_of_a_row_is_edited_to_{str(value)[:20]}"
    attack(COLUMN, r"entry \d+ was changed after it was written")(edit)

ROWS = "Rows deleted, swapped, slipped in, or taken from another tournament"


@attack(ROWS, r"entry \d+ is missing")
def a_row_is_deleted(made):
    sql("DELETE FROM league_logentry WHERE id = %s", row_of(made, "record").pk)


@attack(ROWS, r"entry \d+ is missing")
def the_last_row_is_deleted(made):
    sql("DELETE FROM league_logentry WHERE id = %s", rows(made).last().pk)


@attack(ROWS, r"entry \d+ was written as entry \d+: entries were swapped or renumbered")
def two_rows_are_swapped(made):
    first, second = rows(made)[4:6]
    for row, number in ((first, None), (second, first.number), (first, second.number)):
        sql("UPDATE league_logentry SET number = %s WHERE id = %s", number, row.pk)


@attack(ROWS, "an entry stands outside of the chain")
def a_row_is_slipped_in_without_a_number(made):
    LogEntry.objects.create(tournament=made, action="adjust")


@attack(ROWS, r"entry \d+ was changed after it was written")
def a_row_is_slipped_in_between_and_those_after_it_are_renumbered(made):
    number = row_of(made, "record").number
    for row in rows(made).filter(number__gte=number).reverse():
        sql("UPDATE league_logentry SET number = %s WHERE id = %s", row.number + 1, row.pk)
    LogEntry.objects.create(tournament=made, action="adjust", number=number)
    LogHead.objects.filter(tournament=made).update(number=F("number") + 1)


@attack(ROWS, r"entries \d+ to 2147483646 are missing")
def a_row_gets_a_number_far_away(made):
    sql("UPDATE league_logentry SET number = 2147483647 WHERE id = %s", rows(made).last().pk)


@attack(ROWS, r"entry \d+ does not follow entry \d+: one of the two was replaced")
def a_row_of_another_tournament_takes_the_place_of_one(made):
    theirs = row_of(other_than(made), "record")
    sql("DELETE FROM league_logentry WHERE tournament_id = %s AND number = %s", made.pk, theirs.number)
    sql("UPDATE league_logentry SET tournament_id = %s WHERE id = %s", made.pk, theirs.pk)


# --- the whole log and its ends


@attack("The end cut, and the results that it told left", "a result that no entry tells of")
def the_end_is_cut_and_its_results_are_left(made):
    cut(made, row_of(made, "record").number)


@attack("The end cut before a published record", r"the record of round 1, revision 1, names entry \d+ with the hash")
def the_end_is_cut_before_a_record_with_all_results(made):
    cut(made, row_of(made, "snapshot").number - 1)
    delete_results_since(made, row_of(made, "close-round").at)


@attack("The end cut after the last published record, with its results", "was cut or rewritten since", by_itself=False)
def the_end_is_cut_with_its_results(made):
    cut(made, rows(made).filter(action="record").last().number - 1)
    delete_results_since(made, hands(made).last().recorded_at)


@attack("The end cut, where it told no result", "was cut or rewritten since", by_itself=False)
def the_end_is_cut_where_it_told_no_result(made):
    assert rows(made).last().action == "settings"
    cut(made, rows(made).last().number - 1)


@attack("The log deleted, with its head or without", "the log is empty")
def the_log_is_deleted_with_its_head(made):
    sql("DELETE FROM league_logentry WHERE tournament_id = %s", made.pk)
    sql("DELETE FROM league_loghead WHERE tournament_id = %s", made.pk)


@attack("The log deleted, with its head or without", r"entries 1 to \d+ are missing")
def the_log_is_deleted_without_its_head(made):
    sql("DELETE FROM league_logentry WHERE tournament_id = %s", made.pk)


@attack("The head replaced or deleted", r"the log does not end with entry \d+, which was its last")
def the_head_gets_another_hash(made):
    sql("UPDATE league_loghead SET hash = %s WHERE tournament_id = %s", "0" * 64, made.pk)


@attack("The head replaced or deleted", r"the log does not end with entry \d+, which was its last")
def the_head_gets_another_number(made):
    sql("UPDATE league_loghead SET number = number - 1 WHERE tournament_id = %s", made.pk)


@attack("The head replaced or deleted", "the log does not end with entry 0, which was its last")
def the_head_is_deleted(made):
    sql("DELETE FROM league_loghead WHERE tournament_id = %s", made.pk)


def swap_logs(made: Tournament) -> None:
    other = other_than(made)
    for table in ("league_logentry", "league_loghead"):
        sql(f"UPDATE {table} SET tournament_id = -1 WHERE tournament_id = %s", made.pk)
        sql(f"UPDATE {table} SET tournament_id = %s WHERE tournament_id = %s", made.pk, other.pk)
        sql(f"UPDATE {table} SET tournament_id = %s WHERE tournament_id = -1", other.pk)


@attack("Two tournaments' logs swapped, with their heads", "the log is not the one of this tournament")
def two_logs_are_swapped_with_their_heads(made):
    swap_logs(made)


@attack("Two logs swapped, and all hashes made anew", "by entry")
def two_logs_are_swapped_and_all_hashes_are_made_anew(made):
    swap_logs(made)
    make_anew(made)
    make_anew(other_than(made))


# --- results

SCORE = "A column of a score: score, points, cards, who went out, whose it is, who played, source, time"


@attack(SCORE, r"round 1, table 1, hand 1, seat 0: score is \d+, by entry \d+ it is \d+")
def a_score_is_edited(made):
    sql("UPDATE league_handscore SET score = score + 100 WHERE id = %s", scores(made)[0].pk)


@attack(SCORE, r"seat 0: points_for is \d+, by entry \d+ it is \d+")
def points_for_are_edited(made):
    sql("UPDATE league_handscore SET points_for = points_for + 100 WHERE id = %s", scores(made)[0].pk)


@attack(SCORE, r"seat 0: points_against is \d+, by entry \d+ it is \d+")
def points_against_are_edited(made):
    sql("UPDATE league_handscore SET points_against = points_against + 100 WHERE id = %s", scores(made)[0].pk)


@attack(SCORE, r"seat 1: points_left is \d+, by entry \d+ it is \d+")
def points_left_are_edited(made):
    sql("UPDATE league_handscore SET points_left = points_left + 1 WHERE id = %s", scores(made)[1].pk)


@attack(SCORE, r"seat 1: cards_left is 7, by entry \d+ it is None")
def cards_left_are_edited(made):
    sql("UPDATE league_handscore SET cards_left = 7 WHERE id = %s", scores(made)[1].pk)


@attack(SCORE, r"went_out is (True|False), by entry \d+ it is (True|False)")
def went_out_of_a_score_is_edited(made):
    row = scores(made).filter(went_out=True).first()
    sql("UPDATE league_handscore SET went_out = NOT went_out WHERE id = %s", row.pk)


@attack(SCORE, r"seat 0: player_id is \w+, by entry \d+ it is \w+")
def two_players_change_their_scores(made):
    one, other = scores(made)[:2]
    for row, entry in ((one, other.entry_id), (other, one.entry_id)):
        sql("UPDATE league_handscore SET entry_id = %s WHERE id = %s", entry, row.pk)


@attack(SCORE, r"played_by is None, by entry \d+ it is \w+")
def who_played_for_somebody_is_taken_out(made):
    row = scores(made).exclude(played_by=None).first()
    sql("UPDATE league_handscore SET played_by_id = NULL WHERE id = %s", row.pk)


@attack(SCORE, r"partner_id is None, by entry \d+ it is \w+")
def a_partner_is_taken_out(made):
    sql("UPDATE league_handscore SET partner_id = NULL WHERE id = %s", scores(made)[0].pk)


@attack(SCORE, r"source is engine, by entry \d+ it is organiser")
def a_score_is_passed_off_as_played_online(made):
    sql("UPDATE league_handscore SET source = 'engine' WHERE id = %s", scores(made)[0].pk)


@attack(SCORE, "counted_at is 2020")
def a_hand_is_put_before_others(made):
    sql("UPDATE league_handscore SET counted_at = '2020-01-01 00:00:00+00:00' WHERE id = %s", scores(made)[0].pk)


@attack(SCORE, "a result of entry")
def a_hand_is_moved_to_another_table(made):
    one = hands(made).first()
    table = cast.table(made, 2, 2)
    sql("UPDATE games_hand SET table_id = %s, number = 9 WHERE id = %s", table.pk, one.pk)
    for row in scores(made).filter(table=one.table, hand=one.number):
        sql("UPDATE league_handscore SET table_id = %s, hand = 9 WHERE id = %s", table.pk, row.pk)


HAND = "A column of a hand: who went out, what was left by seat"


@attack(HAND, r"round 1, table 1, hand 1: went_out is None, by entry \d+ it is \d")
def went_out_of_a_hand_is_edited(made):
    sql("UPDATE games_hand SET went_out = NULL WHERE id = %s", hands(made)[0].pk)


@attack(HAND, r"round 1, table 1, hand 1: seats is .*, by entry \d+ it is ")
def the_seats_of_a_hand_are_edited(made):
    one = hands(made)[0]
    sql("UPDATE games_hand SET seats = %s WHERE id = %s", json.dumps(raised({"seats": one.seats})["seats"]), one.pk)


VOIDED = "A hand taken back, or one that was taken back made to count"


def count(made: Tournament, hand: Hand, *, it: bool) -> None:
    """Whether it counts, in its own row and in its scores."""
    moment = None if it else timezone.now()
    theirs = {"table": hand.table_id, "hand": hand.number, "recorded_at": hand.recorded_at}
    HandScore.objects.filter(**theirs).update(voided_at=moment)
    Hand.objects.filter(pk=hand.pk).update(voided_at=moment)


@attack(VOIDED, r"round 2, table 1, hand 1: voided is False, by entry \d+ it is True")
def a_voided_hand_takes_the_place_of_the_one_that_counts(made):
    voided = hands(made).filter(void_reason="Typed twice").get()
    count(made, hands(made).get(table=voided.table, number=voided.number, voided_at=None), it=False)
    count(made, voided, it=True)


@attack(VOIDED, r"round 1, table 1, hand 1: voided is True, by entry \d+ it is False")
def a_hand_is_taken_back(made):
    count(made, hands(made)[0], it=False)


@attack(VOIDED, r"seat 0: voided is True, by entry \d+ it is False")
def a_score_alone_is_taken_back(made):
    sql("UPDATE league_handscore SET voided_at = recorded_at WHERE id = %s", scores(made)[0].pk)


@attack(VOIDED, r"round 2, table 1, hand 1, seat 0: score is \d+, by entry")
def a_score_of_a_voided_hand_is_edited(made):
    row = scores(made).exclude(voided_at=None).first()
    sql("UPDATE league_handscore SET score = score + 100 WHERE id = %s", row.pk)


THERE = "A hand deleted, or one slipped in"


@attack(THERE, r"round 2, table 2, hand 2: a result of entry \d+ is not there")
def a_hand_is_deleted(made):
    delete_results_since(made, hands(made).last().recorded_at)


@attack(THERE, "round 1, table 1, hand 3: a hand that no entry tells of")
def a_hand_is_slipped_in(made):
    one = hands(made)[0]
    for row in scores(made).filter(table=one.table, hand=one.number):
        row.pk, row.hand = None, 3
        row.save(force_insert=True)
    one.pk, one.number = None, 3
    one.save(force_insert=True)


def delete_results_since(made: Tournament, moment: Any) -> None:
    gone = [hand.pk for hand in hands(made) if hand.recorded_at >= moment]
    for table in ("games_submission", "games_dispute"):
        for key in gone:
            sql(f"DELETE FROM {table} WHERE hand_id = %s", key)
    for key in reversed(gone):
        sql("DELETE FROM games_hand WHERE id = %s", key)
    for row in scores(made):
        if row.recorded_at >= moment:
            sql("DELETE FROM league_handscore WHERE id = %s", row.pk)
    for kind in (Adjustment, EntryEvent):
        for one in kind.objects.filter(entry__tournament=made):
            if (one.at if kind is EntryEvent else one.recorded_at) >= moment:
                sql(f"DELETE FROM {kind._meta.db_table} WHERE id = %s", one.pk)


@attack("How hands are scored", r"score is \d+, by entry \d+ it is \d+")
def the_scoring_of_the_whole_event_is_edited(made):
    sql("UPDATE league_stage SET scoring = 'lowest-total' WHERE id = %s", Stage.objects.get(tournament=made).pk)


POINTS = "Points beside the hands: how many, whose, taken back or not, slipped in, a bye's"


def beside(made: Tournament, **of: Any) -> Any:
    return Adjustment.objects.filter(entry__tournament=made, **of).order_by("pk")


@attack(POINTS, r"-90 points \(penalty\) for \w+ in round 1 count, and no entry tells that they do")
def a_penalty_is_edited(made):
    sql("UPDATE league_adjustment SET points = -90 WHERE id = %s", beside(made, points=-20).get().pk)


@attack(POINTS, r"-20 points \(penalty\) for \w+ in round 1 do not count, and by the log they do")
def a_penalty_is_given_to_somebody_else(made):
    of, to = beside(made, points=-20).get(), cast.entry(made, "Chidi")
    sql("UPDATE league_adjustment SET entry_id = %s WHERE id = %s", to.pk, of.pk)


@attack(POINTS, r"-20 points \(penalty\) for \w+ in round 1 do not count, and by the log they do")
def a_penalty_is_taken_back(made):
    sql("UPDATE league_adjustment SET voided_at = recorded_at WHERE id = %s", beside(made, points=-20).get().pk)


@attack(POINTS, r"7 points \(carried\) for \w+ in round 1 count, and no entry tells that they do")
def points_that_were_taken_back_count_again(made):
    sql("UPDATE league_adjustment SET voided_at = NULL WHERE id = %s", beside(made, points=7).get().pk)


@attack(POINTS, r"50 points \(carried\) for \w+ count, and no entry tells that they do")
def points_are_slipped_in(made):
    Adjustment.objects.create(entry=cast.entry(made, "Chidi"), kind="carried", points=50, reason="Carried in")


@attack(POINTS, r"round 1: the bye of \w+ is worth 99, by the log 10")
def a_bye_is_worth_more(made):
    bye = beside(made, kind="bye", round__number=1).first()
    sql("UPDATE league_adjustment SET points = 99 WHERE id = %s", bye.pk)


EVENTS = "Who left, came late or came again"


@attack(EVENTS, r"event \d+: kind is return, by entry \d+ it is drop")
def who_left_has_come_again(made):
    event = EntryEvent.objects.get(entry__tournament=made, voided_at=None)
    sql("UPDATE league_entryevent SET kind = 'return' WHERE id = %s", event.pk)


@attack(EVENTS, r"event \d+: voided is True, by entry \d+ it is False")
def that_somebody_left_is_undone(made):
    event = EntryEvent.objects.get(entry__tournament=made, voided_at=None)
    sql("UPDATE league_entryevent SET voided_at = at WHERE id = %s", event.pk)


@attack(EVENTS, r"event \d+: what entry \d+ tells of \w+ is not there")
def that_somebody_left_is_deleted(made):
    event = EntryEvent.objects.get(entry__tournament=made, voided_at=None)
    sql("DELETE FROM league_entryevent WHERE id = %s", event.pk)


@attack(EVENTS, r"event \d+: no entry tells of drop of \w+")
def that_somebody_left_is_slipped_in(made):
    EntryEvent.objects.create(entry=cast.entry(made, "Chidi"), kind="drop")


RECORD = "A record of published standings edited or deleted"


def record(made: Tournament) -> Snapshot:
    return Snapshot.objects.get(round__tournament=made)


@attack(RECORD, r"the record of round 1, revision 1 is not what entry \d+ tells of")
def a_record_is_edited(made):
    frozen = record(made).rows
    frozen[0]["total"] += 100
    sql("UPDATE league_snapshot SET rows = %s WHERE id = %s", json.dumps(frozen), record(made).pk)


@attack(RECORD, r"the record of round 1, revision 1, of entry \d+ is not there")
def a_record_is_deleted(made):
    sql("DELETE FROM league_snapshot WHERE id = %s", record(made).pk)


# --- erasures

BEHIND = "A row rewritten behind a self-made erasure"


def erase_by_oneself(made: Tournament, row: LogEntry, digest: str, **of: Any) -> None:
    new = {"player": "Player bcdf", **of, chain.REDACTED: {str(row.number): digest}}
    note(tournament=made, by=made.owner, action=chain.ERASE, new=new)


@attack(BEHIND, r"entry \d+ was changed after it was written")
def a_result_is_rewritten_behind_a_self_made_erasure(made):
    row, chidi = row_of(made, "record"), cast.entry(made, "Chidi").public_id
    erase_by_oneself(made, row, rewrite(row, new=raised(row.new)), player_id=chidi)
    one = hands(made)[0]
    Hand.objects.filter(pk=one.pk).update(seats=raised({"seats": one.seats})["seats"])


@attack(BEHIND, r"entry \d+ was changed after it was written")
def a_penalty_is_rewritten_behind_a_self_made_erasure(made):
    row = row_of(made, "adjust")
    erase_by_oneself(made, row, rewrite(row, new=row.new | {"points": -90}))
    beside(made, points=-20).update(points=-90)


@attack(BEHIND, r"entry \d+ records an erasure, but no one was erased: entry \d+ was rewritten behind it")
def a_reason_is_rewritten_behind_the_self_made_erasure_of_a_player(made):
    row = row_of(made, "adjust")
    erase_by_oneself(made, row, rewrite(row, reason="Cheated"), player_id=cast.entry(made, "Chidi").public_id)


@attack(BEHIND, r"entry \d+ records an erasure, but no one was erased: entry \d+ was rewritten behind it")
def a_reason_is_rewritten_behind_the_self_made_erasure_of_nobody(made):
    row = row_of(made, "adjust")
    erase_by_oneself(made, row, rewrite(row, reason="Cheated"), player_id="bcdfghjk")


@attack(BEHIND, r"entry \d+ records an erasure, but no one was erased: entry \d+ was rewritten behind it")
def a_reason_is_rewritten_behind_a_second_erasure_of_who_was_erased(made):
    row, erased = row_of(made, "adjust"), made.entries.exclude(player__erased_at=None).get()
    erase_by_oneself(made, row, rewrite(row, reason="Cheated"), player_id=erased.public_id)


@attack(BEHIND, r"entry \d+ records an erasure, but no one was erased: entry \d+ was rewritten behind it")
def a_reason_is_rewritten_behind_an_erasure_that_only_names_who_was_erased(made):
    row, erased = row_of(made, "adjust"), made.entries.exclude(player__erased_at=None).get()
    erase_by_oneself(made, row, rewrite(row, reason="Cheated"), player=erased.player.name)


@attack(BEHIND, r"entry \d+ records an erasure, but no one was erased: entry \d+ was rewritten behind it")
def a_reason_is_rewritten_behind_the_self_made_closing_of_an_account(made):
    row = row_of(made, "adjust")
    erase_by_oneself(made, row, rewrite(row, reason="Cheated"), user_id=made.owner.pk)


@attack(BEHIND, r"entry \d+ records an erasure, but no one was erased: entry \d+ was rewritten behind it")
def a_reason_is_rewritten_behind_an_erasure_that_makes_no_sense(made):
    row = row_of(made, "adjust")
    new = {"player_id": [], "user_id": {}, chain.REDACTED: {str(row.number): rewrite(row, reason="Cheated"), "x": 1}}
    note(tournament=made, by=made.owner, action=chain.ERASE, new=new)


@attack("An erased row rewritten once more", r"entry \d+ was changed after it was written")
def an_erased_row_is_rewritten_once_more(made):
    erasure = rows(made).filter(action=chain.ERASE).last()
    rewrite(rows(made).get(number=min(map(int, erasure.new[chain.REDACTED]))), reason="Cheated")


# --- all hashes made anew


def raise_a_result_and_its_row(made: Tournament) -> None:
    """The first hand, wherever it stands but for the hashes; its scores by the sum that each of them is."""
    row, one = row_of(made, "record"), hands(made)[0]
    LogEntry.objects.filter(pk=row.pk).update(new=raised(row.new))
    Hand.objects.filter(pk=one.pk).update(seats=raised({"seats": one.seats})["seats"])
    theirs = scores(made).filter(table=one.table, hand=one.number, recorded_at=one.recorded_at)
    theirs.filter(seat=1).update(points_left=F("points_left") + 5)
    sides = (0, 2) if one.went_out in (0, 2) else (1, 3)
    if 1 not in sides:
        theirs.filter(seat__in=sides).update(points_for=F("points_for") + 5, score=F("score") + 5)
        theirs.exclude(seat__in=sides).update(points_against=F("points_against") + 5)
    elif one.went_out == 3:
        raise AssertionError("These cards count for nobody.")


@attack("A result and its row rewritten, and all hashes made anew", "the log was cut or rewritten since")
def all_hashes_are_made_anew_but_those_of_the_records(made):
    raise_a_result_and_its_row(made)
    make_anew(made)


@attack(
    "A result and its row rewritten, and all hashes made anew, those of the records too",
    "was cut or rewritten since",
    by_itself=False,
)
def all_hashes_are_made_anew_with_those_of_the_records(made):
    raise_a_result_and_its_row(made)
    make_anew(made, records=True)


@attack("A tournament deleted with everything of it", "the manifest has a log of", by_itself=False)
def a_tournament_is_deleted_with_everything(made):
    delete_results_since(made, made.created_at)
    Snapshot.objects.filter(round__tournament=made).delete()
    Adjustment.objects.filter(entry__tournament=made).delete()
    sql("DELETE FROM league_seat WHERE round_id IN (SELECT id FROM league_round WHERE tournament_id = %s)", made.pk)
    Tournament.objects.get(pk=made.pk).delete()


# --- what is held against them


@pytest.fixture(scope="module")
def rich_evening(module_world: None) -> Tournament:
    """An evening in its second round on which everything happened that leaves a result, and another tournament."""
    made = cast.play(cast.tournament(9, rounds=3, hands_per_round=2, bye_points=10), rounds=1)
    cast.play(cast.tournament(name="Other Pairs"), rounds=1)
    by: dict[str, Any] = {"tournament": made, "by": made.owner}
    freeze(made.rounds.get(number=1))
    adjust(**by, entry=cast.entry(made, "Farah"), points=-20, reason="Late, says Zoë", round_number=1)
    taken_back = adjust(**by, entry=cast.entry(made, "Farah"), points=7, reason="A chair", round_number=1)
    void_adjustment(**by, adjustment_id=taken_back.pk)
    undo_event(**by, event=drop_out(**by, entry=cast.entry(made, "Benoît")))
    drop_out(**by, entry=cast.entry(made, "Benoît"), reason="Home")
    sitting = made.rounds.get(number=2).seats.exclude(table=None).exclude(entry__status="standin").first()
    substitute(**by, entry=sitting.entry, name="Hana")
    one, other = (cast.record(cast.table(made, 2, table), 1).hand for table in (1, 2))
    cast.record(cast.table(made, 2, 1), 2)
    void_hand(hand_id=one.pk, version=cast.table(made, 2, 1).version, reason="Typed twice", by=Attribution(made.owner))
    cast.record(cast.table(made, 2, 1), 1, points=(0, 11, 21, 31))
    reports = [SeatReport(seat, points_left=12) for seat in (1, 2, 3)]
    version = cast.table(made, 2, 2).version
    correct_hand(
        hand_id=other.pk,
        version=version,
        hand=HandInput(other.number, 0, reports),
        reason="A wrong card",
        by=Attribution(made.owner),
    )
    erase_player(player=Player.objects.get(name="Zoë", entries__tournament=made), by=made.owner)
    cast.record(cast.table(made, 2, 2), 2)
    change_details(**by, place="Hall 2")
    return made


@pytest.fixture
def made(rich_evening: Tournament) -> Tournament:
    return cast.again(rich_evening)


@pytest.fixture
def kept(made: Tournament, tmp_path: Path) -> Path:
    """The ends of the logs, as a backup has them."""
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps({anchors.LOGS: anchors.ends()}))
    return path


def verify(*options: Any) -> tuple[int, str]:
    said, code = StringIO(), 0
    try:
        call_command("audit", "verify", *options, stdout=said)
    except SystemExit as left:
        code = int(left.code or 0)
    return code, said.getvalue()


def test_an_evening_that_nobody_touched_is_ok_with_every_anchor(made: Tournament, kept: Path) -> None:
    since = LogHead.objects.get(tournament=made).hash
    code, said = verify("--manifest", kept, "--since", since)
    assert code == 0, said
    assert f"autumn-pairs: ok, {rows(made).count()} entries, {since}\n" in said


@pytest.mark.parametrize("one", ATTACKS, ids=lambda one: one.name)
def test_what_was_changed_by_sql_is_found_and_named(one: Attack, made: Tournament, kept: Path) -> None:
    """Who has only a hash learns that no log has it; who has a manifest, also whose log that was and where it ended."""
    since = LogHead.objects.get(tournament=made).hash
    one.change(made)
    code, said = verify()
    assert code == one.by_itself, said
    if not one.by_itself:
        code, said = verify("--since", since)
        assert code == 1 and f"no log has an entry with the hash {since}" in said, said
        code, said = verify("--manifest", kept)
        assert code == 1, said
    assert re.search(one.says, said), said


def test_there_are_at_least_as_many_as_a_stranger_thought_of() -> None:
    assert len({one.name for one in ATTACKS}) == len(ATTACKS) >= 33


def test_the_page_says_what_is_found_and_what_only_with_something_that_was_kept() -> None:
    page = (Path(settings.BASE_DIR) / "docs" / "operations.md").read_text(encoding="utf-8")
    told = {
        what: (int(count), found) for what, count, found in re.findall(r"^\| ([^|]+) \| (\d+) \| (.+) \|$", page, re.M)
    }
    there: dict[str, tuple[int, str]] = {}
    for one in ATTACKS:
        there[one.of] = there.get(one.of, (0, ""))[0] + 1, BY_ITSELF if one.by_itself else WITH_AN_END
    assert told == there
    alone = sum(one.by_itself for one in ATTACKS)
    assert f"Of these {len(ATTACKS)} it finds {alone} by itself, and all with an end of the log" in page


def test_a_row_that_is_added_as_the_service_would_is_a_row_and_only_readers_know(made: Tournament, kept: Path) -> None:
    """As the page says: nothing was rewritten, so nothing can show it but the row, which stands in the log."""
    lie = {"player_id": cast.entry(made, "Farah").public_id, "player": "Farah", "points": 500}
    note(tournament=made, by=made.owner, action="adjust", new=lie, reason="Because")
    Adjustment.objects.create(entry=cast.entry(made, "Farah"), kind="carried", points=500, reason="Because")
    assert verify("--manifest", kept)[0] == 0
