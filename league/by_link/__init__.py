"""Pages for people without an account: players and scorers with a link.

Begin with `scorer_views.py` and `player_links.py`, then "my table". Imports entries, public, roles and everything
below.
"""
