"""Record, correct, dispute and void hands: the one path of results.

Start with `record.py` (`record_hand`). This package imports league and the models of games.
"""
