"""Roles in tournaments and clubs: invite, accept, revoke, give up; and scorer links.

Begin with `roles.py`; `league/access/rights.py` defines the rights. Imports pages and everything below.
"""
