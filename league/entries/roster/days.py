"""Read days as people write them: month and day only, as stored for birthdays. Pure."""

import re
from collections.abc import Iterable
from datetime import date

Birthday = tuple[int, int]
"""(month, day)."""

_LEAP_YEAR = 2000
_TIME = r"(?:[T ]+[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|\s?[AaPp]\.?[Mm]\.?)?)?"
_YEAR = r"(?P<year>[0-9]{4}|[0-9]{2})"
_YEAR_FIRST = re.compile(
    rf"(?P<year>[0-9]{{4}})(?P<mark>[-/.])(?P<month>[0-9]{{1,2}})(?P=mark)(?P<day>[0-9]{{1,2}}){_TIME}"
)
_MONTH_DAY = re.compile(r"(?P<month>[0-9]{2})-(?P<day>[0-9]{2})")
_DOTS = re.compile(rf"(?P<day>[0-9]{{1,2}})\. ?(?P<month>[0-9]{{1,2}})\.?(?: ?(?<=[. ]){_YEAR})?")
# 30/07/1991 or 07/30/1991: the order must be known.
_EITHER = re.compile(rf"(?P<first>[0-9]{{1,2}})(?P<mark>[-/])(?P<second>[0-9]{{1,2}})(?:(?P=mark){_YEAR})?{_TIME}")


def day_of(text: str, *, day_first: bool | None = None) -> Birthday | None:
    """Return month and day, or None if this is no day. Without a year, 29 February is possible.

    day_first: whether 03/04/1991 is 3 April; None assumes so, unless only 4 March is possible.
    """
    match = _YEAR_FIRST.fullmatch(text) or _MONTH_DAY.fullmatch(text) or _DOTS.fullmatch(text)
    if match:
        return _existing(match.groupdict().get("year"), match["month"], match["day"])
    match = _EITHER.fullmatch(text)
    if match is None:
        return None
    first, second, year = match["first"], match["second"], match["year"]
    by_day, by_month = _existing(year, second, first), _existing(year, first, second)
    if day_first is None:
        return by_day or by_month
    return by_day if day_first else by_month


def looks_like_a_day(text: str) -> bool:
    return day_of(text) is not None


def day_comes_first(texts: Iterable[str]) -> bool | None:
    """Return whether a column has the day before the month; None if both orders fit all days.

    Unambiguous days decide by number. True if no text is a day.
    """
    day, month, either = 0, 0, 0
    for text in texts:
        by_day, by_month = day_of(text, day_first=True), day_of(text, day_first=False)
        if by_day != by_month:
            day += by_month is None
            month += by_day is None
            either += bool(by_day and by_month)
    return None if day == month and either else day >= month


def _existing(year: str | None, month: str, day: str) -> Birthday | None:
    number = int(year) if year and len(year) == 4 else _LEAP_YEAR
    try:
        date(number, int(month), int(day))
    except ValueError:
        return None
    return int(month), int(day)
