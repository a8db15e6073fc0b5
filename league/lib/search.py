"""Finds people by any part of a name, however it is typed on a phone."""

from league.lib.names import fold

MOST_FOUND = 12  # answers to a search for a name; if there are more, it is better to type on


def matches(query: str, name: str) -> bool:
    """Whether every word of the query is part of the name. An empty query matches nobody."""
    words = fold(query).split()
    folded = fold(name)
    return bool(words) and all(word in folded for word in words)
