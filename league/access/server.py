"""Questions about the server itself: who owns it, whether it is new, whether people can sign up, and its address."""

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.lib.translate import names
from league.models import Server, Tournament, User


def owners() -> QuerySet[User]:
    """Return the accounts that own this server."""
    return User.objects.filter(is_superuser=True, is_active=True).order_by("pk")


def has_owner() -> bool:
    return owners().exists()


def is_new() -> bool:
    """Return whether the server has no owner yet and isn't in use: no event, no demo data, no upgrade."""
    in_use = Server.objects.exists() or Tournament.objects.filter(kind=Tournament.Kind.EVENT).exists()
    return not in_use and not has_owner()


def sign_up_is_open() -> bool:
    """Return whether anyone can create an account. WILD_SIGNUP overrides the owner's choice."""
    if settings.SIGN_UP_OPEN is not None:
        return bool(settings.SIGN_UP_OPEN)
    return Server.objects.filter(sign_up_open=True).exists()


def set_sign_up(*, is_open: bool) -> None:
    Server.objects.update_or_create(pk=Server.ROW, defaults={"sign_up_open": is_open})


def whom_to_ask() -> str:
    """Return a sentence that names the owners, for pages of a server without sign-up."""
    if named := [owner.name for owner in owners() if owner.name]:
        return _("Ask %(names)s, who runs this server, for an account.") % {"names": names(named)}
    return _("Ask the person who runs this server for an account.")


def server_address(port: int | None = None) -> str:
    """Return “https://cards.example.org”, for links in the terminal, or nothing if it isn't known.

    port: of plain http; only `serve` knows it.
    """
    if settings.PUBLIC_ORIGIN:
        return str(settings.PUBLIC_ORIGIN)
    named_hosts = [] if settings.LOCAL_HOSTS_ONLY else [host.lstrip(".") for host in settings.ALLOWED_HOSTS]
    host = next((host for host in named_hosts if host != "*"), "localhost")
    if not settings.HTTPS:
        return f"http://{host}:{port}" if port else ""
    named = settings.HOST_PORTS.get(host)
    return f"https://{host}:{named}" if named else f"https://{host}"
