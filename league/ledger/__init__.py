"""The scores: their only writer, and what follows from them about tables and rounds.

Begin with `scores.py` (`post_score`), then `league/ledger/progress.py`, which says when a table is done. It imports the
log and what is below.
"""
