"""Today's processes continue while a later release's migration changes the tables below them.

During an upgrade, old processes and new tables meet. A migration that only adds (.ci/check_migrations.py) must not
disturb them, their prepared statements or their open connections.
"""

import json
import threading
import time
import uuid
from collections import Counter

import psycopg
import pytest

from tests.faults.test_postgres_down import TYPED, ask, rows_by_hand
from tests.served import Served, migrated_on

HANDS = 6

# Prints the SQL of a later release: columns in tables that hands and tournaments are written to, and a new table.
LATER = """
from django.db import connection, migrations, models
from django.db.migrations.executor import MigrationExecutor
class Later(migrations.Migration):
    operations = [
        migrations.AddField("tournament", "colour", models.CharField(max_length=20, db_default="red")),
        migrations.AddField("handscore", "bonus", models.IntegerField(db_default=0)),
        migrations.AddField("logentry", "later", models.TextField(null=True)),
        migrations.CreateModel("Fan", [
            ("id", models.BigAutoField(primary_key=True)),
            ("tournament", models.ForeignKey("league.Tournament", models.CASCADE)),
        ]),
    ]
with connection.schema_editor(collect_sql=True) as editor:
    Later("0999_later", "league").apply(MigrationExecutor(connection).loader.project_state(), editor)
print(json.dumps(editor.collected_sql))
"""


@pytest.fixture
def served(postgres_server, tmp_path):
    served = Served(tmp_path, migrated_on(postgres_server))
    served.environment["WILD_DATABASE_KEEP"] = "60"
    yield served
    served.stop()


class Scorer(threading.Thread):
    """Records the hands of a table, one after the other, and reads the standings after each."""

    def __init__(self, visitor, table):
        super().__init__()
        self.visitor, self.table, self.answers = visitor, table, Counter()
        self.has_begun, self.hands_recorded = threading.Event(), 0

    def run(self):
        for hand in range(1, HANDS + 1):
            form = TYPED | {"hand": str(hand), "key": str(uuid.uuid4())}
            for _attempt in range(100):
                status = self.visitor.post(f"/tables/{self.table}/", form)[0]
                self.answers[status] += 1
                if status != 503:  # the page that says “try again”
                    break
                time.sleep(0.1)
            self.answers[ask(self.visitor, "/t/autumn-pairs/standings/")[0]] += 1
            self.hands_recorded = hand
            self.has_begun.set()


def test_no_hand_is_lost_while_a_later_migration_is_applied(served):
    tables = served.prepare(
        [
            f"made = cast.tournament(hands_per_round={HANDS}); start(tournament=made, by=made.owner)",
            "print(json.dumps([table.pk for table in made.rounds.get(number=1).tables.order_by('number')]))",
        ]
    )
    statements = served.prepare([LATER])
    served.start()
    scorers = [Scorer(served.visitor(), table) for table in tables]
    for scorer in scorers:
        scorer.start()
    assert all(scorer.has_begun.wait(60) for scorer in scorers)
    with psycopg.connect(served.environment["DATABASE_URL"]) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('league', '0999_later', now())")
    assert all(scorer.hands_recorded < HANDS for scorer in scorers), "it was applied in the middle"
    for scorer in scorers:
        scorer.join()

    visitor = scorers[0].visitor
    for scorer in scorers:
        assert scorer.answers.keys() <= {200, 303, 503}, "no error page"
        assert scorer.answers[303] == HANDS
    assert rows_by_hand(visitor) == {(table, hand): 4 for table in (1, 2) for hand in range(1, HANDS + 1)}
    status, _headers, text = ask(visitor, "/readyz")
    assert (status, json.loads(text)["checks"]["schema"]["ok"]) == (200, True)
    served.prepare(["print(cast.tournament(name='Made by the old code').pk)"])
    assert ask(visitor, "/t/made-by-the-old-code/")[0] == 200
