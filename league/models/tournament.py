"""Store a tournament and its stages."""

from zoneinfo import ZoneInfo

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.rules import WINNER_TAKES
from league.formats import FORMATS, USUAL, Format
from league.formats.protocol import TEAMS
from league.models.people import Club, User, Visibility, new_public_id
from league.models.season import Division, Season
from league.models.series import Series


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def events(self) -> "TournamentQuerySet":
        """Return organised tournaments: no casual tables, no practice."""
        return self.filter(kind=Tournament.Kind.EVENT)

    def listed(self) -> "TournamentQuerySet":
        return self.events().filter(visibility=Tournament.Visibility.PUBLIC)

    def not_cancelled(self) -> "TournamentQuerySet":
        return self.filter(is_called_off=False)


class Tournament(models.Model):
    Visibility = Visibility

    class Kind(models.TextChoices):
        EVENT = "event", _("Tournament")
        CASUAL = "casual", _("Casual table")
        PRACTICE = "practice", _("Practice evening")

    class State(models.TextChoices):
        PLANNED = "planned", pgettext_lazy("tournament", "Planned")
        RUNNING = "running", pgettext_lazy("tournament", "Running")
        CLOSED = "closed", pgettext_lazy("tournament", "Closed")

    # Permanent id, while the address may change. The log begins with it (league/log/chain.py).
    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    slug = models.SlugField(unique=True, max_length=120)
    name = models.CharField(_("name"), max_length=100)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="tournaments")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, null=True, blank=True, related_name="tournaments")
    starts_on = models.DateField(_("date"))
    starts_at = models.TimeField(_("time"), null=True, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    place = models.CharField(_("place"), max_length=100, blank=True)
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PLANNED)
    closed_at = models.DateTimeField(null=True, blank=True)
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    # Whether players at a table may report its hands by their own links; another side or the clock confirms them.
    players_report = models.BooleanField(_("players may report hands"), default=True)
    # Minutes until a reported table counts as confirmed; empty: never automatically.
    confirm_after = models.PositiveSmallIntegerField(_("confirmed after"), null=True, blank=True, default=15)
    # Whether a player's departure counts at once, or waits for the director (league/leaving/).
    players_leave = models.BooleanField(_("players may leave without asking"), default=False, db_default=False)
    # Whether odds are computed and shown during play.
    shows_odds = models.BooleanField(_("odds are shown"), default=True)
    # Part of the hall screen's address: incrementing it ends the previous address (league/access/signed_links.py).
    screen_generation = models.PositiveSmallIntegerField(default=1)
    # Since when play is paused, and why; empty: running.
    paused_at = models.DateTimeField(null=True, blank=True)
    pause_reason = models.CharField(max_length=200, blank=True)
    # Paused because it is cancelled. None of its hands count.
    is_called_off = models.BooleanField(default=False)
    # Standings were made final with rounds left, so no home page lists it.
    ended_early = models.BooleanField(default=False)
    # Whether it counts in its club's ratings, and may count in a season.
    counts_in_club = models.BooleanField(_("counts in ratings and seasons"), default=True)
    # A casual table is a tournament of one table, open to anyone with its address.
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.EVENT)
    # Season in which it counts, and its division; without one it is for all divisions.
    season = models.ForeignKey(Season, on_delete=models.SET_NULL, null=True, blank=True, related_name="tournaments")
    division = models.ForeignKey(Division, on_delete=models.SET_NULL, null=True, blank=True, related_name="tournaments")
    # The series of a repeated event.
    series = models.ForeignKey(Series, on_delete=models.SET_NULL, null=True, blank=True, related_name="events")
    # Tables played online: "all", their numbers ("1,3"), or empty for none.
    online = models.CharField(max_length=200, blank=True)
    # What each entry pays, as typed: “5 €”. Empty: no fee.
    fee = models.CharField(_("fee"), max_length=20, blank=True, default="", db_default="")

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ("-starts_on", "-id")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def is_casual(self) -> bool:
        """Return whether this is a casual table, without organiser, roles or links: its owner plays there too."""
        return self.kind == self.Kind.CASUAL

    @property
    def is_final(self) -> bool:
        return self.state == self.State.CLOSED

    @property
    def is_over(self) -> bool:
        """Return whether the standings are final or the tournament is cancelled."""
        return self.is_final or self.is_called_off

    @property
    def has_begun(self) -> bool:
        """Return whether a round was published; from then on the list and the rules are fixed."""
        return self.state != self.State.PLANNED

    @property
    def stage(self) -> "Stage":
        """Return the current stage: the first that has not ended, else the last."""
        return self.stage_and_next[0]

    @property
    def stage_and_next(self) -> "tuple[Stage, Stage | None]":
        """Return the current stage and the next."""
        stages = list(self.stages.all())  # uses prefetched stages
        at = next((at for at, stage in enumerate(stages) if stage.ended_at is None), len(stages) - 1)
        return stages[at], stages[at + 1] if at + 1 < len(stages) else None

    @property
    def stage_shown(self) -> "Stage":
        """Return the stage of the round published last, which stays public while the next stage is a draft."""
        stages = list(self.stages.all())
        return next((stage for stage in reversed(stages) if stage.started_at is not None), stages[0])


class Stage(models.Model):
    """One format from first to last round. Its rules are data, frozen when its first round is published.

    `settings`: of the format, by name (`league.formats.setting.Setting`). `amendments`: changes after the start,
    oldest first, as {"at": ISO time, "field", "old", "new", "reason"}, listed under the standings. Its players are its
    `members`; without members, all active entries.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(max_length=20, default=USUAL)
    settings = models.JSONField(default=dict)
    edition = models.CharField(max_length=40, default="classic")
    scoring = models.CharField(max_length=20, default=WINNER_TAKES)
    tie_breaks = models.JSONField(default=list)
    lot_seed = models.CharField(max_length=64, blank=True)
    # Empty: seats are drawn in list order. Otherwise the list is shuffled by this published seed, or ordered by rating
    # (league/rounds/seeding.py).
    order_seed = models.CharField(max_length=64, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)  # when the next stage was drawn
    amendments = models.JSONField(default=list)
    options = models.JSONField(default=list)  # keys of engine.rules.OPTIONS for online tables
    groups = models.PositiveSmallIntegerField(default=1)  # parallel groups (league/formats/groups.py)
    by_place = models.BooleanField(default=False)  # groups are finals: the best play in A, the next in B
    # Number of qualifiers from the previous stage, by the cut (league/rounds/cut.py); empty: all active entries.
    takes = models.PositiveSmallIntegerField(null=True, blank=True)
    others_play = models.BooleanField(default=False)  # non-qualifiers play its second ladder
    carries = models.PositiveSmallIntegerField(default=0)  # percent of the points of the stage before

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_once"),)

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"

    @property
    def state(self) -> str:
        """Return the state in a tournament's terms: planned, running, closed."""
        states = Tournament.State
        if self.started_at is None:
            return states.PLANNED
        return states.CLOSED if self.ended_at or self.tournament.is_final else states.RUNNING

    @property
    def rounds_before(self) -> int:
        """Return the number of rounds of earlier stages; its own are numbered from there."""
        if self.number == 1:
            return 0
        return self.tournament.rounds.living().filter(stage__number__lt=self.number).count()

    @property
    def has_members(self) -> bool:
        """Return whether groups or a cut may limit its players."""
        return self.groups > 1 or self.number > 1

    @property
    def finals(self) -> int:
        """Return the number of parallel finals by place."""
        return self.groups if self.by_place else 1

    @property
    def plays(self) -> Format:
        """Return the format."""
        return FORMATS[self.format]

    @property
    def values(self) -> dict[str, int | None]:
        """Return the settings, with defaults for missing ones."""
        return self.plays.complete(self.settings)

    @property
    def hands_per_round(self) -> int | None:
        """Return the number of hands per table and round; None: unlimited."""
        return self.plays.hands(self.values)

    @property
    def table_size(self) -> int:
        """Return the largest table size."""
        return self.plays.table_size(self.values)

    @property
    def bye_points(self) -> int:
        """Return the points for a bye."""
        return self.values.get("bye_points") or 0

    @property
    def has_partners(self) -> bool:
        """Return whether seats 0 and 2 play against seats 1 and 3 (TEAM-1)."""
        return self.plays.partners

    @property
    def has_teams(self) -> bool:
        """Return whether entries are teams: two of a team sit at a table."""
        return self.plays.enters == TEAMS

    @property
    def drawn_ahead(self) -> bool:
        """Return whether all rounds are drawn before round 1; else closing a round draws the next."""
        return self.plays.drawn_ahead

    @property
    def eliminates(self) -> bool:
        """Return whether a target eliminates players, so that earlier hands decide the dealt-in players."""
        return self.plays.eliminates

    @property
    def lowest_wins(self) -> bool:
        """Return whether points count against a player (SCORE-3, SCORE-4)."""
        return self.scoring != WINNER_TAKES
