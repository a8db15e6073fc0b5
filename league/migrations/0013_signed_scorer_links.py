from django.db import migrations, models


class Migration(migrations.Migration):
    """Links for scorers are signed from now on. Those from before keep the hash of their secret, and go on by it."""

    dependencies = [
        ("league", "0012_first_deal"),
    ]

    operations = [
        migrations.AddField(
            model_name="scorerlink",
            name="generation",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AlterField(
            model_name="scorerlink",
            name="digest",
            field=models.CharField(blank=True, max_length=64, null=True, unique=True),
        ),
    ]
