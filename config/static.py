"""The addresses of static files: each is made once, since a page of cards names the same few files dozens of times."""

from typing import Any

from django.contrib.staticfiles.storage import StaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class _Remembers:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._addresses: dict[str, str] = {}

    def url(self, name: str, *args: Any, **kwargs: Any) -> str:
        if name not in self._addresses:
            self._addresses[name] = super().url(name, *args, **kwargs)  # type: ignore[misc]
        return self._addresses[name]


class PlainStorage(_Remembers, StaticFilesStorage):  # type: ignore[misc]
    """Files as they lie in the packages."""


class HashedStorage(_Remembers, CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files that were collected, named by their content."""
