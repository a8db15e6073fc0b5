"""Sign-up: the public page, the page behind a player's own link, and the organiser's settings.

Opening a page changes nothing; only a POST does, so that link previews and prefetches are harmless.
"""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from league import letters
from league.access import Access, sign_up_for, tournament_for
from league.access.members import member_with_account
from league.access.rights import Can
from league.access.session_links import players_in
from league.access.signed_links import player_token, reminders_of, reminders_token, sign_up_of, sign_up_token
from league.by_link.player_link_views import note_showing
from league.entries import places, reminders
from league.entries import sign_up as sign_ups
from league.entries.forms import PlayerForm
from league.entries.sign_up import LIVING, Now, close_sign_up, rename_sign_up, set_sign_up, state_of, withdraw
from league.entries.sign_up_forms import SignUpForm, SignUpPageForm, TeamSignUpForm
from league.erasure.erase import erase_sign_up
from league.lib import qr
from league.lib.errors import Conflict, Refused
from league.lib.form_fields import show_refusal
from league.lib.rate_limits import wait_of_visitor
from league.lib.translate import translate
from league.live import stream as live
from league.models import Deadline, Player, SignUp, SignUpPage, Tournament
from league.pages.answers import private_link, too_many, too_many_bad_links
from league.pages.tournament_page import organiser_of, posted_data, render_page

SESSION = "signed_up"  # {tournament: [public id or "", address that was typed]}, for when the page is loaded again
SIGN_UPS_A_MINUTE = 20  # with one phone, which may be passed around


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Places first, then what would happen, then the form. After a sign-up the page confirms it."""
    access = tournament_for(request.user, slug, players=players_in(request))
    tournament = access.tournament
    page = places.page_of(tournament)
    if page is None:
        raise Http404
    me = None if "other" in request.GET else member_signing_up(request, tournament)
    form_class = TeamSignUpForm if tournament.stage.has_teams else SignUpForm
    if me is not None and me.user is not None and request.method == "POST":
        form = form_class({"name": me.name, "email": me.user.email, "club": me.club_name})
    else:
        form = form_class(posted_data(request))
    if request.method != "POST":
        return _public_page(request, access, page, form)
    if wait := wait_of_visitor(request, "sign-up", SIGN_UPS_A_MINUTE):
        answer = too_many(request)
        answer["Retry-After"] = str(wait)
        return answer
    if not form.is_valid():
        return _public_page(request, access, page, form, status=422)
    data = form.cleaned_data
    if not data["email"] and _signed_up_as(request, tournament, data["name"]):
        return redirect("sign_up", slug=slug)  # pressed twice, and no address tells
    try:
        signed, new = sign_ups.sign_up(
            tournament=tournament,
            name=data["name"],
            club=data["club"],
            email=data["email"],
            members=data.get("members", ()),
            language=get_language() or "",
            site=request.build_absolute_uri("/"),
        )
    except Refused as refused:
        form.add_error("members" if "members" in refused.fields else None, str(refused))
        return _public_page(request, access, page, form, status=refused.status)
    # If the address was on the list already, this browser only learns that a mail is on its way: a place shows here
    # only for a new sign-up, and otherwise in the mail.
    mine = request.session.get(SESSION, {})
    known = mine.get(slug, [""])[0] == signed.public_id
    # The session has the id instead of the address where it can, so that no address stays when somebody is erased.
    request.session[SESSION] = mine | {slug: [signed.public_id, ""] if new or known else ["", data["email"]]}
    answer = redirect("sign_up", slug=slug)
    answer.status_code = 303
    return answer


def member_signing_up(request: HttpRequest, tournament: Tournament) -> Player | None:
    """The member who is signed in, if the evening is their club's and they are not on the list."""
    if tournament.club is None or not request.user.is_authenticated or tournament.stage.has_teams:
        return None
    me = member_with_account(tournament.club, request.user)
    return me if me and not me.entries.filter(tournament=tournament).exists() else None


def _public_page(
    request: HttpRequest, access: Access, page: SignUpPage, form: SignUpForm, status: int = 200
) -> HttpResponse:
    tournament = access.tournament
    # The answer to a form cannot be fetched again.
    version = live.version_of(tournament) if request.method == "GET" else None
    has_started = tournament.has_begun
    entries = list(tournament.entries.select_related("player").order_by("number", "id"))
    waiting = list(places.waiting_list(tournament))
    state = state_of(page, has_started=has_started, now=timezone.now())
    free = max(page.capacity - len(entries), 0)
    sent, mine = _session_sign_up(request, tournament)
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
        # Without mail nobody would ever get their link, so the browser that made the sign-up shows it.
        own_link="" if settings.MAIL_GOES_OUT or not mine else reverse("own_sign_up", args=[sign_up_token(mine)]),
        position=_position(mine, waiting),
        settings_link=access.organises,
    )


def _marks(taken: int, free: int, waiting: int, *, you: bool) -> dict[str, Any] | None:
    """The places as a row of marks: taken, free, waiting, and the one you would get. None if there are too many."""
    if taken + free + waiting > 40:
        return None
    return {
        "taken": range(taken),
        "free": range(free - 1 if you and free else free),
        "waiting": range(waiting),
        "you_play": you and free > 0,
        "you_wait": you and not free,
    }


def _signed_up_as(request: HttpRequest, tournament: Tournament, name: str) -> bool:
    """Whether this browser's last sign-up was of that name, and still stands."""
    _sent, mine = _session_sign_up(request, tournament)
    return mine is not None and mine.name == name


def _session_sign_up(request: HttpRequest, tournament: Tournament) -> tuple[str, SignUp | None]:
    """(the address with which this browser signed up, or the name; the sign-up if this browser created it)."""
    public_id, email = request.session.get(SESSION, {}).get(tournament.slug, ["", ""])
    signed = tournament.sign_ups.filter(public_id=public_id).first() if public_id else None
    if public_id and (signed is None or signed.state not in LIVING):
        return "", None  # withdrawn since, with the own link
    return (signed.email or signed.name if signed else email), signed


def _position(mine: SignUp | None, waiting: list[SignUp]) -> int:
    return next((number for number, signed in enumerate(waiting, 1) if mine is not None and signed.pk == mine.pk), 0)


@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def own_sign_up(request: HttpRequest, own: str) -> HttpResponse:
    """The page behind somebody's own link: their place or position, and what they may do about it."""
    signed = sign_up_of(own)
    if signed is None:
        return too_many_bad_links(request) or _dead_link_page(request)
    initial = {"name": signed.name, "club": signed.club_name}
    if request.method != "POST":
        return _own_page(request, own, signed, PlayerForm(initial=initial))
    action = request.POST.get("what", "")
    if action == "name":
        return _rename(request, own, signed)
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
        "title": _("This link opens nothing"),
        "sentence": _(
            "It may have been cut off on its way, or it was ended. Open it from your mail once more, or sign up again"
            " with the same address: the mail is sent again."
        ),
    }
    return render(request, "shared/said.html", context | {"status": 410}, status=404)


def _rename(request: HttpRequest, own: str, signed: SignUp) -> HttpResponse:
    form = PlayerForm(request.POST)
    if not form.is_valid():
        return _own_page(request, own, signed, form, status=422)
    try:
        rename_sign_up(sign_up=signed, **form.cleaned_data)
    except Conflict as conflict:
        form.add_error(None, str(conflict))
        return _own_page(request, own, signed, form, status=conflict.status)
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
        "player_link": reverse("me", args=[player_token(signed.entry)]) if signed.entry else "",
        "reminder": _reminder_to_come(signed),
    }
    return render(request, "league/entries/own_sign_up.html", context, status=status)


def _reminder_to_come(signed: SignUp) -> dict[str, Any] | None:
    """When a mail reminds somebody of their place, whether they want it, and the link to change that."""
    last = reminders.reminder_of(signed.tournament)
    if signed.state != SignUp.State.PLACED or not signed.email or not last or last.state != Deadline.State.PENDING:
        return None
    link = reverse("reminders", args=[reminders_token(signed)])
    return {"at": last.due_at, "wanted": letters.wants_reminders(signed), "link": link}


@csrf_exempt  # a mailbox that unsubscribes has no cookie; the secret link is enough
@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def reminders_page(request: HttpRequest, reminders_token: str) -> HttpResponse:
    """The page behind the link in a reminder, to stop reminders or get them again. Only a button changes that: the
    page's, or a mailbox's (RFC 8058), which accepts no redirect as an answer."""
    signed = reminders_of(reminders_token)
    if signed is None:
        return too_many_bad_links(request) or _dead_link_page(request)
    if request.method == "POST":
        reminders.want_reminders(sign_up=signed, wants_any=request.POST.get("want") == "yes")
        if "List-Unsubscribe" not in request.POST:
            return redirect("reminders", reminders_token)
    context = {"signed": signed, "tournament": signed.tournament, "wanted": letters.wants_reminders(signed)}
    return render(request, "league/entries/reminders.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings: places, times, a note; closing and opening by hand; the page's code; who waits and who withdrew."""
    access = tournament_for(request.user, slug, Can.RUN)
    tournament = access.tournament
    action = request.POST.get("what", "settings")
    if request.method == "POST" and action in ("close", "open"):
        try:
            close_sign_up(tournament=tournament, closed=action == "close", by=organiser_of(request))
        except Conflict as conflict:
            messages.error(request, str(conflict))
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


def _initial_settings(tournament: Tournament, page: SignUpPage | None) -> dict[str, Any]:
    """The reminder; before there is a page also the smallest playable number of places that holds everybody on the
    list."""
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
        gone=[row for row in signed if row.state not in LIVING],
        undelivered=letters.failed_letters(tournament),
        reminder=reminders.reminder_of(tournament),
    )


@require_POST
def remove_sign_up(request: HttpRequest, slug: str, sign_up_id: str) -> HttpResponse:
    """Take somebody off the waiting list; erase name and address of those who are off it already."""
    _access, signed = sign_up_for(request.user, slug, sign_up_id, Can.RUN)
    name, by = signed.name, organiser_of(request)
    if signed.state == SignUp.State.PLACED:
        messages.error(request, _("%(name)s has a place. Take them off the list under Players.") % {"name": name})
    elif signed.state == SignUp.State.WAITING:
        withdraw(sign_up=signed, by=by)
        messages.success(request, _("%(name)s is off the waiting list.") % {"name": name})
    else:
        erase_sign_up(sign_up=signed, by=by)
        messages.success(request, _("Forgotten: name and address are gone, from the log too."))
    return redirect("sign_up_settings", slug=slug)
