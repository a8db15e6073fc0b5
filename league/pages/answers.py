"""Error responses as pages, and a decorator for pages behind private links."""

import logging
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from league import access
from league.api.problems import problem_for_page
from league.lib.rate_limits import address_of, wait_after
from league.models import Club, ClubInvitation, Invitation, Tournament

logger = logging.getLogger(__name__)

BAD_LINKS_A_MINUTE = 10
MAILS_A_MINUTE = 20  # e-mails that an account may send to addresses of its choice


def _answer_page(request: HttpRequest, status: int, title: str, sentence: str, **context: str) -> HttpResponse:
    """Render a page with one sentence. `leads`, `leads_to`: label and target of its button; default: the home page."""
    if problem := problem_for_page(request, status):
        return problem
    context |= {"title": title, "sentence": sentence}
    return render(request, "shared/message.html", context | {"status": status}, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer_page(
        request,
        400,
        _("That could not be read"),
        _("The address or form was damaged. Go back and try again."),
    )


def forbidden(request: HttpRequest, exception: Exception | None = None, reason: str = "") -> HttpResponse:
    """reason: of Django's CSRF check, in English."""
    origin = request.headers.get("Origin", "")
    if reason.startswith("Origin checking failed"):
        return _wrong_origin(request, origin) if urlsplit(origin).hostname else _hidden_origin(request)
    title = _("This form is too old")
    sentence = _("It was open too long, or cookies are off. Go back, reload the page and send it again.")
    back = request.headers.get("Referer", "")
    if urlsplit(back).path.strip("/") and url_has_allowed_host_and_scheme(back, request.get_host()):
        return _answer_page(request, 403, title, sentence, leads=_("Back to the form"), leads_to=back)
    return _answer_page(request, 403, title, sentence)


def _wrong_origin(request: HttpRequest, origin: str) -> HttpResponse:
    """Answer a form whose page has another address in the browser than the one that this server expects.

    Mostly WILD_URL isn't set behind an https proxy, and then every form is refused.
    """
    here = f"{request.scheme}://{request.get_host()}"
    logger.warning("A form from %r was refused, since this server is at %s. Is WILD_URL set?", origin[:100], here)
    sentence = _(
        "Your browser is at %(origin)s, but the server expects %(here)s. If you run it, set WILD_URL to the address "
        "that visitors use."
    )
    return _answer_page(request, 403, _("This form was refused"), sentence % {"origin": origin, "here": here})


def _hidden_origin(request: HttpRequest) -> HttpResponse:
    """Answer a form with “Origin: null”, as from a privacy browser, a view inside another app, or a saved page."""
    sentence = _(
        "Your browser hides the address of its page, so the server can’t tell that you sent this form. Open the page "
        "in a tab of its own or in another browser, and send it again."
    )
    return _answer_page(request, 403, _("This form was refused"), sentence)


def too_many(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    sentence = _("Too many tries. Wait a minute, then try again.")
    answer = _answer_page(request, 429, _("Wait a minute"), sentence)
    answer["Retry-After"] = "60"
    return answer


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    sentence = _("The link may be incomplete or the tournament private. If it’s yours, sign in.")
    return _answer_page(request, 404, _("Page not found"), sentence)


def used_invitation(request: HttpRequest, invitation: Invitation | ClubInvitation) -> HttpResponse:
    """Respond to a used invitation. Visitors who belong there already get a link."""
    title = _("This invitation was already used")
    target: Tournament | Club
    if isinstance(invitation, Invitation):
        target, leads = invitation.tournament, _("Open the tournament")
        belongs = access.tournaments_of(request.user).filter(pk=target.pk).exists()
    else:
        target, leads = invitation.club, _("Open the club")
        belongs = access.clubs_of(request.user).filter(pk=target.pk).exists()
    if belongs:
        sentence = _("You have already accepted it.")
        return _answer_page(request, 404, title, sentence, leads=leads, leads_to=target.get_absolute_url())
    whom = {"who": invitation.created_by or target.owner}
    sentence = _("If that was you, sign in. If not, ask %(who)s for a new one.") % whom
    if request.user.is_authenticated:
        sentence = _("Another account used it. Ask %(who)s for a new one.") % whom
    return _answer_page(request, 404, title, sentence)


def server_error(request: HttpRequest) -> HttpResponse:
    sentence = _("It’s our fault, and nothing saved is lost. Try again, or tell the organiser.")
    return _answer_page(request, 500, _("Something went wrong here"), sentence)


def ended_player_link(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Respond to a player whose link was replaced."""
    sentence = _("The organiser replaced it. Ask for your new link.")
    context = {"title": _("This link no longer works"), "sentence": sentence, "tournament": tournament}
    return render(request, "shared/scorer_refused.html", context, status=410)


def only_for_yourself(request: HttpRequest) -> HttpResponse:
    """Respond to a browser that acts for a player whose link it doesn't hold."""
    sentence = _("This works only for yourself. Open your own link first, or ask the organiser.")
    return _answer_page(request, 404, _("Not your page"), sentence)


def private_link(view: Any) -> Any:
    """Decorate the view of a page with a secret address: keep it from other sites and search engines."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = view(request, *args, **kwargs)
        # Hides the path from other sites. With "no-referrer", browsers send "Origin: null" and Django's CSRF check
        # refuses the page's own form.
        response["Referrer-Policy"] = "strict-origin"
        response["X-Robots-Tag"] = "noindex"
        return response

    return guarded


def too_many_bad_links(request: HttpRequest) -> HttpResponse | None:
    """Count a link that opens nothing. Return 429 for an address with too many attempts, otherwise None."""
    wait = wait_after("bad-link", address_of(request), BAD_LINKS_A_MINUTE)
    if not wait:
        return None
    answer = too_many(request)
    answer["Retry-After"] = str(wait)
    return answer
