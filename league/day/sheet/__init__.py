"""The sheet of a player and the sheet of a table: every action about one of them, with what it would change.

Begin with `values.py` and `person_page.py`. It imports league.day and what is below.
"""
