"""The errors of services that refuse a request: services raise them, views and commands translate them.

Nothing has changed when one is raised.
"""

from typing import Any


class Refused(Exception):
    """The request cannot be carried out. `code` is stable for programs, `message` is the sentence a person reads.

    `fields` names the form fields at fault: {field: [sentence, …]}.
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
    """Somebody was faster, or the state does not allow it now. `current`: the state now, if that can be shown."""

    status = 409

    def __init__(self, code: str, message: str, *, current: Any = None) -> None:
        super().__init__(code, message)
        self.current = current
