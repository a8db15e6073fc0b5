"""Online tables: the hand is played here, the engine is the referee, and its result goes the way of all results.

`deals` seals the deck and deals, `replay` makes the hand of its moves, `moves` takes what players do, `clock` says what
happens when, `finish` hands the result to `games.hands.record.record_hand`. Whatever leaves the server is made by
`engine.view.view_for`.
"""
