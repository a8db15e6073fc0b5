"""Ratings of a club's players, from all of its tables.

Begin with `model.py` (pure), then `compute.py`, run by the worker. Imports standings and everything below.
"""
