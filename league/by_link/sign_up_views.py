"""Sign-up: public page, page behind a player's sign-up link, reminders.

Only a POST changes anything, so link previews and prefetches are harmless.
"""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from league import letters
from league.access import Access, tournament_for
from league.access.members import member_with_account
from league.access.session_links import visitor_of
from league.access.signed_links import player_token, reminders_of, reminders_token, sign_up_of, sign_up_token
from league.by_link.player_link_views import note_showing
from league.entries import places, reminders
from league.entries import sign_up as sign_ups
from league.entries.forms import PlayerForm
from league.entries.places import Now, state_of
from league.entries.sign_up import LIVING, rename_sign_up, withdraw
from league.entries.sign_up_forms import OwnNameForm, SignUpForm, TeamSignUpForm
from league.entries.unconfirmed import cancel, confirm, network_of
from league.erasure.sessions import forget_forms
from league.letters.limits import mails_go_out
from league.lib.errors import Conflict, Refused
from league.lib.names import fold
from league.lib.rate_limits import address_of, wait_of_visitor
from league.live import stream as live
from league.models import Deadline, Player, SignUp, SignUpPage, Tournament
from league.pages.answers import private_link, too_many, too_many_bad_links
from league.pages.form_key import creates_once
from league.pages.tournament_page import posted_data, render_page

# {tournament: [public id or "", typed address]}, for reloads of the page; with True as a third part if this browser
# confirmed the sign-up by its link.
SESSION = "signed_up"
SIGN_UPS_A_MINUTE = 20  # a phone may be passed around


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def sign_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Show places and the form. After a sign-up the page confirms it."""
    access = tournament_for(visitor_of(request), slug)
    tournament = access.tournament
    page = places.page_of(tournament)
    if page is None:
        raise Http404
    me = None if "other" in request.GET else member_signing_up(request, tournament)
    form_class = TeamSignUpForm if tournament.stage.has_teams else SignUpForm
    by_mail = mails_go_out(tournament)
    if me is not None and me.user is not None and request.method == "POST":
        form = form_class({"name": me.name, "email": me.user.email, "club": me.club_name}, needs_address=by_mail)
    else:
        form = form_class(posted_data(request), needs_address=by_mail)
    if request.method != "POST":
        return _public_page(request, access, page, form)
    if wait := wait_of_visitor(request, "sign-up", SIGN_UPS_A_MINUTE):
        answer = too_many(request)
        answer["Retry-After"] = str(wait)
        return answer
    if request.POST.get("what") == "cancel":
        return _cancel(request, tournament)
    if not form.is_valid():
        return _public_page(request, access, page, form, status=422)
    data = form.cleaned_data
    if is_again := _signed_up_as(request, tournament, data["name"], data["email"]):
        messages.info(request, is_again)
        return redirect("sign_up", slug=slug)
    try:
        signed, new = sign_ups.sign_up(
            tournament=tournament,
            name=data["name"],
            club=data["club"],
            email=data["email"],
            members=data.get("members", ()),
            language=get_language() or "",
            site=request.build_absolute_uri("/"),
            network=network_of(address_of(request)),
            is_certain=_is_own_address(request, data["email"]),
        )
    except Refused as refused:
        form.add_error("members" if "members" in refused.fields else None, str(refused))
        return _public_page(request, access, page, form, status=refused.status)
    # If the address was on the list before, this browser learns only that an e-mail was sent: the place appears here
    # only for a new sign-up, and otherwise in the e-mail.
    mine = request.session.get(SESSION, {})
    known = mine.get(slug, [""])[0] == signed.public_id
    # Store the id instead of the address if possible, so that erasing a person leaves no address here.
    request.session[SESSION] = mine | {slug: [signed.public_id, ""] if new or known else ["", data["email"]]}
    answer = redirect("sign_up", slug=slug)
    answer.status_code = 303
    return answer


def _is_own_address(request: HttpRequest, email: str) -> bool:
    """Return whether the visitor is signed in with this verified address."""
    user = request.user
    return user.is_authenticated and user.email == email.strip().lower() and user.has_verified_address


def member_signing_up(request: HttpRequest, tournament: Tournament) -> Player | None:
    """Return the signed-in member, if the tournament is their club's and they aren't entered."""
    if tournament.club is None or not request.user.is_authenticated or tournament.stage.has_teams:
        return None
    me = member_with_account(tournament.club, request.user)
    return me if me and not me.entries.filter(tournament=tournament).exists() else None


def _public_page(
    request: HttpRequest, access: Access, page: SignUpPage, form: SignUpForm, status: int = 200
) -> HttpResponse:
    tournament = access.tournament
    by_mail = mails_go_out(tournament)
    # A POST response has no URL to poll, so don't make it live.
    version = live.version_of(tournament) if request.method == "GET" else None
    has_started = tournament.has_begun
    entries = list(tournament.entries.select_related("player").order_by("number", "id"))
    waiting = list(places.waiting_list(tournament))
    state = state_of(page, has_started=has_started, now=timezone.now())
    free = max(page.capacity - len(entries), 0)
    sent, mine = _session_sign_up(request, tournament)
    shows_link = not by_mail or len(request.session.get(SESSION, {}).get(tournament.slug, [])) > 2
    return render_page(
        request,
        access,
        "league/entries/sign_up.html",
        page="sign_up",
        title=_("Sign up"),
        status=status,
        live_version=version,
        form=form,
        as_member=None if "other" in request.GET or sent else member_signing_up(request, tournament),
        sign_up_page=page,
        state=state,
        is_open=state == Now.OPEN,
        entries=entries,
        waiting=waiting,
        free=free,
        shown=_marks(len(entries), free, len(waiting), you=state == Now.OPEN and not sent),
        sent=sent,
        mine=mine,
        # Without e-mail no one would get their link, so the browser that signed up shows it. With e-mail, only the
        # browser that used the link does.
        own_link=reverse("own_sign_up", args=[sign_up_token(mine)]) if mine and shows_link else "",
        must_open_mail=by_mail and bool(sent) and (mine is None or mine.must_confirm),
        sends=by_mail,
        held=mine is not None and mine.state == SignUp.State.HELD,
        position=_position(mine, waiting),
        settings_link=access.organises,
    )


def _marks(taken: int, free: int, waiting: int, *, you: bool) -> dict[str, Any] | None:
    """Return the places as a row of marks: taken, free, waiting, yours. None if there are too many."""
    if taken + free + waiting > 40:
        return None
    return {
        "taken": range(taken),
        "free": range(free - 1 if you and free else free),
        "waiting": range(waiting),
        "you_play": you and free > 0,
        "you_wait": you and not free,
    }


def _signed_up_as(request: HttpRequest, tournament: Tournament, name: str, email: str) -> str:
    """Return the answer to a second sign-up with the same name from this browser; empty if it isn't one.

    The same address isn't one: its e-mail is sent again.
    """
    _sent, mine = _session_sign_up(request, tournament)
    if mine is None or fold(mine.name) != fold(name) or (email and email == mine.email):
        return ""
    return _("You’re already signed up. To sign up another %(name)s, add an initial.") % {"name": name}


def _cancel(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Cancel this browser's sign-up. The response doesn't reveal whether the address was on the list."""
    _sent, mine = _session_sign_up(request, tournament)
    if mine is None or mine.must_confirm:
        try:
            if mine is not None:
                cancel(sign_up=mine)
                forget_forms([mine.public_id])  # the same form can sign up again
        except Conflict as conflict:
            messages.error(request, str(conflict))
            return redirect("sign_up", slug=tournament.slug)
        sessions = request.session.get(SESSION, {})
        request.session[SESSION] = {slug: value for slug, value in sessions.items() if slug != tournament.slug}
        sentence = _(
            "If the sign-up was new, it is cancelled. To give up a confirmed place, use the link in its e-mail."
        )
        messages.success(request, sentence)
    return redirect("sign_up", slug=tournament.slug)


def _session_sign_up(request: HttpRequest, tournament: Tournament) -> tuple[str, SignUp | None]:
    """Return (address or name signed up in this browser, the sign-up if this browser created it)."""
    public_id, email = request.session.get(SESSION, {}).get(tournament.slug, ["", ""])[:2]
    signed = tournament.sign_ups.filter(public_id=public_id).first() if public_id else None
    if public_id and (signed is None or signed.state not in (*LIVING, SignUp.State.HELD)):
        return "", None  # withdrawn since, by their link
    return (signed.email or signed.name if signed else email), signed


def _position(mine: SignUp | None, waiting: list[SignUp]) -> int:
    return next((number for number, signed in enumerate(waiting, 1) if mine is not None and signed.pk == mine.pk), 0)


@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def own_sign_up(request: HttpRequest, own: str) -> HttpResponse:
    """Show a player's sign-up: place or position, and actions."""
    signed = sign_up_of(own)
    if signed is None:
        return too_many_bad_links(request) or _dead_link_page(request)
    initial = {"name": signed.name, "club": signed.club_name}
    if request.method != "POST":
        return _own_page(request, own, signed, PlayerForm(initial=initial))
    action = request.POST.get("what", "")
    if action == "name":
        return _rename(request, own, signed)
    if action == "confirm":
        return _confirm(request, own, signed)
    if action == "withdraw" and request.POST.get("sure") != "yes":
        return _own_page(request, own, signed, PlayerForm(initial=initial), ask=signed.state in LIVING)
    if action != "withdraw":
        return _own_page(request, own, signed, PlayerForm(initial=initial), status=422)
    try:
        withdraw(sign_up=signed)
    except Conflict as conflict:
        return _own_page(request, own, signed, PlayerForm(initial=initial), status=conflict.status, said=str(conflict))
    return redirect("own_sign_up", own=own)


def _dead_link_page(request: HttpRequest) -> HttpResponse:
    context = {
        "title": _("Invalid link"),
        "sentence": _(
            "The link may be incomplete or replaced. Open it from your e-mail again, or sign up again "
            "with the same address for a new e-mail."
        ),
    }
    return render(request, "shared/message.html", context | {"status": 410}, status=404)


def _confirm(request: HttpRequest, own: str, signed: SignUp) -> HttpResponse:
    try:
        confirm(sign_up=signed)
    except Conflict as conflict:
        form = PlayerForm(initial={"name": signed.name, "club": signed.club_name})
        return _own_page(request, own, signed, form, status=conflict.status, said=str(conflict))
    sessions = request.session.get(SESSION, {})
    request.session[SESSION] = sessions | {signed.tournament.slug: [signed.public_id, "", True]}
    messages.success(request, _("Confirmed. Keep this page: it shows your place."))
    return redirect("own_sign_up", own=own)


def _rename(request: HttpRequest, own: str, signed: SignUp) -> HttpResponse:
    form = OwnNameForm(request.POST)
    if not form.is_valid():
        return _own_page(request, own, signed, form, status=422)
    try:
        rename_sign_up(sign_up=signed, **form.cleaned_data)
    except Refused as refused:
        form.add_error(None, str(refused))
        return _own_page(request, own, signed, form, status=refused.status)
    messages.success(request, _("Saved."))
    return redirect("own_sign_up", own=own)


def _own_page(
    request: HttpRequest, own: str, signed: SignUp, form: PlayerForm, status: int = 200, **context: Any
) -> HttpResponse:
    tournament = signed.tournament
    if signed.entry:
        note_showing(request, signed.entry)
    waiting = list(places.waiting_list(tournament))
    context |= {
        "signed": signed,
        "tournament": tournament,
        "own": own,
        "form": form,
        "position": _position(signed, waiting),
        "living": signed.state in LIVING,
        "started": tournament.has_begun,
        "sends": mails_go_out(tournament),
        "player_link": reverse("me", args=[player_token(signed.entry)]) if signed.entry else "",
        "reminder": _reminder_to_come(signed),
    }
    return render(request, "league/entries/own_sign_up.html", context, status=status)


def _reminder_to_come(signed: SignUp) -> dict[str, Any] | None:
    """Return the time of the reminder, whether the player wants it, and the link to change that."""
    last = reminders.reminder_of(signed.tournament)
    if signed.state != SignUp.State.PLACED or not signed.email or not last or last.state != Deadline.State.PENDING:
        return None
    link = reverse("reminders", args=[reminders_token(signed)])
    return {"at": last.due_at, "wanted": letters.wants_reminders(signed), "link": link}


@csrf_exempt  # unsubscribing mailboxes have no cookie; the secret link suffices
@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def reminders_page(request: HttpRequest, reminders_token: str) -> HttpResponse:
    """Stop reminders, or get them again. Only a POST changes that: from the page, or from a mailbox (RFC 8058),
    which accepts no redirect.
    """
    signed = reminders_of(reminders_token)
    if signed is None:
        return too_many_bad_links(request) or _dead_link_page(request)
    if request.method == "POST":
        reminders.want_reminders(sign_up=signed, wants_any=request.POST.get("want") == "yes")
        if "List-Unsubscribe" not in request.POST:
            return redirect("reminders", reminders_token)
    context = {"signed": signed, "tournament": signed.tournament, "wanted": letters.wants_reminders(signed)}
    return render(request, "league/entries/reminders.html", context)
