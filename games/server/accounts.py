"""The accounts of a server, and what each owns."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.models import Club, Tournament, User
from league.pages.people_list import ListFilters, ListOf, PeopleList, PersonRow, ViewOf, people_list

MOST_OWNED = 50  # listed on an account's page


@dataclass(frozen=True)
class Account:
    """An account with the numbers of clubs and events that it owns."""

    user: User
    clubs: int
    events: int

    @property
    def text(self) -> str:
        """Return “Owner. 1 club, 7 events”, or since when it is blocked."""
        if at := self.user.blocked_at:
            return _("Blocked on %(day)s") % {"day": date_format(at, _("j F Y"))}
        parts = []
        if self.clubs:
            parts.append(ngettext("%(count)d club", "%(count)d clubs", self.clubs) % {"count": self.clubs})
        if self.events:
            parts.append(
                ngettext("%(count)d tournament", "%(count)d tournaments", self.events) % {"count": self.events}
            )
        owned = ", ".join(parts)
        if not self.user.is_superuser:
            return owned
        return _("Owner. %(owned)s") % {"owned": owned} if owned else _("Owner")


def all_accounts() -> QuerySet[User]:
    """Return all accounts except closed ones and those of the service."""
    return User.objects.filter(Q(is_active=True) | Q(blocked_at__isnull=False))


def accounts() -> list[Account]:
    is_event = Q(tournaments__kind=Tournament.Kind.EVENT)
    counted = all_accounts().annotate(
        club_count=Count("clubs", distinct=True), event_count=Count("tournaments", filter=is_event, distinct=True)
    )
    return [Account(user, user.club_count, user.event_count) for user in counted]


def account_list(filters: ListFilters) -> PeopleList:
    """Return the list with its search by name and e-mail."""
    of = ListOf[Account](
        url=reverse("server"),
        find=_("Name or e-mail"),
        id_of=lambda account: str(account.user.pk),
        name_of=lambda account: f"{account.user.name} {account.user.email}",
        row=_row,
        views=(
            ViewOf("all", pgettext("accounts", "All")),
            ViewOf("blocked", pgettext("accounts", "Blocked"), lambda account: account.user.blocked_at is not None),
        ),
        nothing=_("No account is blocked.") if filters.view == "blocked" else _("There is no account yet."),
    )
    return people_list(accounts(), of, filters)


def _row(account: Account) -> PersonRow:
    user = account.user
    parts = [user.email if user.name else "", account.text]
    url = reverse("server_account", args=[user.pk])
    return PersonRow(str(user.pk), str(user), ". ".join(filter(None, parts)), url=url)


@dataclass(frozen=True)
class Owned:
    """What an account owns, the newest events first. more: number of events that aren't listed."""

    clubs: Sequence[Club]
    events: Sequence[Tournament]
    more: int


def owned_by(user: User) -> Owned:
    events = user.tournaments.filter(kind=Tournament.Kind.EVENT).order_by("-starts_on", "-pk")
    return Owned(
        clubs=list(user.clubs.order_by("name")),
        events=list(events[:MOST_OWNED]),
        more=max(0, events.count() - MOST_OWNED),
    )
