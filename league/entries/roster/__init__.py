"""Lists of names as people paste them, read line by line.

Begin with `parse.py`, then `rows.py`. All but `csv_file.py` is pure, and the room imports only `league/lib`.
"""
