"""The page of a member card; printing and renewing cards, for those who manage the members."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.access import club_for, member_for
from league.access.clubs import club_log_row_for
from league.access.rights import InClub
from league.access.session_links import remember_shown_link
from league.access.signed_links import card_token as token_of
from league.access.signed_links import member_with_card, member_with_ended_card
from league.by_link.my_table_views import enter
from league.lib.errors import Refused
from league.member_cards.cards import PRINT, cards_of, entry_of_card, members_to_print, print_cards
from league.member_cards.cards import renew_card as renew
from league.member_cards.page import card_page, print_question, renew_question
from league.member_cards.print_rows import card_print, head_of
from league.models import ClubLogEntry, Player, Tournament
from league.pages.answers import private_link, too_many_bad_links
from league.pages.confirm import confirm_page
from league.pages.tournament_page import organiser_of, this_machine
from league.prints.paper import paper_for
from league.prints.pdf.document import pdf

MOST_NOTED = 50  # events of which the session records that it saw links


@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def member_card(request: HttpRequest, card_token: str) -> HttpResponse:
    """Show a member's current or next event. The POST exchanges the card for a session, as a player's link does."""
    member = member_with_card(card_token)
    if member is None:
        return _no_card_page(request, card_token)
    if request.method != "POST":
        return render(request, "league/member_cards/member_card.html", {"card": card_page(member)})
    entry = entry_of_card(member)
    if entry is None or entry.public_id != request.POST.get("entry"):  # another event is on since
        return redirect("member_card", card_token)
    return enter(request, entry, card_of=member)


def _no_card_page(request: HttpRequest, token: str) -> HttpResponse:
    if member_with_ended_card(token) is not None:
        context = {
            "title": _("This card no longer works"),
            "sentence": _("Your club renewed it. Ask for the new card."),
        }
        return render(request, "shared/scorer_refused.html", context, status=410)
    sentence = _("Scan the code again, or ask your club for a new card.")
    context = {"title": _("Invalid card"), "sentence": sentence}
    return too_many_bad_links(request) or render(request, "shared/scorer_refused.html", context, status=404)


@require_http_methods(["GET", "HEAD", "POST"])
def member_cards(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Ask before printing the cards of all members, or of those in `who`; the POST redirects to the PDF."""
    access = club_for(request.user, club_slug, InClub.MEMBERS)
    sent = request.POST if request.method == "POST" else request.GET
    who = sent.getlist("who")
    try:
        if request.method != "POST":
            ask = print_question(access.club, members_to_print(access.club, who), who, this_machine(request))
            return confirm_page(request, access, ask, page="members", title=_("Member cards"))
        row = print_cards(club=access.club, ids=who, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("members", club_slug)
    return redirect("member_cards_pdf", club_slug, row.pk)


@require_safe
def member_cards_pdf(request: HttpRequest, club_slug: str, print_id: int) -> HttpResponse:
    """The cards of a print, for the account that the log names."""
    access, row = club_log_row_for(request.user, club_slug, print_id, PRINT, InClub.MEMBERS)
    people = cards_of(row)
    if not people:
        sentence = _("These cards no longer work. Print new ones.")
        return HttpResponse(f"{sentence}\n", status=404, content_type="text/plain; charset=utf-8")
    addresses = [(person, _address(request, person)) for person in people]
    data = pdf(head_of(access.club), [card_print(addresses)], paper_for(request, access.club))
    _remember_links(request, row)
    disposition = content_disposition_header(as_attachment=False, filename=f"{club_slug}_cards.pdf") or "inline"
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
    return HttpResponse(data, content_type="application/pdf", headers=headers)


def _address(request: HttpRequest, member: Player) -> str:
    return request.build_absolute_uri(reverse("member_card", args=[token_of(member)]))


def _remember_links(request: HttpRequest, row: ClubLogEntry) -> None:
    """Record that this session saw links into the club's open events."""
    open_ones = Tournament.objects.events().filter(club=row.club).exclude(state=Tournament.State.CLOSED)
    for tournament in open_ones[:MOST_NOTED]:
        remember_shown_link(request, tournament)


@require_http_methods(["GET", "HEAD", "POST"])
def renew_card(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Confirm first: the old card stops working."""
    access, player = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    if request.method != "POST":
        ask = renew_question(access.club, player)
        return confirm_page(request, access, ask, page="members", title=_("Renew card"))
    try:
        renew(player=player, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Card renewed. The old one no longer works; print the new one."))
    return redirect("edit_member", club_slug, member_id)
