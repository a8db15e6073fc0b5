"""The frames of tournament and club pages, and plain responses, shared by all subjects.

Begin with `tournament_page.py` and `league/pages/club_page.py`, which add the common context. It imports the ledger and
the packages below.
"""
