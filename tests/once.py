"""What takes long to make and is changed by no test for the next: made once for all tests of a file."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def made_once(blocker) -> Iterator[None]:
    """For a fixture of a module, which needs `django_db_setup` and hands its `django_db_blocker` over.

    It is all in a transaction that is rolled back after the last test; what each test writes is rolled back before.
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
