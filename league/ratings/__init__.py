"""Ratings of a club's players from all of its tables.

Begin with `model.py` (pure), then `compute.py`, which the worker runs. It imports standings and what is below.
"""
