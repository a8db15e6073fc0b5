"""What pages of every subject share: the frame of a tournament and of a club, and plain answers.

Begin with `tournament_page.py` and `league/pages/club_page.py`, which add to a page what all of its kind show. It
imports the ledger and what is below.
"""
