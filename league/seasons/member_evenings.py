"""Read a member's tournaments in a club: places, points, seasons, partners, comparison with another member."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from league.access import ClubAccess
from league.lib.charts import RankChart, rank_chart
from league.models import Division, Entry, HandScore, Player, Round, Season, Tournament
from league.seasons.table import SeasonLine, SeasonTable, season_table
from league.seasons.visibility import seen_by
from league.standings.ranking import Standing
from league.standings.read_many import standings_of

MOST_PARTNERS = 12
MOST_SEASONS = 6  # on a profile


@dataclass(frozen=True)
class Evening:
    """A tournament of a player. ranked: number of ranked players. team: team played for; empty if alone.

    before: (hands played, hands won) in stages before the standing's stage.
    """

    tournament: Tournament
    entry: Entry
    standing: Standing | None
    ranked: int
    team: str = ""
    before: tuple[int, int] = (0, 0)

    @property
    def rank(self) -> int | None:
        return self.standing.rank if self.standing and self.hands else None

    @property
    def hands(self) -> int:
        return self.before[0] + (self.standing.hands_played if self.standing else 0)

    @property
    def hands_won(self) -> int:
        return self.before[1] + (self.standing.hands_won if self.standing else 0)


@dataclass(frozen=True)
class Together:
    """Results of a player with one partner. share: length of the bar, 100 for the best partner."""

    player: Player
    evenings: int
    hands: int
    won: int
    points: int
    share: int = 0


@dataclass(frozen=True)
class Against:
    """Comparison of two members. evenings: played by both. places: in how many of them each had the better place.

    hands: played at one table as opponents. won, points: (player, other) in those hands.
    """

    evenings: int
    places: tuple[int, int]
    hands: int
    won: tuple[int, int]
    points: tuple[int, int]
    as_partners: int


def evenings_of(player: Player, tournaments: QuerySet[Tournament]) -> list[Evening]:
    """Return the tournaments in which a player is entered or plays for a team, latest first."""
    mine = Q(player=player) | Q(player__team__members__player=player, seats__substitute=player)
    entries = Entry.objects.filter(mine, tournament__in=tournaments.values("pk")).exclude(status=Entry.Status.STANDIN)
    listed = list(
        entries.select_related("tournament", "player")
        .prefetch_related("tournament__stages")
        .order_by("-tournament__starts_on", "-tournament", "pk")
        .distinct()
    )
    standings = standings_of({entry.tournament_id: entry.tournament for entry in listed}.values())
    by_stage = _hands_by_stage(listed)
    return [_evening(entry, standings[entry.tournament_id], player, by_stage.get(entry.pk, {})) for entry in listed]


def _hands_by_stage(entries: Sequence[Entry]) -> dict[int, dict[int, tuple[int, int]]]:
    """Return {key of an entry: {stage: (hands, hands won)}} for tournaments with several stages."""
    rows = HandScore.objects.living().filter(entry__in=entries, table__round__in=Round.objects.shown())
    several = rows.filter(entry__tournament__stages__number=2)
    columns = ("table__round__stage__number", "table", "hand", "entry", "partner")
    played = set(several.values_list(*columns))  # a team has a row for each of its two
    winners = _winners([row[1] for row in played])
    by_stage: dict[int, dict[int, tuple[int, int]]] = defaultdict(lambda: defaultdict(lambda: (0, 0)))
    for stage, table, hand, entry, partner in played:
        hands, won = by_stage[entry][stage]
        by_stage[entry][stage] = hands + 1, won + (winners.get((table, hand)) in (entry, partner))
    return by_stage


def _evening(
    entry: Entry, lines: Sequence[Standing], player: Player, by_stage: Mapping[int, tuple[int, int]]
) -> Evening:
    standing = next((line for line in lines if line.entrant.id == entry.public_id), None)
    return Evening(
        tournament=entry.tournament,
        entry=entry,
        standing=standing,
        ranked=sum(line.rank is not None for line in lines),
        team=entry.name if entry.player_id != player.pk else "",
        before=_before(entry, standing, by_stage),
    )


def _before(entry: Entry, standing: Standing | None, by_stage: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
    """Return (hands, hands won) in stages before the standing's stage."""
    if standing is None or not by_stage:
        return 0, 0
    current = standing.stage or entry.tournament.stage_shown.number
    earlier = [figures for stage, figures in by_stage.items() if stage < current]
    return sum(hands for hands, _won in earlier), sum(won for _hands, won in earlier)


def place_chart(evenings: Iterable[Evening]) -> RankChart | None:
    """Draw the places, earliest first. None with fewer than two."""
    placed = [evening.rank for evening in reversed(list(evenings)) if evening.rank is not None]
    if len(placed) < 2:
        return None
    return rank_chart({number: {"": rank} for number, rank in enumerate(placed, 1)}, "", range(1, len(placed) + 1))


def partners_of(player: Player, evenings: Iterable[Evening]) -> list[Together]:
    """Return a player's partners, most points first."""
    evenings = list(evenings)
    rows = _own_rows(player, [evening.entry.pk for evening in evenings]).exclude(partner=None)
    mates = _mates(player, [evening.entry.pk for evening in evenings if evening.team])
    own = list(
        rows.values_list("table", "hand", "entry", "partner", "partner__player", "entry__tournament", "points_for")
    )
    winners = _winners([row[0] for row in own])
    hands: dict[int, list[tuple[int, bool, int]]] = defaultdict(list)
    for table, hand, entry, partner, person, tournament, points in own:
        mate = mates.get((table, hand, entry), person)
        hands[mate].append((tournament, winners.get((table, hand)) in (entry, partner), points))
    people = Player.objects.in_bulk(list(hands))
    partners = [
        Together(
            player=people[person],
            evenings=len({tournament for tournament, _won, _points in played}),
            hands=len(played),
            won=sum(won for _tournament, won, _points in played),
            points=sum(points for _tournament, _won, points in played),
        )
        for person, played in hands.items()
    ]
    partners.sort(key=lambda together: (-together.points, together.player.name))
    most = partners[0].points if partners else 0
    return [_with_share(together, most) for together in partners[:MOST_PARTNERS]]


def _with_share(together: Together, most: int) -> Together:
    share = round(100 * together.points / most) if most else 0
    return Together(together.player, together.evenings, together.hands, together.won, together.points, share)


def compare(player: Player, other: Player, tournaments: QuerySet[Tournament]) -> Against:
    """Compare two members: places in tournaments both played alone, and hands at one table, also in teams."""
    both = tournaments.filter(pk__in=Entry.objects.filter(player=player).values("tournament"))
    both = both.filter(pk__in=Entry.objects.filter(player=other).values("tournament"))
    ours, theirs = (
        {evening.tournament.pk: evening for evening in _evenings_alone(person, both)} for person in (player, other)
    )
    pairs = tuple((ours[key], theirs[key]) for key in ours if key in theirs)
    placed = [(mine.rank, yours.rank) for mine, yours in pairs if mine.rank is not None and yours.rank is not None]
    hands, won, points, as_partners = _hands_at_one_table(player, other, tournaments)
    return Against(
        evenings=len(placed),
        places=(sum(mine < yours for mine, yours in placed), sum(yours < mine for mine, yours in placed)),
        hands=hands,
        won=won,
        points=points,
        as_partners=as_partners,
    )


def _evenings_alone(player: Player, tournaments: QuerySet[Tournament]) -> list[Evening]:
    return [evening for evening in evenings_of(player, tournaments) if not evening.team]


def _hands_at_one_table(
    player: Player, other: Player, tournaments: QuerySet[Tournament]
) -> tuple[int, tuple[int, int], tuple[int, int], int]:
    """Return hands as opponents, hands won by each, points of each, and hands as partners.

    A hand belongs to the person who played it: alone, or for a team, whose two rows name its players.
    """
    columns = ("table", "hand", "entry", "partner", "points_for")
    mine = {row[:2]: row for row in _hands_played_by(player, tournaments).values_list(*columns)}
    theirs = _hands_played_by(other, tournaments).filter(table__in={key[0] for key in mine})
    hands = as_partners = 0
    won, points = [0, 0], [0, 0]
    winners = _winners([key[0] for key in mine])
    for table, hand, entry, partner, scored in theirs.values_list(*columns):
        own = mine.get((table, hand))
        if own is None:
            continue
        if entry in own[2:4]:  # partner or own team
            as_partners += 1
            continue
        hands += 1
        winner = winners.get((table, hand))
        won[0] += winner is not None and winner in own[2:4]
        won[1] += winner is not None and winner in (entry, partner)
        points[0] += own[4]
        points[1] += scored
    return hands, (won[0], won[1]), (points[0], points[1]), as_partners


def _hands_played_by(player: Player, tournaments: QuerySet[Tournament]) -> QuerySet[HandScore]:
    """Return the living hands a player played alone or in a team, in published rounds."""
    alone = Q(entry__player=player) & (Q(played_by=None) | Q(played_by=player))
    in_team = Q(entry__player__team__isnull=False, played_by=player)
    rows = HandScore.objects.living().filter(alone | in_team, table__round__in=Round.objects.shown())
    here = rows.filter(entry__tournament__in=tournaments.values("pk"))
    return here.exclude(entry__status=Entry.Status.STANDIN)


def _own_rows(player: Player, entries: Sequence[int]) -> QuerySet[HandScore]:
    """Return the living hands of these entries that the player played personally, in published rounds."""
    rows = HandScore.objects.living().filter(entry__in=entries, table__round__in=Round.objects.shown())
    return rows.filter(Q(played_by=None) | Q(played_by=player))


def _mates(player: Player, teams: Sequence[int]) -> dict[tuple[int, int, int], int]:
    """Return {(key of the table, hand, entry of the team): key of the teammate}."""
    hands = HandScore.objects.living().filter(entry__in=teams).exclude(played_by=player)
    rows = hands.values_list("table", "hand", "entry", "played_by")
    return {(table, hand, entry): mate for table, hand, entry, mate in rows if mate is not None}


def _winners(tables: Iterable[int]) -> dict[tuple[int, int], int]:
    """Return {(key of the table, hand): entry that went out}."""
    out = HandScore.objects.living().filter(went_out=True, table__in=set(tables))
    return {(table, hand): entry for table, hand, entry in out.values_list("table", "hand", "entry")}


def hands_for_others(player: Player, tournaments: QuerySet[Tournament]) -> int:
    """Count the hands a player played as a substitute."""
    rows = HandScore.objects.living().filter(played_by=player, entry__tournament__in=tournaments.values("pk"))
    return rows.exclude(entry__player=player).exclude(entry__player__team__members__player=player).count()


def summary_of(evenings: Sequence[Evening]) -> dict[str, Any]:
    """Return the numbers at the top of a profile."""
    hands = sum(evening.hands for evening in evenings)
    won = sum(evening.hands_won for evening in evenings)
    places = [evening.rank for evening in evenings if evening.rank is not None]
    return {
        "played": sum(evening.hands > 0 for evening in evenings),
        "hands": hands,
        "hands_won": won,
        "percent": round(100 * won / hands) if hands else 0,
        "firsts": places.count(1),
        "best": min(places, default=None),
        "since": evenings[-1].tournament.starts_on if evenings else None,
    }


class Place(NamedTuple):
    """A player's place in a season. of: number of ranked players in the division."""

    season: Season
    division: Division | None
    line: SeasonLine
    of: int


def places_of(access: ClubAccess, player: Player) -> list[Place]:
    """Return a player's places in their latest seasons, as far as visible, latest first."""
    theirs = Q(tournaments__entries__player=player) | Q(tournaments__entries__player__team__members__player=player)
    seasons = Season.objects.filter(theirs, club=access.club).select_related("club").distinct().order_by("-pk")
    tables = [season_table(season) for season in seasons[:MOST_SEASONS]]
    places = (_place_in(table, player) for table in tables if seen_by(access, table).id_of(player) is not None)
    return [place for place in places if place is not None]


def _place_in(table: SeasonTable, player: Player) -> Place | None:
    for division in table.divisions:
        for line in division.lines:
            if line.player == player and line.evenings_played:
                return Place(table.season, division.division, line, sum(row.rank is not None for row in division.lines))
    return None
