import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0045_player_warnings'),
    ]

    operations = [
        migrations.CreateModel(
            name='ScreenShow',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='screen_show', serialize=False, to='league.tournament')),
                ('kind', models.CharField(choices=[('draw', 'Draw'), ('podium', 'Podium')], max_length=10)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('round', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.round')),
            ],
        ),
    ]
