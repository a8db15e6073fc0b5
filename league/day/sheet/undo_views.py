"""Undo links of messages. They act at once, because the action had a preview."""

from collections.abc import Callable

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import adjustment_for, entry_for, event_for, tournament_for, warning_for
from league.access.rights import Can
from league.day.sheet import playing
from league.day.undo import undo_event
from league.erasure.sessions import forget_forms
from league.lib.errors import Refused
from league.pages.came_from import came_from
from league.pages.tournament_page import organiser_of
from league.remarks.warn import withdraw
from league.rounds.adjustments import void_adjustment
from league.rounds.tables import move_table, open_table_again, swap_seats


def _undo(request: HttpRequest, action: Callable[[], object], done: str, otherwise: str) -> HttpResponse:
    """Run an undo and return to the page it came from, or else to `otherwise`."""
    try:
        action()
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        forget_forms([request.path])  # a repeated post must undo again
        messages.success(request, done)
    return redirect(came_from(request) or otherwise)


@require_POST
def event(request: HttpRequest, slug: str, event_id: int) -> HttpResponse:
    """Undo a late entry, departure or return."""
    access, past = event_for(request.user, slug, event_id, Can.CORRECT)
    by, words = organiser_of(request), {"name": past.entry.name, "what": past.get_kind_display()}
    return _undo(
        request,
        lambda: undo_event(tournament=access.tournament, event=past, by=by),
        _("Undone for %(name)s: %(what)s.") % words,
        access.tournament.get_absolute_url(),
    )


@require_POST
def stop(request: HttpRequest, slug: str, event_id: int, round_number: int, table_number: int) -> HttpResponse:
    """Undo a departure and reopen the table closed with it."""
    access, past = event_for(request.user, slug, event_id, Can.CORRECT)
    by, words = organiser_of(request), {"name": past.entry.name, "what": past.get_kind_display()}

    @transaction.atomic
    def undo_both() -> None:
        undo_event(tournament=access.tournament, event=past, by=by)
        open_table_again(tournament=access.tournament, round_number=round_number, number=table_number, by=by)

    return _undo(request, undo_both, _("Undone for %(name)s: %(what)s.") % words, access.tournament.get_absolute_url())


@require_POST
def swap(request: HttpRequest, slug: str, public_id: str, round_number: int, other: str) -> HttpResponse:
    """Swap two players back."""
    access, first = entry_for(request.user, slug, public_id, Can.CORRECT)
    _access, second = entry_for(request.user, slug, other, Can.CORRECT)
    by, seats = organiser_of(request), {"one": first, "other": second}
    return _undo(
        request,
        lambda: swap_seats(
            tournament=access.tournament, round_number=round_number, reason=_("Swapped back"), by=by, **seats
        ),
        _("%(one)s and %(other)s are back in their seats.") % {"one": first.name, "other": second.name},
        playing.address(first),
    )


@require_POST
def close(request: HttpRequest, slug: str, round_number: int, table_number: int) -> HttpResponse:
    """Reopen a closed table."""
    access, by = tournament_for(request.user, slug, Can.CORRECT), organiser_of(request)
    return _undo(
        request,
        lambda: open_table_again(tournament=access.tournament, round_number=round_number, number=table_number, by=by),
        _("Table %(number)d is open again.") % {"number": table_number},
        access.tournament.get_absolute_url(),
    )


@require_POST
def move(request: HttpRequest, slug: str, round_number: int, table_number: int, to: int) -> HttpResponse:
    """Restore a table's number."""
    access, by = tournament_for(request.user, slug, Can.CORRECT), organiser_of(request)
    about = {"round_number": round_number, "number": table_number, "to": to}
    return _undo(
        request,
        lambda: move_table(tournament=access.tournament, reason=_("Moved back"), by=by, **about),
        _("Table %(number)d is now table %(to)d.") % about,
        access.tournament.get_absolute_url(),
    )


@require_POST
def adjustment(request: HttpRequest, slug: str, adjustment_id: int) -> HttpResponse:
    """Void a points adjustment."""
    access, row = adjustment_for(request.user, slug, adjustment_id, Can.CORRECT)
    by = organiser_of(request)
    return _undo(
        request,
        lambda: void_adjustment(tournament=access.tournament, adjustment_id=row.pk, by=by),
        _("Points adjustment undone."),
        playing.address(row.entry),
    )


@require_POST
def warning(request: HttpRequest, slug: str, warning_id: int) -> HttpResponse:
    """Withdraw a warning that was just recorded. Later it takes a reason, on the sheet."""
    access, row = warning_for(request.user, slug, warning_id, Can.CORRECT)
    by = organiser_of(request)
    return _undo(
        request,
        lambda: withdraw(warning=row, reason=_("Recorded by mistake"), by=by),
        _("The warning to %(name)s is withdrawn.") % {"name": row.player.name},
        access.tournament.get_absolute_url(),
    )
