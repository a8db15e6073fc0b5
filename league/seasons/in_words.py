"""A season in words: what counts, who goes up and down, what is still open."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Division, Player, Season
from league.seasons.table import DOWN, UP, DivisionTable, SeasonEvening, SeasonTable

Name = Callable[[Player], str]
MOST_POINTS_SAID = 6


def rule_of(season: Season) -> str:
    """“The best 6 evenings count. Place points: 12, 10, 8, 7 and so on down to 1. With equal totals …”"""
    sentences = [_what_counts(season)]
    if season.counts == Season.Counts.PLACES:
        sentences.append(_place_points(season.place_points))
    else:
        sentences.append(_("What somebody makes in an evening is added up."))
    sentences.append(_("With equal totals more first places decide, then more second places, and so on."))
    return " ".join(sentences)


def _what_counts(season: Season) -> str:
    least = season.min_evenings
    if season.best_of is None and least < 2:
        return _("All evenings count.")
    if season.best_of is None:
        return _("All evenings count; with fewer than %(least)d somebody has no place.") % {"least": least}
    words = {"best": season.best_of, "least": least}
    if least < 2:
        return ngettext("The best evening counts.", "The best %(best)d evenings count.", season.best_of) % words
    return (
        ngettext(
            "The best evening counts; with fewer than %(least)d somebody has no place.",
            "The best %(best)d evenings count; with fewer than %(least)d somebody has no place.",
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
    """The heading of the column whose figure decides."""
    if season.best_of is None:
        return _("Total")
    return _("Best %(count)d") % {"count": season.best_of}


def goes_up(division: Division, count: int, above: Division | None) -> str:
    if above is None:
        return division.name
    words = {"count": count, "division": above.name}
    return ngettext("%(count)d goes up to %(division)s", "%(count)d go up to %(division)s", count) % words


def goes_down(division: Division, count: int, below: Division | None) -> str:
    if below is None:
        return division.name
    words = {"count": count, "division": below.name}
    return ngettext("%(count)d goes down to %(division)s", "%(count)d go down to %(division)s", count) % words


def no_place(season: Season) -> str:
    """The heading above those who played too few evenings for a place."""
    least = season.min_evenings
    return ngettext(
        "No place yet: fewer than %(count)d evening", "No place yet: fewer than %(count)d evenings", least
    ) % {"count": least}


def running_now(evenings: Sequence[SeasonEvening]) -> str:
    """“Evening 7 is being played: its points are those so far.”, or empty."""
    numbers = [str(evening.number) for evening in evenings if evening.is_running]
    if not numbers:
        return ""
    return ngettext(
        "Evening %(numbers)s is being played: its points are those so far.",
        "Evenings %(numbers)s are being played: their points are those so far.",
        len(numbers),
    ) % {"numbers": ", ".join(numbers)}


def giving_nothing(evenings: Sequence[SeasonEvening]) -> str:
    numbers = [str(evening.number) for evening in evenings if evening.gives_nothing]
    if not numbers:
        return ""
    return ngettext(
        "Evening %(numbers)s adds nothing: there points count against who has them.",
        "Evenings %(numbers)s add nothing: there points count against who has them.",
        len(numbers),
    ) % {"numbers": ", ".join(numbers)}


def still_open(table: SeasonTable, division: DivisionTable, name: Name) -> list[str]:
    """Say how close it is between those who move and those who stay, as long as an evening can change it."""
    for_it = (None, division.division)  # an evening of another division changes nothing here
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
            sentences.append(_gap_in_words(gap, names, _("One of them goes up.")))
        if second.moves == DOWN != first.moves:
            sentences.append(_gap_in_words(gap, names, _("One of them goes down.")))
    return sentences


def _gap_in_words(gap: int, names: dict[str, str], so: str) -> str:
    if gap:
        apart = ngettext(
            "%(count)d point lies between %(first)s and %(second)s.",
            "%(count)d points lie between %(first)s and %(second)s.",
            gap,
        )
    else:
        apart = _("%(first)s and %(second)s have equally many points.")
    return f"{apart % {**names, 'count': gap}} {so}"
