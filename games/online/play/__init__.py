"""A hand played online: sealed, dealt, moved, ended. Its moves are the only truth.

Begin with `games/online/play/deals.py`, then `games/online/play/moves.py`; `replay.py` makes the hand from its moves.
It imports `games/hands`, and no page.
"""
