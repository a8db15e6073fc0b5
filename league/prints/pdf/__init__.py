"""Lay out rows as pages on paper, without a database.

Begin with `document.py` (the interface of a print) and `sheet.py` (the paper), then any print. May import the engine
and `league/lib`.
"""
