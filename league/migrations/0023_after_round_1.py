"""What heats do with those who do not go on from round 1 was two settings of which one went without the other."""

from django.db import migrations

ELIMINATED, ONCE_MORE, SECOND_LADDER = range(3)


def join(apps, schema_editor):
    for stage in apps.get_model("league", "Stage").objects.filter(format="heats").iterator(chunk_size=500):
        ladders, again = stage.settings.pop("ladders", 1), stage.settings.pop("repechage", 0)
        after = SECOND_LADDER if ladders == 2 else ONCE_MORE if again else ELIMINATED
        stage.settings["after_round_1"] = after
        stage.save(update_fields=["settings"])


def part(apps, schema_editor):
    for stage in apps.get_model("league", "Stage").objects.filter(format="heats").iterator(chunk_size=500):
        after = stage.settings.pop("after_round_1", ELIMINATED)
        stage.settings |= {"ladders": 1 + (after == SECOND_LADDER), "repechage": int(after == ONCE_MORE)}
        stage.save(update_fields=["settings"])


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0022_finals_by_place"),
    ]

    operations = [
        migrations.RunPython(join, part),
    ]
