"""Hands as they were played: recorded, corrected, disputed, taken back; the one path of results.

Begin with `record.py` (`record_hand`). It imports league and the models of games.
"""
