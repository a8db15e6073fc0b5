"""Change the person of an entry: split it off as a new person, or link it with a known one."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.access import may_erase
from league.clubs.clubs import want_ratings
from league.clubs.merge import BELONGINGS, merge
from league.entries.imports import put_back_details
from league.entries.known_people import Known, events_of, known_people, people_of
from league.ledger.locks import lock_club, lock_tournament
from league.lib.errors import Conflict
from league.lib.search import matches
from league.log.write import member, note, note_in_club
from league.models import (
    Club,
    Entry,
    ImportedPerson,
    Merge,
    Player,
    PlayerWarning,
    SignUp,
    TeamMember,
    Tournament,
    User,
)

MOST_FOUND = 20


def why_not_split(entry: Entry) -> str:
    """Return why an entry can't become a new person; "" if it can."""
    person = entry.player
    if person.erased_at is not None:
        return _("This person was erased. That can’t be undone.")
    if entry.bot or hasattr(person, "team"):
        return _("A bot or a team can’t become a new person.")
    elsewhere = person.club_id is not None or person.entries.exclude(pk=entry.pk).exists()
    elsewhere = elsewhere or TeamMember.objects.filter(player=person).exists() or person.divisions.exists()
    return "" if elsewhere else _("%(name)s is only in this tournament.") % {"name": person.name}


@transaction.atomic
def split_entry(*, entry: Entry, by: User | None) -> Player:
    """Give an entry to a new person with the same name, and return that person. Raises `Conflict`.

    No account, link or role moves. A `Merge` records that the two were one person before, so erasing either one also
    cleans this tournament's log.
    """
    tournament = lock_tournament(entry.tournament_id)
    current = tournament.entries.select_related("player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    old = current.player
    clubs = _lock_clubs(tournament, old)
    if problem := why_not_split(current):
        raise Conflict("alone", problem)
    sign_up = SignUp.objects.filter(entry=current).first()
    new = Player.objects.create(name=old.name, club_name=old.club_name, email=sign_up.email if sign_up else "")
    waits = SignUp.objects.filter(tournament=tournament, person=old)
    warnings = PlayerWarning.objects.filter(tournament=tournament, player=old)
    moved: dict[str, list[int]] = {kind: [] for kind in BELONGINGS} | {
        "entries": [current.pk],
        "waits": [wait.pk for wait in waits],
        "warnings": [warning.pk for warning in warnings],
    }
    waits.update(person=new)
    warnings.update(player=new)
    current.player = new
    current.save(update_fields=["player"])
    _follow_list(current, old, new)
    record = Merge(kept=old, gone=new, moved=moved | {**NOTHING_ELSE}, by=by, club=old.club or tournament.club)
    record.undone_at = record.at
    record.save()
    if record.club is not None:
        about = member(new) | {"tournament": tournament.name}
        note_in_club(club=record.club, by=by, action="split", old=member(old), new=about)
    them = {"player_id": current.public_id, "name": new.name}
    note(tournament=tournament, by=by, action="split-player", old={"name": old.name}, new=them)
    want_ratings(clubs)
    return new


def _follow_list(entry: Entry, old: Player, new: Player) -> None:
    """Assign an entry's row of an imported list to `new`, with the details it brought."""
    for imported in ImportedPerson.objects.select_related("player").filter(entry=entry, player=old):
        put_back_details([imported])
        new.email = new.email or imported.email
        new.birth_month, new.birth_day = imported.birth_month, imported.birth_day
        new.save(update_fields=["email", "birth_month", "birth_day"])
        imported.player = new
        imported.save(update_fields=["player"])


NOTHING_ELSE: Mapping[str, Any] = {"club": None, "user": None, "public": False, "claimed": False, "dropped": []}


def _lock_clubs(tournament: Tournament, person: Player) -> list[int]:
    """Lock the clubs of a tournament and a person in key order; return the keys."""
    keys = sorted({key for key in (tournament.club_id, person.club_id) if key is not None})
    for key in keys:
        lock_club(key)
    return keys


def may_link(entry: Entry) -> bool:
    """Return whether an entry's player is a guest, so that it can be linked with a person of the club."""
    person = entry.player
    is_guest = person.club_id is None and person.erased_at is None and not hasattr(person, "team")
    return is_guest and not entry.bot and entry.tournament.club_id is not None


def candidates_for(entry: Entry, query: str = "") -> Sequence[Known]:
    """Return people of the club who may be an entry's player: search results, else people with the same name."""
    tournament, club = entry.tournament, entry.tournament.club
    if club is None:
        return ()
    if not query:
        return known_people(tournament, [entry.player.name], guests=True).named(entry.player.name)
    others = people_of(club).exclude(entries__tournament=tournament).order_by("name", "pk")
    found = [person for person in others if matches(query, person.name)][:MOST_FOUND]
    events = events_of(club, found)
    return [Known(person, *events.get(person.pk, (0, None))) for person in found]


def link_entry(*, entry: Entry, club: Club, known: Player, by: User, form_key: str) -> Merge:
    """Merge the guest of an entry into a person of the club. Raises `Conflict`."""
    if not may_link(entry):
        raise Conflict("no-guest", _("%(name)s is already a member.") % {"name": entry.name})
    if not may_erase(by, entry.player):
        raise Conflict("not-yours", _("%(name)s also plays in tournaments you don’t run.") % {"name": entry})
    return merge(target=known, source=entry.player, by=by, club=club, form_key=form_key)
