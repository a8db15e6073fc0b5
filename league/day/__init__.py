"""What a director does about people and tables while a tournament goes on; every action has a preview and an undo.

Begin with `entrants.py` and `preview.py`. It imports background and what is below.
"""
