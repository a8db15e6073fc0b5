"""The sheets of a player and of a table: all actions on one of them, with previews.

Begin with `values.py` and `person_page.py`. The package imports league.day and lower packages.
"""
