"""Lists of people as clubs keep them, read into rows: pasted names, CSV files, spreadsheets.

Begin with `parse.py`; `files.py` turns the bytes of a file into text first. All but `files.py` is pure, and the room
imports only `league/lib`.
"""
