"""A tournament's rounds: draw, publish, time, pause, re-seat, close and undo them.

Start with `steps.py`, which decides the next step. This package imports ratings, standings and the ledger.
"""
