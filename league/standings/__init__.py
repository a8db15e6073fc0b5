"""Compute standings: read ledger rows, rank them with a pure function, cache the result until the next change.

Begin with `ranking.py` (pure), then `read.py`, which reads its rows. May import the ledger and the packages below it,
but no pages.
"""
