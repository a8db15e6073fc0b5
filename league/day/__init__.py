"""A director's actions on people and tables during a tournament; every action has a preview and an undo.

Begin with `entrants.py` and `preview.py`. The package imports league.background and lower packages.
"""
