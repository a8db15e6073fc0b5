"""What people do without an account: players and scorers who have a link.

Begin with `scorer_views.py` and `player_links.py`, then the page "my table". It imports entries, public and roles, and
what is below.
"""
