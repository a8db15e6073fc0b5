"""The check-in page: arrivals, missing players, and actions on all ticked players.

Begin with `page.py`. The package imports the services of `league/entries/`.
"""
