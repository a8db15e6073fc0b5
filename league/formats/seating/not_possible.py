"""The refusal of formats and seatings."""

from engine.sentences import Sentence


class NotPossible(ValueError):
    """What was asked for cannot be played or seated. `sentence` says why and what can be, `str()` in English."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.sentence = why
