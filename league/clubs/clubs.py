"""Create a club, change its settings, hand it over, and move tournaments into it."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.secrets import account_in_log
from league.ledger.locks import lock_club, lock_tournament
from league.lib.errors import Conflict
from league.lib.slugs import unguessable_slug, with_new_slug
from league.log.write import note, note_in_club
from league.models import Club, ClubRole, Tournament, User
from league.models.people import Visibility

DETAILS = ("name", "place", "time_zone", "about", "visibility")


@transaction.atomic
def found_club(
    *,
    owner: User,
    name: str,
    place: str = "",
    time_zone: str = "UTC",
    about: str = "",
    visibility: str = Visibility.PUBLIC,
) -> Club:
    club = with_new_slug(
        Club(owner=owner, name=name, place=place, time_zone=time_zone, about=about, visibility=visibility)
    )
    note_in_club(club=club, by=owner, action="found", new={"name": name})
    return club


@transaction.atomic
def change_club(*, club: Club, by: User | None, **details: Any) -> Club:
    """Change details of a club. A club that stops being public gets a new address."""
    club = lock_club(club.pk)
    old = {field: getattr(club, field) for field in DETAILS}
    changed = {field: value for field, value in details.items() if field in DETAILS and value != old[field]}
    if not changed:
        return club
    for field, value in changed.items():
        setattr(club, field, value)
    if "visibility" in changed and old["visibility"] == Visibility.PUBLIC:
        club.slug = unguessable_slug(club)
    club.save(update_fields=[*changed, "slug"])
    before = {field: str(old[field]) for field in changed}
    after = {field: str(value) for field, value in changed.items()}
    note_in_club(club=club, by=by, action="club-settings", old=before, new=after)
    return club


def heirs_of(club: Club) -> list[ClubRole]:
    """Return the roles of active organisers, who can become owner, oldest role first."""
    organisers = ClubRole.objects.filter(club=club, kind=ClubRole.Kind.ORGANISER, revoked_at=None)
    return list(organisers.filter(user__is_active=True).select_related("user").order_by("created_at", "pk"))


@transaction.atomic
def hand_over_club(*, club: Club, role: ClubRole, by: User, stays: bool = True) -> Club:
    """Make an organiser the owner. The former owner becomes an organiser if `stays`.

    Raises `Conflict` if `by` isn't the owner or `role` isn't a living organiser role.
    """
    club = lock_club(club.pk)
    role = ClubRole.objects.select_related("user").get(pk=role.pk)
    if club.owner_id != by.pk and not by.is_superuser:
        raise Conflict("not-owner", _("You no longer own this club."))
    if role.club_id != club.pk or role.kind != ClubRole.Kind.ORGANISER or role.revoked_at is not None:
        raise Conflict("no-heir", _("Choose one of the club’s organisers."))
    before, now = club.owner, timezone.now()
    ClubRole.objects.filter(club=club, user=role.user, revoked_at=None).update(revoked_at=now)  # an owner needs none
    club.owner = role.user
    club.save(update_fields=["owner"])
    if stays:
        ClubRole.objects.create(club=club, user=before, kind=ClubRole.Kind.ORGANISER, created_by=by)
    old, new = account_in_log(before), account_in_log(role.user)
    note_in_club(club=club, by=by, action="hand-over", old=old, new=new)
    return club


@transaction.atomic
def put_in_club(*, tournament: Tournament, club: Club | None, by: User | None) -> Tournament:
    """Move a tournament into a club, or out of any (None). It leaves its season. Raises `Conflict`."""
    tournament = lock_tournament(tournament.pk)
    before = tournament.club
    if before == club:
        return tournament
    if tournament.kind == Tournament.Kind.PRACTICE:
        raise Conflict("practice", _("Practice tournaments can’t belong to a club."))
    if tournament.kind == Tournament.Kind.CASUAL:
        raise Conflict("casual", _("Casual games can’t belong to a club."))
    if tournament.season is not None and tournament.season.closed_at is not None:
        sentence = _("This tournament counts in the season “%(season)s”, which has ended. Reopen the season first.")
        raise Conflict("season-ended", sentence % {"season": tournament.season})
    concerned = sorted(each_club.pk for each_club in (before, club) if each_club is not None)
    for key in concerned:
        lock_club(key)
    tournament.club, tournament.season, tournament.division = club, None, None
    tournament.save(update_fields=["club", "season", "division"])
    evening = {"slug": tournament.slug, "tournament": tournament.name}
    if before is not None:
        note_in_club(club=before, by=by, action="leave-club", old=evening)
    if club is not None:
        note_in_club(club=club, by=by, action="put-in-club", new=evening)
    want_ratings(concerned)
    old, new = ({"of_club": each_club.name} if each_club else None for each_club in (before, club))
    note(tournament=tournament, by=by, action="put-in-club" if club else "leave-club", old=old, new=new)
    return tournament


def want_ratings(clubs: Iterable[int]) -> None:
    """Mark the ratings of these clubs (keys) as out of date."""
    Club.objects.filter(pk__in=list(clubs)).update(ratings_version=0)
