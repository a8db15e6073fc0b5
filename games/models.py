"""Models of how a score came to be: hands, disputes, deals and moves."""

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
    """A reported hand. A slot is (table, number); it has one living hand, and any number of voided ones."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hands")
    number = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10, choices=HandScore.Source.choices)
    went_out = models.PositiveSmallIntegerField(null=True, blank=True)
    # By seat: {"seat", "cards" (sorted codes or null), "cards_left", "points_left"}, as reported and completed by the
    # engine's check.
    seats = models.JSONField()
    # False: time was up, so the slot is closed without scores.
    counts = models.BooleanField(default=True)
    # False if a counting seat has only points, which the engine can't check against cards.
    checked = models.BooleanField()
    recorded_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    # the link that recorded it, instead of an account
    scorer_link = models.ForeignKey(ScorerLink, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    # the player whose own link reported it, instead of both
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
        """Return the author in words: “Organiser, Olga”, “Scorer link, table 2”."""
        if self.scorer_link:
            return str(self.scorer_link)
        if self.player:
            return f"{self.get_source_display()}, {self.player}"
        return f"{self.get_source_display()}, {self.recorded_by}" if self.recorded_by else self.get_source_display()


class Submission(models.Model):
    """An answered idempotency key: the same key and body always get the same answer."""

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
    """A player's objection to a hand. Both versions stay, also after a director decides.

    `went_out` and `seats` are the player's version, in the form of `Hand`; empty `seats` mean that there is only a
    reason.
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


class PhoneHand(models.Model):
    """A hand that a phone still holds: the server refused it, or the hands before it are on their way.

    `hand` is the recorded one with another result; `went_out` and `seats` are then the phone's version, in the form of
    `Hand`. The phone, or a director, ends it; if its key is recorded later, it has ended too.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="phone_hands")
    key = models.CharField(max_length=100)  # of the form, as in `Submission`
    number = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=20, blank=True)  # of the refusal; empty while it waits
    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, null=True, blank=True, related_name="second_results")
    went_out = models.PositiveSmallIntegerField(null=True, blank=True)
    seats = models.JSONField(default=list)
    player = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    scorer_link = models.ForeignKey(ScorerLink, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    since = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("table", "key"), name="one_phone_hand_a_key"),)

    def __str__(self) -> str:
        return f"{self.table}, hand {self.number}"

    @property
    def who(self) -> str:
        """Return the author in words, without the source of `Hand.who`."""
        return str(self.player or self.user or self.scorer_link or "")


class DealQuerySet(models.QuerySet["Deal"]):
    def open(self) -> "DealQuerySet":
        return self.filter(state__in=(Deal.State.WAITING, Deal.State.PLAYING))


class Deal(models.Model):
    """A hand at an online table, from the committed deck to its result. The moves are the truth.

    The engine numbers the seats dealt in from 0; `places` has an item for each of them, in that order:

        {"seat": the table's seat, "entry": id of the entry that gets the points,
         "member": 0, or 1 for the second player of a team,
         "played_by": id of a substitute, or of a team's player, or null,
         "bot": kind of the bot that plays now, "absent", "left" or "", "ready": bool,
         "promised": SHA-256 of the browser's share of the shuffle or null, "entropy": the revealed share, hex or null,
         "again", if present: true, the share for the previous deck was revealed, but that deck was not dealt because
         another share was not; "refused", if present: true, the share for this deck was not revealed,
         "bank": milliseconds left beyond the time for a move, "misses": moves missed in a row,
         "timed_out", if present: the log lines with which its missed moves begin,
         "bot_was", if present: name of the bot that plays this hand in a seat that a person has taken over,
         "before", if present: [[number of a move, bank and misses before it], ...] of the moves that changed them}

    `seed` stays secret until the hand is over.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")  # the deck is sealed, and players report ready
        PLAYING = "playing", _("Playing")
        OVER = "over", _("Over")
        ABANDONED = "abandoned", _("Abandoned")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="deals")
    number = models.PositiveSmallIntegerField()  # of the hand
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # {"edition", "scoring", "teams", "options", "log": version of the log} when the deck was prepared
    rules = models.JSONField()
    opening = models.BooleanField(default=False)  # all shares are committed and must be revealed
    dealer = models.PositiveSmallIntegerField()  # as the engine counts
    seed = models.BinaryField()
    commitment = models.CharField(max_length=64)
    places = models.JSONField()
    moves_made = models.PositiveIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(null=True, blank=True)  # the place whose move is awaited
    asked_at = models.DateTimeField(null=True, blank=True)  # since when
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)  # when the awaited player's time ends
    bot_at = models.DateTimeField(null=True, blank=True, db_index=True)  # when a bot acts
    paused_at = models.DateTimeField(null=True, blank=True)
    pause_reason = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    dealt_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, null=True, blank=True, related_name="deals")
    reason = models.CharField(max_length=200, blank=True)  # of the abandonment
    on_paper = models.BooleanField(default=False)  # abandoned online and finished with real cards

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
        """Return as JSON the cards drawn for the first deal from this deal's seed; empty without a draw."""
        first = self.table.first_deal
        if first is None or first["deal"] != self.pk:
            return ""
        return json.dumps({"seats": [place["seat"] for place in self.places], "draws": first["draws"]})


class Move(models.Model):
    """A move in a hand: an action of the engine, or a director's `["undo", to, reason]`. Immutable.

    Replayed in order, the moves give the hand and its log (games/online/play/replay.py).
    """

    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="moves")
    number = models.PositiveIntegerField()  # from 1, without gaps
    action = models.JSONField()
    key = models.CharField(max_length=100, blank=True)  # of the command, so that it takes effect once
    digest = models.CharField(max_length=64, blank=True)  # of the command's content
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")  # a director
    bot = models.CharField(max_length=10, blank=True)  # the bot that moved, or "time" for a missed move
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
    """Settings of a tournament's online tables, in seconds. Defaults apply without a row."""

    class NoShow(models.TextChoices):
        BOT = "bot", _("A bot plays until they come")
        WAIT = "wait", _("The table waits for you to name a substitute")
        FORFEIT = "forfeit", _("They get cards and draw one each turn")

    class Absent(models.TextChoices):
        DRAW = "draw", _("The player draws a card")
        BOT = "bot", _("A bot makes the move")

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
    """One row: the last heartbeats of web and sweeper. Clocks at online tables stop while one is missing."""

    web_at = models.DateTimeField(null=True, blank=True)
    sweeper_at = models.DateTimeField(null=True, blank=True)
    healthy_at = models.DateTimeField(null=True, blank=True)  # both running

    def __str__(self) -> str:
        return f"{self.healthy_at}"
