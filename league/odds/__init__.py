"""Compute odds of a running tournament by simulation, from recorded bot hands.

Begin with `simulate.py` (pure), then `compute.py`, run by the worker. May import standings and the packages below it.
"""
