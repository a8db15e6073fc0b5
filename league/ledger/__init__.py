"""The scores: their only writer, and the states of tables and rounds that follow from them.

Start with `scores.py` (`post_score`), then `progress.py`, which decides when a table is done. This package imports the
log and the layers below.
"""
