"""Salt and digest for the rows of the log; the rows from before the chain are numbered and chained as they stand."""

import secrets
from typing import Any

from django.db import migrations, models

from league.log import chain


def chain_old_rows(apps: Any, schema_editor: Any) -> None:
    entries = apps.get_model("league", "LogEntry").objects.order_by("tournament_id", "id")
    heads = apps.get_model("league", "LogHead").objects
    for tournament_id in entries.filter(number=None).values_list("tournament_id", flat=True).distinct().order_by():
        number, previous, rows = 0, "", list(entries.filter(tournament_id=tournament_id))
        for row in rows:
            number += 1
            row.number, row.previous, row.salt = number, previous, secrets.token_hex(16)
            row.digest = chain.content_digest(row.salt, row.old, row.new, row.reason)
            row.hash = previous = chain.link_hash(chain.link_of(row))
        entries.model.objects.bulk_update(rows, ["number", "previous", "salt", "digest", "hash"], batch_size=500)
        heads.update_or_create(tournament_id=tournament_id, defaults={"number": number, "hash": previous})


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0002_service"),
    ]

    operations = [
        migrations.AddField("logentry", "salt", models.CharField(blank=True, max_length=32)),
        migrations.AddField("logentry", "digest", models.CharField(blank=True, max_length=64)),
        migrations.RunPython(chain_old_rows, migrations.RunPython.noop),
    ]
