"""Odds of places while a tournament goes on, drawn from hands that were played.

Begin with `simulate.py` (pure), then `compute.py`, which the worker runs. It imports standings and what is below.
"""
