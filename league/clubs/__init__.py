"""Clubs: members, teams, records that are merged, settings.

Begin with `clubs.py` and `members.py`. It imports roles and what is below; seasons build on it.
"""
