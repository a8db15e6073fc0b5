"""Build the public pages of a tournament: standings, brackets, seatings, scorecards and exports.

Begin with `tables.py`, which yields the rows of every table and CSV file, then `views.py`. The only write is the
snapshot of the standings when a round closes (`snapshots.py`). May import rounds and the packages below it.
"""
