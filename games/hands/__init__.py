"""Records, corrects, disputes and takes back hands; the one path of results.

Begin with `record.py` (`record_hand`). It imports league and the models of games.
"""
