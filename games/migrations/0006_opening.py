from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_on_paper"),
    ]

    operations = [
        migrations.AddField(
            model_name="deal",
            name="opening",
            field=models.BooleanField(default=False),
        ),
    ]
