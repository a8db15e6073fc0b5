import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0040_restore_pause'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='paid_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='tournament',
            name='fee',
            field=models.CharField(blank=True, db_default='', default='', max_length=20, verbose_name='fee'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='players_leave',
            field=models.BooleanField(db_default=False, default=False, verbose_name='players may leave without asking'),
        ),
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
        migrations.CreateModel(
            name='Call',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'Open'), ('done', 'Done'), ('cancelled', 'Cancelled')], default='open', max_length=10)),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('coming_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('coming', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='league.table')),
            ],
            options={
                'ordering': ('opened_at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='CallTap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('reason', models.CharField(blank=True, choices=[('rules', 'Rules question'), ('result', 'Wrong result'), ('missing', 'Missing player'), ('slow', 'Slow play'), ('other', 'Something else')], max_length=10)),
                ('text', models.CharField(blank=True, max_length=140)),
                ('tapped_at', models.DateTimeField()),
                ('sent_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('call', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='taps', to='league.call')),
                ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.entry')),
                ('scorer_link', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.scorerlink')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='LeaveRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=12)),
                ('round_number', models.PositiveSmallIntegerField()),
                ('text', models.CharField(blank=True, max_length=100)),
                ('state', models.CharField(default='waiting', max_length=10)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='leave_requests', to='league.entry')),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.entryevent')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='MutedCaller',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('muted_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.entry')),
                ('scorer_link', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.scorerlink')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='muted_callers', to='league.tournament')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='PlayerWarning',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('withdrawal', models.CharField(blank=True, max_length=200)),
                ('adjustment', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='warning', to='league.adjustment')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='warnings', to='league.player')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='warnings', to='league.tournament')),
                ('withdrawn_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='ScreenShow',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='screen_show', serialize=False, to='league.tournament')),
                ('kind', models.CharField(choices=[('draw', 'Draw'), ('podium', 'Podium')], max_length=10)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('round', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.round')),
            ],
        ),
        migrations.AddConstraint(
            model_name='call',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('table',), name='one_open_call_a_table'),
        ),
        migrations.AddConstraint(
            model_name='leaverequest',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('entry',), name='one_waiting_leave_request_an_entry'),
        ),
        migrations.AddConstraint(
            model_name='mutedcaller',
            constraint=models.UniqueConstraint(fields=('tournament', 'entry'), name='muted_once_as_entry'),
        ),
        migrations.AddConstraint(
            model_name='mutedcaller',
            constraint=models.UniqueConstraint(fields=('tournament', 'scorer_link'), name='muted_once_as_scorer_link'),
        ),
        migrations.AddConstraint(
            model_name='mutedcaller',
            constraint=models.UniqueConstraint(fields=('tournament', 'user'), name='muted_once_as_user'),
        ),
    ]
