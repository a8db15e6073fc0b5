"""Delete expired sessions, old form keys and the sessions of a closed account.

Also removes addresses of erased people from other sessions.
"""

import json
from collections.abc import Collection
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from league.models import FormAnswer, User

FORMS_LIVE = timedelta(days=1)  # how long a repeated form leads to its result
AT_ONCE = 1000  # rows a transaction: on SQLite, results wait for it


def delete_expired(now: datetime) -> int:
    """Delete a batch of expired sessions and old form keys; return the number of sessions."""
    old = FormAnswer.objects.filter(at__lt=now - FORMS_LIVE).values_list("pk", flat=True)[:AT_ONCE]
    FormAnswer.objects.filter(pk__in=list(old)).delete()
    expired = Session.objects.filter(expire_date__lt=now).values_list("pk", flat=True)[:AT_ONCE]
    return Session.objects.filter(pk__in=list(expired)).delete()[0]


def forget_forms(texts: Collection[str]) -> None:
    """Delete form keys whose answer contains one of these texts, such as a name, ignoring case."""
    forms = FormAnswer.objects.annotate(texts=Cast("messages", TextField()), session_text=Cast("session", TextField()))
    for text in filter(None, texts):
        for written in {text, json.dumps(text)[1:-1]}:
            forms.filter(Q(texts__icontains=written) | Q(session_text__icontains=written)).delete()


def clean_sessions(addresses: Collection[str], *, of: User | None = None) -> None:
    """Remove e-mail addresses from all sessions, and end those of an account."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    unwanted = {address.lower() for address in addresses if "@" in address}
    changed, ended = {}, []
    for key, text in Session.objects.values_list("pk", "session_data").iterator():
        data = store.decode(text)
        if of and data.get(SESSION_KEY) == str(of.pk):
            ended.append(key)
        elif (cleaned := _without(data, unwanted)) != data:
            changed[key] = store.encode(cleaned)
    Session.objects.filter(pk__in=ended).delete()
    for key, text in changed.items():
        Session.objects.filter(pk=key).update(session_data=text)


def _without(value: Any, unwanted: set[str]) -> Any:
    if isinstance(value, str):
        return "" if value.lower() in unwanted else value
    if isinstance(value, list):
        return [_without(part, unwanted) for part in value]
    if isinstance(value, dict):
        return {key: _without(part, unwanted) for key, part in value.items()}
    return value
