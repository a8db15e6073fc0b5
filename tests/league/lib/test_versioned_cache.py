"""What is kept in memory under what the database says."""

import pytest
from django.db import transaction

from league.lib.versioned_cache import VersionedCache

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_value_is_given_out_for_its_own_version_alone():
    known = VersionedCache(2)
    known.put("Ana", 1, "first")
    assert (known.get("Ana", 1), known.get("Ana", 2), known.get("Benoît", 1)) == ("first", None, None)
    known.put("Ana", 2, "second")
    assert (known.get("Ana", 1), known.get("Ana", 2)) == (None, "second")


def test_the_one_that_was_not_asked_for_longest_goes_first():
    known = VersionedCache(2)
    for name in ("Ana", "Benoît"):
        known.put(name, 1, name)
    known.get("Ana", 1)
    known.put("Chidi", 1, "Chidi")
    assert [known.get(name, 1) for name in ("Ana", "Benoît", "Chidi")] == ["Ana", None, "Chidi"]


def test_in_a_transaction_nothing_is_kept():
    known = VersionedCache(2)
    with transaction.atomic():
        known.put("Ana", 1, "of a change that may fail")
    assert known.get("Ana", 1) is None


def test_everything_of_everybody_can_be_forgotten():
    known, other = VersionedCache(2), VersionedCache(2)
    known.put("Ana", 1, "Ana")
    other.put("Ana", 1, "Ana")
    VersionedCache.forget_all()
    assert known.get("Ana", 1) is other.get("Ana", 1) is None
