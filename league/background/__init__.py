"""Scheduled and long work: deadlines and background jobs.

Begin with `league/background/deadlines.py`, whose `HANDLERS` list the kinds of deadlines, then `jobs.py`. It imports
entries, public and the packages below.
"""
