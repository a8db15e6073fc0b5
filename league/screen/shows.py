"""Let the hall screens present the draw or the podium, and return to their pages.

Both display only what is public. A show ends automatically: the draw when the clock starts or a hand is recorded, the
podium when the standings are provisional again.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict
from league.log.write import note
from league.models import Round, ScreenShow, Tournament, User
from league.standings import read as ledger
from league.standings.ranking import on_podium

Kind = ScreenShow.Kind


def current_show(tournament: Tournament) -> ScreenShow | None:
    """Return what the screens present now, if anything."""
    show: ScreenShow | None = getattr(tournament, "screen_show", None)
    if show is None:
        return None
    if show.kind == Kind.DRAW:
        return show if show.round_id is not None and show.round == round_to_draw(tournament) else None
    return show if has_podium(tournament) else None


def round_to_draw(tournament: Tournament) -> Round | None:
    """Return the round whose draw can be presented: just published, before its clock and first hand, not in a pause."""
    published = tournament.rounds.living().exclude(state=Round.State.DRAFT)
    played = published.order_by("-number").first()
    if tournament.paused_at is not None or played is None or played.state != Round.State.PUBLISHED:
        return None
    return played if played.ends_at is None and played.seconds_left is None else None


def has_podium(tournament: Tournament) -> bool:
    """Return whether the standings are final, with a first three."""
    return tournament.is_final and bool(on_podium(ledger.read(tournament).standings()))


@transaction.atomic
def start_show(*, tournament: Tournament, kind: str, by: User | None) -> None:
    """Let all hall screens present the draw or the podium. Raises `Conflict` if there is none to present."""
    tournament = lock_tournament(tournament.pk)
    played = round_to_draw(tournament) if kind == Kind.DRAW else None
    if kind == Kind.DRAW and played is None:
        sentence = _("The draw can be shown once a round is published, until its clock starts or a hand is recorded.")
        raise Conflict("no-draw", sentence)
    if kind == Kind.PODIUM and not has_podium(tournament):
        raise Conflict("no-podium", _("The podium can be shown once the standings are final."))
    columns = {"kind": kind, "round": played, "started_at": timezone.now()}
    ScreenShow.objects.update_or_create(tournament=tournament, defaults=columns)
    note(tournament=tournament, by=by, action=f"screen-{kind}", round_number=played.number if played else None)


@transaction.atomic
def end_show(*, tournament: Tournament, by: User | None) -> None:
    """Return to the usual pages; does nothing without a show."""
    tournament = lock_tournament(tournament.pk)
    show = current_show(tournament)
    ScreenShow.objects.filter(tournament=tournament).delete()
    if show is not None:
        note(tournament=tournament, by=by, action="screen-back")
