"""Static files: addresses contain a hash of the content, so browsers cache them forever. They are computed once, since
a page of cards repeats a few files dozens of times."""

from hashlib import blake2b
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage, staticfiles_storage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

FOR_GOOD = "max-age=315360000, public, immutable"


class _CachedAddresses:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._addresses: dict[str, str] = {}

    def url(self, name: str, *args: Any, **kwargs: Any) -> str:
        if name not in self._addresses:
            self._addresses[name] = super().url(name, *args, **kwargs)  # type: ignore[misc]
        return self._addresses[name]


class _HashedAddresses(StaticFilesStorage):
    """Add a hash of the content to the address, so that browsers may cache it forever (`Files`)."""

    def url(self, name: str | None) -> str:
        path = finders.find(name or "")
        version = f"?v={blake2b(Path(path).read_bytes(), digest_size=6).hexdigest()}" if isinstance(path, str) else ""
        return super().url(name) + version


class PlainStorage(_CachedAddresses, _HashedAddresses):  # type: ignore[misc]
    """Files in the installed packages."""


class HashedStorage(_CachedAddresses, CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Collected files, named by their content."""


class Files(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Serve static files. Hashed addresses need no revalidation."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = super().__call__(request)
        is_file = response.status_code in (200, 304) and request.path_info.startswith(self.static_prefix)
        if is_file and (version := request.GET.get("v")):
            name = request.path_info.removeprefix(self.static_prefix)
            if staticfiles_storage.url(name).endswith(f"?v={version}"):
                response["Cache-Control"] = FOR_GOOD
        return response
