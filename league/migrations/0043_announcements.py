import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0042_leave_requests'),
    ]

    operations = [
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='announcement', serialize=False, to='league.tournament')),
                ('text', models.CharField(max_length=140)),
                ('until', models.CharField(choices=[('minutes', 'Minutes'), ('round', 'Round'), ('removed', 'Removed')], max_length=10)),
                ('announced_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('round', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.round')),
            ],
        ),
    ]
