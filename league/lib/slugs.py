"""Addresses of tournaments and clubs, made of their names."""

import secrets
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from league.models import Club, Tournament
from league.models.people import Visibility

Addressed = TypeVar("Addressed", Tournament, Club)

TAKEN = {"new"}  # /clubs/new/ is a page


def with_new_slug(thing: Addressed) -> Addressed:
    """Save something new under an address that is free; one that must not be guessed carries 48 random bits."""
    base = _base_of_slug(thing)
    guessable = thing.visibility == Visibility.PUBLIC and base not in TAKEN
    thing.slug = base if guessable else unguessable_slug(thing)
    try:
        # A savepoint: two organisers may take the same name at the same moment.
        with transaction.atomic():
            thing.save(force_insert=True)
    except IntegrityError:
        thing.slug = unguessable_slug(thing)
        thing.save(force_insert=True)
    return thing


def unguessable_slug(thing: Tournament | Club) -> str:
    return f"{_base_of_slug(thing)}-{secrets.token_hex(6)}"


def _base_of_slug(thing: Tournament | Club) -> str:
    return slugify(thing.name)[:60].strip("-") or ("club" if isinstance(thing, Club) else "tournament")
