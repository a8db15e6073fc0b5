"""A tournament and who sits where in it: stages, entries, rounds, tables, seats."""

from collections.abc import Iterable
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.rules import WINNER_TAKES
from league.formats import FORMATS, USUAL, Format
from league.formats.protocol import TEAMS
from league.models.people import Club, Player, User, Visibility, new_public_id
from league.models.season import Division, Season


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def events(self) -> "TournamentQuerySet":
        """Tournaments that somebody organises: no casual tables, and none to practise on."""
        return self.filter(kind=Tournament.Kind.EVENT)

    def listed(self) -> "TournamentQuerySet":
        return self.events().filter(visibility=Tournament.Visibility.PUBLIC)


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

    # Names the tournament for ever, while its address may change. The log begins with it (league/log/chain.py).
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
    # Minutes after which a reported table counts as confirmed; empty: never by itself.
    confirm_after = models.PositiveSmallIntegerField(_("confirmed after"), null=True, blank=True, default=15)
    # Whether odds are computed and shown while it runs.
    shows_odds = models.BooleanField(_("odds are shown"), default=True)
    # Part of the address of the hall screen: counting it up ends the address before (league/access/signed_links.py).
    screen_generation = models.PositiveSmallIntegerField(default=1)
    # Since when play is paused, and why; empty: it goes on.
    paused_at = models.DateTimeField(null=True, blank=True)
    pause_reason = models.CharField(max_length=200, blank=True)
    # It is paused because it does not take place. No hand of it counts.
    is_called_off = models.BooleanField(default=False)
    # Its standings were made final although there was more to play, so it is on no first page.
    ended_early = models.BooleanField(default=False)
    # Whether it counts in the ratings of its club, and may count in a season.
    counts_in_club = models.BooleanField(_("counts in ratings and seasons"), default=True)
    # A casual table is a tournament of one table, for whoever has its address.
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.EVENT)
    # The season in which it counts, and the division that plays it; without one it is for all divisions.
    season = models.ForeignKey(Season, on_delete=models.SET_NULL, null=True, blank=True, related_name="tournaments")
    division = models.ForeignKey(Division, on_delete=models.SET_NULL, null=True, blank=True, related_name="tournaments")
    # The tables that are played online: "all", their numbers ("1,3"), or empty for none.
    online = models.CharField(max_length=200, blank=True)

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
    def is_final(self) -> bool:
        return self.state == self.State.CLOSED

    @property
    def has_begun(self) -> bool:
        """Whether a round was published: from then on the list and the rules stand."""
        return self.state != self.State.PLANNED

    @property
    def stage(self) -> "Stage":
        """The stage that is played: the first that has not ended, else the last."""
        return self.stage_and_next[0]

    @property
    def stage_and_next(self) -> "tuple[Stage, Stage | None]":
        """The stage that is played, and the one after it."""
        stages = list(self.stages.all())  # those that were fetched with it, if they were
        at = next((at for at, stage in enumerate(stages) if stage.ended_at is None), len(stages) - 1)
        return stages[at], stages[at + 1] if at + 1 < len(stages) else None

    @property
    def stage_shown(self) -> "Stage":
        """The stage of the round that was published last: what everybody sees while the next one is a draft."""
        stages = list(self.stages.all())
        return next((stage for stage in reversed(stages) if stage.started_at is not None), stages[0])

    def mode_of(self, number: int) -> "Table.Mode":
        """How a table that is drawn now is to be played."""
        online = self.online == "all" or str(number) in self.online.split(",")
        return Table.Mode.ONLINE if online else Table.Mode.OFFLINE


class Stage(models.Model):
    """One format from first to last round. Its rules are data, frozen when its first round is published.

    `settings` are those of the format, by name (`league.formats.setting.Setting`). `amendments` has what changes after
    the start, the oldest first, as {"at": ISO time, "field", "old", "new", "reason"}; it is told under the standings.
    Who plays it are its `members`; where it has none, everybody who is in.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(max_length=20, default=USUAL)
    settings = models.JSONField(default=dict)
    edition = models.CharField(max_length=40, default="classic")
    scoring = models.CharField(max_length=20, default=WINNER_TAKES)
    tie_breaks = models.JSONField(default=list)
    lot_seed = models.CharField(max_length=64, blank=True)
    # Empty: seats are drawn in the order of the list. Else the list is shuffled by this seed, which is shown so that
    # anybody can repeat it, or it is ordered by rating (league/ratings/seeding.py).
    order_seed = models.CharField(max_length=64, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)  # when the next stage was drawn
    amendments = models.JSONField(default=list)
    options = models.JSONField(default=list)  # of the rules, as online tables apply them: keys of engine.rules.OPTIONS
    groups = models.PositiveSmallIntegerField(default=1)  # that play it beside each other (league/formats/groups.py)
    by_place = models.BooleanField(default=False)  # groups are finals: the best play in A, those behind them in B
    # How many of the stage before go on to it, by the cut (league/rounds/cut.py); empty: everybody who is in.
    takes = models.PositiveSmallIntegerField(null=True, blank=True)
    others_play = models.BooleanField(default=False)  # who does not go on plays its second ladder instead
    carries = models.PositiveSmallIntegerField(default=0)  # percent of the points of the stage before

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_once"),)

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"

    @property
    def state(self) -> str:
        """As a tournament's: planned, running, closed."""
        states = Tournament.State
        if self.started_at is None:
            return states.PLANNED
        return states.CLOSED if self.ended_at or self.tournament.is_final else states.RUNNING

    @property
    def rounds_before(self) -> int:
        """How many rounds the stages before it have: its own are numbered on from there."""
        if self.number == 1:
            return 0
        return Round.objects.living().filter(tournament=self.tournament_id, stage__number__lt=self.number).count()

    @property
    def has_members(self) -> bool:
        """Whether a draw of groups or a cut may say who plays it."""
        return self.groups > 1 or self.number > 1

    @property
    def finals(self) -> int:
        """How many are played beside each other, by place."""
        return self.groups if self.by_place else 1

    @property
    def plays(self) -> Format:
        """The format, which answers what depends on it."""
        return FORMATS[self.format]

    @property
    def values(self) -> dict[str, int | None]:
        """The settings, with what is usual where the row has none."""
        return self.plays.complete(self.settings)

    @property
    def hands_per_round(self) -> int | None:
        """How many hands are played at each table of a round; None: as long as it lasts."""
        return self.plays.hands(self.values)

    @property
    def table_size(self) -> int:
        """The most who sit at a table."""
        return self.plays.table_size(self.values)

    @property
    def bye_points(self) -> int:
        """What a round is worth to whoever sits it out."""
        return self.values.get("bye_points") or 0

    @property
    def has_partners(self) -> bool:
        """Whether seats 0 and 2 play against seats 1 and 3 (TEAM-1)."""
        return self.plays.partners

    @property
    def has_teams(self) -> bool:
        """Whether an entry is a team: two of it sit at a table."""
        return self.plays.enters == TEAMS

    @property
    def drawn_ahead(self) -> bool:
        """Whether all rounds are drawn before the first; else each is drawn when the one before is closed."""
        return self.plays.drawn_ahead

    @property
    def eliminates(self) -> bool:
        """Whether somebody is out at a target, so that who is dealt in follows from the hands before."""
        return self.plays.eliminates

    @property
    def lowest_wins(self) -> bool:
        """Whether points count against whoever has them (SCORE-3, SCORE-4)."""
        return self.scoring != WINNER_TAKES


class Entry(models.Model):
    """A player in one tournament. `public_id` is the `player_id` of every export.

    `status` is the result of the entry's events: active or dropped. Who is out of a Challenge UNO follows from the
    hands and is never stored. A stand-in plays where somebody is missing, and is not ranked.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", _("Active")
        DROPPED = "dropped", _("Dropped")
        OUT = "out", _("Eliminated")
        STANDIN = "standin", _("Stand-in")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ACTIVE)
    checked_in_at = models.DateTimeField(null=True, blank=True)
    fixed_table = models.PositiveSmallIntegerField(null=True, blank=True)  # the table to sit at, in rounds to be drawn
    # Part of the player's own link: counting it up ends the link before (league/access/signed_links.py).
    link_generation = models.PositiveSmallIntegerField(default=1)
    bot = models.CharField(max_length=10, blank=True)  # which of BOTS the service plays instead of a person; else empty

    # Which of a team's two somebody is, set where that matters (league/access/table_rows.py). Not a column.
    member = 0

    class Meta:
        ordering = ("number", "id")
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return self.player.name

    @property
    def plays_as(self) -> str:
        """How the page of an online table names its player: by the public id, with “.1” for the second of a team."""
        return f"{self.public_id}.{self.member}" if self.member else self.public_id


class StageEntry(models.Model):
    """An entry that plays a stage, where groups or a cut say who does, and in a tree with its seed.

    order: from 1, the best first; in a tree the seed. group: from 1. ladder: of heats, 2 for the second ladder.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="members")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="stages")
    order = models.PositiveSmallIntegerField()
    group = models.PositiveSmallIntegerField(default=1)
    ladder = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ("order",)
        verbose_name_plural = "stage entries"
        constraints = (models.UniqueConstraint(fields=("stage", "entry"), name="once_in_a_stage"),)

    def __str__(self) -> str:
        return f"{self.entry} in {self.stage}"


class KeptApart(models.Model):
    """Two who must not meet in rounds that are still to be drawn. `one` has the smaller key."""

    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("one", "other"), name="kept_apart_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="kept_apart_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.one}, {self.other}"


class RoundQuerySet(models.QuerySet["Round"]):
    def living(self) -> "RoundQuerySet":
        return self.exclude(state=Round.State.VOID)

    def shown(self) -> "RoundQuerySet":
        """The rounds that the public may see."""
        return self.exclude(state__in=(Round.State.VOID, Round.State.DRAFT))


class Round(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        PUBLISHED = "published", _("Published")
        RUNNING = "running", _("Running")
        CLOSED = "closed", _("Closed")
        VOID = "void", _("Void")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    # The round's clock, once somebody started it: it runs until `ends_at`, or stands at `seconds_left`.
    ends_at = models.DateTimeField(null=True, blank=True)
    seconds_left = models.PositiveIntegerField(null=True, blank=True)

    objects = RoundQuerySet.as_manager()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "number"), condition=~Q(state="void"), name="round_number_once_among_living"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}, round {self.number}"

    @property
    def is_draft(self) -> bool:
        return self.state == Round.State.DRAFT

    @property
    def is_open(self) -> bool:
        return self.state in (self.State.PUBLISHED, self.State.RUNNING)


class Table(models.Model):
    """Those who sit together in a round. Every write to its hands locks this row first.

    `seating_version` counts changes of who sits where; `version` counts every write and guards voids and corrections.
    `play_version` counts what happens in play at an online table, for the pages that show it.
    """

    class Mode(models.TextChoices):
        OFFLINE = "offline", _("Offline")
        ONLINE = "online", _("Online")

    class State(models.TextChoices):
        SCHEDULED = "scheduled", _("Scheduled")
        PLAYING = "playing", _("Playing")
        REPORTED = "reported", _("Reported")
        DISPUTED = "disputed", _("Disputed")
        CONFIRMED = "confirmed", _("Confirmed")
        VOID = "void", _("Void")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    # 2 in heats for those who are out after the first round, in a knockout for third place.
    ladder = models.PositiveSmallIntegerField(default=1)
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.OFFLINE)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SCHEDULED)
    seating_version = models.PositiveIntegerField(default=1)
    version = models.PositiveIntegerField(default=0)
    play_version = models.PositiveIntegerField(default=0)
    extra_minutes = models.PositiveSmallIntegerField(default=0)  # beyond the round's clock
    hands_wanted = models.PositiveSmallIntegerField(null=True, default=4)  # in this round; empty: as long as it lasts
    # Who deals first, where no schedule says it (league/ledger/dealer.py): {"dealer": seat, "by", "draws": rounds of
    # [seat, card], "deal": key of the online deal whose seed decided them, "seating": the version for which it was
    # decided}
    first_deal = models.JSONField(null=True, blank=True)
    # Hands that were dealt and do not count, since time was up: {"3": [seats that were dealt in]}. Their slots are
    # closed and have no scores; `league.ledger.progress.hands_in` adds them to those of the ledger.
    not_counted = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("round__number", "number")
        constraints = (models.UniqueConstraint(fields=("round", "number"), name="table_number_once"),)

    def __str__(self) -> str:
        return f"{self.round}, table {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.pk])


class Seat(models.Model):
    """Where an entry is to sit in a round: the default occupant of the next hand. No table means a bye.

    A team has two seats, with `member` 0 and 1 and in `substitute` the player of the team who sits there. For every
    other entry, a substitute plays for the entry, which gets the points. `has_lost`: in a tree that forgives a loss,
    whether they came to this round with one, by the results as they were when it was drawn.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="seats")
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    member = models.PositiveSmallIntegerField(default=0)
    substitute = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    has_lost = models.BooleanField(default=False)

    class Meta:
        ordering = ("table_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("round", "entry", "member"), name="nobody_sits_twice_in_a_round"),
            models.UniqueConstraint(fields=("table", "number"), name="one_occupant_a_seat"),
            models.CheckConstraint(
                condition=Q(table__isnull=True, number__isnull=True) | Q(table__isnull=False, number__isnull=False),
                name="a_bye_has_no_seat_number",
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry}"


def seats_by_table(seats: Iterable[Seat]) -> dict[int, list[Seat]]:
    """Occupied seats by table id, in seat order."""
    tables: dict[int, list[Seat]] = {}
    for seat in sorted(seats, key=lambda seat: seat.number if seat.number is not None else -1):
        if seat.table_id is not None:
            tables.setdefault(seat.table_id, []).append(seat)
    return tables
