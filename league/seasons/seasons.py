"""Create, change, end, reopen and delete seasons. `next_season.py` creates the next one.

Every action locks the affected tournaments, then the club's row.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.erasure.unused import forget_if_unused
from league.ledger.locks import lock_club, lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import member, note, note_in_club
from league.models import Club, ClubLogEntry, Division, DivisionPlayer, Player, Season, Tournament, User
from league.seasons.table import as_frozen, season_table

RULES = ("name", "counts", "place_points", "best_of", "min_evenings")
PLACE_POINTS = (12, 10, 8, 7, 6, 5, 4, 3, 2, 1)
MOST_PLACES, MOST_POINTS, MOST_DIVISIONS = 100, 1000, 10
PLACED = "place-players"
TAKEN = {"new"}  # /seasons/new/ is a page


class DivisionWanted(NamedTuple):
    """A division to save. up, down: number of players promoted and relegated at the end."""

    name: str
    up: int = 0
    down: int = 0


@transaction.atomic
def create_season(
    *,
    club: Club,
    by: User | None,
    name: str,
    counts: str = Season.Counts.PLACES,
    place_points: Sequence[int] = PLACE_POINTS,
    best_of: int | None = None,
    min_evenings: int = 1,
    divisions: Sequence[DivisionWanted] = (),
) -> Season:
    """Create a season without tournaments. Raises `Refused` with the fields at fault."""
    club = lock_club(club.pk)
    season = Season(
        club=club,
        name=name.strip(),
        counts=counts,
        place_points=list(place_points),
        best_of=best_of,
        min_evenings=min_evenings,
    )
    check_name(season)
    check_rules(season)
    season.slug = free_slug(club, season.name)
    season.save()
    note_in_club(club=club, by=by, action="create-season", new=in_log(season))
    if divisions:
        _make_divisions(season, divisions, by)
    return season


@transaction.atomic
def change_season(*, season: Season, by: User | None, **rules: Any) -> Season:
    """Change name, counts, place_points, best_of or min_evenings; after the end only the name."""
    season = lock_season(season)
    old = {field: getattr(season, field) for field in RULES}
    changed = {field: value for field, value in rules.items() if field in RULES and value != old[field]}
    if not changed:
        return season
    if changed.keys() - {"name"}:
        check_open(season)
    for field, value in changed.items():
        setattr(season, field, value)
    if "name" in changed:  # only then: older seasons may share a name
        check_name(season)
    check_rules(season)
    season.save(update_fields=list(changed))
    before = {"season": season.name} | {field: _as_text(old[field]) for field in changed}
    after = {"season": season.name} | {field: _as_text(value) for field, value in changed.items()}
    note_in_club(club=season.club, by=by, action="change-season", old=before, new=after)
    return season


@transaction.atomic
def set_evenings(*, season: Season, evenings: Iterable[tuple[Tournament, Division | None]], by: User | None) -> Season:
    """Set all tournaments of a season, each with its division (None: all divisions)."""
    divisions = {tournament.pk: division for tournament, division in evenings}
    own = set(Tournament.objects.filter(season=season).values_list("pk", flat=True))
    locked = {pk: lock_tournament(pk) for pk in sorted(own | divisions.keys())}
    season = lock_season(season)
    for pk, tournament in locked.items():
        if pk in divisions:
            _put_in(tournament, season, divisions[pk], by)
        else:
            _put_in(tournament, None, None, by)
    return season


@transaction.atomic
def put_in_season(
    *, tournament: Tournament, season: Season | None, division: Division | None = None, by: User | None
) -> Tournament:
    """Move a tournament into a season of its club, or out of any (None)."""
    tournament = lock_tournament(tournament.pk)
    if tournament.club_id is not None:
        lock_club(tournament.club_id)
    _put_in(tournament, _reload_season(season) if season else None, division, by)
    return tournament


def _put_in(tournament: Tournament, season: Season | None, division: Division | None, by: User | None) -> None:
    before, was_of = tournament.season, tournament.division
    if (before, was_of) == (season, division):
        return
    for concerned in (before, season):
        if concerned is not None:
            check_open(concerned)
    is_event = tournament.kind == Tournament.Kind.EVENT
    if tournament.club is None or not is_event or (season and tournament.club_id != season.club_id):
        sentence = _("“%(tournament)s” doesn’t belong to the club. Add it to the club in its settings first.")
        raise Refused("other-club", sentence % {"tournament": tournament})
    if season is not None and not tournament.counts_in_club:
        sentence = _("“%(tournament)s” is excluded from ratings and seasons. Include it in its settings first.")
        raise Refused("taken-out", sentence % {"tournament": tournament})
    if division is not None:
        check_division(season, division)
    tournament.season, tournament.division = season, division
    tournament.save(update_fields=["season", "division"])
    evening = {"slug": tournament.slug, "tournament": tournament.name}
    old = evening | {"season": before.name, "division": str(was_of or "")} if before else None
    new = evening | {"season": season.name, "division": str(division or "")} if season else None
    action = "put-in-season" if season else "leave-season"
    note_in_club(club=tournament.club, by=by, action=action, old=old, new=new)
    note(tournament=tournament, by=by, action=action, old=old, new=new)


@transaction.atomic
def set_divisions(*, season: Season, divisions: Sequence[DivisionWanted], by: User | None) -> list[Division]:
    """Set the divisions of a season, highest first. A division keeps its players by number.

    Players and tournaments of a removed division have none afterwards.
    """
    theirs = Tournament.objects.filter(season=season, division__number__gt=len(divisions))
    tournaments = [lock_tournament(pk) for pk in sorted(theirs.values_list("pk", flat=True))]
    season = lock_season(season)
    check_open(season)
    if {tournament.pk for tournament in tournaments} != set(theirs.values_list("pk", flat=True)):
        raise Conflict("changed", _("The season’s tournaments have just changed. Try again."))
    for tournament in tournaments:
        _put_in(tournament, season, None, by)
    return _make_divisions(season, divisions, by)


def _about_divisions(code: str, sentence: str) -> Refused:
    return Refused(code, sentence, fields={"divisions": [sentence]})


def _division_name(row: DivisionWanted) -> str:
    return row.name.strip()[:40]


def _make_divisions(season: Season, divisions: Sequence[DivisionWanted], by: User | None) -> list[Division]:
    if len(divisions) > MOST_DIVISIONS:
        raise Refused("divisions", _("A season can have at most %(most)d divisions.") % {"most": MOST_DIVISIONS})
    if not all(row.name.strip() for row in divisions):
        raise Refused("divisions", _("Give each division a name."))
    if len({_division_name(row).casefold() for row in divisions}) < len(divisions):
        raise _about_divisions("division-name", _("Give each division a different name."))
    if divisions and divisions[0].up:
        sentence = _("“%(division)s” is the highest division. Leave promotion empty.")
        raise _about_divisions("division-up", sentence % {"division": divisions[0].name.strip()})
    if divisions and divisions[-1].down:
        sentence = _("“%(division)s” is the lowest division. Leave relegation empty.")
        raise _about_divisions("division-down", sentence % {"division": divisions[-1].name.strip()})
    existing = list(season.divisions.order_by("number"))
    old = [_division_in_log(division) for division in existing]
    for gone in existing[len(divisions) :]:
        gone.delete()
    saved = []
    for number, row in enumerate(divisions, start=1):
        division = existing[number - 1] if number <= len(existing) else Division(season=season, number=number)
        division.name, division.up, division.down = _division_name(row), row.up, row.down
        division.save()
        saved.append(division)
    new = [_division_in_log(division) for division in saved]
    if old != new:
        about = {"season": season.name}
        note_in_club(
            club=season.club,
            by=by,
            action="divisions",
            old=about | {"divisions": old},
            new=about | {"divisions": new},
        )
    return saved


@transaction.atomic
def place_players(*, season: Season, places: Mapping[Player, Division | None], by: User | None) -> ClubLogEntry | None:
    """Place players in divisions (None: no division). Other players stay.

    Merged, erased and deleted players are skipped. Return the log row, or None if nothing changed.
    """
    season = lock_season(season)
    check_open(season)
    for division in {division for division in places.values() if division is not None}:
        check_division(season, division)
    now = {place.player_id: place.division for place in season.placed.select_related("division")}
    keys = [player.pk for player in places]
    living = set(Player.objects.filter(pk__in=keys, merged_into=None, erased_at=None).values_list("pk", flat=True))
    moved = {player: to for player, to in places.items() if player.pk in living and now.get(player.pk) != to}
    if not moved:
        return None
    season.placed.filter(player__in=moved).delete()
    DivisionPlayer.objects.bulk_create(
        DivisionPlayer(season=season, division=division, player=player)
        for player, division in moved.items()
        if division is not None
    )
    people = [
        member(player) | {"season": season.name, "was": str(now.get(player.pk) or ""), "division": str(division or "")}
        for player, division in moved.items()
    ]
    return note_in_club(club=season.club, by=by, action=PLACED, new=people)


@transaction.atomic
def close_season(*, season: Season, by: User | None) -> Season:
    """End a season and freeze its standings. Repeating it changes nothing.

    Cancelled tournaments leave the season. Raises `Conflict` while a tournament isn't final.
    """
    tournaments = [lock_tournament(pk) for pk in sorted(season.tournaments.values_list("pk", flat=True))]
    season = lock_season(season)
    if season.closed_at is not None:
        return season
    if {tournament.pk for tournament in tournaments} != set(season.tournaments.values_list("pk", flat=True)):
        raise Conflict("changed", _("The season’s tournaments have just changed. Try again."))
    evenings = [tournament for tournament in tournaments if not tournament.is_called_off]
    if not evenings:
        raise Conflict("no-evenings", _("This season has no tournaments yet. Add one first."))
    if to_come := [tournament.name for tournament in evenings if not tournament.is_final]:
        sentence = _(
            "Not final yet: %(tournaments)s. Make the standings final, or remove the tournaments from the season."
        )
        raise Conflict("evenings-open", sentence % {"tournaments": ", ".join(to_come)})
    for tournament in tournaments:
        if tournament.is_called_off:
            _put_in(tournament, None, None, by)
    season.final = as_frozen(season_table(season))
    season.closed_at = timezone.now()
    season.save(update_fields=["final", "closed_at"])
    note_in_club(club=season.club, by=by, action="close-season", new=in_log(season))
    return season


@transaction.atomic
def reopen_season(*, season: Season, reason: str, by: User | None) -> Season:
    """Reopen an ended season. The log records the reason. Raises `Conflict` once a next season exists."""
    season = lock_season(season)
    if season.closed_at is None:
        return season
    if following := Season.objects.filter(before=season).first():
        sentence = _("“%(season)s” follows this season, so it can’t be reopened.")
        raise Conflict("followed", sentence % {"season": following})
    season.final, season.closed_at = None, None
    season.save(update_fields=["final", "closed_at"])
    note_in_club(club=season.club, by=by, action="reopen-season", new=in_log(season), reason=reason.strip())
    return season


@transaction.atomic
def delete_season(*, season: Season, by: User | None) -> None:
    """Delete a season with its divisions and placements. Tournaments aren't deleted.

    Raises `Conflict` while a tournament counts in it, or if it ever ended.
    """
    season = lock_season(season)
    if why_not := why_it_stays(season):
        raise why_not
    note_in_club(club=season.club, by=by, action="delete-season", old=in_log(season))
    people = list(Player.objects.filter(divisions__season=season))
    season.delete()
    for person in people:  # former members who were placed in a division
        forget_if_unused(person)


def why_it_stays(season: Season) -> Conflict | None:
    """Return why a season can't be deleted, or None if it can."""
    about = {"season": season.name}
    if season.closed_at is not None or Season.objects.filter(before=season).exists() or _has_ended(season):
        sentence = _("“%(season)s” has ended before, so it can’t be deleted. You can rename it in the season settings.")
        return Conflict("season-ended", sentence % about)
    if count := season.tournaments.count():
        sentence = ngettext(
            "“%(season)s” has %(count)d tournament. Remove it from the season first.",
            "“%(season)s” has %(count)d tournaments. Remove them from the season first.",
            count,
        )
        return Conflict("has-evenings", sentence % (about | {"count": count}))
    return None


def _has_ended(season: Season) -> bool:
    return season.club.log.filter(action="close-season", new__slug=season.slug).exists()


def lock_season(season: Season) -> Season:
    """Lock the club and return the current season. Raises `Conflict` if it was deleted."""
    lock_club(season.club_id)
    return _reload_season(season)


def _reload_season(season: Season) -> Season:
    current = Season.objects.select_related("club__owner").filter(pk=season.pk).first()
    if current is None:
        raise Conflict("gone", _("The season “%(season)s” was deleted.") % {"season": season.name})
    return current


def check_open(season: Season) -> None:
    if season.closed_at is not None:
        sentence = _("The season “%(season)s” has ended. Reopen it first.")
        raise Conflict("season-ended", sentence % {"season": season})


def check_division(season: Season | None, division: Division) -> None:
    """Raise `Refused` unless the division belongs to the season."""
    if season is None or not season.divisions.filter(pk=division.pk).exists():
        raise Refused("other-season", _("Choose a division of the season."))


def names_of_seasons(club: Club, *, but: Season | None = None) -> set[str]:
    """Return the names of the club's seasons in lower case, to compare: they must be unique."""
    return {season.name.casefold() for season in club.seasons.only("name") if season != but}


def check_name(season: Season) -> None:
    """Raise `Refused` for an empty or duplicate name."""
    if not season.name:
        sentence = _("Give the season a name.")
    elif season.name.casefold() in names_of_seasons(season.club, but=season):
        sentence = _("The club already has a season with this name. Choose another name.")
    else:
        return
    raise Refused("rules", sentence, fields={"name": [sentence]})


def check_rules(season: Season) -> None:
    """Raise `Refused` with the fields at fault."""
    wrong: dict[str, list[str]] = {}
    if season.counts not in Season.Counts.values:
        wrong["counts"] = [_("Choose what counts.")]
    points = season.place_points
    if season.counts == Season.Counts.PLACES:
        if not points or len(points) > MOST_PLACES or not all(0 <= value <= MOST_POINTS for value in points):
            sentence = _("Enter 1 to %(places)d whole numbers from 0 to %(points)d, first place first.")
            wrong["place_points"] = [sentence % {"places": MOST_PLACES, "points": MOST_POINTS}]
        elif more := next((at for at in range(1, len(points)) if points[at] > points[at - 1]), None):
            sentence = _("Place %(place)d can’t give more than the place before.")
            wrong["place_points"] = [sentence % {"place": more + 1}]
    if season.best_of is not None and season.best_of < 1:
        wrong["best_of"] = [_("At least one tournament must count.")]
    if season.min_evenings < 1:
        wrong["min_evenings"] = [_("Enter at least 1.")]
    if wrong:
        raise Refused("rules", next(iter(wrong.values()))[0], fields=wrong)


def free_slug(club: Club, name: str) -> str:
    """Return a slug that no season of the club has. The caller has locked the club."""
    base = slugify(name)[:60].strip("-") or "season"
    taken = TAKEN | set(club.seasons.values_list("slug", flat=True))
    number, slug = 1, base
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug


def in_log(season: Season) -> dict[str, str]:
    return {"slug": season.slug, "season": season.name}


def _division_in_log(division: Division) -> dict[str, Any]:
    return {"number": division.number, "division": division.name, "up": division.up, "down": division.down}


def _as_text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
