"""A tournament's rounds: drawn, published, timed, paused, seated anew, closed and undone.

Begin with `steps.py`, which knows the next step. It imports ratings, standings and the ledger.
"""
