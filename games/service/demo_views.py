"""View that removes the demo data, after a confirmation."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games.service.demo import remove_demo
from league.access import own_tournaments


@login_required
@require_http_methods(["GET", "POST"])
def remove(request: HttpRequest) -> HttpResponse:
    demo = own_tournaments(request.user).filter(is_demo=True)
    if not demo.exists():
        raise Http404
    if request.method == "GET":
        return render(request, "games/service/remove_demo.html", {"tournaments": demo})
    number = remove_demo()
    removed = ngettext("%(number)d demo tournament removed.", "%(number)d demo tournaments removed.", number)
    messages.success(request, removed % {"number": number})
    return redirect("home")
