"""The rule book: reads `docs/rules.md` and shows it as the page of rules.

Begin with `book.py`, which reads, and `league/rulebook/editions.py`, which tells editions apart. It imports only the
engine and `league/lib`.
"""
