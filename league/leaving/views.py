"""A player's page for leaving and coming late, and the director's answers."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, NoPlayer, Visitor, leave_request_for, player_for
from league.access.rights import Can, open_to_all
from league.access.session_links import visitor_of
from league.access.signed_links import sign_up_token
from league.access.viewer import Attribution
from league.leaving import page as pages
from league.leaving.answers import accept, refuse, undo_answer
from league.leaving.before_start import give_up_place
from league.leaving.forms import LateForm, LeaveForm
from league.leaving.inbox import answered_in_words, undo_question
from league.leaving.requests import Kind, ask, withdraw
from league.leaving.team import name_substitute, swaps_of
from league.lib.errors import Conflict, Refused
from league.models import Entry, SignUpPage, Tournament
from league.pages.answers import ended_player_link, only_for_yourself
from league.pages.confirm import confirm_page
from league.pages.form_key import creates_once
from league.pages.in_place import say_done
from league.pages.tournament_page import organiser_of, render_page


@dataclass(frozen=True)
class Acting:
    """A player's request. by: for the log."""

    request: HttpRequest
    entry: Entry
    visitor: Visitor

    @property
    def by(self) -> Attribution:
        account = self.visitor.account
        return Attribution(account if account.is_authenticated else None, player=self.entry)


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a player can say about leaving, or do it. `?player=`: which one, as on My table."""
    visitor = visitor_of(request)
    try:
        access, _mine = player_for(visitor, slug, request.GET.get("player", "")[:20])
    except NoPlayer as missing:
        return ended_player_link(request, missing.ended.tournament) if missing.ended else only_for_yourself(request)
    except Http404:
        return only_for_yourself(request)
    if access.tournament.kind == Tournament.Kind.CASUAL:
        return redirect("lobby", slug)
    assert access.entry is not None
    if request.method != "POST":
        return _page(request, access, visitor)
    action = _withdraw if pages.WITHDRAW in request.POST else ACTIONS.get(request.POST.get("do", ""))
    try:
        if action is None:
            raise Refused("do", _("Choose an action."))
        return action(Acting(request, access.entry, visitor))
    except Refused as refused:
        return _page(request, access, visitor, refused)


def _page(request: HttpRequest, access: Access, visitor: Visitor, refused: Refused | None = None) -> HttpResponse:
    assert access.entry is not None
    access.entry.refresh_from_db(fields=["status", "checked_in_at"])
    chosen = request.POST.get("when") or request.POST.get("swap") or ""
    return render_page(
        request,
        access,
        "league/leaving/leave.html",
        page="my_table",
        title=_("Leave or come late"),
        status=refused.status if refused else 200,
        entry=access.entry,
        leaving=pages.page_of(access.entry, visitor, chosen),
        late_form=LateForm(initial={"text": request.POST.get("text", "")}),
        alert=str(refused or ""),
    )


def _leave(acting: Acting) -> HttpResponse:
    form = LeaveForm(acting.request.POST)
    if not form.is_valid():
        raise Refused("when", _("Choose when you leave."))
    ask(entry=acting.entry, kind=form.cleaned_data["when"], round_number=form.cleaned_data["round"], by=acting.by)
    return redirect(pages.my_table(acting.entry))


def _come_late(acting: Acting) -> HttpResponse:
    ask(entry=acting.entry, kind=Kind.LATE, text=acting.request.POST.get("text", ""), by=acting.by)
    return redirect(pages.my_table(acting.entry))


def _withdraw(acting: Acting) -> HttpResponse:
    number = acting.request.POST[pages.WITHDRAW]
    key = int(number) if number.isdecimal() and len(number) < 19 else 0
    leave_request = acting.entry.leave_requests.filter(pk=key).first()
    if leave_request is not None:
        withdraw(request=leave_request, by=acting.by)
    return redirect(pages.my_table(acting.entry))


def _cannot_come(acting: Acting) -> HttpResponse:
    tournament = acting.entry.tournament
    signed = give_up_place(entry=acting.entry)
    if SignUpPage.objects.filter(tournament=tournament).exists():
        return redirect("own_sign_up", own=sign_up_token(signed))
    messages.success(acting.request, _("You have given up your place. If you can come after all, tell the organiser."))
    return redirect("tournament", tournament.slug) if open_to_all(tournament) else redirect("home")


def _name_substitute(acting: Acting) -> HttpResponse:
    swap = acting.request.POST.get("swap", "")
    if not swap:
        raise Refused("swap", _("Choose who plays."))
    words = dict(swaps_of(acting.entry)).get(swap, "")
    name_substitute(entry=acting.entry, swap=swap, visitor=acting.visitor, by=acting.by)
    messages.success(acting.request, _("From the next hand: %(swap)s.") % {"swap": words})
    return redirect(pages.my_table(acting.entry))


ACTIONS: dict[str, Callable[[Acting], HttpResponse]] = {
    pages.LEAVE: _leave,
    pages.LATE: _come_late,
    pages.CANNOT_COME: _cannot_come,
    pages.SUBSTITUTE: _name_substitute,
}

# --- the director


@require_POST
def answer(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Accept or refuse a request; `do` says which."""
    access, leave_request = leave_request_for(request.user, slug, request_id, Can.CORRECT)
    service = {"accept": accept, "refuse": refuse}.get(request.POST.get("do", ""))
    try:
        if service is None:
            raise Refused("do", _("Choose Accept or Refuse."))
        answered = service(request=leave_request, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        answered.entry.tournament = access.tournament
        say_done(request, answered_in_words(answered), undo=reverse("undo_leave_answer", args=[slug, request_id]))
    return redirect("tournament", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Let an answered request wait again; a GET confirms that."""
    access, leave_request = leave_request_for(request.user, slug, request_id, Can.CORRECT)
    if request.method != "POST":
        question = undo_question(leave_request)
        return confirm_page(request, access, question, page="tournament", title=question.title)
    try:
        undo_answer(request=leave_request, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, _("The request of %(name)s waits again.") % {"name": leave_request.entry})
    return redirect("tournament", slug)
