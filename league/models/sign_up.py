"""Store a tournament's sign-up page, its sign-ups, and queued e-mails."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.entry import Entry
from league.models.people import Player, User, new_public_id
from league.models.tournament import Tournament


class SignUpPage(models.Model):
    """Whether, how many and when a tournament takes sign-ups. Times are moments; empty: no limit."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="sign_up_page")
    capacity = models.PositiveSmallIntegerField(_("places"))
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    check_in_opens_at = models.DateTimeField(null=True, blank=True)
    check_in_closes_at = models.DateTimeField(null=True, blank=True)
    closed = models.BooleanField(default=False)  # by an organiser, regardless of the clock
    note = models.CharField(max_length=300, blank=True)  # the organiser's note on the page
    # Whether many may sign up from one network at once, such as a school or a club with one address.
    many_at_once = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.tournament}: {self.capacity}"

    @property
    def check_in_is_open(self) -> bool:
        """Return whether players may check themselves in now. Without times only organisers and helpers may."""
        if self.check_in_opens_at is None and self.check_in_closes_at is None:
            return False
        now = timezone.now()
        begun = self.check_in_opens_at is None or self.check_in_opens_at <= now
        return begun and (self.check_in_closes_at is None or now < self.check_in_closes_at)


class SignUp(models.Model):
    """A sign-up, in order of arrival. A place is an entry; waiting people have none."""

    class State(models.TextChoices):
        PLACED = "placed", _("Has a place")
        WAITING = "waiting", _("On the waiting list")
        WITHDRAWN = "withdrawn", _("Withdrew")
        REPLACED = "replaced", _("Did not come")
        HELD = "held", _("Waits for the organiser")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="sign_ups")
    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)  # in their own link
    name = models.CharField(_("name"), max_length=80)
    club_name = models.CharField(_("club"), max_length=80, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    language = models.CharField(max_length=10, blank=True)  # of their e-mails
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    entry = models.OneToOneField(Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="sign_up")
    # A person who had a place and has none now; a restored place is theirs.
    person = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="waits_as")
    link_generation = models.PositiveSmallIntegerField(default=1)
    # When a waiting person checked in at the venue, who may take the place of an absent one.
    here_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # Deadline to confirm the address and hold the place; empty: not needed, or done.
    confirm_by = models.DateTimeField(null=True, blank=True)
    # When the sign-up became certain: the person opened their e-mail, or the organiser vouches.
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # Digest of the network of the sign-up (league/entries/unconfirmed.py).
    network = models.CharField(max_length=32, blank=True, db_index=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "email"),
                condition=Q(state__in=("placed", "waiting", "held")) & ~Q(email=""),
                name="one_living_sign_up_an_address",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def must_confirm(self) -> bool:
        return self.confirm_by is not None and self.state in (self.State.PLACED, self.State.WAITING)

    @property
    def lapsed(self) -> bool:
        """Return whether the place was given up because the address wasn't confirmed in time."""
        return self.confirm_by is not None and self.state == self.State.WITHDRAWN

    @property
    def is_of_organiser(self) -> bool:
        """Return whether an organiser typed the name; sign-ups have a language, and with e-mail an address."""
        return not self.email and not self.language


class Letter(models.Model):
    """A queued e-mail. The transaction that causes it adds the row; the clock sends it, with retries.

    Its text is written on sending, so that no access link is stored here. `site`: the address under which its cause
    reached the service, such as https://league.example.org

    E-mails of a deleted tournament have what they need in `about`, address included, and are deleted once sent or
    given up.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        SENT = "sent", _("Sent")
        FAILED = "failed", _("Failed")

    kind = models.CharField(max_length=20)
    # The recipient: a person who signed up, or a player entered with an address.
    sign_up = models.ForeignKey(SignUp, on_delete=models.CASCADE, null=True, blank=True, related_name="letters")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="letters")
    about = models.JSONField(null=True, blank=True)
    site = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(
                condition=Q(about__isnull=True) & (Q(sign_up__isnull=True) ^ Q(entry__isnull=True))
                | Q(about__isnull=False, sign_up__isnull=True, entry__isnull=True),
                name="a_letter_is_to_one_person",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"


class SentMail(models.Model):
    """One e-mail of the last day, to count those of an account or of an address (league/letters/limits.py).

    `recipient` is a digest. `typed`: the owner of the address has not confirmed it.
    """

    sender = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sent_mails")
    recipient = models.CharField(max_length=32, blank=True, db_index=True)
    typed = models.BooleanField(default=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.sender_id or self.recipient} {self.at:%Y-%m-%d %H:%M}"
