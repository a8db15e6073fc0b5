"""The settings of a machine: `declared.py` lists them, `read.py` finds their values, `check.py` is `wild-league check`.

`config/settings.py` reads all of them through here. Only `hosts.py`, which answers requests for unknown hosts, imports
Django's settings: faults must be reported when those can't be loaded.
"""
