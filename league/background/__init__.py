"""What happens by itself: deadlines and long jobs.

Begin with `league/background/deadlines.py`, whose `HANDLERS` name what each does, then `jobs.py`. It imports entries
and public, and what is below.
"""
