"""Clubs: members, teams, merged records, settings.

Begin with `clubs.py` and `members.py`. Imports roles and everything below; seasons build on this package.
"""
