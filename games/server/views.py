"""The owner's page and its actions. For other visitors there is nothing at these addresses."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.server.accounts import account_list, all_accounts, owned_by
from games.server.page import DOWNLOAD, backup_line, check_settings, server_page
from games.service import backups
from league.access import restore_pause
from league.access.server import set_sign_up
from league.accounts.block import block_account, unblock_account
from league.lib.errors import Refused
from league.models import User
from league.pages.people_list import list_filters, people_part, wants_people

View = Callable[..., HttpResponseBase]


def owners_only(view: View) -> View:
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_superuser:
            raise Http404
        return view(request, *args, **kwargs)

    return answer


@require_safe
@owners_only
def server(request: HttpRequest) -> HttpResponse:
    if name := request.GET.get(DOWNLOAD):
        return _start_download(request, name)  # type: ignore[no-any-return]
    filters = list_filters(request.GET)
    if wants_people(request):
        return people_part(request, account_list(filters))
    return render(request, "games/server/server.html", {"server": server_page(filters)})


@reauthentication_required
def _start_download(request: HttpRequest, name: str) -> HttpResponse:
    """Show the page, which then fetches the file: a link to the file would leave the browser at the password."""
    if not (backup := backups.named(name)):
        raise Http404
    messages.success(request, _("The download starts. Store the file on another machine."))
    response = render(request, "games/server/server.html", {"server": server_page(list_filters(request.GET))})
    response["Refresh"] = f"0; url={reverse('server_backup', args=[backup.name])}"
    return response


@require_POST
@owners_only
def sign_up(request: HttpRequest) -> HttpResponse:
    if settings.SIGN_UP_OPEN is not None:
        messages.error(request, _("The setting WILD_SIGNUP decides this. Remove it to decide here."))
    else:
        is_open = request.POST.get("open") == "yes"
        set_sign_up(is_open=is_open)
        messages.success(request, _("Sign-up is open.") if is_open else _("Sign-up is closed."))
    return redirect("server")


@require_POST
@owners_only
def resume(request: HttpRequest) -> HttpResponse:
    """End the pause after a restore. A second tap finds nothing paused."""
    if restore_pause.resume():
        messages.success(request, _("E-mails and timed actions have resumed."))
    return redirect("server")


@require_safe
@owners_only
def settings_checked(request: HttpRequest) -> HttpResponse:
    return render(request, "games/server/checks.html", {"findings": check_settings()})


@require_safe
@owners_only
def account(request: HttpRequest, account_id: int) -> HttpResponse:
    person = get_object_or_404(all_accounts(), pk=account_id)
    context = {"person": person, "owned": owned_by(person), "is_self": person.pk == request.user.pk}
    return render(request, "games/server/account.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def block(request: HttpRequest, account_id: int) -> HttpResponse:
    """Confirm first: sessions and tokens don't come back."""
    assert isinstance(request.user, User)
    person, problem = get_object_or_404(all_accounts(), pk=account_id), ""
    if request.method == "POST":
        try:
            is_new = block_account(user=person, by=request.user)
        except Refused as refused:
            problem = str(refused)
        else:
            undo = reverse("server_unblock", args=[person.pk])
            if is_new:
                messages.success(request, _("%(name)s is blocked.") % {"name": person}, extra_tags=undo)
            return redirect("server_account", person.pk)
    context = {"person": person, "error_message": problem, "is_self": person.pk == request.user.pk}
    return render(request, "games/server/block.html", context, status=409 if problem else 200)


@require_POST
@owners_only
def unblock(request: HttpRequest, account_id: int) -> HttpResponse:
    assert isinstance(request.user, User)
    person = get_object_or_404(all_accounts(), pk=account_id)
    if unblock_account(user=person, by=request.user):
        messages.success(request, _("%(name)s can sign in again.") % {"name": person})
    return redirect("server_account", person.pk)


@require_POST
@owners_only
def back_up(request: HttpRequest) -> HttpResponse:
    try:
        backups.back_up_by_hand(timezone.now())
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The backup is ready. Download it, and store it on another machine."))
    return redirect(f"{reverse('server')}#backups")


@require_safe
@owners_only
@reauthentication_required
def download(request: HttpRequest, name: str) -> HttpResponseBase:
    if not (backup := backups.named(name)):
        raise Http404
    return FileResponse((backups.folder() / backup.name).open("rb"), as_attachment=True, filename=backup.name)


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def delete_backup(request: HttpRequest, name: str) -> HttpResponse:
    """Confirm first: a file doesn't come back. A second tap finds no file, and leads to the list too."""
    backup, problem = backups.named(name), ""
    if request.method == "POST":
        try:
            if backup:
                backups.delete(backup)
                messages.success(request, _("The backup is deleted."))
            return redirect(f"{reverse('server')}#backups")
        except Refused as refused:
            problem = str(refused)
    if not backup:
        raise Http404
    context = {"backup": backup_line(backup), "error_message": problem}
    return render(request, "games/server/delete_backup.html", context, status=409 if problem else 200)
