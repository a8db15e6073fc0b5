"""How a score came to be: hands, and the keys under which they were sent."""

import json

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models import Entry, HandScore, ScorerLink, Table, Tournament, User


class HandQuerySet(models.QuerySet["Hand"]):
    def living(self) -> "HandQuerySet":
        return self.filter(voided_at__isnull=True)


class Hand(models.Model):
    """One hand as it was reported. A slot is (table, number): one living hand fills it; voided ones stay beside it."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hands")
    number = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10, choices=HandScore.Source.choices)
    went_out = models.PositiveSmallIntegerField(null=True, blank=True)
    # By seat: {"seat", "cards" (codes, sorted, or null), "cards_left", "points_left"}, as reported and completed by the
    # engine's check.
    seats = models.JSONField()
    # False: time was up before it ended, so that its slot is closed and nobody scores.
    counts = models.BooleanField(default=True)
    # False if a seat that counts gave points alone, which the engine could not check against cards.
    checked = models.BooleanField()
    recorded_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    # The link with which it was entered, instead of an account.
    scorer_link = models.ForeignKey(ScorerLink, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    # The player who reported it by their own link, instead of both.
    player = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    recorded_at = models.DateTimeField(default=timezone.now)
    replaces = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="replaced_by")
    voided_at = models.DateTimeField(null=True, blank=True)
    voided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    void_reason = models.CharField(max_length=200, blank=True)

    objects = HandQuerySet.as_manager()

    class Meta:
        ordering = ("table_id", "number", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("table", "number"), condition=Q(voided_at__isnull=True), name="one_living_hand_a_slot"
            ),
        )

    def __str__(self) -> str:
        return f"{self.table}, hand {self.number}"

    @property
    def who(self) -> str:
        """Who entered it, in words: “Organiser, Olga”, “Scorer link, table 2”."""
        if self.scorer_link:
            return str(self.scorer_link)
        if self.player:
            return f"{self.get_source_display()}, {self.player}"
        return f"{self.get_source_display()}, {self.recorded_by}" if self.recorded_by else self.get_source_display()


class Submission(models.Model):
    """An idempotency key that was answered: the same key and body get the same answer, whatever happened since."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="submissions")
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="submissions")
    created = models.BooleanField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("table", "key"), name="one_answer_a_key"),)

    def __str__(self) -> str:
        return self.key


class Dispute(models.Model):
    """A player's word that a hand was another one. Both versions stand until a director decides; both stay after.

    `went_out` and `seats` are the hand as the player has it, in the form of `Hand`; with empty `seats` they say only
    that it is wrong.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Disputed")
        KEPT = "kept", _("The hand stands")
        TAKEN = "taken", _("Corrected as they said")
        OTHER = "other", _("Corrected in another way")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="disputes")
    player = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    went_out = models.PositiveSmallIntegerField(null=True, blank=True)
    seats = models.JSONField(default=list)
    reason = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("hand", "player"), condition=Q(state="open"), name="one_open_dispute_a_player_and_hand"
            ),
        )

    def __str__(self) -> str:
        return f"{self.hand}: {self.player}"


class DealQuerySet(models.QuerySet["Deal"]):
    def open(self) -> "DealQuerySet":
        return self.filter(state__in=(Deal.State.WAITING, Deal.State.PLAYING))


class Deal(models.Model):
    """A hand as it is played at an online table, from the sealed deck to its result. The moves are its truth.

    The engine counts the seats that are dealt in from 0; `places` has an item for each of them, in that order:

        {"seat": the table's seat, "entry": key of who has the points, "member": 0, or 1 for the second of a team,
         "played_by": key of a substitute, or of who plays for a team, or null,
         "bot": kind of the bot that plays now, "absent", "left" or "", "ready": bool,
         "promised": SHA-256 of what the browser adds to the shuffle or null, "entropy": what it opened, hex or null,
         "again", if there: true, it opened a promise for the deck before this one, which was not dealt because
         somebody else did not; "refused", if there: true, it did not open its promise for this one,
         "bank": milliseconds left beyond the time for a move, "misses": moves missed in a row,
         "timed_out", if there: the lines of the log with which its missed moves begin,
         "bot_was", if there: name of the bot that plays this hand in a seat that has become a person's,
         "before", if there: [[number of a move, bank and misses before it], ...] of the moves that changed them}

    `seed` is shown to nobody before the hand is over.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")  # the deck is sealed, and the players say that they are there
        PLAYING = "playing", _("Playing")
        OVER = "over", _("Over")
        ABANDONED = "abandoned", _("Abandoned")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="deals")
    number = models.PositiveSmallIntegerField()  # of the hand
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # {"edition", "scoring", "teams", "options", "log": version of the log}, as they were when the deck was sealed
    rules = models.JSONField()
    opening = models.BooleanField(default=False)  # all have promised, and are asked to open it
    dealer = models.PositiveSmallIntegerField()  # as the engine counts
    seed = models.BinaryField()
    commitment = models.CharField(max_length=64)
    places = models.JSONField()
    moves_made = models.PositiveIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(null=True, blank=True)  # the place that the hand waits for
    asked_at = models.DateTimeField(null=True, blank=True)  # since when it waits for that place
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)  # when the time of the awaited player is over
    bot_at = models.DateTimeField(null=True, blank=True, db_index=True)  # when a bot does something
    paused_at = models.DateTimeField(null=True, blank=True)
    pause_reason = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    dealt_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, null=True, blank=True, related_name="deals")
    reason = models.CharField(max_length=200, blank=True)  # why it was abandoned
    on_paper = models.BooleanField(default=False)  # abandoned here, and finished with real cards

    objects = DealQuerySet.as_manager()

    class Meta:
        ordering = ("table_id", "number", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("table",), condition=Q(state__in=("waiting", "playing")), name="one_open_deal_a_table"
            ),
        )

    def __str__(self) -> str:
        return f"{self.table}, hand {self.number}"

    @property
    def drawn(self) -> str:
        """The cards that seats drew for the first deal from this deal's seed, as JSON; empty if they were not."""
        first = self.table.first_deal
        if first is None or first["deal"] != self.pk:
            return ""
        return json.dumps({"seats": [place["seat"] for place in self.places], "draws": first["draws"]})


class Move(models.Model):
    """What somebody did in a hand: an action of the engine, or `["undo", to, reason]` by a director. Never changed.

    Replayed in their order, the moves give the hand and its log (games/online/play/replay.py).
    """

    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="moves")
    number = models.PositiveIntegerField()  # from 1, without gaps
    action = models.JSONField()
    key = models.CharField(max_length=100, blank=True)  # of the command, so that it has one effect
    digest = models.CharField(max_length=64, blank=True)  # of what the command said
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")  # a director
    bot = models.CharField(max_length=10, blank=True)  # what played for the seat: a bot, or "time" when that was up
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("deal_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("deal", "number"), name="one_move_a_number"),
            models.UniqueConstraint(fields=("deal", "key"), condition=~Q(key=""), name="one_move_a_key"),
        )

    def __str__(self) -> str:
        return f"{self.deal}, move {self.number}"


class OnlineSettings(models.Model):
    """How online tables of a tournament run. All times in seconds; a tournament without a row has the defaults."""

    class NoShow(models.TextChoices):
        BOT = "bot", _("A bot plays until they come")
        WAIT = "wait", _("The table waits for you to name a substitute")
        FORFEIT = "forfeit", _("Their cards are dealt, and they draw and keep")

    class Absent(models.TextChoices):
        DRAW = "draw", _("They draw and keep; after some misses a bot sits in until they return")
        BOT = "bot", _("A bot makes that move; after some misses it sits in until they return")

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="online_settings")
    move_seconds = models.PositiveSmallIntegerField(_("seconds for a move"), default=30)
    bank_seconds = models.PositiveSmallIntegerField(_("seconds beyond them, for a whole hand"), default=60)
    no_show_seconds = models.PositiveSmallIntegerField(_("seconds to come to the table"), default=180)
    between_seconds = models.PositiveSmallIntegerField(_("seconds between two hands"), default=45)
    no_show = models.CharField(max_length=10, choices=NoShow.choices, default=NoShow.BOT)
    absent = models.CharField(max_length=10, choices=Absent.choices, default=Absent.DRAW)
    misses = models.PositiveSmallIntegerField(_("misses until a bot sits in"), default=2)
    bot = models.CharField(max_length=10, default="careful")  # a key of engine.simulation.bots.BOTS
    spectator_delay = models.PositiveSmallIntegerField(_("moves by which spectators see later"), default=0)

    def __str__(self) -> str:
        return f"{self.tournament}"


class Pulse(models.Model):
    """One row: when pages and sweeper were last known to run, so that no clock counts while one of them does not."""

    web_at = models.DateTimeField(null=True, blank=True)
    sweeper_at = models.DateTimeField(null=True, blank=True)
    healthy_at = models.DateTimeField(null=True, blank=True)  # both at once

    def __str__(self) -> str:
        return f"{self.healthy_at}"
