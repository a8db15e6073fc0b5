"""manage.py users: list accounts, block and unblock one, or make one an owner of the server."""

from argparse import ArgumentParser
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import validate_email
from django.db.models import Q
from django.urls import reverse

from league.access.server import server_address
from league.accounts.block import block_account, make_owner, unblock_account
from league.lib.command import SentenceCommand
from league.models import User

ACTIONS = ("list", "block", "unblock", "owner")


class Command(SentenceCommand):
    help = "List the accounts, block or unblock one, or make one an owner of this server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=ACTIONS)
        parser.add_argument("email", nargs="?", metavar="EMAIL", help="of the account")

    def handle(self, *args: Any, action: str, email: str | None, **options: Any) -> None:
        if action == "list":
            return self._list()
        if not email:
            raise CommandError(f"Name the account: users {action} EMAIL.", returncode=2)
        email = email.strip().lower()
        if action == "owner":
            return self._make_owner(email)
        user = _account(email)
        if action == "block":
            done = block_account(user=user, by=None)
            self.stdout.write(f"{email} is blocked{'.' if done else ' already.'}")
        else:
            done = unblock_account(user=user, by=None)
            self.stdout.write(f"{email} can sign in again." if done else f"{email} is not blocked.")

    def _list(self) -> None:
        users = User.objects.filter(Q(is_active=True) | Q(blocked_at__isnull=False)).order_by("email")
        width = max((len(user.email) for user in users), default=0)
        for user in users:
            state = "blocked" if user.blocked_at else "owner" if user.is_superuser else "account"
            signed_in = f"{user.last_login:%Y-%m-%d}" if user.last_login else "never"
            self.stdout.write(f"{user.email:{width}}  {state:7}  {signed_in:10}  {user.name}".rstrip())
        if not users:
            self.stdout.write("There is no account yet.")

    def _make_owner(self, email: str) -> None:
        try:
            validate_email(email)
        except ValidationError:
            raise CommandError(f"“{email}” is no e-mail address.", returncode=2) from None
        user = User.objects.filter(email=email).first() or User.objects.create_user(email)
        done = make_owner(user=user)
        self.stdout.write(f"{email} owns this server {'now' if done else 'already'}.")
        if not user.has_usable_password():
            self.stdout.write(f"This link sets the password. It works once, for three days:\n{_password_link(user)}")


def _account(email: str) -> User:
    if user := User.objects.filter(email=email).first():
        return user
    raise CommandError(f"There is no account {email}. “users list” shows all accounts.", returncode=2)


def _password_link(user: User) -> str:
    key, at = default_token_generator.make_token(user), user_pk_to_url_str(user)
    return server_address() + reverse("account_reset_password_from_key", kwargs={"uidb36": at, "key": key})
