"""Prints on paper: which there are, who may have them and which rows they get.

Begin with `documents.py`; `pdf/` lays the rows out without a database. It imports public and what is below.
"""
