"""Seasons of a club: evenings, table, divisions, the end and the next.

Begin with `table.py` (how evenings count), then `seasons.py`, which writes. It imports clubs and what is below.
"""
