"""Build addresses of tournaments and clubs from their names."""

import secrets
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from league.models import Club, Tournament
from league.models.people import Visibility

Addressed = TypeVar("Addressed", Tournament, Club)

TAKEN = {"new"}  # /clubs/new/ is a page


def with_new_slug(record: Addressed) -> Addressed:
    """Save a new row under a free address; a secret one has 48 random bits."""
    base = _base_of_slug(record)
    guessable = record.visibility == Visibility.PUBLIC and base not in TAKEN
    record.slug = base if guessable else unguessable_slug(record)
    try:
        # A savepoint: two organisers may choose one name at the same moment.
        with transaction.atomic():
            record.save(force_insert=True)
    except IntegrityError:
        record.slug = unguessable_slug(record)
        record.save(force_insert=True)
    return record


def unguessable_slug(record: Tournament | Club) -> str:
    return f"{_base_of_slug(record)}-{secrets.token_hex(6)}"


def _base_of_slug(record: Tournament | Club) -> str:
    return slugify(record.name)[:60].strip("-") or ("club" if isinstance(record, Club) else "tournament")
