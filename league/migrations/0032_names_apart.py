from collections import defaultdict

from django.db import migrations, models

from league.ledger.same_names import with_other_additions


def tell_apart(apps, schema_editor):
    Entry = apps.get_model("league", "Entry")
    of_tournaments = defaultdict(list)
    for entry in Entry.objects.select_related("player").order_by("tournament", "number", "pk").iterator():
        of_tournaments[entry.tournament_id].append(entry)
    for entries in of_tournaments.values():
        Entry.objects.bulk_update(with_other_additions(entries), ["addition"])


class Migration(migrations.Migration):
    dependencies = [("league", "0031_column_memory")]

    operations = [
        migrations.AddField("entry", "addition", models.CharField(blank=True, max_length=30)),
        migrations.AddField("entry", "own_addition", models.BooleanField(default=False)),
        migrations.RunPython(tell_apart, migrations.RunPython.noop),
    ]
