"""Read lists of people, pasted, CSV or spreadsheet, into rows.

Begin with `parse.py`; `files.py` turns bytes into text first. All but `files.py` is pure. The package imports only
league.lib.
"""
