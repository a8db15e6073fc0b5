"""All tables of games, as a new database gets them: the migrations below made them step by step."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('games', '0001_initial'),
        ('games', '0002_hand_scorer_link'),
        ('games', '0003_players_report'),
        ('games', '0004_online_tables'),
        ('games', '0005_on_paper'),
        ('games', '0006_opening'),
        ('games', '0007_not_counted'),
    ]

    initial = True

    dependencies = [
        # What 0001 to 0007 needed: a database may have all of these, and not yet all of the league's.
        ('league', '0008_online_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='Pulse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('web_at', models.DateTimeField(blank=True, null=True)),
                ('sweeper_at', models.DateTimeField(blank=True, null=True)),
                ('healthy_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Hand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('source', models.CharField(choices=[('engine', 'Verified by engine'), ('scorer', 'Scorer'), ('player', 'Player'), ('organiser', 'Organiser'), ('api', 'API'), ('continued', 'Continued')], max_length=10)),
                ('went_out', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('seats', models.JSONField()),
                ('counts', models.BooleanField(default=True)),
                ('checked', models.BooleanField()),
                ('recorded_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('voided_at', models.DateTimeField(blank=True, null=True)),
                ('void_reason', models.CharField(blank=True, max_length=200)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.entry')),
                ('recorded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('replaces', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaced_by', to='games.hand')),
                ('scorer_link', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='league.scorerlink')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hands', to='league.table')),
                ('voided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('table_id', 'number', 'id'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('voided_at__isnull', True)), fields=('table', 'number'), name='one_living_hand_a_slot')],
            },
        ),
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('went_out', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('seats', models.JSONField(default=list)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('state', models.CharField(choices=[('open', 'Disputed'), ('kept', 'The hand stands'), ('taken', 'Corrected as they said'), ('other', 'Corrected in another way'), ('withdrawn', 'Withdrawn')], default='open', max_length=10)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.entry')),
                ('hand', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='games.hand')),
            ],
            options={
                'ordering': ('id',),
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('hand', 'player'), name='one_open_dispute_a_player_and_hand')],
            },
        ),
        migrations.CreateModel(
            name='Deal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('playing', 'Playing'), ('over', 'Over'), ('abandoned', 'Abandoned')], default='waiting', max_length=10)),
                ('rules', models.JSONField()),
                ('opening', models.BooleanField(default=False)),
                ('dealer', models.PositiveSmallIntegerField()),
                ('seed', models.BinaryField()),
                ('commitment', models.CharField(max_length=64)),
                ('places', models.JSONField()),
                ('moves_made', models.PositiveIntegerField(default=0)),
                ('turn', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('asked_at', models.DateTimeField(blank=True, null=True)),
                ('due_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('bot_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('pause_reason', models.CharField(blank=True, max_length=200)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('dealt_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('on_paper', models.BooleanField(default=False)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deals', to='league.table')),
                ('hand', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='deals', to='games.hand')),
            ],
            options={
                'ordering': ('table_id', 'number', 'id'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ('waiting', 'playing'))), fields=('table',), name='one_open_deal_a_table')],
            },
        ),
        migrations.CreateModel(
            name='Move',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('action', models.JSONField()),
                ('key', models.CharField(blank=True, max_length=100)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('bot', models.CharField(blank=True, max_length=10)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('deal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moves', to='games.deal')),
            ],
            options={
                'ordering': ('deal_id', 'number'),
                'constraints': [models.UniqueConstraint(fields=('deal', 'number'), name='one_move_a_number'), models.UniqueConstraint(condition=models.Q(('key', ''), _negated=True), fields=('deal', 'key'), name='one_move_a_key')],
            },
        ),
        migrations.CreateModel(
            name='OnlineSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('move_seconds', models.PositiveSmallIntegerField(default=30, verbose_name='seconds for a move')),
                ('bank_seconds', models.PositiveSmallIntegerField(default=60, verbose_name='seconds beyond them, for a whole hand')),
                ('no_show_seconds', models.PositiveSmallIntegerField(default=180, verbose_name='seconds to come to the table')),
                ('between_seconds', models.PositiveSmallIntegerField(default=45, verbose_name='seconds between two hands')),
                ('no_show', models.CharField(choices=[('bot', 'A bot plays until they come'), ('wait', 'The table waits for you to name a substitute'), ('forfeit', 'They get cards and draw one each turn')], default='bot', max_length=10)),
                ('absent', models.CharField(choices=[('draw', 'The player draws a card'), ('bot', 'A bot makes the move')], default='draw', max_length=10)),
                ('misses', models.PositiveSmallIntegerField(default=2, verbose_name='misses until a bot sits in')),
                ('bot', models.CharField(default='careful', max_length=10)),
                ('spectator_delay', models.PositiveSmallIntegerField(default=0, verbose_name='moves by which spectators see later')),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='online_settings', to='league.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=100)),
                ('digest', models.CharField(max_length=64)),
                ('created', models.BooleanField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('hand', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='games.hand')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='league.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'key'), name='one_answer_a_key')],
            },
        ),
    ]
