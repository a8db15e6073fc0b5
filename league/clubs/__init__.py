"""Clubs: members, teams, merged records, settings.

Begin with `clubs.py` and `members.py`. Imports roles and everything below; seasons and member cards build on it.
"""
