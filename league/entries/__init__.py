"""Entries before the first round: sign-up, lists, teams, places, check-in and reminders.

Begin with `sign_up.py` and `list_order.py`. The package imports league.rounds and lower packages.
"""
