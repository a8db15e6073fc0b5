"""Making one record of two that are one person, and undoing it. No result changes, only whose it is.

`Merge.moved` has the keys of what moved, so that undoing gives back exactly that; what was played since stays with the
record that played it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.clubs.clubs import want_ratings
from league.ledger.locks import lock_club, lock_tournaments_of
from league.ledger.same_names import tell_apart
from league.lib.errors import Conflict
from league.log.write import member, note, note_in_club
from league.models import (
    Club,
    ClubInvitation,
    Division,
    DivisionPlayer,
    Entry,
    HandScore,
    Merge,
    Player,
    Round,
    Season,
    Seat,
    SignUp,
    TeamMember,
    Tournament,
    User,
)

# What belongs to a person. {name of its keys in `Merge.moved`: (model, field)}
BELONGINGS: Mapping[str, tuple[Any, str]] = {
    "entries": (Entry, "player"),
    "seats": (Seat, "substitute"),
    "scores": (HandScore, "played_by"),
    "teams": (TeamMember, "player"),
    "divisions": (DivisionPlayer, "player"),
    "waits": (SignUp, "person"),
}


@dataclass(frozen=True)
class Moves:
    """What a merge would move, for its preview. hands: those played for others. seasons: open ones in which both have
    played."""

    tournaments: tuple[Tournament, ...]
    seasons: tuple[Season, ...]
    hands: int
    teams: int
    divisions: int


def would_move(kept: Player, gone: Player) -> Moves:
    of_both = Season.objects.filter(closed_at=None, tournaments__entries__player=gone)
    of_both = of_both.filter(tournaments__entries__player=kept).distinct().order_by("-pk")
    return Moves(
        tournaments=tuple(Tournament.objects.filter(entries__player=gone).distinct().order_by("-starts_on", "-pk")),
        seasons=tuple(of_both),
        hands=HandScore.objects.living().filter(played_by=gone).count(),
        teams=TeamMember.objects.filter(player=gone).count(),
        divisions=DivisionPlayer.objects.filter(player=gone).count(),
    )


@transaction.atomic
def merge(*, kept: Player, gone: Player, by: User | None, club: Club | None = None, form_key: str = "") -> Merge:
    """Give everything that `gone` has to `kept`. Raises `Conflict` where they cannot be one person.

    club: whose people they are; its log has the merge even if both are guests.
    """
    tournaments = lock_tournaments_of(kept.pk, gone.pk)
    if club is not None:
        lock_club(club.pk)
    kept, gone = _lock_player(kept), _lock_player(gone)
    check_merge(kept, gone)
    moved = _move(gone, kept) | {"notes": _join_notes(kept, gone)}
    club = kept.club or club
    done = Merge.objects.create(kept=kept, gone=gone, moved=moved, by=by, club=club, form_key=form_key)
    ClubInvitation.objects.filter(player=gone, revoked_at=None, used_at=None).update(revoked_at=timezone.now())
    if moved["claimed"]:
        kept.user_id = gone.user_id
        kept.save(update_fields=["user"])
    concerned = _tournaments_concerned(tournaments, moved)
    clubs = _clubs_concerned(kept, gone, concerned)
    gone.club, gone.user, gone.merged_into, gone.profile_is_public = None, None, kept, False
    gone.save(update_fields=["club", "user", "merged_into", "profile_is_public"])
    if club is not None:
        note_in_club(club=club, by=by, action="merge", old=member(gone), new=member(kept))
    for tournament, theirs in concerned:
        old, new = theirs | {"name": gone.name}, {"name": kept.name}
        tell_apart(tournament)
        note(tournament=tournament, by=by, action="merge-player", old=old, new=new)
    want_ratings(clubs)
    return done


def _join_notes(kept: Player, gone: Player) -> bool:
    """Keep the notes of both in the record that stays; return whether it got any. `gone` has its own, for undoing."""
    if not gone.notes or gone.notes in kept.notes:
        return False
    kept.notes = f"{kept.notes}\n\n{gone.notes}".strip()
    kept.save(update_fields=["notes"])
    return True


def _part_notes(kept: Player, gone: Player) -> None:
    """Take out of the notes of `kept` what `gone` brought, if no one changed it since."""
    if kept.notes.endswith(gone.notes):
        kept.notes = kept.notes.removesuffix(gone.notes).rstrip()
        kept.save(update_fields=["notes"])


def check_merge(kept: Player, gone: Player) -> None:
    """Raises `Conflict` with the reason why two records cannot be one person's."""
    names = {"name": kept.name, "other": gone.name}
    if kept.pk == gone.pk:
        raise Conflict("same", _("These are one record already."))
    if any(player.merged_into_id is not None or player.erased_at is not None for player in (kept, gone)):
        raise Conflict("gone", _("One of the two was merged or erased meanwhile."))
    if gone.club_id not in (None, kept.club_id):
        raise Conflict("other-club", _("%(other)s is a member of another club.") % names)
    if any(hasattr(player, "team") for player in (kept, gone)):
        raise Conflict("team", _("A team and a person cannot be one."))
    if kept.user_id and gone.user_id and kept.user_id != gone.user_id:
        raise Conflict("two-accounts", _("Two accounts say that they are %(name)s and %(other)s.") % names)
    both = Tournament.objects.filter(entries__player=kept).filter(entries__player=gone).order_by("-starts_on").first()
    if both is not None:
        sentence = _("%(name)s and %(other)s both play in “%(tournament)s”, so they are two people.")
        raise Conflict("both-play", sentence % (names | {"tournament": both.name}))
    at_once = _rounds_of(kept).filter(pk__in=_rounds_of(gone).values("pk")).select_related("tournament").first()
    if at_once is not None:
        sentence = _("%(name)s and %(other)s both played in round %(round)d of “%(tournament)s”.")
        where = {"round": at_once.number, "tournament": at_once.tournament.name}
        raise Conflict("both-play", sentence % (names | where))
    team = TeamMember.objects.filter(player=gone, team__members__player=kept).select_related("team__player").first()
    if team is not None:
        sentence = _("%(name)s and %(other)s both belong to the team %(team)s. Take one of them out first.")
        raise Conflict("one-team", sentence % (names | {"team": team.team}))


def _rounds_of(player: Player) -> Any:
    """Living rounds in which somebody sat or played, for themselves or for others."""
    seats = Seat.objects.filter(Q(entry__player=player, substitute=None) | Q(substitute=player))
    scores = HandScore.objects.living().filter(Q(entry__player=player, played_by=None) | Q(played_by=player))
    here = Q(pk__in=seats.values("round")) | Q(pk__in=scores.values("table__round"))
    return Round.objects.living().filter(here)


def _move(gone: Player, kept: Player) -> dict[str, Any]:
    """Move everything, and return what moved: keys by kind, and what else is needed to give it back."""
    seasons = DivisionPlayer.objects.filter(player=kept).values("season")
    # A player has one division a season: the one of `kept`. The other is remembered and not moved.
    double = DivisionPlayer.objects.filter(player=gone, season__in=list(seasons.values_list("season", flat=True)))
    dropped = list(double.values("season_id", "division_id"))
    double.delete()
    moved: dict[str, Any] = {"club": gone.club_id, "user": gone.user_id, "public": gone.profile_is_public}
    # An account moves only from one member of a club to another: a guest's proves nothing about a member.
    moved["claimed"] = gone.user_id is not None and gone.club_id is not None and kept.user_id is None
    for kind, (model, field) in BELONGINGS.items():
        theirs = model.objects.filter(**{field: gone}).order_by("pk")
        moved[kind] = list(theirs.values_list("pk", flat=True))
        theirs.update(**{field: kept})
    return moved | {"dropped": dropped}


@transaction.atomic
def undo_merge(*, merge: Merge, by: User | None) -> Player:
    """Make two people of one again: `gone` gets back what moved and still exists. If it is undone, nothing happens.

    Raises `Conflict` while `kept` is merged into another record, and once the person was erased.
    """
    tournaments = lock_tournaments_of(merge.kept_id)
    if merge.club_id is not None:
        lock_club(merge.club_id)
    kept = _lock_player(merge.kept)
    merge = Merge.objects.select_related("gone", "club").select_for_update(of=("self",)).get(pk=merge.pk)
    gone, moved = merge.gone, merge.moved
    if merge.undone_at is not None:
        return gone
    if kept.merged_into_id is not None:
        raise Conflict(
            "later-merge", _("%(name)s was merged into somebody else since. Undo that first.") % {"name": kept}
        )
    if kept.erased_at is not None or gone.erased_at is not None:
        raise Conflict("erased", _("This person was erased, and stays without a name."))
    for kind, (model, field) in BELONGINGS.items():
        model.objects.filter(pk__in=moved.get(kind, ()), **{field: kept}).update(**{field: gone})
    for placed in moved["dropped"]:
        if not Division.objects.filter(pk=placed["division_id"], season=placed["season_id"]).exists():
            continue
        DivisionPlayer.objects.get_or_create(
            season_id=placed["season_id"], player=gone, defaults={"division_id": placed["division_id"]}
        )
    if moved["claimed"] and kept.user_id == moved["user"]:
        kept.user = None
        kept.save(update_fields=["user"])
    if moved.get("notes"):
        _part_notes(kept, gone)
    gone.club_id, gone.merged_into, gone.profile_is_public = moved["club"], None, moved["public"]
    gone.user_id = moved["user"] if _is_free(moved["user"], moved["club"]) else None
    gone.save(update_fields=["club", "merged_into", "profile_is_public", "user"])
    merge.undone_at = timezone.now()
    merge.save(update_fields=["undone_at"])
    if (club := kept.club or merge.club) is not None:
        note_in_club(club=club, by=by, action="undo-merge", old=member(kept), new=member(gone))
    concerned = _tournaments_concerned(tournaments, moved)
    for tournament, theirs in concerned:
        old, new = {"name": kept.name}, theirs | {"name": gone.name}
        tell_apart(tournament)
        note(tournament=tournament, by=by, action="part-player", old=old, new=new)
    want_ratings(_clubs_concerned(kept, gone, concerned))
    return gone


def _clubs_concerned(kept: Player, gone: Player, concerned: Iterable[tuple[Tournament, Any]]) -> set[int]:
    """Return the keys of the clubs whose ratings may change; guests are rated by the clubs of their tournaments."""
    clubs = {kept.club_id, gone.club_id, *(tournament.club_id for tournament, _theirs in concerned)}
    return {club_id for club_id in clubs if club_id is not None}


def _is_free(user_id: int | None, club_id: int | None) -> bool:
    """Whether an account still exists and has claimed nobody else in the club."""
    if user_id is None or club_id is None:
        return False
    taken = Player.objects.filter(club=club_id, user=user_id).exists()
    return not taken and User.objects.filter(pk=user_id, is_active=True).exists()


def _lock_player(player: Player) -> Player:
    """Lock the club of a record and return the record as it is now."""
    if player.club_id is not None:
        lock_club(player.club_id)
    return Player.objects.select_related("club", "user").get(pk=player.pk)


def _tournaments_concerned(
    tournaments: Iterable[Tournament], moved: Mapping[str, list[int]]
) -> list[tuple[Tournament, dict[str, str]]]:
    """Return the tournaments in which a name changed, each with the `player_id` of the entry that moved there.

    The log has that id beside the name of the record that it came from or went back to, never beside the other name:
    whoever of the two is erased later, the rows of the other stay as they are.
    """
    entries = dict(Entry.objects.filter(pk__in=moved["entries"]).values_list("tournament", "public_id"))
    seats = Seat.objects.filter(pk__in=moved["seats"]).values_list("round__tournament", flat=True)
    scores = HandScore.objects.filter(pk__in=moved["scores"]).values_list("table__round__tournament", flat=True)
    members = TeamMember.objects.filter(pk__in=moved["teams"])
    here = {*entries, *seats, *scores, *members.values_list("team__player__entries__tournament", flat=True)}
    return [
        (tournament, {"player_id": entries[tournament.pk]} if tournament.pk in entries else {})
        for tournament in tournaments
        if tournament.pk in here
    ]
