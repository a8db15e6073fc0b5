"""What everybody may see of a tournament: standings, brackets, seatings, cards, exports.

Begin with `tables.py`, the rows of every table and CSV file, then `views.py`. It writes nothing but the standings that
are frozen when a round is closed (`snapshots.py`), and imports rounds and what is below.
"""
