"""Tournaments get an id that stays, logs say to which of them they belong, and records which row tells of them."""

import secrets
from typing import Any

from django.db import migrations, models
from django.utils import timezone

from league.log import chain
from league.models.people import new_public_id


def give_ids(apps: Any, schema_editor: Any) -> None:
    tournaments = apps.get_model("league", "Tournament").objects
    for tournament in tournaments.filter(public_id=""):
        tournaments.filter(pk=tournament.pk).update(public_id=new_public_id())


def bind_old_logs(apps: Any, schema_editor: Any) -> None:
    """Add the row that says whose log this is, and what it told so far, to each that says it nowhere."""
    entries = apps.get_model("league", "LogEntry").objects
    heads = apps.get_model("league", "LogHead").objects
    for tournament in apps.get_model("league", "Tournament").objects.order_by("pk"):
        rows = list(entries.filter(tournament=tournament).exclude(number=None).order_by("number"))
        if rows and (rows[0].previous or any(row.action == chain.BIND for row in rows)):
            continue
        new = chain.binding(map(chain.link_of, rows), tournament.public_id)
        # After the end that was noted, not after the last row there is: where one was cut off, that is still seen.
        head = heads.filter(tournament=tournament).first() or heads.model(
            number=rows[-1].number if rows else 0, hash=rows[-1].hash if rows else ""
        )
        row = entries.model(
            tournament=tournament,
            at=timezone.now(),
            action=chain.BIND,
            new=new,
            number=head.number + 1,
            previous=head.hash or tournament.public_id,
            salt=secrets.token_hex(16),
        )
        row.digest = chain.content_digest(row.salt, None, new, "")
        row.hash = chain.link_hash(chain.link_of(row))
        row.save(force_insert=True)
        ends = {"number": row.number, "hash": row.hash, "beside_hands": row.hash}
        heads.update_or_create(tournament=tournament, defaults=ends)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0013_signed_scorer_links"),
    ]

    operations = [
        migrations.AddField("tournament", "public_id", models.CharField(default="", max_length=12)),
        migrations.RunPython(give_ids, migrations.RunPython.noop),
        migrations.AlterField(
            "tournament", "public_id", models.CharField(default=new_public_id, max_length=12, unique=True)
        ),
        migrations.AddField("snapshot", "log_number", models.PositiveIntegerField(null=True)),
        migrations.AddField("snapshot", "log_hash", models.CharField(blank=True, max_length=64)),
        migrations.RunPython(bind_old_logs, migrations.RunPython.noop),
    ]
