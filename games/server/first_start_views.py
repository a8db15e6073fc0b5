"""The pages behind the link of the first start: set up this server, or restore a backup."""

from typing import Any

from allauth.account.utils import perform_login
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.server.first_start import check_backup, forget_file, start_restore, store_upload
from league.access.server import has_owner
from league.accounts.first_link import check_link, is_restoring, restore_state, set_up
from league.accounts.forms import NameForm
from league.lib.errors import Conflict, Refused
from league.models import User


class SetUpForm(NameForm):
    email = forms.EmailField(
        label=gettext_lazy("E-mail"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=gettext_lazy("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if password := data.get("password"):
            try:
                validate_password(password, User(email=data.get("email", ""), name=data.get("name", "")))
            except forms.ValidationError as error:
                self.add_error("password", error)
        return data


class RestoreForm(forms.Form):
    backup = forms.FileField(
        label=gettext_lazy("Backup file"),
        allow_empty_file=True,
        error_messages={"required": gettext_lazy("Choose the file of a backup first.")},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def first_start(request: HttpRequest, secret: str) -> HttpResponse:
    """Show both ways, and make the first owner."""
    try:
        link = check_link(secret)
        form = SetUpForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            data = form.cleaned_data
            owner = set_up(secret=secret, name=data["name"], email=data["email"], password=data["password"])
            forget_file()
            messages.success(request, _("This server is yours. Create a club or a tournament. Sign-up is closed."))
            return perform_login(request, owner, email_verification=settings.ACCOUNT_EMAIL_VERIFICATION)  # type: ignore[no-any-return]
    except Conflict as conflict:
        return _no_way(request, conflict)
    except Refused as refused:
        for field, sentences in refused.fields.items():
            form.add_error(field, sentences)
    if is_restoring(link, timezone.now()):
        return redirect("first_start_restore", secret)
    return _page(request, secret, form, problem=link.problem)


@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: HttpRequest, secret: str) -> HttpResponse:
    """Take a backup and restore it; GET is the page to wait on."""
    if request.method != "POST":
        return _wait(request, secret)
    try:
        check_link(secret)
        form = RestoreForm(request.POST, request.FILES)
        if not form.is_valid():
            return _page(request, secret, SetUpForm(), problem=str(form.errors["backup"][0]))
        upload = form.cleaned_data["backup"]
        path = store_upload(upload)
        try:
            check_backup(path)
            start_restore(secret=secret, path=path, name=upload.name)
        except Refused as refused:
            path.unlink(missing_ok=True)
            if isinstance(refused, Conflict):
                raise
            return _page(request, secret, SetUpForm(), problem=str(refused).replace(str(path), upload.name))
    except Conflict as conflict:
        return _no_way(request, conflict)
    return redirect("first_start_restore", secret)


def _wait(request: HttpRequest, secret: str) -> HttpResponse:
    link = restore_state(secret)
    if link and has_owner() and link.used_at:
        messages.success(request, _("The backup is restored. Sign in as the owner that it has."))
        return redirect("account_login")
    try:
        check_link(secret)
    except Conflict as conflict:
        return _no_way(request, conflict)
    if link and is_restoring(link, timezone.now()):
        return render(request, "games/server/restoring.html")
    return redirect("first_start", secret)


def _page(request: HttpRequest, secret: str, form: SetUpForm, *, problem: str = "") -> HttpResponse:
    context = {"form": form, "secret": secret, "problem": problem, "can_restore": not User.objects.exists()}
    status = 422 if form.errors or (problem and request.method == "POST") else 200
    return render(request, "games/server/first_start.html", context, status=status)


def _no_way(request: HttpRequest, conflict: Conflict) -> HttpResponse:
    """Say why the link doesn't work."""
    context: dict[str, Any] = {"title": _("Set up this server"), "sentence": str(conflict), "status": conflict.status}
    if conflict.code == "owned":
        context |= {"leads_to": reverse("account_login"), "leads": _("Sign in")}
    return render(request, "shared/message.html", context, status=conflict.status)
