"""Who plays: sign-up, lists, teams, places, arrivals and reminders before the first round.

Begin with `sign_up.py` and `list_order.py`. It imports rounds and what is below.
"""
