"""Organiser's settings of a sign-up: places, times, held sign-ups, waiting list."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league import letters
from league.access import Access, sign_up_for, tournament_for
from league.access.rights import Can
from league.entries import places, reminders
from league.entries.places import Now, state_of
from league.entries.sign_up import (
    LIVING,
    close_sign_up,
    fill_places,
    remove_second,
    same_names,
    set_sign_up,
    withdraw,
)
from league.entries.sign_up_forms import SignUpPageForm
from league.entries.unconfirmed import accept_held, held_by_network, remove_held
from league.erasure.erase import erase_sign_up
from league.letters.limits import mails_go_out, may_send
from league.lib import qr
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal
from league.lib.translate import translate
from league.models import SignUp, SignUpPage, Tournament
from league.pages.tournament_page import organiser_of, posted_data, render_page


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the settings: places, times, note, open or close, the page's code, waiting and withdrawn players."""
    access = tournament_for(request.user, slug, Can.RUN)
    tournament = access.tournament
    action = request.POST.get("what", "settings")
    if request.method == "POST" and action in ACTIONS:
        try:
            ACTIONS[action](request, tournament)
        except Refused as refused:
            messages.error(request, str(refused))
        return redirect("sign_up_settings", slug=slug)
    page = places.page_of(tournament)
    form = SignUpPageForm(
        posted_data(request),
        page=page,
        zone=tournament.zone,
        now=timezone.now(),
        initial=_initial_settings(tournament, page),
    )
    status = 422 if request.method == "POST" else 200
    if form.is_valid():
        data = form.cleaned_data
        try:
            set_sign_up(
                tournament=tournament,
                capacity=data["capacity"],
                times=data["times"],
                note_to_players=data["note"],
                many_at_once=data["many_at_once"],
                reminder=data["reminder"],
                by=organiser_of(request),
            )
        except Refused as refused:
            status = refused.status
            show_refusal(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("sign_up_settings", slug=slug)
    return _settings_page(request, access, page, form, status)


def _close(request: HttpRequest, tournament: Tournament) -> None:
    close_sign_up(tournament=tournament, closed=True, by=organiser_of(request))


def _open(request: HttpRequest, tournament: Tournament) -> None:
    close_sign_up(tournament=tournament, closed=False, by=organiser_of(request))


def _fill(request: HttpRequest, tournament: Tournament) -> None:
    count = fill_places(tournament=tournament, by=organiser_of(request))
    sentence = ngettext("%(count)d player moved up.", "%(count)d players moved up.", count)
    messages.success(request, sentence % {"count": count})


def _accept(request: HttpRequest, tournament: Tournament) -> None:
    network, site = request.POST.get("network", "")[:32], request.build_absolute_uri("/")
    count = accept_held(tournament=tournament, network=network, by=organiser_of(request), site=site)
    sentence = ngettext("%(count)d sign-up accepted.", "%(count)d sign-ups accepted.", count)
    messages.success(request, sentence % {"count": count})


def _remove(request: HttpRequest, tournament: Tournament) -> None:
    network = request.POST.get("network", "")[:32]
    count = remove_held(tournament=tournament, network=network, by=organiser_of(request))
    messages.success(
        request, ngettext("%(count)d sign-up removed.", "%(count)d sign-ups removed.", count) % {"count": count}
    )


def _remove_second(request: HttpRequest, tournament: Tournament) -> None:
    public_id = request.POST.get("sign_up", "")
    removed = remove_second(tournament=tournament, public_id=public_id, by=organiser_of(request))
    messages.success(request, _("Duplicate %(name)s removed.") % {"name": removed.name})


ACTIONS: dict[str, Callable[[HttpRequest, Tournament], None]] = {
    "close": _close,
    "open": _open,
    "fill": _fill,
    "accept": _accept,
    "remove": _remove,
    "remove-second": _remove_second,
}


def _initial_settings(tournament: Tournament, page: SignUpPage | None) -> dict[str, Any]:
    """Return the reminder; without a page also the smallest playable number of places for the current list."""
    reminder = {"reminder": reminders.current_choice(tournament)}
    if page is not None:
        return reminder
    possible = tournament.stage.plays.possible()
    enough = max(tournament.entries.count(), 8)
    return reminder | {"capacity": next((count for count in possible if count >= enough), possible[-1])}


def _settings_page(
    request: HttpRequest, access: Access, page: SignUpPage | None, form: SignUpPageForm, status: int
) -> HttpResponse:
    tournament, stage = access.tournament, access.tournament.stage
    address = request.build_absolute_uri(reverse("sign_up", args=[tournament.slug]))
    signed = list(tournament.sign_ups.order_by("id"))
    return render_page(
        request,
        access,
        "league/entries/sign_up_settings.html",
        page="sign_up_settings",
        title=_("Sign-up"),
        status=status,
        form=form,
        sign_up_page=page,
        state=state_of(page, has_started=tournament.has_begun, now=timezone.now()) if page else None,
        possible=translate(stage.plays.describe_possible()),
        address=address,
        drawing=qr.drawing(address),
        player_count=tournament.entries.count(),
        placed=sum(row.state == SignUp.State.PLACED for row in signed),
        waiting=[row for row in signed if row.state == SignUp.State.WAITING],
        gone=[row for row in signed if row.state not in (*LIVING, SignUp.State.HELD)],
        held=[] if tournament.has_begun else held_by_network(tournament),
        same_names=[] if tournament.has_begun else same_names(tournament),
        to_fill=_to_fill(tournament, page),
        sends=mails_go_out(tournament),
        not_verified=not may_send(tournament.owner),
        undelivered=letters.failed_letters(tournament),
        reminder=reminders.reminder_of(tournament),
    )


def _to_fill(tournament: Tournament, page: SignUpPage | None) -> int:
    """Return how many waiting players the organiser may give a free place after sign-up has closed."""
    if page is None or tournament.has_begun or tournament.is_called_off:
        return 0
    closed = state_of(page, has_started=False, now=timezone.now()) == Now.CLOSED
    return min(places.free_places(tournament, page), places.may_move_up(tournament).count()) if closed else 0


@require_POST
def remove_sign_up(request: HttpRequest, slug: str, sign_up_id: str) -> HttpResponse:
    """Remove a player from the waiting list, or erase the details of one already removed."""
    _access, signed = sign_up_for(request.user, slug, sign_up_id, Can.RUN)
    name, by = signed.name, organiser_of(request)
    if signed.state == SignUp.State.PLACED:
        messages.error(request, _("%(name)s has a place. Remove them under Players.") % {"name": name})
    elif signed.state == SignUp.State.WAITING:
        withdraw(sign_up=signed, by=by)
        messages.success(request, _("%(name)s removed from the waiting list.") % {"name": name})
    else:
        erase_sign_up(sign_up=signed, by=by)
        messages.success(request, _("Name and address erased, also in the log."))
    return redirect("sign_up_settings", slug=slug)
