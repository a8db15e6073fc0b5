"""Create once: a form that is sent again, by a second tap or a reload, leads to the first result.

Every form that creates something has a hidden key (`{% form_key %}`), and its view is decorated with `creates_once`. A
key is bound to visitor, address and content, so a changed form is another one. Forms without a key, from old pages or
scripts, are processed normally.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import wraps
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from league.models import FormAnswer

FIELD = "form_key"
MOST = 64  # characters in a key
NO_CONTENT = (FIELD, "csrfmiddlewaretoken")

View = Callable[..., HttpResponse]


def key_of(request: HttpRequest) -> str:
    """Return the key for the forms on this page: the one of a refused form, otherwise a new one."""
    if getattr(request, "form_key_used", False) or not (sent := _key_sent(request)):
        return secrets.token_urlsafe(16)
    return sent


def creates_once(view: View) -> View:
    """Decorate a view whose form creates something and then redirects without an error, or calls `created`.

    The view runs in a transaction that starts with the key's row, so the second of two equal forms waits for the first.
    A form that created nothing leaves no row, and its key stays usable.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _key_sent(request):
            return view(request, *args, **kwargs)
        with _row_of(request) as (row, earlier):
            if earlier is not None:
                return earlier
            response = view(request, *args, **kwargs)
            if row is not None:
                location = getattr(request, "form_created", "") or _location(request, response)
                _keep(request, row, location)
            return response

    answer.creates_once = True  # type: ignore[attr-defined]
    return answer


@contextmanager
def creating_once(request: HttpRequest, location: str, *, again: str = "") -> Iterator[HttpResponse | None]:
    """Create something in a part of a view; yield the earlier response if this form already created it.

    For views that then contact a mail server, which no transaction should wait for. location, again: target and message
    when the form is sent again.
    """
    if not _key_sent(request):
        yield None
        return
    with _row_of(request) as (row, earlier):
        yield earlier
        if row is not None and earlier is None:
            created(request, location, again=again)
            _keep(request, row, location)


def created(request: HttpRequest, location: str, *, again: str = "") -> None:
    """Note that the form of this request created something, although the response is no redirect.

    location, again: target and message when the form is sent again.
    """
    request.form_created, request.form_again = location, again  # type: ignore[attr-defined]
    request.form_key_used = True  # type: ignore[attr-defined]


@contextmanager
def _row_of(request: HttpRequest) -> Iterator[tuple[FormAnswer | None, HttpResponse | None]]:
    """Yield the new row of a form, or the response to the earlier form with its key, in one transaction."""
    visitor = _visitor(request)
    request.form_session = deepcopy(dict(request.session.items()))  # type: ignore[attr-defined]
    with transaction.atomic():
        row, is_new = FormAnswer.objects.get_or_create(digest=_digest(request), defaults={"visitor": visitor})
        if is_new:
            yield row, None
        elif visitor in (row.visitor, row.visitor_then):
            yield row, _answer_again(request, row)
        else:
            yield None, None  # another visitor's key


def _keep(request: HttpRequest, row: FormAnswer, location: str) -> None:
    if not location:
        row.delete()
        return
    before: dict[str, Any] = request.form_session  # type: ignore[attr-defined]
    changed = {key: value for key, value in request.session.items() if before.get(key) != value}
    row.location, row.visitor_then = location, _visitor(request)
    row.messages = [[message.level, str(message.message), message.extra_tags] for message in _added(request)]
    if again := getattr(request, "form_again", ""):
        row.messages.append([messages.INFO, again, ""])
    row.session = {key: [before.get(key), value] for key, value in changed.items()}
    row.save()


def _answer_again(request: HttpRequest, row: FormAnswer) -> HttpResponse:
    """Redirect to the created object with the same messages, in the session state that resulted."""
    session, waiting = request.session, [(message.level, str(message)) for message in _waiting(request)]
    wanted = {key: after for key, (before, after) in row.session.items() if session.get(key) == before != after}
    if wanted:  # the first response never reached this browser
        session.update(wanted)
        session.cycle_key()
    for level, text, tags in row.messages:
        if (level, text) not in waiting:
            messages.add_message(request, level, text, extra_tags=tags)
    return HttpResponseRedirect(row.location)


def _location(request: HttpRequest, response: HttpResponse) -> str:
    failed = any(message.level >= messages.ERROR for message in _added(request))
    is_redirect = 300 <= response.status_code < 400
    return response["Location"] if is_redirect and not failed else ""


def _added(request: HttpRequest) -> list[Any]:
    """Return the messages that this request has added."""
    storage: Any = messages.get_messages(request)
    return list(storage._queued_messages)


def _waiting(request: HttpRequest) -> list[Any]:
    """Return the messages that no page has shown yet."""
    storage: Any = messages.get_messages(request)
    return list(storage._loaded_messages)


def _key_sent(request: HttpRequest) -> str:
    key = request.POST.get(FIELD, "") if request.method == "POST" else ""
    return key if len(key) <= MOST else ""


def _visitor(request: HttpRequest) -> str:
    """Return a string for the account or, without one, the browser."""
    if request.user.is_authenticated:
        return f"account {request.user.pk}"
    return _hash("browser", request.META.get("CSRF_COOKIE") or "")


def _digest(request: HttpRequest) -> str:
    """Return a digest of key, address and content of a form."""
    fields = sorted((name, values) for name, values in request.POST.lists() if name not in NO_CONTENT)
    files = []
    uploads: list[tuple[str, Any]] = sorted(request.FILES.items())
    for name, upload in uploads:
        content = sha256(b"".join(upload.chunks())).hexdigest()
        upload.seek(0)
        files.append((name, upload.name, content))
    return _hash(_key_sent(request), request.get_full_path(), repr(fields), repr(files))


def _hash(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
