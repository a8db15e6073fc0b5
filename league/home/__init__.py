"""The home page and the credits, which belong to no tournament.

Begin with `page.py`, the home page as a value. It may import every other package of the league.
"""
