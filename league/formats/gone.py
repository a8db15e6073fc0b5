"""A format that is not there any more, in data of a server that had it."""

from engine.sentences import Sentence, sentence
from league.formats.protocol import Chosen, Draw, Format
from league.formats.seating.not_possible import NotPossible


class Gone(Format):
    """Its hands count as points, and nothing is drawn any more."""

    def __init__(self, key: str) -> None:
        self.key = self.name = key

    def complete(self, chosen: Chosen) -> dict[str, int | None]:
        return dict(chosen)

    def problems(self, chosen: Chosen, players: int | None) -> dict[str, Sentence]:
        return {"format": self._gone()}

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        raise NotPossible(self._gone())

    def _gone(self) -> Sentence:
        return sentence(
            "This server has no format “%(name)s” any more, so nothing can be drawn or changed in it. What was played "
            "counts; end the tournament, or copy its players into a new one.",
            name=self.key,
        )
