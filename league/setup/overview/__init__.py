"""What the organiser's page *Now* says, as values. `next_step_card.py` has the words and buttons of the next step."""
