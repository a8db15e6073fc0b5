"""Who stands where: rows are read from the ledger, ranked by a pure function and kept until the next change.

Begin with `ranking.py` (pure), then `read.py`, which reads its rows. It imports the ledger and what is below, and no
page.
"""
