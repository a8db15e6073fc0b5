"""The organiser's page *Now* as values. `next_step_card.py` has the words and buttons of the next step."""
