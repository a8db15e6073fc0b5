"""Create, change and oversee a tournament as its organiser.

Begin with `create.py`, then `overview_views.py`. This package may import every other package of the league.
"""
