"""The only way to an object of a tournament: load it with the role that the request has, or answer 404.

A stranger to a private tournament learns nothing, not even that it exists.
"""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404

from league.models import Entry, Round, Table, Tournament, User

Viewer = User | AnonymousUser


@dataclass(frozen=True)
class Access:
    """A tournament as one viewer may see it."""

    tournament: Tournament
    organises: bool

    def rounds(self) -> QuerySet[Round]:
        """The living rounds; for the public only those that were published."""
        rounds = self.tournament.rounds.all()
        return rounds.living() if self.organises else rounds.shown()


def may_organise(viewer: Viewer, tournament: Tournament) -> bool:
    return viewer.is_authenticated and (viewer.pk == tournament.owner_id or viewer.is_superuser)


def _access(viewer: Viewer, tournament: Tournament) -> Access:
    organises = may_organise(viewer, tournament)
    if not organises and tournament.visibility == Tournament.Visibility.PRIVATE:
        raise Http404
    return Access(tournament, organises)


def view_tournament(viewer: Viewer, slug: str) -> Access:
    """The tournament for anybody who may look at it."""
    try:
        tournament = Tournament.objects.select_related("club", "owner").get(slug=slug)
    except Tournament.DoesNotExist:
        raise Http404 from None
    return _access(viewer, tournament)


def organise_tournament(viewer: Viewer, slug: str) -> Access:
    """The tournament for those who run it."""
    access = view_tournament(viewer, slug)
    if not access.organises:
        raise Http404
    return access


def view_entry(viewer: Viewer, slug: str, public_id: str) -> tuple[Access, Entry]:
    access = view_tournament(viewer, slug)
    try:
        return access, access.tournament.entries.select_related("player").get(public_id=public_id)
    except Entry.DoesNotExist:
        raise Http404 from None


def organise_entry(viewer: Viewer, slug: str, public_id: str) -> tuple[Access, Entry]:
    access, entry = view_entry(viewer, slug, public_id)
    if not access.organises:
        raise Http404
    return access, entry


def record_table(viewer: Viewer, table_id: int) -> tuple[Access, Table]:
    """A table whose hands the viewer may enter."""
    try:
        table = Table.objects.select_related("round__tournament__club", "round__tournament__owner", "round__stage").get(
            pk=table_id
        )
    except Table.DoesNotExist:
        raise Http404 from None
    access = _access(viewer, table.round.tournament)
    if not access.organises or table.round.state in (Round.State.DRAFT, Round.State.VOID):
        raise Http404
    return access, table


def own_tournaments(viewer: Viewer) -> QuerySet[Tournament]:
    return Tournament.objects.filter(owner_id=viewer.pk) if viewer.is_authenticated else Tournament.objects.none()
