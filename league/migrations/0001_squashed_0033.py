"""All tables of the league, as a new database gets them: the migrations below made them step by step."""

import django.db.models.deletion
import django.utils.timezone
import league.models.people
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("league", "0001_initial"),
        ("league", "0002_service"),
        ("league", "0003_log_chain"),
        ("league", "0004_api_answer"),
        ("league", "0005_scorer_links"),
        ("league", "0006_evening_from_phones"),
        ("league", "0007_challenge_and_the_day"),
        ("league", "0008_online_tables"),
        ("league", "0009_clubs_and_seasons"),
        ("league", "0010_odds_switch"),
        ("league", "0011_log_beside_hands"),
        ("league", "0012_first_deal"),
        ("league", "0013_signed_scorer_links"),
        ("league", "0014_log_anchor"),
        ("league", "0015_not_counted"),
        ("league", "0016_what_does_not_go_on"),
        ("league", "0017_stage_settings"),
        ("league", "0018_practice_evenings"),
        ("league", "0019_second_ladder"),
        ("league", "0020_stages_in_a_row"),
        ("league", "0021_a_loss_forgiven"),
        ("league", "0022_finals_by_place"),
        ("league", "0023_after_round_1"),
        ("league", "0024_extra_hand"),
        ("league", "0025_who_waits"),
        ("league", "0026_confirmed_sign_ups"),
        ("league", "0027_form_answers"),
        ("league", "0028_joined_in_a_form"),
        ("league", "0029_paper_of_prints"),
        ("league", "0030_list_imports"),
        ("league", "0031_column_memory"),
        ("league", "0032_names_apart"),
        ("league", "0033_guests_who_join"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                ("email", models.EmailField(max_length=254, unique=True, verbose_name="e-mail")),
                ("name", models.CharField(blank=True, max_length=80, verbose_name="name")),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("about", models.CharField(blank=True, max_length=600, verbose_name="about")),
                ("place", models.CharField(blank=True, max_length=100, verbose_name="place")),
                ("time_zone", models.CharField(default="UTC", max_length=64, verbose_name="time zone")),
                (
                    "visibility",
                    models.CharField(
                        choices=[("public", "Public"), ("unlisted", "Unlisted"), ("private", "Private")],
                        default="public",
                        max_length=10,
                    ),
                ),
                (
                    "paper",
                    models.CharField(choices=[("a4", "A4"), ("letter", "US Letter")], default="a4", max_length=6),
                ),
                ("is_demo", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ratings_version", models.PositiveIntegerField(default=0)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="clubs", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=80)),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                (
                    "counts",
                    models.CharField(
                        choices=[("places", "Points for places"), ("points", "The points of all evenings")],
                        default="places",
                        max_length=10,
                    ),
                ),
                ("place_points", models.JSONField(default=list)),
                ("best_of", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("min_evenings", models.PositiveSmallIntegerField(default=1)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("final", models.JSONField(blank=True, null=True)),
                (
                    "before",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="after",
                        to="league.season",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seasons", to="league.club"
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
                "constraints": [models.UniqueConstraint(fields=("club", "slug"), name="season_slug_once_a_club")],
            },
        ),
        migrations.CreateModel(
            name="Division",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=40, verbose_name="name")),
                ("up", models.PositiveSmallIntegerField(default=0)),
                ("down", models.PositiveSmallIntegerField(default=0)),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="divisions", to="league.season"
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [models.UniqueConstraint(fields=("season", "number"), name="division_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("club_name", models.CharField(blank=True, max_length=80, verbose_name="club")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                ("birth_month", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("birth_day", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("erased_at", models.DateTimeField(blank=True, null=True)),
                ("public_id", models.CharField(default=league.models.people.new_public_id, max_length=12, unique=True)),
                ("profile_is_public", models.BooleanField(default=False)),
                ("short_name", models.BooleanField(default=False)),
                ("is_rated", models.BooleanField(default=True)),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="members",
                        to="league.club",
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="players",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Tournament",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.CharField(default=league.models.people.new_public_id, max_length=12, unique=True)),
                ("slug", models.SlugField(max_length=120, unique=True)),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("starts_on", models.DateField(verbose_name="date")),
                ("starts_at", models.TimeField(blank=True, null=True, verbose_name="time")),
                ("time_zone", models.CharField(default="UTC", max_length=64, verbose_name="time zone")),
                ("place", models.CharField(blank=True, max_length=100, verbose_name="place")),
                (
                    "visibility",
                    models.CharField(
                        choices=[("public", "Public"), ("unlisted", "Unlisted"), ("private", "Private")],
                        default="public",
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("planned", "Planned"), ("running", "Running"), ("closed", "Closed")],
                        default="planned",
                        max_length=10,
                    ),
                ),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("is_demo", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("players_report", models.BooleanField(default=True, verbose_name="players may report hands")),
                (
                    "confirm_after",
                    models.PositiveSmallIntegerField(blank=True, default=15, null=True, verbose_name="confirmed after"),
                ),
                ("shows_odds", models.BooleanField(default=True, verbose_name="odds are shown")),
                ("screen_generation", models.PositiveSmallIntegerField(default=1)),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                ("pause_reason", models.CharField(blank=True, max_length=200)),
                ("is_called_off", models.BooleanField(default=False)),
                ("ended_early", models.BooleanField(default=False)),
                ("counts_in_club", models.BooleanField(default=True, verbose_name="counts in ratings and seasons")),
                (
                    "kind",
                    models.CharField(
                        choices=[("event", "Tournament"), ("casual", "Casual table"), ("practice", "Practice evening")],
                        default="event",
                        max_length=10,
                    ),
                ),
                ("online", models.CharField(blank=True, max_length=200)),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournaments",
                        to="league.club",
                    ),
                ),
                (
                    "division",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tournaments",
                        to="league.division",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournaments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tournaments",
                        to="league.season",
                    ),
                ),
            ],
            options={
                "ordering": ("-starts_on", "-id"),
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.CharField(default=league.models.people.new_public_id, max_length=12, unique=True)),
                ("number", models.PositiveIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("dropped", "Dropped"),
                            ("out", "Eliminated"),
                            ("standin", "Stand-in"),
                        ],
                        default="active",
                        max_length=10,
                    ),
                ),
                ("checked_in_at", models.DateTimeField(blank=True, null=True)),
                ("fixed_table", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("link_generation", models.PositiveSmallIntegerField(default=1)),
                ("addition", models.CharField(blank=True, max_length=30)),
                ("own_addition", models.BooleanField(default=False)),
                ("bot", models.CharField(blank=True, max_length=10)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="league.player"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="league.tournament"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entries",
                "ordering": ("number", "id"),
            },
        ),
        migrations.CreateModel(
            name="FormAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("visitor", models.CharField(max_length=64)),
                ("visitor_then", models.CharField(blank=True, max_length=64)),
                ("location", models.CharField(blank=True, max_length=500)),
                ("messages", models.JSONField(default=list)),
                ("session", models.JSONField(default=dict)),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(default=1)),
                ("format", models.CharField(default="pairs", max_length=20)),
                ("settings", models.JSONField(default=dict)),
                ("edition", models.CharField(default="classic", max_length=40)),
                ("scoring", models.CharField(default="winner-takes", max_length=20)),
                ("tie_breaks", models.JSONField(default=list)),
                ("lot_seed", models.CharField(blank=True, max_length=64)),
                ("order_seed", models.CharField(blank=True, max_length=64)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("amendments", models.JSONField(default=list)),
                ("options", models.JSONField(default=list)),
                ("groups", models.PositiveSmallIntegerField(default=1)),
                ("by_place", models.BooleanField(default=False)),
                ("takes", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("others_play", models.BooleanField(default=False)),
                ("carries", models.PositiveSmallIntegerField(default=0)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="stages", to="league.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("published", "Published"),
                            ("running", "Running"),
                            ("closed", "Closed"),
                            ("void", "Void"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("published_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("seconds_left", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="league.stage"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="league.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "void"), _negated=True),
                        fields=("tournament", "number"),
                        name="round_number_once_among_living",
                    )
                ],
            },
        ),
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
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(blank=True, max_length=80)),
                ("prefix", models.CharField(max_length=8)),
                ("digest", models.CharField(max_length=64, unique=True)),
                (
                    "scope",
                    models.CharField(
                        choices=[("read", "Read"), ("write", "Read and write")], default="write", max_length=5
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ClubLogEntry",
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
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="log", to="league.club"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "club log entries",
                "ordering": ("-id",),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ListImport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
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
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="list_imports",
                        to="league.club",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="list_imports",
                        to="league.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("tournament", None), ("club", None), _connector="XOR"),
                        name="import_of_a_tournament_or_of_a_club",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Merge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("moved", models.JSONField(default=dict)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("form_key", models.CharField(blank=True, db_index=True, max_length=32)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="merges",
                        to="league.club",
                    ),
                ),
                (
                    "gone",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="league.player"
                    ),
                ),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="merges", to="league.player"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ImportedPerson",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.CharField(blank=True, max_length=80)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("birth_month", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("birth_day", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("was_guest", models.BooleanField(default=False)),
                ("members", models.JSONField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.entry",
                    ),
                ),
                (
                    "list_import",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="people", to="league.listimport"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.player"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EntryEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("late", "Late entry"),
                            ("drop", "Dropped out"),
                            ("no-show", "Did not come"),
                            ("return", "Came back"),
                            ("reinstated", "Reinstated"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("voided_at", models.DateTimeField(blank=True, null=True)),
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
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="league.entry"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="league.round",
                    ),
                ),
            ],
            options={
                "ordering": ("at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Adjustment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("penalty", "Penalty"),
                            ("bye", "Bye"),
                            ("carried", "Carried"),
                            ("carried-on", "From the stage before"),
                            ("late", "Late"),
                            ("extra-hand", "Extra hand"),
                        ],
                        default="penalty",
                        max_length=10,
                    ),
                ),
                ("points", models.IntegerField()),
                ("reason", models.CharField(max_length=200)),
                ("recorded_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("voided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="adjustments", to="league.entry"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjustments",
                        to="league.round",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DivisionPlayer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "division",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="players", to="league.division"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="divisions", to="league.player"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="placed", to="league.season"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("season", "player"), name="one_division_a_season")],
            },
        ),
        migrations.CreateModel(
            name="SentMail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("recipient", models.CharField(blank=True, db_index=True, max_length=32)),
                ("typed", models.BooleanField(default=True)),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "sender",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sent_mails",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SignUp",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.CharField(default=league.models.people.new_public_id, max_length=12, unique=True)),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("club_name", models.CharField(blank=True, max_length=80, verbose_name="club")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                ("language", models.CharField(blank=True, max_length=10)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("placed", "Has a place"),
                            ("waiting", "On the waiting list"),
                            ("withdrawn", "Withdrew"),
                            ("replaced", "Did not come"),
                            ("held", "Waits for the organiser"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("link_generation", models.PositiveSmallIntegerField(default=1)),
                ("here_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("confirm_by", models.DateTimeField(blank=True, null=True)),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("network", models.CharField(blank=True, db_index=True, max_length=32)),
                (
                    "entry",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sign_up",
                        to="league.entry",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="waits_as",
                        to="league.player",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sign_ups", to="league.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("state__in", ("placed", "waiting", "held")), models.Q(("email", ""), _negated=True)
                        ),
                        fields=("tournament", "email"),
                        name="one_living_sign_up_an_address",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("about", models.JSONField(blank=True, null=True)),
                ("site", models.CharField(max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("sent", "Sent"), ("failed", "Failed")],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to="league.entry",
                    ),
                ),
                (
                    "sign_up",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to="league.signup",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("about__isnull", True),
                                models.Q(("sign_up__isnull", True), ("entry__isnull", True), _connector="XOR"),
                            ),
                            models.Q(("about__isnull", False), ("entry__isnull", True), ("sign_up__isnull", True)),
                            _connector="OR",
                        ),
                        name="a_letter_is_to_one_person",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision", models.PositiveSmallIntegerField(default=1)),
                ("taken_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("rules", models.JSONField()),
                ("rows", models.JSONField()),
                ("log_number", models.PositiveIntegerField(null=True)),
                ("log_hash", models.CharField(blank=True, max_length=64)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="snapshots", to="league.round"
                    ),
                ),
            ],
            options={
                "ordering": ("round__number", "revision"),
                "constraints": [models.UniqueConstraint(fields=("round", "revision"), name="snapshot_revision_once")],
            },
        ),
        migrations.CreateModel(
            name="StageEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("order", models.PositiveSmallIntegerField()),
                ("group", models.PositiveSmallIntegerField(default=1)),
                ("ladder", models.PositiveSmallIntegerField(default=1)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="stages", to="league.entry"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="league.stage"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "stage entries",
                "ordering": ("order",),
                "constraints": [models.UniqueConstraint(fields=("stage", "entry"), name="once_in_a_stage")],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("ladder", models.PositiveSmallIntegerField(default=1)),
                (
                    "mode",
                    models.CharField(
                        choices=[("offline", "Offline"), ("online", "Online")], default="offline", max_length=10
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("scheduled", "Scheduled"),
                            ("playing", "Playing"),
                            ("reported", "Reported"),
                            ("disputed", "Disputed"),
                            ("confirmed", "Confirmed"),
                            ("void", "Void"),
                        ],
                        default="scheduled",
                        max_length=10,
                    ),
                ),
                ("seating_version", models.PositiveIntegerField(default=1)),
                ("version", models.PositiveIntegerField(default=0)),
                ("play_version", models.PositiveIntegerField(default=0)),
                ("extra_minutes", models.PositiveSmallIntegerField(default=0)),
                ("hands_wanted", models.PositiveSmallIntegerField(default=4, null=True)),
                ("first_deal", models.JSONField(blank=True, null=True)),
                ("not_counted", models.JSONField(blank=True, default=dict)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tables", to="league.round"
                    ),
                ),
            ],
            options={
                "ordering": ("round__number", "number"),
                "constraints": [models.UniqueConstraint(fields=("round", "number"), name="table_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("member", models.PositiveSmallIntegerField(default=0)),
                ("has_lost", models.BooleanField(default=False)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="league.entry"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="league.round"
                    ),
                ),
                (
                    "substitute",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="league.table",
                    ),
                ),
            ],
            options={
                "ordering": ("table_id", "number"),
                "constraints": [
                    models.UniqueConstraint(fields=("round", "entry", "member"), name="nobody_sits_twice_in_a_round"),
                    models.UniqueConstraint(fields=("table", "number"), name="one_occupant_a_seat"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("number__isnull", True), ("table__isnull", True)),
                            models.Q(("number__isnull", False), ("table__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_bye_has_no_seat_number",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingPoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("basis", models.CharField(max_length=64)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rating_points", to="league.club"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rating_points", to="league.player"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.table"),
                ),
            ],
            options={
                "ordering": ("at", "table_id", "id"),
                "indexes": [models.Index(fields=["club", "at", "table"], name="rating_in_order")],
                "constraints": [models.UniqueConstraint(fields=("player", "table"), name="one_rating_a_table")],
            },
        ),
        migrations.CreateModel(
            name="HandScore",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hand", models.PositiveSmallIntegerField()),
                ("game", models.PositiveSmallIntegerField(default=1)),
                ("seat", models.PositiveSmallIntegerField()),
                ("went_out", models.BooleanField()),
                ("cards_left", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("points_left", models.PositiveIntegerField(blank=True, null=True)),
                ("points_for", models.PositiveIntegerField()),
                ("points_against", models.PositiveIntegerField()),
                ("score", models.PositiveIntegerField()),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("engine", "Verified by engine"),
                            ("scorer", "Scorer"),
                            ("player", "Player"),
                            ("organiser", "Organiser"),
                            ("api", "API"),
                            ("continued", "Continued"),
                        ],
                        max_length=10,
                    ),
                ),
                ("recorded_at", models.DateTimeField()),
                ("counted_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("voided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="scores", to="league.entry"
                    ),
                ),
                (
                    "partner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="league.entry",
                    ),
                ),
                (
                    "played_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="scores", to="league.table"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("voided_at__isnull", True)),
                        fields=("table", "hand", "seat"),
                        name="one_living_score_a_seat",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Team",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="teams",
                        to="league.club",
                    ),
                ),
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="team", to="league.player"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TeamMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("is_substitute", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="teams", to="league.player"
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="league.team"
                    ),
                ),
            ],
            options={
                "ordering": ("number", "id"),
                "constraints": [models.UniqueConstraint(fields=("team", "player"), name="a_member_once_a_team")],
            },
        ),
        migrations.CreateModel(
            name="SignUpPage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("capacity", models.PositiveSmallIntegerField(verbose_name="places")),
                ("opens_at", models.DateTimeField(blank=True, null=True)),
                ("closes_at", models.DateTimeField(blank=True, null=True)),
                ("check_in_opens_at", models.DateTimeField(blank=True, null=True)),
                ("check_in_closes_at", models.DateTimeField(blank=True, null=True)),
                ("closed", models.BooleanField(default=False)),
                ("note", models.CharField(blank=True, max_length=300)),
                ("many_at_once", models.BooleanField(default=False)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sign_up_page", to="league.tournament"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ScorerLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("label", models.CharField(blank=True, max_length=40)),
                ("generation", models.PositiveSmallIntegerField(default=1)),
                ("digest", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="scorer_links", to="league.tournament"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Role",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("organiser", "Organiser"),
                            ("director", "Director"),
                            ("scorer", "Scorer"),
                            ("check-in", "Check-in"),
                            ("screen", "Screen"),
                            ("player", "Player"),
                            ("spectator", "Spectator"),
                        ],
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roles",
                        to="league.entry",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="roles", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="roles", to="league.tournament"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at__isnull", True)),
                        fields=("tournament", "user", "kind"),
                        name="one_living_role_a_kind",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LogHead",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(default=0)),
                ("hash", models.CharField(blank=True, max_length=64)),
                ("beside_hands", models.CharField(blank=True, max_length=64)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="log_head", to="league.tournament"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("player", models.CharField(blank=True, max_length=12)),
                ("action", models.CharField(max_length=40)),
                ("round", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("table", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("hand", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("old", models.JSONField(blank=True, null=True)),
                ("new", models.JSONField(blank=True, null=True)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("number", models.PositiveIntegerField(null=True)),
                ("salt", models.CharField(blank=True, max_length=32)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("previous", models.CharField(blank=True, max_length=64)),
                ("hash", models.CharField(blank=True, max_length=64)),
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
                    "scorer_link",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="league.scorerlink",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="log", to="league.tournament"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "log entries",
                "ordering": ("-id",),
                "constraints": [models.UniqueConstraint(fields=("tournament", "number"), name="log_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=30)),
                (
                    "state",
                    models.CharField(
                        choices=[("queued", "Waiting"), ("running", "Running"), ("done", "Done"), ("failed", "Failed")],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("of", models.PositiveIntegerField(default=0)),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("result", models.BinaryField(blank=True, default=bytes)),
                ("file_name", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "requested_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="jobs", to="league.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("organiser", "Organiser"),
                            ("director", "Director"),
                            ("scorer", "Scorer"),
                            ("check-in", "Check-in"),
                            ("screen", "Screen"),
                            ("player", "Player"),
                            ("spectator", "Spectator"),
                        ],
                        max_length=10,
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="league.entry",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="league.tournament"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Forecast",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log_hash", models.CharField(max_length=64)),
                ("chunk", models.PositiveSmallIntegerField()),
                ("simulations", models.PositiveIntegerField(default=0)),
                ("counts", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.round",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="forecasts", to="league.tournament"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "log_hash", "chunk"), name="forecast_chunk_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Deadline",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=30)),
                ("due_at", models.DateTimeField(db_index=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Waiting"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deadlines",
                        to="league.round",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deadlines",
                        to="league.table",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deadlines", to="league.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ("due_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="ApiAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=100)),
                ("digest", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("body", models.JSONField(null=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="one_api_answer_a_key")],
            },
        ),
        migrations.CreateModel(
            name="ClubRole",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("organiser", "Organiser"), ("director", "Director"), ("scorer", "Scorer")],
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="roles", to="league.club"
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="club_roles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at__isnull", True)),
                        fields=("club", "user", "kind"),
                        name="one_living_club_role",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ColumnMemory",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("uses", models.JSONField()),
                ("day_first", models.BooleanField(null=True)),
                ("at", models.DateTimeField(auto_now=True)),
                (
                    "club",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.club"),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("club", "key"), name="one_memory_for_a_header")],
            },
        ),
        migrations.CreateModel(
            name="KeptApart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "one",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.entry"),
                ),
                (
                    "other",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.entry"),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("one", "other"), name="kept_apart_once"),
                    models.CheckConstraint(
                        condition=models.Q(("one__lt", models.F("other"))), name="kept_apart_in_order"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClubInvitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        blank=True,
                        choices=[("organiser", "Organiser"), ("director", "Director"), ("scorer", "Scorer")],
                        max_length=10,
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="league.club"
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="league.player",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", ""), ("player__isnull", False)),
                            models.Q(models.Q(("kind", ""), _negated=True), ("player__isnull", True)),
                            _connector="OR",
                        ),
                        name="invitation_to_a_role_or_for_a_player",
                    )
                ],
            },
        ),
    ]
