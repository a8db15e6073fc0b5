"""Seasons of a club: events, standings, divisions, end, next season.

Begin with `table.py` (reads), then `seasons.py` (writes). Imports clubs and everything below.
"""
