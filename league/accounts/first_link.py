"""The link of a server's first start: it makes the first owner, or starts restoring a backup, once.

The terminal shows it; the database has its hash. A newer start replaces it, and an owner ends it.
"""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from league.access.secrets import digest_of
from league.access.server import has_owner
from league.lib.errors import Conflict, Refused
from league.models import FirstLink, Server, User

LIFETIME = timedelta(hours=24)
LONGEST_RESTORE = timedelta(minutes=30)  # after this time, its process has ended without a result


@transaction.atomic
def new_link() -> str | None:
    """Replace the link and return its secret; None if the server has an owner."""
    if has_owner():
        return None
    secret, now = secrets.token_urlsafe(24), timezone.now()
    columns = {"digest": digest_of(secret), "created_at": now, "expires_at": now + LIFETIME}
    columns |= {"used_at": None, "restoring_since": None, "problem": ""}
    FirstLink.objects.update_or_create(pk=FirstLink.ROW, defaults=columns)
    return secret


def check_link(secret: str, *, lock: bool = False) -> FirstLink:
    """Return the link's row. Raises Conflict with a sentence if the link doesn't work."""
    rows = FirstLink.objects.select_for_update() if lock else FirstLink.objects.all()
    link = rows.filter(pk=FirstLink.ROW).first()
    if has_owner():
        raise Conflict("owned", _("This server has an owner already. Nothing was changed; sign in instead."))
    if link is None or link.used_at or not constant_time_compare(link.digest, digest_of(secret)):
        raise Conflict("unknown", _("This link doesn’t work. Each start makes a new one: open the newest."))
    if link.expires_at <= timezone.now():
        raise Conflict("expired", _("This link has expired after 24 hours. Restart the server to get a new one."))
    return link


def is_restoring(link: FirstLink, now: datetime) -> bool:
    return link.restoring_since is not None and now - link.restoring_since < LONGEST_RESTORE


def _check_idle(link: FirstLink) -> None:
    if is_restoring(link, timezone.now()):
        raise Conflict("restoring", _("A backup is being restored. Wait until it is done."))


@transaction.atomic
def set_up(*, secret: str, name: str, email: str, password: str) -> User:
    """Make the first owner and use up the link. Raises Conflict if the link doesn't work, Refused for the address."""
    link = check_link(secret, lock=True)
    _check_idle(link)
    if User.objects.filter(email=email.strip().lower()).exists():
        sentence = _("This address has an account. In the terminal, “users owner” and the address make it the owner.")
        raise Refused("email", sentence, fields={"email": [sentence]})
    user = User.objects.create_superuser(email, password, name=name)
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    Server.objects.get_or_create(pk=Server.ROW)
    return user


@transaction.atomic
def begin_restore(secret: str) -> None:
    """Mark that a backup is being restored: only one at a time, and no owner is made until its end."""
    link = check_link(secret, lock=True)
    _check_idle(link)
    link.restoring_since, link.problem = timezone.now(), ""
    link.save(update_fields=["restoring_since", "problem"])


def end_restore(problem: str) -> None:
    """Record the result. The link is used up if the backup brought an owner."""
    columns = {"restoring_since": None, "problem": problem}
    FirstLink.objects.filter(pk=FirstLink.ROW).update(**columns, used_at=timezone.now() if has_owner() else None)


def restore_state(secret: str) -> FirstLink | None:
    """Return the row of this link, also when it is used up; None for another link."""
    link = FirstLink.objects.filter(pk=FirstLink.ROW).first()
    return link if link and constant_time_compare(link.digest, digest_of(secret)) else None


def may_send_backup(secret: str) -> bool:
    """Return whether this link may send a large file (config/web.py)."""
    try:
        check_link(secret)
    except Conflict:
        return False
    return True
