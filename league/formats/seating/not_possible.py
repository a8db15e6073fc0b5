"""Define the refusal of formats and seatings."""

from engine.sentences import Sentence


class NotPossible(ValueError):
    """A request can’t be played or seated. `sentence` has the reason and what is possible, `str()` the English text."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.sentence = why
