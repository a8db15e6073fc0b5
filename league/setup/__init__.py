"""Organisers create, change and oversee a tournament here.

Begin with `create.py`, then `overview_views.py`. It imports every other room of the league.
"""
