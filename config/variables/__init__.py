"""The settings of a machine: `declared.py` lists them, `read.py` finds their values, `check.py` is `wild-league check`.

`config/settings.py` reads all of them through here. Nothing here imports Django's settings, so that faults can be
reported when those can't be loaded.
"""
