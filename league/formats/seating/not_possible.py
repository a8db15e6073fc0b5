"""The refusal of formats and seatings."""

from engine.sentences import Sentence


class NotPossible(ValueError):
    """A request cannot be played or seated. `sentence` says why and what is possible, `str()` in English."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.sentence = why
