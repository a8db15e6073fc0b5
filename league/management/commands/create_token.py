"""manage.py create_token: create a token for programs; print only the token."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import validate_email

from league.accounts.tokens import DEFAULT_DAYS, make_token
from league.lib.command import SentenceCommand
from league.models import ApiToken, User


class Command(SentenceCommand):
    help = "Make an API token for an account and print it. It cannot be shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL", help="of the account; made without a password if there is none")
        parser.add_argument("--scope", choices=ApiToken.Scope.values, default=ApiToken.Scope.WRITE.value)
        parser.add_argument("--days", type=int, default=DEFAULT_DAYS, help="until it expires")
        parser.add_argument("--name", default="", help="what it is for")

    def handle(self, *args: Any, **options: Any) -> None:
        email = options["email"].strip().lower()
        try:
            validate_email(email)
        except ValidationError:
            raise CommandError(f"“{options['email']}” is no e-mail address.", returncode=2) from None
        user = User.objects.filter(email=email).first() or User.objects.create_user(email)
        _token, secret = make_token(user=user, name=options["name"], scope=options["scope"], days=options["days"])
        self.stdout.write(secret)
