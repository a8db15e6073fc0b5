"""Lists of names as people paste them, and what is understood of each line.

Begin with `parse.py`, then `rows.py`. All but `csv_file.py` is pure, and it imports `league/lib` alone.
"""
