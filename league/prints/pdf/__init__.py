"""From rows to pages on paper, without a database.

Begin with `document.py` (what a print is) and `sheet.py` (the paper), then any print. It imports the engine and
`league/lib`.
"""
