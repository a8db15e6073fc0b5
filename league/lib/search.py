"""Find people by any part of a name, as typed on a phone."""

from league.lib.names import fold

MOST_FOUND = 12  # most results of a name search


def matches(query: str, name: str) -> bool:
    """Return whether every word of the query is part of the name; False for an empty query."""
    words = fold(query).split()
    folded = fold(name)
    return bool(words) and all(word in folded for word in words)
