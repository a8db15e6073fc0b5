"""Merge two records of one person, and undo it. Results don't change, only their owner.

`Merge.moved` has the keys of the moved rows, so that undoing returns exactly those. Later results stay with the record
that played them.
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
    PlayerWarning,
    Round,
    Season,
    Seat,
    SignUp,
    TeamMember,
    Tournament,
    User,
)

# Rows that belong to a person. {key in `Merge.moved`: (model, field)}
BELONGINGS: Mapping[str, tuple[Any, str]] = {
    "entries": (Entry, "player"),
    "seats": (Seat, "substitute"),
    "scores": (HandScore, "played_by"),
    "teams": (TeamMember, "player"),
    "divisions": (DivisionPlayer, "player"),
    "waits": (SignUp, "person"),
    "warnings": (PlayerWarning, "player"),
}


@dataclass(frozen=True)
class Moves:
    """Preview of a merge. hands: played as a substitute. seasons: open ones in which both have played."""

    tournaments: tuple[Tournament, ...]
    seasons: tuple[Season, ...]
    hands: int
    teams: int
    divisions: int


def would_move(target: Player, source: Player) -> Moves:
    of_both = Season.objects.filter(closed_at=None, tournaments__entries__player=source)
    of_both = of_both.filter(tournaments__entries__player=target).distinct().order_by("-pk")
    return Moves(
        tournaments=tuple(Tournament.objects.filter(entries__player=source).distinct().order_by("-starts_on", "-pk")),
        seasons=tuple(of_both),
        hands=HandScore.objects.living().filter(played_by=source).count(),
        teams=TeamMember.objects.filter(player=source).count(),
        divisions=DivisionPlayer.objects.filter(player=source).count(),
    )


@transaction.atomic
def merge(*, target: Player, source: Player, by: User | None, club: Club | None = None, form_key: str = "") -> Merge:
    """Move everything of `source` to `target`. Raises `Conflict` if they can't be one person.

    club: logs the merge even if both are guests.
    """
    tournaments = lock_tournaments_of(target.pk, source.pk)
    if club is not None:
        lock_club(club.pk)
    target, source = _lock_player(target), _lock_player(source)
    check_merge(target, source)
    moved = _move(source, target) | {"notes": _join_notes(target, source)}
    club = target.club or club
    done = Merge.objects.create(kept=target, gone=source, moved=moved, by=by, club=club, form_key=form_key)
    ClubInvitation.objects.filter(player=source, revoked_at=None, used_at=None).update(revoked_at=timezone.now())
    if moved["claimed"]:
        target.user_id = source.user_id
        target.save(update_fields=["user"])
    concerned = _tournaments_concerned(tournaments, moved)
    clubs = _clubs_concerned(target, source, concerned)
    source.club, source.user, source.merged_into, source.profile_is_public = None, None, target, False
    source.save(update_fields=["club", "user", "merged_into", "profile_is_public"])
    if club is not None:
        note_in_club(club=club, by=by, action="merge", old=member(source), new=member(target))
    for tournament, theirs in concerned:
        old, new = theirs | {"name": source.name}, {"name": target.name}
        tell_apart(tournament)
        note(tournament=tournament, by=by, action="merge-player", old=old, new=new)
    want_ratings(clubs)
    return done


def _join_notes(target: Player, source: Player) -> bool:
    """Append the notes of `source` to those of `target`; return whether anything was appended.

    `source` keeps its own for undoing.
    """
    if not source.notes or source.notes in target.notes:
        return False
    target.notes = f"{target.notes}\n\n{source.notes}".strip()
    target.save(update_fields=["notes"])
    return True


def _part_notes(target: Player, source: Player) -> None:
    """Remove the notes of `source` from those of `target`, unless they were edited since."""
    if target.notes.endswith(source.notes):
        target.notes = target.notes.removesuffix(source.notes).rstrip()
        target.save(update_fields=["notes"])


def check_merge(target: Player, source: Player) -> None:
    """Raise `Conflict` with the reason if two records can't be one person."""
    names = {"name": target.name, "other": source.name}
    if target.pk == source.pk:
        raise Conflict("same", _("These are already one record."))
    if any(player.merged_into_id is not None or player.erased_at is not None for player in (target, source)):
        raise Conflict("gone", _("One of the two has been merged or erased."))
    if source.club_id not in (None, target.club_id):
        raise Conflict("other-club", _("%(other)s is a member of another club.") % names)
    if any(hasattr(player, "team") for player in (target, source)):
        raise Conflict("team", _("Teams can’t be merged with people."))
    if target.user_id and source.user_id and target.user_id != source.user_id:
        raise Conflict("two-accounts", _("%(name)s and %(other)s have different accounts.") % names)
    both = (
        Tournament.objects.filter(entries__player=target).filter(entries__player=source).order_by("-starts_on").first()
    )
    if both is not None:
        sentence = _("%(name)s and %(other)s both play in “%(tournament)s”, so they are two people.")
        raise Conflict("both-play", sentence % (names | {"tournament": both.name}))
    at_once = _rounds_of(target).filter(pk__in=_rounds_of(source).values("pk")).select_related("tournament").first()
    if at_once is not None:
        sentence = _("%(name)s and %(other)s both played in round %(round)d of “%(tournament)s”.")
        where = {"round": at_once.number, "tournament": at_once.tournament.name}
        raise Conflict("both-play", sentence % (names | where))
    team = TeamMember.objects.filter(player=source, team__members__player=target).select_related("team__player").first()
    if team is not None:
        sentence = _("%(name)s and %(other)s are both in the team %(team)s. Remove one of them first.")
        raise Conflict("one-team", sentence % (names | {"team": team.team}))


def _rounds_of(player: Player) -> Any:
    """Return living rounds in which a player sat or played, for themselves or as a substitute."""
    seats = Seat.objects.filter(Q(entry__player=player, substitute=None) | Q(substitute=player))
    scores = HandScore.objects.living().filter(Q(entry__player=player, played_by=None) | Q(played_by=player))
    here = Q(pk__in=seats.values("round")) | Q(pk__in=scores.values("table__round"))
    return Round.objects.living().filter(here)


def _move(source: Player, target: Player) -> dict[str, Any]:
    """Move everything; return the moved keys by kind, and everything else that undoing needs."""
    seasons = DivisionPlayer.objects.filter(player=target).values("season")
    # A player has one division a season: keep that of `target`, and store the other for undoing.
    double = DivisionPlayer.objects.filter(player=source, season__in=list(seasons.values_list("season", flat=True)))
    dropped = list(double.values("season_id", "division_id"))
    double.delete()
    moved: dict[str, Any] = {"club": source.club_id, "user": source.user_id, "public": source.profile_is_public}
    # An account moves only between members: a guest's account proves nothing about a member.
    moved["claimed"] = source.user_id is not None and source.club_id is not None and target.user_id is None
    for kind, (model, field) in BELONGINGS.items():
        theirs = model.objects.filter(**{field: source}).order_by("pk")
        moved[kind] = list(theirs.values_list("pk", flat=True))
        theirs.update(**{field: target})
    return moved | {"dropped": dropped}


@transaction.atomic
def undo_merge(*, merge: Merge, by: User | None) -> Player:
    """Split a merged person again: `source` gets back everything moved that still exists. Repeating it changes nothing.

    Raises `Conflict` while `target` is itself merged, or after the person was erased.
    """
    tournaments = lock_tournaments_of(merge.kept_id)
    if merge.club_id is not None:
        lock_club(merge.club_id)
    target = _lock_player(merge.kept)
    merge = Merge.objects.select_related("gone", "club").select_for_update(of=("self",)).get(pk=merge.pk)
    source, moved = merge.gone, merge.moved
    if merge.undone_at is not None:
        return source
    if target.merged_into_id is not None:
        raise Conflict(
            "later-merge", _("%(name)s has since been merged into another record. Undo that first.") % {"name": target}
        )
    if target.erased_at is not None or source.erased_at is not None:
        raise Conflict("erased", _("This person was erased. That can’t be undone."))
    for kind, (model, field) in BELONGINGS.items():
        model.objects.filter(pk__in=moved.get(kind, ()), **{field: target}).update(**{field: source})
    for placed in moved["dropped"]:
        if not Division.objects.filter(pk=placed["division_id"], season=placed["season_id"]).exists():
            continue
        DivisionPlayer.objects.get_or_create(
            season_id=placed["season_id"], player=source, defaults={"division_id": placed["division_id"]}
        )
    if moved["claimed"] and target.user_id == moved["user"]:
        target.user = None
        target.save(update_fields=["user"])
    if moved.get("notes"):
        _part_notes(target, source)
    source.club_id, source.merged_into, source.profile_is_public = moved["club"], None, moved["public"]
    source.user_id = moved["user"] if _is_free(moved["user"], moved["club"]) else None
    source.save(update_fields=["club", "merged_into", "profile_is_public", "user"])
    merge.undone_at = timezone.now()
    merge.save(update_fields=["undone_at"])
    if (club := target.club or merge.club) is not None:
        note_in_club(club=club, by=by, action="undo-merge", old=member(target), new=member(source))
    concerned = _tournaments_concerned(tournaments, moved)
    for tournament, theirs in concerned:
        old, new = {"name": target.name}, theirs | {"name": source.name}
        tell_apart(tournament)
        note(tournament=tournament, by=by, action="part-player", old=old, new=new)
    want_ratings(_clubs_concerned(target, source, concerned))
    return source


def _clubs_concerned(target: Player, source: Player, concerned: Iterable[tuple[Tournament, Any]]) -> set[int]:
    """Return the keys of clubs whose ratings may change; guests are rated in their tournaments' clubs."""
    clubs = {target.club_id, source.club_id, *(tournament.club_id for tournament, _theirs in concerned)}
    return {club_id for club_id in clubs if club_id is not None}


def _is_free(user_id: int | None, club_id: int | None) -> bool:
    """Return whether an account exists and has claimed no one else in the club."""
    if user_id is None or club_id is None:
        return False
    taken = Player.objects.filter(club=club_id, user=user_id).exists()
    return not taken and User.objects.filter(pk=user_id, is_active=True).exists()


def _lock_player(player: Player) -> Player:
    """Lock the club of a record and return the current record."""
    if player.club_id is not None:
        lock_club(player.club_id)
    return Player.objects.select_related("club", "user").get(pk=player.pk)


def _tournaments_concerned(
    tournaments: Iterable[Tournament], moved: Mapping[str, list[int]]
) -> list[tuple[Tournament, dict[str, str]]]:
    """Return the tournaments in which a name changed, with the `player_id` of the moved entry.

    The log has that id only next to the record that held it before. So erasing one of the two leaves the log rows of
    the other unchanged.
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
