"""What goes on paper: which prints there are, who may have them and which rows they get.

Begin with `documents.py`; `pdf/` lays the rows out and knows no database. It imports public and what is below.
"""
