"""A member's evenings in a club: places and points, partners, and two members against each other. Reads alone."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from league.lib.charts import RankChart, rank_chart
from league.models import Entry, HandScore, Player, Round, Tournament
from league.standings.cache import standings_of
from league.standings.ranking import Standing

MOST_PARTNERS = 12


@dataclass(frozen=True)
class Evening:
    """An evening of somebody. ranked: how many have a place. team: the one they played for, if it was one."""

    tournament: Tournament
    entry: Entry
    standing: Standing | None
    ranked: int
    team: str = ""

    @property
    def rank(self) -> int | None:
        return self.standing.rank if self.standing and self.standing.hands_played else None


@dataclass(frozen=True)
class Together:
    """What somebody made with a partner. `share` is the bar's length: 100 for the best."""

    player: Player
    evenings: int
    hands: int
    won: int
    points: int
    share: int = 0


@dataclass(frozen=True)
class Against:
    """Two members. `places`: of the `evenings` that both played, in how many each was placed higher.

    `hands` are those at one table as opponents, `won` and `points` what (one, other) made of them.
    """

    evenings: int
    places: tuple[int, int]
    hands: int
    won: tuple[int, int]
    points: tuple[int, int]
    as_partners: int


def evenings_of(player: Player, tournaments: QuerySet[Tournament]) -> list[Evening]:
    """Those in which somebody is on the list, or plays for a team, the latest first."""
    mine = Q(player=player) | Q(player__team__members__player=player, seats__substitute=player)
    entries = Entry.objects.filter(mine, tournament__in=tournaments.values("pk")).exclude(status=Entry.Status.STANDIN)
    found = list(
        entries.select_related("tournament", "player")
        .order_by("-tournament__starts_on", "-tournament", "pk")
        .distinct()
    )
    standings = standings_of({entry.tournament_id: entry.tournament for entry in found}.values())
    return [_evening(entry, standings[entry.tournament_id], player) for entry in found]


def _evening(entry: Entry, lines: Sequence[Standing], player: Player) -> Evening:
    return Evening(
        tournament=entry.tournament,
        entry=entry,
        standing=next((line for line in lines if line.entrant.id == entry.public_id), None),
        ranked=sum(line.rank is not None for line in lines),
        team=entry.player.name if entry.player_id != player.pk else "",
    )


def place_chart(evenings: Iterable[Evening]) -> RankChart | None:
    """The places, evening by evening, the first on the left. None with fewer than two."""
    placed = [one.rank for one in reversed(list(evenings)) if one.rank is not None]
    if len(placed) < 2:
        return None
    return rank_chart({number: {"": rank} for number, rank in enumerate(placed, 1)}, "", range(1, len(placed) + 1))


def partners_of(player: Player, evenings: Iterable[Evening]) -> list[Together]:
    """Everybody with whom somebody played, whoever they made most points with first."""
    evenings = list(evenings)
    rows = _own_rows(player, [one.entry.pk for one in evenings]).exclude(partner=None)
    mates = _mates(player, [one.entry.pk for one in evenings if one.team])
    own = list(
        rows.values_list("table", "hand", "entry", "partner", "partner__player", "entry__tournament", "points_for")
    )
    winners = _winners([row[0] for row in own])
    hands: dict[int, list[tuple[int, bool, int]]] = defaultdict(list)
    for table, hand, entry, partner, person, tournament, points in own:
        who = mates.get((table, hand, entry), person)
        hands[who].append((tournament, winners.get((table, hand)) in (entry, partner), points))
    people = Player.objects.in_bulk(list(hands))
    made = [
        Together(
            player=people[person],
            evenings=len({tournament for tournament, _won, _points in played}),
            hands=len(played),
            won=sum(won for _tournament, won, _points in played),
            points=sum(points for _tournament, _won, points in played),
        )
        for person, played in hands.items()
    ]
    made.sort(key=lambda one: (-one.points, one.player.name))
    most = made[0].points if made else 0
    return [_with_share(one, most) for one in made[:MOST_PARTNERS]]


def _with_share(one: Together, most: int) -> Together:
    share = round(100 * one.points / most) if most else 0
    return Together(one.player, one.evenings, one.hands, one.won, one.points, share)


def against(one: Player, other: Player, tournaments: QuerySet[Tournament]) -> Against:
    """Two members: who was placed higher when both played alone, and their hands at one table, in teams too."""
    both = tournaments.filter(pk__in=Entry.objects.filter(player=one).values("tournament"))
    both = both.filter(pk__in=Entry.objects.filter(player=other).values("tournament"))
    ours, theirs = ({evening.tournament.pk: evening for evening in _alone(who, both)} for who in (one, other))
    pairs = tuple((ours[key], theirs[key]) for key in ours if key in theirs)
    placed = [(mine.rank, yours.rank) for mine, yours in pairs if mine.rank is not None and yours.rank is not None]
    hands, won, points, as_partners = _at_one_table(one, other, tournaments)
    return Against(
        evenings=len(placed),
        places=(sum(mine < yours for mine, yours in placed), sum(yours < mine for mine, yours in placed)),
        hands=hands,
        won=won,
        points=points,
        as_partners=as_partners,
    )


def _alone(player: Player, tournaments: QuerySet[Tournament]) -> list[Evening]:
    return [one for one in evenings_of(player, tournaments) if not one.team]


def _at_one_table(
    one: Player, other: Player, tournaments: QuerySet[Tournament]
) -> tuple[int, tuple[int, int], tuple[int, int], int]:
    """Hands as opponents, how many each side won, the points of each side, and hands as partners.

    A hand is theirs if they played it themselves: alone, or for their team, whose two rows name who it was.
    """
    columns = ("table", "hand", "entry", "partner", "points_for")
    mine = {row[:2]: row for row in _themselves(one, tournaments).values_list(*columns)}
    there = _themselves(other, tournaments).filter(table__in={key[0] for key in mine})
    hands = as_partners = 0
    won, points = [0, 0], [0, 0]
    winners = _winners([key[0] for key in mine])
    for table, hand, entry, partner, scored in there.values_list(*columns):
        own = mine.get((table, hand))
        if own is None:
            continue
        if entry in own[2:4]:  # their partner, or their own team
            as_partners += 1
            continue
        hands += 1
        winner = winners.get((table, hand))
        won[0] += winner is not None and winner in own[2:4]
        won[1] += winner is not None and winner in (entry, partner)
        points[0] += own[4]
        points[1] += scored
    return hands, (won[0], won[1]), (points[0], points[1]), as_partners


def _themselves(player: Player, tournaments: QuerySet[Tournament]) -> QuerySet[HandScore]:
    """Living hands that somebody played as themselves or in a team, in rounds that were published."""
    alone = Q(entry__player=player) & (Q(played_by=None) | Q(played_by=player))
    in_team = Q(entry__player__team__isnull=False, played_by=player)
    rows = HandScore.objects.living().filter(alone | in_team, table__round__in=Round.objects.shown())
    here = rows.filter(entry__tournament__in=tournaments.values("pk"))
    return here.exclude(entry__status=Entry.Status.STANDIN)


def _own_rows(player: Player, entries: Sequence[int]) -> QuerySet[HandScore]:
    """Living hands of these entries that somebody played themselves, in rounds that were published."""
    shown = HandScore.objects.living().filter(entry__in=entries, table__round__in=Round.objects.shown())
    return shown.filter(Q(played_by=None) | Q(played_by=player))


def _mates(player: Player, teams: Sequence[int]) -> dict[tuple[int, int, int], int]:
    """{(table's key, hand, the team's entry): who played opposite}"""
    others = HandScore.objects.living().filter(entry__in=teams).exclude(played_by=player)
    rows = others.values_list("table", "hand", "entry", "played_by")
    return {(table, hand, entry): who for table, hand, entry, who in rows if who is not None}


def _winners(tables: Iterable[int]) -> dict[tuple[int, int], int]:
    """{(table's key, hand): the entry that went out}"""
    out = HandScore.objects.living().filter(went_out=True, table__in=set(tables))
    return {(table, hand): entry for table, hand, entry in out.values_list("table", "hand", "entry")}


def played_for_others(player: Player, tournaments: QuerySet[Tournament]) -> int:
    """Hands that somebody played in the place of others."""
    rows = HandScore.objects.living().filter(played_by=player, entry__tournament__in=tournaments.values("pk"))
    return rows.exclude(entry__player=player).exclude(entry__player__team__members__player=player).count()


def summary_of(evenings: Sequence[Evening]) -> dict[str, Any]:
    """Figures for the top of a profile."""
    played = [one.standing for one in evenings if one.standing is not None and one.standing.hands_played]
    hands = sum(line.hands_played for line in played)
    won = sum(line.hands_won for line in played)
    places = [one.rank for one in evenings if one.rank is not None]
    return {
        "played": len(played),
        "hands": hands,
        "hands_won": won,
        "percent": round(100 * won / hands) if hands else 0,
        "firsts": places.count(1),
        "best": min(places, default=None),
        "since": evenings[-1].tournament.starts_on if evenings else None,
    }
