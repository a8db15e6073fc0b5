"""Online tables: players play the hand here, the engine referees it, and the result is recorded like any other.

Begin with `play/`, where moves are checked and stored. `page/` shows them, only through `engine.view.view_for`.
`director/`, `casual/` and `proof/` serve directors, friends and players who verify hands. This package has the shared
views.
"""
