"""Attendance of a club, read once for the page and its files.

Begin with `who_came.py`; `page.py` is the page as a value, `views.py` its addresses.
"""
