"""Cells of a list of players: e-mail addresses, and birthdays, of which the year is never kept."""

import re
from datetime import date

MAX_EMAIL = 254

Birthday = tuple[int, int]
"""(month, day)."""

_LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_](?:[\w-]{0,61}[^\W_])")


def is_email(text: str) -> bool:
    local, at, domain = text.rpartition("@")
    if not at or len(text) > MAX_EMAIL or "_" in domain:
        return False
    return bool(_LOCAL_PART.fullmatch(local) and _DOMAIN.fullmatch(domain))


_YEAR_MONTH_DAY = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})")
_MONTH_DAY = re.compile(r"(?P<month>[0-9]{2})-(?P<day>[0-9]{2})")
_DAY_MONTH = re.compile(r"(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\.?(?: ?(?<=[. ])(?P<year>[0-9]{4}))?")

_LEAP_YEAR = 2000


def birthday_of(text: str) -> Birthday | None:
    """Month and day of 1991-07-30, 07-30, 30.07.1991 or 30.07., if there is such a day (29 February without a year)."""
    match = _YEAR_MONTH_DAY.fullmatch(text) or _MONTH_DAY.fullmatch(text) or _DAY_MONTH.fullmatch(text)
    if match is None:
        return None
    year, month, day = match.groupdict().get("year"), int(match["month"]), int(match["day"])
    try:
        date(int(year) if year else _LEAP_YEAR, month, day)
    except ValueError:
        return None
    return month, day
