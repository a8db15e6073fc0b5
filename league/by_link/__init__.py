"""What people do without an account: players and scorers who have a link.

Begin with `scorers.py` and `player_links.py`, then the page "my table". It imports entries and public and what is
below.
"""
