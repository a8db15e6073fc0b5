"""Pages of API tokens, with which programs act for their owner."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from league.accounts.tokens import DEFAULT_DAYS, MOST_DAYS, make_token, revoke_token
from league.lib.form_fields import dress, plain_line
from league.models import ApiToken
from league.pages.form_key import created, creates_once
from league.pages.tournament_page import organiser_of, posted_data


class TokenForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    scope = forms.ChoiceField(
        label=gettext_lazy("Rights"),
        widget=forms.RadioSelect,
        choices=[
            (ApiToken.Scope.READ, gettext_lazy("Read only")),
            (ApiToken.Scope.WRITE, gettext_lazy("Read and write")),
        ],
        initial=ApiToken.Scope.READ,  # a forgotten choice changes nothing
    )
    days = forms.IntegerField(
        label=gettext_lazy("Expires in (days)"), min_value=1, max_value=MOST_DAYS, initial=DEFAULT_DAYS
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        dress(self)

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def tokens(request: HttpRequest) -> HttpResponse:
    """List the tokens, with a form for a new one. Only its response shows the new secret."""
    user = organiser_of(request)
    form = TokenForm(posted_data(request))
    secret = ""
    if request.method == "POST" and form.is_valid():
        _token, secret = make_token(user=user, **form.cleaned_data)
        again = _("This token already exists. It appears only once: create a new one if you lost it.")
        created(request, reverse("tokens"), again=again)
        form = TokenForm()
    return render(
        request,
        "account/tokens.html",
        {
            "form": form,
            "secret": secret,
            "tokens": ApiToken.objects.filter(user=user).order_by("-id"),
            "now": timezone.now(),
        },
        status=422 if form.errors else 200,
    )


@login_required
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    token = get_object_or_404(ApiToken, user=organiser_of(request), pk=token_id)
    revoke_token(token=token)
    messages.success(request, _("Token revoked. It no longer works."))
    return redirect("tokens")
