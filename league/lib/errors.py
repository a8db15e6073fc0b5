"""Define the errors of services that refuse a request: services raise them, views and commands translate them.

Nothing has changed when one is raised.
"""

from typing import Any


class Refused(Exception):
    """The request can't be carried out. `code`: stable for programs; `message`: a sentence for people.

    `fields`: the form fields at fault, {field: [sentence, …]}.
    """

    status = 422

    def __init__(self, code: str, message: str, *, fields: dict[str, list[str]] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fields = fields or {}

    def __str__(self) -> str:
        return str(self.message)


class Conflict(Refused):
    """Another request was faster, or the state forbids it now. `current`: the current state, if available."""

    status = 409

    def __init__(self, code: str, message: str, *, current: Any = None) -> None:
        super().__init__(code, message)
        self.current = current
