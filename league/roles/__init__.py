"""Who may do what in a tournament and a club: invitations, accepted, revoked, given up; and the links of scorers.

Begin with `roles.py`; rights themselves stand in `league/access/rights.py`. It imports pages and what is below.
"""
