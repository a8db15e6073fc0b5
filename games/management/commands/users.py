"""manage.py users: list accounts, block and unblock one, make one an owner, or print the link of the first start."""

from argparse import ArgumentParser
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import validate_email
from django.urls import reverse

from games.server.accounts import all_accounts
from games.server.first_start import tell_link
from league.access.server import server_address
from league.accounts.block import block_account, make_owner, unblock_account
from league.lib.command import SentenceCommand
from league.models import User

ACTIONS = ("list", "block", "unblock", "owner", "setup-link")
WITHOUT_EMAIL = ("list", "setup-link")


class Command(SentenceCommand):
    help = "List the accounts, block or unblock one, make one an owner of this server, or print the link to set it up."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=ACTIONS)
        parser.add_argument("email", nargs="?", metavar="EMAIL", help="of the account")
        parser.add_argument(
            "--at-start", action="store_true", help="for setup-link: as at each start, nothing if there is an owner"
        )

    def handle(self, *args: Any, action: str, email: str | None, at_start: bool = False, **options: Any) -> None:
        if action in WITHOUT_EMAIL:
            if email:
                raise CommandError(f"“users {action}” takes no e-mail address.", returncode=2)
            return self._list() if action == "list" else self._setup_link(at_start)
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
        users = all_accounts().order_by("email")
        width = max((len(user.email) for user in users), default=0)
        for user in users:
            state = "blocked" if user.blocked_at else "owner" if user.is_superuser else "account"
            signed_in = f"{user.last_login:%Y-%m-%d}" if user.last_login else "never"
            self.stdout.write(f"{user.email:{width}}  {state:7}  {signed_in:10}  {user.name}".rstrip())
        if not users:
            self.stdout.write("There is no account yet.")

    def _setup_link(self, at_start: bool) -> None:
        if not tell_link(self.stdout.write, server_address(), is_command=not at_start) and not at_start:
            raise CommandError("This server has an owner already. “users list” names the owners.", returncode=2)

    def _make_owner(self, email: str) -> None:
        try:
            validate_email(email)
        except ValidationError:
            raise CommandError(f"“{email}” is no e-mail address.", returncode=2) from None
        user = User.objects.filter(email=email).first() or User.objects.create_user(email)
        done = make_owner(user=user)
        self.stdout.write(f"{email} owns this server {'now' if done else 'already'}.")
        if not user.has_usable_password():
            what = "This link" if server_address() else "This path at the server’s address"
            self.stdout.write(f"{what} sets the password. It works once, for three days:\n{_password_link(user)}")


def _account(email: str) -> User:
    if user := User.objects.filter(email=email).first():
        return user
    raise CommandError(f"There is no account {email}. “users list” shows all accounts.", returncode=2)


def _password_link(user: User) -> str:
    key, at = default_token_generator.make_token(user), user_pk_to_url_str(user)
    return server_address() + reverse("account_reset_password_from_key", kwargs={"uidb36": at, "key": key})
