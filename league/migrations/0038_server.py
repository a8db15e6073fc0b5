import django.utils.timezone
from django.db import migrations, models


def keep_sign_up_open(apps, schema_editor):
    """A server in use keeps its sign-up; a new one waits for its owner (league/access/server.py)."""
    if apps.get_model("league", "User").objects.exists() or apps.get_model("league", "Tournament").objects.exists():
        apps.get_model("league", "Server").objects.create(pk=1, sign_up_open=True)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0037_member_cards"),
    ]

    operations = [
        migrations.CreateModel(
            name="FirstLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                ("restoring_since", models.DateTimeField(blank=True, null=True)),
                ("problem", models.TextField(blank=True, db_default="", default="")),
            ],
        ),
        migrations.CreateModel(
            name="Server",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sign_up_open", models.BooleanField(db_default=False, default=False)),
            ],
            options={
                "verbose_name_plural": "settings of the server",
            },
        ),
        migrations.AddField(
            model_name="user",
            name="blocked_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(keep_sign_up_open, migrations.RunPython.noop),
    ]
