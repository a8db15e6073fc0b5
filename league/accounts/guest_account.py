"""The account that owns what people without an account make: casual tables."""

from django.contrib.auth.hashers import make_password

from league.models import User

# Nobody can have this address (RFC 6761), or sign in with it.
ADDRESS = "guests@account.invalid"


def guests() -> User:
    """Return the account; the first call makes it."""
    nobody = {"name": "Guests", "is_active": False, "password": make_password(None)}
    return User.objects.get_or_create(email=ADDRESS, defaults=nobody)[0]
