"""The rule book: `docs/rules.md` read, and shown as the page of rules.

Begin with `book.py`, which reads, and `league/rulebook/editions.py`, which tells editions apart. It imports only the
engine and `league/lib`.
"""
