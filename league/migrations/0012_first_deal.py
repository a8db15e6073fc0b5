from django.db import migrations, models


def who_dealt(apps, schema_editor):
    """At tables that play already seat 0 dealt first, as everywhere until now."""
    Table = apps.get_model("league", "Table")
    HandScore = apps.get_model("league", "HandScore")
    begun = set(HandScore.objects.filter(voided_at=None).values_list("table_id", flat=True).distinct())
    for table in Table.objects.select_related("round__stage").iterator():
        stage = table.round.stage
        if table.pk not in begun and table.mode != "online":
            continue
        if stage.format == "challenge":
            first_round = Table.objects.filter(round__stage=stage, round__number=1).exclude(round__state="void")
            drawn = first_round.exclude(state="void").count() == 1
        else:
            drawn = stage.format == "points"
        if drawn:
            table.first_deal = {
                "dealer": 0, "by": "schedule", "draws": [], "deal": None, "seating": table.seating_version
            }  # fmt: skip
            table.save(update_fields=["first_deal"])


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0011_log_beside_hands"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="first_deal",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(who_dealt, migrations.RunPython.noop, elidable=True),
    ]
