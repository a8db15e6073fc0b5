"""The page of an online table, made only from what its viewer may see.

Begin with `page.py` and `picture.py`, which calls `engine.view.view_for`. It imports `games/online/play` and
`games/entry`.
"""
