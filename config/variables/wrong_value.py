"""The fault of a setting's value, before it is known which setting has it."""

from engine.sentences import Sentence


class WrongValue(ValueError):
    """template: a sentence without its last point, in which %(setting)s stands for the setting's name."""

    def __init__(self, template: Sentence) -> None:
        super().__init__(template)
        self.template = template

    def of(self, setting: str) -> Sentence:
        return Sentence(self.template.template, {**self.template.params, "setting": setting})

    def __str__(self) -> str:
        return str(self.of("This"))
