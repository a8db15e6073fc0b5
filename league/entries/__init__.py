"""Who plays: sign-up, lists, teams, places, check-in and reminders before the first round.

Begin with `sign_up.py` and `list_order.py`. It imports rounds and what is below.
"""
