"""Find probable duplicates in a club, and merge several at once.

The season's page, the club's page and `manage.py same_people` use the same pairs.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Value
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.access import may_erase
from league.access.tournaments import tournaments_naming
from league.clubs.merge import merge, undo_merge
from league.entries.known_people import Known, events_of, is_place_name, people_of, signed_up_publicly
from league.ledger.locks import lock_club, lock_tournaments_of
from league.lib.errors import Conflict
from league.lib.names import fold, name_key
from league.models import Club, DivisionPlayer, Entry, Merge, Player, Season, TeamMember, User


@dataclass(frozen=True)
class Pair:
    """Two records with one name. `source` would be merged into `target`.

    problem: reason why they can't be merged. doubt: reason why the pair isn't ticked. parted: a merge was undone.
    """

    target: Known
    source: Known
    problem: str = ""
    doubt: str = ""
    parted: bool = False

    @property
    def public_ids(self) -> tuple[str, str]:
        return self.target.player.public_id, self.source.player.public_id

    @property
    def key(self) -> str:
        return "-".join(self.public_ids)

    @property
    def is_open(self) -> bool:
        """Return whether an organiser still has to decide."""
        return not self.problem and not self.parted

    @property
    def is_probable(self) -> bool:
        return not self.problem and not self.doubt


class CannotJoin(Conflict):
    """A pair can't be merged. `names`: its two public ids."""

    def __init__(self, code: str, sentence: str, names: frozenset[str]) -> None:
        super().__init__(code, sentence)
        self.names = names


def probable_pairs(club: Club, season: Season | None = None) -> list[Pair]:
    """Return the probable duplicates of a club by name, each with the record that stays.

    season: only names of people in this season, in any spelling.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    keys = set()
    people = people_of(club).order_by().annotate(here=_is_in(season))
    for pk, name, club_id, here in people.values_list("pk", "name", "club", "here"):
        key = name_key(name)
        if club_id is not None or not is_place_name(name):
            groups[key].append(pk)
            if here:
                keys.add(key)
    several = {key: groups[key] for key in keys if len(groups[key]) > 1}
    if not several:
        return []
    facts = _Facts.of(club, [pk for group in several.values() for pk in group])
    return [pair for key in sorted(several) for pair in _pairs_of(facts.in_order(several[key]), facts)]


def _is_in(season: Season | None) -> Any:
    """Return the condition for people in a season: entered alone or in a team, or in a division."""
    if season is None:
        return Value(True)
    them = {"player": OuterRef("pk")}
    entered = Entry.objects.filter(**them, tournament__season=season)
    in_team = TeamMember.objects.filter(**them, team__player__entries__tournament__season=season)
    return Exists(entered) | Exists(in_team) | Exists(DivisionPlayer.objects.filter(**them, season=season))


@dataclass(frozen=True)
class _Facts:
    """Details that tell people apart.

    played: by person, {tournament: day}, also for their teams. parted: pairs with an undone merge. by_sign_up: people
    who typed their name on a public page.
    """

    known: Mapping[int, Known]
    played: Mapping[int, Mapping[int, date]]
    parted: Collection[frozenset[int]]
    by_sign_up: Collection[int]

    @classmethod
    def of(cls, club: Club, keys: Collection[int]) -> "_Facts":
        people = list(Player.objects.filter(pk__in=keys))
        events = events_of(club, people)
        played: dict[int, dict[int, date]] = defaultdict(dict)
        alone = Entry.objects.filter(player__in=keys).values_list("player", "tournament", "tournament__starts_on")
        entered = "team__player__entries__tournament"
        in_teams = TeamMember.objects.filter(player__in=keys, **{f"{entered}__isnull": False})
        for person, tournament, day in (*alone, *in_teams.values_list("player", entered, f"{entered}__starts_on")):
            played[person][tournament] = day
        undone = Merge.objects.filter(kept__in=keys, gone__in=keys).exclude(undone_at=None)
        known = {person.pk: Known(person, *events.get(person.pk, (0, None))) for person in people}
        return cls(
            known, played, {frozenset(two) for two in undone.values_list("kept", "gone")}, signed_up_publicly(keys)
        )

    def in_order(self, keys: Iterable[int]) -> list[Known]:
        """Return people in the order of precedence: members first, then by number of events."""
        found = (self.known[key] for key in keys if key in self.known)
        return sorted(found, key=lambda one: _stays_before(one.player, one.events))

    def problem(self, one: Known, other: Known) -> str:
        """Return why two records can't be one person; "" if they may be."""
        first, second = self.played.get(one.player.pk, {}), self.played.get(other.player.pk, {})
        if both := first.keys() & second.keys():
            day = max(first[tournament] for tournament in both)
            return _("Both played on %(day)s") % {"day": date_format(day, _("j F"))}
        accounts = {one.player.user_id, other.player.user_id} - {None}
        return _("Each has an account") if len(accounts) > 1 else ""

    def was_undone(self, one: Known, other: Known) -> bool:
        return frozenset({one.player.pk, other.player.pk}) in self.parted

    def are_apart(self, pair: tuple[Known, Known]) -> bool:
        return bool(self.problem(*pair)) or self.was_undone(*pair)

    def doubt(self, one: Known, other: Known) -> str:
        if self.was_undone(one, other):
            return _("Merged before, then undone")
        first, second = one.player, other.player
        same_address = first.email and first.email.casefold() == second.email.casefold()
        if first.email and second.email and not same_address:
            return _("Different addresses")
        if first.club_name and second.club_name and fold(first.club_name) != fold(second.club_name):
            return _("Different clubs")
        if not same_address and (first.pk in self.by_sign_up or second.pk in self.by_sign_up):
            return _("Signed up on the public page")
        return ""


def number_open(club: Club, season: Season | None = None) -> int:
    """Return the number of pairs to decide."""
    return sum(pair.is_open for pair in probable_pairs(club, season))


def _pairs_of(people: Sequence[Known], facts: _Facts) -> Iterator[Pair]:
    """Yield the pairs of people with one name, each with the first, who stays.

    If two of them are certainly different people, a third may be either one: such pairs aren't ticked.
    """
    apart = (two for two in combinations(people, 2) if facts.are_apart(two))
    anchors = list(next(apart, people[:1]))
    for person in people:
        if person not in anchors and all(facts.are_apart((anchor, person)) for anchor in anchors):
            anchors.append(person)
    several = _("Two people have this name") if len(anchors) > 1 else ""
    for target, source in combinations(people, 2):
        if target in anchors or source in anchors:
            problem = facts.problem(target, source)
            if not problem or (target in anchors and source in anchors):
                doubt = "" if problem else facts.doubt(target, source) or several
                yield Pair(target, source, problem, doubt, parted=facts.was_undone(target, source))


def _stays_before(player: Player, events: int) -> tuple[bool, bool, int, int]:
    """Return the sort key for the record that stays. Members and accounts come first, so no account moves."""
    return player.club_id is None, player.user_id is None, -events, player.pk


@transaction.atomic
def join_pairs(*, club: Club, pairs: Iterable[tuple[str, str]], by: User | None, form_key: str = "") -> Sequence[Merge]:
    """Merge pairs of people, given by public ids, and return the merges.

    Connected pairs become one person. Merged pairs are skipped; if `form_key` was used before, return its merges.
    Raises `CannotJoin` without changing anything.
    """
    wanted = [(_record(club, one), _record(club, other)) for one, other in pairs]
    people = {person.pk: person for pair in wanted for person in pair}
    _lock(club, people)
    if form_key and (done := merges_of_form(club, form_key)):
        return done
    wanted = [(_record(club, one.public_id), _record(club, other.public_id)) for one, other in wanted]
    people = {person.pk: person for pair in wanted for person in pair}
    events = events_of(club, list(people.values()))
    made = []
    for group in _joined_groups(wanted):
        target, *others = sorted(
            (people[key] for key in group), key=lambda one: _stays_before(one, events.get(one.pk, (0, None))[0])
        )
        for source in others:
            made.append(_join(club, target, source, by, form_key))
            target.refresh_from_db()
    return made


def _join(club: Club, target: Player, source: Player, by: User | None, form_key: str) -> Merge:
    try:
        if by is not None and not may_erase(by, source):  # the name would change in tournaments of other organisers
            sentence = _("%(name)s also plays in tournaments you don’t run.") % {"name": source.name}
            raise Conflict("not-yours", sentence)
        return merge(target=target, source=source, by=by, club=club, form_key=form_key)
    except Conflict as conflict:
        names = {"gone": source.name, "kept": target.name, "reason": str(conflict)}
        sentence = _("%(gone)s can’t be merged with %(kept)s. %(reason)s Untick this pair.") % names
        raise CannotJoin(conflict.code, sentence, frozenset({target.public_id, source.public_id})) from conflict


def _record(club: Club, public_id: str) -> Player:
    """Return a person of the club; for a merged record, its successor. Raises `Conflict`."""
    people = Player.objects.select_related("merged_into").filter(team=None, erased_at=None)
    player = people.filter(public_id=public_id).first()
    while player is not None and player.merged_into_id is not None:
        player = people.filter(pk=player.merged_into_id).first()
    if player is None or not people_of(club).filter(pk=player.pk).exists():
        raise Conflict("gone", _("One of these people has left the club. Reload the page."))
    return player


def _joined_groups(pairs: Iterable[tuple[Player, Player]]) -> list[set[int]]:
    """Return sets of keys that are connected by pairs, directly or through others."""
    groups: list[set[int]] = []
    for one, other in pairs:
        touched = [group for group in groups if one.pk in group or other.pk in group]
        groups = [group for group in groups if group not in touched] + [{one.pk, other.pk}.union(*touched)]
    return groups


def _lock(club: Club, people: Collection[int]) -> None:
    """Lock all tournaments that name these people, then the club: the locks that each merge needs."""
    locked = {tournament.pk for tournament in lock_tournaments_of(*people)}
    lock_club(club.pk)
    if not locked.issuperset(tournaments_naming(*people).values_list("pk", flat=True)):
        raise Conflict("changed", _("A list changed at the same moment. Try again."))


def merges_of_form(club: Club, form_key: str) -> Sequence[Merge]:
    """Return the merges of a form in order, including undone ones."""
    merges = Merge.objects.filter(club=club, form_key=form_key).exclude(form_key="")
    return list(merges.select_related("kept", "gone").order_by("pk"))


def last_merges(club: Club, most: int) -> list[Merge]:
    """Return the latest merges that can be undone, latest first."""
    living = Merge.objects.filter(club=club, undone_at=None, kept__erased_at=None, kept__merged_into=None)
    return list(living.select_related("kept", "gone").order_by("-pk")[:most])


@transaction.atomic
def undo_form(*, club: Club, form_key: str, by: User | None) -> list[Player]:
    """Undo all merges of a form; return the restored people. Raises `Conflict`."""
    living = [done for done in merges_of_form(club, form_key) if done.undone_at is None]
    if living:
        _lock(club, {done.kept_id for done in living})
    return [undo_merge(merge=done, by=by) for done in reversed(living)]
