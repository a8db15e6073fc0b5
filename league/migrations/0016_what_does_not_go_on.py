"""Deleting, calling off and ending early: what an account's log keeps, and what a tournament says of itself."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Q, Subquery


def say_what_was_known(apps, schema_editor):
    """Until now one that stood still before it began was called off; which were ended early is in their logs."""
    tournaments = apps.get_model("league", "Tournament").objects
    tournaments.filter(state="planned").exclude(paused_at=None).update(is_called_off=True)
    made_final = apps.get_model("league", "LogEntry").objects.filter(
        tournament=OuterRef("pk"), action__in=("close", "end-early")
    )
    last = Subquery(made_final.order_by("-number").values("action")[:1])
    early = tournaments.filter(state="closed", kind="event").annotate(last=last).filter(last="end-early")
    tournaments.filter(pk__in=list(early.values_list("pk", flat=True))).update(ended_early=True)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0015_not_counted"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountLogEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("action", models.CharField(max_length=40)),
                ("old", models.JSONField(blank=True, null=True)),
                ("new", models.JSONField(blank=True, null=True)),
                ("reason", models.CharField(blank=True, max_length=200)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="log", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "account log entries",
                "ordering": ("-id",),
                "abstract": False,
            },
        ),
        migrations.AddField("tournament", "is_called_off", models.BooleanField(default=False)),
        migrations.AddField("tournament", "ended_early", models.BooleanField(default=False)),
        migrations.AddField(
            "tournament",
            "counts_in_club",
            models.BooleanField(default=True, verbose_name="counts in ratings and seasons"),
        ),
        migrations.RemoveConstraint("letter", "a_letter_is_to_one_person"),
        migrations.AddField("letter", "about", models.JSONField(blank=True, null=True)),
        migrations.AddConstraint(
            "letter",
            models.CheckConstraint(
                condition=Q(
                    Q(("about__isnull", True), Q(("sign_up__isnull", True), ("entry__isnull", True), _connector="XOR")),
                    Q(("about__isnull", False), ("entry__isnull", True), ("sign_up__isnull", True)),
                    _connector="OR",
                ),
                name="a_letter_is_to_one_person",
            ),
        ),
        migrations.RunPython(say_what_was_known, migrations.RunPython.noop),
    ]
