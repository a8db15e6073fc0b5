"""What a director does at an online table: stop, undo, play on paper, put somebody in.

Begin with `services.py`; `actions.py` is the table of what there is. It imports the page of an online table and what is
below.
"""
