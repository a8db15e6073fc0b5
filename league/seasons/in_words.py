"""Sentences about a season: rules, promotion and relegation, open decisions."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Division, Player, Season
from league.seasons.table import DOWN, UP, DivisionTable, SeasonEvening, SeasonTable

Name = Callable[[Player], str]
MOST_POINTS_SAID = 6


def rule_of(season: Season) -> str:
    """Such as “The best 6 events count. Place points: 12, 10, 8, 7 and so on down to 1. Ties are broken by …”."""
    sentences = [_what_counts(season)]
    if season.counts == Season.Counts.PLACES:
        sentences.append(_place_points(season.place_points))
    else:
        sentences.append(_("Points of all counted tournaments are added up."))
    sentences.append(_("Ties: more first places, then more second places."))
    return " ".join(sentences)


def _what_counts(season: Season) -> str:
    least = season.min_evenings
    if season.best_of is None and least < 2:
        return _("All tournaments count.")
    if season.best_of is None:
        return _("All tournaments count; a place needs at least %(least)d.") % {"least": least}
    words = {"best": season.best_of, "least": least}
    if least < 2:
        return ngettext("The best tournament counts.", "The best %(best)d tournaments count.", season.best_of) % words
    return (
        ngettext(
            "The best tournament counts; a place needs at least %(least)d.",
            "The best %(best)d tournaments count; a place needs at least %(least)d.",
            season.best_of,
        )
        % words
    )


def _place_points(points: Sequence[int]) -> str:
    if len(points) <= MOST_POINTS_SAID:
        return _("Place points: %(points)s.") % {"points": ", ".join(map(str, points))}
    first = ", ".join(map(str, points[: MOST_POINTS_SAID - 2]))
    return _("Place points: %(points)s and so on down to %(last)d.") % {"points": first, "last": points[-1]}


def total_label(season: Season) -> str:
    """Return the heading of the deciding column."""
    if season.best_of is None:
        return _("Total")
    return _("Total (best %(count)d)") % {"count": season.best_of}


def goes_up(division: Division, count: int, above: Division | None) -> str:
    if above is None:
        return division.name
    words = {"count": count, "division": above.name}
    return ngettext("%(count)d promoted to %(division)s", "%(count)d promoted to %(division)s", count) % words


def goes_down(division: Division, count: int, below: Division | None) -> str:
    if below is None:
        return division.name
    words = {"count": count, "division": below.name}
    return ngettext("%(count)d relegated to %(division)s", "%(count)d relegated to %(division)s", count) % words


def no_place(season: Season) -> str:
    """Return the heading above players below the minimum number of events."""
    least = season.min_evenings
    return ngettext(
        "Unranked: fewer than %(count)d tournament", "Unranked: fewer than %(count)d tournaments", least
    ) % {"count": least}


def running_now(evenings: Sequence[SeasonEvening]) -> str:
    """Such as “Event 7 is running: points so far.”; empty if none is."""
    numbers = [str(evening.number) for evening in evenings if evening.is_running]
    if not numbers:
        return ""
    return ngettext(
        "Includes unfinished tournament %(numbers)s.",
        "Includes unfinished tournaments %(numbers)s.",
        len(numbers),
    ) % {"numbers": ", ".join(numbers)}


def giving_nothing(evenings: Sequence[SeasonEvening]) -> str:
    numbers = [str(evening.number) for evening in evenings if evening.gives_nothing]
    if not numbers:
        return ""
    return ngettext(
        "Tournament %(numbers)s adds no points: its points are penalty points.",
        "Tournaments %(numbers)s add no points: their points are penalty points.",
        len(numbers),
    ) % {"numbers": ", ".join(numbers)}


def still_open(table: SeasonTable, division: DivisionTable, name: Name) -> list[str]:
    """Describe how close players at a promotion or relegation boundary are, while an event can still change it."""
    for_it = (None, division.division)  # events of other divisions don't matter here
    to_come = sum(not evening.is_final and evening.division in for_it for evening in table.evenings)
    if table.decided or not to_come:
        return []
    points = table.season.place_points
    within = points[0] * to_come if table.season.counts == Season.Counts.PLACES and points else None
    sentences = []
    for first, second in pairwise(line for line in division.lines if line.rank is not None):
        gap = first.total - second.total
        if within is not None and gap > within:
            continue
        names = {"first": name(first.player), "second": name(second.player)}
        if first.moves == UP != second.moves:
            sentences.append(_gap_in_words(gap, names, _("One is promoted.")))
        if second.moves == DOWN != first.moves:
            sentences.append(_gap_in_words(gap, names, _("One is relegated.")))
    return sentences


def _gap_in_words(gap: int, names: dict[str, str], so: str) -> str:
    if gap:
        apart = ngettext(
            "%(first)s leads %(second)s by %(count)d point.",
            "%(first)s leads %(second)s by %(count)d points.",
            gap,
        )
    else:
        apart = _("%(first)s and %(second)s are tied.")
    return f"{apart % {**names, 'count': gap}} {so}"
