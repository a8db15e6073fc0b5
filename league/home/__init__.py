"""The first page, and the credits: pages that belong to no tournament.

Begin with `page.py`, which says what the first page shows. It imports every other room of the league.
"""
