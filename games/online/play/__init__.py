"""A hand as it is played online: sealed, dealt, moved, ended; its moves are the truth.

Begin with `games/online/play/deals.py`, then `games/online/play/moves.py`; `replay.py` makes the hand from its moves.
It imports `games/hands`, and no page.
"""
