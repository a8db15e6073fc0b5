"""The chain of the log: whatever is done to a row behind the service's back is found, and named."""

import csv
import json
import zipfile
from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from league.background import jobs
from league.clubs.merge import merge
from league.day.entrants import drop_out, enter_late
from league.day.substitutes import substitute
from league.day.undo import undo_event
from league.entries.list_order import rename_entry
from league.erasure.erase import erase_player
from league.log import chain
from league.log.audit import verify
from league.log.in_words import in_words
from league.log.write import note
from league.models import EntryEvent, LogEntry, LogHead, Player
from league.public.snapshots import freeze
from league.rounds.adjustments import adjust
from league.rounds.steps import start
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """A tournament after its first round."""
    return cast.play(cast.tournament(), rounds=1)


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


def sql(statement, *values):
    """Past the models, as somebody with the database would."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def found(made):
    """What is wrong with the chain. What results say to it: tests/faults/test_audit_attacks.py."""
    return [str(fault) for fault in verify(made).faults if fault.kind != "differs"]


def row(made, number):
    return LogEntry.objects.get(tournament=made, number=number)


def test_a_played_round_leaves_one_unbroken_chain(made):
    numbers = list(LogEntry.objects.filter(tournament=made).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) > 10
    assert row(made, 1).previous == made.public_id and row(made, 2).previous == row(made, 1).hash
    assert verify(made).faults == verify(made).notes == []


def test_a_missing_row_is_found(made):
    sql("DELETE FROM league_logentry WHERE id = %s", row(made, 5).pk)
    assert found(made) == ["entry 5 is missing"]


def test_a_missing_last_row_is_found(made):
    last = LogHead.objects.get(tournament=made).number
    sql("DELETE FROM league_logentry WHERE id = %s", row(made, last).pk)
    assert found(made) == [f"entry {last} is missing", f"the log does not end with entry {last}, which was its last"]


def test_swapped_rows_are_found(made):
    first, second = row(made, 5).pk, row(made, 6).pk
    for pk, number in ((first, None), (second, 5), (first, 6)):
        sql("UPDATE league_logentry SET number = %s WHERE id = %s", number, pk)
    assert found(made) == [
        "entry 5 was written as entry 6: entries were swapped or renumbered",
        "entry 6 was written as entry 5: entries were swapped or renumbered",
    ]


def test_a_row_from_another_tournament_does_not_fit(made):
    other = cast.play(cast.tournament(name="Other Pairs"), rounds=1)
    sql("DELETE FROM league_logentry WHERE id = %s", row(made, 5).pk)
    sql("UPDATE league_logentry SET tournament_id = %s WHERE id = %s", made.pk, row(other, 5).pk)
    assert found(made) == [
        "entry 5 does not follow entry 4: one of the two was replaced",
        "entry 6 does not follow entry 5: one of the two was replaced",
    ]
    assert found(other) == ["entry 5 is missing"]


def test_a_row_slipped_in_is_found(made):
    LogEntry.objects.create(tournament=made, action="adjust")
    assert found(made) == ["an entry stands outside of the chain"]
    last = LogHead.objects.get(tournament=made).number
    sql("UPDATE league_logentry SET number = %s WHERE number IS NULL", last + 1)
    assert found(made)[0] == f"entry {last + 1} was changed after it was written"


def test_the_command_says_what_it_found_and_leaves_with_1(made, capsys):
    other = cast.tournament(name="Other Pairs")
    said = StringIO()
    call_command("audit", "verify", stdout=said)
    assert said.getvalue().splitlines() == [
        f"autumn-pairs: ok, {verify(made)[1].number} entries, {verify(made)[1].hash}",
        f"other-pairs: ok, 1 entries, {verify(other)[1].hash}",
    ]
    sql("UPDATE league_logentry SET reason = 'Because' WHERE id = %s", row(made, 3).pk)
    said = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("audit", "verify", "autumn-pairs", stdout=said)
    assert left.value.code == 1
    assert said.getvalue() == "autumn-pairs: entry 3 was changed after it was written\n"
    call_command("audit", "verify", "other-pairs", stdout=StringIO())


def test_a_row_written_through_json_and_back_still_fits(made):
    """Names in every script, signs, nothing: what a database may write differently than it was given."""
    zoe = cast.entry(made, "Zoë")
    rename_entry(entry=zoe, name="Đorđe \u2028 “Ω” 😀", club="", by=made.owner)
    adjust(tournament=made, entry=zoe, points=-5, reason="Слишком поздно", round_number=None, by=made.owner)
    assert found(made) == []


def test_a_log_row_takes_three_queries(made, django_assert_num_queries):
    owner = made.owner
    with django_assert_num_queries(3):
        note(tournament=made, by=owner, action="settings")


def test_rows_from_before_the_chain_are_chained_as_they_stand(made):
    other = cast.tournament(name="Other Pairs")
    sql("UPDATE league_logentry SET number = NULL, previous = '', salt = '', digest = '', hash = ''")
    sql("DELETE FROM league_loghead")
    import_module("league.migrations.0003_log_chain").chain_old_rows(apps, None)
    assert found(made) == found(other) == ["the log does not say to which tournament it belongs"]
    upgrade()
    assert found(made) == found(other) == []
    first = row(made, 1)
    assert (first.action, first.previous) == ("create", "")
    adjust(tournament=made, entry=cast.entry(made, "Zoë"), points=-5, reason="Late", round_number=1, by=made.owner)
    assert found(made) == []


# --- logs from before rows hashed facts and a public id

NEW = ("source", "recorded_at", "sha256")


def age(made):
    """The log as an earlier version wrote it: no facts in the hashes, nothing before the first, less in each row."""
    previous = ""
    for one in LogEntry.objects.filter(tournament=made).order_by("number"):
        one.new = {key: value for key, value in one.new.items() if key not in NEW} if one.new else one.new
        one.digest, one.previous = chain.content_digest(one.salt, one.old, one.new, one.reason), previous
        one.hash = previous = chain.link_hash(chain.link_of(one), with_facts=False)
        kept = {name: getattr(one, name) for name in ("new", "digest", "previous", "hash")}
        LogEntry.objects.filter(pk=one.pk).update(**kept)
    LogHead.objects.filter(tournament=made).update(hash=previous)


def upgrade():
    import_module("league.migrations.0014_log_anchor").bind_old_logs(apps, None)


@pytest.fixture
def old(made):
    """The tournament with the log of an earlier version, upgraded since."""
    age(made)
    upgrade()
    return made


def test_an_old_log_is_bound_by_one_row_and_only_once(old):
    audited = verify(old)
    assert audited.faults == []
    assert audited.notes == ["not compared: source and time of 8 hands, the last of entry 11; now the log keeps them"]
    assert row(old, audited.head.number).action == chain.BIND
    assert in_words(row(old, audited.head.number)) == "Log linked to this tournament by an upgrade"
    upgrade()
    assert verify(old).head.number == audited.head.number
    assert LogHead.objects.get(tournament=old).beside_hands == audited.head.hash


def test_a_log_that_was_bound_from_its_beginning_gets_no_row(made):
    before = verify(made).head.number
    upgrade()
    assert verify(made).head.number == before


def test_an_old_log_goes_on_and_what_comes_is_compared(old):
    again = cast.record(cast.table(old, 2, 1), 1).hand
    assert verify(old).faults == []
    sql("UPDATE games_hand SET source = 'engine' WHERE id = %s", again.pk)
    assert [str(fault) for fault in verify(old).faults] == [
        f"round 2, table 1, hand 1: source is engine, by entry {verify(old).head.number} it is organiser"
    ]


def test_results_from_before_the_upgrade_are_compared_by_what_the_old_log_tells(old):
    sql("UPDATE league_handscore SET score = score + 1 WHERE id = (SELECT min(id) FROM league_handscore)")
    [fault] = verify(old).faults
    assert "round 1, table 1, hand 1, seat 0: score is" in str(fault)


def test_an_old_row_that_is_rewritten_behind_a_self_made_erasure_is_found(old):
    first = LogEntry.objects.filter(tournament=old, action="record").earliest("number")
    new = first.new | {"went_out": None}
    LogEntry.objects.filter(pk=first.pk).update(new=new, salt="")
    redacted = {str(first.number): chain.content_digest("", first.old, new, first.reason)}
    bound_by = verify(old).head.number
    note(tournament=old, by=old.owner, action=chain.ERASE, new={"player": "Player bcdf", chain.REDACTED: redacted})
    assert found(old) == [f"an entry before entry {bound_by} was changed since the upgrade that wrote that one"]


def test_two_old_logs_that_are_swapped_are_found(old):
    other = cast.tournament(name="Other Pairs")
    age(other)
    upgrade()
    for table in ("league_logentry", "league_loghead"):
        for now, then in ((-1, old.pk), (old.pk, other.pk), (other.pk, -1)):
            sql(f"UPDATE {table} SET tournament_id = %s WHERE tournament_id = %s", now, then)
    assert found(old) == found(other) == ["the log is not the one of this tournament"]


def test_a_log_that_was_cut_before_the_upgrade_is_not_made_whole_by_it(made):
    age(made)
    last = LogHead.objects.get(tournament=made).number
    sql("DELETE FROM league_logentry WHERE tournament_id = %s AND number = %s", made.pk, last)
    upgrade()
    assert (
        found(made)
        == [
            f"an entry before entry {last + 1} was changed since the upgrade that wrote that one",
            f"entry {last} is missing",
        ][1:]
    )


# --- what somebody has written down


def said_by(*options):
    said, code = StringIO(), 0
    try:
        call_command("audit", "verify", *options, stdout=said)
    except SystemExit as left:
        code = left.code
    return code, said.getvalue().splitlines()


def test_a_hash_that_was_written_down_says_up_to_where_the_log_holds(made):
    since = row(made, 4).hash
    assert said_by("autumn-pairs", "--since", since) == (
        0,
        [
            f"autumn-pairs: ok, {verify(made).head.number} entries, {verify(made).head.hash}",
            "autumn-pairs: entries 1 to 4 are as they were when that was written down, "
            f"{verify(made).head.number - 4} follow",
        ],
    )
    sql("UPDATE league_logentry SET reason = 'Because' WHERE id = %s", row(made, 3).pk)
    assert said_by("--since", since) == (1, ["autumn-pairs: entry 3 was changed after it was written"])


def test_a_hash_of_another_tournament_does_not_hold_for_this_one(made):
    other = verify(cast.tournament(name="Other Pairs")).head.hash
    assert said_by("--since", other)[0] == 0
    code, lines = said_by("autumn-pairs", "--since", other)
    assert (code, lines[-1]) == (
        1,
        f"autumn-pairs: no entry has the hash {other}: the log was cut or rewritten since the hash was saved",
    )
    with pytest.raises(CommandError, match="--since takes a hash"):
        said_by("--since", "31")


def test_a_manifest_is_read_by_itself_and_in_its_file(made, tmp_path):
    name, content = jobs.export_all(made, lambda done, of: None)
    (tmp_path / name).write_bytes(content)
    with zipfile.ZipFile(tmp_path / name) as archive:
        (tmp_path / "MANIFEST").write_bytes(archive.read("MANIFEST"))
    for file in (name, "MANIFEST"):
        assert said_by("--manifest", tmp_path / file)[0] == 0
    last = verify(made).head.number
    sql("DELETE FROM league_logentry WHERE id = %s", row(made, last).pk)
    LogHead.objects.filter(tournament=made).update(number=last - 1, hash=row(made, last - 1).hash)
    for file in (name, "MANIFEST"):
        code, lines = said_by("autumn-pairs", "--manifest", tmp_path / file)
        assert code == 1 and "was cut or rewritten since" in lines[0]


def test_a_manifest_that_names_a_tournament_which_is_gone_is_a_fault(made, tmp_path):
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps({"logs": {"bcdfghjk": {"slug": "gone", "number": 7, "hash": "0" * 64}}}))
    assert said_by("--manifest", path)[1][-1] == "gone: the manifest has a log of 7 entries, and none is here"
    assert said_by("autumn-pairs", "--manifest", path)[0] == 0  # not asked about


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"logs": {"bcdfghjk": {}}}', "PK\x03\x04 no zip"])
def test_a_file_that_is_no_manifest_is_refused(made, tmp_path, text):
    path = tmp_path / "manifest.json"
    with pytest.raises(CommandError, match="doesn’t exist"):
        said_by("--manifest", path)
    path.write_text(text)
    with pytest.raises(CommandError, match="a manifest, or comes from"):
        said_by("--manifest", path)


def test_a_csv_says_where_the_log_ended(made, client):
    freeze(made.rounds.get(number=1))
    head = verify(made).head.hash
    for name in ("standings", "hands", "standings_as_published", "odds"):
        assert client.get(f"/t/autumn-pairs/{name}.csv")["X-Log-Head"] == head, name
    assert client.get("/api/v1/tournaments/autumn-pairs/standings/?format=csv")["X-Log-Head"] == head


def test_a_record_of_published_standings_names_the_row_that_tells_of_it(made, client):
    frozen = freeze(made.rounds.get(number=1))
    told = row(made, frozen.log_number)
    assert (told.action, told.hash) == ("snapshot", frozen.log_hash)
    lines = client.get("/t/autumn-pairs/standings_as_published.csv").content.decode().split("\r\n")
    assert {line["log_hash"] for line in csv.DictReader(lines)} == {frozen.log_hash}


def test_what_was_erased_is_named_with_the_row_that_tells_of_it(made):
    zoe = cast.entry(made, "Zoë")
    adjust(tournament=made, entry=zoe, points=-5, reason="Late, says Zoë", round_number=1, by=made.owner)
    adjust(tournament=made, entry=zoe, points=-6, reason="Late again", round_number=1, by=made.owner)
    last = verify(made).head.number
    erase_player(player=zoe.player, by=made.owner)
    audited = verify(made)
    assert (audited.faults, audited.notes) == ([], [f"entries {last - 1}, {last} were anonymised by entry {last + 1}"])


def test_an_erasure_leaves_facts_alone_whatever_somebody_is_called(made):
    zoe = cast.entry(made, "Zoë")
    rename_entry(entry=zoe, name="organiser", club="active", by=made.owner)
    freeze(made.rounds.get(number=1))
    erase_player(player=zoe.player, by=made.owner)
    assert verify(made).faults == []


def test_hands_of_a_record_that_was_merged_are_still_whose_they_were(made):
    sitting = made.rounds.get(number=2).seats.select_related("entry").first()
    substitute(tournament=made, entry=sitting.entry, name="Hana", by=made.owner)
    cast.record(sitting.table, 1)
    kept, gone = Player.objects.create(name="Hannah"), Player.objects.get(name="Hana")
    merge(target=kept, source=gone, by=made.owner)
    assert verify(made).faults == []


def test_byes_are_told_in_words():
    made = cast.play(cast.tournament(9, bye_points=10, rounds=2), rounds=1)
    told = LogEntry.objects.filter(tournament=made, action="bye-points").earliest("number")
    assert in_words(told) == f"Round 1: points for byes: {told.new[0]['player']} 10"
    assert verify(made).faults == verify(made).notes == []


def test_a_late_player_who_left_and_was_taken_off_by_undoing_both_leaves_no_fault():
    """Undoing a late entry deletes the player, and with them the event of leaving that was undone before."""
    made = cast.challenge(9)
    start(tournament=made, by=made.owner)
    came = enter_late(tournament=made, name="Late", by=made.owner)
    left = drop_out(tournament=made, entry=came.entry, by=made.owner)
    for event in (left, came):
        undo_event(tournament=made, event=event, by=made.owner)
    assert not EntryEvent.objects.filter(pk__in=(left.pk, came.pk)).exists()
    assert verify(made).faults == []
    came = enter_late(tournament=made, name="Late again", by=made.owner)
    sql("DELETE FROM league_entryevent WHERE id = %s", came.pk)
    assert [fault.number for fault in verify(made).faults] == [LogHead.objects.get(tournament=made).number]
