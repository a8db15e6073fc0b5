"""Scorers without an account: target of their link, their tables, and the organiser's list of links.

Links are signed (league/access/signed_links.py). Opening one changes nothing; a POST stores its key and generation in
the session, whose cookie is random, HttpOnly and SameSite=Lax. Every later request reads the link's row
(league/access/), so a revoked link gives no access.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import (
    Access,
    LinkEnded,
    OneSeat,
    RoundUndone,
    WrongTable,
    scorer_link_for,
    scoring_for,
    tournament_for,
)
from league.access.rights import Can
from league.access.session_links import hold_link, use_link, visitor_of
from league.access.signed_links import ended_scorer_link_of, scorer_token
from league.by_link.scorer_forms import ALL, EACH, LinksForm
from league.ledger.progress import missing_tables
from league.lib import qr
from league.lib.errors import Conflict, Refused
from league.live import stream as live
from league.models import Round, ScorerLink, Seat, Table, Tournament, seats_by_table
from league.pages.answers import private_link, too_many_bad_links
from league.pages.form_key import created, creates_once
from league.pages.tournament_page import organiser_of, posted_data, render_page, this_machine
from league.roles import scorer_links
from league.roles.scorer_links import last_moment, link_of, living_links, make_scorer_links, tables_of


def guides_scorers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view with pages that explain a refusal, which changed nothing.

    The cases: revoked link, wrong table, table of an undone round, second player in one browser.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except WrongTable as wrong:
            return _wrong_table_page(request, wrong)
        except LinkEnded as ended:
            return _ended_page(request, ended.link)
        except RoundUndone as undone:
            return _undone_page(request, undone.table)
        except OneSeat as refused:
            return _one_seat_page(request, refused.tournament)

    return guarded


@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def scorer(request: HttpRequest, secret: str) -> HttpResponse:
    """Show what a link is for, with one button; the POST exchanges the link for a session."""
    if ended := ended_scorer_link_of(secret):
        return _ended_page(request, ended)
    link = link_of(secret)
    if link is None:
        return too_many_bad_links(request) or _refusal_page(
            request,
            404,
            _("Invalid link"),
            _("The link may be incomplete. Scan your table’s code again, or ask the organiser."),
        )
    if not link.holds:
        return _ended_page(request, link)
    if request.method != "POST":
        here = next(iter(_open_tables(link.tournament, link)), None)
        context = {"link": link, "tournament": link.tournament, "here": here if link.table else None}
        return render(request, "league/by_link/scorer.html", context)
    try:
        use_link(link)
    except Conflict:
        return _ended_page(request, ScorerLink.objects.select_related("tournament").get(pk=link.pk))
    hold_link(request, link)
    if not request.user.is_authenticated:  # as long as the link is valid, which may outlast a session
        seconds = int((link.expires_at - timezone.now()).total_seconds())
        request.session.set_expiry(max(seconds, settings.SESSION_COOKIE_AGE, request.session.get_expiry_age()))
    request.session.cycle_key()  # invalidate the old session key
    tables = _open_tables(link.tournament, link)
    answer = redirect(tables[0] if link.table and tables else reverse("scoring", args=[link.tournament.slug]))
    answer.status_code = 303
    return answer


@require_safe
@guides_scorers
def scoring(request: HttpRequest, slug: str) -> HttpResponse:
    """List the tables a scorer can enter now, or what to do without any."""
    access = scoring_for(visitor_of(request), slug)
    version = live.version_of(access.tournament)
    tables = _open_tables(access.tournament, access.link)
    seats = seats_by_table(Seat.objects.filter(table__in=tables).select_related("entry__player"))
    played = _open_round(access.tournament)
    missing = {table.pk: hands for table, hands in missing_tables(played)} if played else {}
    lines = [
        {
            "table": table,
            "names": [entry.name for entry in dict.fromkeys(seat.entry for seat in seats.get(table.pk, ()))],
            "hands": missing.get(table.pk),
        }
        for table in tables
    ]
    lines.sort(key=lambda line: line["hands"] is None)  # tables with missing hands first
    context = {
        "access": access,
        "link": access.link,
        "tournament": access.tournament,
        "round": played,
        "lines": lines,
        "live_version": version,
        "page_title": _("Scoring"),
    }
    return render(request, "league/by_link/scoring.html", context)


def _open_round(tournament: Tournament) -> Round | None:
    if tournament.is_final:
        return None
    opened = tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    return opened.select_related("stage").order_by("number").last()


def _open_tables(tournament: Tournament, link: ScorerLink | None) -> list[Table]:
    """Return the tables of the current round covered by the link, by number; all tables without a link."""
    played = _open_round(tournament)
    if played is None:
        return []
    tables = played.tables.exclude(state=Table.State.VOID).select_related("round__stage").order_by("number")
    return [table for table in tables if link is None or link.covers(table.number)]


def _refusal_page(request: HttpRequest, status: int, title: str, sentence: str, **context: Any) -> HttpResponse:
    return render(
        request, "shared/scorer_refused.html", {"title": title, "sentence": sentence, **context}, status=status
    )


def _ended_page(request: HttpRequest, link: ScorerLink) -> HttpResponse:
    return _refusal_page(request, 410, **ended_in_words(link))


def ended_in_words(link: ScorerLink) -> dict[str, Any]:
    """Return title, sentence and tournament for the holder of a revoked or expired link."""
    sentence = (
        _("The organiser turned it off. Ask for a new one. Saved hands are recorded.")
        if link.revoked_at
        else _("It has expired. Ask the organiser for a new one. Saved hands are recorded.")
    )
    return {"title": _("This link no longer works"), "sentence": sentence, "tournament": link.tournament}


def _wrong_table_page(request: HttpRequest, wrong: WrongTable) -> HttpResponse:
    return _refusal_page(request, 403, **wrong_table_in_words(wrong))


def wrong_table_in_words(wrong: WrongTable) -> dict[str, Any]:
    """Return the same for the holder of another table's link, with the right table."""
    numbers = {"number": wrong.table.number, "mine": wrong.link.table}
    tables = _open_tables(wrong.link.tournament, wrong.link)
    sentence = _("You’re the scorer of table %(mine)d. To score here, scan the code of table %(number)d.")
    return {
        "title": _("This is table %(number)d") % numbers,
        "sentence": sentence % numbers,
        "tournament": wrong.link.tournament,
        "right_table": tables[0] if tables else None,
        "back": reverse("scoring", args=[wrong.link.tournament.slug]),
        "mine": wrong.link.table,
    }


def _undone_page(request: HttpRequest, table: Table) -> HttpResponse:
    tournament = table.round.tournament
    by_link = ScorerLink.objects.filter(tournament=tournament, pk__in=dict(visitor_of(request).links)).exists()
    is_void = table.round.state == Round.State.VOID
    return _refusal_page(
        request,
        409,
        _("Round %(number)d was undone") % {"number": table.round.number}
        if is_void
        else _("Table %(number)d is no longer used") % {"number": table.number},
        _("Hands can’t be entered here any more. Find your table."),
        tournament=tournament,
        back=reverse("scoring" if by_link else "seating", args=[tournament.slug]),
    )


def _one_seat_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    title = _("This browser is used by another player")
    way_out = _("Open the other player’s table on their phone.")
    return _refusal_page(request, 403, title, f"{why_one_seat()} {way_out}")


def why_one_seat() -> str:
    return _(
        "Helpers, scorers and anyone who saw a player’s link can act for only one player. So no "
        "one sees two hands of cards."
    )


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def scorers(request: HttpRequest, slug: str) -> HttpResponse:
    """List the scorer links, with a form for new ones. `?show=` (key of a link, or “all”) shows codes again."""
    access = tournament_for(request.user, slug, Can.INVITE)
    count = tables_of(access.tournament)
    form = LinksForm(posted_data(request), tables=count, initial={"table": request.GET.get("table", EACH)})
    if not form.is_valid():
        show = request.GET.get("show", "")
        codes = [link for link in living_links(access.tournament) if show in (ALL, str(link.pk))]
        return _links_page(request, access, form, codes, status=422 if request.method == "POST" else 200)
    choice = form.cleaned_data["table"]
    tables: list[int | None] = [None] if choice == ALL else [*range(1, count + 1)] if choice == EACH else [int(choice)]
    try:
        links = make_scorer_links(
            tournament=access.tournament,
            tables=tables,
            by=organiser_of(request),
            label=form.cleaned_data["label"],
            days=form.cleaned_data["days"],
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        return _links_page(request, access, form, status=refused.status)
    show = str(links[0][0].pk) if len(links) == 1 else ALL
    created(request, f"{reverse('scorers', args=[slug])}?show={show}")
    return _links_page(request, access, LinksForm(tables=count), [link for link, _token in links])


def _links_page(
    request: HttpRequest, access: Access, form: LinksForm, show: Sequence[ScorerLink] = (), status: int = 200
) -> HttpResponse:
    """show: links whose codes are displayed on top."""
    tournament = access.tournament
    codes = []
    for link in show:
        address = request.build_absolute_uri(reverse("scorer", args=[scorer_token(link)]))
        codes.append({"link": link, "address": address, "drawing": qr.drawing(address)})
    return render_page(
        request,
        access,
        "league/by_link/scorers.html",
        page="people",
        title=_("Scorers"),
        status=status,
        form=form,
        links=living_links(tournament).select_related("created_by"),
        ends=last_moment(tournament, timezone.now()),
        this_machine=this_machine(request),
        codes=codes,
    )


@require_POST
def revoke_scorer_link(request: HttpRequest, slug: str, link_id: int) -> HttpResponse:
    _access, link = scorer_link_for(request.user, slug, link_id, Can.INVITE)
    scorer_links.revoke_scorer_link(link=link, by=organiser_of(request))
    messages.success(
        request,
        _("Turned off: %(link)s. Create a new link to let its phones in again.") % {"link": link},
    )
    return redirect(f"{reverse('scorers', args=[slug])}?table={link.table or ALL}")
