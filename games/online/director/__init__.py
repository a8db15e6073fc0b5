"""A director's actions at an online table: pause, undo, finish on paper, change players.

Begin with `services.py`; `actions.py` is the table of actions. It imports the page of an online table and the packages
below it.
"""
