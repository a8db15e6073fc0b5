"""A season: founding it, its rules, its evenings, its divisions, its end. What follows it is in next_season.py.

Every step locks the club's row, and before it the evenings that it changes.
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
    """A division as it should be. up, down: how many players change to the next division at the season's end."""

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
    """Make a season without evenings. Raises `Refused` with the fields at fault."""
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
    """Change name, counts, place_points, best_of or min_evenings; once the season has ended, only the name."""
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
    """Set all evenings of a season at once, each with its division (None: it counts for all of them)."""
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
    """Let a tournament count in a season of its club, or in none."""
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
        sentence = _("“%(tournament)s” is no evening of the club. Make it one first, in its settings.")
        raise Refused("other-club", sentence % {"tournament": tournament})
    if season is not None and not tournament.counts_in_club:
        sentence = _(
            "“%(tournament)s” was taken out of ratings and seasons. Let it count again first, in its settings."
        )
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
    """Set the divisions of a season, the highest first. A division whose number stays keeps its players.

    Players and tournaments of a division that goes are in none afterwards.
    """
    theirs = Tournament.objects.filter(season=season, division__number__gt=len(divisions))
    tournaments = [lock_tournament(pk) for pk in sorted(theirs.values_list("pk", flat=True))]
    season = lock_season(season)
    check_open(season)
    if {tournament.pk for tournament in tournaments} != set(theirs.values_list("pk", flat=True)):
        raise Conflict("changed", _("Its evenings changed at this moment. Look again."))
    for tournament in tournaments:
        _put_in(tournament, season, None, by)
    return _make_divisions(season, divisions, by)


def _about_divisions(code: str, sentence: str) -> Refused:
    return Refused(code, sentence, fields={"divisions": [sentence]})


def _division_name(row: DivisionWanted) -> str:
    return row.name.strip()[:40]


def _make_divisions(season: Season, divisions: Sequence[DivisionWanted], by: User | None) -> list[Division]:
    if len(divisions) > MOST_DIVISIONS:
        raise Refused("divisions", _("A season has at most %(most)d divisions.") % {"most": MOST_DIVISIONS})
    if not all(row.name.strip() for row in divisions):
        raise Refused("divisions", _("Give each division a name."))
    if len({_division_name(row).casefold() for row in divisions}) < len(divisions):
        raise _about_divisions("division-name", _("Give each division a name of its own."))
    if divisions and divisions[0].up:
        sentence = _("Nobody goes up from “%(division)s”: it is the highest. Leave that empty.")
        raise _about_divisions("division-up", sentence % {"division": divisions[0].name.strip()})
    if divisions and divisions[-1].down:
        sentence = _("Nobody goes down from “%(division)s”: it is the lowest. Leave that empty.")
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
    """Put players into divisions; None: into none. Whoever is not named stays where they are.

    Players who were merged into someone else, erased or forgotten meanwhile are left out. Return the row of the log,
    None if nothing changed.
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
    """End a season: its table stays as it is now, whatever is corrected later. If it has ended, nothing happens.

    Evenings that were called off leave it and can be held in another season. Raises `Conflict` while an evening is not
    final.
    """
    tournaments = [lock_tournament(pk) for pk in sorted(season.tournaments.values_list("pk", flat=True))]
    season = lock_season(season)
    if season.closed_at is not None:
        return season
    if {tournament.pk for tournament in tournaments} != set(season.tournaments.values_list("pk", flat=True)):
        raise Conflict("changed", _("Its evenings changed at this moment. Look again, and end it then."))
    evenings = [tournament for tournament in tournaments if not tournament.is_called_off]
    if not evenings:
        raise Conflict("no-evenings", _("No evening counts in this season yet, so there is nothing to decide."))
    if to_come := [tournament.name for tournament in evenings if not tournament.is_final]:
        sentence = _("Not final yet: %(tournaments)s. Make their standings final, or take them out of the season.")
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
    """Let the evenings decide again. The reason stays in the log. Raises `Conflict` once another season follows."""
    season = lock_season(season)
    if season.closed_at is None:
        return season
    if following := Season.objects.filter(before=season).first():
        sentence = _("“%(season)s” was made of this table, so it stays as it is.")
        raise Conflict("followed", sentence % {"season": following})
    season.final, season.closed_at = None, None
    season.save(update_fields=["final", "closed_at"])
    note_in_club(club=season.club, by=by, action="reopen-season", new=in_log(season), reason=reason.strip())
    return season


@transaction.atomic
def delete_season(*, season: Season, by: User | None) -> None:
    """Delete a season that was made by mistake, with its divisions and who is in them. No evening is deleted.

    Raises `Conflict` while an evening counts in it, and for ever once it has ended, even if it was reopened.
    """
    season = lock_season(season)
    if why_not := why_it_stays(season):
        raise why_not
    note_in_club(club=season.club, by=by, action="delete-season", old=in_log(season))
    people = list(Player.objects.filter(divisions__season=season))
    season.delete()
    for person in people:  # who was in a division, and is no member any more
        forget_if_unused(person)


def why_it_stays(season: Season) -> Conflict | None:
    """Return why a season cannot be deleted, with what to do; None where it can."""
    about = {"season": season.name}
    if season.closed_at is not None or Season.objects.filter(before=season).exists() or _has_ended(season):
        sentence = _(
            "“%(season)s” has ended once, so it stays in the club’s history. A wrong name can be changed under"
            " “What counts, and divisions”."
        )
        return Conflict("season-ended", sentence % about)
    if count := season.tournaments.count():
        sentence = ngettext(
            "%(count)d evening counts in “%(season)s”. Take it out of the season first: it stays as it is.",
            "%(count)d evenings count in “%(season)s”. Take them out of the season first: they stay as they are.",
            count,
        )
        return Conflict("has-evenings", sentence % (about | {"count": count}))
    return None


def _has_ended(season: Season) -> bool:
    return season.club.log.filter(action="close-season", new__slug=season.slug).exists()


def lock_season(season: Season) -> Season:
    """Lock the club and return the season as it is now. Raises `Conflict` if somebody has deleted it."""
    lock_club(season.club_id)
    return _reload_season(season)


def _reload_season(season: Season) -> Season:
    current = Season.objects.select_related("club__owner").filter(pk=season.pk).first()
    if current is None:
        raise Conflict("gone", _("The season “%(season)s” was deleted meanwhile.") % {"season": season.name})
    return current


def check_open(season: Season) -> None:
    if season.closed_at is not None:
        sentence = _("The season “%(season)s” has ended. Reopen it to change it.")
        raise Conflict("season-ended", sentence % {"season": season})


def check_division(season: Season | None, division: Division) -> None:
    """Raises `Refused` unless the division is one of the season's and still exists."""
    if season is None or not season.divisions.filter(pk=division.pk).exists():
        raise Refused("other-season", _("Choose a division of the season."))


def names_of_seasons(club: Club, *, but: Season | None = None) -> set[str]:
    """Return the names of the club's seasons in lower case: no two may be equal."""
    return {season.name.casefold() for season in club.seasons.only("name") if season != but}


def check_name(season: Season) -> None:
    """Raises `Refused` for an empty name and for that of another season."""
    if not season.name:
        sentence = _("Give the season a name.")
    elif season.name.casefold() in names_of_seasons(season.club, but=season):
        sentence = _("The club has a season of this name. Choose another one.")
    else:
        return
    raise Refused("rules", sentence, fields={"name": [sentence]})


def check_rules(season: Season) -> None:
    """Raises `Refused` with the fields at fault."""
    wrong: dict[str, list[str]] = {}
    if season.counts not in Season.Counts.values:
        wrong["counts"] = [_("Choose what counts.")]
    points = season.place_points
    if season.counts == Season.Counts.PLACES:
        if not points or len(points) > MOST_PLACES or not all(0 <= value <= MOST_POINTS for value in points):
            sentence = _(
                "Write between 1 and %(places)d whole numbers from 0 to %(points)d, for the first place first."
            )
            wrong["place_points"] = [sentence % {"places": MOST_PLACES, "points": MOST_POINTS}]
        elif more := next((at for at in range(1, len(points)) if points[at] > points[at - 1]), None):
            sentence = _("Place %(place)d must not give more than the one before it.")
            wrong["place_points"] = [sentence % {"place": more + 1}]
    if season.best_of is not None and season.best_of < 1:
        wrong["best_of"] = [_("At least one evening counts.")]
    if season.min_evenings < 1:
        wrong["min_evenings"] = [_("Whoever has a place has played one evening at least.")]
    if wrong:
        raise Refused("rules", next(iter(wrong.values()))[0], fields=wrong)


def free_slug(club: Club, name: str) -> str:
    """Return an address that no season of the club has yet. The caller has locked the club."""
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
