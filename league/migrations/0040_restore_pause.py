import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0039_labels_with_tournaments'),
    ]

    operations = [
        migrations.CreateModel(
            name='RestorePause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('restored_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
    ]
