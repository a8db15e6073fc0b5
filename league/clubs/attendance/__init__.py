"""Who came to which event of a club: read once, for the page and its files.

Begin with `who_came.py`; `page.py` is what the page shows, `views.py` its addresses.
"""
