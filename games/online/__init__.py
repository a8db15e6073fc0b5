"""Online tables: the hand is played here, the engine is the referee, and its result goes the way of all results.

Begin with `play/`, where moves are made and stored; `page/` shows them, by `engine.view.view_for` alone, `director/`,
`casual/` and `proof/` are for directors, friends and doubters. Here are what all of them need together: the addresses.
"""
