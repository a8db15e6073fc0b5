"""How a tournament is made, changed and overseen by its organisers.

Begin with `create.py`, then `overview_views.py`. It imports every other room of the league.
"""
