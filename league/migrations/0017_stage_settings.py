"""A stage's settings are those of its format, in one column; before, it had a column for each setting of any format."""

from itertools import islice

from django.db import migrations, models

NAMES = {
    "pairs": ("hands_per_round", "rounds", "cycles", "bye_points"),
    "teams": ("hands_per_round", "rounds", "cycles", "bye_points"),
    "challenge": ("hands_per_round", "target", "table_size"),
    "points": ("hands_per_round", "target", "rounds", "table_size"),
}
COLUMNS = {"rounds": "rounds_wanted"}  # the others have the setting's name
NEEDS_A_VALUE = {"cycles": 1, "bye_points": 0, "table_size": 4}


def _in_parts(stages):
    rows = stages.iterator(chunk_size=1000)
    while some := list(islice(rows, 1000)):
        yield some


def gather(apps, schema_editor):
    stages = apps.get_model("league", "Stage").objects
    for some in _in_parts(stages):
        for stage in some:
            names = NAMES.get(stage.format, ("hands_per_round",))
            stage.settings = {name: getattr(stage, COLUMNS.get(name, name)) for name in names}
            _rename_amendments(stage, {"rounds_wanted": "rounds"})
        stages.bulk_update(some, ["settings", "amendments"], batch_size=500)


def spread(apps, schema_editor):
    stages = apps.get_model("league", "Stage").objects
    columns = {COLUMNS.get(name, name) for names in NAMES.values() for name in names}
    for some in _in_parts(stages):
        for stage in some:
            for name, value in stage.settings.items():
                column = COLUMNS.get(name, name)
                if column in columns:
                    setattr(stage, column, NEEDS_A_VALUE.get(name) if value is None else value)
            _rename_amendments(stage, {"rounds": "rounds_wanted"})
        stages.bulk_update(some, [*columns, "amendments"], batch_size=500)


def _rename_amendments(stage, names):
    for amendment in stage.amendments:
        amendment["field"] = names.get(amendment["field"], amendment["field"])


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0016_what_does_not_go_on"),
    ]

    operations = [
        migrations.AlterModelOptions(name="stage", options={"ordering": ("number",)}),
        migrations.AddField(model_name="stage", name="ended_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddField(model_name="stage", name="settings", field=models.JSONField(default=dict)),
        migrations.RunPython(gather, spread),
        *(
            migrations.RemoveField(model_name="stage", name=name)
            for name in ("hands_per_round", "table_size", "target", "cycles", "bye_points", "rounds_wanted")
        ),
    ]
