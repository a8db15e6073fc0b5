"""Read the rule book, `docs/rules.md`, and show it as pages.

Begin with `book.py`, which parses, and `league/rulebook/editions.py`, which compares editions. May import only the
engine and `league/lib`.
"""
