"""Create a tournament, change its settings, copy it."""

import itertools
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league import hooks
from league.background import deadlines
from league.entries import places, reminders
from league.entries.list_order import enter, lock_planned
from league.entries.persons import NewPlayer
from league.entries.teams import can_be_entered
from league.formats import FORMATS
from league.ledger.locks import lock_tournament
from league.ledger.same_names import tell_apart
from league.lib.errors import Refused
from league.lib.slugs import unguessable_slug, with_new_slug
from league.log.write import note, note_in_club
from league.models import Deadline, Entry, Player, Role, Stage, Tournament, User
from league.rounds.draw import drop_draft
from league.rounds.seeding import BY_RATING
from league.seasons.seasons import put_in_season
from league.setup.online import tables_online
from league.setup.stages.stage_plan import PlannedStage, check_plan, check_stage, make_stages, rules_of, to_come

ANY_TIME = ("players_report", "confirm_after", "players_leave", "shows_odds", "fee")  # may change at any time


@transaction.atomic
def create_tournament(
    tournament: Tournament,
    stages: Sequence[PlannedStage],
    *,
    players: Sequence[NewPlayer] = (),
    members: Sequence[Player] = (),
    edition: str = "classic",
    shuffled: bool = False,
) -> Tournament:
    """Save a new tournament under a free address with its stages and players, in one transaction.

    members: of the club, listed before `players`. `tournament.online` may be any text for `tables_online`. shuffled:
    draw the first stage in a random order instead of the list order.
    """
    first, *then = stages
    count = len(players) + len(members)
    check_stage(first, edition, count)
    check_plan(stages, edition, count)
    tournament.online = tables_online(tournament.online)
    with_new_slug(tournament)
    stage = Stage.objects.create(
        tournament=tournament,
        format=first.format,
        edition=edition,
        **rules_of(first),
        lot_seed=secrets.token_hex(8),
        order_seed=secrets.token_hex(8) if shuffled else "",
        groups=first.groups,
    )
    make_stages(tournament, stage, then)
    enter(tournament, players, members, guests=True)  # only club organisers run its events
    owner, name = tournament.owner, tournament.name
    if tournament.club is not None:
        new = {"slug": tournament.slug, "tournament": name}
        note_in_club(club=tournament.club, by=owner, action="put-in-club", new=new)
    note(tournament=tournament, by=owner, action="create", new={"name": name, "players": count})
    return tournament


@transaction.atomic
def change_details(*, tournament: Tournament, by: User | None, **details: Any) -> Tournament:
    """Change details that aren't rules: name, date, place, zone, visibility, reporting, odds, fee.

    A tournament that stops being public gets a new, unguessable address. Scheduled rounds keep their wall time. Raises
    `Refused` if that time doesn't exist.
    """
    tournament = lock_tournament(tournament.pk)
    allowed = ("name", "starts_on", "starts_at", "time_zone", "place", "visibility", *ANY_TIME)
    old = {field: getattr(tournament, field) for field in allowed}
    changed = {field: value for field, value in details.items() if field in allowed and value != old[field]}
    if changed:
        reminder, start = reminders.current_choice(tournament), reminders.start_of(tournament)
        for field, value in changed.items():
            setattr(tournament, field, value)
        if "visibility" in changed and old["visibility"] == Tournament.Visibility.PUBLIC:
            tournament.slug = unguessable_slug(tournament)
        tournament.save(update_fields=[*changed, "slug"])
        if "confirm_after" in changed and changed["confirm_after"] is None:
            waiting = Deadline.objects.pending().filter(tournament=tournament, kind=Deadline.Kind.CONFIRM)
            waiting.update(state=Deadline.State.CANCELLED)
        if not tournament.shows_odds:
            tournament.forecasts.all().delete()
        if {"starts_on", "time_zone"} & changed.keys():
            before = {"old_zone": ZoneInfo(old["time_zone"]), "old_day": old["starts_on"], "now": timezone.now()}
            deadlines.keep_wall_times(tournament=tournament, **before)
            places.keep_wall_times(tournament=tournament, **before)
        if {"starts_on", "starts_at", "time_zone"} & changed.keys():
            reminders.keep_reminder(tournament=tournament, choice=reminder, now=timezone.now(), before=start)
        note(
            tournament=tournament,
            by=by,
            action="settings",
            old={field: str(old[field]) for field in changed},
            new={field: str(value) for field, value in changed.items()},
        )
    return tournament


@transaction.atomic
def change_rules(
    *,
    tournament: Tournament,
    edition: str,
    scoring: str = "",
    tie_breaks: Sequence[str],
    by: User | None,
    **settings: int | None,
) -> None:
    """Change the rules before the start. settings: the ones that differ from the defaults."""
    tournament, stage = lock_planned(tournament)
    players = tournament.entries.count()
    first = PlannedStage(stage.format, groups=stage.groups, scoring=scoring, tie_breaks=tie_breaks, settings=settings)
    check_stage(first, edition, players)
    check_plan([first, *map(PlannedStage.of, to_come(tournament))], edition, players)
    new: dict[str, Any] = {"edition": edition, **rules_of(first)}
    old = {field: getattr(stage, field) for field in new}
    if new == old:
        return
    drop_draft(tournament, by)
    for field, value in new.items():
        setattr(stage, field, value)
    stage.save(update_fields=list(new))
    tournament.stages.update(edition=edition)
    note(tournament=tournament, by=by, action="rules", old=_in_log(old), new=_in_log(new))


def _in_log(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the rules as one flat dictionary."""
    return {name: value for name, value in rules.items() if name != "settings"} | dict(rules["settings"])


@dataclass(frozen=True)
class Copy:
    """How to copy a tournament. day, starts_at: of the copy; None: a week later, at the same time.

    in_season: count the copy in the same season, if it is open; only for organisers of the club.
    """

    day: date | None = None
    starts_at: time | None = None
    with_people: bool = True
    in_season: bool = False


A_WEEK_LATER = Copy()


@transaction.atomic
def clone_tournament(*, tournament: Tournament, by: User, how: Copy = A_WEEK_LATER) -> Tournament:
    """Copy a tournament with its settings and, by default, its people; without results.

    The copy has the same persons, so their history continues. Erased people, and teams left with too few members, are
    skipped. The owner stays; another organiser who copies it becomes an organiser of the copy.
    """
    day = how.day or tournament.starts_on + timedelta(days=7)
    copy = with_new_slug(
        Tournament(
            name=_name_on(tournament, day),
            owner=tournament.owner,
            club=tournament.club,
            starts_on=day,
            starts_at=how.starts_at if how.day else tournament.starts_at,
            time_zone=tournament.time_zone,
            place=tournament.place,
            visibility=tournament.visibility,
            players_report=tournament.players_report,
            confirm_after=tournament.confirm_after,
            players_leave=tournament.players_leave,
            shows_odds=tournament.shows_odds,
            online=tournament.online,
            fee=tournament.fee,
        )
    )
    first, *then = tournament.stages.all()
    make_stages(copy, _copy_of(first, copy), [PlannedStage.of(stage) for stage in then])
    hooks.games.copy_settings(tournament, copy)
    people = entries_to_copy(tournament) if how.with_people else []
    staying = [entry for entry in people if can_be_entered(entry.player)]
    Entry.objects.bulk_create(
        Entry(
            tournament=copy,
            player_id=entry.player_id,
            number=number,
            addition=entry.addition,
            own_addition=entry.own_addition,
        )
        for number, entry in enumerate(staying, 1)
    )
    tell_apart(copy)
    new: dict[str, Any] = {"from": tournament.slug, "players": len(staying)}
    if len(staying) < len(people):
        new["left_out"] = len(people) - len(staying)
    if by.pk != copy.owner_id:
        Role.objects.create(tournament=copy, user=by, kind=Role.Kind.ORGANISER, created_by=by)
        new |= {"role": Role.Kind.ORGANISER, "user_id": by.pk, "user": str(by)}
    if copy.club is not None:
        note_in_club(club=copy.club, by=by, action="put-in-club", new={"slug": copy.slug, "tournament": copy.name})
    note(tournament=copy, by=by, action="clone", new=new)
    if how.in_season and tournament.season is not None:
        with suppress(Refused):  # the season just ended, or its division was deleted
            return put_in_season(tournament=copy, season=tournament.season, division=tournament.division, by=by)
    return copy


def entries_to_copy(tournament: Tournament) -> list[Entry]:
    """Return the entries that a copy starts with before erased people are skipped: no bots, no stand-ins."""
    people = tournament.entries.filter(bot="").exclude(status=Entry.Status.STANDIN)
    return list(people.select_related("player__team").order_by("number", "id"))


def _copy_of(stage: Stage, copy: Tournament) -> Stage:
    """Return the first stage of a copy."""
    settings = stage.settings
    players = stage.tournament.entries.count() // stage.groups
    if stage.drawn_ahead and stage.plays.misfits(stage.values, players):
        settings = settings | {"rounds": None}  # rounds were added, so no schedule starts with this number
    return Stage.objects.create(
        tournament=copy,
        format=stage.format,
        edition=stage.edition,
        settings=settings,
        scoring=stage.scoring,
        tie_breaks=stage.tie_breaks,
        lot_seed=secrets.token_hex(8),
        order_seed=stage.order_seed if stage.order_seed in ("", BY_RATING) else secrets.token_hex(8),
        options=stage.options,
        groups=stage.groups,
    )


def free_name(name: str, owner: User) -> str:
    """Return `name`, with a number like “Challenge UNO, 24 November (2)” if the owner already uses it."""
    taken = set(Tournament.objects.filter(owner=owner, name__startswith=name).values_list("name", flat=True))
    numbers = (f"{name} ({number})" for number in itertools.count(2))
    return next(candidate for candidate in itertools.chain([name], numbers) if candidate not in taken)


def _name_on(tournament: Tournament, day: date) -> str:
    """Return the name of a copy on another day. An automatic name, in any language, gets the new day."""
    title, _comma, rest = tournament.name.rpartition(", ")
    rest = rest.partition(" (")[0]
    year = [date(2000, 1, 1) + timedelta(days=number) for number in range(366)]
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            if title not in {translation.gettext(plays.name) for plays in FORMATS.values()}:
                continue
            if rest in {date_format(other_day, _("j F")) for other_day in year}:
                new_date = date_format(day, _("j F"))
                return free_name(f"{title}, {new_date}", tournament.owner)
    return tournament.name
