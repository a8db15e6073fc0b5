"""What anybody can check of a hand that is over: its seal, its log and its replay.

Begin with `games/online/proof/proof.py`. It imports the page of an online table and what is below.
"""
