"""The list of players and its order, until the first round starts."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league import letters
from league.access import keeps_members
from league.access.members import came_by_merge, members_of, unlisted_members, unlisted_teams
from league.access.viewer import Attribution
from league.entries import places
from league.entries.known_people import is_place_name, sees_members
from league.entries.persons import NO_CHOICE, Chosen, NewPlayer, lock_club_of, persons_of
from league.entries.teams import check_again, new_teams
from league.entries.ticked import ticked_entries
from league.erasure.unused import forget_if_unused
from league.ledger.locks import lock_tournament, lock_tournaments_of
from league.ledger.same_names import set_addition, tell_apart
from league.lib.errors import Conflict, Refused
from league.log.write import note, note_in_club, player_in_log
from league.models import Club, Entry, Player, SignUp, Stage, Tournament, User
from league.rounds.draw import drop_draft
from league.rounds.seeding import BY_RATING

MOST_PLAYERS = 1000


def lock_planned(tournament: Tournament) -> tuple[Tournament, Stage]:
    """Lock the tournament. Raises `Conflict` if its players and rules can no longer change."""
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stage
    if tournament.has_begun:
        raise Conflict("started", _("The tournament has started, so players and rules can’t change."))
    return tournament, stage


def enter(
    tournament: Tournament,
    players: Sequence[NewPlayer],
    members: Sequence[Player] = (),
    *,
    guests: bool,
    chosen: Chosen = NO_CHOICE,
) -> list[Entry]:
    """Append players to the list. The caller holds the tournament's lock, or has just created it.

    guests, chosen: as for `persons_of`.
    """
    has_teams = tournament.stage.has_teams
    if has_teams:
        check_again(tournament, members)
    entries = _enter_people(tournament, members)
    if has_teams:
        return entries + _enter_people(tournament, new_teams(tournament, players, guests=guests))
    return entries + _enter_people(tournament, persons_of(tournament, players, guests=guests, chosen=chosen))


def _enter_people(tournament: Tournament, people: Sequence[Player]) -> list[Entry]:
    last = tournament.entries.aggregate(last=Max("number"))["last"] or 0
    entries = Entry.objects.bulk_create(
        Entry(tournament=tournament, player=person, number=number) for number, person in enumerate(people, last + 1)
    )
    tell_apart(tournament, *entries)
    return entries


@transaction.atomic
def add_entries(
    *,
    tournament: Tournament,
    players: Sequence[NewPlayer] = (),
    members: Sequence[Player] = (),
    by: User | None,
    chosen: Chosen = NO_CHOICE,
) -> list[Entry]:
    """Add names, and unlisted `members` or teams of the tournament's club.

    chosen: the people meant by the names, as for `persons_of`.
    """
    tournament, stage = lock_planned(tournament)
    lock_club_of(tournament)
    candidates = unlisted_teams(tournament) if stage.has_teams else unlisted_members(tournament)
    ticked = list(candidates.filter(pk__in=[member.pk for member in members])) if members else []
    if tournament.entries.count() + len(players) + len(ticked) > MOST_PLAYERS:
        raise Refused("too-many", _("A tournament takes at most %(most)d players.") % {"most": MOST_PLAYERS})
    if not players and not ticked:
        return []
    drop_draft(tournament, by)
    entries = enter(tournament, players, ticked, guests=sees_members(by, tournament), chosen=chosen)
    if not stage.has_teams:
        _give_who_waits_their_place(tournament, entries)
    note(tournament=tournament, by=by, action="add-players", new=[player_in_log(entry) for entry in entries])
    return entries


def _give_who_waits_their_place(tournament: Tournament, entries: Sequence[Entry]) -> None:
    """Link waiting sign-ups to entries with their name and address, so they don't move up again."""
    waiting = {(one.email.casefold(), one.name.casefold()): one for one in places.waiting_list(tournament) if one.email}
    for entry in entries:
        sign_up = waiting.pop((entry.player.email.casefold(), entry.player.name.casefold()), None)
        if sign_up is None:
            continue
        entry.public_id = sign_up.public_id
        entry.save(update_fields=["public_id"])
        sign_up.entry, sign_up.state, sign_up.here_at = entry, SignUp.State.PLACED, None
        sign_up.save(update_fields=["entry", "state", "here_at"])
        places.vouch(SignUp.objects.filter(pk=sign_up.pk))
        sign_up.refresh_from_db(fields=["confirm_by", "confirmed_at"])
        letters.write(kind="moved-up", sign_up=sign_up)


def unnamed_places(tournament: Tournament) -> list[Entry]:
    """Return the entries without a name, in list order."""
    unnamed = tournament.entries.filter(player__club=None, player__user=None, player__email="", player__erased_at=None)
    entries = unnamed.select_related("player").order_by("number", "id")
    return [entry for entry in entries if is_place_name(entry.player.name)]


@transaction.atomic
def name_places(
    *,
    tournament: Tournament,
    players: Sequence[NewPlayer] = (),
    members: Sequence[Player] = (),
    by: User | None,
    chosen: Chosen = NO_CHOICE,
    named: list[Entry] | None = None,
    names: dict[int, str] | None = None,
) -> tuple[Sequence[NewPlayer], Sequence[Player]]:
    """Put people on places without a name, in list order; return the people left over.

    Possible at any time, because seats and hands belong to the place. Copied events share placeholder people, so each
    place gets its own person, or the club's member of that name. named, names: collect the named entries and their old
    names by key.
    """
    tournament = lock_tournament(tournament.pk)
    lock_club_of(tournament)
    free = unnamed_places(tournament)
    there = {*unlisted_members(tournament).values_list("pk", flat=True)} if members else set()
    members = [member for member in members if member.pk in there]
    seated, newcomers = members[: len(free)], players[: max(len(free) - len(members), 0)]
    people = persons_of(tournament, newcomers, guests=sees_members(by, tournament), chosen=chosen)
    for entry, person in zip(free, [*seated, *people], strict=False):
        placeholder = entry.player
        if named is not None and names is not None:
            named.append(entry)
            names[entry.pk] = placeholder.name
        old, new = {"name": placeholder.name, "club": ""}, {"name": person.name, "club": person.club_name}
        entry.player = person
        entry.save(update_fields=["player"])
        SignUp.objects.filter(entry=entry).update(name=person.name, club_name=person.club_name)
        forget_if_unused(placeholder)
        them = {"player_id": entry.public_id}
        note(tournament=tournament, by=by, action="rename-player", old=them | old, new=them | new)
    tell_apart(tournament)
    return players[len(newcomers) :], members[len(seated) :]


def _current_entry(tournament: Tournament, entry: Entry) -> Entry:
    """Return the entry read again under the lock. Raises `Conflict` if it was removed."""
    current = tournament.entries.select_related("player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    return current


@transaction.atomic
def remove_entry(*, tournament: Tournament, entry: Entry, by: User | None) -> None:
    """Remove an entry before the start. People in other tournaments stay.

    The first on the waiting list moves up.
    """
    tournament, _stage = lock_planned(tournament)
    entry = _current_entry(tournament, entry)
    check_removable(entry)
    drop_draft(tournament, by)
    _remove(tournament, entry, by)
    places.move_up(tournament, by)


def check_removable(entry: Entry) -> None:
    """Raise `Conflict` for an entry with points adjustments."""
    if entry.adjustments.exists():
        raise Conflict("has-adjustments", _("%(name)s has points adjustments. Undo those first.") % {"name": entry})


def _remove(tournament: Tournament, entry: Entry, by: User | None) -> None:
    them = player_in_log(entry)
    signed_up = places.vacate(entry, SignUp.State.WITHDRAWN)
    note(tournament=tournament, by=by, action="remove-player", old=them)  # takes the log's lock, which comes last
    if signed_up is not None:
        letters.write(kind="withdrawn", sign_up=signed_up)


@dataclass(frozen=True)
class Removed:
    """names: removed entries. refused: reasons of entries that stay. gone: names removed earlier."""

    names: tuple[str, ...]
    refused: tuple[str, ...]
    gone: tuple[str, ...]


@transaction.atomic
def remove_entries(*, tournament: Tournament, ids: Sequence[str], by: User | None) -> Removed:
    """Remove several entries before the start, like `remove_entry`; report those that stay.

    Raises `Conflict` after the start, and `Refused` for an unknown id.
    """
    tournament, _stage = lock_planned(tournament)
    ticked = ticked_entries(tournament, ids)
    removed, refused = [], []
    for entry in ticked.entries:
        try:
            check_removable(entry)
        except Conflict as conflict:
            refused.append(str(conflict))
        else:
            removed.append(entry)
    if removed:
        drop_draft(tournament, by)
    names = tuple(entry.name for entry in removed)
    for entry in removed:
        _remove(tournament, entry, by)
    places.move_up(tournament, by)
    return Removed(names, tuple(refused), ticked.gone)


@transaction.atomic
def rename_entry(*, entry: Entry, name: str, club: str, by: User | None, player: SignUp | None = None) -> None:
    """Correct a name. Possible at any time, because the person and all results stay the same.

    The new name appears in all of the person's tournaments and their logs, and in the club's log.
    """
    tournaments = lock_tournaments_of(entry.player_id)
    entry = _current_entry(entry.tournament, entry)
    if player is not None and came_by_merge(entry):
        sentence = _("You are listed in the club. Ask the organiser to correct your name.")
        raise Refused("joined", sentence, fields={"name": [sentence]})
    person = entry.player
    rename_person(person=person, name=name, club=club, by=by, player=player, tournaments=tournaments)


@transaction.atomic
def set_shown_as(*, entry: Entry, text: str, by: User | None) -> None:
    """Set the text after an entry's name in its tournament. Possible at any time."""
    tournament = lock_tournament(entry.tournament_id)
    entry = _current_entry(tournament, entry)
    old = player_in_log(entry)
    set_addition(entry, text)
    if old != player_in_log(entry):
        note(tournament=tournament, by=by, action="shown-as", old=old, new=player_in_log(entry))


def rename_person(
    *,
    person: Player,
    name: str,
    club: str,
    by: User | None,
    player: SignUp | None = None,
    tournaments: Sequence[Tournament],
    apart: bool = False,
) -> None:
    """Rename a person whose `tournaments` are locked (`lock_tournaments_of`).

    apart: another member of this name is another person; otherwise the name is refused.
    """
    if person.erased_at is not None:
        raise Conflict("erased", _("This person was erased and can’t get a name."))
    if person.club is not None and name != person.name:
        _check_name_of_member(person, person.club, name, by, themselves=player is not None, apart=apart)
    old, new = {"name": person.name, "club": person.club_name}, {"name": name, "club": club}
    person.name, person.club_name = name, club
    person.save(update_fields=["name", "club_name"])
    SignUp.objects.filter(entry__player=person).update(name=name, club_name=club)
    if person.club is not None and old != new:
        them = {"player_id": person.public_id}
        note_in_club(club=person.club, by=by, action="rename-member", old=them | old, new=them | new)
    for tournament in tournaments:
        entry = person.entries.filter(tournament=tournament).order_by("pk").first()
        here = {"player_id": entry.public_id if entry else person.public_id}  # team members have no entry
        tell_apart(tournament)
        note(
            tournament=tournament,
            by=Attribution(by, sign_up=player),
            action="rename-player",
            old=here | old,
            new=here | new,
        )


def _check_name_of_member(
    person: Player, club: Club, name: str, by: User | None, *, themselves: bool, apart: bool
) -> None:
    """Check that the caller may rename a member, whose name counts in all of the club's events."""
    if by is not None and not themselves and not keeps_members(by, club):
        sentence = _("%(name)s is a member of %(club)s. Only the club can change the name.")
        raise Refused("member", sentence % {"name": person, "club": club}, fields={"name": []})
    others = [] if apart else members_of(club).exclude(pk=person.pk).values_list("name", flat=True)
    if name.casefold() != person.name.casefold() and name.casefold() in map(str.casefold, others):
        sentence = _("Another member is called “%(name)s”. Add an initial to one of them.")
        raise Refused("namesake", sentence % {"name": name}, fields={"name": [sentence % {"name": name}]})


@transaction.atomic
def move_entry(*, tournament: Tournament, entry: Entry, up: bool, by: User | None) -> None:
    """Swap an entry with its neighbour in the list; nothing happens at the end."""
    tournament, stage = lock_planned(tournament)
    entry = _current_entry(tournament, entry)
    entries = list(tournament.entries.order_by("number", "id"))
    place = next(index for index, other in enumerate(entries) if other.pk == entry.pk)
    target = place - 1 if up else place + 1
    if not 0 <= target < len(entries):
        return
    drop_draft(tournament, by)
    entries[place], entries[target] = entries[target], entries[place]
    for number, other in enumerate(entries, 1):
        other.number = number
    Entry.objects.bulk_update(entries, ["number"])
    if stage.order_seed:
        stage.order_seed = ""
        stage.save(update_fields=["order_seed"])
    note(tournament=tournament, by=by, action="order-by-hand", new=player_in_log(entry))


@transaction.atomic
def shuffle_order(*, tournament: Tournament, shuffled: bool, by: User | None) -> None:
    """Draw seats in a shuffled order (by a new stored seed), or in list order."""
    tournament, stage = lock_planned(tournament)
    drop_draft(tournament, by)
    stage.order_seed = secrets.token_hex(8) if shuffled else ""
    stage.save(update_fields=["order_seed"])
    note(tournament=tournament, by=by, action="shuffle" if shuffled else "order-by-hand", new=stage.order_seed or None)


@transaction.atomic
def order_by_rating(*, tournament: Tournament, by: User | None) -> None:
    """Draw by club ratings at the time of the draw: strongest first, or spread over the tables."""
    tournament, stage = lock_planned(tournament)
    if tournament.club is None:
        raise Refused("club", _("Only a club has ratings. Add this tournament to a club first."))
    drop_draft(tournament, by)
    stage.order_seed = BY_RATING
    stage.save(update_fields=["order_seed"])
    note(tournament=tournament, by=by, action="order-by-rating")
