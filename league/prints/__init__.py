"""Build prints on paper: the list, their permissions and their rows.

Begin with `documents.py`; `pdf/` lays the rows out without a database. May import public and the packages below it.
"""
