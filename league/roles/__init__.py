"""Who may do what in a tournament and a club: invitations, accepted, revoked, given up.

Begin with `tournament_roles.py` and `club_roles.py`; rights themselves stand in `league/access/rights.py`. It imports
by_link and what is below.
"""
